#pragma once

#include "core/service/audit_reader.h"
#include "core/service/live_runner.h"
#include "core/service/proof_runner.h"
#include "core/service/search_runner.h"
#include "core/service/watch_services.h"
#include "ui/models/locks/cell_cache.h"
#include "ui/widgets/locks/locks_controller.h"
#include "ui/widgets/shell/main_window.h"

namespace lockscope::widgets {
class LabPage;
} // namespace lockscope::widgets

namespace lockscope::app {

/// What the pages of the window work with. All of it outlives the window.
struct WindowServices {
    service::WatchServicesFactory createWatch;
    service::ConnectionTester& tester;
    service::LiveRunner& runner;
    service::LockKeeper& keeper;
    service::FormatStore& formats;
    service::SecretStore& secrets;
    service::AlertHooks& hooks;
    widgets::Notifier& notifier;
    service::SearchRunner& searcher;
    service::LiveRunner& labRunner; // besides the one of the Contend page
    service::ProofRunner& prover;
    service::SearchRunner& matrixSearcher;
    service::SearchRunner& remedySearcher; // of the advice beside the matrix
    models::CellCache& cells;              // of the matrix
    widgets::Prompter& prompter;
    widgets::SettingsFile& settings;
    std::function<WallTime()> wallNow;
    service::WatchOptions watchOptions;
    bool mayWrite = true; // to the watched servers
    service::AuditReader readAudit{};
};

/// The pages that are spoken to from outside the window; it owns them.
struct WindowPages {
    widgets::LocksController& locks;
    widgets::LabPage& lab;
};

/// Makes the pages, hands them to the window in the order of their buttons, and connects them.
WindowPages addPages(widgets::MainWindow& window, const WindowServices& services);

} // namespace lockscope::app
