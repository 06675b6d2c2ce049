#pragma once

#include "core/pool/search_pool.h"
#include "tests/support/manual_clock.h"
#include "tests/support/scripted_services.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/shell/settings.h"

namespace lockscope::test {

/// A Lab page that searches for real, on runs and answers that the test makes up.
struct LabRig {
    testing::ManualClock clock;
    pool::SearchPool searcher{clock};
    ScriptedLiveRunner runner;
    models::ProtocolListModel protocols;
    ScriptedPrompter prompter;
    widgets::Settings settings;
    widgets::LabPage page{{searcher, runner, protocols, prompter, settings}};
};

} // namespace lockscope::test
