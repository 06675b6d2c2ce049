#include "ui/widgets/locks/lock_details_panel.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/verdict_card.h"
#include "ui/widgets/locks/diagnosis_view.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/lock_explanation_view.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/plan_commands.h"
#include "ui/widgets/locks/who_view.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTimer>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString wordsOf(inspect::ChangeKind ending)
{
    switch (ending) {
    case inspect::ChangeKind::Expired: return UiText::tr("The lock expired.");
    case inspect::ChangeKind::Unwatched: return UiText::tr("The lock is no longer watched.");
    default: return UiText::tr("The lock was released.");
    }
}

} // namespace

LockDetailsPanel::LockDetailsPanel(service::ReleaseDesk& desk, std::function<FactContext()> context,
                                   QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_context(std::move(context))
{
    setObjectName(u"lockDetailsPanel"_s);
    m_readPause = new QTimer(this);
    m_readPause->setSingleShot(true);
    m_readPause->setInterval(kReadPause);
    connect(m_readPause, &QTimer::timeout, this, &LockDetailsPanel::read);
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &LockDetailsPanel::refreshFacts);
    connect(&m_desk, &service::ReleaseDesk::inspected, this, &LockDetailsPanel::takeDetails);

    m_stack = new QStackedWidget(this);
    m_nothing = createQuietLabel({}, this);
    m_nothing->setObjectName(u"detailsPlaceholder"_s);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setMargin(24);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(createCard());
    showNothing({});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

QWidget* LockDetailsPanel::createCard()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(14, 12, 14, 16);
    layout->setSpacing(10);
    createHeading(*layout);
    m_facts = new FactList(content);
    m_facts->setObjectName(u"factList"_s);
    layout->addWidget(m_facts);
    createActions(*layout);
    m_diagnosis = new DiagnosisView(content);
    m_diagnosis->setObjectName(u"diagnosisView"_s);
    layout->addWidget(m_diagnosis);
    m_who = new WhoView(m_desk, m_context, content);
    layout->addWidget(m_who);
    createCommands(*layout);
    layout->addWidget(createCaption(tr("Since Lockscope connected"), content));
    m_historyText = createWrappedText(u"lockHistory"_s, content);
    m_historyText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_historyText);
    m_values = new QVBoxLayout;
    m_values->setSpacing(6);
    layout->addLayout(m_values);
    m_explanation = new LockExplanationView(content);
    layout->addWidget(m_explanation);
    layout->addStretch(1);

    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(content);
    // It is not scrolled sideways, so nothing may be cut off there.
    m_scroll->setMinimumWidth(content->minimumSizeHint().width()
                              + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_scroll->viewport()->setBackgroundRole(QPalette::Window);
    return m_scroll;
}

void LockDetailsPanel::createHeading(QVBoxLayout& layout)
{
    m_name = new ElidedLabel(Qt::ElideMiddle, this);
    m_name->setObjectName(u"lockName"_s);
    QFont font = monospacedFont();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    m_name->setFont(font);
    m_summary = createQuietLabel({}, this);
    m_summary->setObjectName(u"lockSummary"_s);
    m_summary->setWordWrap(true);
    m_remark = new QLabel(this);
    m_remark->setObjectName(u"detailsRemark"_s);
    m_remark->setWordWrap(true);
    m_remark->setTextFormat(Qt::PlainText);
    m_verdict = new VerdictCard(this);
    m_verdict->setObjectName(u"verdictCard"_s);
    auto* title = new QVBoxLayout;
    title->setSpacing(2);
    title->addWidget(m_name);
    title->addWidget(m_summary);
    layout.addLayout(title);
    layout.addWidget(m_remark);
    layout.addWidget(m_verdict);
}

void LockDetailsPanel::createActions(QVBoxLayout& layout)
{
    m_copy = new QPushButton(tr("Copy key"), this);
    m_copy->setObjectName(u"copyKeyButton"_s);
    m_cap = new QPushButton(tr("Cap TTL…"), this);
    m_cap->setObjectName(u"capTtlButton"_s);
    m_release = new QPushButton(tr("Release…"), this);
    m_release->setObjectName(u"releaseButton"_s);
    setEmphasis(m_release, Emphasis::Danger);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(nameOf(*m_lock)); });
    connect(m_cap, &QPushButton::clicked, this, [this] { Q_EMIT capTtlRequested(m_lock->id); });
    connect(m_release, &QPushButton::clicked, this,
            [this] { Q_EMIT releaseRequested(m_lock->id); });

    auto* row = new QHBoxLayout;
    row->addWidget(m_copy);
    row->addWidget(m_cap);
    row->addSpacing(8); // a destructive action is never right beside a harmless one
    row->addWidget(m_release);
    row->addStretch(1);
    layout.addSpacing(2);
    layout.addLayout(row);
}

void LockDetailsPanel::createCommands(QVBoxLayout& layout)
{
    m_commands = new QWidget(this);
    auto* column = new QVBoxLayout(m_commands);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(6);
    m_plan = new PlanCommands(m_commands);
    m_sameAs = new CommandBox(m_commands);
    m_sameAs->setObjectName(u"sameAsCommand"_s);
    m_commandCaption = createCaption({}, m_commands);
    m_commandCaption->setObjectName(u"releaseCaption"_s);
    column->addWidget(m_commandCaption);
    column->addWidget(m_plan);
    column->addWidget(createCaption(tr("Same as"), m_commands));
    column->addWidget(m_sameAs);
    layout.addWidget(m_commands);
}

void LockDetailsPanel::showLock(const inspect::LockPtr& lock)
{
    const bool isSame = lock != nullptr && m_lock != nullptr && lock->id == m_lock->id;
    const bool isNews = lock != m_lock;
    m_lock = lock;
    m_isAbsent = false;
    showNothing({});
    if (isSame && isNews && !m_readPause->isActive()) {
        m_readPause->start();
    } else if (!isSame) {
        m_details.reset();
        m_end.reset();
        m_request = 0;
        m_readPause->stop();
        m_scroll->ensureVisible(0, 0);
        if (lock != nullptr) {
            read();
        }
        refreshValues();
    }
    refresh();
}

void LockDetailsPanel::showAbsent(const inspect::LockId& chosen, bool isHidden)
{
    if (!isHidden && m_lock != nullptr && m_lock->id == chosen) {
        m_isAbsent = true;
        refresh();
        return;
    }
    showLock({});
    const QString name = models::bytesText(chosen.name);
    showNothing(isHidden ? tr("%1 is hidden by the filter.").arg(name)
                         : tr("%1 is no longer held, as far as known.").arg(name));
}

void LockDetailsPanel::showNothing(const QString& why)
{
    m_nothing->setText(
        !why.isEmpty()
            ? why
            : tr("Select a lock to see its owner, its age, and what a release would do."));
}

void LockDetailsPanel::updateLock(const inspect::LockChange& change)
{
    if (m_lock == nullptr || change.lock->id != m_lock->id) {
        return;
    }
    m_lock = change.lock;
    m_end = isEnding(change.kind) ? std::optional(change.kind) : std::nullopt;
    if (!m_readPause->isActive()) {
        m_readPause->start();
    }
    refresh();
}

void LockDetailsPanel::setReadOnly(bool isReadOnly)
{
    m_isReadOnly = isReadOnly;
    refresh();
}

void LockDetailsPanel::setOnline(bool isOnline)
{
    if (m_isOnline != isOnline) {
        m_isOnline = isOnline;
        m_who->setOnline(isOnline);
        refresh();
    }
}

QString LockDetailsPanel::releaseCommand() const
{
    return m_details && m_details->release
               ? models::toQString(store::toText(m_details->release->command))
               : QString();
}

void LockDetailsPanel::read()
{
    if (m_lock != nullptr) {
        m_request = m_desk.inspectLock(m_lock->id);
    }
}

void LockDetailsPanel::takeDetails(quint64 request, const operations::LockDetails& details)
{
    if (request != m_request) {
        return; // about another lock, or overtaken
    }
    m_request = 0;
    m_details = details;
    refresh();
    refreshValues();
}

void LockDetailsPanel::refresh()
{
    m_stack->setCurrentIndex(m_lock == nullptr ? 0 : 1);
    if (m_lock == nullptr) {
        m_who->showLock({});
        return;
    }
    m_name->setFullText(nameOf(*m_lock));
    m_who->showLock(m_lock);
    refreshFacts();
    refreshHistory();
    refreshActions();
    refreshCommands();
}

void LockDetailsPanel::refreshHistory()
{
    const QStringList lines = m_history ? m_history(m_lock->id, kHistoryLines) : QStringList();
    m_historyText->setText(lines.isEmpty() ? tr("Not taken, handed over, released or expired.")
                                           : lines.join(u'\n'));
}

void LockDetailsPanel::refreshFacts()
{
    if (m_lock == nullptr) {
        return;
    }
    const FactContext context = m_context();
    const operations::LockDetails* details = m_details ? &*m_details : nullptr;
    m_summary->setText(summaryLine(*m_lock, details, context));
    m_verdict->showVerdict(report::verdictOf(*m_lock, context.now),
                           inspect::stateOf(*m_lock) != inspect::LockState::Unconfirmed);
    m_verdict->setVisible(!m_end);
    m_facts->showFacts(factsOf(*m_lock, details, context));
    refreshDiagnosis();
    if (m_end) {
        showRemark(wordsOf(*m_end) + u' ' + tr("Last known state:"));
    } else if (!m_details) {
        showRemark(tr("Reading…"));
    } else if (m_details->problem.kind != store::Problem::Kind::None) {
        showRemark(models::toQString(store::explain(m_details->problem)));
    } else if (m_details->lock == nullptr || m_isAbsent) {
        const QString unknown = unknownText(*m_details);
        showRemark(unknown.isEmpty() ? tr("The lock is gone. Last known state:")
                                     : unknown + u' ' + tr("Last known state:"));
    } else {
        showRemark({});
    }
}

/// Of the lock that is watched: its holds before are known, unlike to a single reading.
void LockDetailsPanel::refreshDiagnosis()
{
    const bool isHere = m_details && m_details->lock != nullptr && !m_end && !m_isAbsent;
    m_diagnosis->setVisible(isHere);
    if (isHere) {
        const bool isRead = !m_details->decodedLocks.empty();
        m_diagnosis->showDiagnosis(
            diagnosis::diagnose({.record = *m_lock,
                                 .decoded = isRead ? &m_details->decodedLocks.front() : nullptr,
                                 .servers = m_details->serverFacts,
                                 .now = m_context().now}),
            report::verdictOf(*m_lock, m_context().now).reason);
    }
}

void LockDetailsPanel::showRemark(const QString& remark)
{
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
}

void LockDetailsPanel::refreshActions()
{
    const auto* release = m_details && m_details->release ? &*m_details->release : nullptr;
    const bool isHere = !m_end && !m_isAbsent && m_details && m_details->lock != nullptr;
    QString obstacle;
    if (m_isReadOnly) {
        obstacle = tr("Read-only. To allow writes, choose Server → Allow writes.");
    } else if (!m_isOnline) {
        obstacle = tr("There is currently no connection.");
    } else if (isHere && (release == nullptr || !release->recipe.isSupported)) {
        obstacle = release == nullptr || release->recipe.warnings.empty()
                       ? tr("Locks of this format cannot be released safely.")
                       : models::toQString(release->recipe.warnings.front());
    }
    m_release->setEnabled(isHere && obstacle.isEmpty());
    m_release->setToolTip(obstacle);
    m_cap->setVisible(!m_details || m_details->capTtl.has_value());
    const bool canSend = !m_isReadOnly && m_isOnline;
    m_cap->setEnabled(isHere && canSend && m_details->capTtl.has_value());
    m_cap->setToolTip(canSend ? QString() : obstacle);
}

void LockDetailsPanel::refreshCommands()
{
    const bool hasPlan = m_details && m_details->release && m_details->release->recipe.isSupported;
    m_commands->setVisible(hasPlan);
    if (!hasPlan) {
        return;
    }
    const inspect::ReleasePlan& plan = *m_details->release;
    const QString caption =
        plan.holders.size() > 1
            ? tr("What a release of all %1 holders does")
                  .arg(models::countText(static_cast<std::int64_t>(plan.holders.size())))
            : tr("What a release does");
    m_commandCaption->setText(caption.toUpper());
    m_plan->setPlan(plan);
    m_sameAs->setCommand(models::toQString(report::releaseCommandLine(m_context().endpoints,
                                                                      plan)));
}

void LockDetailsPanel::refreshValues()
{
    m_explanation->explain(m_details ? &*m_details : nullptr, m_context().now);
    std::vector<RawValue> values;
    if (m_details) {
        values = rawValuesOf(*m_details, m_context());
    }
    if (values == m_shownValues) {
        return; // the user may just be selecting in it
    }
    m_shownValues = std::move(values);
    while (QLayoutItem* item = m_values->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const RawValue& value : m_shownValues) {
        addValue(value);
    }
}

void LockDetailsPanel::addValue(const RawValue& value)
{
    if (m_values->isEmpty()) {
        m_values->addWidget(createCaption(tr("Raw value"), this));
    }
    auto* heading = new ElidedLabel(Qt::ElideMiddle, this);
    heading->setFont(monospacedFont());
    heading->setForegroundRole(QPalette::PlaceholderText);
    heading->setFullText(value.heading);
    m_values->addWidget(heading);
    if (!value.text.isEmpty()) {
        auto* box = new CommandBox(this);
        box->setObjectName(u"rawValue"_s);
        box->setCommand(value.text);
        m_values->addWidget(box);
    }
    if (!value.remark.isEmpty()) {
        QLabel* remark = createQuietLabel(value.remark, this);
        remark->setObjectName(u"rawValueRemark"_s);
        remark->setWordWrap(true);
        m_values->addWidget(remark);
    }
}

void LockDetailsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refreshFacts();
    m_tick->start();
}

void LockDetailsPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_tick->stop();
}

} // namespace lockscope::widgets
