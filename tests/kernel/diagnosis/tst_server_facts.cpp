#include "core/kernel/diagnosis/server_facts.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <string>

namespace lockscope::tst_server_facts {

using namespace lockscope::diagnosis;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;
using store::Reply;

namespace {

const std::string kInfo = "# Memory\r\nused_memory:2000000\r\nmaxmemory:100000000\r\n"
                          "maxmemory_policy:allkeys-lru\r\n# Persistence\r\naof_enabled:0\r\n"
                          "# Stats\r\nevicted_keys:12\r\n# Replication\r\nrole:master\r\n"
                          "connected_slaves:2\r\n"
                          "slave0:ip=10.0.0.6,port=6379,state=online,offset=140,lag=1\r\n"
                          "slave1:ip=fe80::1,port=6380,state=wait_bgsave,offset=0,lag=0\r\n";

} // namespace

class TestServerFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void infoIsRead();
    void noLimitMeansNoEviction();
    void whatIsRefusedIsNotKnown();
    void theClockIsCompared();
};

void TestServerFacts::infoIsRead()
{
    const ServerFacts facts = serverFactsOf(2, Reply::ofBulk(kInfo));
    QVERIFY(facts.isKnown);
    QCOMPARE(facts.server, std::uint16_t(2));
    QCOMPARE(std::string(facts.evicts()), "allkeys-lru"s);
    QCOMPARE(facts.memoryLimit, std::int64_t(100'000'000));
    QCOMPARE(facts.memoryUsed, std::int64_t(2'000'000));
    QCOMPARE(facts.evictedKeys, std::int64_t(12));
    QVERIFY(facts.appendsToFile == false);
    QVERIFY(facts.replicas
            == (std::vector<ReplicaFacts>{{"10.0.0.6:6379", true, 1s},
                                          {"[fe80::1]:6380", false, 0s}}));
}

void TestServerFacts::noLimitMeansNoEviction()
{
    const ServerFacts facts = serverFactsOf(
        0, Reply::ofBulk("role:master\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n"));
    QCOMPARE(std::string(facts.evicts()), ""s);
    QVERIFY(!facts.appendsToFile);
}

void TestServerFacts::whatIsRefusedIsNotKnown()
{
    VirtualLoop loop;
    ScriptedStore store([](const store::Command&) {
        return Outcome(Reply::ofError("NOPERM this user has no permissions to run the command"));
    });
    const ServerFacts facts = loop.run(askServerFacts(store, loop.clock(), 1));
    QVERIFY(!facts.isKnown);
    QVERIFY(!facts.clockAhead);
    QCOMPARE(facts.server, std::uint16_t(1));
}

void TestServerFacts::theClockIsCompared()
{
    VirtualLoop loop;
    ScriptedStore store([&loop](const store::Command& command) {
        if (command.words.front() == "INFO") {
            return Outcome(Reply::ofBulk(kInfo));
        }
        const std::int64_t ms = toEpochMs(loop.clock().wallNow()) + 2500;
        return Outcome(Reply::ofArray({Reply::ofBulk(std::to_string(ms / 1000)),
                                       Reply::ofBulk(std::to_string(ms % 1000 * 1000))}));
    });
    const ServerFacts facts = loop.run(askServerFacts(store, loop.clock(), 0));
    QVERIFY(facts.isKnown);
    QVERIFY(facts.clockAhead == Duration(2500ms));
    QVERIFY(facts.clockUncertainty == Duration(0));
}

LOCKSCOPE_TEST(TestServerFacts, Core)

} // namespace lockscope::tst_server_facts

#include "tst_server_facts.moc"
