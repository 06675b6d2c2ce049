#pragma once

#include "async/task.h"
#include "cli/server_link.h"
#include "inspect/examination.h"

#include <vector>

namespace lockscope::cli {

/// One name, read closely on every server of a call.
struct LockStudy {
    store::Problem problem;                         // kind None: every server was read
    std::vector<inspect::Examination> examinations; // one per server

    /// At least one key is there, whatever it is.
    bool exists() const;
};

/// ToRelease: see inspect::examineToRelease().
enum class Closeness : std::uint8_t { Look, ToRelease };

/// Reads `name` on every server. Who names a key says that it is a lock: its name need not sound
/// like one. The output is told about a problem.
async::Task<LockStudy> studyLock(Context context, ServerLinks& links, Bytes name,
                                 Closeness closeness = Closeness::Look);

} // namespace lockscope::cli
