#pragma once

#include "app/cli/output/format.h"
#include "app/cli/output/run_outputs.h"
#include "app/option_set.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/matrix_tasks.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/world_plan.h"
#include "core/pool/search_part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::cli {

/// What is searched, of explore and simulate.
struct SearchSubject {
    report::SavedProtocol protocol;
    std::optional<world::WorldPlan> scenario; // nullopt: the default plans
    /// Empty: those that the plan of the scenario allows.
    std::vector<world::FaultKind> faults;
    int clientCount = 0;              // 0: as the plans have it
    int threadCount = 0;              // 0: one per core
    std::string saveFile;             // where the counterexample goes; empty: nowhere
    RunOutputs outputs;               // of the run that it is
    std::optional<pool::Shard> shard; // nullopt: everything
    Format format = Format::Text;
};

/// The options that say what is searched.
class SearchSubjectOptions {
public:
    void declare(app::OptionSet& options, SearchSubject& subject);
    /// Opens the files. Throws an ArgumentError.
    void complete(SearchSubject& subject) const;

private:
    std::string m_protocol;
    std::string m_protocolFile;
    std::string m_scenario;
};

/// `offered`: what the command can have happen.
void declareFaults(app::OptionSet& options, std::vector<world::FaultKind>& faults,
                   std::string_view help, std::string_view name = "faults",
                   const std::vector<world::FaultKind>& offered = search::matrixFaults());
/// --protocols
void declareProtocols(app::OptionSet& options, std::string& list);
void declareThreads(app::OptionSet& options, int& threadCount);
/// --shard
void declareShard(app::OptionSet& options, std::optional<pool::Shard>& shard);
/// --max-schedules, which is `schedulesMax` without it.
void declareBounds(app::OptionSet& options, search::Bounds& bounds, std::uint64_t schedulesMax);

/// "a,b,c" without empty words.
std::vector<std::string> listedWords(std::string_view text);

inline constexpr std::string_view kEverything = "all";

/// Of --protocols: ids and files, and all built-in ones for "all". Throws an ArgumentError.
std::vector<report::SavedProtocol> listedProtocols(std::string_view text);

/// What was read; throws an ArgumentError, which says what it was, if it is broken.
template<class File>
File soundOrThrow(std::variant<File, protocol::FileError> read, const std::string& what)
{
    if (const auto* const error = std::get_if<protocol::FileError>(&read)) {
        throw app::ArgumentError{what + ", " + toText(*error)};
    }
    return std::move(std::get<File>(read));
}

} // namespace lockscope::cli
