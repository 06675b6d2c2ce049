#pragma once

#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/endpoint.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// The call of the command-line program that does the same, quoted for a POSIX shell:
/// "lockscope-cli release order:42 --owner 5f0c…:63 --url redis://…". Never contains a password,
/// also when `url` does. Where the format records no owner, the value that the release compares
/// takes its place; a release of several holds is asked for with --all. A key that nothing proves
/// to be a lock is released with --as. Empty for a CapTtl plan: the command-line program does not
/// offer that.
std::string releaseCommandLine(std::string_view url, const inspect::ReleasePlan& plan, bool dryRun);

/// The same for a lock of one of these servers, or for a Redlock row of all of them: it names the
/// servers that are meant, and says what they are to each other.
std::string releaseCommandLine(std::span<const store::Endpoint> endpoints,
                               const inspect::ReleasePlan& plan);

/// A word quoted for a POSIX shell when it needs to be.
std::string shellQuoted(std::string_view word);
/// Several words, as one line.
std::string shellQuoted(const std::vector<std::string>& words);

} // namespace lockscope::report
