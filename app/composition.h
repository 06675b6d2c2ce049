#pragma once

#include "app/arguments.h"
#include "app/keyring.h"
#include "app/window_pages.h"
#include "core/conduct/proof_conductor.h"
#include "core/pool/search_pool.h"
#include "core/wire/connection/redis_connection_tester.h"
#include "core/wire/format_folder.h"
#include "core/wire/loop_clock.h"
#include "core/wire/run/redis_live_runner.h"
#include "core/wire/system_alert_hooks.h"
#include "core/wire/watch/redis_lock_keeper.h"
#include "ui/widgets/controls/notifier.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/shell/settings.h"

#include <QApplication>
#include <QObject>

#include <memory>
#include <vector>

namespace lockscope::app {

class DemoWorld;

/// Builds the program and connects its parts: the one place that knows every concrete class.
/// Read this to see how the window hangs together with the wire.
class Composition final : public QObject {
    Q_OBJECT
public:
    Composition(QApplication& application, WindowArguments arguments);
    ~Composition() override;

    /// Shows the window and opens what the arguments name. The picture, if one is wanted, is taken
    /// later, and then the application quits.
    void start();
    /// Closes the window without a question, and quits.
    void end();

private:
    void loadSettings();
    void connectServices();
    void openServers();
    void startDemo();
    void takePicture();
    service::WatchOptions watchOptions() const;

    QApplication& m_application;
    WindowArguments m_arguments;
    widgets::SettingsFile m_settings;
    widgets::DialogPrompter m_prompter;
    wire::FormatFolder m_formats; // first: what the others show refers to its texts
    Keyring m_keyring;
    wire::SystemAlertHooks m_hooks;
    widgets::TrayNotifier m_notifier;
    wire::RedisConnectionTester m_tester;
    wire::RedisLiveRunner m_runner;
    wire::RedisLockKeeper m_keeper;
    wire::LoopClock m_clock;
    pool::SearchPool m_searcher{m_clock};
    wire::RedisLiveRunner m_labRunner;
    conduct::ProofConductor m_prover{m_clock};
    pool::SearchPool m_matrixSearcher{m_clock};
    pool::SearchPool m_remedySearcher{m_clock};
    models::CellCache m_cells{models::CellCache::defaultFolder()};
    std::unique_ptr<DemoWorld> m_demo;
    std::vector<store::Endpoint> m_demoServers;
    QString m_settingsNotice;
    std::unique_ptr<widgets::MainWindow> m_window;
    std::unique_ptr<WindowPages> m_pages;
};

} // namespace lockscope::app
