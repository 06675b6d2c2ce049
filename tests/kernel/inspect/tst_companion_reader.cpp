#include "core/kernel/inspect/key_reader.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_companion_reader {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// A reader of a pretended server.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const store::Command& command) { return keyspace.answer(command); }};
    ServerWallClock wallClock;
    KeyReader reader{store, loop.clock(), wallClock};

    Bench() { wallClock.assume(loop.clock().wallNow(), loop.now()); }
};

const Bytes kRedissonOwner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63";

/// A lock of Redisson's as the reader sees it.
LockSnapshot sightedLock(Bench& bench)
{
    bench.keyspace.setHash("fair", {{kRedissonOwner, "1"}}, 30s);
    std::vector<KeyGroup> groups(1, KeyGroup{"fair", {"fair"}});
    auto result = bench.loop.run(bench.reader.sight(0, std::move(groups)));
    return std::get<std::vector<LockSnapshot>>(result).front();
}

/// What the reader makes of one key alone.
LockSnapshot sighted(Bench& bench, const Bytes& key)
{
    std::vector<KeyGroup> groups(1, KeyGroup{key, {key}});
    auto result = bench.loop.run(bench.reader.sight(0, std::move(groups)));
    return std::get<std::vector<LockSnapshot>>(result).front();
}

const Bytes kBinaryToken(24, '\x01');

} // namespace

class TestCompanionReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void companionsAreReadWhereADecoderAsksForThem();
    void companionsThatDoNotExistCostOneCommand();
    void companionsThatMayNotBeReadSaySo();
    void theExpiryOfACompanionIsReadWhereItMatters();
    void aKeyIsReadWithItsSiblings();
    void keysThatAreOnlyNamedAlikeStayApart();
};

void TestCompanionReader::companionsAreReadWhereADecoderAsksForThem()
{
    Bench bench;
    bench.keyspace.setList("redisson_lock_queue:{fair}", {"first", "second"});
    bench.keyspace.setSortedSet("redisson_lock_timeout:{fair}", {{"first", "1795000000000"}});
    const LockSnapshot snapshot = sightedLock(bench);
    QCOMPARE(snapshot.keys.size(), std::size_t(1));
    const Observation* queue = snapshot.companion("redisson_lock_queue:{fair}");
    QVERIFY(queue != nullptr && queue->type == ValueType::List && queue->isComplete);
    QCOMPARE(queue->size, std::uint64_t(2));
    QVERIFY((queue->fields == std::vector<HashField>{{"first", {}}, {"second", {}}}));
    const Observation* timeouts = snapshot.companion("redisson_lock_timeout:{fair}");
    QVERIFY(timeouts != nullptr);
    QVERIFY((timeouts->fields == std::vector<HashField>{{"first", "1795000000000"}}));
}

void TestCompanionReader::companionsThatDoNotExistCostOneCommand()
{
    Bench bench;
    const LockSnapshot snapshot = sightedLock(bench);
    QCOMPARE(snapshot.companions.size(), std::size_t(2)); // the queue, the fencing token
    QVERIFY(!snapshot.companions.front().exists());
    QVERIFY(!snapshot.companions.back().exists());
    QCOMPARE(bench.store.askedCount("LLEN redisson_lock_queue:{fair}"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("STRLEN redisson_lock_token:{fair}"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("ZCARD"), std::size_t(0));
    QCOMPARE(bench.store.askedCount("MEMORY USAGE redisson"), std::size_t(0));
}

void TestCompanionReader::companionsThatMayNotBeReadSaySo()
{
    Bench bench;
    const std::string error = "NOPERM this user has no permissions to run the 'llen' command";
    bench.keyspace.refuse("LLEN", error);
    const LockSnapshot snapshot = sightedLock(bench);
    QCOMPARE(snapshot.companions.size(), std::size_t(2));
    QCOMPARE(snapshot.companions.front().unreadable, error);
}

void TestCompanionReader::theExpiryOfACompanionIsReadWhereItMatters()
{
    Bench bench;
    const Bytes lease = "{rw}:" + kRedissonOwner + ":rwlock_timeout:1";
    bench.keyspace.setHash("rw", {{"mode", "read"}, {kRedissonOwner, "1"}}, 30s);
    bench.keyspace.setString(lease, "1", 7s);
    std::vector<KeyGroup> groups(1, KeyGroup{"rw", {"rw"}});
    auto result = bench.loop.run(bench.reader.sight(0, std::move(groups)));
    const LockSnapshot snapshot = std::get<std::vector<LockSnapshot>>(result).front();
    QVERIFY(snapshot.companion(lease) != nullptr);
    QVERIFY(snapshot.companion(lease)->ttl == Duration(7s));
}

void TestCompanionReader::aKeyIsReadWithItsSiblings()
{
    Bench bench;
    bench.keyspace.setString("jobs:1:nightly:lock", kBinaryToken, 5s);
    bench.keyspace.setString("jobs:2:nightly:lock", kBinaryToken, 5s);
    const LockSnapshot snapshot = sighted(bench, "jobs:2:nightly:lock");
    QCOMPARE(snapshot.name, Bytes("jobs:0:nightly:lock"));
    QCOMPARE(snapshot.keys.size(), std::size_t(9));
    QVERIFY(!snapshot.keys[0].exists() && snapshot.keys[1].exists() && snapshot.keys[2].exists());
}

void TestCompanionReader::keysThatAreOnlyNamedAlikeStayApart()
{
    Bench bench;
    bench.keyspace.setString("jobs:1:nightly:lock", kBinaryToken, 5s);
    bench.keyspace.setString("jobs:2:nightly:lock", Bytes(24, '\x02'), 5s);
    const LockSnapshot snapshot = sighted(bench, "jobs:2:nightly:lock");
    QCOMPARE(snapshot.name, Bytes("jobs:2:nightly:lock"));
    QCOMPARE(snapshot.keys.size(), std::size_t(1));

    bench.keyspace.setString("jobs:3:nightly:lock", "web-3:4711", 5s);
    const std::size_t before = bench.store.askedCount("TYPE");
    QCOMPARE(sighted(bench, "jobs:3:nightly:lock").keys.size(), std::size_t(1));
    QCOMPARE(bench.store.askedCount("TYPE"), before + 1); // a value of another form asks for
                                                          // nothing
}

LOCKSCOPE_TEST(TestCompanionReader, Core)

} // namespace lockscope::tst_companion_reader

#include "tst_companion_reader.moc"
