#include "core/kernel/inspect/watch/owner_index.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

// Locks with the same owner are tied.
namespace lockscope::tst_lock_book_ties {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// As ObtainMulti of bsm/redislock makes them.
const Bytes kMulti = "Jx2-9d_hK3mQ7rT1vW5yZA";
const Bytes kThread = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63";
using Names = std::vector<Bytes>;

struct Bench : LockBookBench {
    using LockBookBench::LockBookBench;

    void take(const Bytes& key, const Bytes& token, Instant at = kStart, Duration ttl = 30s)
    {
        see(stringKey(key, token, ttl, at));
    }
    void takeByThread(const Bytes& key, Instant at, Duration ttl)
    {
        see(hashKey(key, kThread, 1, ttl, at));
    }
    std::shared_ptr<const OwnerTie> tie(const Bytes& name) const
    {
        return row(name)->holders.front().tie();
    }
    Names others(const Bytes& name) const
    {
        const auto known = tie(name);
        return known ? known->namesBeside(name) : Names();
    }
};

} // namespace

class TestLockBookTies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void locksOfOneTokenAreTied();
    void whatIsToldAnywayIsToldWithItsTie();
    void aLaterLockIsNewsOfTheEarlierOnes();
    void aLockThatIsGoneIsTiedNoMore();
    void anotherOwnerIsTiedNoMore();
    void onlyOwnersOfHoldsAndThreadsTie_data();
    void onlyOwnersOfHoldsAndThreadsTie();
    void aThreadMayTakeThemOneByOne();
    void whatEndsTogetherWasTakenTogether();
    void whatWasRenewedSaysNothing();
    void serversAreNotTied();
    void theRowOfASetIsTied();
    void anOwnerOfVeryManyIsAProcess();
    void aRestartedServerTiesAnew();
    void whatRealLibrariesTookTogetherIsTied_data();
    void whatRealLibrariesTookTogetherIsTied();
};

void TestLockBookTies::locksOfOneTokenAreTied()
{
    Bench bench;
    bench.take("lock:b", kMulti);
    bench.take("lock:a", kMulti);
    bench.take("lock:c", kMulti);
    bench.take("lock:other", kAlice);
    static_cast<void>(bench.news());
    QVERIFY(bench.others("lock:b") == (Names{"lock:a", "lock:c"}));
    QVERIFY(bench.tie("lock:a") == bench.tie("lock:c")); // one value for all
    QVERIFY(bench.tie("lock:a")->isTakenTogether);
    QVERIFY(bench.tie("lock:a")->isAllOrNothing);
    QVERIFY(!bench.tie("lock:a")->isOfThread);
    QVERIFY(!bench.tie("lock:other"));
    QCOMPARE(bench.row("lock:a")->tiedCount(), std::size_t(2));
}

void TestLockBookTies::whatIsToldAnywayIsToldWithItsTie()
{
    Bench bench;
    bench.take("lock:a", kMulti);
    bench.take("lock:b", kMulti);
    const LockDelta delta = bench.book.takeDelta();
    QCOMPARE(delta.changes.size(), std::size_t(2));
    for (const LockChange& change : delta.changes) {
        QVERIFY(change.kind == ChangeKind::Appeared);
        QVERIFY(change.lock->holders.front().tie() != nullptr);
        QVERIFY(change.lock == bench.row(change.lock->id.name));
    }
    bench.take("lock:a", kMulti, kStart + 1ms);
    QVERIFY(bench.news().empty());
}

void TestLockBookTies::aLaterLockIsNewsOfTheEarlierOnes()
{
    Bench bench;
    bench.take("lock:a", kMulti);
    QVERIFY(bench.news() == News{"appeared lock:a"});
    bench.take("lock:b", kMulti, kStart + 10s);
    QVERIFY(bench.news() == (News{"appeared lock:b", "changed lock:a"}));
    QVERIFY(!bench.tie("lock:a")->isTakenTogether);
}

void TestLockBookTies::aLockThatIsGoneIsTiedNoMore()
{
    Bench bench;
    for (const Bytes name : {"lock:a", "lock:b", "lock:c"}) {
        bench.take(name, kMulti);
    }
    static_cast<void>(bench.news());
    bench.see(missing("lock:a", kStart + 1s));
    static_cast<void>(bench.news());
    QVERIFY(bench.others("lock:b") == Names{"lock:c"});
    bench.see(missing("lock:c", kStart + 2s));
    QVERIFY(bench.news() == (News{"released lock:c", "changed lock:b"}));
    QVERIFY(!bench.tie("lock:b"));
}

void TestLockBookTies::anotherOwnerIsTiedNoMore()
{
    Bench bench;
    bench.take("lock:a", kMulti);
    bench.take("lock:b", kMulti);
    static_cast<void>(bench.news());
    bench.take("lock:a", kAlice, kStart + 1s);
    static_cast<void>(bench.news());
    QVERIFY(!bench.tie("lock:a"));
    QVERIFY(!bench.tie("lock:b"));
}

void TestLockBookTies::onlyOwnersOfHoldsAndThreadsTie_data()
{
    QTest::addColumn<Bytes>("owner");
    QTest::addColumn<OwnerScope>("scope");
    QTest::addColumn<bool>("ties");
    QTest::newRow("a UUID") << kAlice << OwnerScope::Hold << true;
    QTest::newRow("of a process") << kAlice << OwnerScope::Process << false;
    QTest::newRow("of a thread") << kThread << OwnerScope::Thread << true;
    QTest::newRow("a host and a process") << Bytes("web-1:4711") << OwnerScope::Hold << false;
    QTest::newRow("a word") << Bytes("locked") << OwnerScope::Hold << false;
    QTest::newRow("an instant") << Bytes("1795000000000") << OwnerScope::Hold << false;
    QTest::newRow("none") << Bytes() << OwnerScope::Hold << false;
}

void TestLockBookTies::onlyOwnersOfHoldsAndThreadsTie()
{
    QFETCH(const Bytes, owner);
    QFETCH(const OwnerScope, scope);
    QTEST(canTie(scope, owner), "ties");
}

void TestLockBookTies::aThreadMayTakeThemOneByOne()
{
    Bench bench;
    bench.takeByThread("lock:a", kStart, 30s);
    bench.takeByThread("lock:b", kStart + 3s, 30s);
    static_cast<void>(bench.news());
    QVERIFY(bench.others("lock:a") == Names{"lock:b"});
    QVERIFY(bench.tie("lock:a")->isOfThread);
    QVERIFY(!bench.tie("lock:a")->isTakenTogether);
    QVERIFY(!bench.tie("lock:a")->isAllOrNothing);
}

void TestLockBookTies::whatEndsTogetherWasTakenTogether()
{
    Bench bench(1, false); // a sweep: nobody saw them being taken
    bench.takeByThread("lock:a", kStart, 30s);
    bench.takeByThread("lock:b", kStart + 2s, 28s + 100ms);
    static_cast<void>(bench.news());
    QVERIFY(bench.tie("lock:a")->isTakenTogether);
    Bench apart(1, false);
    apart.takeByThread("lock:a", kStart, 30s);
    apart.takeByThread("lock:b", kStart, 29s);
    static_cast<void>(apart.news());
    QVERIFY(!apart.tie("lock:a")->isTakenTogether);
}

void TestLockBookTies::whatWasRenewedSaysNothing()
{
    Bench bench(1, false);
    bench.takeByThread("lock:a", kStart, 20s);
    bench.takeByThread("lock:a", kStart + 1s, 30s);
    bench.takeByThread("lock:b", kStart + 1s, 30s);
    static_cast<void>(bench.news());
    QVERIFY(bench.tie("lock:a"));
    QVERIFY(!bench.tie("lock:a")->isTakenTogether);
}

void TestLockBookTies::serversAreNotTied()
{
    Bench bench(2);
    bench.book.keepApart(kStart);
    bench.see(stringKey("lock:a", kMulti), 0);
    bench.see(stringKey("lock:b", kMulti), 1);
    static_cast<void>(bench.news());
    QVERIFY(!bench.tie("lock:a"));
}

void TestLockBookTies::theRowOfASetIsTied()
{
    Bench bench(3);
    bench.see(stringKey("lock:a", kMulti), 0);
    for (const std::uint16_t server : {1, 2}) {
        bench.see(stringKey("lock:a", kMulti), server);
        bench.see(stringKey("lock:b", kMulti), server);
    }
    static_cast<void>(bench.news());
    QVERIFY(bench.row("lock:a")->id.server == LockId::kWholeSet);
    QVERIFY(bench.others("lock:a") == Names{"lock:b"});
    QVERIFY(bench.others("lock:b") == Names{"lock:a"});
}

void TestLockBookTies::anOwnerOfVeryManyIsAProcess()
{
    Bench bench;
    const auto nameOf = [](std::size_t i) { return "lock:" + std::to_string(i); };
    for (std::size_t i = 0; i < OwnerIndex::kLocksMost; ++i) {
        bench.take(nameOf(i), kAlice);
    }
    static_cast<void>(bench.news());
    QCOMPARE(bench.others("lock:0").size(), OwnerIndex::kLocksMost - 1);
    for (std::size_t i = OwnerIndex::kLocksMost; i < 3 * OwnerIndex::kLocksMost; ++i) {
        bench.take(nameOf(i), kAlice);
    }
    static_cast<void>(bench.news());
    for (std::size_t i = 0; i < 3 * OwnerIndex::kLocksMost; ++i) {
        QVERIFY(!bench.tie(nameOf(i)));
    }
    for (std::size_t i = 2; i < 3 * OwnerIndex::kLocksMost; ++i) {
        bench.see(missing(nameOf(i), kStart + 1s));
    }
    static_cast<void>(bench.news());
    QVERIFY(!bench.tie("lock:0"));
}

void TestLockBookTies::aRestartedServerTiesAnew()
{
    Bench bench;
    bench.book.meetServer(0, "first", false);
    bench.take("lock:a", kMulti);
    bench.take("lock:b", kMulti);
    static_cast<void>(bench.news());
    bench.book.markUnconfirmed(0, kStart + 1s);
    bench.book.meetServer(0, "second", false);
    bench.take("lock:a", kMulti, kStart + 2s);
    bench.take("lock:b", kMulti, kStart + 2s);
    static_cast<void>(bench.news());
    QVERIFY(bench.others("lock:a") == Names{"lock:b"});
    QVERIFY(bench.others("lock:b") == Names{"lock:a"});
}

void TestLockBookTies::whatRealLibrariesTookTogetherIsTied_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isOfThread");
    QTest::newRow("ObtainMulti") << QStringLiteral("bsm-redislock-multi") << false;
    QTest::newRow("redlock of two names") << QStringLiteral("node-redlock-5-two-names") << false;
    QTest::newRow("RMultiLock") << QStringLiteral("redisson-multi") << true;
}

void TestLockBookTies::whatRealLibrariesTookTogetherIsTied()
{
    QFETCH(const QString, folder);
    QFile file(inSourceTree(QStringLiteral("tests/data/interop/%1/held.json").arg(folder)));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const auto capture = nlohmann::json::parse(file.readAll().toStdString());
    Bench bench(1, false);
    for (const nlohmann::json& key : capture.at("keys")) {
        const auto name = key.at("key").get<Bytes>();
        const auto ttl = std::chrono::milliseconds(key.at("ttlMs").get<std::int64_t>());
        if (key.at("type") == "string") {
            bench.see(stringKey(name, key.at("value").get<Bytes>(), ttl));
        } else {
            bench.see(hashKey(name, key.at("fields").begin().key(), 1, ttl));
        }
    }
    static_cast<void>(bench.news());
    QVERIFY(bench.others("lock:orders:42") == Names{"lock:orders:43"});
    QVERIFY(bench.others("lock:orders:43") == Names{"lock:orders:42"});
    QVERIFY(bench.tie("lock:orders:42")->isTakenTogether);
    QTEST(bench.tie("lock:orders:42")->isOfThread, "isOfThread");
}

LOCKSCOPE_TEST(TestLockBookTies, None)

} // namespace lockscope::tst_lock_book_ties

#include "tst_lock_book_ties.moc"
