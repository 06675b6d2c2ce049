#pragma once

#include "app/cli/options/search_subject.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/async/task.h"
#include "core/kernel/report/cell_report.h"
#include "core/service/search_runner.h"

#include <functional>
#include <string>
#include <vector>

namespace lockscope::cli {

/// How the search of one protocol is reported.
struct SearchReporting {
    std::string mode; // in JSON
    std::uint64_t seed = 0;
    /// For people.
    std::function<std::string(const std::vector<report::CellReport>&)> text;
};

/// What is searched, or was.
struct SearchWork {
    std::vector<search::SearchTask> tasks;
    std::vector<pool::PartResult> known; // what all parts came to; empty: not known
};

/// Searches, saves the counterexample where it is wanted, and tells what came of it. Ends with the
/// exit code.
async::Task<int> searchSubject(Context context, SearchSubject subject, SearchWork work,
                               SearchReporting telling);

} // namespace lockscope::cli
