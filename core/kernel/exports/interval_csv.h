#pragma once

#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_labels.h"

#include <string>

namespace lockscope::exports {

/// A row per stretch of time, as RFC 4180 has it: contender, lock, kind, mode, from_us, to_us,
/// duration_us, end, with. Waits and holds, pauses and crashes as the contenders see them come
/// first, then the server holds of the servers, without a contender where they do not say who, and
/// the overlaps; `with` is who came in addition. Times are microseconds since the origin of the
/// labels.
std::string intervalCsv(const trace::Chronicle& chronicle, const trace::RunLabels& labels);

} // namespace lockscope::exports
