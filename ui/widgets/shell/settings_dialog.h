#pragma once

#include "ui/widgets/shell/setting_list.h"

#include <QDialog>

#include <functional>

class QFormLayout;

namespace lockscope::widgets {

/// A file or a folder that the program uses.
struct UsedPath {
    QString label;
    QString path;
};

/// A tab of the settings that a page brings. `create` makes its widget, which changes the settings
/// itself and calls `changed` each time.
struct SettingsTab {
    QString title;
    std::function<QWidget*(QWidget* parent, std::function<void()> changed)> create;
};

/// What the user can choose. There is no OK: every choice holds at once.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    /// `settings` outlives the dialog.
    SettingsDialog(Settings& settings, const QList<SettingsTab>& tabs, const QList<UsedPath>& paths,
                   QWidget* parent = nullptr);

Q_SIGNALS:
    /// The settings are others now.
    void changed();

private:
    QWidget* createGeneral();
    QWidget* createPaths(const QList<UsedPath>& paths);
    QWidget* createControl(const SettingInfo& info);
    QWidget* createChoice(const SettingInfo& info);
    QWidget* createSwitch(const SettingInfo& info);
    QWidget* createWords(const SettingInfo& info);
    void write(const SettingInfo& info, const QVariant& value);

    Settings& m_settings;
};

} // namespace lockscope::widgets
