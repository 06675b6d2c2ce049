#include "app/arguments.h"

#include "app/quoted_words.h"

#include <algorithm>
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

/// The first line of the file.
std::string passwordOfFile(const std::string& path)
{
    std::optional<std::string> text = beginningOf(path, kPasswordLengthMax + 1);
    if (!text) {
        throw ArgumentError{"--password-file: " + inQuotes(path) + " cannot be read ("
                            + std::strerror(errno) + ')'};
        // threads
    }
    text->resize(std::min(text->find('\n'), text->size()));
    if (text->size() > kPasswordLengthMax) {
        throw ArgumentError{"--password-file: the first line of " + inQuotes(path)
                            + " is longer than 4096 bytes, too long for a password"};
    }
    if (text->ends_with('\r')) {
        text->pop_back();
    }
    if (text->empty()) {
        throw ArgumentError{"--password-file: the first line of " + inQuotes(path) + " is empty"};
    }
    return std::move(*text);
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

std::string readSize(std::string_view text, WindowSize& size)
{
    const std::size_t cross = std::min(text.find('x'), text.size());
    const std::string_view height = text.substr(std::min(cross + 1, text.size()));
    size = {pixelsOf(text.substr(0, cross)), pixelsOf(height)};
    return size.width != 0 && size.height != 0
               ? std::string()
               : inQuotes(text) + " is not a width and a height of at least 200 pixels: 1280x800";
}

void declareWindowOptions(OptionSet& options, WindowArguments& arguments,
                          std::optional<Duration>& delay)
{
    const auto readDelay = [&delay](const std::string& text) {
        return readDuration(text, delay.emplace());
    };
    const auto size = [&arguments](const std::string& text) {
        return readSize(text, arguments.size);
    };
    declareSweepOptions(options, arguments.isDeep, arguments.patterns);
    options.addSwitch("demo", arguments.isDemo,
                      "Start a private redis-server with clients that hold locks.");
    options.addFile("screenshot", arguments.screenshotFile,
                    "Save an image of the window to FILE and quit.");
    options.addText("page", "NAME", arguments.page, "Open the window on this page.");
    options.addText("open", "FILE", arguments.runFile,
                    "Show a saved run or counterexample on the Lab page.");
    options.add("size", "WxH", size, "Initial size of the window in pixels: 1280x800.");
    options.add("after", "DURATION", readDelay, "Delay before the screenshot is taken (2s).");
    options.addChoice<Theme, Theme>("theme", arguments.theme,
                                    {{"light", Theme::Light}, {"dark", Theme::Dark}},
                                    "Colour scheme; the default is that of the system.");
    options.addChoice<std::string, std::string>("language", arguments.language,
                                                {{"en", "en"}, {"zh_CN", "zh_CN"}},
                                                "Language; the default is that of the system.");
}

std::string windowHelp(const OptionSet& options)
{
    return "Lockscope shows the locks of a Redis server, and releases stuck ones safely.\n\n"
           "Usage: lockscope [options] [URL...]\n\n"
           "Without a URL the window asks for a server. The password can also be set in the\n"
           "environment variable LOCKSCOPE_PASSWORD. Durations are written 250ms, 10s, 5m.\n"
           + options.help();
}

WindowArguments readWindowArguments(OptionSet& options, std::span<const std::string> words,
                                    const Environment& environment)
{
    WindowArguments arguments;
    ServerOptions servers;
    std::optional<Duration> delay;
    declareWindowOptions(options, arguments, delay);
    servers.declare(options);
    declareQuestions(options);
    const OptionSet::Words rest = options.read(words);
    if (!rest.unknownOptions.empty()) {
        throw unknownOption(rest.unknownOptions.front(), options.names());
    }
    arguments.servers = servers.servers(rest.operands, environment);
    arguments.isReadOnly = servers.isReadOnly();
    arguments.screenshotDelay = delay.value_or(arguments.screenshotDelay);
    if (arguments.isDemo && !arguments.servers.endpoints.empty()) {
        throw ArgumentError{"--demo starts its own server; omit the URL"};
    }
    if (delay && arguments.screenshotFile.empty()) {
        throw ArgumentError{"--after sets the delay of a screenshot; it needs --screenshot FILE"};
    }
    return arguments;
}

} // namespace

Environment environmentOfProcess()
{
    char* const variable = std::getenv("LOCKSCOPE_PASSWORD"); // before threads
    if (variable == nullptr) {
        return {};
    }
    Environment environment{std::string(variable)};
    // It must not be visible in /proc, and no program that is started may inherit it.
    std::fill_n(variable, environment.password->size(), '*');
    ::unsetenv("LOCKSCOPE_PASSWORD");
    return environment;
}

void ServerOptions::declare(OptionSet& options)
{
    const auto readTimeout = [this](const std::string& text) {
        const std::string complaint = readDuration(text, m_timeout);
        return complaint.empty() && m_timeout < 1ms ? inQuotes(text) + " leaves no time to answer"
                                                    : complaint;
    };
    m_keyOption = options.names().contains("key") ? "tls-key" : "key";
    options.beginGroup("Server options");
    const auto addUrl = [this](const std::string& text) {
        m_urls.push_back(text);
        return std::string();
    };
    options.add("url", "URL", addUrl,
                "redis://[user[:password]@]host[:port][/db], rediss://... or\n"
                "unix:///path[?db=N]. Several independent masters form one\nRedlock set.",
                true);
    options.addFile("password-file", m_passwordFile,
                    "Read the password from the first line of FILE.");
    options.addText("ca", "FILE", m_tls.caFile,
                    "For rediss://: trust only the CA certificates in FILE (PEM).");
    options.addText("cert", "FILE", m_tls.certificateFile,
                    "Client certificate, if a rediss:// server requires one (PEM).");
    options.addText(m_keyOption, "FILE", m_tls.keyFile,
                    "Private key of --cert, if it is not in the same file.");
    options.addText("server-name", "NAME", m_tls.serverName,
                    "Expected name in the server's certificate, if not the host.");
    options.addSwitch("read-only", m_isReadOnly, "Never send a command that could change data.");
    options.add("timeout", "DURATION", readTimeout,
                "Timeout of the connection and of each reply (5s).");
}

/// The password for URLs that bring none.
std::string ServerOptions::password(const Environment& environment) const
{
    return m_passwordFile.empty() ? environment.password.value_or("")
                                  : passwordOfFile(m_passwordFile);
}

/// What an address says itself counts more.
void ServerOptions::applyTo(store::TlsOptions& tls) const
{
    for (std::string store::TlsOptions::*const member :
         {&store::TlsOptions::caFile, &store::TlsOptions::certificateFile,
          &store::TlsOptions::keyFile, &store::TlsOptions::serverName}) {
        if ((tls.*member).empty()) {
            tls.*member = m_tls.*member;
        }
    }
}

/// The first of the options for TLS that was given; empty when none was.
std::string_view ServerOptions::tlsOption() const
{
    return !m_tls.caFile.empty()            ? "ca"
           : !m_tls.certificateFile.empty() ? "cert"
           : !m_tls.keyFile.empty()         ? std::string_view(m_keyOption)
           : !m_tls.serverName.empty()      ? "server-name"
                                            : "";
}

ServerArguments ServerOptions::servers(const std::vector<std::string>& urls,
                                       const Environment& environment) const
{
    std::vector<std::string> all = urls;
    std::ranges::copy(m_urls, std::back_inserter(all));
    const std::string passwordElsewhere = password(environment);
    ServerArguments servers;
    bool hasTls = false;
    for (const std::string& url : all) {
        auto parsed = store::parseEndpoint(url);
        if (const auto* const error = std::get_if<store::UrlError>(&parsed)) {
            throw ArgumentError{"the address " + inQuotes(url) + " is invalid: " + error->reason};
        }
        auto& endpoint = std::get<store::Endpoint>(parsed);
        servers.hasPasswordInUrl = servers.hasPasswordInUrl || !endpoint.password.empty();
        if (endpoint.password.empty()) {
            endpoint.password = passwordElsewhere;
        }
        endpoint.isReadOnly = m_isReadOnly;
        if (endpoint.transport == store::Endpoint::Transport::Tls) {
            applyTo(endpoint.tls);
            hasTls = true;
        }
        endpoint.connectTimeout = endpoint.requestTimeout = m_timeout;
        if (std::ranges::find(servers.endpoints, endpoint) != servers.endpoints.end()) {
            throw ArgumentError{"the address " + inQuotes(url) + " is given twice"};
        }
        servers.endpoints.push_back(std::move(endpoint));
    }
    const std::string option(tlsOption());
    if (!hasTls && !servers.endpoints.empty() && !option.empty()) {
        throw ArgumentError{
            "--" + option + " applies to encrypted connections only; use rediss:// in the address"};
    }
    return servers;
}

void declareSweepOptions(OptionSet& options, bool& isDeep, std::vector<std::string>& patterns)
{
    options.addSwitch("deep", isDeep, "Read every key, not only those with names like a lock.");
    const auto readPattern = [&patterns](const std::string& text) {
        patterns.push_back(text);
        return std::string(text.empty() ? "an empty pattern matches nothing" : "");
    };
    options.add("pattern", "GLOB", readPattern,
                "Treat matching keys as locks, whatever their names.", true);
}

void declareQuestions(OptionSet& options)
{
    options.beginGroup("General options");
    options.addQuestion("help", "Print this help and exit.");
    options.addQuestion("version", "Print the version and exit.");
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
    std::span<const std::string> words, const Environment& environment)
{
    OptionSet options;
    try {
        return readWindowArguments(options, words, environment);
    } catch (const ArgumentError& error) {
        return error;
    } catch (const OptionSet::Asked& asked) {
        return Information{asked.name == "help" ? windowHelp(options)
                                                : "lockscope " LOCKSCOPE_VERSION "\n"};
    }
}

} // namespace lockscope::app
