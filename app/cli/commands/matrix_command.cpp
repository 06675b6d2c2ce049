#include "app/cli/commands/command_list.h"
#include "app/cli/options/harm_choice.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/session/search_call.h"
#include "app/quoted_words.h"
#include "core/kernel/search/matrix_tasks.h"
#include "core/kernel/world/fault_group.h"

#include <span>

namespace lockscope::cli {

using world::FaultGroup;

namespace {

constexpr CommandText kMatrixText{
    .name = "matrix",
    .summary = "every protocol under every fault",
    .details = R"(
Explores every protocol under every kind of fault. Each cell of the table contains the number
of steps in which it happened that must not (--never). Protocols are in three groups: one
holder; readers and writers; permits. The best of each group comes first, with its verdict.
More than 12 faults are shown by groups, the worst fault of each (--unfold). json and csv have
an entry per protocol, fault and promise; json with the story.
The exit code is 10 if a promise was broken, which is expected for flawed protocols, and 2
if no acquisition of a protocol was ever granted, so that nothing was tested.
)",
    .examples = R"(
  lockscope-cli matrix
  lockscope-cli matrix --protocols set-nx-px-token,./my-lock.json --faults crash,pause
  lockscope-cli matrix --unfold clients,network
  lockscope-cli matrix --never all --faults interleaving,crash,pause,connection-loss
  lockscope-cli matrix --format json | jq -c '.[] | select(.status == "broken")'
)",
};

/// So many kinds of faults are shown one by one by default.
constexpr std::size_t kColumnsMax = 12;

std::string readGroups(const std::string& text, std::vector<FaultGroup>& groups)
{
    const std::span<const FaultGroup> all = world::allFaultGroups();
    std::vector<std::string_view> ids{kEverything};
    for (const FaultGroup group : all) {
        ids.push_back(idOf(group));
    }
    groups.clear();
    for (const std::string& word : listedWords(text)) {
        const auto group = world::faultGroupOf(word);
        if (word == kEverything) {
            groups.assign(all.begin(), all.end());
            return {};
        }
        if (!group) {
            return app::noneOf(word, ids);
        }
        groups.push_back(*group);
    }
    return groups.empty() ? "the list is empty" : "";
}

class MatrixCommand final : public CommandWith<MatrixArguments> {
public:
    MatrixCommand() : CommandWith(kMatrixText) {}

    void declare(app::OptionSet& options) override
    {
        m_arguments.faults = search::matrixFaults();
        declareProtocols(options, m_protocols);
        m_arguments.never = {search::Harm::TwoHolders};
        declareNever(options, m_arguments.never);
        declareFaults(options, m_arguments.faults, "Kinds of faults, separated by commas (all):");
        declareUnfold(options);
        declareBounds(options, m_arguments.bounds, search::kMatrixSchedules);
        declareThreads(options, m_arguments.threadCount);
        declareShard(options, m_arguments.shard);
        declareFormat(options, m_arguments.format,
                      {Format::Table, Format::Json, Format::Markdown, Format::Csv});
    }

    void complete(const Operands&) override
    {
        m_arguments.protocols = listedProtocols(m_protocols);
        if (m_arguments.unfolded.empty() && m_arguments.faults.size() <= kColumnsMax) {
            const std::span<const FaultGroup> all = world::allFaultGroups();
            m_arguments.unfolded.assign(all.begin(), all.end());
        }
    }

    async::Task<int> run(Context context) override { return carryOut(context, m_arguments); }

private:
    void declareUnfold(app::OptionSet& options)
    {
        const auto read = [this](const std::string& text) {
            return readGroups(text, m_arguments.unfolded);
        };
        options.add("unfold", "LIST|all", read,
                    "Groups of faults to show fault by fault (all, of up\nto 12 faults): order, "
                    "clients, network, clocks,\nservers, data, misuse.");
        std::vector<std::string> ids;
        for (const FaultGroup group : world::allFaultGroups()) {
            ids.emplace_back(idOf(group));
        }
        options.suggest("unfold", std::move(ids));
    }

    std::string m_protocols{kEverything};
};

} // namespace

std::unique_ptr<Command> matrixCommand()
{
    return std::make_unique<MatrixCommand>();
}

} // namespace lockscope::cli
