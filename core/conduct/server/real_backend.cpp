#include "core/conduct/server/real_backend.h"

#include "core/conduct/server/reply_frame.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/sim/sim_database.h"
#include "core/wire/connection/codec.h"
#include "core/wire/loop_clock.h"

#include <QStandardPaths>
#include <QString>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace lockscope::conduct {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using store::Command;
using store::Reply;

namespace {

constexpr auto kServerStartMax = 20s; // on a busy machine
constexpr auto kAnswerMax = 20s;
constexpr auto kLook = 5ms;
/// Of the command of a client that waits for no key: some have no answer (CLIENT REPLY OFF).
constexpr int kLooksWithoutAnswer = 3;
/// By so much the leases may be behind the owner's clock.
constexpr auto kPaceStep = 10ms;
constexpr std::size_t kReadPiece = 16'384;

Duration secondsIn(const Bytes& word)
{
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::strtod(word.c_str(), nullptr)));
}

Duration millisecondsIn(const Bytes& word)
{
    return milliseconds(std::strtoll(word.c_str(), nullptr, 10));
}

/// How long a command that blocks its client may do so; nullopt: for ever.
std::optional<Duration> waitMaxOf(const Command& command)
{
    const std::string name = uppered(command.words.front());
    const auto block = std::ranges::find_if(command.words, [](const Bytes& word) {
        return uppered(word) == "BLOCK";
    });
    Duration wait{0};
    if (name == "WAIT" || name == "WAITAOF") {
        wait = millisecondsIn(command.words.back());
    } else if (name == "BLMPOP" || name == "BZMPOP") {
        wait = secondsIn(command.words.at(1));
    } else if (name.starts_with('X')) {
        wait = block != command.words.end() && std::next(block) != command.words.end()
                   ? millisecondsIn(*std::next(block))
                   : Duration(0);
    } else {
        wait = secondsIn(command.words.back());
    }
    return wait > Duration(0) ? std::optional(wait) : std::nullopt;
}

/// What answers SUBSCRIBE and its like, which RESP3 sends as if it had not been asked for.
bool isSubscription(const Reply& reply)
{
    const auto* const items = reply.array();
    const std::string* const kind = items != nullptr && !items->empty() ? items->front().text()
                                                                        : nullptr;
    return kind != nullptr && kind->ends_with("subscribe");
}

} // namespace

class RealBackend::Line {
public:
    struct Piece {
        ReplyFrame frame;
        std::string bytes;
    };

    explicit Line(const std::string& path)
        : m_file(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(&address.sun_path[0], sizeof(address.sun_path) - 1);
        if (m_file < 0
            || ::connect(m_file, reinterpret_cast<const sockaddr*>(&address), sizeof(address))
                   != 0) {
            const int error = errno;
            close();
            throw std::system_error(error, std::generic_category(), "redis-server");
        }
    }
    ~Line() { close(); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    bool isClosed() const { return m_file < 0; }

    void send(const Command& command)
    {
        std::string bytes;
        wire::appendEncoded(bytes, command);
        std::string_view left = bytes;
        while (!left.empty() && !isClosed()) {
            const ssize_t count = ::send(m_file, left.data(), left.size(), MSG_NOSIGNAL);
            if (count > 0) {
                left.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                close();
            }
        }
    }

    /// What the server says next, within that time.
    std::optional<Piece> take(milliseconds patience)
    {
        for (;;) {
            if (const auto frame = firstFrameIn(m_input)) {
                Piece piece{*frame, m_input.substr(0, frame->size)};
                m_input.erase(0, frame->size);
                return piece;
            }
            pollfd file{m_file, POLLIN, 0};
            const int ready = isClosed() ? 0 : ::poll(&file, 1, static_cast<int>(patience.count()));
            if (ready == 0 || (ready > 0 && !readSome())) {
                return std::nullopt; // interrupted, it waits anew
            }
        }
    }

private:
    bool readSome()
    {
        std::array<char, kReadPiece> room; // NOLINT(*-member-init): filled as far as it is used
        const ssize_t count = ::recv(m_file, room.data(), room.size(), 0);
        if (count <= 0) {
            close();
            return false;
        }
        m_input.append(room.data(), static_cast<std::size_t>(count));
        return true;
    }
    void close()
    {
        if (m_file >= 0) {
            ::close(m_file);
            m_file = -1;
        }
    }

    int m_file;
    std::string m_input;
};

RealBackend::RealBackend(const std::string& program)
{
    const std::string& folder = m_folder.path();
    m_process = std::make_unique<ClientProcess>(ClientProcess::Setting{
        {program, "--port", "0", "--unixsocket", socketPath(), "--save", "", "--appendonly", "no",
         "--dir", folder, "--logfile", folder + "/log"},
        {}});
    const Instant deadline = wire::LoopClock::present() + kServerStartMax;
    while (!m_own) {
        try {
            m_own = std::make_unique<Line>(socketPath());
        } catch (const std::system_error&) {
            if (m_process->isGone() || wire::LoopClock::present() > deadline) {
                throw std::runtime_error(KernelText::tr("%1 does not start", program));
            }
            ::poll(nullptr, 0, 1);
        }
    }
}

RealBackend::~RealBackend()
{
    m_process.reset(); // before its folder goes
}

std::string RealBackend::socketPath() const
{
    return m_folder.filePath("socket");
}

std::string RealBackend::version()
{
    const Reply info = ask(Command("INFO", "server"));
    const std::string text = info.text() != nullptr ? *info.text() : std::string();
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNames{
        {{"valkey_version:", "Valkey "}, {"redis_version:", "Redis "}}};
    for (const auto& [field, name] : kNames) {
        if (const std::size_t at = text.find(field); at != std::string::npos) {
            const std::size_t begin = at + field.size();
            return std::string(name) + text.substr(begin, text.find('\r', begin) - begin);
        }
    }
    return {};
}

/// On our own connection. Whatever was sent before has been carried out when it is answered.
Reply RealBackend::ask(const Command& command) const
{
    m_own->send(command);
    auto piece = m_own->take(kAnswerMax);
    if (!piece) {
        throw std::runtime_error(KernelText::tr("the real server does not answer"));
    }
    return std::move(piece->frame.reply);
}

Backend::SessionId RealBackend::connect(const std::string& /*address*/, sim::ServerTime now)
{
    keepPace(now);
    auto line = std::make_unique<Line>(socketPath()); // throws where the server is gone
    Client& client = m_clients[++m_lastSession];
    client.line = std::move(line);
    client.line->send(Command("CLIENT", "ID"));
    const auto piece = client.line->take(kAnswerMax);
    client.id = piece ? piece->frame.reply.integer().value_or(0) : 0;
    return m_lastSession;
}

void RealBackend::disconnect(SessionId session)
{
    m_clients.erase(session);
    ask(Command("PING")); // the server has noticed
}

bool RealBackend::isWaiting(SessionId session) const
{
    const auto client = m_clients.find(session);
    return client != m_clients.end() && client->second.wait.isGoingOn;
}

std::optional<Reply> RealBackend::run(SessionId session, const Command& command,
                                      sim::ServerTime now)
{
    const auto found = m_clients.find(session);
    if (found == m_clients.end()) {
        return std::nullopt;
    }
    keepPace(now);
    Client& client = found->second;
    client.line->send(command);
    auto answer = awaitAnswer(session, client);
    if (!answer && client.wait.isGoingOn) {
        const auto waitMax = waitMaxOf(command);
        client.wait.until = waitMax ? std::optional(now + *waitMax) : std::nullopt;
    }
    collect();
    return answer;
}

std::optional<Reply> RealBackend::awaitAnswer(SessionId session, Client& client)
{
    for (int looks = 0; looks < kLooksWithoutAnswer && !client.line->isClosed();) {
        auto piece = client.line->take(kLook);
        if (piece) {
            m_output.push_back({session, std::move(piece->bytes)});
            if (!piece->frame.isPush || isSubscription(piece->frame.reply)) {
                return std::move(piece->frame.reply);
            }
        } else if (isBlocked(client)) {
            client.wait.isGoingOn = true;
            return std::nullopt;
        } else {
            ++looks;
        }
    }
    return std::nullopt;
}

bool RealBackend::isBlocked(const Client& client) const
{
    const Reply list = ask(Command("CLIENT", "LIST", "ID", std::to_string(client.id)));
    const std::string text = list.text() != nullptr ? *list.text() : std::string();
    constexpr std::string_view kFlags = " flags=";
    const std::size_t begin = text.find(kFlags);
    if (begin == std::string::npos) {
        return false;
    }
    const std::size_t end = text.find(' ', begin + kFlags.size());
    return text.substr(begin + kFlags.size(), end - begin - kFlags.size()).find('b')
           != std::string::npos;
}

/// What the latest command caused on other connections has been sent when we are answered.
void RealBackend::collect()
{
    ask(Command("PING"));
    std::vector<SessionId> ended;
    for (auto& [session, client] : m_clients) {
        while (auto piece = client.line->take(0ms)) {
            client.wait.isGoingOn = client.wait.isGoingOn && piece->frame.isPush;
            m_output.push_back({session, std::move(piece->bytes)});
        }
        if (client.line->isClosed()) {
            ended.push_back(session);
        }
    }
    for (const SessionId session : ended) {
        m_clients.erase(session);
        m_closed.push_back(session);
    }
}

void RealBackend::timePassed(sim::ServerTime now)
{
    keepPace(now);
    for (auto& [session, client] : m_clients) {
        if (client.wait.isGoingOn && client.wait.until && *client.wait.until <= now) {
            ask(Command("CLIENT", "UNBLOCK", std::to_string(client.id)));
        }
    }
    collect();
}

std::optional<sim::ServerTime> RealBackend::nextTimeout() const
{
    std::optional<sim::ServerTime> next;
    for (const auto& [session, client] : m_clients) {
        if (client.wait.isGoingOn && client.wait.until) {
            next = std::min(next.value_or(*client.wait.until), *client.wait.until);
        }
    }
    return next;
}

/// Leases go on as fast as the owner's clock, whatever the machine's has done meanwhile.
void RealBackend::keepPace(sim::ServerTime now)
{
    const Instant really = wire::LoopClock::present();
    if (m_seenAt) {
        const auto ahead = std::chrono::duration_cast<milliseconds>((now - *m_seenAt)
                                                                    - (really - m_reallySeenAt));
        if (std::chrono::abs(ahead) < kPaceStep) {
            return;
        }
        for (const Bytes& key : names()) {
            shiftExpiry(key, ahead);
        }
    }
    m_seenAt = now;
    m_reallySeenAt = really;
}

/// One that is over by now expires as the server has keys expire, not by a command.
void RealBackend::shiftExpiry(const Bytes& key, milliseconds span) const
{
    const auto left = leftOf(key);
    if (!left) {
        return;
    }
    const milliseconds then = std::max(*left - span, 1ms);
    ask(Command("PEXPIRE", key, std::to_string(then.count())));
    while (then == 1ms && ask(Command("EXISTS", key)) != Reply::ofInteger(0)) {}
}

std::vector<Bytes> RealBackend::names() const
{
    std::vector<Bytes> found;
    const Reply reply = ask(Command("KEYS", "*"));
    for (const Reply& item : reply.array() != nullptr ? *reply.array() : Reply::Array()) {
        found.push_back(item.text() != nullptr ? *item.text() : Bytes());
    }
    return found;
}

/// nullopt: it never expires, or is not there.
std::optional<milliseconds> RealBackend::leftOf(const Bytes& key) const
{
    const std::int64_t left = ask(Command("PTTL", key)).integer().value_or(-1);
    return left >= 0 ? std::optional(milliseconds(left)) : std::nullopt;
}

std::vector<Backend::Key> RealBackend::keys(sim::ServerTime now) const
{
    std::vector<Key> found;
    for (Bytes& name : names()) {
        const auto left = leftOf(name);
        found.push_back({std::move(name),
                         left ? std::optional(sim::toEpochMs(now) + left->count()) : std::nullopt});
    }
    return found;
}

void RealBackend::forgetKeys()
{
    m_replicated.reset();
    ask(Command("FLUSHALL"));
}

void RealBackend::forgetScripts()
{
    ask(Command("SCRIPT", "FLUSH"));
}

/// Its connections have been ended by then.
void RealBackend::restart()
{
    forgetScripts();
}

void RealBackend::stopReplication(sim::ServerTime now)
{
    m_replicated.emplace();
    for (Key& key : keys(now)) {
        const Reply value = ask(Command("DUMP", key.name));
        if (value.text() != nullptr) {
            m_replicated->push_back({std::move(key.name), *value.text(), key.expiresAtMs});
        }
    }
}

void RealBackend::failOver(sim::ServerTime now)
{
    if (!m_replicated) {
        return;
    }
    const std::vector<Copy> copies = std::move(*m_replicated);
    forgetKeys();
    forgetScripts();
    for (const Copy& copy : copies) {
        const std::int64_t left = copy.expiresAtMs ? *copy.expiresAtMs - sim::toEpochMs(now) : 0;
        if (!copy.expiresAtMs || left > 0) {
            ask(Command("RESTORE", copy.name, std::to_string(left), copy.value));
        }
    }
}

std::string realServerProgram()
{
    for (const auto& name : {QStringLiteral("redis-server"), QStringLiteral("valkey-server")}) {
        const QString path = QStandardPaths::findExecutable(name);
        if (!path.isEmpty()) {
            return path.toStdString();
        }
    }
    return {};
}

} // namespace lockscope::conduct
