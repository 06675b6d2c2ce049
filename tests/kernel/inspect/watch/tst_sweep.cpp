#include "core/kernel/inspect/watch/sweep.h"
#include "core/kernel/store/limits.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace lockscope::tst_sweep {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

/// What a sweep delivered.
struct Basket final : SweepSink {
    std::vector<Bytes> names;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> progress;
    std::set<Bytes> known;

    bool isKnown(const Bytes& key) const override { return known.contains(key); }
    void sighted(std::vector<LockSnapshot> snapshots) override
    {
        for (const LockSnapshot& snapshot : snapshots) {
            names.push_back(snapshot.name);
        }
    }
    void progressed(std::uint64_t scanned, std::uint64_t total) override
    {
        progress.emplace_back(scanned, total);
    }
};

struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const Command& command) { return keyspace.answer(command); }};
    ServerWallClock wallClock;
    KeyReader reader{store, loop.clock(), wallClock};
    NameRules names;
    Basket basket;
    Sweep sweep{loop.executor(), store, loop.clock(), reader, names, basket};

    explicit Bench(std::vector<std::string> patterns = {}) : names(std::move(patterns)) {}

    static SweepOptions options(std::uint32_t pageCount = 10)
    {
        SweepOptions options;
        options.pageCount = pageCount;
        return options;
    }

    void fillWithLocks(int count)
    {
        for (int i = 0; i < count; ++i) {
            keyspace.setString("lock:" + std::to_string(1000 + i), "5f0c9a41", 30s);
        }
    }

    SweepEnd run(SweepOptions sweepOptions = options())
    {
        return loop.run(sweep.run(sweepOptions));
    }

    std::string lastAsked() const { return store.asked().back(); }
};

const std::string kNoPermission = "NOPERM this user has no permissions to run the 'scan' command";

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLockIsFoundPageByPage();
    void onlyNamesThatSoundLikeLocksAreLookedAt();
    void aDeepSweepLooksAtEveryKey();
    void namesThatTheUserCallsLocksAreLookedAt();
    void aDeepSweepTouchesOnlyWhatMayBeALock();
    void newcomersAreLookedForWithoutTheKnown();
    void bookkeepingIsNeverLookedAt();
    void keysOfAPairAreLookedAtTogether();
    void theNextPageIsAskedForWhileDetailsAreUnderWay();
    void candidatesOfSeveralSmallPagesAreAskedForTogether();
    void notMoreThanAFewPagesAreUnderWay();
    void progressCountsKeysAgainstDbsize();
    void anEmptyDatabaseIsDoneAtOnce();
    void keysThatScanRepeatsAreSeenAgain();
    void keysThatVanishMeanwhileAreNoError();
    void withoutDbsizeTheSweepGoesOn();
    void withoutScanTheProblemNamesTheRule();
    void aLinkLostInTheMiddleIsNotDone_data();
    void aLinkLostInTheMiddleIsNotDone();
    void aServerThatStartsLoadingIsNotDone();
    void nonsenseInsteadOfAPageIsAProblem_data();
    void nonsenseInsteadOfAPageIsAProblem();
    void aCursorThatCirclesEndsTheSweep();
    void namesThatAreTooLongAreCountedAndNotKept();
    void aPageOfTooManyLocksIsReadInParts();
    void thePageSizeFollowsTheMeasurements();
    void aServerFarAwayIsAskedForLargerPages();
    void itCanRunAgainAfterAFailure();
    void droppingItInTheMiddleIsClean();
};

void TestSweep::everyLockIsFoundPageByPage()
{
    Bench bench;
    bench.fillWithLocks(95);
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::None);
    QCOMPARE(end.scanned, std::uint64_t(95));
    QCOMPARE(end.total, std::uint64_t(95));
    const std::set<Bytes> found(bench.basket.names.begin(), bench.basket.names.end());
    QCOMPARE(found.size(), std::size_t(95));
    QCOMPARE(bench.store.askedCount("SCAN"), std::size_t(10));
    QCOMPARE(bench.store.asked()[1], std::string("SCAN 0 COUNT 10"));
}

void TestSweep::onlyNamesThatSoundLikeLocksAreLookedAt()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1");
    bench.keyspace.setString("user:7:name", "1");
    bench.keyspace.setString("block:9", "1");
    const SweepEnd end = bench.run();
    QCOMPARE(end.scanned, std::uint64_t(3));
    QCOMPARE(bench.basket.names, (std::vector<Bytes>{"order:lock"}));
    QCOMPARE(bench.store.askedCount("TYPE"), std::size_t(1));
}

void TestSweep::aDeepSweepLooksAtEveryKey()
{
    Bench bench;
    bench.keyspace.setString("user:7:name", "1");
    bench.keyspace.setOther("queue", "list");
    SweepOptions options = Bench::options();
    options.isDeep = true;
    bench.run(options);
    std::sort(bench.basket.names.begin(), bench.basket.names.end());
    QCOMPARE(bench.basket.names, (std::vector<Bytes>{"queue", "user:7:name"}));
}

void TestSweep::namesThatTheUserCallsLocksAreLookedAt()
{
    Bench bench({"job:*"});
    bench.keyspace.setString("job:sync", "1");
    bench.keyspace.setString("user:7", "1");
    bench.run();
    QCOMPARE(bench.basket.names, (std::vector<Bytes>{"job:sync"}));
}

void TestSweep::aDeepSweepTouchesOnlyWhatMayBeALock()
{
    Bench bench;
    bench.keyspace.setString("page:42", Bytes(5000, 'x'), 30s);
    bench.keyspace.setString("job:sync", "worker-3", 30s);
    bench.keyspace.setString("page:lock", Bytes(5000, 'x'), 30s);
    SweepOptions options = Bench::options();
    options.isDeep = true;
    bench.run(options);
    QCOMPARE(bench.basket.names.size(), std::size_t(3));
    QCOMPARE(bench.store.askedCount("GETRANGE page:42"), std::size_t(0));
    QCOMPARE(bench.store.askedCount("GETRANGE job:sync"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("GETRANGE page:lock"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("MEMORY USAGE page:lock"), std::size_t(0));
}

void TestSweep::newcomersAreLookedForWithoutTheKnown()
{
    Bench bench;
    bench.fillWithLocks(20);
    bench.basket.known = {"lock:1003", "lock:1007"};
    SweepOptions options = Bench::options();
    options.isForNewcomers = true;
    const SweepEnd end = bench.run(options);
    QCOMPARE(end.scanned, std::uint64_t(20));
    QCOMPARE(bench.basket.names.size(), std::size_t(18));
    QCOMPARE(bench.store.askedCount("TYPE lock:1003"), std::size_t(0));
    bench.run();
    QCOMPARE(bench.basket.names.size(), std::size_t(38));
}

void TestSweep::bookkeepingIsNeverLookedAt()
{
    Bench bench;
    bench.keyspace.setString("redisson_unlock_latch:{lock}:1", "1");
    SweepOptions options = Bench::options();
    options.isDeep = true;
    bench.run(options);
    QVERIFY(bench.basket.names.empty());
}

void TestSweep::keysOfAPairAreLookedAtTogether()
{
    Bench bench;
    bench.keyspace.setString("lock:read", "1", 10s);
    bench.run();
    QCOMPARE(bench.basket.names, (std::vector<Bytes>{"lock"}));
    QCOMPARE(bench.store.askedCount("TYPE lock:write"), std::size_t(1));
}

void TestSweep::theNextPageIsAskedForWhileDetailsAreUnderWay()
{
    Bench bench;
    bench.fillWithLocks(1500);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options(150)));
    // The first few pages are measured, one thing at a time; after them the next SCAN goes out with
    // the details.
    while (bench.store.askedCount("SCAN") < 5) {
        bench.store.answerOne();
        bench.loop.settle();
    }
    while (!bench.lastAsked().starts_with("PTTL")) {
        bench.store.answerOne();
        bench.loop.settle();
    }
    QCOMPARE(bench.store.heldCount(), std::size_t(2)); // a page, and the details of the page before
                                                       // it
    QCOMPARE(bench.store.askedCount("SCAN"), std::size_t(5));
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QCOMPARE(sweeping.result().scanned, std::uint64_t(1500));
}

void TestSweep::candidatesOfSeveralSmallPagesAreAskedForTogether()
{
    Bench bench;
    bench.fillWithLocks(405);
    bench.run();
    std::size_t pages = 0;
    std::size_t mostPages = 0;
    for (const std::string& asked : bench.store.asked()) {
        pages = asked.starts_with("SCAN") ? pages + 1 : 0;
        mostPages = std::max(mostPages, pages);
    }
    // What is under way is bounded all the same: three batches of thirteen pages.
    QVERIFY2(mostPages > 10 && mostPages <= 40, std::to_string(mostPages).c_str());
    const std::set<Bytes> found(bench.basket.names.begin(), bench.basket.names.end());
    QCOMPARE(found.size(), std::size_t(405));
}

void TestSweep::notMoreThanAFewPagesAreUnderWay()
{
    // Details are never answered, pages always are: the sweep has to stop by itself.
    VirtualLoop loop;
    PretendKeyspace keyspace(loop.clock());
    for (int i = 0; i < 3000; ++i) {
        keyspace.setString("lock:" + std::to_string(i), "5f0c9a41");
    }
    ScriptedStore details([&](const Command& command) { return keyspace.answer(command); });
    ScriptedStore pages([&](const Command& command) { return keyspace.answer(command); });
    ServerWallClock wallClock;
    KeyReader reader(details, loop.clock(), wallClock);
    const NameRules names;
    Basket basket;
    Sweep sweep(loop.executor(), pages, loop.clock(), reader, names, basket);
    const auto sweeping = loop.start(sweep.run(Bench::options(150)));
    QVERIFY(sweeping.isFinished()); // as long as details are answered
    details.hold();
    pages.forgetAsked();
    const auto stuck = loop.start(sweep.run(Bench::options(150)));
    QVERIFY(!stuck.isFinished());
    QVERIFY(details.heldCount() <= 4);
    QVERIFY(pages.askedCount("SCAN") <= 6);
    details.answerAll();
    loop.settle();
    QVERIFY(stuck.isFinished());
}

void TestSweep::progressCountsKeysAgainstDbsize()
{
    Bench bench;
    bench.fillWithLocks(25);
    bench.run();
    using Progress = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    QVERIFY(bench.basket.progress == (Progress{{0, 25}, {10, 25}, {20, 25}, {25, 25}}));
}

void TestSweep::anEmptyDatabaseIsDoneAtOnce()
{
    Bench bench;
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::None);
    QCOMPARE(end.scanned, std::uint64_t(0));
    QCOMPARE(bench.store.asked(), (std::vector<std::string>{"DBSIZE", "SCAN 0 COUNT 10"}));
}

void TestSweep::keysThatScanRepeatsAreSeenAgain()
{
    Bench bench;
    bench.fillWithLocks(1);
    int page = 0;
    ScriptedStore pages([&](const Command& command) -> Outcome {
        if (command.words.front() == "SCAN") {
            ++page;
            return Reply::ofArray({Reply::ofBulk(page < 3 ? std::to_string(page) : "0"),
                                   Reply::ofArray({Reply::ofBulk("lock:1000")})});
        }
        return bench.keyspace.answer(command);
    });
    Sweep sweep(bench.loop.executor(), pages, bench.loop.clock(), bench.reader, bench.names,
                bench.basket);
    const SweepEnd end = bench.loop.run(sweep.run(Bench::options()));
    QCOMPARE(end.scanned, std::uint64_t(3));
    QCOMPARE(bench.basket.names, (std::vector<Bytes>(3, "lock:1000")));
}

void TestSweep::keysThatVanishMeanwhileAreNoError()
{
    Bench bench;
    bench.fillWithLocks(5);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options()));
    while (bench.store.askedCount("TYPE") == 0) {
        bench.store.answerOne();
        bench.loop.settle();
    }
    bench.keyspace.clear();
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QVERIFY(sweeping.result().problem.kind == Problem::Kind::None);
    QCOMPARE(bench.basket.names.size(), std::size_t(5)); // delivered as what they are: gone
}

void TestSweep::withoutDbsizeTheSweepGoesOn()
{
    Bench bench;
    bench.fillWithLocks(5);
    bench.keyspace.refuse("DBSIZE",
                          "NOPERM this user has no permissions to run the 'dbsize' command");
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::None);
    QCOMPARE(end.total, std::uint64_t(0));
    QCOMPARE(bench.basket.names.size(), std::size_t(5));
}

void TestSweep::withoutScanTheProblemNamesTheRule()
{
    Bench bench;
    bench.keyspace.refuse("SCAN", kNoPermission);
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::NoPermission);
    QCOMPARE(end.problem.command, std::string("scan"));
    QCOMPARE(end.problem.rule, std::string("+scan"));
}

void TestSweep::aLinkLostInTheMiddleIsNotDone_data()
{
    QTest::addColumn<int>("answeredBefore");
    for (const int count : {0, 1, 2, 3, 4, 8, 12}) {
        QTest::addRow("after %d answers", count) << count;
    }
}

void TestSweep::aLinkLostInTheMiddleIsNotDone()
{
    QFETCH(const int, answeredBefore);
    Bench bench;
    bench.fillWithLocks(100);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options()));
    for (int i = 0; i < answeredBefore; ++i) {
        bench.store.answerOne();
        bench.loop.settle();
    }
    QVERIFY(!sweeping.isFinished());
    bench.store.breakLink();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QVERIFY(sweeping.result().problem.kind == Problem::Kind::ConnectionLost);
    QVERIFY(sweeping.result().scanned < 100);
}

void TestSweep::aServerThatStartsLoadingIsNotDone()
{
    Bench bench;
    bench.fillWithLocks(5);
    bench.keyspace.refuse("TYPE", "LOADING Redis is loading the dataset in memory");
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::Loading);
    QVERIFY(bench.basket.names.empty());
}

void TestSweep::nonsenseInsteadOfAPageIsAProblem_data()
{
    QTest::addColumn<int>("index");
    QTest::newRow("a number") << 0;
    QTest::newRow("nothing") << 1;
    QTest::newRow("half a page") << 2;
    QTest::newRow("no keys") << 3;
}

void TestSweep::nonsenseInsteadOfAPageIsAProblem()
{
    QFETCH(const int, index);
    const Reply nonsense[] = {Reply::ofInteger(3), Reply(), Reply::ofArray({Reply::ofBulk("0")}),
                              Reply::ofArray({Reply::ofBulk("0"), Reply::ofInteger(0)})};
    Bench bench;
    ScriptedStore store(ScriptedStore::replies({Reply::ofInteger(1), nonsense[index]}));
    Sweep sweep(bench.loop.executor(), store, bench.loop.clock(), bench.reader, bench.names,
                bench.basket);
    const SweepEnd end = bench.loop.run(sweep.run(Bench::options()));
    QVERIFY(end.problem.kind == Problem::Kind::ProtocolBroken);
}

void TestSweep::aCursorThatCirclesEndsTheSweep()
{
    Bench bench;
    int calls = 0;
    ScriptedStore store([&](const Command& command) -> Outcome {
        if (command.words.front() == "DBSIZE") {
            return Reply::ofInteger(10);
        }
        Reply::Array page;
        page.push_back(Reply::ofBulk(std::to_string(17 + ++calls % 3)));
        page.push_back(Reply::ofArray({}));
        return Reply::ofArray(std::move(page));
    });
    Sweep sweep(bench.loop.executor(), store, bench.loop.clock(), bench.reader, bench.names,
                bench.basket);
    const SweepEnd end = bench.loop.run(sweep.run(Bench::options()));
    QVERIFY(end.problem.kind == Problem::Kind::LimitExceeded);
    QVERIFY2(end.problem.detail.find("never end") != std::string::npos, end.problem.detail.c_str());
    QVERIFY(calls < 20);
}

void TestSweep::namesThatAreTooLongAreCountedAndNotKept()
{
    Bench bench;
    const Bytes longest = "lock:" + Bytes(store::limits::kKeyNameBytesMax - 5, 'n');
    bench.keyspace.setString(longest, "5f0c9a41", 30s);
    bench.keyspace.setString(longest + "n", "5f0c9a41", 30s);
    ScriptedStore withOversized([&](const Command& command) -> Outcome {
        Outcome outcome = bench.keyspace.answer(command);
        if (command.words.front() == "SCAN") {
            auto& parts = std::get<Reply::Array>(std::get<Reply>(outcome).value());
            std::get<Reply::Array>(parts[1].value())
                .push_back(Reply::ofOversized(20'000'000, "lock:kkk"));
        }
        return outcome;
    });
    KeyReader reader(withOversized, bench.loop.clock(), bench.wallClock);
    Sweep sweep(bench.loop.executor(), withOversized, bench.loop.clock(), reader, bench.names,
                bench.basket);
    const SweepEnd end = bench.loop.run(sweep.run(Bench::options()));
    QVERIFY(end.problem.kind == Problem::Kind::None);
    QCOMPARE(end.scanned, std::uint64_t(3));
    QCOMPARE(end.longNameCount, std::uint64_t(2));
    QCOMPARE(bench.basket.names, std::vector<Bytes>{longest});
}

void TestSweep::aPageOfTooManyLocksIsReadInParts()
{
    Bench bench;
    bench.fillWithLocks(7000);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options(7000)));
    bench.store.answerOne(); // DBSIZE
    bench.loop.settle();
    bench.store.answerOne(); // the only page
    bench.loop.settle();
    QCOMPARE(bench.store.heldCount(), std::size_t(4));
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QCOMPARE(bench.basket.names.size(), std::size_t(7000));
}

void TestSweep::thePageSizeFollowsTheMeasurements()
{
    Bench bench;
    bench.fillWithLocks(2000);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options(0)));
    bench.store.answerOne(); // DBSIZE
    bench.loop.settle();
    QCOMPARE(bench.lastAsked(), std::string("SCAN 0 COUNT 500"));
    bench.loop.advance(10ms); // far more than one call should take
    bench.store.answerOne();
    bench.loop.settle();
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QCOMPARE(bench.store.askedCount("SCAN 500 COUNT 250"), std::size_t(1));
}

void TestSweep::aServerFarAwayIsAskedForLargerPages()
{
    constexpr Duration kRoundTrip = 10ms;
    Bench bench;
    bench.fillWithLocks(2000);
    bench.store.hold();
    const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options(0)));
    bench.loop.advance(kRoundTrip);
    bench.store.answerOne(); // DBSIZE
    bench.loop.settle();
    bench.loop.advance(kRoundTrip + ScanPacer::kTargetMax);
    bench.store.answerOne();
    bench.loop.settle();
    bench.store.answerAll();
    bench.loop.settle();
    QVERIFY(sweeping.isFinished());
    QCOMPARE(bench.store.askedCount("SCAN 500 COUNT 500"), std::size_t(1));
}

void TestSweep::itCanRunAgainAfterAFailure()
{
    Bench bench;
    bench.fillWithLocks(30);
    bench.keyspace.refuse("SCAN 20", kNoPermission);
    QVERIFY(bench.run().problem.kind == Problem::Kind::NoPermission);
    bench.keyspace.refuse("SCAN 20", {});
    bench.basket.names.clear();
    const SweepEnd end = bench.run();
    QVERIFY(end.problem.kind == Problem::Kind::None);
    QCOMPARE(end.scanned, std::uint64_t(30));
    QCOMPARE(bench.basket.names.size(), std::size_t(30));
}

void TestSweep::droppingItInTheMiddleIsClean()
{
    for (int answered = 0; answered < 12; ++answered) {
        Bench bench;
        bench.fillWithLocks(100);
        bench.store.hold();
        {
            const auto sweeping = bench.loop.start(bench.sweep.run(Bench::options()));
            for (int i = 0; i < answered; ++i) {
                bench.store.answerOne();
                bench.loop.settle();
            }
        }
        bench.store.answerAll();
        bench.loop.settle();
        QVERIFY(bench.basket.names.size() < 100);
    }
}

LOCKSCOPE_TEST(TestSweep, Core)

} // namespace lockscope::tst_sweep

#include "tst_sweep.moc"
