#pragma once

#include "arguments.h"
#include "base/bytes.h"
#include "cli/format.h"
#include "cli/locking_arguments.h"
#include "cli/search_arguments.h"
#include "inspect/lock_filter.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::cli {

/// What a sweep or a watch looks at and lets through.
struct Selection {
    inspect::LockFilter filter;
    bool isDeep = false;
    std::vector<std::string> patterns;
};

struct ListArguments {
    Selection selection;
    Format format = Format::Table;
    bool listsNearMisses = false; // instead of the locks
};

struct WatchArguments {
    Selection selection;
};

struct ShowArguments {
    Bytes key;
    Format format = Format::Table;
};

/// The owner as somebody typed it: the bytes as they are, or in escaped form.
struct OwnerToken {
    std::string text;

    bool means(std::string_view owner) const;
};

struct ReleaseArguments {
    Bytes key;
    OwnerToken owner;
    bool isAll = false; // whoever holds it, instead of `owner`
    bool isDryRun = false;
    std::string reason;
    std::string auditFile;                        // empty: the default one
    Duration followFor = std::chrono::seconds(1); // how long to watch who comes next
    Format format = Format::Table;
};

struct FormatsArguments {
    Format format = Format::Table;
};

using CommandArguments =
    std::variant<ListArguments, WatchArguments, ShowArguments, ReleaseArguments, FormatsArguments,
                 ProtocolsArguments, RunArguments, AcquireArguments, ContendArguments,
                 ExploreArguments, SimulateArguments, ReplayArguments, MatrixArguments>;

struct CliArguments {
    app::ServerArguments servers; // at least one endpoint; none for a contention on private servers
    CommandArguments command;
};

/// `words` without the name of the program. An error says how to get help.
std::variant<CliArguments, app::Information, app::ArgumentError> parseCliArguments(
    std::span<const std::string> words, const app::Surroundings& surroundings);

} // namespace lockscope::cli
