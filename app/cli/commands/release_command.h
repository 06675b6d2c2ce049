#pragma once

#include "app/cli/commands/command.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::cli {

/// The owner as it was typed: the bytes as they are, or in escaped form.
struct OwnerToken {
    std::string text;

    bool means(std::string_view owner) const;
};

struct ReleaseArguments {
    Bytes key;
    OwnerToken owner;
    bool isAll = false; // all holders, instead of `owner`
    bool isDryRun = false;
    std::string reason;
    std::string auditFile;                        // empty: the default one
    Duration followFor = std::chrono::seconds(1); // how long to watch who comes next
    Format format = Format::Table;
};

/// `release KEY --owner TOKEN`: looks, compares, releases, writes it down, and sees who comes next.
std::unique_ptr<Command> releaseCommand();

} // namespace lockscope::cli
