#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "app/cli/session/own_formats.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/report/lock_json.h"
#include "core/wire/format_folder.h"

#include <QFile>

#include <span>

namespace lockscope::cli {

namespace {

std::string formatsTable(const inspect::FormatTable& formats)
{
    std::vector<std::vector<std::string>> lines = {{"FORMAT", "LIBRARY", "DESCRIPTION"}};
    for (const inspect::Decoder& decoder : formats.decoders()) {
        lines.push_back({std::string(decoder.id),
                         decoder.library.empty() ? "–" : std::string(decoder.library),
                         std::string(decoder.summary)});
    }
    return alignedColumns(lines);
}

std::string formatsJson(const inspect::FormatTable& formats)
{
    std::string text = "[";
    for (const inspect::Decoder& decoder : formats.decoders()) {
        report::Json entry;
        entry["id"] = decoder.id;
        entry["library"] = decoder.library.empty() ? report::Json(nullptr)
                                                   : report::Json(decoder.library);
        entry["title"] = decoder.title;
        entry["summary"] = decoder.summary;
        entry["kind"] = decoder.isJobLease ? "job-lease" : "lock";
        text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
    }
    return text + "\n]\n";
}

/// Says whether the file is a format that may stand in the user's folder.
int checkFile(const std::string& name, Output& output)
{
    std::vector<inspect::OwnFileProblem> problems;
    const inspect::OwnFile file = wire::readFormatFile(QFile::decodeName(name.c_str()), problems);
    std::vector<inspect::FormatFile> formats;
    if (problems.empty()) {
        formats = inspect::readFormatFiles(std::span(&file, 1), problems);
    }
    for (const inspect::OwnFileProblem& problem : problems) {
        output.complain(problem.sentence);
    }
    if (!formats.empty()) {
        output.print(name + ": format " + formats.front().id + " of " + formats.front().library
                     + '\n');
    }
    return problems.empty() ? ExitDone : ExitBadArguments;
}

constexpr CommandText kFormatsText{
    .name = "formats",
    .summary = "list the recognised lock formats",
    .details = R"(
Lists the recognised lock formats: your own, which are files in ~/.config/lockscope/formats,
then those that are built in. With --check it only says whether a file is such a format, and
where its mistake is (exit code 2). Needs no server.
)",
    .examples = R"(
  lockscope-cli formats --format json
  lockscope-cli formats --check acme.json
)",
};

class FormatsCommand final : public CommandWith<FormatsArguments> {
public:
    FormatsCommand() : CommandWith(kFormatsText) {}

    void declare(app::OptionSet& options) override
    {
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
        options.addText("check", "FILE", m_arguments.fileToCheck,
                        "Say whether FILE describes a format, and where its mistake is.");
    }

    async::Task<int> run(Context context) override
    {
        if (!m_arguments.fileToCheck.empty()) {
            co_return checkFile(m_arguments.fileToCheck, context.output);
        }
        const bool isJson = m_arguments.format == Format::Json;
        const inspect::FormatTablePtr formats = formatsOfUser(context.output);
        context.output.print(isJson ? formatsJson(*formats) : formatsTable(*formats));
        co_return ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> formatsCommand()
{
    return std::make_unique<FormatsCommand>();
}

} // namespace lockscope::cli
