#include "ui/widgets/locks/release/plan_dialog.h"

#include "core/kernel/inspect/watch/hold_change.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/release_outcome_view.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using inspect::HoldChange;

PlanDialog::PlanDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                       const inspect::LockId& id, QWidget* parent)
    : QDialog(parent),
      m_desk(desk),
      m_context(std::move(context)),
      m_id(id)
{
    setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_desk, &service::ReleaseDesk::inspected, this, &PlanDialog::showDetails);
}

void PlanDialog::begin(const Words& words, QWidget* planPage, int characters)
{
    setObjectName(words.name);
    setWindowTitle(words.title);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    createTitle(*layout);
    createPages(*layout, planPage);
    m_remark = new QLabel(this);
    m_remark->setObjectName(u"planRemark"_s);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setWordWrap(true);
    m_remark->setVisible(false);
    layout->addWidget(m_remark);
    createButtons(*layout, words);
    setMinimumWidth(fontMetrics().averageCharWidth() * characters);
    openAtFullHeight(*this);
    read();
}

void PlanDialog::createTitle(QVBoxLayout& layout)
{
    auto* title = new ElidedLabel(Qt::ElideMiddle, this);
    QFont font = monospacedFont();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    title->setFont(font);
    title->setFullText(models::bytesText(m_id.name));
    layout.addWidget(title);
    m_destination = createWrappedText(u"planDestination"_s, this);
    m_destination->setTextFormat(Qt::PlainText);
    m_destination->setVisible(false);
    layout.addWidget(m_destination);
}

/// A master is another server than the one on the screen, so it is named in colour.
void PlanDialog::showDestination()
{
    showRemark(*m_destination, destinationText(m_masters, m_context()), isReasonNeeded() ? 2 : 1);
}

bool PlanDialog::isReasonNeeded() const
{
    return widgets::isReasonNeeded(m_id, m_context(), m_masters);
}

void PlanDialog::createPages(QVBoxLayout& layout, QWidget* planPage)
{
    m_reading = new QLabel(this);
    m_reading->setObjectName(u"readingText"_s);
    m_reading->setWordWrap(true);
    m_reading->setTextFormat(Qt::PlainText);
    m_reading->setAlignment(Qt::AlignTop);
    m_planPage = planPage;
    m_outcome = new ReleaseOutcomeView(m_desk, m_context, this);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_reading);
    m_pages->addWidget(m_planPage);
    m_pages->addWidget(m_outcome);
    layout.addWidget(m_pages, 1);
    connect(m_outcome, &ReleaseOutcomeView::attempted, this, &PlanDialog::noteSent);
    connect(m_outcome, &ReleaseOutcomeView::outcomeKnown, this, &PlanDialog::finish);
}

/// None of the buttons is the default one: Enter in a field would press it, whatever it does.
void PlanDialog::createButtons(QVBoxLayout& layout, const Words& words)
{
    const auto create = [this](const QString& text, const QString& name) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setAutoDefault(false);
        return button;
    };
    m_execute = create(words.execute, u"executeButton"_s);
    setEmphasis(m_execute, words.emphasis);
    m_again = create(tr("Reload"), u"lookAgainButton"_s);
    m_cancel = create(tr("Cancel"), u"cancelButton"_s);
    connect(m_execute, &QPushButton::clicked, this, &PlanDialog::send);
    connect(m_again, &QPushButton::clicked, this, &PlanDialog::read);
    connect(m_cancel, &QPushButton::clicked, this, &PlanDialog::reject);
    auto* row = new QHBoxLayout;
    row->addWidget(m_execute);
    row->addWidget(m_again);
    row->addStretch(1);
    row->addWidget(m_cancel);
    layout.addLayout(row);
}

void PlanDialog::read()
{
    endGuard();
    m_stage = Stage::Reading;
    m_looked.reset();
    m_masters.clear();
    m_destination->setVisible(false);
    m_news.clear();
    m_reading->setText(tr("Reading the lock again…"));
    m_pages->setCurrentWidget(m_reading);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setFocus();
    say({});
    m_request = m_desk.inspectToRelease(m_id);
}

void PlanDialog::showDetails(quint64 request, const operations::LockDetails& details)
{
    if (request != m_request || m_stage != Stage::Reading) {
        return;
    }
    m_guard = guardOf(details);
    if (details.problem.kind != store::Problem::Kind::None) {
        showObstacle(models::toQString(store::explain(details.problem)));
        return;
    }
    m_masters = mastersOf(details);
    showDestination();
    if (const QString text = takeDetails(details); !text.isEmpty()) {
        showObstacle(text);
        return;
    }
    m_stage = Stage::Plan;
    m_looked = details.lock;
    m_pages->setCurrentWidget(m_planPage);
    firstField()->setFocus();
    judge(m_newest); // it may have come while the lock was read
    refresh();
    fitHeight(*this);
}

void PlanDialog::showObstacle(const QString& text)
{
    m_stage = Stage::Obstacle;
    m_reading->setText(text);
    m_cancel->setText(tr("Close"));
    refresh();
    fitHeight(*this);
}

void PlanDialog::takeChange(const inspect::LockChange& change)
{
    if (change.lock != nullptr && change.lock->id == m_id) {
        m_newest = change;
        judge(change);
    }
}

void PlanDialog::judge(const inspect::LockChange& change)
{
    if (m_stage != Stage::Plan || change.lock == nullptr) {
        return;
    }
    const HoldChange became = inspect::holdChangeOf(*m_looked, meant(), change);
    if (became != HoldChange::Same) {
        m_news = changeSentence(became) + u' '
                 + tr("Nothing was sent. Reload before you continue.");
        say({});
        fitHeight(*this);
    } else if (m_news.isEmpty()) {
        takeNews(isEnding(change.kind) ? nullptr : change.lock); // an end is that of the hold
                                                                 // before
    }
}

QString PlanDialog::obstacle() const
{
    return m_news.isEmpty() ? missing() : m_news;
}

void PlanDialog::takeEntry(const QString& remark)
{
    say(remark);
}

void PlanDialog::takeChoice()
{
    say({});
    judge(m_newest); // it may be about them
    fitHeight(*this);
}

void PlanDialog::fitToContent()
{
    fitHeight(*this);
}

void PlanDialog::say(const QString& remark)
{
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(2, palette()));
    m_remark->setPalette(alarming);
    m_remark->setText(m_news.isEmpty() ? remark : m_news);
    m_remark->setVisible(!m_remark->text().isEmpty());
    refresh();
}

void PlanDialog::refresh()
{
    const bool isPlan = m_stage == Stage::Plan;
    const QString why = isPlan ? obstacle() : QString();
    m_execute->setVisible(isPlan || m_stage == Stage::Reading);
    m_execute->setEnabled(isPlan && why.isEmpty());
    m_execute->setToolTip(why);
    m_again->setVisible(m_stage == Stage::Obstacle || (isPlan && !m_news.isEmpty()));
}

void PlanDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QDialog::keyPressEvent(event);
        return;
    }
    if (auto* button = qobject_cast<QAbstractButton*>(focusWidget())) {
        button->click();
    } else if (qobject_cast<QLineEdit*>(focusWidget()) != nullptr
               || qobject_cast<QAbstractItemView*>(focusWidget()) != nullptr) {
        answerEnter();
    }
}

void PlanDialog::answerEnter()
{
    if (m_stage != Stage::Plan) {
        return;
    }
    if (const QString why = obstacle(); !why.isEmpty()) {
        say(why);
        fitHeight(*this);
    } else {
        send();
    }
}

void PlanDialog::send()
{
    const inspect::ReleasePlan sent = plan();
    const QString why = reason();
    m_guard.reset();
    m_stage = Stage::Sent;
    m_cancel->setText(tr("Close"));
    m_cancel->setFocus();
    m_pages->removeWidget(m_planPage); // else it goes on saying how high the dialog has to be
    m_planPage->hide();
    m_pages->setCurrentWidget(m_outcome);
    say({});
    m_outcome->execute(sent, why, seen());
}

void PlanDialog::noteSent(quint64 request, const inspect::ReleasePlan& plan)
{
    m_stage = Stage::Sent;
    m_request = request;
    Q_EMIT attempted(request, plan);
}

void PlanDialog::finish()
{
    m_stage = Stage::Answered;
    m_cancel->setFocus();
    fitHeight(*this);
}

void PlanDialog::endGuard()
{
    if (m_guard) {
        m_desk.endGuard(*m_guard);
        m_guard.reset();
    }
}

void PlanDialog::giveWay()
{
    endGuard();
    QDialog::reject();
}

void PlanDialog::reject()
{
    endGuard();
    if (m_stage == Stage::Sent) {
        Q_EMIT leftUnanswered(m_request);
    } else if (m_stage != Stage::Answered) {
        Q_EMIT withdrawn(m_id);
    }
    QDialog::reject();
}

} // namespace lockscope::widgets
