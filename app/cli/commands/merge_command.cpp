#include "app/cli/commands/command_list.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/session/search_call.h"
#include "app/cli/session/shard_file.h"
#include "core/files/file_limits.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::cli {

using app::ArgumentError;

namespace {

constexpr CommandText kMergeText{
    .name = "merge",
    .operand = "FILE...",
    .summary = "put the shards of a search together",
    .details = R"(
Reads what explore, simulate or matrix printed with --shard, all shards of one search in any
order, and reports what the search would have reported in one piece, with the same exit code.
Needs neither a server nor the files of protocols and scenarios. Shards of different searches
or versions, missing shards and those that are there twice are refused.
)",
    .examples = R"(
  lockscope-cli matrix --max-schedules 30000 --shard 1/2 > 1.json
  lockscope-cli matrix --max-schedules 30000 --shard 2/2 > 2.json
  lockscope-cli merge 1.json 2.json --format markdown
)",
};

class MergeCommand final : public CommandWith<MergeArguments> {
public:
    MergeCommand() : CommandWith(kMergeText) {}

    void declare(app::OptionSet& options) override
    {
        declareThreads(options, m_arguments.threadCount);
        options.addFile("save", m_arguments.saveFile,
                        "Save the counterexample that is shown, for replay.");
        options.addFile("save-run", m_arguments.runFile,
                        "Save the whole run that is shown, for replay\nor for the window.");
        declareFormat(options, m_arguments.format,
                      {Format::Text, Format::Json, Format::Markdown, Format::Csv});
    }

    void complete(const Operands& operands) override
    {
        std::vector<NamedText> files;
        for (const std::string& name : operands.words) {
            files.push_back({name, contentOf(name, "the shard", files::kRunFileMax)});
        }
        m_merged = mergedShards(files);
        if (auto* const matrix = std::get_if<MatrixArguments>(&m_merged.call)) {
            completeMatrix(*matrix);
        } else if (auto* const explore = std::get_if<ExploreArguments>(&m_merged.call)) {
            completeSubject(explore->subject, "explore");
        } else {
            completeSubject(std::get<SimulateArguments>(m_merged.call).subject, "simulate");
        }
    }

    async::Task<int> run(Context context) override
    {
        return carryOut(context, std::move(m_merged.call), std::move(m_merged.results));
    }

private:
    void completeMatrix(MatrixArguments& matrix) const
    {
        if (!m_arguments.saveFile.empty() || !m_arguments.runFile.empty()) {
            throw ArgumentError{"--save and --save-run are not for shards of matrix"};
        }
        matrix.threadCount = m_arguments.threadCount;
        matrix.format = m_arguments.format;
    }

    void completeSubject(SearchSubject& subject, const std::string& command) const
    {
        if (m_arguments.format != Format::Text && m_arguments.format != Format::Json) {
            throw ArgumentError{"--format: shards of " + command + " become text or json"};
        }
        subject.threadCount = m_arguments.threadCount;
        subject.saveFile = m_arguments.saveFile;
        subject.outputs.runFile = m_arguments.runFile;
        subject.format = m_arguments.format;
    }

    MergedSearch m_merged;
};

} // namespace

std::unique_ptr<Command> mergeCommand()
{
    return std::make_unique<MergeCommand>();
}

} // namespace lockscope::cli
