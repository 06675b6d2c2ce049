#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lockscope::cli {

/// How the keys that were seen agree with one decision of the user (inspect::Treatment).
struct DecisionCheck {
    const inspect::Treatment* decision = nullptr; // in the table of formats
    std::size_t fittingCount = 0;                 // keys whose value fits it
    std::vector<inspect::LockPtr> misfits;

    std::size_t count() const { return fittingCount + misfits.size(); }
};

/// One check for each decision that names at least one of the rows, in the order of the decisions.
/// Keys that are no locks by decision have no rows.
std::vector<DecisionCheck> checkDecisions(const std::vector<inspect::LockPtr>& rows,
                                          const inspect::FormatTable& formats);

/// "2 of 3 keys do not fit token: lock:a (fits flag), lock:b (fits no format)". Empty if all fit.
std::string misfitsSentence(const DecisionCheck& check, const inspect::FormatTable& formats);

} // namespace lockscope::cli
