#include "ui/widgets/shell/main_window.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/notice_bar.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/help/help_window.h"
#include "ui/widgets/shell/actions.h"
#include "ui/widgets/shell/command_palette.h"
#include "ui/widgets/shell/environment_edge.h"
#include "ui/widgets/shell/help_pages.h"
#include "ui/widgets/shell/page_bar.h"
#include "ui/widgets/shell/page_switch.h"
#include "ui/widgets/shell/status_strip.h"
#include "ui/widgets/shell/top_strip.h"
#include "ui/widgets/shell/window_state.h"
#include "ui/widgets/style/icons.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Room for every column and for the details; on a smaller screen the window fills it.
constexpr QSize kUsualSize(1440, 900);
constexpr QSize kLeastSize(1280, 800);
/// What was chosen anywhere is in the file soon after, also when the program does not end well.
constexpr std::chrono::seconds kSaveInterval{1};
/// How long a window that closes because of a signal waits for its pages. A session that ends kills
/// its programs after some seconds.
constexpr std::chrono::seconds kFinishPatience{3};

} // namespace

MainWindow::MainWindow(Prompter& prompter, SettingsFile& settings, QWidget* parent)
    : QMainWindow(parent),
      m_prompter(prompter),
      m_settings(settings)
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Lockscope"));
    QApplication::setWindowIcon(applicationIcon()); // of dialogs and of the tray as well
    createHead();
    m_pages = new PageSwitch(*this, m_strip->pages());
    createStatus();
    createMenus();
    auto* keeper = new QTimer(this);
    connect(keeper, &QTimer::timeout, this, [this] {
        gatherState();
        saveSettings();
    });
    keeper->start(kSaveInterval);
}

MainWindow::~MainWindow()
{
    // The widgets refer to models, which are children as well, so they go first.
    Q_EMIT goingAway();
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::createHead()
{
    auto* head = new QWidget(this);
    m_edge = new EnvironmentEdge(head);
    m_edge->setObjectName(u"environmentEdge"_s);
    m_strip = new TopStrip(head);
    m_notice = new NoticeBar(head);
    m_bar = new QMenuBar(head);
    m_bar->setObjectName(u"menuBar"_s);
    createColumn(head, {}, 0, {m_edge, m_bar, m_strip, m_notice});
    setMenuWidget(head);
}

void MainWindow::createStatus()
{
    m_status = new StatusStrip(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_status, 1);
}

void MainWindow::createEditMenu()
{
    m_edit = m_bar->addMenu(tr("&Edit"));
    auto* const settings = createAction(this, u"actionSettings"_s, tr("&Settings…"),
                                        {Qt::CTRL | Qt::Key_Comma});
    m_edit->addAction(settings);
    connect(settings, &QAction::triggered, this, &MainWindow::openSettings);
}

void MainWindow::createMenus()
{
    createEditMenu();
    m_view = m_bar->addMenu(tr("&View"));
    m_afterPages = m_view->addSeparator();
    m_afterActions = m_view->addSeparator();
    m_resetLayout = createAction(this, u"actionResetLayout"_s, tr("&Reset layout"));
    m_view->addAction(m_resetLayout);
    m_view->addSeparator();
    createThemes(*m_view->addMenu(tr("&Theme")));
    QMenu* const help = m_bar->addMenu(tr("&Help"));
    auto* const contents = createAction(this, u"actionHelp"_s, tr("&Contents"), {Qt::Key_F1});
    auto* const shortcuts = createAction(this, u"actionShortcuts"_s, tr("&Keyboard shortcuts"),
                                         {Qt::Key_Question});
    auto* const about = createAction(this, u"actionAbout"_s, tr("&About Lockscope"));
    auto* const palette = createAction(this, u"actionPalette"_s, tr("&Find an action…"),
                                       {Qt::CTRL | Qt::Key_K});
    auto* const demo = createAction(this, u"actionDemo"_s, tr("Start the &demo"));
    help->addAction(contents);
    help->addAction(palette);
    help->addAction(shortcuts);
    help->addAction(demo);
    help->addSeparator();
    help->addAction(about);
    m_quit = createAction(this, u"actionQuit"_s, tr("&Quit"), {Qt::CTRL | Qt::Key_Q});
    addAction(m_quit); // works without a menu, too
    connect(m_quit, &QAction::triggered, this, &MainWindow::close);
    connect(demo, &QAction::triggered, this, &MainWindow::demoWanted);
    connect(palette, &QAction::triggered, this, [this] {
        auto* const dialog = new CommandPalette(*m_bar, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    connect(m_resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(contents, &QAction::triggered, this, &MainWindow::showHelp);
    connect(shortcuts, &QAction::triggered, this,
            [this] { showPageOfHelp(shortcutsPage(*m_bar)); });
    connect(about, &QAction::triggered, this, [this] { showPageOfHelp(aboutPage()); });
}

void MainWindow::createThemes(QMenu& menu)
{
    m_themes = new QActionGroup(this);
    const auto add = [this](const QString& name, const QString& text, ThemeChoice choice) {
        QAction* const action = createAction(this, name, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        m_themes->addAction(action);
    };
    add(u"actionThemeSystem"_s, tr("Follow the &system"), ThemeChoice::FollowSystem);
    add(u"actionThemeLight"_s, tr("&Light"), ThemeChoice::Light);
    add(u"actionThemeDark"_s, tr("&Dark"), ThemeChoice::Dark);
    menu.addActions(m_themes->actions());
    connect(m_themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        settings().theme = static_cast<ThemeChoice>(action->data().toInt());
        Q_EMIT themeChosen(settings().theme);
    });
}

void MainWindow::showThemes()
{
    for (QAction* action : m_themes->actions()) {
        action->setChecked(action->data().toInt() == static_cast<int>(settings().theme));
    }
}

void MainWindow::openSettings()
{
    QList<SettingsTab> tabs;
    for (const Page& page : m_added) {
        tabs += page.settingsTabs;
    }
    const QList<UsedPath> own{{tr("Settings"), m_settings.path()}};
    auto* const dialog = new SettingsDialog(settings(), tabs, own + m_paths, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, this, &MainWindow::applySettings);
    dialog->open();
}

void MainWindow::applySettings()
{
    const QAction* const shown = m_themes->checkedAction();
    if (shown == nullptr || shown->data().toInt() != static_cast<int>(settings().theme)) {
        showThemes();
        Q_EMIT themeChosen(settings().theme);
    }
    models::showTimesInUtc(settings().showsUtc);
    for (const Page& page : m_added) {
        if (page.applySettings) {
            page.applySettings(settings());
        }
    }
    saveSettings();
}

/// The one way from what is on the screen to what is remembered of it.
void MainWindow::gatherState()
{
    if (!m_hasBeenShown) {
        return;
    }
    settings().page = m_pages->current();
    keepGeometry(*this, settings());
    if (m_pages->isFirstShown()) { // the docks of the others come and go
        keepDocks(*this, settings());
    }
    for (const Page& page : m_added) {
        if (page.save) {
            page.save(settings());
        }
    }
}

void MainWindow::saveSettings()
{
    const bool isSaved = m_settings.saveChanges();
    if (!isSaved && !m_hasSaveFailed) {
        showNotice(tr("Could not save the settings in %1. Check the owner and permissions of the "
                      "file.")
                       .arg(m_settings.path()));
    }
    m_hasSaveFailed = !isSaved;
}

void MainWindow::addPage(const Page& page)
{
    m_view->insertAction(m_afterPages, m_pages->add(page));
    m_view->insertActions(m_afterActions, page.actions);
    for (QWidget* tool : page.tools) {
        m_strip->addTool(tool);
    }
    for (QMenu* menu : page.menus) {
        if (m_bar->actions().constFirst() == m_edit->menuAction()) { // the first menu has it
            menu->addSeparator();
            menu->addAction(m_quit);
        }
        m_bar->insertMenu(m_edit->menuAction(), menu);
    }
    for (const PageDock& dock : page.docks) {
        m_view->insertAction(m_resetLayout, findChild<QDockWidget*>(dock.name)->toggleViewAction());
    }
    m_added.append(page);
}

void MainWindow::restore()
{
    resize(kUsualSize.boundedTo(screen()->availableSize().expandedTo(kLeastSize)));
    m_pages->arrangeDocks();
    restoreWindowState(*this, settings());
    showThemes();
    models::showTimesInUtc(settings().showsUtc);
    for (const Page& page : m_added) {
        if (page.restore) {
            page.restore(settings());
        }
    }
    if (!m_added.isEmpty()) {
        m_added.constFirst().widget->setFocus();
    }
}

void MainWindow::resetLayout()
{
    m_pages->showFirst();
    m_pages->resetDocks();
    for (const Page& page : m_added) {
        if (page.resetLayout) {
            page.resetLayout();
        }
    }
}

QStringList MainWindow::pageNames() const
{
    return m_strip->pages().names();
}

bool MainWindow::showPage(const QString& name)
{
    return m_pages->show(name);
}

void MainWindow::showNotice(const QString& text)
{
    m_notice->showNotice(text);
}

void MainWindow::showPageOfHelp(const Question& page)
{
    m_prompter.ask(this, page, [](Answer) {});
}

/// About the page that is shown. The help stays open beside the window.
void MainWindow::showHelp()
{
    if (m_help == nullptr) {
        m_help = new HelpWindow(keysPage(*m_bar), this);
    }
    for (const Page& page : m_added) {
        if (page.widget->isVisible() && !page.help.isEmpty()) {
            m_help->showPage(page.help);
        }
    }
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    const bool mayClose = !m_mayAsk || std::ranges::all_of(m_added, [this](const Page& page) {
        return !page.mayClose || page.mayClose([this] { close(); });
    });
    if (!mayClose) {
        event->ignore();
        return;
    }
    const QString shown = m_pages->current();
    m_pages->showFirst(); // whose layout is the one to keep
    gatherState();
    settings().page = shown;
    m_settings.save();
    for (const Page& page : m_added) {
        if (page.closing) {
            page.closing();
        }
    }
    QMainWindow::closeEvent(event);
}

void MainWindow::closeUnasked(const std::function<void()>& closed)
{
    m_mayAsk = false;
    const auto end = [this, closed] {
        close();
        closed();
    };
    bool mayClose = true;
    for (const Page& page : m_added) {
        mayClose = (!page.mayCloseUnasked || page.mayCloseUnasked(end)) && mayClose;
    }
    if (mayClose) {
        end();
    } else {
        QTimer::singleShot(kFinishPatience, this, end);
    }
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ThemeChange && settings().theme == ThemeChoice::FollowSystem) {
        Q_EMIT themeChosen(ThemeChoice::FollowSystem);
    }
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    // Not sooner: docks that were never laid out have no size to come back to.
    if (!std::exchange(m_hasBeenShown, true)) {
        m_pages->show(settings().page);
    }
    Q_EMIT visibilityChanged(true);
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    Q_EMIT visibilityChanged(false);
}

} // namespace lockscope::widgets
