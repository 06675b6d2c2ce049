#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/url_options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace lockscope::store {

namespace {

constexpr std::string_view kSentinelScheme = "+sentinel";
constexpr std::string_view kClusterScheme = "+cluster";
constexpr std::string_view kDatabaseOption = "db";
constexpr std::uint16_t kServerPort = 6379;
constexpr std::uint16_t kSentinelPort = 26379;
constexpr std::size_t kLongestSocketPath = 107; // sun_path of Linux, without its final zero

std::string inQuotes(std::string_view text)
{
    return '"' + elidedMiddle(escaped(text), 40) + '"';
}

/// The name of the first option of a query: "?name=value&…". An option without a "=" has none that
/// could be repeated: it may be a value that was left alone.
std::string_view optionName(std::string_view query)
{
    const std::string_view first = query.substr(0, query.find_first_of("&;#"));
    const std::size_t equals = first.find('=');
    return equals == std::string_view::npos ? std::string_view() : first.substr(0, equals);
}

bool namesPassword(std::string_view query)
{
    const std::string text = lowered(query);
    return text.find("pass") != std::string::npos || text.find("auth") != std::string::npos;
}

std::optional<Bytes> percentDecoded(std::string_view text)
{
    Bytes out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const std::string_view digits = text.substr(i + 1, 2);
        unsigned value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                  value, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) {
            return std::nullopt;
        }
        out += static_cast<char>(value);
        i += 2;
    }
    return out;
}

/// Reads one URL from left to right into an endpoint. The first thing that is wrong ends the
/// reading. What it says about it repeats nothing that may be a password.
class UrlReader {
public:
    explicit UrlReader(std::string_view url) : m_url(url), m_rest(url) {}

    std::variant<Endpoint, UrlError> read()
    {
        if (readAll()) {
            return m_endpoint;
        }
        return m_error;
    }

    std::variant<std::vector<HostPort>, UrlError> readHostsAlone(std::uint16_t usualPort)
    {
        std::vector<HostPort> hosts;
        if (readHosts(m_rest, usualPort, hosts)) {
            return hosts;
        }
        return m_error;
    }

private:
    /// Records what is wrong; `part` is a piece of the URL and tells where. Always false.
    bool fail(std::string reason, std::string_view part)
    {
        m_error = UrlError{std::move(reason), static_cast<std::size_t>(part.data() - m_url.data())};
        return false;
    }

    bool readAll()
    {
        m_rest = trimmed(m_rest);
        if (m_rest.empty()) {
            return fail(
                KernelText::tr("no address: enter a host, redis://host:port or unix:///path"),
                m_rest);
        }
        if (!readScheme()) {
            return false;
        }
        return m_endpoint.transport == Endpoint::Transport::UnixSocket ? readSocket()
                                                                       : readServer();
    }

    bool readScheme()
    {
        const std::size_t length = m_rest.find("://");
        const std::string_view scheme = m_rest.substr(0, length);
        if (length == std::string_view::npos
            || scheme.find_first_of("@/?") != std::string_view::npos) {
            return checkSchemeless();
        }
        const std::string name = lowered(scheme);
        m_namesSentinels = name.ends_with(kSentinelScheme);
        m_namesCluster = name.ends_with(kClusterScheme);
        if (name == "rediss" || name == "rediss+sentinel" || name == "rediss+cluster") {
            m_endpoint.transport = Endpoint::Transport::Tls;
        } else if (name == "unix") {
            m_endpoint.transport = Endpoint::Transport::UnixSocket;
        } else if (name != "redis" && name != "redis+sentinel" && name != "redis+cluster") {
            return fail(KernelText::tr("unknown scheme %1: use redis://, rediss://, unix://, "
                                       "redis+sentinel:// or redis+cluster://",
                                       inQuotes(scheme)),
                        scheme);
        }
        m_rest.remove_prefix(length + 3);
        return true;
    }

    /// Catches what looks like a URL but is not quite one, before it is taken for a host name.
    bool checkSchemeless()
    {
        if (m_rest.front() == '/') {
            const std::string_view path = m_rest.substr(0, m_rest.find_first_of("?#@"));
            return fail(KernelText::tr("a socket path needs its scheme: unix://%1", escaped(path)),
                        m_rest);
        }
        for (const std::string_view scheme :
             {"redis:", "rediss:", "unix:", "redis+sentinel:", "rediss+sentinel:", "redis+cluster:",
              "rediss+cluster:"}) {
            const bool isScheme = lowered(m_rest.substr(0, scheme.size())) == scheme;
            if (isScheme && m_rest.substr(scheme.size()).starts_with('/')) {
                return fail(KernelText::tr("the scheme must be followed by two slashes: %1//",
                                           scheme),
                            m_rest.substr(scheme.size()));
            }
        }
        return true;
    }

    bool readServer()
    {
        const std::string_view authority = takeUntil("/?#");
        const std::string_view beforeSsh = m_rest.substr(0, m_rest.find("ssh=")); // may have an "@"
        if (authority.find('@') == std::string_view::npos
            && beforeSsh.find('@') != std::string_view::npos) {
            return fail(KernelText::tr("a \"/\", \"?\" or \"#\" in a user name or password must be "
                                       "percent-encoded (%2F, %3F, %23)"),
                        m_rest);
        }
        if (!readCredentials(authority)) {
            return false;
        }
        const bool isPathRead = m_namesSentinels ? readMasterName()
                                : m_namesCluster ? true
                                                 : readDatabasePath();
        return isPathRead && readOptions() && expectNothingMore();
    }

    bool readSocket()
    {
        const std::string_view authority = takeUntil("/?#");
        const std::size_t at = authority.rfind('@');
        const std::string_view host = at == std::string_view::npos ? authority
                                                                   : authority.substr(at + 1);
        if (!host.empty()) {
            return fail(KernelText::tr(
                            "the socket path must be absolute, with three slashes: unix:///path"),
                        host);
        }
        if (!authority.empty() && !readUserInfo(authority.substr(0, at))) {
            return false;
        }
        return readSocketPath() && readOptions() && expectNothingMore();
    }

    std::string_view takeUntil(std::string_view delimiters)
    {
        const std::string_view part = m_rest.substr(0, m_rest.find_first_of(delimiters));
        m_rest.remove_prefix(part.size());
        return part;
    }

    bool readCredentials(std::string_view authority)
    {
        const std::size_t at = authority.rfind('@');
        if (at != std::string_view::npos && !readUserInfo(authority.substr(0, at))) {
            return false;
        }
        const std::string_view where = at == std::string_view::npos ? authority
                                                                    : authority.substr(at + 1);
        if (m_namesSentinels) {
            return readHosts(where, kSentinelPort, m_endpoint.sentinels.hosts);
        }
        if (m_namesCluster) {
            return readHosts(where, kServerPort, m_endpoint.clusterSeeds);
        }
        HostPort server{{}, kServerPort};
        if (!readHostAndPort(where, server)) {
            return false;
        }
        m_endpoint.host = std::move(server.host);
        m_endpoint.port = server.port;
        return true;
    }

    bool readHosts(std::string_view list, std::uint16_t usualPort, std::vector<HostPort>& target)
    {
        while (true) {
            const std::size_t comma = std::min(list.find(','), list.size());
            HostPort host{{}, usualPort};
            if (!readHostAndPort(trimmed(list.substr(0, comma)), host)) {
                return false;
            }
            target.push_back(std::move(host));
            if (comma == list.size()) {
                return true;
            }
            list.remove_prefix(comma + 1);
        }
    }

    bool readMasterName()
    {
        std::string_view name = takeUntil("?#");
        name.remove_prefix(name.starts_with('/') ? 1 : 0);
        if (name.empty()) {
            return fail(KernelText::tr("the name of the master is missing: "
                                       "redis+sentinel://host:port/mymaster"),
                        m_rest);
        }
        if (name.find('/') != std::string_view::npos) {
            return fail(KernelText::tr("only the name of the master may follow the Sentinels; the "
                                       "database is an option: ?db=N"),
                        name);
        }
        return readDecoded(name, KernelText::tr("name of the master"),
                           m_endpoint.sentinels.masterName);
    }

    bool readUserInfo(std::string_view userInfo)
    {
        const std::size_t colon = userInfo.find(':');
        if (!readDecoded(userInfo.substr(0, colon), KernelText::tr("user name"), m_endpoint.user)) {
            return false;
        }
        return colon == std::string_view::npos
               || readDecoded(userInfo.substr(colon + 1), KernelText::tr("password"),
                              m_endpoint.password);
    }

    bool readDecoded(std::string_view part, std::string_view what, std::string& target)
    {
        std::optional<Bytes> decoded = percentDecoded(part);
        if (!decoded) {
            return fail(KernelText::tr(
                            "malformed percent-encoding in the %1: \"%\" must be followed by two "
                            "hexadecimal digits (\"%\" itself is %25)",
                            what),
                        part);
        }
        target = std::move(*decoded);
        return true;
    }

    bool readHostAndPort(std::string_view text, HostPort& target)
    {
        if (text.starts_with('[')) {
            return readBracketedHost(text, target);
        }
        const std::size_t colon = text.find(':');
        if (colon != text.rfind(':')) {
            return fail(KernelText::tr("an IPv6 address needs brackets: [::1]:6379"), text);
        }
        const std::string_view host = text.substr(0, colon);
        if (host.empty()) {
            return fail(KernelText::tr("the host is missing"), text);
        }
        const auto isHostOctet = [](char c) {
            return isAlphanumeric(c) || c == '-' || c == '.' || c == '_'
                   || (static_cast<unsigned char>(c) >= 0x80U);
        };
        for (const char& c : host) {
            if (!isHostOctet(c)) {
                return fail(KernelText::tr("%1 cannot be part of a host name",
                                           inQuotes(std::string_view(&c, 1))),
                            std::string_view(&c, 1));
            }
        }
        target.host = host;
        return colon == std::string_view::npos || readPort(text.substr(colon + 1), target.port);
    }

    bool readBracketedHost(std::string_view text, HostPort& target)
    {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) {
            return fail(KernelText::tr("the closing \"]\" of the IPv6 address is missing"), text);
        }
        const std::string_view address = text.substr(1, close - 1);
        const std::string_view withoutZone = address.substr(0, address.find('%'));
        if (withoutZone.find(':') == std::string_view::npos
            || withoutZone.find_first_not_of("0123456789abcdefABCDEF:.")
                   != std::string_view::npos) {
            return fail(KernelText::tr("%1 is not an IPv6 address", inQuotes(address)), address);
        }
        std::string_view zone = address.substr(withoutZone.size());
        if (zone.starts_with("%25")) {
            zone.remove_prefix(2); // a URL writes the "%" before a zone as %25; a bare one is
                                   // understood too
            target.host = std::string(withoutZone) + '%' + std::string(zone.substr(1));
        } else {
            target.host = address;
        }
        const std::string_view rest = text.substr(close + 1);
        if (rest.empty()) {
            return true;
        }
        return rest.front() == ':' ? readPort(rest.substr(1), target.port)
                                   : fail(KernelText::tr("only a port may follow the \"]\""), rest);
    }

    bool readPort(std::string_view digits, std::uint16_t& target)
    {
        if (digits.empty()) {
            return fail(KernelText::tr("the port after \":\" is missing"), digits);
        }
        if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
            // Not repeated: when the host was forgotten, this is the password.
            return fail(KernelText::tr("the port is not a number"), digits);
        }
        const std::optional<int> port = wholeNumber(digits);
        if (!port || *port < 1 || *port > 65535) {
            // Longer ones are not repeated either: a password may be a number.
            constexpr std::size_t kPortDigitsMax = 5;
            return fail(digits.size() <= kPortDigitsMax
                            ? KernelText::tr("the port %1 is out of range (1 to 65535)", digits)
                            : KernelText::tr("the port is out of range (1 to 65535)"),
                        digits);
        }
        target = static_cast<std::uint16_t>(*port);
        return true;
    }

    bool readDatabasePath()
    {
        if (!m_rest.starts_with('/')) {
            return true;
        }
        m_rest.remove_prefix(1);
        const std::string_view database = takeUntil("?#");
        return database.empty() || readDatabase(database);
    }

    bool readDatabase(std::string_view digits)
    {
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
            // What follows a "&" was meant as an option, and its value is not repeated.
            const std::size_t option = digits.find('&');
            const std::string shown(digits.substr(0, option));
            return namesPassword(digits)
                       ? failForPassword(digits)
                       : fail(KernelText::tr("database %1 is not a number",
                                             inQuotes(option == std::string_view::npos
                                                          ? shown
                                                          : shown + "&…")),
                              digits);
        }
        const std::optional<int> database = wholeNumber(digits);
        if (!database) {
            return fail(KernelText::tr("database %1 is out of range", elidedMiddle(digits, 20)),
                        digits);
        }
        m_endpoint.database = *database;
        return true;
    }

    /// nullopt when the digits do not fit.
    static std::optional<int> wholeNumber(std::string_view digits)
    {
        int value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                                  value);
        return error == std::errc() ? std::optional(value) : std::nullopt;
    }

    bool readSocketPath()
    {
        const std::string_view path = takeUntil("?#");
        if (path.size() <= 1) {
            return fail(KernelText::tr("the path of the socket is missing: unix:///path"), path);
        }
        if (!readDecoded(path, KernelText::tr("socket path"), m_endpoint.socketPath)) {
            return false;
        }
        if (m_endpoint.socketPath.find('\0') != std::string::npos) {
            return fail(KernelText::tr("a socket path cannot contain a zero byte"), path);
        }
        if (m_endpoint.socketPath.size() > kLongestSocketPath) {
            return fail(
                KernelText::tr("the socket path is longer than the system allows (107 bytes)"),
                path);
        }
        return true;
    }

    bool readOptions()
    {
        while (m_rest.starts_with('?') || m_rest.starts_with('&')) {
            m_rest.remove_prefix(1);
            if (!readOption(takeUntil("&#"))) {
                return false;
            }
        }
        return true;
    }

    /// What follows the "=" of an option.
    static std::string_view valueOf(std::string_view option)
    {
        const std::size_t equals = std::min(option.find('='), option.size());
        return option.substr(std::min(equals + 1, option.size()));
    }

    bool isOnSocket() const { return m_endpoint.transport == Endpoint::Transport::UnixSocket; }

    /// What this kind of address takes, in the order in which it is said.
    std::vector<std::string_view> optionNames() const
    {
        std::vector<std::string_view> names;
        if (isOnSocket() || m_namesSentinels || m_namesCluster) {
            names.push_back(kDatabaseOption); // others have it in their path
        }
        if (m_namesSentinels) {
            names.push_back(kSentinelUserOption);
        }
        if (m_endpoint.transport == Endpoint::Transport::Tls) {
            for (const TlsOption& option : kTlsOptions) {
                names.push_back(option.name);
            }
        }
        if (!isOnSocket()) {
            names.push_back(kSshOption);
        }
        names.insert(names.end(), {kCommandsOption, kBytesOption, kPercentOption});
        return names;
    }

    bool readOption(std::string_view option)
    {
        const std::string_view name = option.substr(0, option.find('='));
        const std::vector<std::string_view> names = optionNames();
        if (name.size() == option.size() || std::ranges::find(names, name) == names.end()) {
            return failForOption(option);
        }
        const std::string_view value = valueOf(option);
        if (name == kDatabaseOption) {
            return readDatabase(value);
        }
        if (name == kSshOption) {
            return readSshHost(value);
        }
        if (name == kCommandsOption || name == kBytesOption) {
            return name == kBytesOption ? readBound(value, m_endpoint.budget.bytesPerSecond)
                                        : readBound(value, m_endpoint.budget.commandsPerSecond);
        }
        if (name == kPercentOption) {
            return readPercent(value);
        }
        if (name == kSentinelUserOption) {
            return readDecoded(value, name, m_endpoint.sentinels.user);
        }
        const auto* const tls = std::ranges::find(kTlsOptions, name, &TlsOption::name);
        return readDecoded(value, name, m_endpoint.tls.*tls->field);
    }

    template<class Number>
    bool readBound(std::string_view digits, Number& target)
    {
        const char* const last = digits.data() + digits.size();
        const auto [end, error] = std::from_chars(digits.data(), last, target);
        return (error == std::errc() && end == last && target > 0)
               || fail(KernelText::tr("a limit of commands or bytes a second is a whole number"),
                       digits);
    }

    bool readPercent(std::string_view text)
    {
        constexpr double kAll = 100;
        double& target = m_endpoint.budget.percent;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, target);
        return (error == std::errc() && end == last && target > 0 && target <= kAll)
               || fail(KernelText::tr("a limit in percent is a number above 0, at most 100"), text);
    }

    /// As ssh takes it, which never sees anything that it could read as an option.
    bool readSshHost(std::string_view value)
    {
        if (!readDecoded(value, kSshOption, m_endpoint.sshHost)) {
            return false;
        }
        const std::string complaint = complaintAboutSshHost(m_endpoint.sshHost);
        return complaint.empty() || fail(complaint, value);
    }

    bool failForOption(std::string_view option)
    {
        if (m_namesSentinels && lowered(option).starts_with("sentinel") && namesPassword(option)) {
            return fail(KernelText::tr("the password of the Sentinels must not be a parameter: put "
                                       "it into LOCKSCOPE_SENTINEL_PASSWORD or a file"),
                        option);
        }
        if (namesPassword(option)) {
            return failForPassword(option);
        }
        std::string known;
        for (const std::string_view name : optionNames()) {
            known.append(known.empty() ? "?" : ", ").append(name).append(1, '=');
        }
        return fail(KernelText::tr("unknown option %1: this kind of address takes %2",
                                   inQuotes(optionName(option)), known),
                    option);
    }

    bool expectNothingMore()
    {
        if (m_rest.empty()) {
            return true;
        }
        if (namesPassword(m_rest)) {
            return failForPassword(m_rest);
        }
        const std::string name = m_rest.front() + std::string(optionName(m_rest.substr(1)));
        return fail(KernelText::tr("%1 is not expected in an address", inQuotes(name)), m_rest);
    }

    bool failForPassword(std::string_view options)
    {
        return fail(
            KernelText::tr("the password must not be a parameter: put it before the host, as "
                           "in redis://user:password@host or unix://user:password@/path"),
            options);
    }

    std::string_view m_url;
    std::string_view m_rest; // not read yet; always a piece of m_url
    bool m_namesSentinels = false;
    bool m_namesCluster = false;
    Endpoint m_endpoint;
    UrlError m_error;
};

} // namespace

std::variant<Endpoint, UrlError> parseEndpoint(std::string_view url)
{
    return UrlReader(url).read();
}

std::string complaintAboutSshHost(std::string_view host)
{
    const std::size_t at = host.rfind('@');
    const std::string_view name = at == std::string_view::npos ? host : host.substr(at + 1);
    const bool isPlain = std::ranges::all_of(host, [](char c) {
        return isAlphanumeric(c) || std::string_view("-._@:[]%+").find(c) != std::string_view::npos;
    });
    const bool isOption = host.starts_with('-') || name.starts_with('-');
    return isPlain && !isOption && !name.empty() && at != 0
               ? std::string()
               : KernelText::tr("an SSH host is written host, user@host or user@host:port");
}

std::variant<std::vector<HostPort>, UrlError> parseSentinels(std::string_view text)
{
    return UrlReader(text).readHostsAlone(kSentinelPort);
}

std::variant<std::vector<HostPort>, UrlError> parseClusterSeeds(std::string_view text)
{
    return UrlReader(text).readHostsAlone(kServerPort);
}

} // namespace lockscope::store
