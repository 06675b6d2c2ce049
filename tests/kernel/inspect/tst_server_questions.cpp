#include "core/kernel/inspect/server_questions.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_server_questions {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Problem;

namespace {

const Bytes kOwner = "b5ee6a1c-5e6c-4a3e-9f57-4a2d2b0b6a11:1";
const Bytes kChannel = "redisson_lock__channel:{order}";

/// A book that has seen one lock with waiters that can be counted.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const store::Command& command) { return keyspace.answer(command); }};
    LockBook book{1};
    ServerWallClock wallClock;

    Bench()
    {
        keyspace.setHash("order", {{kOwner, "1"}}, 30s);
        keyspace.setSubscribers(kChannel, 3);
        loop.run(adjustWallClock(store, loop.clock(), wallClock));
        KeyReader reader(store, loop.clock(), wallClock);
        auto seen = loop.run(reader.sight(0, {{"order", {"order"}}}));
        auto& snapshot = std::get<std::vector<LockSnapshot>>(seen).front();
        snapshot.isNamedByUser = true;
        book.see(snapshot, loop.now());
        book.setSwept(0, loop.now());
    }

    Answered count() { return loop.run(countWaiters(store, loop.clock(), book, 0)); }
    Answered list() { return loop.run(listClients(store, loop.clock(), book, 0)); }
    Problem ask() { return loop.run(askAboutClients(store, loop.clock(), book, 0)); }
};

} // namespace

class TestServerQuestions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServerSaysWhatTimeItIs();
    void waitersAreCounted();
    void clientsAreFound();
    void whatIsRefusedStaysUnknown();
    void aLostLinkIsAProblem();
};

void TestServerQuestions::theServerSaysWhatTimeItIs()
{
    Bench bench;
    QVERIFY(bench.wallClock.isKnown());
    bench.store.breakLink();
    ServerWallClock wallClock;
    QVERIFY(!bench.loop.run(adjustWallClock(bench.store, bench.loop.clock(), wallClock)));
    QVERIFY(wallClock.at(bench.loop.now()) == bench.loop.clock().wallNow()); // ours stands in
}

void TestServerQuestions::waitersAreCounted()
{
    Bench bench;
    QVERIFY(!bench.book.rows().front()->waiters);
    QVERIFY(!bench.count().isRefused);
    QVERIFY(bench.book.rows().front()->waiters == 3);
}

void TestServerQuestions::clientsAreFound()
{
    Bench bench;
    bench.keyspace.setClientList(
        "id=7 addr=10.0.0.9:4711 name=b5ee6a1c-5e6c-4a3e-9f57-4a2d2b0b6a11\n"
        "id=8 addr=10.0.0.8:4712 name=\n");
    const Answered answered = bench.list();
    QVERIFY(answered.clientCount == std::size_t(2));
    const auto client = bench.book.rows().front()->holders.front().client();
    QVERIFY(client != nullptr);
    QCOMPARE(client->address, std::string("10.0.0.9:4711"));
}

void TestServerQuestions::whatIsRefusedStaysUnknown()
{
    Bench bench;
    bench.keyspace.refuse("PUBSUB", "NOPERM no permissions to run the 'pubsub|numsub' command");
    bench.keyspace.refuse("CLIENT", "NOPERM no permissions to run the 'client|list' command");
    QVERIFY(bench.count().isRefused);
    QVERIFY(bench.list().isRefused);
    QCOMPARE(bench.ask().kind, Problem::Kind::None);
    QVERIFY(!bench.book.rows().front()->waiters);
}

void TestServerQuestions::aLostLinkIsAProblem()
{
    Bench bench;
    bench.store.breakLink();
    QVERIFY(!bench.count().isRefused);
    QVERIFY(bench.count().problem.kind != Problem::Kind::None);
    QVERIFY(bench.ask().kind != Problem::Kind::None);
}

LOCKSCOPE_TEST(TestServerQuestions, Core)

} // namespace lockscope::tst_server_questions

#include "tst_server_questions.moc"
