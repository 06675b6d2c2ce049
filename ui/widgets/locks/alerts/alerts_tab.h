#pragma once

#include "core/kernel/inspect/filter/filter_completion.h"
#include "ui/models/locks/alert_rule.h"
#include "ui/widgets/controls/list_editor.h"
#include "ui/widgets/shell/settings.h"

#include <QWidget>

#include <functional>
#include <optional>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockscope::widgets {

class LockFilterEdit;
class Notifier;

/// The tab of the settings in which alerts are written, and snoozed. Every change is in the
/// settings at once; what cannot be read is kept, and said to be wrong.
class AlertsTab : public QWidget {
    Q_OBJECT
public:
    static constexpr Duration kSnooze = std::chrono::hours(1);

    /// The alerts as they run, on every watched server.
    struct Alerts {
        const Notifier& notifier;
        std::function<void(const QString& alert, Duration span)> snooze; // zero ends it
        std::function<Duration(const QString& alert)> snoozeLeft;
    };

    /// `settings` and what is in `alerts` outlive the tab; `changed` is called after each change of
    /// the former.
    AlertsTab(Settings& settings, Alerts alerts, inspect::KnownTexts texts,
              std::function<void()> changed, QWidget* parent = nullptr);

private:
    void createFields(inspect::KnownTexts texts);
    QLineEdit* createField(const QString& name);
    QLayout* createTimes();
    QLayout* createChannels();
    void connectFields();
    void connectTexts();

    void add();
    void takeFilter();
    void takeSpan(const QLineEdit& field, Duration models::AlertRule::*member);
    void toggleSnooze();

    OrderedList::Entry lookOf(const models::AlertRule& alert) const;
    void showCurrent();
    void showMistake();
    void showSnooze();

    Settings& m_settings;
    Alerts m_alerts;
    OrderedList* m_list = nullptr;
    std::optional<ListEditor<models::AlertRule>> m_editor;
    QWidget* m_fields = nullptr;
    QLineEdit* m_name = nullptr;
    LockFilterEdit* m_filter = nullptr;
    QLineEdit* m_span = nullptr;
    QLineEdit* m_pause = nullptr;
    QCheckBox* m_notifies = nullptr;
    QCheckBox* m_beeps = nullptr;
    QLineEdit* m_command = nullptr;
    QLineEdit* m_webhook = nullptr;
    QLabel* m_mistake = nullptr;
    QPushButton* m_snooze = nullptr;
};

} // namespace lockscope::widgets
