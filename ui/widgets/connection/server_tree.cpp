#include "ui/widgets/connection/server_tree.h"

#include "core/files/whole_file.h"
#include "ui/models/user_files.h"
#include "ui/widgets/connection/profile_file.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/shell/actions.h"

#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kIndexRole = Qt::UserRole;         // in the list; absent: a group
constexpr int kIsProfileRole = Qt::UserRole + 1; // else a recent one
constexpr std::size_t kFileMax = files::kMegabyte;

} // namespace

ServerTree::ServerTree(Settings& settings, Prompter& prompter, QWidget* parent)
    : QTreeWidget(parent),
      m_settings(settings),
      m_prompter(prompter)
{
    setObjectName(u"serverTree"_s);
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideRight);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setRootIsDecorated(false);
    setExpandsOnDoubleClick(false);
    setEditTriggers(QAbstractItemView::EditKeyPressed);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setAccessibleName(tr("Profiles and recent servers"));
    createMenu();
    createPlaceholder();
    connectSignals();
    refresh();
}

void ServerTree::createPlaceholder()
{
    m_nothing = createWrappedText(u"serverTreeEmpty"_s, viewport());
    m_nothing->setText(tr("Servers you connect to and profiles you save are listed here."));
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    m_nothing->setAttribute(Qt::WA_TransparentForMouseEvents);
    createColumn(viewport(), {16, 16, 16, 16}, 0, {m_nothing})->addStretch();
}

void ServerTree::connectSignals()
{
    connect(this, &QTreeWidget::itemSelectionChanged, this, [this] {
        refreshMenu();
        if (const auto server = chosen()) {
            Q_EMIT serverChosen(*server);
        }
    });
    connect(this, &QTreeWidget::itemDoubleClicked, this, [this](const QTreeWidgetItem* item) {
        if (serverOf(item) != nullptr) {
            Q_EMIT serverActivated();
        }
    });
    connect(this, &QTreeWidget::itemChanged, this, &ServerTree::rename);
    connect(this, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& place) { m_menu->popup(viewport()->mapToGlobal(place)); });
}

void ServerTree::createMenu()
{
    m_menu = new QMenu(this);
    m_rename = createAction(this, u"actionRenameServer"_s, tr("&Rename"));
    m_remove = createAction(this, u"actionRemoveServer"_s, tr("Re&move"), {Qt::Key_Delete});
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    auto* const import = createAction(this, u"actionImportProfiles"_s, tr("&Import profiles…"));
    m_export = createAction(this, u"actionExportProfiles"_s, tr("&Export profiles…"));
    m_menu->addActions({m_rename, m_remove});
    m_menu->addSeparator();
    m_menu->addActions({import, m_export});
    addAction(m_remove);
    connect(m_rename, &QAction::triggered, this, [this] { editItem(currentItem()); });
    connect(m_remove, &QAction::triggered, this, &ServerTree::removeChosen);
    connect(import, &QAction::triggered, this, &ServerTree::importProfiles);
    connect(m_export, &QAction::triggered, this, &ServerTree::exportProfiles);
}

void ServerTree::refresh()
{
    const QSignalBlocker blocker(this);
    clear();
    QTreeWidgetItem* group = nullptr;
    for (int i = 0; i < m_settings.profiles.size(); ++i) {
        const ServerProfile& profile = m_settings.profiles[i];
        const QString title = profile.folder.isEmpty() ? tr("Profiles") : profile.folder;
        if (group == nullptr || group->text(0) != title) {
            group = addGroup(title);
        }
        addServer(group, profile, true, i);
    }
    if (!m_settings.recentServers.isEmpty()) {
        group = addGroup(tr("Recent"));
    }
    for (int i = 0; i < m_settings.recentServers.size(); ++i) {
        addServer(group, m_settings.recentServers[i], false, i);
    }
    expandAll();
    // Current but not selected: a tree that gets the focus would make its first row current, and
    // that is no reason to replace what was typed.
    if (group != nullptr) {
        setCurrentItem(topLevelItem(0)->child(0), 0, QItemSelectionModel::NoUpdate);
    }
    m_nothing->setVisible(group == nullptr);
    refreshMenu();
}

QTreeWidgetItem* ServerTree::addGroup(const QString& title)
{
    auto* const item = new QTreeWidgetItem(this, {title});
    item->setFlags(Qt::ItemIsEnabled);
    item->setForeground(0, palette().placeholderText());
    QFont font = this->font();
    font.setBold(true);
    item->setFont(0, font);
    item->setSizeHint(0, {0, fontMetrics().height() + 14});
    return item;
}

void ServerTree::addServer(QTreeWidgetItem* parent, const ServerProfile& server, bool isProfile,
                           int index)
{
    auto* const item = new QTreeWidgetItem(parent, {titleOf(server)});
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
    item->setData(0, kIndexRole, index);
    item->setData(0, kIsProfileRole, isProfile);
    item->setToolTip(0, urlsOf(server));
    item->setSizeHint(0, {0, fontMetrics().height() + 10});
}

ServerProfile* ServerTree::serverOf(const QTreeWidgetItem* item) const
{
    const QVariant index = item->data(0, kIndexRole);
    if (!index.isValid()) {
        return nullptr;
    }
    const bool isProfile = item->data(0, kIsProfileRole).toBool();
    return &(isProfile ? m_settings.profiles : m_settings.recentServers)[index.toInt()];
}

std::optional<ServerProfile> ServerTree::chosen() const
{
    const QList<QTreeWidgetItem*> selected = selectedItems();
    const ServerProfile* const server = selected.isEmpty() ? nullptr : serverOf(selected.front());
    return server != nullptr ? std::optional(*server) : std::nullopt;
}

void ServerTree::rename(QTreeWidgetItem* item)
{
    ServerProfile* const server = serverOf(item);
    const QString name = item->text(0).trimmed();
    if (server == nullptr || name == titleOf(*server)) {
        return;
    }
    if (item->data(0, kIsProfileRole).toBool()) {
        ServerProfile renamed = *server;
        m_settings.profiles.removeAt(server - m_settings.profiles.constData());
        renamed.name = name.isEmpty() ? renamed.name : name;
        saveProfile(m_settings, renamed);
    } else {
        server->name = name;
    }
    // The view is still at work with the item that it edited.
    QMetaObject::invokeMethod(this, &ServerTree::refresh, Qt::QueuedConnection);
}

void ServerTree::removeChosen()
{
    const QList<QTreeWidgetItem*> selected = selectedItems();
    const ServerProfile* const server = selected.isEmpty() ? nullptr : serverOf(selected.front());
    if (server == nullptr) {
        return;
    }
    const bool isProfile = selected.front()->data(0, kIsProfileRole).toBool();
    QList<ServerProfile>& list = isProfile ? m_settings.profiles : m_settings.recentServers;
    const ServerProfile removed = list.takeAt(server - list.constData());
    Q_EMIT serverRemoved(removed);
    refresh();
}

void ServerTree::importProfiles()
{
    m_prompter.chooseFile(this, {tr("Import profiles"), tr("Profiles (*.json)")},
                          [this](const QString& path) { takeFile(path); });
}

void ServerTree::takeFile(const QString& path)
{
    const models::ReadFile file = models::readFile(path, kFileMax);
    if (!file.isRead()) {
        m_prompter.tell(this, tr("Import profiles"),
                        tr("Could not read %1: %2").arg(path, file.problem));
        return;
    }
    const ReadProfiles read = profilesFromJson(file.content);
    if (!read.problem.isEmpty()) {
        m_prompter.tell(this, tr("Import profiles"),
                        tr("Could not import %1: %2.").arg(path, read.problem));
        return;
    }
    for (const ServerProfile& profile : read.profiles) {
        saveProfile(m_settings, profile);
    }
    refresh();
}

void ServerTree::exportProfiles()
{
    m_prompter.chooseSaveFile(
        this, {tr("Export profiles"), tr("Profiles (*.json)"), u"lockscope-profiles.json"_s},
        [this](const QString& path) {
            const QString problem = models::writeFile(path, profilesToJson(m_settings.profiles));
            if (!problem.isEmpty()) {
                m_prompter.tell(this, tr("Export profiles"), problem);
            }
        });
}

void ServerTree::refreshMenu()
{
    const bool isChosen = chosen().has_value();
    m_rename->setEnabled(isChosen);
    m_remove->setEnabled(isChosen);
    m_export->setEnabled(!m_settings.profiles.isEmpty());
}

} // namespace lockscope::widgets
