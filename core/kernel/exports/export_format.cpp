#include "core/kernel/exports/export_format.h"

#include "core/kernel/exports/interval_csv.h"
#include "core/kernel/exports/perfetto_trace.h"
#include "core/kernel/exports/shiviz_log.h"
#include "core/kernel/exports/ticket_story.h"

namespace lockscope::exports {

std::string_view idOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Perfetto: return "perfetto";
    case ExportFormat::ShiViz: return "shiviz";
    case ExportFormat::Csv: return "csv";
    case ExportFormat::Markdown: return "markdown";
    case ExportFormat::FormatCount: break;
    }
    return {};
}

std::optional<ExportFormat> exportFormatOf(std::string_view id)
{
    for (int i = 0; i < static_cast<int>(ExportFormat::FormatCount); ++i) {
        const auto format = static_cast<ExportFormat>(i);
        if (idOf(format) == id) {
            return format;
        }
    }
    return std::nullopt;
}

std::string_view suffixOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Perfetto: return ".trace.json";
    case ExportFormat::ShiViz: return ".shiviz.log";
    case ExportFormat::Csv: return ".csv";
    case ExportFormat::Markdown: return ".md";
    case ExportFormat::FormatCount: break;
    }
    return {};
}

std::string exported(const report::RunFile& run, ExportFormat format)
{
    switch (format) {
    case ExportFormat::Perfetto: return perfettoTrace(run.chronicle(), run.labels);
    case ExportFormat::ShiViz: return shivizLog(run.chronicle(), run.labels);
    case ExportFormat::Csv: return intervalCsv(run.chronicle(), run.labels);
    case ExportFormat::Markdown: return ticketStory(ticketOf(run));
    case ExportFormat::FormatCount: break;
    }
    return {};
}

} // namespace lockscope::exports
