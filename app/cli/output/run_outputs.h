#pragma once

#include "core/kernel/exports/export_format.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/run_file.h"
#include "core/kernel/search/inevitability.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Runs as files: what --save-run and --export write, and what replay says of a saved run.
namespace lockscope::cli {

/// What else is written of a run; nothing unless it was asked for.
struct RunOutputs {
    std::string runFile; // of --save-run; empty: nowhere
    std::optional<exports::ExportFormat> exportFormat;
    std::string exportFile; // where it goes

    bool isEmpty() const { return runFile.empty() && !exportFormat; }
};

/// Writes `what`, such as "the run", to a file. What went wrong in one sentence; empty: nothing.
std::string written(const std::string& path, std::string_view text, std::string_view what);

/// What went wrong in one sentence; empty: everything was written.
std::string writeOutputs(const RunOutputs& outputs, const report::RunFile& run);

/// "From step 2 on the violation was unavoidable: …"
std::string turningPointText(const search::TurningPoint& turn,
                             const std::vector<search::StoryLine>& story);

/// What was run, what it came to and how, for people.
std::string recordText(const report::RunFile& run);

/// The same for scripts, as `replay --format json` says it.
report::Json recordJson(const report::RunFile& run, const std::string& fileName);

} // namespace lockscope::cli
