#pragma once

#include "base/time.h"
#include "option_parser.h"
#include "store/endpoint.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The part of the command line that lockscope and lockscope-cli share, and the whole of
// lockscope's. Everything is turned into values here and checked; what is wrong is said in one
// sentence.
namespace lockscope::app {

/// What comes from outside the command line; handed in, so that tests need no environment.
struct Surroundings {
    std::optional<std::string> password; // LOCKSCOPE_PASSWORD
};

/// Takes LOCKSCOPE_PASSWORD out of the environment, and out of what /proc shows of it. Called once,
/// before threads.
Surroundings surroundingsOfProcess();

/// The servers of a call: one, or the independent masters of one Redlock set.
struct ServerArguments {
    std::vector<store::Endpoint> endpoints; // may be empty: none was named
    bool hasPasswordInUrl = false;          // everybody who lists processes could read it
};

/// --url, --password-file, --ca, --cert, --key, --server-name, --read-only and --timeout.
std::span<const Option> serverOptions();
/// The same for commands whose --key is the key of a lock: the private key is --tls-key.
std::vector<Option> serverOptionsBesideKey();
/// --deep and --pattern.
std::span<const Option> sweepOptions();
/// --help and --version.
std::span<const Option> generalOptions();

/// `urls` are those that stand on their own; --url adds to them. `keyOption` names the private key.
std::variant<ServerArguments, ArgumentError> serverArguments(const Words& words,
                                                             const std::vector<std::string>& urls,
                                                             const Surroundings& surroundings,
                                                             std::string_view keyOption = "key");

/// The duration an option was given, `fallback` without it.
std::variant<Duration, ArgumentError> durationOption(const Words& words, std::string_view option,
                                                     Duration fallback);

/// Overwrites the passwords of URLs in the words of the running process, as far as the list of
/// processes shows them. The words must have been copied before.
void hidePasswords(std::span<char*> arguments);

/// Somebody asked for --help or --version: this is to be printed, and nothing else done.
struct Information {
    std::string text;
};

enum class Theme { FollowSystem, Light, Dark };

struct WindowSize {
    int width = 0; // pixels; 0: as the window was last
    int height = 0;
};

/// What `lockscope` is asked to do.
struct WindowArguments {
    ServerArguments servers;
    bool isDemo = false;
    std::string screenshotFile;                         // empty: stay open
    Duration screenshotDelay = std::chrono::seconds(2); // --after: how long to let the window live
                                                        // before the picture
    std::string page;                                   // empty: the first one
    std::string runFile;                                // for the laboratory; empty: none
    WindowSize size;
    bool isReadOnly = false;
    bool isDeep = false;
    std::vector<std::string> patterns;
    Theme theme = Theme::FollowSystem;
};

/// `words` without the name of the program. No server named and no demo asked for: the window asks.
std::variant<WindowArguments, Information, ArgumentError> parseWindowArguments(
    std::span<const std::string> words, const Surroundings& surroundings);

} // namespace lockscope::app
