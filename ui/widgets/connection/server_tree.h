#pragma once

#include "ui/widgets/shell/settings.h"

#include <QTreeWidget>

#include <optional>

class QLabel;
class QMenu;

namespace lockscope::widgets {

class Prompter;

/// The profiles of the user in their folders, and the servers that were opened lately. Either can
/// be renamed (F2) and removed (Delete) where it stands; profiles are imported and exported.
class ServerTree : public QTreeWidget {
    Q_OBJECT
public:
    /// Both outlive the tree, which changes the settings.
    ServerTree(Settings& settings, Prompter& prompter, QWidget* parent = nullptr);

    /// From the settings, anew.
    void refresh();

    /// What is selected; nullopt: nothing, or a folder.
    std::optional<ServerProfile> chosen() const;

    /// All that can be done here; belongs to the tree.
    QMenu* menu() const { return m_menu; }

Q_SIGNALS:
    /// The user selected another server.
    void serverChosen(const lockscope::widgets::ServerProfile& server);
    /// And wants it opened.
    void serverActivated();
    void serverRemoved(const lockscope::widgets::ServerProfile& server);

private:
    void createMenu();
    void createPlaceholder();
    void connectSignals();
    QTreeWidgetItem* addGroup(const QString& title);
    void addServer(QTreeWidgetItem* parent, const ServerProfile& server, bool isProfile, int index);
    ServerProfile* serverOf(const QTreeWidgetItem* item) const;

    void rename(QTreeWidgetItem* item);
    void removeChosen();
    void importProfiles();
    void takeFile(const QString& path);
    void exportProfiles();
    void refreshMenu();

    Settings& m_settings;
    Prompter& m_prompter;
    QMenu* m_menu = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_export = nullptr;
    QLabel* m_nothing = nullptr; // what will stand here
};

} // namespace lockscope::widgets
