// The licence to believe the simulation, where several clients meet: transactions among writes of
// others, blocking commands and who is served first, messages, connections that go.

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "tests/kernel/random_input.h"
#include "tests/support/command_grammar.h"
#include "tests/support/connection_grammar.h"
#include "tests/support/live/live_server.h"
#include "tests/support/reply_agreement.h"
#include "tests/support/reply_text.h"
#include "tests/support/shrink.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lockscope::tst_sim_contract_connections {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using sim::ServerTime;
using store::Command;
using store::Reply;
using Kind = ConnectionStep::Kind;

namespace {

constexpr std::size_t kSequenceLength = 60;
constexpr std::size_t kClientCount = ConnectionGrammar::kConnectionCount;

std::size_t stepCount()
{
    const QByteArray wanted = qgetenv("LOCKSCOPE_SOAK_STEPS");
    return wanted.isEmpty() ? 20'000 : wanted.toULongLong();
}

ServerTime wallNow()
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

std::string textOf(const std::vector<Reply>& replies)
{
    std::string text;
    for (const Reply& reply : replies) {
        text += (text.empty() ? "" : ", then ") + replyText(reply);
    }
    return text.empty() ? "nothing" : text;
}

/// A part of messages and confirmations: 0 for what it is, 1 for the channel, 2 for the count.
std::vector<std::string> sortedParts(const std::vector<Reply>& replies, std::size_t part)
{
    std::vector<std::string> parts;
    for (const Reply& reply : replies) {
        const Reply::Array* const items = reply.array();
        parts.push_back(items != nullptr && items->size() > part ? replyText((*items)[part])
                                                                 : replyText(reply));
    }
    std::ranges::sort(parts);
    return parts;
}

/// A server says in any order which channels one has left, and between patterns that one message
/// matches it keeps none either.
bool agreeInAnyOrder(const std::vector<Reply>& a, const std::vector<Reply>& b,
                     const Command& command)
{
    const QByteArray name = QByteArray::fromStdString(command.words.front()).toLower();
    if (name == "unsubscribe" && command.words.size() == 1) {
        return sortedParts(a, 0) == sortedParts(b, 0) && sortedParts(a, 1) == sortedParts(b, 1)
               && sortedParts(a, 2) == sortedParts(b, 2);
    }
    const auto isByPattern = [](const Reply& reply) {
        const Reply::Array* const items = reply.array();
        return items != nullptr && items->size() == 4
               && items->front() == Reply::ofBulk("pmessage");
    };
    return std::ranges::count_if(a, isByPattern) > 1
           && std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

/// Both servers, side by side, and the same clients at each.
class Pair {
public:
    Pair()
        : m_real(LiveServer::Listen::UnixSocket,
                 {QStringLiteral("--hz"), QStringLiteral("500"),
                  QStringLiteral("--enable-debug-command"), QStringLiteral("yes")})
    {
        // Like the simulated server, it finds out that a key has expired when it is asked for it.
        m_real.client()("DEBUG", "SET-ACTIVE-EXPIRE", 0);
    }

    /// The first step on which the servers do not agree, as text; nullopt when there is none.
    std::optional<std::string> firstDifference(const std::vector<ConnectionStep>& steps,
                                               int patienceMs);

    /// How many steps were carried out in all; those of clients that wait are not.
    std::size_t doneCount() const { return m_doneCount; }

private:
    using Heard = std::array<std::vector<Reply>, kClientCount>;

    void startAgain();
    void connect(std::size_t client);
    void disconnect(std::size_t client);
    void waitForClientCount(std::size_t count);
    void letLeasesEnd();
    bool isOutOfPlace(const ConnectionStep& step) const;
    std::optional<std::string> carryOut(const ConnectionStep& step);
    Heard simulate(const ConnectionStep& step);
    std::optional<std::string> compare(const Heard& expected, const Command& command);
    std::optional<std::string> compareState();

    LiveServer m_real;
    sim::LuaEngine m_lua;
    sim::SimServer m_server{m_lua};
    ServerTime m_now;
    std::array<std::unique_ptr<PlainClient>, kClientCount> m_clients;
    std::array<sim::SessionId, kClientCount> m_sessions{};
    std::size_t m_doneCount = 0;
    int m_patienceMs = 0;
};

std::optional<std::string> Pair::firstDifference(const std::vector<ConnectionStep>& steps,
                                                 int patienceMs)
{
    m_patienceMs = patienceMs;
    startAgain();
    for (const ConnectionStep& step : steps) {
        if (const auto difference = carryOut(step)) {
            return toText(step) + *difference;
        }
    }
    for (std::size_t client = 0; client < kClientCount; ++client) {
        const ConnectionStep last{client, Kind::Commands, {Command("ping", "last")}};
        if (const auto difference = carryOut(last)) {
            return toText(last) + *difference;
        }
    }
    return compareState();
}

void Pair::startAgain()
{
    for (auto& client : m_clients) {
        client.reset();
    }
    waitForClientCount(0);
    m_real.client()("FLUSHALL");
    m_real.client()("SCRIPT", "FLUSH");
    m_server = sim::SimServer(m_lua);
    m_now = wallNow();
    for (std::size_t client = 0; client < kClientCount; ++client) {
        connect(client);
    }
}

void Pair::connect(std::size_t client)
{
    m_clients[client] = std::make_unique<PlainClient>(m_real.endpoint());
    m_sessions[client] = m_server.connect();
}

void Pair::disconnect(std::size_t client)
{
    m_clients[client].reset();
    waitForClientCount(kClientCount - 1);
    m_server.disconnect(m_sessions[client]);
}

/// Until then the real server may serve a client that has left.
void Pair::waitForClientCount(std::size_t count)
{
    const std::string expected = "connected_clients:" + std::to_string(count + 1) + "\r\n";
    QElapsedTimer timer;
    timer.start();
    while (m_real.client()("INFO", "clients").text()->find(expected) == std::string::npos) {
        if (timer.elapsed() > 10'000) {
            throw std::runtime_error("a connection does not end");
        }
    }
}

/// Asks the real server for the time until every brief lease must be over.
void Pair::letLeasesEnd()
{
    constexpr std::int64_t kEnoughMs = ConnectionGrammar::kBriefLeaseMs + 2;
    const auto realNowUs = [this] {
        const Reply time = m_real.client()("TIME");
        return std::stoll(*(*time.array())[0].text()) * 1'000'000
               + std::stoll(*(*time.array())[1].text());
    };
    const std::int64_t begin = realNowUs();
    while (realNowUs() < begin + kEnoughMs * 1000) {}
    m_now += std::chrono::milliseconds(kEnoughMs);
}

/// What the simulation does not pretend to know: subscribing inside MULTI; and a lease that begins
/// some time later.
bool Pair::isOutOfPlace(const ConnectionStep& step) const
{
    const Command& command = step.commands.front();
    const QByteArray name = QByteArray::fromStdString(command.words.front()).toLower();
    if (!name.endsWith("subscribe") && step.kind != Kind::BriefLease) {
        return false;
    }
    sim::SimServer copy = m_server;
    const auto reply = copy.run(m_sessions[step.connection], command, m_now);
    return reply == Reply::ofStatus("QUEUED");
}

std::optional<std::string> Pair::carryOut(const ConnectionStep& step)
{
    if (step.kind == Kind::Disconnect) {
        disconnect(step.connection);
        connect(step.connection);
        return std::nullopt;
    }
    if (m_server.isWaiting(m_sessions[step.connection]) || isOutOfPlace(step)) {
        return std::nullopt;
    }
    ++m_doneCount;
    const Heard expected = simulate(step);
    const bool waits = m_server.isWaiting(m_sessions[step.connection])
                       || step.kind == Kind::BriefWait;
    PlainClient& client = *m_clients[step.connection];
    client.sendAll(step.commands);
    if (waits && expected[step.connection].empty()) {
        // The only sign that it waits is that it is counted among those who do.
        std::size_t waiting = 0;
        for (const sim::SessionId session : m_sessions) {
            waiting += m_server.isWaiting(session) ? 1 : 0;
        }
        const std::string wanted = "blocked_clients:" + std::to_string(waiting) + "\r\n";
        QElapsedTimer timer;
        timer.start();
        while (m_real.client()("INFO", "clients").text()->find(wanted) == std::string::npos) {
            if (timer.elapsed() > m_patienceMs) {
                return "\n  simulated: it waits\n  real:      it does not";
            }
        }
    }
    const auto difference = compare(expected, step.commands.front());
    if (step.kind == Kind::BriefLease) {
        letLeasesEnd();
    }
    return difference;
}

/// What every client hears because of the step.
Pair::Heard Pair::simulate(const ConnectionStep& step)
{
    Heard heard;
    for (const Command& command : step.commands) {
        auto reply = m_server.run(m_sessions[step.connection], command, m_now);
        if (reply) {
            heard[step.connection].push_back(std::move(*reply));
        }
    }
    if (step.kind == Kind::BriefWait) {
        m_now += 5ms;
        m_server.endWaits(m_now);
    }
    for (sim::Delivery& delivery : m_server.takeDeliveries()) {
        const auto client = std::ranges::find(m_sessions, delivery.session);
        if (client == m_sessions.end()) {
            throw std::runtime_error("a delivery for somebody who has left");
        }
        heard[static_cast<std::size_t>(client - m_sessions.begin())].push_back(
            std::move(delivery.reply));
    }
    return heard;
}

std::optional<std::string> Pair::compare(const Heard& expected, const Command& command)
{
    const Allowance allowance = Allowance::of(command);
    for (std::size_t client = 0; client < kClientCount; ++client) {
        std::vector<Reply> heard;
        while (heard.size() < expected[client].size()) {
            std::optional<Reply> reply = m_clients[client]->listen(m_patienceMs);
            if (!reply) {
                break;
            }
            heard.push_back(std::move(*reply));
        }
        const bool isSame = std::ranges::equal(expected[client], heard,
                                               [allowance](const Reply& a, const Reply& b) {
                                                   return agree(a, b, allowance);
                                               });
        if (!isSame && !agreeInAnyOrder(expected[client], heard, command)) {
            return "\n  simulated: client " + std::to_string(client) + " hears "
                   + textOf(expected[client]) + "\n  real:      it hears " + textOf(heard);
        }
    }
    return std::nullopt;
}

/// All keys, and that no client has heard anything that was not meant for it: what a client hears
/// is there before the answers to questions that were asked later.
std::optional<std::string> Pair::compareState()
{
    const sim::SessionId observer = m_server.connect();
    for (const Command& query : CommandGrammar::stateQueries()) {
        const Reply real = m_real.client().ask(query);
        const Reply simulated = m_server.run(observer, query, m_now).value();
        if (!agree(simulated, real, Allowance::of(query))) {
            return "in the end " + store::toText(query) + "\n  simulated: " + replyText(simulated)
                   + "\n  real:      " + replyText(real);
        }
    }
    for (std::size_t client = 0; client < kClientCount; ++client) {
        if (const auto heard = m_clients[client]->listen(0)) {
            return "in the end client " + std::to_string(client) + " has heard "
                   + replyText(*heard);
        }
    }
    return std::nullopt;
}

} // namespace

class TestSimContractConnections : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void randomMeetingsAgree();
};

void TestSimContractConnections::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestSimContractConnections::randomMeetingsAgree()
{
    constexpr int kPatienceMs = 10'000;
    constexpr int kImpatienceMs = 300; // a wrong guess here only makes the story longer
    RandomInput input;
    Pair pair;
    int differences = 0;
    while (pair.doneCount() < stepCount() && differences < 5) {
        ConnectionGrammar grammar(input.rng().split(), sim::toEpochMs(wallNow()));
        std::vector<ConnectionStep> steps;
        while (steps.size() < kSequenceLength) {
            steps.push_back(grammar.next());
        }
        if (!pair.firstDifference(steps, kPatienceMs)) {
            continue;
        }
        ++differences;
        steps = shrunk(std::move(steps), [&pair](const std::vector<ConnectionStep>& fewer) {
            return pair.firstDifference(fewer, kImpatienceMs).has_value();
        });
        std::string story = input.recipe();
        for (const ConnectionStep& step : steps) {
            story += "\n  " + toText(step);
        }
        story += "\nthe first difference:\n  "
                 + pair.firstDifference(steps, kPatienceMs).value_or("gone");
        qWarning("%s", story.c_str());
    }
    QCOMPARE(differences, 0);
}

LOCKSCOPE_TEST(TestSimContractConnections, Core)

} // namespace lockscope::tst_sim_contract_connections

#include "tst_sim_contract_connections.moc"
