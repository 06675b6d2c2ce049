#include "core/conduct/key_watch.h"
#include "core/conduct/server/sim_backend.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_key_watch {

using namespace std::chrono_literals;
using conduct::Backends;
using conduct::KeyWatch;
using conduct::LockEffect;
using conduct::RespServer;
using conduct::SimBackend;
using store::Command;

namespace {

constexpr sim::ServerTime kBegin{1'700'000'000s};

/// Servers that are told directly what to do.
class Bench {
public:
    explicit Bench(int count = 1) : m_server(backends(count)) {}

    KeyWatch watch(std::vector<std::string> names) const
    {
        return {m_server, std::move(names), sim::toEpochMs(kBegin)};
    }
    /// What it did to the keys.
    std::vector<LockEffect> effectsOf(const KeyWatch& watch, const Command& command, int server = 0)
    {
        const auto before = watch.look(kBegin);
        SimBackend& backend = *m_backends[static_cast<std::size_t>(server)];
        const auto session = backend.connect("127.0.0.1:1", kBegin);
        backend.run(session, command, kBegin);
        backend.disconnect(session);
        return watch.changesAt(server, before, kBegin);
    }

private:
    Backends backends(int count)
    {
        Backends all;
        for (int i = 0; i < count; ++i) {
            auto one = std::make_unique<SimBackend>();
            m_backends.push_back(one.get());
            all.push_back(std::move(one));
        }
        return all;
    }

    std::vector<SimBackend*> m_backends;
    RespServer m_server;
};

} // namespace

class TestKeyWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHappensToALockIsSeen();
    void companionsAreOfTheLock();
    void withoutNamesEveryKeyIsTheLock();
    void whatThereIsCountsOnAllServers();
    void aCounterThatStaysIsNotTheLock();
};

void TestKeyWatch::whatHappensToALockIsSeen()
{
    Bench bench;
    const KeyWatch watch = bench.watch({"lock:1a", "lock:1b"});
    auto effects = bench.effectsOf(watch, Command("SET", "lock:1b", "x", "PX", 2000));
    QCOMPARE(effects.size(), 2u);
    QVERIFY(!effects[0].isThere && !effects[0].isMade);
    QVERIFY(effects[1].isMade && effects[1].isThere && !effects[1].isPermanent);
    QCOMPARE(effects[1].latestExpiryMs, 2000);
    QCOMPARE(effects[1].lock, 1);
    effects = bench.effectsOf(watch, Command("PEXPIRE", "lock:1b", 3000));
    QVERIFY(effects[1].isProlonged && !effects[1].isMade);
    effects = bench.effectsOf(watch, Command("PEXPIRE", "lock:1b", 1000));
    QVERIFY(!effects[1].isProlonged);
    effects = bench.effectsOf(watch, Command("PERSIST", "lock:1b"));
    QVERIFY(effects[1].isPermanent);
    effects = bench.effectsOf(watch, Command("DEL", "lock:1b"));
    QVERIFY(effects[1].isGone && !effects[1].isThere);
}

void TestKeyWatch::aCounterThatStaysIsNotTheLock()
{
    Bench bench;
    const KeyWatch watch = bench.watch({"lock:1a"});
    const auto effectOf = [&](const Command& command) {
        return bench.effectsOf(watch, command).front();
    };
    effectOf(Command("INCR", "fence:lock:1a"));
    const LockEffect taken = effectOf(Command("SET", "lock:1a", "x", "PX", 2000));
    QVERIFY(taken.isMade && !taken.isProlonged && !taken.isGone);
    const LockEffect renewed = effectOf(Command("PEXPIRE", "lock:1a", 4000));
    QVERIFY(renewed.isProlonged && !renewed.isMade && !renewed.isGone);
    const LockEffect released = effectOf(Command("DEL", "lock:1a"));
    QVERIFY(released.isGone && !released.isMade && !released.isProlonged);
    QVERIFY(released.isThere && released.isPermanent);
}

void TestKeyWatch::companionsAreOfTheLock()
{
    Bench bench;
    const KeyWatch watch = bench.watch({"lock:1a"});
    QVERIFY(bench.effectsOf(watch, Command("RPUSH", "queue:{lock:1a}", "x"))[0].isMade);
    QVERIFY(!bench.effectsOf(watch, Command("SET", "other", "x"))[0].isMade);
    QCOMPARE(watch.lockNamedIn(Command("PUBLISH", "channel:{lock:1a}", "x")), 0);
    QCOMPARE(watch.lockNamedIn(Command("GET", "other")), -1);
}

void TestKeyWatch::withoutNamesEveryKeyIsTheLock()
{
    Bench bench;
    const KeyWatch watch = bench.watch({});
    QVERIFY(bench.effectsOf(watch, Command("SET", "nightly", "x"))[0].isMade);
    QCOMPARE(watch.lockNamedIn(Command("GET", "other")), 0);
}

void TestKeyWatch::whatThereIsCountsOnAllServers()
{
    Bench bench(2);
    const KeyWatch watch = bench.watch({"lock:1a"});
    bench.effectsOf(watch, Command("SET", "lock:1a", "x", "PX", 5000), 0);
    auto effects = bench.effectsOf(watch, Command("SET", "lock:1a", "x", "PX", 2000), 1);
    QVERIFY(effects[0].isMade); // there it is new
    QCOMPARE(effects[0].latestExpiryMs, 5000);
    effects = bench.effectsOf(watch, Command("DEL", "lock:1a"), 1);
    QVERIFY(effects[0].isGone && effects[0].isThere); // the other one has it still
}

LOCKSCOPE_TEST(TestKeyWatch, None)

} // namespace lockscope::tst_key_watch

#include "tst_key_watch.moc"
