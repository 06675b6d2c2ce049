#pragma once

#include "core/kernel/lint/lint.h"
#include "core/kernel/report/lock_json.h"

namespace lockscope::lint {

/// What `lint --format json` prints. `cells` are those that the lint was made from.
report::Json lintJson(const protocol::ProtocolInfo& info, const Lint& lint,
                      std::span<const report::CellReport> cells);

} // namespace lockscope::lint
