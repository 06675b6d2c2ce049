#include "app/arguments.h"

#include "app/quoted_words.h"
#include "core/files/whole_file.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace lockscope::app {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPasswordLengthMax = 4096;

/// The first line of the file that the option names.
std::string secretOfFile(const std::string& option, const std::string& path)
{
    auto read = files::readBeginning(path, kPasswordLengthMax + 1);
    if (const auto* const failure = std::get_if<files::Unreadable>(&read)) {
        throw ArgumentError{option + ": " + inQuotes(path) + " cannot be read (" + failure->reason
                            + ')'};
    }
    std::string text = std::move(std::get<std::string>(read));
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.size() > kPasswordLengthMax) {
        throw ArgumentError{option + ": the first line of " + inQuotes(path)
                            + " is longer than 4096 bytes, too long for a password"};
    }
    if (text.ends_with('\r')) {
        text.pop_back();
    }
    if (text.empty()) {
        throw ArgumentError{option + ": the first line of " + inQuotes(path) + " is empty"};
    }
    return text;
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

std::string windowHelp(const OptionSet& options)
{
    return "Lockscope shows the locks of a Redis server, and releases stuck ones safely.\n\n"
           "Usage: lockscope [options] [URL|FILE...]\n\n"
           "Without a URL the window asks for a server. A FILE is a saved run, a counterexample "
           "or\n"
           "a scenario, and is shown on the Lab page; if its name ends neither in .cbor nor in\n"
           ".json, write it with its folder: ./FILE. The password can also be set in the\n"
           "environment variable LOCKSCOPE_PASSWORD. Durations are written 250ms, 10s, 5m.\n"
           + options.help();
}

/// Of the path of a file:// URL.
std::string percentDecoded(std::string_view text)
{
    constexpr int kHexadecimal = 16;
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char byte = 0;
        const char* const digits = text.data() + i + 1;
        const bool isEscape = text[i] == '%' && i + 2 < text.size()
                              && std::from_chars(digits, digits + 2, byte, kHexadecimal).ptr
                                     == digits + 2;
        decoded += isEscape ? static_cast<char>(byte) : text[i];
        i += isEscape ? 2 : 0;
    }
    return decoded;
}

/// It must not be visible in /proc, and no program that is started may inherit it.
std::optional<std::string> secretOfEnvironment(const char* name)
{
    char* const variable = std::getenv(name); // before threads
    if (variable == nullptr) {
        return std::nullopt;
    }
    std::string secret(variable);
    std::fill_n(variable, secret.size(), '*');
    ::unsetenv(name);
    return secret;
}

std::string wordOfEnvironment(const char* name)
{
    const char* const variable = std::getenv(name); // before threads
    return variable != nullptr ? variable : "";
}

} // namespace

Environment environmentOfProcess()
{
    return {secretOfEnvironment("LOCKSCOPE_PASSWORD"),
            secretOfEnvironment("LOCKSCOPE_KEY_PASSPHRASE"),
            secretOfEnvironment("LOCKSCOPE_SENTINEL_PASSWORD"),
            wordOfEnvironment("LOCKSCOPE_ENVIRONMENT")};
}

void ServerOptions::declare(OptionSet& options)
{
    const auto readTimeout = [this](const std::string& text) {
        const std::string complaint = readDuration(text, m_timeout);
        return complaint.empty() && m_timeout < 1ms ? inQuotes(text) + " leaves no time to answer"
                                                    : complaint;
    };
    const auto readSshHost = [this](const std::string& text) {
        m_sshHost = text;
        return store::complaintAboutSshHost(text);
    };
    m_keyOption = options.names().contains("key") ? "tls-key" : "key";
    options.beginGroup("Server options");
    const auto addUrl = [this](const std::string& text) {
        m_urls.push_back(text);
        return std::string();
    };
    options.add("url", "URL", addUrl,
                "redis://[user[:password]@]host[:port][/db], rediss://...,\n"
                "unix:///path[?db=N], or redis+sentinel://[user[:password]@]\n"
                "sentinel[:port][,sentinel...]/master[?db=N], which follows the\n"
                "master through failovers, or redis+cluster://[user[:password]@]\n"
                "node[:port][,node...], all masters of a cluster. Several are one\n"
                "table; three or more independent masters form one Redlock set.",
                true);
    options.addSwitch("redlock-set", m_isRedlockSet,
                      "The servers are one Redlock set, two as well: a token is a vote,\nand one "
                      "that cannot be reached is an unknown vote.");
    options.addSwitch("separate", m_isSeparate,
                      "The servers are no Redlock set, however many they are: each has\nlocks of "
                      "its own.");
    options.addFile("password-file", m_passwordFile,
                    "Read the password from the first line of FILE.");
    options.addFile("sentinel-password-file", m_sentinelPasswordFile,
                    "Read the password of the Sentinels from the first line of FILE.");
    options.addText("ca", "FILE", m_tls.caFile,
                    "For rediss://: trust only the CA certificates in FILE (PEM).");
    options.addText("cert", "FILE", m_tls.certificateFile,
                    "Client certificate, if a rediss:// server requires one (PEM).");
    options.addText(m_keyOption, "FILE", m_tls.keyFile,
                    "Private key of --cert, if it is not in the same file.");
    options.addFile(
        "key-passphrase-file", m_passphraseFile,
        "Read the passphrase of an encrypted private key from the first\nline of FILE.");
    options.addText("server-name", "NAME", m_tls.serverName,
                    "Expected name in the server's certificate, if not the host.");
    options.add("ssh", "[USER@]HOST[:PORT]", readSshHost,
                "Reach the servers from HOST, through the ssh of this system (?ssh=\n"
                "in a URL). It asks no questions: keys come from its agent or files.");
    options.addSwitch("read-only", m_isReadOnly, "Never send a command that could change data.");
    options.add("timeout", "DURATION", readTimeout,
                "Timeout of the connection and of each reply (5s).");
}

/// The password for URLs that bring none.
std::string ServerOptions::password(const Environment& environment) const
{
    return m_passwordFile.empty() ? environment.password.value_or("")
                                  : secretOfFile("--password-file", m_passwordFile);
}

/// Of the private key, whichever address names it.
std::string ServerOptions::passphrase(const Environment& environment) const
{
    return m_passphraseFile.empty() ? environment.keyPassphrase.value_or("")
                                    : secretOfFile("--key-passphrase-file", m_passphraseFile);
}

/// Of the Sentinels of every address that names some.
std::string ServerOptions::sentinelPassword(const Environment& environment) const
{
    return m_sentinelPasswordFile.empty()
               ? environment.sentinelPassword.value_or("")
               : secretOfFile("--sentinel-password-file", m_sentinelPasswordFile);
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
           : !m_passphraseFile.empty()      ? "key-passphrase-file"
           : !m_tls.serverName.empty()      ? "server-name"
                                            : "";
}

/// With what the options say of every server.
store::Endpoint ServerOptions::endpointOf(const std::string& url) const
{
    auto parsed = store::parseEndpoint(url);
    if (const auto* const error = std::get_if<store::UrlError>(&parsed)) {
        throw ArgumentError{"the address " + inQuotes(url) + " is invalid: " + error->reason};
    }
    store::Endpoint endpoint = std::get<store::Endpoint>(std::move(parsed));
    endpoint.isReadOnly = m_isReadOnly;
    if (endpoint.transport == store::Endpoint::Transport::Tls) {
        applyTo(endpoint.tls);
    }
    if (!endpoint.isBehindSsh() && endpoint.transport != store::Endpoint::Transport::UnixSocket) {
        endpoint.sshHost = m_sshHost;
    }
    endpoint.connectTimeout = endpoint.requestTimeout = m_timeout;
    return endpoint;
}

void ServerOptions::refuseUselessOptions(const std::vector<store::Endpoint>& endpoints) const
{
    const bool hasTls = std::ranges::any_of(endpoints, [](const store::Endpoint& endpoint) {
        return endpoint.transport == store::Endpoint::Transport::Tls;
    });
    const std::string option(tlsOption());
    if (!hasTls && !endpoints.empty() && !option.empty()) {
        throw ArgumentError{
            "--" + option + " applies to encrypted connections only; use rediss:// in the address"};
    }
    if (!m_sshHost.empty() && std::ranges::none_of(endpoints, &store::Endpoint::isBehindSsh)) {
        throw ArgumentError{"--ssh needs the address of a server as that host sees it: --url "
                            "redis://127.0.0.1:6379"};
    }
    const bool hasSentinels = std::ranges::any_of(endpoints, &store::Endpoint::hasSentinels);
    if (!hasSentinels && !endpoints.empty() && !m_sentinelPasswordFile.empty()) {
        throw ArgumentError{"--sentinel-password-file applies to redis+sentinel:// addresses only"};
    }
}

store::Grouping ServerOptions::grouping(std::size_t serverCount) const
{
    if (m_isRedlockSet && m_isSeparate) {
        throw ArgumentError{"--redlock-set and --separate cannot be combined"};
    }
    if (m_isRedlockSet && serverCount < 2) {
        throw ArgumentError{"--redlock-set needs the addresses of several servers"};
    }
    return m_isRedlockSet ? store::Grouping::RedlockSet
           : m_isSeparate ? store::Grouping::Separate
                          : store::Grouping::Unsaid;
}

ServerArguments ServerOptions::servers(const std::vector<std::string>& urls,
                                       const Environment& environment) const
{
    std::vector<std::string> all = urls;
    std::ranges::copy(m_urls, std::back_inserter(all));
    const std::string passwordElsewhere = password(environment);
    const std::string keyPassphrase = passphrase(environment);
    const std::string ofSentinels = sentinelPassword(environment);
    ServerArguments servers;
    for (const std::string& url : all) {
        store::Endpoint endpoint = endpointOf(url);
        servers.hasPasswordInUrl = servers.hasPasswordInUrl || !endpoint.password.empty();
        if (endpoint.password.empty()) {
            endpoint.password = passwordElsewhere;
        }
        if (endpoint.transport == store::Endpoint::Transport::Tls) {
            endpoint.keyPassphrase = keyPassphrase;
        }
        if (endpoint.hasSentinels()) {
            endpoint.sentinelPassword = ofSentinels;
        }
        if (std::ranges::find(servers.endpoints, endpoint) != servers.endpoints.end()) {
            throw ArgumentError{"the address " + inQuotes(url) + " is given twice"};
        }
        servers.endpoints.push_back(std::move(endpoint));
    }
    refuseUselessOptions(servers.endpoints);
    store::setGrouping(servers.endpoints, grouping(servers.endpoints.size()));
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

WindowCall::WindowCall()
{
    const auto readDelay = [this](const std::string& text) {
        return readDuration(text, m_delay.emplace());
    };
    const auto readFile = [this](const std::string& text) {
        m_arguments.files.push_back(text);
        return std::string(text.empty() ? "the name of the file is empty" : "");
    };
    const auto size = [this](const std::string& text) { return readSize(text, m_arguments.size); };
    declareSweepOptions(m_options, m_arguments.isDeep, m_arguments.patterns);
    m_options.addSwitch("demo", m_arguments.isDemo,
                        "Start a private redis-server with clients that hold locks.");
    m_options.addFile("screenshot", m_arguments.screenshotFile,
                      "Save an image of the window to FILE and quit.");
    m_options.addText("page", "NAME", m_arguments.page, "Open the window on this page.");
    m_options.add("open", "FILE", readFile,
                  "The same as FILE alone, whatever its name: show it on the Lab page.", true);
    m_options.add("size", "WxH", size, "Initial size of the window in pixels: 1280x800.");
    m_options.add("after", "DURATION", readDelay, "Delay before the screenshot is taken (2s).");
    m_options.addText("environment", "NAME", m_arguments.environment,
                      "What the servers are for; \"production\" starts read-only.");
    m_options.addChoice<Theme, Theme>("theme", m_arguments.theme,
                                      {{"light", Theme::Light}, {"dark", Theme::Dark}},
                                      "Colour scheme; the default is that of the system.");
    m_options.addChoice<std::string, std::string>("language", m_arguments.language,
                                                  {{"en", "en"}, {"zh_CN", "zh_CN"}},
                                                  "Language; the default is that of the system.");
    m_servers.declare(m_options);
    declareQuestions(m_options);
}

void WindowCall::readOperands(const std::vector<std::string>& words)
{
    for (const std::string& word : words) {
        if (std::optional<std::string> file = fileNamedBy(word)) {
            m_arguments.files.push_back(std::move(*file));
        } else {
            m_urls.push_back(word);
        }
    }
}

WindowArguments WindowCall::read(std::span<const std::string> words, const Environment& environment)
{
    const OptionSet::Words rest = m_options.read(words);
    if (!rest.unknownOptions.empty()) {
        throw unknownOption(rest.unknownOptions.front(), m_options.names());
    }
    readOperands(rest.operands);
    m_arguments.servers = m_servers.servers(m_urls, environment);
    m_arguments.isReadOnly = m_servers.isReadOnly();
    m_arguments.screenshotDelay = m_delay.value_or(m_arguments.screenshotDelay);
    if (m_arguments.isDemo && !m_arguments.servers.endpoints.empty()) {
        throw ArgumentError{"--demo starts its own server; omit the URL"};
    }
    if (m_delay && m_arguments.screenshotFile.empty()) {
        throw ArgumentError{"--after sets the delay of a screenshot; it needs --screenshot FILE"};
    }
    return std::move(m_arguments);
}

std::optional<std::string> fileNamedBy(const std::string& word)
{
    constexpr std::string_view kFileScheme = "file://";
    if (word.starts_with(kFileScheme)) {
        const std::string_view behind = std::string_view(word).substr(kFileScheme.size());
        return percentDecoded(behind.substr(std::min(behind.find('/'), behind.size())));
    }
    const bool isPath = word.starts_with('/') || word.starts_with("./") || word.starts_with("../");
    const bool endsLikeOurs = word.find("://") == std::string::npos
                              && (word.ends_with(".cbor") || word.ends_with(".json"));
    return isPath || endsLikeOurs ? std::optional(word) : std::nullopt;
}

std::string windowSynopsis()
{
    return withManualDashes(".B lockscope\n" + WindowCall().options().synopsis()
                            + ".RI [ URL | FILE \" ...]\"\n.br\n.B lockscope\n"
                              ".BR --help \" | \" --version\n");
}

std::variant<WindowArguments, Information, ArgumentError> parseWindowArguments(
    std::span<const std::string> words, const Environment& environment)
{
    WindowCall call;
    try {
        return call.read(words, environment);
    } catch (const ArgumentError& error) {
        return error;
    } catch (const OptionSet::Asked& asked) {
        return Information{asked.name == "help" ? windowHelp(call.options())
                                                : "lockscope " LOCKSCOPE_VERSION "\n"};
    }
}

} // namespace lockscope::app
