#pragma once

#include "core/kernel/report/run/run_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::exports {

/// What a run can be written as for other programs and for people.
enum class ExportFormat : std::uint8_t {
    Perfetto, // trace JSON
    ShiViz,   // log with vector clocks
    Csv,      // intervals
    Markdown, // story for a ticket
    FormatCount,
};

std::string_view idOf(ExportFormat format); // "perfetto"
std::optional<ExportFormat> exportFormatOf(std::string_view id);

/// What the name of such a file ends with: ".trace.json".
std::string_view suffixOf(ExportFormat format);

/// Everything in the format.
std::string exported(const report::RunFile& run, ExportFormat format);

} // namespace lockscope::exports
