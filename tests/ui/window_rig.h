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

namespace lockscope::test {

/// A main window with everything around it scripted.
struct WindowRig {
    explicit WindowRig(const QString& settingsPath) : settings(settingsPath)
    {
        settings.load();
        window = std::make_unique<widgets::MainWindow>(prompter, settings);
        pages = std::make_unique<app::WindowPages>(
            app::addPages(*window, {monitor,
                                    desk,
                                    tester,
                                    runner,
                                    keeper,
                                    formats,
                                    secrets,
                                    hooks,
                                    notifier,
                                    searcher,
                                    labRunner,
                                    matrixSearcher,
                                    remedySearcher,
                                    cells,
                                    prompter,
                                    settings,
                                    [] { return wallTimeOfMs(1'795'185'067'000); },
                                    {},
                                    true}));
        window->show();
    }

    ScriptedLockMonitor monitor;
    ScriptedReleaseDesk desk;
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
    pool::SearchPool matrixSearcher{clock};
    pool::SearchPool remedySearcher{clock};
    QTemporaryDir cellFolder;
    models::CellCache cells{cellFolder.path()};
    ScriptedPrompter prompter;
    widgets::SettingsFile settings;
    std::unique_ptr<widgets::MainWindow> window;
    std::unique_ptr<app::WindowPages> pages;
};

} // namespace lockscope::test
