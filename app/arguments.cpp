#include "arguments.h"

#include "base/duration_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

namespace lockscope::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPasswordLengthMax = 4096;

constexpr std::string_view kKeyHelp = "Private key of --cert, if it is not in the same file.";

constexpr auto kServerOptions = std::to_array<Option>({
    {"url", "URL",
     "redis://[user[:password]@]host[:port][/db], rediss://... or\nunix:///path[?db=N]. Several "
     "independent masters form one\nRedlock set.",
     true},
    {"password-file", "FILE", "Read the password from the first line of FILE."},
    {"ca", "FILE", "For rediss://: trust only the CA certificates in FILE (PEM)."},
    {"cert", "FILE", "Client certificate, if a rediss:// server requires one (PEM)."},
    {"key", "FILE", kKeyHelp},
    {"server-name", "NAME", "Expected name in the server's certificate, if not the host."},
    {"read-only", "", "Never send a command that could change data."},
    {"timeout", "DURATION", "Timeout of the connection and of each reply (5s)."},
});

constexpr auto kSweepOptions = std::to_array<Option>({
    {"deep", "", "Read every key, not only those with names like a lock."},
    {"pattern", "GLOB", "Treat matching keys as locks, whatever their names.", true},
});

constexpr auto kGeneralOptions = std::to_array<Option>({
    {"help", "", "Print this help and exit."},
    {"version", "", "Print the version and exit."},
});

constexpr auto kWindowOptions = std::to_array<Option>({
    {"demo", "", "Start a private redis-server with clients that hold locks."},
    {"screenshot", "FILE", "Save an image of the window to FILE and quit."},
    {"page", "NAME", "Open the window on this page."},
    {"open", "FILE", "Show a saved run or counterexample on the Lab page."},
    {"size", "WxH", "Initial size of the window in pixels: 1280x800."},
    {"after", "DURATION", "Delay before the screenshot is taken (2s)."},
    {"theme", "light|dark", "Colour scheme; the default is that of the system."},
});

std::vector<Option> windowOptions()
{
    std::vector<Option> all;
    for (const std::span<const Option> table :
         {serverOptions(), sweepOptions(), std::span<const Option>(kWindowOptions),
          generalOptions()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

std::string windowHelp()
{
    return "Lockscope shows the locks of a Redis server, and releases stuck ones safely.\n\n"
           "Usage: lockscope [options] [URL...]\n\n"
           "Without a URL the window asks for a server. The password can also be set in the\n"
           "environment variable LOCKSCOPE_PASSWORD. Durations are written 250ms, 10s, 5m.\n\n"
           "Options:\n"
           + optionHelp(windowOptions());
}

struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// The beginning of the file; nullopt, and errno, when it cannot be read.
std::optional<std::string> beginningOf(const std::string& path, std::size_t length)
{
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rbe"));
    if (!file) {
        return std::nullopt;
    }
    std::string text(length, '\0');
    text.resize(std::fread(text.data(), 1, length, file.get()));
    return std::ferror(file.get()) != 0 ? std::nullopt : std::optional(std::move(text));
}

/// The first line of the file, or why there is none.
std::variant<std::string, ArgumentError> passwordOfFile(const std::string& path)
{
    std::optional<std::string> text = beginningOf(path, kPasswordLengthMax + 1);
    if (!text) {
        return ArgumentError{"--password-file: " + inQuotes(path) + " cannot be read ("
                             + std::strerror(errno) + ')'};
        // threads
    }
    text->resize(std::min(text->find('\n'), text->size()));
    if (text->size() > kPasswordLengthMax) {
        return ArgumentError{"--password-file: the first line of " + inQuotes(path)
                             + " is longer than 4096 bytes, too long for a password"};
    }
    if (text->ends_with('\r')) {
        text->pop_back();
    }
    if (text->empty()) {
        return ArgumentError{"--password-file: the first line of " + inQuotes(path) + " is empty"};
    }
    return std::move(*text);
}

/// The password for URLs that bring none.
std::variant<std::string, ArgumentError> passwordFromElsewhere(const Words& words,
                                                               const Surroundings& surroundings)
{
    if (const std::optional<std::string> path = words.value("password-file")) {
        return passwordOfFile(*path);
    }
    return surroundings.password.value_or(std::string());
}

std::variant<Duration, ArgumentError> timeoutOption(const Words& words, Duration fallback)
{
    auto timeout = durationOption(words, "timeout", fallback);
    const Duration* const duration = std::get_if<Duration>(&timeout);
    if (duration != nullptr && *duration < 1ms) {
        return ArgumentError{"--timeout: " + inQuotes(words.value("timeout").value_or(""))
                             + " leaves no time to answer"};
    }
    return timeout;
}

/// What an address says itself counts more.
void takeTlsOptions(const Words& words, std::string_view keyOption, store::TlsOptions& tls)
{
    const auto take = [&words](std::string_view option, std::string& target) {
        target = target.empty() ? words.value(option).value_or("") : target;
    };
    take("ca", tls.caFile);
    take("cert", tls.certificateFile);
    take(keyOption, tls.keyFile);
    take("server-name", tls.serverName);
}

/// The first of the options for TLS that is given; empty when none is.
std::string_view tlsOptionIn(const Words& words, std::string_view keyOption)
{
    for (const std::string_view option : {std::string_view("ca"), std::string_view("cert"),
                                          keyOption, std::string_view("server-name")}) {
        if (words.has(option)) {
            return option;
        }
    }
    return {};
}

std::variant<Theme, ArgumentError> themeOption(const Words& words)
{
    const std::optional<std::string> name = words.value("theme");
    if (!name) {
        return Theme::FollowSystem;
    }
    if (*name == "light") {
        return Theme::Light;
    }
    if (*name == "dark") {
        return Theme::Dark;
    }
    return ArgumentError{"--theme: " + inQuotes(*name) + " is neither light nor dark"};
}

/// Of a side of the window; 0 for what is none.
int pixelsOf(std::string_view text)
{
    constexpr int kMin = 200;
    constexpr int kMax = 20'000;
    int pixels = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pixels);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    return isNumber && pixels >= kMin && pixels <= kMax ? pixels : 0;
}

/// 0x0 without the option.
std::variant<WindowSize, ArgumentError> sizeOption(const Words& words)
{
    const auto text = words.value("size");
    if (!text) {
        return WindowSize();
    }
    const std::string_view whole = *text;
    const std::size_t cross = std::min(whole.find('x'), whole.size());
    const std::string_view height = whole.substr(std::min(cross + 1, whole.size()));
    const WindowSize size{pixelsOf(whole.substr(0, cross)), pixelsOf(height)};
    if (size.width == 0 || size.height == 0) {
        return ArgumentError{"--size: " + inQuotes(whole)
                             + " is not a width and a height of at least 200 pixels: 1280x800"};
    }
    return size;
}

/// Options that make no sense together.
std::optional<ArgumentError> windowContradiction(const WindowArguments& arguments,
                                                 const Words& words)
{
    if (arguments.isDemo && !arguments.servers.endpoints.empty()) {
        return ArgumentError{"--demo starts its own server; omit the URL"};
    }
    if (words.has("after") && arguments.screenshotFile.empty()) {
        return ArgumentError{"--after sets the delay of a screenshot; it needs --screenshot FILE"};
    }
    if (words.has("screenshot") && arguments.screenshotFile.empty()) {
        return ArgumentError{"--screenshot: the name of the file is empty"};
    }
    return std::nullopt;
}

} // namespace

Surroundings surroundingsOfProcess()
{
    char* const variable = std::getenv("LOCKSCOPE_PASSWORD"); // before threads
    if (variable == nullptr) {
        return {};
    }
    Surroundings surroundings{std::string(variable)};
    // Nobody shall find it in /proc, and no program that is started shall inherit it.
    std::fill_n(variable, surroundings.password->size(), '*');
    ::unsetenv("LOCKSCOPE_PASSWORD");
    return surroundings;
}

std::span<const Option> serverOptions()
{
    return kServerOptions;
}

std::vector<Option> serverOptionsBesideKey()
{
    std::vector<Option> options(kServerOptions.begin(), kServerOptions.end());
    std::ranges::find(options, "key", &Option::name)->name = "tls-key";
    return options;
}

std::span<const Option> sweepOptions()
{
    return kSweepOptions;
}

std::span<const Option> generalOptions()
{
    return kGeneralOptions;
}

std::variant<ServerArguments, ArgumentError> serverArguments(const Words& words,
                                                             const std::vector<std::string>& urls,
                                                             const Surroundings& surroundings,
                                                             std::string_view keyOption)
{
    std::vector<std::string> all = urls;
    std::ranges::copy(words.values("url"), std::back_inserter(all));
    const auto password = passwordFromElsewhere(words, surroundings);
    if (const auto* const error = std::get_if<ArgumentError>(&password)) {
        return *error;
    }
    const auto timeout = timeoutOption(words, store::Endpoint().requestTimeout);
    if (const auto* const error = std::get_if<ArgumentError>(&timeout)) {
        return *error;
    }
    ServerArguments servers;
    bool hasTls = false;
    for (const std::string& url : all) {
        auto parsed = store::parseEndpoint(url);
        if (const auto* const error = std::get_if<store::UrlError>(&parsed)) {
            return ArgumentError{"the address " + inQuotes(url) + " is invalid: " + error->reason};
        }
        auto& endpoint = std::get<store::Endpoint>(parsed);
        servers.hasPasswordInUrl = servers.hasPasswordInUrl || !endpoint.password.empty();
        endpoint.password = endpoint.password.empty() ? std::get<std::string>(password)
                                                      : endpoint.password;
        endpoint.isReadOnly = words.has("read-only");
        if (endpoint.transport == store::Endpoint::Transport::Tls) {
            takeTlsOptions(words, keyOption, endpoint.tls);
            hasTls = true;
        }
        endpoint.connectTimeout = endpoint.requestTimeout = std::get<Duration>(timeout);
        if (std::ranges::find(servers.endpoints, endpoint) != servers.endpoints.end()) {
            return ArgumentError{"the address " + inQuotes(url) + " is given twice"};
        }
        servers.endpoints.push_back(std::move(endpoint));
    }
    if (!hasTls && !servers.endpoints.empty()) {
        if (const std::string_view option = tlsOptionIn(words, keyOption); !option.empty()) {
            return ArgumentError{
                "--" + std::string(option)
                + " applies to encrypted connections only; use rediss:// in the address"};
        }
    }
    return servers;
}

std::variant<Duration, ArgumentError> durationOption(const Words& words, std::string_view option,
                                                     Duration fallback)
{
    const std::optional<std::string> text = words.value(option);
    if (!text) {
        return fallback;
    }
    const std::optional<Duration> duration = parseDuration(*text);
    if (!duration) {
        return ArgumentError{"--" + std::string(option) + ": " + inQuotes(*text)
                             + " is not a duration; write 250ms, 10s, 5m, 2h or 1d"};
    }
    return *duration;
}

void hidePasswords(std::span<char*> arguments)
{
    bool isUrl = false;
    for (char* const word : arguments) {
        const std::string_view text(word);
        if (isUrl || text.starts_with("--url=") || text.find("://") != std::string_view::npos) {
            for (const std::string_view password : passwordsIn(text)) {
                std::fill_n(word + (password.data() - text.data()), password.size(), '*');
            }
        }
        isUrl = text == "--url";
    }
}

std::variant<WindowArguments, Information, ArgumentError> parseWindowArguments(
    std::span<const std::string> words, const Surroundings& surroundings)
{
    const std::vector<Option> options = windowOptions();
    const auto read = readWords(words, options);
    if (const auto* const error = std::get_if<ArgumentError>(&read)) {
        return *error;
    }
    const auto& given = std::get<Words>(read);
    if (given.has("help")) {
        return Information{windowHelp()};
    }
    if (given.has("version")) {
        return Information{"lockscope " LOCKSCOPE_VERSION "\n"};
    }
    WindowArguments arguments;
    auto servers = serverArguments(given, given.positionals, surroundings);
    auto delay = durationOption(given, "after", arguments.screenshotDelay);
    auto theme = themeOption(given);
    auto size = sizeOption(given);
    for (const ArgumentError* const error :
         {std::get_if<ArgumentError>(&servers), std::get_if<ArgumentError>(&delay),
          std::get_if<ArgumentError>(&theme), std::get_if<ArgumentError>(&size)}) {
        if (error != nullptr) {
            return *error;
        }
    }
    arguments.servers = std::move(std::get<ServerArguments>(servers));
    arguments.screenshotDelay = std::get<Duration>(delay);
    arguments.theme = std::get<Theme>(theme);
    arguments.size = std::get<WindowSize>(size);
    arguments.isDemo = given.has("demo");
    arguments.screenshotFile = given.value("screenshot").value_or("");
    arguments.page = given.value("page").value_or("");
    arguments.runFile = given.value("open").value_or("");
    arguments.isReadOnly = given.has("read-only");
    arguments.isDeep = given.has("deep");
    arguments.patterns = given.values("pattern");
    if (const auto contradiction = windowContradiction(arguments, given)) {
        return *contradiction;
    }
    return arguments;
}

} // namespace lockscope::app
