#include "ui/widgets/locks/release/release_dialog.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/verdict_card.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/holder_chooser.h"
#include "ui/widgets/locks/release/milder_ways.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/plan_commands.h"
#include "ui/widgets/locks/release/tombstone_choice.h"
#include "ui/widgets/locks/release/typed_edit.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kCountdownTick{1000};
constexpr int kCharacters = 84;

QString warningsOf(const operations::LockDetails& details, const inspect::ReleasePlan& plan)
{
    QStringList sentences;
    for (const std::string& warning : details.warnings) {
        sentences += models::toQString(warning);
    }
    for (const std::string_view warning : plan.recipe.warnings) {
        sentences += models::toQString(warning);
    }
    sentences.removeDuplicates();
    return sentences.join(u'\n');
}

} // namespace

ReleaseDialog::ReleaseDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                             const inspect::LockId& id, QWidget* parent)
    : PlanDialog(desk, std::move(context), id, parent)
{
    m_tick = new QTimer(this);
    m_tick->setInterval(kCountdownTick);
    connect(m_tick, &QTimer::timeout, this, &ReleaseDialog::refreshFacts);
    begin({u"releaseDialog"_s, tr("Release a lock"), tr("Release"), Emphasis::Danger}, createPage(),
          kCharacters);
}

void ReleaseDialog::takeWatched(const inspect::LockPtr& lock)
{
    if (lock != nullptr && lock->id == id()) {
        takeNews(lock);
    }
}

void ReleaseDialog::takeNews(const inspect::LockPtr& lock)
{
    m_watched = lock;
    refreshFacts();
}

QWidget* ReleaseDialog::createPage()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    m_verdict = new VerdictCard(page);
    m_verdict->setObjectName(u"releaseVerdict"_s);
    layout->addWidget(m_verdict);
    m_warnings = new QLabel(page);
    m_warnings->setObjectName(u"releaseWarnings"_s);
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::PlainText);
    layout->addWidget(m_warnings);
    m_facts = new FactList(page);
    m_facts->setObjectName(u"releaseFacts"_s);
    layout->addWidget(m_facts);
    createMilderWays(*layout);
    m_chooserCaption = createCaption(tr("Hold to release"), page);
    layout->addWidget(m_chooserCaption);
    m_chooser = new HolderChooser(page);
    layout->addWidget(m_chooser);
    connect(m_chooser, &HolderChooser::chosenChanged, this, &ReleaseDialog::showChoice);
    m_chosen = new QWidget(page);
    auto* chosen = new QVBoxLayout(m_chosen);
    chosen->setContentsMargins(0, 0, 0, 0);
    chosen->setSpacing(10);
    createTombstone(*chosen);
    chosen->addWidget(createCaption(tr("What will be done"), m_chosen));
    m_commands = new PlanCommands(m_chosen);
    connect(m_commands, &PlanCommands::toggled, this, [this] { fitToContent(); });
    chosen->addWidget(m_commands);
    createConfirmation(*chosen);
    layout->addWidget(m_chosen);
    layout->addStretch(1);
    return page;
}

void ReleaseDialog::createMilderWays(QVBoxLayout& layout)
{
    m_milder = new MilderWays(this);
    layout.addWidget(m_milder);
    connect(m_milder, &MilderWays::capRequested, this, [this] {
        const inspect::LockId wanted = id();
        giveWay();
        Q_EMIT capTtlRequested(wanted);
    });
    connect(m_milder, &MilderWays::disconnectRequested, this, [this] {
        const inspect::LockId wanted = id();
        const Bytes owner = m_details->release->owner();
        giveWay();
        Q_EMIT disconnectRequested(wanted, owner);
    });
}

void ReleaseDialog::showMilderWays(const inspect::LockRecord& known)
{
    const FactContext facts = context();
    report::LadderSituation situation{known, facts.now, {}};
    situation.canCap = m_details->capTtl.has_value();
    situation.canReleaseOne = m_details->releaseOne.size() > 1;
    if (known.expiresAt) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*known.expiresAt
                                                                                - facts.now);
        situation.expiryTime = models::timeOfDayText(facts.wallNow + left).toStdString();
    }
    m_milder->showLadder(report::releaseLadder(situation));
}

void ReleaseDialog::createTombstone(QVBoxLayout& layout)
{
    m_tombstone = new TombstoneChoice(m_chosen);
    layout.addWidget(m_tombstone);
    connect(m_tombstone, &TombstoneChoice::toggled, this, [this] {
        m_commands->setPlan(plan());
        fitToContent();
    });
}

void ReleaseDialog::createConfirmation(QVBoxLayout& layout)
{
    m_reason = new QLineEdit(this);
    m_reason->setObjectName(u"reasonEdit"_s);
    m_reason->setAccessibleName(tr("Reason"));
    m_prompt = new QLabel(this);
    m_prompt->setObjectName(u"confirmPrompt"_s);
    m_prompt->setWordWrap(true);
    m_prompt->setTextFormat(Qt::PlainText);
    m_typed = new TypedEdit(this);
    m_typed->setObjectName(u"confirmEdit"_s);
    layout.addWidget(createCaption(tr("Reason for the audit file"), this));
    layout.addWidget(m_reason);
    layout.addWidget(m_prompt);
    layout.addWidget(m_typed);
    connect(m_typed, &QLineEdit::textChanged, this, &ReleaseDialog::takeTyped);
    connect(m_reason, &QLineEdit::textChanged, this, &ReleaseDialog::takeTyped);
    connect(m_typed, &TypedEdit::pasteRefused, this,
            [this] { takeEntry(tr("Type it by hand: pasting is off on production.")); });
}

QString ReleaseDialog::takeDetails(const operations::LockDetails& details)
{
    if (QString obstacle = releaseObstacle(details); !obstacle.isEmpty()) {
        return obstacle;
    }
    m_details = details;
    showPlan();
    return {};
}

void ReleaseDialog::showPlan()
{
    refreshFacts();
    m_tick->start();
    const bool isProduction = isReasonNeeded();
    m_reason->setPlaceholderText(isProduction ? tr("Required on production") : tr("Optional"));
    m_typed->refusePasting(isProduction);
    m_chooser->showPlans(*m_details);
    m_chooserCaption->setVisible(m_chooser->isNeeded());
    m_chooser->setVisible(m_chooser->isNeeded());
    showChoice();
}

void ReleaseDialog::showChoice()
{
    if (!m_details) {
        return;
    }
    const inspect::ReleasePlan* const chosen = m_chooser->chosen();
    m_chosen->setVisible(chosen != nullptr);
    showWarnings();
    m_typed->clear(); // what was typed before does not name this hold
    if (chosen != nullptr) {
        m_tombstone->offer(*chosen, context().now);
        m_commands->setPlan(*chosen);
        showConfirmation();
    }
    if (isShowingPlan()) {
        takeChoice();
    }
}

void ReleaseDialog::showWarnings()
{
    const inspect::ReleasePlan* const chosen = m_chooser->chosen();
    const inspect::ReleasePlan& plan = chosen != nullptr ? *chosen : *m_details->release;
    const QString warnings = warningsOf(*m_details, plan);
    m_warnings->setText(warnings);
    m_warnings->setVisible(!warnings.isEmpty());
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(1, palette()));
    m_warnings->setPalette(alarming);
    m_milder->emphasiseCap(plan.recipe.isAnonymous() ? Emphasis::Primary : Emphasis::Normal);
}

void ReleaseDialog::showConfirmation()
{
    const inspect::ReleasePlan& plan = *m_chooser->chosen();
    m_confirmation = confirmationOf(plan);
    const QString name = nameOf(*plan.lock);
    const QString owner = models::bytesText(plan.owner());
    const bool isWholeKey = m_confirmation == name;
    const int width = fontMetrics().averageCharWidth() * 24;
    m_typed->setMaximumWidth(isWholeKey ? QWIDGETSIZE_MAX : width);
    if (isWholeKey) {
        m_confirmationName = tr("the name of the key, %1").arg(name);
    } else if (m_confirmation.size() == 1) {
        m_confirmationName = tr("the last character of the owner %1").arg(owner);
    } else {
        m_confirmationName =
            tr("the last %1 characters of the owner %2").arg(m_confirmation.size()).arg(owner);
    }
    const QString ended = models::toQString(report::endedSentence(plan));
    const QString wish = tr("To release the lock, type %1").arg(m_confirmationName);
    m_prompt->setText(ended.isEmpty() ? wish : ended + u'\n' + wish);
}

void ReleaseDialog::refreshFacts()
{
    if (m_details) {
        const inspect::LockRecord& lock = *m_details->release->lock;
        const inspect::LockRecord known = m_watched ? withHistoryOf(lock, *m_watched) : lock;
        m_facts->showFacts(releaseFactsOf(known, context()));
        showMilderWays(known);
        showVerdict(known);
    }
}

/// The row's own, so that a healthy lock has another face here than one that is stuck. What only
/// the watch knows, such as that nobody renews it, is in its flags.
void ReleaseDialog::showVerdict(const inspect::LockRecord& known)
{
    const bool isSameHold = m_watched && m_watched->firstSeen == known.firstSeen;
    const inspect::LockRecord& judged = isSameHold ? *m_watched : known;
    m_verdict->showVerdict(report::verdictOf(judged, context().now),
                           inspect::stateOf(judged) != inspect::LockState::Unconfirmed);
}

void ReleaseDialog::takeTyped()
{
    if (isShowingPlan()) {
        const bool isWhole = m_typed->text().size() >= m_confirmation.size();
        takeEntry(isWhole && !m_typed->text().isEmpty() ? mismatch() : QString());
    }
}

QString ReleaseDialog::mismatch() const
{
    return m_typed->text() == m_confirmation
               ? QString()
               : tr("The text you typed is not %1. Nothing was sent.").arg(m_confirmationName);
}

QString ReleaseDialog::missing() const
{
    if (m_chooser->chosen() == nullptr) {
        return tr("Nothing was sent. Select the hold to release first.");
    }
    if (m_typed->text().isEmpty()) {
        return tr("Nothing was sent. To release the lock, type %1.").arg(m_confirmationName);
    }
    if (QString wrong = mismatch(); !wrong.isEmpty()) {
        return wrong;
    }
    return isReasonNeeded() && reason().isEmpty()
               ? tr("Nothing was sent. Enter a reason; it is required on production.")
               : QString();
}

QString ReleaseDialog::reason() const
{
    return m_reason->text().trimmed();
}

std::vector<inspect::Holder> ReleaseDialog::meant() const
{
    const inspect::ReleasePlan* const chosen = m_chooser->chosen();
    return chosen != nullptr ? chosen->holders : std::vector<inspect::Holder>();
}

inspect::ReleasePlan ReleaseDialog::plan() const
{
    const inspect::ReleasePlan* const tombstone = m_tombstone->chosen();
    return withTies(tombstone != nullptr ? *tombstone : *m_chooser->chosen(), m_watched);
}

std::optional<inspect::LockSnapshot> ReleaseDialog::seen() const
{
    const bool isOfOneServer = m_details && m_details->snapshots.size() == 1;
    return isOfOneServer ? std::optional(m_details->snapshots.front()) : std::nullopt;
}

QWidget* ReleaseDialog::firstField() const
{
    if (m_details->release->recipe.isAnonymous() && m_details->capTtl) {
        return m_milder->capButton();
    }
    return m_chooser->isNeeded() ? static_cast<QWidget*>(m_chooser) : m_typed;
}

} // namespace lockscope::widgets
