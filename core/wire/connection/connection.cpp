#include "core/wire/connection/connection.h"

#include "core/kernel/store/limits.h"
#include "core/kernel/store/server_info.h"
#include "core/wire/connection/master_finder.h"
#include "core/wire/connection/read_only_gate.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

constexpr std::size_t kFirstBytesMax = 64;
constexpr std::string_view kClientName = "lockscope";
/// A connection that did not last as long was no success: a server that answers and hangs up is not
/// to be called again and again without a growing pause.
constexpr Duration kLastingConnection = std::chrono::seconds(1);

/// While there is no master, the Sentinels are asked for the next one as often.
constexpr Duration kLongestWithoutMaster = std::chrono::milliseconds(250);
/// While there is one, they are asked whether it still is. Two questions cost them next to nothing.
constexpr Duration kMasterInterval = std::chrono::milliseconds(500);

std::chrono::milliseconds untilTimer(Instant when, Instant now)
{
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(when - now),
                    std::chrono::milliseconds(0));
}

/// RESP2 has no type of its own for pub/sub messages: they are arrays that begin with a word.
bool isMessage(const store::Reply& reply)
{
    const store::Reply::Array* const parts = reply.array();
    if (parts == nullptr || parts->size() < 3) {
        return false;
    }
    const std::string* const kind = parts->front().text();
    return kind != nullptr && (*kind == "message" || *kind == "pmessage");
}

/// "1339518083.107412 [0 127.0.0.1:60866] …": no answer to a command looks like that.
bool isMonitorLine(const store::Reply& reply)
{
    const std::string* const text = reply.text();
    return text != nullptr && !text->empty() && text->front() >= '0' && text->front() <= '9'
           && text->find(" [") != std::string::npos;
}

/// An answer to the introduction that makes the connection useless, as opposed to a missing
/// permission.
bool isFatalInGreeting(const Problem& problem, bool isOptional)
{
    switch (problem.kind) {
    case Problem::Kind::None: return false;
    case Problem::Kind::NoPermission: return !isOptional;
    case Problem::Kind::ServerRefused:
        return !isOptional || problem.detail.find("max number of clients") != std::string::npos
               || problem.detail.starts_with("DENIED");
    default: return true;
    }
}

} // namespace

Connection::Connection(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng,
                       QObject* parent)
    : QObject(parent),
      m_endpoint(std::move(endpoint)),
      m_executor(executor),
      m_clock(clock),
      m_transport(this),
      m_backoff(rng, m_endpoint.hasSentinels() ? kLongestWithoutMaster : store::Backoff::kLongest),
      m_retryTimer(this),
      m_deadlineTimer(this)
{
    if (m_endpoint.hasSentinels()) {
        m_finder = std::make_unique<MasterFinder>(m_endpoint, executor, clock, rng.split());
    }
    m_retryTimer.setSingleShot(true);
    m_deadlineTimer.setSingleShot(true);
    connect(&m_retryTimer, &QTimer::timeout, this, &Connection::connectNow);
    connect(&m_deadlineTimer, &QTimer::timeout, this, &Connection::checkDeadlines);
    connect(&m_transport, &Transport::received, this, &Connection::receive);
    connect(&m_transport, &Transport::closed, this, &Connection::streamEnded);
    connect(&m_transport, &Transport::opened, this, [this] {
        setState(State::Greeting);
        m_greeting = async::BackgroundTask(m_executor, greet());
    });
}

Connection::~Connection()
{
    close();
}

void Connection::open()
{
    close();
    m_backoff.reset();
    connectNow();
}

void Connection::close()
{
    m_retryTimer.stop();
    m_deadlineTimer.stop();
    m_queue.breakOff(m_transport.writtenCount(), {Problem::Kind::NotConnected, "closed", {}, {}});
    m_transport.drop();
    setState(State::Closed);
    if (m_finder) {
        m_search = {};
        m_following = {};
        m_finder->rest();
    }
}

void Connection::connectNow()
{
    m_reader = ReplyReader();
    m_firstBytes.clear();
    m_hasReplied = false;
    m_expectsMessages = false;
    m_expectsMonitorLines = false;
    m_lastReceived = m_clock.now();
    ++m_session;
    setState(State::Connecting);
    if (m_endpoint.isCluster()) {
        waitAndRetry({Problem::Kind::ClusterUnsupported, {}, {}, {}}); // one server is meant
    } else if (m_finder) {
        m_search = async::BackgroundTask(m_executor, connectToMaster());
    } else {
        m_transport.open(m_endpoint);
    }
}

async::Task<void> Connection::connectToMaster()
{
    m_master.reset();
    const MasterFinder::Found found = co_await m_finder->find();
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        waitAndRetry(*problem);
        co_return;
    }
    m_master = std::get<store::MasterLocation>(found);
    m_transport.open(place());
}

store::Endpoint Connection::place() const
{
    store::Endpoint place = m_endpoint;
    if (m_master) {
        place.host = m_master->address.host;
        place.port = m_master->address.port;
        place.sentinels = {};
    }
    return place;
}

async::Task<void> Connection::greet()
{
    const Problem problem = co_await introduce();
    if (m_state != State::Greeting) {
        // The stream ended meanwhile, and that has been dealt with. What the server said before it
        // hung up explains more than the end of the stream does.
        if (m_state == State::Waiting && problem.kind != Problem::Kind::None) {
            planNextAttempt(problem);
            Q_EMIT stateChanged();
        }
        co_return;
    }
    if (problem.kind != Problem::Kind::None) {
        abandon(problem);
        co_return;
    }
    m_problem = {};
    m_onlineSince = m_clock.now();
    if (m_finder && m_followsMaster) {
        m_following = async::BackgroundTask(m_executor, keepConfirmingMaster());
    } else if (m_finder) {
        m_finder->rest();
    }
    m_gate.forgetFlags();
    setState(State::Online);
    askForFlags();
}

void Connection::abandon(const Problem& problem)
{
    m_queue.breakOff(m_transport.writtenCount(), problem);
    m_transport.drop();
    waitAndRetry(problem);
}

/// One line of what a connection says of itself.
struct Connection::Line {
    Command command;
    bool isOptional = false;
};

std::vector<Connection::Line> Connection::introduction() const
{
    std::vector<Line> lines;
    if (!m_endpoint.user.empty()) {
        lines.push_back({Command("AUTH", m_endpoint.user, m_endpoint.password)});
    } else if (!m_endpoint.password.empty()) {
        lines.push_back({Command("AUTH", m_endpoint.password)});
    }
    if (m_endpoint.database != 0) {
        lines.push_back({Command("SELECT", m_endpoint.database)});
    }
    lines.push_back({Command("CLIENT", "SETNAME", kClientName), true});
    if (m_leavesNoTrace) {
        lines.push_back({Command("CLIENT", "NO-TOUCH", "ON"), true});
    }
    return lines;
}

/// Everything at once: over a slow line each answer that is waited for is felt.
async::Task<Problem> Connection::introduce()
{
    const Instant begin = m_clock.now();
    const std::vector<Line> lines = introduction();
    std::vector<async::Pending<Outcome>> outcomes;
    outcomes.reserve(lines.size());
    for (const Line& line : lines) {
        outcomes.push_back(transmit(line.command));
    }
    std::optional<async::Pending<Outcome>> role;
    if (m_master) {
        role = transmit(Command("INFO", "replication"));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Outcome outcome = co_await std::move(outcomes[i]);
        std::optional<Problem> problem = problemOf(outcome);
        if (!problem) {
            continue;
        }
        if (problem->kind == Problem::Kind::NoPermission && problem->command.empty()) {
            problem->command = lines[i].command.words.front();
        }
        if (isFatalInGreeting(*problem, lines[i].isOptional)) {
            co_return *problem;
        }
    }
    if (role) {
        const Outcome outcome = co_await std::move(*role);
        if (auto problem = problemWithRole(outcome)) {
            co_return *problem;
        }
    }
    m_roundTrip = m_clock.now() - begin;
    co_return Problem();
}

/// A Sentinel may be late, and name a server that has become a replica meanwhile.
std::optional<Problem> Connection::problemWithRole(const Outcome& information)
{
    if (auto problem = problemOf(information)) {
        return problem;
    }
    if (store::serverInfoOf(information).role == store::ServerInfo::Role::Master) {
        return std::nullopt;
    }
    const Problem changing{Problem::Kind::MasterChanging, {}, {}, {}};
    return store::problemWithMaster(changing, *m_master);
}

async::Task<Problem> Connection::confirmMaster()
{
    const std::uint64_t session = m_session;
    const MasterFinder::Found found = co_await m_finder->find();
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        co_return *problem;
    }
    if (session != m_session || m_state != State::Online) {
        co_return obstacle();
    }
    const auto& master = std::get<store::MasterLocation>(found);
    if (master.address == m_master->address) {
        co_return Problem();
    }
    const Problem moved{Problem::Kind::MasterMoved, store::hostPortText(master.address), {}, {}};
    abandon(moved);
    co_return moved;
}

async::Task<void> Connection::keepConfirmingMaster()
{
    while (m_state == State::Online) {
        co_await m_clock.wakeAt(m_clock.now() + kMasterInterval);
        co_await confirmMaster();
    }
}

std::string Connection::node() const
{
    return m_state == State::Online && m_master ? store::hostPortText(m_master->address)
                                                : std::string();
}

async::Task<Problem> Connection::whenSettled()
{
    while (m_state == State::Connecting || m_state == State::Greeting) {
        co_await m_waiters.emplace_back().pending();
    }
    // An answer to a question of before is not believed, however young: the Sentinels may have
    // agreed on another master since, and the former one takes what it is sent as if nothing had
    // happened.
    if (m_finder && m_followsMaster && m_state == State::Online) {
        co_return co_await confirmMaster();
    }
    co_return obstacle();
}

Problem Connection::obstacle() const
{
    if (m_state == State::Online) {
        return {};
    }
    const bool isExplained = m_problem.kind != Problem::Kind::None;
    return isExplained ? m_problem : Problem{Problem::Kind::NotConnected, {}, {}, {}};
}

bool Connection::isRefusedHere(const Command& command) const
{
    return m_endpoint.isReadOnly && !m_gate.passes(command);
}

void Connection::setReadOnly(bool isReadOnly)
{
    m_endpoint.isReadOnly = isReadOnly;
    askForFlags();
}

/// Of this stream, and once: another server may answer the next one.
void Connection::askForFlags()
{
    if (m_endpoint.isReadOnly && m_state == State::Online && !m_gate.knowsFlags()) {
        m_flagsQuestion = async::BackgroundTask(m_executor, takeFlags());
    }
}

async::Task<void> Connection::takeFlags()
{
    const std::uint64_t session = m_session;
    const Command question = ReadOnlyGate::question();
    const Outcome answer = co_await transmit(question);
    if (session == m_session && m_state == State::Online) {
        m_areFlagsRefused = !m_gate.takeFlags(answer);
        Q_EMIT gateSettled();
    }
}

async::Pending<Outcome> Connection::submit(Command command)
{
    if (isRefusedHere(command)) {
        const Problem problem{Problem::Kind::ReadOnlyMode, command.words.front(), {}, {}};
        return async::Pending<Outcome>::ready(store::Unreachable{problem});
    }
    if (m_state != State::Online) {
        return async::Pending<Outcome>::ready(store::Unreachable{obstacle()});
    }
    return transmit(command);
}

async::Pending<std::vector<Outcome>> Connection::submitAll(std::vector<Command> commands)
{
    using Outcomes = std::vector<Outcome>;
    if (commands.empty()) {
        return async::Pending<Outcomes>::ready({});
    }
    const bool isRefused = std::any_of(commands.begin(), commands.end(),
                                       [this](const Command& c) { return isRefusedHere(c); });
    if (isRefused || m_state != State::Online) {
        // One refused command refuses the batch: a caller that sends a batch means all of it.
        const Problem problem = isRefused ? Problem{Problem::Kind::ReadOnlyMode, {}, {}, {}}
                                          : obstacle();
        return async::Pending<Outcomes>::ready(Outcomes(commands.size(),
                                                        Outcome(store::Unreachable{problem})));
    }
    std::string bytes;
    std::vector<std::size_t> byteCounts;
    byteCounts.reserve(commands.size());
    for (const Command& command : commands) {
        const std::size_t before = bytes.size();
        appendEncoded(bytes, command);
        byteCounts.push_back(bytes.size() - before);
    }
    const Instant now = m_clock.now();
    m_traffic.commandCount += commands.size();
    auto pending = m_queue.addBatch(byteCounts, now, now + m_endpoint.requestTimeout);
    m_transport.write(bytes);
    armDeadline();
    return pending;
}

/// A stream can end before greet() begins. What it would say then must not wait for the next
/// stream, whose replies belong to others.
async::Pending<Outcome> Connection::transmit(const Command& command)
{
    if (m_state != State::Greeting && m_state != State::Online) {
        return async::Pending<Outcome>::ready(store::Unreachable{obstacle()});
    }
    std::string bytes;
    appendEncoded(bytes, command);
    const Instant now = m_clock.now();
    ++m_traffic.commandCount;
    auto pending = m_queue.add(bytes.size(), now, now + m_endpoint.requestTimeout);
    m_transport.write(bytes);
    armDeadline();
    return pending;
}

void Connection::receive(std::string_view bytes)
{
    if (!m_reader.error().empty()) {
        return; // given up; this is what was under way by then
    }
    m_lastReceived = m_clock.now();
    if (!m_hasReplied && m_firstBytes.size() < kFirstBytesMax) {
        m_firstBytes.append(bytes.substr(0, kFirstBytesMax - m_firstBytes.size()));
    }
    m_reader.feed(bytes);
    while (std::optional<store::Reply> reply = m_reader.next()) {
        m_hasReplied = true;
        dispatch(std::move(*reply));
    }
    if (m_reader.isOverLimit()) {
        refuseMore(m_reader.error());
    } else if (!m_reader.error().empty()) {
        const auto kind = m_hasReplied ? Problem::Kind::ProtocolBroken : Problem::Kind::NotRedis;
        m_transport.fail({kind, m_hasReplied ? m_reader.error() : m_firstBytes, {}, {}});
    }
}

void Connection::refuseMore(const std::string& limit)
{
    m_transport.fail({Problem::Kind::LimitExceeded, limit, {}, {}});
}

void Connection::dispatch(store::Reply reply)
{
    if ((m_expectsMessages && isMessage(reply))
        || (m_expectsMonitorLines && isMonitorLine(reply))) {
        Q_EMIT messageReceived(reply);
        return;
    }
    if (!m_queue.isEmpty()) {
        const auto spent = m_queue.answer(std::move(reply), m_reader.lastReplyBytes(),
                                          m_clock.now());
        m_traffic.slowestCall = std::max(m_traffic.slowestCall, spent.value_or(Duration(0)));
        if (m_queue.heldBytes() > store::limits::kReplyBytesMax) {
            refuseMore("replies of more than "
                       + store::limits::sizeText(store::limits::kReplyBytesMax)
                       + " to one batch of commands");
        }
        return;
    }
    if (const store::ServerError* const error = reply.error()) {
        m_transport.fail(store::problemOfServerError(error->text, {})); // "max number of clients
                                                                        // reached"
        return;
    }
    m_transport.fail({Problem::Kind::ProtocolBroken, "a reply without a request", {}, {}});
}

void Connection::streamEnded(const Problem& problem)
{
    const Problem explained = m_master ? store::problemWithMaster(problem, *m_master) : problem;
    m_queue.breakOff(m_transport.writtenCount(), explained);
    waitAndRetry(explained);
}

void Connection::waitAndRetry(const Problem& problem)
{
    m_deadlineTimer.stop();
    if (m_state == State::Online && m_clock.now() - m_onlineSince >= kLastingConnection) {
        m_backoff.reset();
    }
    const Duration wait = m_backoff.next();
    m_nextAttempt = m_clock.now() + wait;
    m_retryTimer.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
    planNextAttempt(problem);
    setState(State::Waiting);
}

void Connection::planNextAttempt(const Problem& problem)
{
    m_problem = problem;
    if (problem.kind == Problem::Kind::PasswordWrong
        || problem.kind == Problem::Kind::SentinelPassword
        || problem.kind == Problem::Kind::ClusterUnsupported) {
        m_retryTimer.stop();
        m_nextAttempt = Instant::max();
    }
}

void Connection::giveUp(const Problem& problem)
{
    if (m_transport.isOpen()) {
        m_transport.fail(problem);
    }
}

Instant Connection::endOfPatience() const
{
    // A slow answer is one thing, a peer that has been silent for two deadlines another: perhaps it
    // is not there any more, and the connection was never closed.
    const Instant silentSince = std::max(m_lastReceived,
                                         m_queue.oldestSentAt().value_or(m_lastReceived));
    return silentSince + 2 * m_endpoint.requestTimeout;
}

void Connection::checkDeadlines()
{
    const Instant now = m_clock.now();
    m_queue.expire(now);
    if (!m_queue.isEmpty() && now >= endOfPatience()) {
        m_transport.fail({Problem::Kind::ReplyTimedOut, "the server stopped answering", {}, {}});
        return;
    }
    armDeadline();
}

void Connection::armDeadline()
{
    if (m_queue.isEmpty() || m_deadlineTimer.isActive()) {
        return;
    }
    const Instant next = m_queue.nextDeadline().value_or(endOfPatience());
    m_deadlineTimer.start(untilTimer(next, m_clock.now()));
}

void Connection::setState(State state)
{
    if (state != m_state || state == State::Waiting) {
        m_state = state;
        for (async::Completer<bool>& waiter : std::exchange(m_waiters, {})) {
            waiter.complete(true);
        }
        Q_EMIT stateChanged();
    }
}

} // namespace lockscope::wire
