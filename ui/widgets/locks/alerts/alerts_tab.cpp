#include "ui/widgets/locks/alerts/alerts_tab.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/alert_report.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/notifier.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <array>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::AlertRule;

namespace {

constexpr Duration kSpanMost = std::chrono::hours(24 * 7);

} // namespace

AlertsTab::AlertsTab(Settings& settings, Alerts alerts, inspect::KnownTexts texts,
                     std::function<void()> changed, QWidget* parent)
    : QWidget(parent),
      m_settings(settings),
      m_alerts(std::move(alerts))
{
    setObjectName(u"alertsTab"_s);
    m_list = new OrderedList(tr("Alerts"), this);
    createFields(std::move(texts));
    QLabel* const note = createQuietLabel(
        tr("An alert fires when a lock has matched its filter for the given time without a break. "
           "It is also listed in the Activity."),
        this);
    note->setWordWrap(true);
    createColumn(this, {14, 14, 14, 14}, 8, {note, growing(m_list), m_fields});
    m_editor.emplace(ListEditor<AlertRule>::Parts{
        settings.alerts, *m_list, [this](const AlertRule& alert) { return lookOf(alert); },
        [this] { showCurrent(); }, std::move(changed)});
    connectFields();
    connectTexts();
    showCurrent();
}

void AlertsTab::createFields(inspect::KnownTexts texts)
{
    m_fields = new QWidget(this);
    auto* form = new QFormLayout(m_fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name = createField(u"alertName"_s);
    m_filter = new LockFilterEdit(m_fields);
    m_filter->setObjectName(u"alertFilter"_s);
    m_filter->setKnownTexts(std::move(texts));
    m_command = createField(u"alertCommand"_s);
    m_command->setFont(monospacedFont());
    m_command->setPlaceholderText(
        tr("a program and its arguments; the lock is in LOCKSCOPE_KEY, …"));
    m_webhook = createField(u"alertWebhook"_s);
    m_webhook->setFont(monospacedFont());
    m_webhook->setPlaceholderText(tr("https://… gets a POST with JSON"));
    m_mistake = createWrappedText(u"alertMistake"_s, m_fields);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Filter"), m_filter);
    form->addRow(tr("Matches for"), createTimes());
    form->addRow(tr("Tell by"), createChannels());
    form->addRow(tr("&Command"), m_command);
    form->addRow(tr("&Webhook"), m_webhook);
    form->addRow(QString(), m_mistake);
}

QLineEdit* AlertsTab::createField(const QString& name)
{
    auto* field = new QLineEdit(m_fields);
    field->setObjectName(name);
    return field;
}

QLayout* AlertsTab::createTimes()
{
    m_span = createField(u"alertSpan"_s);
    m_pause = createField(u"alertPause"_s);
    for (QLineEdit* field : {m_span, m_pause}) {
        field->setMaximumWidth(fontMetrics().averageCharWidth() * 12);
    }
    m_pause->setAccessibleName(tr("Least time between two alerts about the same lock"));
    return createRow(8, {m_span, new QLabel(tr("then again about the same lock after"), m_fields),
                         m_pause, room()});
}

QLayout* AlertsTab::createChannels()
{
    m_notifies = new QCheckBox(tr("No&tification"), m_fields);
    m_notifies->setObjectName(u"alertNotifies"_s);
    m_beeps = new QCheckBox(tr("S&ound"), m_fields);
    m_beeps->setObjectName(u"alertBeeps"_s);
    QLabel* const obstacle = createQuietLabel(m_alerts.notifier.obstacle(), m_fields);
    obstacle->setObjectName(u"alertObstacle"_s);
    m_snooze = new QPushButton(m_fields);
    m_snooze->setObjectName(u"alertSnooze"_s);
    m_snooze->setAutoDefault(false);
    return createRow(12, {m_notifies, m_beeps, growing(obstacle), m_snooze});
}

void AlertsTab::connectFields()
{
    connect(m_list, &OrderedList::addRequested, this, &AlertsTab::add);
    connect(m_filter, &QLineEdit::editingFinished, this, &AlertsTab::takeFilter);
    connect(m_span, &QLineEdit::editingFinished, this,
            [this] { takeSpan(*m_span, &AlertRule::span); });
    connect(m_pause, &QLineEdit::editingFinished, this,
            [this] { takeSpan(*m_pause, &AlertRule::pause); });
    connect(m_notifies, &QCheckBox::clicked, this, [this](bool isOn) {
        m_editor->change([isOn](AlertRule& alert) { alert.notifies = isOn; });
    });
    connect(m_beeps, &QCheckBox::clicked, this, [this](bool isOn) {
        m_editor->change([isOn](AlertRule& alert) { alert.beeps = isOn; });
    });
    connect(m_snooze, &QPushButton::clicked, this, &AlertsTab::toggleSnooze);
}

void AlertsTab::connectTexts()
{
    const auto onText = [this](const QLineEdit* field, QString AlertRule::*member) {
        connect(field, &QLineEdit::editingFinished, this, [this, field, member] {
            m_editor->change([field, member](AlertRule& alert) {
                alert.*member = field->text().trimmed();
            });
            showMistake();
        });
    };
    onText(m_name, &AlertRule::name);
    onText(m_command, &AlertRule::command);
    onText(m_webhook, &AlertRule::webhook);
    const std::array<const QLineEdit*, 5> judged{m_filter, m_span, m_pause, m_command, m_webhook};
    for (const QLineEdit* field : judged) {
        connect(field, &QLineEdit::textChanged, this, &AlertsTab::showMistake);
    }
}

void AlertsTab::add()
{
    AlertRule alert;
    alert.name = tr("Alert %1").arg(m_settings.alerts.size() + 1);
    m_editor->add(alert);
    m_filter->setFocus();
}

/// Escape empties the field. That is no wish to have an alert without a filter.
void AlertsTab::takeFilter()
{
    const QString text = m_filter->text().trimmed();
    if (text.isEmpty()) {
        showCurrent();
    } else {
        m_editor->change([&text](AlertRule& alert) { alert.filter = text; });
    }
}

/// A time that cannot be read is not taken; showMistake() says so.
void AlertsTab::takeSpan(const QLineEdit& field, Duration AlertRule::*member)
{
    const auto typed = models::typedSpan(field.text(), Duration(0), kSpanMost);
    if (const auto* span = std::get_if<Duration>(&typed)) {
        m_editor->change([span, member](AlertRule& alert) { alert.*member = *span; });
    }
}

void AlertsTab::toggleSnooze()
{
    if (const AlertRule* const alert = m_editor->current()) {
        const bool isSnoozed = m_alerts.snoozeLeft(alert->name) > Duration(0);
        m_alerts.snooze(alert->name, isSnoozed ? Duration(0) : kSnooze);
        showSnooze();
    }
}

OrderedList::Entry AlertsTab::lookOf(const AlertRule& alert) const
{
    const QString mistake = models::mistakeOf(alert);
    const QString what = mistake.isEmpty()
                             ? tr("%1 for %2").arg(alert.filter, models::durationText(alert.span))
                             : tr("not complete: %1").arg(mistake);
    return {alert.name + u" · "_s + what, alert.isEnabled, {}, alert.filter};
}

void AlertsTab::showCurrent()
{
    const AlertRule* const current = m_editor ? m_editor->current() : nullptr;
    m_fields->setEnabled(current != nullptr);
    const AlertRule alert = current == nullptr ? AlertRule() : *current;
    m_name->setText(alert.name);
    m_filter->apply(alert.filter);
    m_span->setText(models::spanWord(alert.span));
    m_pause->setText(models::spanWord(alert.pause));
    m_notifies->setChecked(alert.notifies);
    m_beeps->setChecked(alert.beeps);
    m_command->setText(alert.command);
    m_webhook->setText(alert.webhook);
    showMistake();
    showSnooze();
}

void AlertsTab::showMistake()
{
    if (!m_editor || m_editor->current() == nullptr) {
        showRemark(*m_mistake, {}, 0);
        return;
    }
    AlertRule typed = *m_editor->current();
    typed.filter = m_filter->text();
    typed.command = m_command->text();
    typed.webhook = m_webhook->text();
    QString mistake = models::mistakeOf(typed);
    for (const QLineEdit* field : {m_span, m_pause}) {
        const auto span = models::typedSpan(field->text(), Duration(0), kSpanMost);
        if (const auto* refusal = std::get_if<QString>(&span); refusal && mistake.isEmpty()) {
            mistake = *refusal;
        }
    }
    showRemark(*m_mistake, mistake, m_filter->text().isEmpty() ? 1 : 2);
}

void AlertsTab::showSnooze()
{
    const AlertRule* const alert = m_editor ? m_editor->current() : nullptr;
    const Duration left = alert == nullptr ? Duration(0) : m_alerts.snoozeLeft(alert->name);
    m_snooze->setText(left > Duration(0)
                          ? tr("End the snooze (%1 left)").arg(models::durationText(left))
                          : tr("Snooze for 1 hour"));
}

} // namespace lockscope::widgets
