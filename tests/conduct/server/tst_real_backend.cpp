// A real server behind a conductor says what a simulated one says, byte by byte, on a clock that is
// not the machine's.

#include "core/conduct/server/real_backend.h"
#include "core/conduct/server/sim_backend.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_real_backend {

using namespace std::chrono_literals;
using conduct::Backend;
using conduct::RealBackend;
using conduct::SimBackend;
using store::Command;

namespace {

/// Two servers that are told the same, and their clock.
class Twins {
public:
    Twins() : m_real(conduct::realServerProgram()) {}

    RealBackend& real() { return m_real; }

    int connect()
    {
        m_sessions.emplace_back(m_sim.connect("127.0.0.1:1", m_now),
                                m_real.connect("127.0.0.1:1", m_now));
        return static_cast<int>(m_sessions.size()) - 1;
    }
    void run(int client, const Command& command)
    {
        const auto& [sim, real] = m_sessions[static_cast<std::size_t>(client)];
        m_sim.run(sim, command, m_now);
        m_real.run(real, command, m_now);
    }
    void pass(Duration span)
    {
        m_now += span;
        m_sim.timePassed(m_now);
        m_real.timePassed(m_now);
    }
    bool isWaiting(int client) const
    {
        return m_real.isWaiting(m_sessions[static_cast<std::size_t>(client)].second);
    }

    /// What each of the clients hears, in the order in which it does.
    std::string heardBySim()
    {
        return heard(m_sim, [](const auto& both) { return both.first; });
    }
    std::string heardByReal()
    {
        return heard(m_real, [](const auto& both) { return both.second; });
    }
    std::vector<std::string> keysOfReal() const { return namesOf(m_real); }
    std::vector<std::string> keysOfSim() const { return namesOf(m_sim); }
    sim::ServerTime now() const { return m_now; }

private:
    template<class Side>
    std::string heard(Backend& backend, Side side)
    {
        std::vector<std::string> texts(m_sessions.size());
        for (const Backend::Output& output : backend.takeOutput()) {
            for (std::size_t i = 0; i < m_sessions.size(); ++i) {
                texts[i] += side(m_sessions[i]) == output.session ? output.bytes : std::string();
            }
        }
        std::string all;
        for (const std::string& text : texts) {
            all += text + "|";
        }
        return all;
    }
    std::vector<std::string> namesOf(const Backend& backend) const
    {
        std::vector<std::string> names;
        for (const Backend::Key& key : backend.keys(m_now)) {
            names.push_back(key.name);
        }
        std::ranges::sort(names);
        return names;
    }

    SimBackend m_sim;
    RealBackend m_real;
    sim::ServerTime m_now{1'700'000'000s};
    std::vector<std::pair<Backend::SessionId, Backend::SessionId>> m_sessions;
};

} // namespace

class TestRealBackend : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandsAreAnsweredAlike();
    void leasesEndOnTheClockOfTheOwner();
    void aLeaseDoesNotEndBeforeThat();
    void aWaitEndsWithWhatItWaitsForOrWithItsTime();
    void messagesReachTheirSubscribers();
    void bothProtocolsAreSpoken();
    void aConnectionThatEndsIsToldOf();
    void aFailoverLosesWhatCameSinceReplicationStopped();
    void scriptsAndKeysAreForgotten();
    void itSaysWhichServerItIs();
    void aProgramThatIsNoServerIsAnError();
};

void TestRealBackend::commandsAreAnsweredAlike()
{
    Twins twins;
    const int client = twins.connect();
    const std::vector<Command> commands{
        Command("SET", "k", "token", "NX", "PX", 2000),
        Command("SET", "k", "other", "NX", "PX", 2000),
        Command("EVALSHA", std::string(40, 'a'), 1, "k"),
        Command("EVAL", "return redis.call('get', KEYS[1])", 1, "k"),
        Command("HSET", "k", "f", "1"), // of another type
        Command("MULTI"),
        Command("DEL", "k"),
        Command("EXEC"),
        Command("GET", "k"),
    };
    for (const Command& command : commands) {
        twins.run(client, command);
        QCOMPARE(twins.heardByReal(), twins.heardBySim());
    }
}

void TestRealBackend::leasesEndOnTheClockOfTheOwner()
{
    Twins twins;
    const int client = twins.connect();
    twins.run(client, Command("SET", "short", "1", "PX", 30'000));
    twins.run(client, Command("SET", "long", "1", "PX", 90'000));
    twins.run(client, Command("SET", "lasting", "1"));
    QCOMPARE(twins.keysOfReal(), twins.keysOfSim());
    twins.pass(60s);
    QCOMPARE(twins.keysOfReal(), (std::vector<std::string>{"lasting", "long"}));
    QCOMPARE(twins.keysOfSim(), twins.keysOfReal());
    for (const Backend::Key& key : twins.real().keys(twins.now())) {
        if (key.name == "long") {
            const std::int64_t left = key.expiresAtMs.value_or(0) - sim::toEpochMs(twins.now());
            QVERIFY2(left > 29'000 && left <= 30'100, std::to_string(left).c_str());
        }
    }
    twins.pass(40s);
    QCOMPARE(twins.keysOfReal(), std::vector<std::string>{"lasting"});
}

/// The machine's clock goes on, the owner's does not.
void TestRealBackend::aLeaseDoesNotEndBeforeThat()
{
    Twins twins;
    const int client = twins.connect();
    twins.run(client, Command("SET", "k", "1", "PX", 300));
    const QDeadlineTimer later(900);
    while (!later.hasExpired()) {
        twins.run(client, Command("PING"));
    }
    QCOMPARE(twins.keysOfReal(), std::vector<std::string>{"k"});
}

void TestRealBackend::aWaitEndsWithWhatItWaitsForOrWithItsTime()
{
    Twins twins;
    const int waiter = twins.connect();
    const int other = twins.connect();
    twins.run(waiter, Command("BLPOP", "list", 20));
    QVERIFY(twins.isWaiting(waiter));
    QVERIFY(twins.real().nextTimeout() == twins.now() + 20s);
    twins.run(other, Command("RPUSH", "list", "a"));
    QVERIFY(!twins.isWaiting(waiter));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
    twins.run(waiter, Command("BLPOP", "list", 20));
    twins.pass(19s);
    QVERIFY(twins.isWaiting(waiter));
    twins.pass(1s);
    QVERIFY(!twins.isWaiting(waiter));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
    QVERIFY(!twins.real().nextTimeout());
}

void TestRealBackend::messagesReachTheirSubscribers()
{
    Twins twins;
    const int listener = twins.connect();
    const int other = twins.connect();
    twins.run(listener, Command("SUBSCRIBE", "one", "two"));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
    twins.run(other, Command("PUBLISH", "two", "go"));
    const std::string heard = twins.heardByReal();
    QVERIFY(heard.find("message") != std::string::npos);
    QCOMPARE(heard, twins.heardBySim());
    twins.run(listener, Command("UNSUBSCRIBE", "one"));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
}

void TestRealBackend::bothProtocolsAreSpoken()
{
    Twins twins;
    const int client = twins.connect();
    const int other = twins.connect();
    twins.run(client, Command("HELLO", 3)); // which names versions
    QVERIFY(twins.heardByReal().starts_with("%7\r\n"));
    twins.heardBySim();
    for (const Command& command :
         {Command("GET", "nothing"), Command("HSET", "h", "f", "v"), Command("HGETALL", "h"),
          Command("SUBSCRIBE", "c"), Command("GET", "nothing")}) {
        twins.run(client, command);
        QCOMPARE(twins.heardByReal(), twins.heardBySim());
    }
    twins.run(other, Command("PUBLISH", "c", "x"));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
}

void TestRealBackend::aConnectionThatEndsIsToldOf()
{
    Twins twins;
    const int client = twins.connect();
    twins.run(client, Command("QUIT"));
    QCOMPARE(twins.heardByReal(), twins.heardBySim());
    QCOMPARE(twins.real().takeClosed().size(), 1u);
}

void TestRealBackend::aFailoverLosesWhatCameSinceReplicationStopped()
{
    Twins twins;
    const int client = twins.connect();
    twins.run(client, Command("SET", "before", "1", "PX", 10'000));
    twins.run(client, Command("SET", "gone", "1", "PX", 1'000));
    twins.real().stopReplication(twins.now());
    twins.run(client, Command("SET", "since", "1"));
    twins.pass(2s);
    twins.real().failOver(twins.now());
    QCOMPARE(twins.keysOfReal(), std::vector<std::string>{"before"});
    twins.pass(9s);
    QVERIFY(twins.keysOfReal().empty());
}

void TestRealBackend::scriptsAndKeysAreForgotten()
{
    Twins twins;
    const int client = twins.connect();
    twins.run(client, Command("EVAL", "return redis.call('set', KEYS[1], 1)", 1, "k"));
    QCOMPARE(twins.keysOfReal(), std::vector<std::string>{"k"});
    twins.real().forgetKeys();
    QVERIFY(twins.keysOfReal().empty());
    twins.heardByReal();
    twins.real().forgetScripts();
    twins.run(client, Command("EVALSHA", "0123456789012345678901234567890123456789", 0));
    QVERIFY(twins.heardByReal().starts_with("-NOSCRIPT"));
}

void TestRealBackend::itSaysWhichServerItIs()
{
    const std::string version = RealBackend(conduct::realServerProgram()).version();
    QVERIFY2(version.starts_with("Redis ") || version.starts_with("Valkey "), version.c_str());
}

void TestRealBackend::aProgramThatIsNoServerIsAnError()
{
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, RealBackend("/bin/false"));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, RealBackend("/nowhere/redis-server"));
}

LOCKSCOPE_TEST(TestRealBackend, Core)

} // namespace lockscope::tst_real_backend

#include "tst_real_backend.moc"
