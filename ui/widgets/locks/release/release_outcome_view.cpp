#include "ui/widgets/locks/release/release_outcome_view.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/locks/release/undo_offer.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using inspect::ReleaseResult;

namespace {

QLabel* createSentence(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

int severityOf(ReleaseResult result)
{
    switch (result) {
    case ReleaseResult::Released: return 0;
    case ReleaseResult::AlreadyGone:
    case ReleaseResult::ChangedHands: return 1;
    case ReleaseResult::Refused:
    case ReleaseResult::Unknown: break;
    }
    return 2;
}

ReleaseOutcomeView::ReleaseOutcomeView(service::ReleaseDesk& desk,
                                       std::function<FactContext()> context, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_context(std::move(context))
{
    m_outcome = createSentence(u"outcomeText"_s, this);
    QFont bold = m_outcome->font();
    bold.setBold(true);
    m_outcome->setFont(bold);
    m_comparison = new QWidget(this);
    m_comparison->setObjectName(u"comparison"_s);
    m_grid = new QGridLayout(m_comparison);
    m_grid->setContentsMargins(0, 4, 0, 4);
    m_grid->setHorizontalSpacing(20);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(0, 2);
    m_grid->setColumnStretch(1, 5);
    m_grid->setColumnStretch(2, 5);
    m_comparison->setVisible(false);
    m_nextHold = createSentence(u"nextHoldText"_s, this);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_outcome);
    layout->addWidget(m_comparison);
    layout->addWidget(m_nextHold);
    m_undo = new UndoOffer(m_context, this);
    layout->addWidget(m_undo);
    layout->addStretch(1);
    connect(m_undo, &UndoOffer::undoRequested, this,
            [this](const std::vector<inspect::ReleasePlan>& plans) { send(plans.front()); });
    connect(&m_desk, &service::ReleaseDesk::executed, this, &ReleaseOutcomeView::showReport);
    connect(&m_desk, &service::ReleaseDesk::followed, this, &ReleaseOutcomeView::showNextHold);
}

void ReleaseOutcomeView::execute(const inspect::ReleasePlan& plan, const QString& reason,
                                 std::optional<inspect::LockSnapshot> seen)
{
    m_reason = reason;
    m_seen = std::move(seen);
    send(plan);
}

/// Who came next is of no interest any more: what was sent before is undone.
void ReleaseOutcomeView::send(const inspect::ReleasePlan& plan)
{
    m_plan = plan;
    m_outcome->setText(tr("Sending…"));
    m_nextHold->clear();
    m_request = m_desk.execute(plan, m_reason);
    Q_EMIT attempted(m_request, plan);
}

QString ReleaseOutcomeView::outcomeText() const
{
    return m_outcome->text();
}

QString ReleaseOutcomeView::nextHoldText() const
{
    return m_nextHold->text();
}

void ReleaseOutcomeView::showReport(quint64 request, const inspect::ReleaseReport& report)
{
    if (request != m_request) {
        return;
    }
    QString sentence = models::toQString(report::resultSentence(report, m_plan.action));
    const std::string ended = report::endedSentence(m_plan);
    if (report.result == ReleaseResult::Released && !ended.empty()) {
        sentence += u' ' + models::toQString(ended);
    }
    if (const std::string votes = report::votesSentence(report); !votes.empty()) {
        sentence += u' ' + models::toQString(votes);
    }
    const Instant now = m_context().now;
    if (const std::string asleep = report::forbiddenWakeUpSentence(report, m_plan, now);
        !asleep.empty()) {
        sentence += u' ' + models::toQString(asleep);
    }
    if (const std::string others = report::stillHeldSentence(m_plan, report); !others.empty()) {
        sentence += u' ' + models::toQString(others);
    }
    m_outcome->setText(sentence);
    setTone(*m_outcome, severityOf(report.result));
    if (report.result == ReleaseResult::ChangedHands && report.nowThere != nullptr) {
        showComparison(*m_plan.lock, *report.nowThere);
    } else if (report.perServer.size() > 1) {
        showServers(report);
    }
    if (report.result == ReleaseResult::Released
        && m_plan.action == inspect::ReleaseAction::Release) {
        m_nextHold->setText(tr("Watching for the next owner…"));
        if (m_seen) {
            m_undo->offer({{m_plan, *m_seen}});
        }
    }
    Q_EMIT outcomeKnown(report.result);
}

void ReleaseOutcomeView::showNextHold(quint64 request, const inspect::NextHold& nextHold)
{
    if (request != m_request) {
        return;
    }
    m_nextHold->setText(models::toQString(report::nextHoldSentence(nextHold)));
    if (nextHold.next != nullptr) {
        m_undo->withdraw(); // there is nothing to put it back to
    }
    setTone(*m_nextHold, nextHold.isBack() ? 2 : -1);
    if (nextHold.isBack()) {
        m_outcome->setText(tr("Released, but it did not last."));
        setTone(*m_outcome, 2);
    }
}

void ReleaseOutcomeView::showComparison(const inspect::LockRecord& then,
                                        const inspect::LockRecord& now)
{
    const FactContext context = m_context();
    const std::vector<Fact> before = holdFactsOf(then, context);
    const std::vector<Fact> after = holdFactsOf(now, context);
    addCell(0, 1, {{}, tr("When selected"), Fact::Look::Quiet});
    addCell(0, 2, {{}, tr("Now"), Fact::Look::Quiet});
    int row = 1;
    for (const Fact& fact : before) {
        const auto same = std::find_if(after.begin(), after.end(), [&fact](const Fact& other) {
            return other.label == fact.label;
        });
        addCell(row, 0, {{}, fact.label, Fact::Look::Quiet});
        addCell(row, 1, fact);
        if (same != after.end()) {
            addCell(row, 2, *same);
        }
        ++row;
    }
    m_comparison->setVisible(true);
}

void ReleaseOutcomeView::showServers(const inspect::ReleaseReport& report)
{
    const FactContext context = m_context();
    int row = 0;
    for (const auto& [server, result] : report.perServer) {
        addCell(row, 0, {{}, serverTextOf({server, {}}, context.endpoints), Fact::Look::Mono});
        addCell(row, 1, {{}, models::toQString(inspect::idOf(result)), Fact::Look::Plain});
        ++row;
    }
    m_comparison->setVisible(true);
}

void ReleaseOutcomeView::addCell(int row, int column, const Fact& fact)
{
    auto* cell = new SelectableText(m_comparison);
    if (fact.look == Fact::Look::Mono) {
        cell->setFont(monospacedFont());
    } else if (fact.look == Fact::Look::Quiet) {
        QPalette quiet = palette();
        quiet.setColor(QPalette::Text, palette().color(QPalette::PlaceholderText));
        cell->setPalette(quiet);
    }
    cell->setText(fact.value);
    m_grid->addWidget(cell, row, column);
}

void ReleaseOutcomeView::setTone(QLabel& label, int severity)
{
    QPalette colored = palette();
    if (severity >= 0) {
        colored.setColor(QPalette::WindowText, severityColor(severity, palette()));
    }
    label.setPalette(colored);
}

} // namespace lockscope::widgets
