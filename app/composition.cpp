#include "app/composition.h"

#include "app/demo/demo_world.h"
#include "core/kernel/base/printable.h"
#include "core/wire/audit_file.h"
#include "core/wire/audit_reading.h"
#include "core/wire/process_author.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/watch/redis_release_desk.h"
#include "ui/models/user_files.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/style/theme.h"

#include <QAbstractItemView>
#include <QBuffer>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QTimer>

#include <chrono>
#include <cstdio>
#include <utility>

namespace lockscope::app {

namespace {

widgets::ThemeChoice themeOf(Theme theme, widgets::ThemeChoice remembered)
{
    switch (theme) {
    case Theme::Light: return widgets::ThemeChoice::Light;
    case Theme::Dark: return widgets::ThemeChoice::Dark;
    case Theme::FollowSystem: break;
    }
    return remembered;
}

Q_LOGGING_CATEGORY(startup, "lockscope.startup", QtWarningMsg)

/// Says on the logging category lockscope.startup when the table was painted with rows for the
/// first time. That is what the start-up benchmark waits for.
class FirstPaint final : public QObject {
public:
    explicit FirstPaint(QAbstractItemView& table, QObject* parent = nullptr)
        : QObject(parent),
          m_table(table)
    {
        if (startup().isDebugEnabled()) {
            m_table.viewport()->installEventFilter(this);
        }
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && m_table.model()->rowCount() > 0) {
            watched->removeEventFilter(this);
            // Queued behind the paint event that has only begun.
            QMetaObject::invokeMethod(
                this, [] { qCDebug(startup, "first table painted"); }, Qt::QueuedConnection);
        }
        return false;
    }

private:
    QAbstractItemView& m_table;
};

/// The desks of several servers share the audit file.
service::WatchServices createWatch()
{
    return {std::make_unique<wire::RedisMonitor>(),
            std::make_unique<wire::RedisReleaseDesk>(
                std::make_unique<wire::AuditFile>(wire::AuditFile::defaultPath()),
                wire::authorOfProcess("lockscope " LOCKSCOPE_VERSION))};
}

} // namespace

Composition::Composition(QApplication& application, WindowArguments arguments)
    : m_application(application),
      m_arguments(std::move(arguments)),
      m_settings(widgets::SettingsFile::defaultPath())
{
    loadSettings();
    m_formats.start();
    const auto wallNow = [this] { return m_clock.wallNow(); };
    m_window = std::make_unique<widgets::MainWindow>(m_prompter, m_settings);
    m_pages = std::make_unique<WindowPages>(
        addPages(*m_window, {&createWatch,
                             m_tester,
                             m_runner,
                             m_keeper,
                             m_formats,
                             m_keyring,
                             m_hooks,
                             m_notifier,
                             m_searcher,
                             m_labRunner,
                             m_prover,
                             m_matrixSearcher,
                             m_remedySearcher,
                             m_cells,
                             m_prompter,
                             m_settings,
                             wallNow,
                             watchOptions(),
                             !m_arguments.isReadOnly,
                             [] { return wire::readAudit(wire::AuditFile::defaultPath()); }}));
    m_window->setPaths({{tr("Audit of releases"), wire::AuditFile::defaultPath()},
                        {tr("Own formats"), m_formats.folder()}});
    connectServices();
    if (auto* const table = m_window->findChild<QAbstractItemView*>(QStringLiteral("lockTable"))) {
        new FirstPaint(*table, this);
    }
}

Composition::~Composition() = default;

void Composition::loadSettings()
{
    m_settingsNotice = m_settings.load();
    if (m_settings.isDamaged()) {
        m_settings.save(); // sets the damaged file aside
    }
    widgets::applyTheme(m_application, themeOf(m_arguments.theme, m_settings.values().theme));
}

void Composition::connectServices()
{
    const auto tellReaders = [this] {
        m_runner.setFormats(m_formats.formats());
        m_labRunner.setFormats(m_formats.formats());
    };
    connect(&m_formats, &service::FormatStore::changed, this, tellReaders);
    tellReaders();
    connect(m_window.get(), &widgets::MainWindow::demoWanted, this, [this] {
        m_window->showPage(QStringLiteral("locks"));
        startDemo();
    });
    connect(&m_pages->locks, &widgets::LocksController::demoWanted, this, &Composition::startDemo);
    connect(m_window.get(), &widgets::MainWindow::themeChosen, this,
            [this](widgets::ThemeChoice choice) { widgets::applyTheme(m_application, choice); });
}

service::WatchOptions Composition::watchOptions() const
{
    return {m_arguments.isDeep, m_arguments.patterns, m_formats.formats()};
}

void Composition::start()
{
    if (m_arguments.size.width > 0) {
        m_window->resize(m_arguments.size.width, m_arguments.size.height);
    }
    m_window->show();
    if (!m_settingsNotice.isEmpty()) {
        m_window->showNotice(m_settingsNotice);
    }
    const bool opensServers = m_arguments.isDemo || !m_arguments.servers.endpoints.empty();
    if (m_arguments.page.empty() && opensServers) {
        m_window->showPage(QStringLiteral("locks")); // not the page of the last time
    } else if (!m_arguments.page.empty()
               && !m_window->showPage(QString::fromStdString(m_arguments.page))) {
        m_window->showNotice(tr("There is no page called “%1”. There is: %2.")
                                 .arg(QString::fromStdString(m_arguments.page),
                                      m_window->pageNames().join(QStringLiteral(", "))));
    }
    for (const std::string& file : m_arguments.files) {
        m_window->showPage(QStringLiteral("lab"));
        m_pages->lab.openFile(QFile::decodeName(file.c_str()));
    }
    openServers();
    if (!m_arguments.screenshotFile.empty()) {
        const auto delay =
            std::chrono::ceil<std::chrono::milliseconds>(m_arguments.screenshotDelay);
        QTimer::singleShot(delay, this, &Composition::takePicture);
    }
}

void Composition::end()
{
    m_window->closeUnasked([] { QApplication::exit(0); });
}

void Composition::openServers()
{
    if (m_arguments.isDemo) {
        startDemo();
        return;
    }
    std::vector<store::Endpoint> endpoints = m_arguments.servers.endpoints;
    if (endpoints.empty()) {
        return; // the window itself says what can be done
    }
    for (store::Endpoint& endpoint : endpoints) {
        endpoint.environment = m_arguments.environment;
    }
    widgets::recallEnvironment(endpoints, m_settings.values());
    m_pages->locks.openServers(endpoints);
}

/// One that runs already is started anew: its servers and their locks are gone.
void Composition::startDemo()
{
    m_demo = std::make_unique<DemoWorld>();
    m_pages->locks.closeServers(std::exchange(m_demoServers, {}));
    // A server that lives as long as this program is not worth remembering.
    connect(m_demo.get(), &DemoWorld::ready, this, [this](const store::Endpoint& endpoint) {
        m_demoServers = {endpoint};
        m_pages->locks.watch(m_demoServers);
    });
    connect(m_demo.get(), &DemoWorld::failed, m_window.get(), &widgets::MainWindow::showNotice);
    m_demo->start();
}

void Composition::takePicture()
{
    const QString file = QString::fromStdString(m_arguments.screenshotFile);
    const QByteArray format = QFileInfo(file).suffix().toLatin1();
    QByteArray picture;
    QBuffer buffer(&picture);
    buffer.open(QIODevice::WriteOnly);
    const bool isPicture = m_window->grab().save(&buffer, format.constData());
    const QString problem = isPicture ? models::writeFile(file, picture)
                                      : file + QStringLiteral(": its name has to end in .png");
    if (problem.isEmpty()) {
        QApplication::quit();
        return;
    }
    std::fprintf(stderr, "lockscope: could not save the image to %s\n",
                 printable(problem.toStdString()).c_str());
    QApplication::exit(1);
}

} // namespace lockscope::app
