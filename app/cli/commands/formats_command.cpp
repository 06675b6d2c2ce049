#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/report/lock_json.h"

namespace lockscope::cli {

namespace {

std::string formatsTable()
{
    std::vector<std::vector<std::string>> lines = {{"FORMAT", "LIBRARY", "DESCRIPTION"}};
    for (const inspect::Decoder& decoder : inspect::builtinDecoders()) {
        lines.push_back({std::string(decoder.id),
                         decoder.library.empty() ? "–" : std::string(decoder.library),
                         std::string(decoder.summary)});
    }
    return alignedColumns(lines);
}

std::string formatsJson()
{
    std::string text = "[";
    for (const inspect::Decoder& decoder : inspect::builtinDecoders()) {
        report::Json entry;
        entry["id"] = decoder.id;
        entry["library"] = decoder.library.empty() ? report::Json(nullptr)
                                                   : report::Json(decoder.library);
        entry["title"] = decoder.title;
        entry["summary"] = decoder.summary;
        text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
    }
    return text + "\n]\n";
}

constexpr CommandText kFormatsText{
    .name = "formats",
    .summary = "list the recognised lock formats",
    .details = R"(
Lists the recognised lock formats. Needs no server.
)",
    .examples = R"(
  lockscope-cli formats --format json
)",
};

class FormatsCommand final : public CommandWith<FormatsArguments> {
public:
    FormatsCommand() : CommandWith(kFormatsText) {}

    void declare(app::OptionSet& options) override
    {
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    async::Task<int> run(Context context) override
    {
        const bool isJson = m_arguments.format == Format::Json;
        context.output.print(isJson ? formatsJson() : formatsTable());
        co_return ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> formatsCommand()
{
    return std::make_unique<FormatsCommand>();
}

} // namespace lockscope::cli
