#include "core/conduct/resp_server.h"

#include "core/conduct/server/reply_frame.h"
#include "core/kernel/base/kernel_text.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace lockscope::conduct {

using store::Command;
using store::Reply;

namespace {

constexpr int kBacklog = 128;
constexpr std::size_t kPieceSize = 65'536;

[[noreturn]] void failAt(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

/// An array of strings; nullopt for what no client sends.
std::optional<Command> commandIn(Reply& reply)
{
    auto* const items = std::get_if<Reply::Array>(&reply.value());
    if (items == nullptr || items->empty()) {
        return std::nullopt;
    }
    Command command;
    for (Reply& item : *items) {
        auto* const word = std::get_if<Bytes>(&item.value());
        if (word == nullptr) {
            return std::nullopt;
        }
        command.words.push_back(std::move(*word));
    }
    return command;
}

/// At once: another thread may be starting a process, which has the socket, too, until it closes
/// what it does not need.
void hangUp(int file)
{
    ::shutdown(file, SHUT_RDWR);
    ::close(file);
}

} // namespace

RespServer::RespServer(Backends backends, std::shared_ptr<ScriptShelf> shelf)
    : m_backends(std::move(backends)),
      m_shelf(std::move(shelf)),
      m_loadedCounts(m_backends.size(), 0)
{}

RespServer::~RespServer()
{
    for (const Link& link : m_links) {
        if (link.file >= 0) {
            ::close(link.file);
        }
    }
    for (const Listener& listener : m_listeners) {
        ::close(listener.file);
    }
}

std::vector<std::uint16_t> RespServer::openPorts(int seat)
{
    std::vector<std::uint16_t> ports;
    ports.reserve(m_backends.size());
    for (int server = 0; server < serverCount(); ++server) {
        ports.push_back(listenFor(seat, server));
    }
    return ports;
}

std::uint16_t RespServer::listenFor(int seat, int server)
{
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) {
        failAt("socket");
    }
    m_listeners.push_back({.seat = seat, .server = server, .file = file});
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(file, generic, size) != 0 || ::listen(file, kBacklog) != 0
        || ::getsockname(file, generic, &size) != 0) {
        failAt("a port on 127.0.0.1");
    }
    return ntohs(address.sin_port);
}

std::string RespServer::openSocket(int seat)
{
    if (!m_folder) {
        m_folder.emplace();
    }
    std::string path = m_folder->filePath(std::to_string(seat));
    const int file = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) {
        failAt("socket");
    }
    m_listeners.push_back({.seat = seat, .file = file, .path = path});
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(&address.sun_path[0], sizeof(address.sun_path) - 1);
    if (::bind(file, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0
        || ::listen(file, kBacklog) != 0) {
        failAt("a unix socket");
    }
    return path;
}

void RespServer::closePorts(int seat)
{
    cutAll(seat);
    std::erase_if(m_listeners, [seat](const Listener& listener) {
        if (listener.seat == seat) {
            ::close(listener.file);
            ::unlink(listener.path.c_str());
        }
        return listener.seat == seat;
    });
}

void RespServer::appendFiles(std::vector<pollfd>& files) const
{
    for (const Listener& listener : m_listeners) {
        files.push_back({listener.file, POLLIN, 0});
    }
    for (const Link& link : m_links) {
        if (link.file >= 0) {
            const bool hasMore = !link.output.empty() && !link.areAnswersHeld;
            const int events = hasMore ? POLLIN | POLLOUT : POLLIN;
            files.push_back({link.file, static_cast<short>(events), 0});
        }
    }
}

/// Its client has gone, and nothing of it is under way: a server carries out what it has received.
bool RespServer::isDone(const Link& link) const
{
    return link.file < 0 && (link.requests.empty() || isWaiting(link));
}

bool RespServer::receive(sim::ServerTime now)
{
    bool isAnything = false;
    for (const Listener& listener : m_listeners) {
        while (acceptAt(listener, now)) {
            isAnything = true;
        }
    }
    for (auto link = m_links.begin(); link != m_links.end();) {
        const auto next = std::next(link);
        if (!link->output.empty() && !link->areAnswersHeld) {
            flush(*link);
        }
        isAnything = readFrom(*link) || isAnything;
        if (isDone(*link)) {
            drop(link);
        }
        link = next;
    }
    return isAnything;
}

bool RespServer::acceptAt(const Listener& listener, sim::ServerTime now)
{
    sockaddr_in peer{};
    socklen_t size = sizeof(peer);
    const int file = ::accept4(listener.file, reinterpret_cast<sockaddr*>(&peer), &size,
                               SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file < 0) {
        return false;
    }
    if (listener.isRefused || m_down.contains(listener.server)) {
        hangUp(file);
        m_spokenTo.push_back(listener.seat);
        return true;
    }
    const int on = 1;
    if (listener.path.empty()) {
        ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    }
    Link& link = m_links.emplace_back();
    link.id = ++m_lastLink;
    link.seat = listener.seat;
    link.server = listener.server;
    link.file = file;
    // Redis says ":0" of clients of its unix socket.
    const std::string address = listener.path.empty()
                                    ? "127.0.0.1:" + std::to_string(ntohs(peer.sin_port))
                                    : listener.path + ":0";
    link.session = backendOf(link).connect(address, now);
    return true;
}

/// Requests have the form of replies. False: something else came, or one that is too long; a server
/// says so and closes the connection (setProtocolError() in networking.c).
bool RespServer::takeRequestsIn(Link& link)
{
    try {
        while (auto frame = firstFrameIn(link.input, kRequestMax)) {
            link.input.erase(0, frame->size);
            if (auto command = commandIn(frame->reply)) {
                link.requests.emplace_back(++m_arrivals, std::move(*command));
            }
        }
    } catch (const FrameTooLong& problem) {
        m_limitReached =
            KernelText::tr("a request of more than %1 MB, which the played server does "
                           "not take",
                           kRequestMax >> 20U);
        link.output += std::string("-ERR Protocol error: ") + problem.what() + "\r\n";
        flush(link);
        return false;
    } catch (const std::runtime_error&) {
        return false;
    }
    return true;
}

/// A connection that has ended has no file afterwards.
bool RespServer::readFrom(Link& link)
{
    if (link.file < 0) {
        return false;
    }
    std::array<char, kPieceSize> room; // NOLINT(*-member-init): filled as far as it is used
    const ssize_t count = ::recv(link.file, room.data(), room.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (count > 0) {
        link.input.append(room.data(), static_cast<std::size_t>(count));
    }
    if (count <= 0 || !takeRequestsIn(link)) {
        hangUp(link.file);
        link.file = -1;
        link.input = {};
    }
    return true;
}

std::optional<Request> RespServer::takeRequest()
{
    Link* first = nullptr;
    for (Link& link : m_links) {
        const bool isReady = !link.requests.empty() && !link.isHeld && !isWaiting(link);
        if (isReady
            && (first == nullptr || link.requests.front().first < first->requests.front().first)) {
            first = &link;
        }
    }
    if (first == nullptr) {
        return std::nullopt;
    }
    Request request{first->id, first->seat, first->server,
                    std::move(first->requests.front().second)};
    first->requests.pop_front();
    return request;
}

std::optional<Reply> RespServer::execute(const Request& request, sim::ServerTime now)
{
    const Link* const link = find(request.link);
    if (link == nullptr) {
        return std::nullopt; // it was cut off meanwhile
    }
    m_shelf->keep(request.command);
    Backend& backend = backendOf(*link);
    auto answer = backend.run(link->session, request.command, now);
    if (backend.takeHasStoppedAScript()) {
        m_limitReached =
            KernelText::tr("a script that takes more time or memory than the simulated "
                           "server gives it");
    }
    pass(request.server);
    return answer;
}

void RespServer::holdRequests(Request request)
{
    if (Link* const link = find(request.link)) {
        link->isHeld = true;
        link->requests.emplace_front(++m_arrivals, std::move(request.command));
    }
}

void RespServer::holdAnswers(LinkId id)
{
    if (Link* const link = find(id)) {
        link->areAnswersHeld = true;
    }
}

void RespServer::letGo(LinkId id)
{
    if (Link* const link = find(id)) {
        link->isHeld = false;
        link->areAnswersHeld = false;
        flush(*link);
    }
}

void RespServer::cut(LinkId id)
{
    const auto link = std::ranges::find(m_links, id, &Link::id);
    if (link != m_links.end()) {
        drop(link);
    }
}

template<class Condition>
void RespServer::dropWhere(Condition condition)
{
    for (auto link = m_links.begin(); link != m_links.end();) {
        const auto next = std::next(link);
        if (condition(*link)) {
            drop(link);
        }
        link = next;
    }
}

void RespServer::cutAll(int seat)
{
    dropWhere([seat](const Link& link) { return link.seat == seat; });
}

void RespServer::refuse(int seat, bool isRefused)
{
    for (Listener& listener : m_listeners) {
        if (listener.seat == seat) {
            listener.isRefused = isRefused;
        }
    }
}

void RespServer::setDown(int server, bool isDown)
{
    if (!isDown) {
        m_down.erase(server);
        return;
    }
    m_down.insert(server);
    dropWhere([server](const Link& link) { return link.server == server; });
    m_backends[indexOf(server)]->restart();
    m_loadedCounts[indexOf(server)] = 0;
}

void RespServer::forgetScripts(int server)
{
    m_backends[indexOf(server)]->forgetScripts();
    m_loadedCounts[indexOf(server)] = 0;
}

void RespServer::loadScripts(sim::ServerTime now)
{
    for (int server = 0; server < serverCount(); ++server) {
        std::size_t& count = m_loadedCounts[indexOf(server)];
        const std::vector<Bytes> missing = m_shelf->scriptsFrom(count);
        if (missing.empty()) {
            continue;
        }
        Backend& backend = *m_backends[indexOf(server)];
        const Backend::SessionId session = backend.connect("127.0.0.1:0", now);
        for (const Bytes& script : missing) {
            backend.run(session, Command("SCRIPT", "LOAD", script), now);
        }
        pass(server); // to nobody
        backend.disconnect(session);
        count += missing.size();
    }
}

void RespServer::stopReplication(int server, sim::ServerTime now)
{
    m_backends[indexOf(server)]->stopReplication(now);
}

void RespServer::resumeReplication(int server)
{
    m_backends[indexOf(server)]->resumeReplication();
    pass(server);
}

void RespServer::failOver(int server, sim::ServerTime now)
{
    dropWhere([server](const Link& link) { return link.server == server; });
    m_backends[indexOf(server)]->failOver(now);
    m_loadedCounts[indexOf(server)] = 0;
}

void RespServer::timePassed(sim::ServerTime now)
{
    for (int server = 0; server < serverCount(); ++server) {
        m_backends[indexOf(server)]->timePassed(now);
        pass(server);
    }
}

std::optional<sim::ServerTime> RespServer::nextTimeout() const
{
    std::optional<sim::ServerTime> next;
    for (const auto& backend : m_backends) {
        if (const auto timeout = backend->nextTimeout()) {
            next = std::min(next.value_or(*timeout), *timeout);
        }
    }
    return next;
}

void RespServer::forgetKeys()
{
    for (const auto& backend : m_backends) {
        backend->forgetKeys();
    }
}

RespServer::Link* RespServer::find(LinkId id)
{
    const auto link = std::ranges::find(m_links, id, &Link::id);
    return link == m_links.end() ? nullptr : &*link;
}

RespServer::Link* RespServer::findSession(int server, Backend::SessionId session)
{
    const auto link = std::ranges::find_if(m_links, [server, session](const Link& one) {
        return one.server == server && one.session == session;
    });
    return link == m_links.end() ? nullptr : &*link;
}

/// What the server has to say goes to its clients, as far as it is not held back; what it has
/// ended (QUIT, CLIENT KILL) ends here.
void RespServer::pass(int server)
{
    Backend& backend = *m_backends[indexOf(server)];
    for (const Backend::Output& output : backend.takeOutput()) {
        if (Link* const link = findSession(server, output.session)) {
            link->output += output.bytes;
            if (!link->areAnswersHeld) {
                flush(*link);
            }
        }
    }
    for (const Backend::SessionId session : backend.takeClosed()) {
        if (const Link* const link = findSession(server, session)) {
            cut(link->id);
        }
    }
}

/// Sends as much as the socket takes. The rest follows as soon as the client has read something. A
/// client that reads nothing is cut off, as with client-output-buffer-limit.
void RespServer::flush(Link& link)
{
    if (link.file < 0) {
        return; // nobody hears it
    }
    m_spokenTo.push_back(link.seat);
    const ssize_t count = ::send(link.file, link.output.data(), link.output.size(),
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
        link.output.erase(0, static_cast<std::size_t>(count));
    }
    if (link.output.size() > kOutputMax) {
        hangUp(link.file);
        link.file = -1;
        link.output = {};
    }
}

void RespServer::drop(std::list<Link>::iterator link)
{
    if (link->file >= 0) {
        hangUp(link->file);
    }
    m_spokenTo.push_back(link->seat);
    backendOf(*link).disconnect(link->session);
    m_links.erase(link);
}

} // namespace lockscope::conduct
