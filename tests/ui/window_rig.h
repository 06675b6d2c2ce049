#pragma once

#include "app/window_pages.h"
#include "core/pool/search_pool.h"
#include "tests/support/manual_clock.h"
#include "tests/support/scripted_services.h"
#include "tests/support/widgets/scripted_notifier.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/locks/cell_cache.h"

#include <QTemporaryDir>

#include <memory>
#include <utility>
#include <vector>

namespace lockscope::test {

/// A main window with everything around it scripted, but for the watch where another is given.
struct WindowRig {
    explicit WindowRig(const QString& settingsPath,
                       const service::WatchServicesFactory& createRealWatch = {})
        : settings(settingsPath)
    {
        const service::WatchServicesFactory scripted = [this] { return createWatch(); };
        settings.load();
        window = std::make_unique<widgets::MainWindow>(prompter, settings);
        pages = std::make_unique<app::WindowPages>(
            app::addPages(*window, {createRealWatch ? createRealWatch : scripted,
                                    tester,
                                    runner,
                                    keeper,
                                    formats,
                                    secrets,
                                    hooks,
                                    notifier,
                                    searcher,
                                    labRunner,
                                    prover,
                                    matrixSearcher,
                                    remedySearcher,
                                    cells,
                                    prompter,
                                    settings,
                                    [] { return wallTimeOfMs(1'795'185'067'000); },
                                    {},
                                    true,
                                    [this] { return audit; }}));
        window->show();
    }

    /// What watches a server, and whom it asks for releases. They go with their tab.
    struct Watch {
        ScriptedLockMonitor* monitor = nullptr;
        ScriptedReleaseDesk* desk = nullptr;
    };
    std::vector<Watch> watches; // one for each tab, in the order of opening

private:
    std::unique_ptr<ScriptedLockMonitor> m_firstMonitor = std::make_unique<ScriptedLockMonitor>();
    std::unique_ptr<ScriptedReleaseDesk> m_firstDesk = std::make_unique<ScriptedReleaseDesk>();

    service::WatchServices createWatch()
    {
        service::WatchServices made{std::move(m_firstMonitor), std::move(m_firstDesk)};
        if (!made.monitor) {
            made = {std::make_unique<ScriptedLockMonitor>(),
                    std::make_unique<ScriptedReleaseDesk>()};
        }
        watches.push_back({static_cast<ScriptedLockMonitor*>(made.monitor.get()),
                           static_cast<ScriptedReleaseDesk*>(made.desk.get())});
        return made;
    }

public:
    // Those of the first tab.
    ScriptedLockMonitor& monitor = *m_firstMonitor;
    ScriptedReleaseDesk& desk = *m_firstDesk;
    ScriptedConnectionTester tester;
    ScriptedLiveRunner runner;
    ScriptedLockKeeper keeper;
    ScriptedFormatStore formats;
    ScriptedSecretStore secrets;
    ScriptedAlertHooks hooks;
    ScriptedNotifier notifier;
    testing::ManualClock clock;
    pool::SearchPool searcher{clock};
    ScriptedLiveRunner labRunner;
    ScriptedProofRunner prover;
    pool::SearchPool matrixSearcher{clock};
    pool::SearchPool remedySearcher{clock};
    QTemporaryDir cellFolder;
    models::CellCache cells{cellFolder.path()};
    service::AuditReading audit;
    ScriptedPrompter prompter;
    widgets::SettingsFile settings;
    std::unique_ptr<widgets::MainWindow> window;
    std::unique_ptr<app::WindowPages> pages;
};

} // namespace lockscope::test
