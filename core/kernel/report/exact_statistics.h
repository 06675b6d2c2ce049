#pragma once

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/trace/run_statistics.h"

#include <string_view>

namespace lockscope::report {

/// Statistics without any loss, as run files have them: every count, and the bars of the
/// histograms. statisticsJson() is what people and programs look at.
Json exactStatisticsJson(const trace::RunStatistics& statistics);

/// The member of that name. Throws a protocol::FileFault for whatever is not as it should be.
trace::RunStatistics readExactStatistics(const protocol::FileSection& file, std::string_view name);

} // namespace lockscope::report
