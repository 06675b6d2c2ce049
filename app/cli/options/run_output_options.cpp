#include "app/cli/options/run_output_options.h"

#include "app/quoted_words.h"

#include <string>

namespace lockscope::cli {

void declareRunOutputs(app::OptionSet& options, RunOutputs& outputs)
{
    const auto readFormat = [&outputs](const std::string& text) {
        outputs.exportFormat = exports::exportFormatOf(text);
        return outputs.exportFormat ? std::string()
                                    : "the formats are perfetto, shiviz, csv and markdown, not "
                                          + app::inQuotes(text);
    };
    options.add("export", "perfetto|shiviz|csv|markdown", readFormat,
                "Export the run: a trace, a log with vector clocks, intervals, or a\nstory for "
                "a ticket.");
    options.addFile("to", outputs.exportFile, "Output file of --export.");
    options.addFile("save-run", outputs.runFile,
                    "Save the whole run that is shown, for replay\nor for the window.");
}

void checkRunOutputs(const RunOutputs& outputs)
{
    if (outputs.exportFormat.has_value() != !outputs.exportFile.empty()) {
        throw app::ArgumentError{outputs.exportFormat ? "--export needs --to FILE"
                                                      : "--to needs --export FORMAT"};
    }
}

} // namespace lockscope::cli
