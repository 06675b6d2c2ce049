#pragma once

#include "app/option_set.h"
#include "core/kernel/inspect/filter/lock_filter.h"

#include <string>
#include <vector>

namespace lockscope::cli {

/// What a sweep or a watch looks at and lets through.
struct Selection {
    inspect::LockFilter filter;
    bool isDeep = false;
    std::vector<std::string> patterns;
    bool hasProbablyData = false; // also rows that are probably no locks

    /// It is not probably data, or that was asked for.
    bool isAboutLock(const inspect::LockRecord& record) const;
};

/// --filter, --deep, --pattern and --probably-data.
void declareSelection(app::OptionSet& options, Selection& selection);

} // namespace lockscope::cli
