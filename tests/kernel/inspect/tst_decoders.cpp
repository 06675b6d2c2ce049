#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_names.h"
#include "tests/kernel/inspect/capture.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

Q_DECLARE_METATYPE(lockscope::testing::Capture)

namespace lockscope::tst_decoders {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

LockSnapshot pairOf(Bytes name, Observation readKey, Observation writeKey)
{
    LockSnapshot snapshot;
    snapshot.name = std::move(name);
    snapshot.keys = {std::move(readKey), std::move(writeKey)};
    return snapshot;
}

Observation missing(Bytes key)
{
    Observation seen;
    seen.key = std::move(key);
    return seen;
}

/// The recipe of the best decoded lock.
ReleaseRecipe recipeOf(const LockSnapshot& snapshot, HolderChoice choice = HolderChoice::all())
{
    const std::vector<DecodedLock> decodedLocks = decodedLocksOf(snapshot);
    return decodedLocks.empty() ? ReleaseRecipe()
                                : decoderOfFormat(decodedLocks.front().format)
                                      ->release(snapshot, decodedLocks.front(), choice);
}

bool warnsOfBlindDelete(const ReleaseRecipe& recipe)
{
    return std::ranges::any_of(recipe.warnings, [](std::string_view warning) {
        return warning.find("its own unlock will delete") != std::string_view::npos;
    });
}

} // namespace

class TestDecoders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCaptureIsReadAsExpected_data();
    void everyCaptureIsReadAsExpected();
    void everyFormatHasCaptures();
    void theTableIsConsistent();
    void bookkeepingIsToldByItsName();

    void valuesThatWereNotReadWholeAreNotJudged();
    void longValuesAreNoLocks();
    void otherTypesAreNoLocks();
    void namesTheUserGaveAreBelieved();
    void withoutTheServersClockNoStampIsRead();
    void aStampIsStaleOnlyWhenItIsPast();
    void doubtIsShownAsSeveralDecodedLocks();
    void aRedissonChannelKeepsItsClusterSlot();
    void subscribersAreEvidence();
    void theQueueOfAFairLockTellsWhoWaits();
    void aQueueLeadsToItsLock();
    void aQueueThatMayNotBeReadLeavesTheWaitersUnknown();
    void countsThatAreNoHoldCountsAreRefused_data();
    void countsThatAreNoHoldCountsAreRefused();
    void readersOfAPairKeepTheirOwnExpiry();
    void keysThatAreNoPairAreReadAlone();
    void aPairThatIsGoneHasNoDecodedLocks();
    void redisPyTellsTheMachine();

    void ownersAreComparedByValue();
    void anonymousValuesAreComparedWithTheirExpiry();
    void hashesAreComparedByFieldNames();
    void stampsInAHashAreCompared();
    void aRedissonReleaseWakesTheWaiters();
    void oneReaderOfRedissonsIsReleasedAlone();
    void oneHolderOfSeveralIsReleasedAlone();
    void readersThatShareAMarkAreNotReleasedOneByOne();
    void bothKeysOfAPairAreReleased();

    void randomSnapshotsAreJudgedCautiously();
};

void TestDecoders::everyCaptureIsReadAsExpected_data()
{
    QTest::addColumn<Capture>("capture");
    for (const Capture& capture : lockscope::testing::allCaptures()) {
        QTest::newRow(qPrintable(capture.path)) << capture;
    }
}

void TestDecoders::everyCaptureIsReadAsExpected()
{
    QFETCH(Capture, capture);
    const Recognisers recognisers(builtinDecoders(), capture.treatments);
    const std::vector<NamedDecodedLocks> entries = decodeGroup(capture.snapshot, recognisers);
    if (capture.expected.empty()) {
        for (const auto& [name, decodedLocks] : entries) {
            const std::string found =
                decodedLocks.empty() ? ""
                                     : lockscope::testing::describe(decodedLocks.front()).dump();
            QVERIFY2(capture.isBookkeeping || decodedLocks.empty(), found.c_str());
        }
        return;
    }
    QCOMPARE(entries.size(), 1U);
    QCOMPARE(entries.front().first, capture.snapshot.name);
    const std::vector<DecodedLock>& decodedLocks = entries.front().second;
    QVERIFY2(decodedLocks.size() >= capture.expected.size(), "too few readings");
    for (std::size_t i = 0; i < capture.expected.size(); ++i) {
        QCOMPARE(lockscope::testing::describe(decodedLocks[i]).dump(1),
                 capture.expected[i].dump(1));
    }
}

void TestDecoders::everyFormatHasCaptures()
{
    std::set<std::string, std::less<>> captured;
    for (const Capture& capture : lockscope::testing::allCaptures()) {
        for (const nlohmann::json& decoded : capture.expected) {
            captured.insert(decoded.at("format"));
        }
    }
    for (const Decoder& decoder : builtinDecoders()) {
        // The row of a set is made from several servers' snapshots, which no single capture can
        // show.
        QVERIFY2(decoder.quorumRole == QuorumRole::Lock || captured.contains(decoder.id),
                 std::string(decoder.id).c_str());
    }
}

void TestDecoders::theTableIsConsistent()
{
    std::set<std::string_view> ids;
    for (const Decoder& decoder : builtinDecoders()) {
        QVERIFY(ids.insert(decoder.id).second);
        QVERIFY(std::ranges::all_of(decoder.id, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        }));
        QVERIFY(!decoder.title.empty());
        QVERIFY(decoder.summary.ends_with('.'));
        QVERIFY(decoder.read && decoder.release);
        QCOMPARE(decoderOfFormat(decoder.id), &decoder);
    }
    // Votes are folded into one kind of row.
    QCOMPARE(std::ranges::count(builtinDecoders(), QuorumRole::Lock, &Decoder::quorumRole), 1);
    QVERIFY(!decoderOfFormat("no-such-format"));
}

void TestDecoders::bookkeepingIsToldByItsName()
{
    const NameRules rules;
    int bookkeepingCount = 0;
    for (const Capture& capture : lockscope::testing::allCaptures()) {
        QCOMPARE(rules.isBookkeeping(capture.snapshot.main().key), capture.isBookkeeping);
        bookkeepingCount += capture.isBookkeeping ? 1 : 0;
    }
    QVERIFY(bookkeepingCount > 0);
}

void TestDecoders::valuesThatWereNotReadWholeAreNotJudged()
{
    for (const Bytes& value : {"1"s, kUuid, kUuid + ".1794999999000", "1795000030000"s}) {
        Observation seen = stringKey("lock:x", value);
        QVERIFY(!decodedLocksOf(of(seen)).empty());
        seen.isComplete = false;
        QVERIFY(decodedLocksOf(of(seen)).empty());
    }
    Observation seen = hashKey("lock:x", {{kUuid + ":1", "1"}});
    seen.isComplete = false;
    QVERIFY(decodedLocksOf(of(seen)).empty());
}

void TestDecoders::longValuesAreNoLocks()
{
    const Bytes page(1025, 'a');
    QCOMPARE(formatsOf(of(stringKey("lock:x", page))), ""s);
    QCOMPARE(formatsOf(of(stringKey("lock:x", Bytes(1'000'000, '\xff')))), ""s);
}

void TestDecoders::otherTypesAreNoLocks()
{
    for (const ValueType type : {ValueType::List, ValueType::Set, ValueType::SortedSet,
                                 ValueType::Stream, ValueType::Other}) {
        Observation seen = stringKey("lock:x", "1");
        seen.type = type;
        QCOMPARE(formatsOf(of(seen)), ""s);
    }
}

void TestDecoders::namesTheUserGaveAreBelieved()
{
    LockSnapshot snapshot = of(stringKey("job:sync", "1"));
    QCOMPARE(formatsOf(snapshot), ""s);
    snapshot.isNamedByUser = true;
    QCOMPARE(formatsOf(snapshot), "flag"s);
}

void TestDecoders::withoutTheServersClockNoStampIsRead()
{
    Observation seen = stringKey("lock:x", "1795000030000");
    QCOMPARE(formatsOf(of(seen)), "expiry-stamp number"s);
    seen.serverTime = WallTime{};
    QCOMPARE(formatsOf(of(seen)), "number"s);
}

void TestDecoders::aStampIsStaleOnlyWhenItIsPast()
{
    const auto staleAt = [](std::int64_t ms) {
        const std::vector<DecodedLock> decodedLocks =
            decodedLocksOf(of(stringKey("lock:x", std::to_string(ms), std::nullopt)));
        return !decodedLocks.empty() && decodedLocks.front().flags.has(Flag::Stale);
    };
    QVERIFY(staleAt(toEpochMs(kServerTime) - 1));
    QVERIFY(!staleAt(toEpochMs(kServerTime)));
    QVERIFY(!staleAt(toEpochMs(kServerTime) + 1));
}

void TestDecoders::doubtIsShownAsSeveralDecodedLocks()
{
    // A redis-py token is also a random number in hexadecimal; a worker's name is an owner or a
    // constant.
    QCOMPARE(formatsOf(of(stringKey("lock:x", "f8a16a0ee4bf11f185fa02fc00000001"))),
             "redis-py node-redlock token"s);
    QCOMPARE(formatsOf(of(stringKey("lock:x", "worker 7"))), "token"s);
    QCOMPARE(formatsOf(of(stringKey("lock:x", "worker7"))), "token flag"s);
    QCOMPARE(formatsOf(of(stringKey("lock:x", "alice"))), "flag"s);
}

void TestDecoders::aRedissonChannelKeepsItsClusterSlot()
{
    const auto channelOf = [](const Bytes& name) {
        return decodedLocksOf(of(hashKey(name, {{kUuid + ":63", "1"}}))).at(0).waiterChannel;
    };
    QCOMPARE(channelOf("order:42"), "redisson_lock__channel:{order:42}"s);
    QCOMPARE(channelOf("{shop}:order"), "redisson_lock__channel:{shop}:order"s);
    QCOMPARE(channelOf("open{only"), "redisson_lock__channel:open{only"s);
}

void TestDecoders::subscribersAreEvidence()
{
    // A number is no semaphore and no latch until clients wait for one.
    LockSnapshot number = of(stringKey("orders", "0", std::nullopt));
    QCOMPARE(formatsOf(number), ""s);
    number.channels = {{"redisson_sc:{orders}", 0},
                       {"redisson_countdownlatch__channel__{orders}", 0}};
    QCOMPARE(formatsOf(number), ""s);
    number.channels[0].count = 2;
    QCOMPARE(formatsOf(number), "redisson-semaphore"s);
    number.channels = {{"redisson_countdownlatch__channel__{orders}", 1}};
    QCOMPARE(formatsOf(number), ""s); // at 0 it is open, and gone
    number.keys[0].value = "2";
    QCOMPARE(formatsOf(number), "redisson-latch"s);
}

namespace {

/// A lock of Redisson's with this beside it.
LockSnapshot withQueue(Observation queue)
{
    LockSnapshot snapshot = of(hashKey("order:42", {{kUuid + ":63", "1"}}));
    queue.key = "redisson_lock_queue:{order:42}";
    snapshot.companions.push_back(std::move(queue));
    return snapshot;
}

} // namespace

void TestDecoders::theQueueOfAFairLockTellsWhoWaits()
{
    Observation queue;
    queue.type = ValueType::List;
    queue.size = 2;
    queue.fields = {{kUuid + ":7", {}}, {kUuid + ":5", {}}};
    queue.isComplete = true;
    const LockSnapshot snapshot = withQueue(queue);
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QVERIFY(decoded.waiters == 2);
    QVERIFY(decoded.waiterSource == WaiterSource::Queue);
    const std::vector<Fact> facts = factsOf(snapshot, decoded);
    QCOMPARE(facts.size(), 2U);
    QCOMPARE(facts[0].text, "fair lock"s);
    QCOMPARE(facts[1].text, kUuid + ":7, " + kUuid + ":5");

    // The queue is empty, and the lock may or may not be fair: waiters are seen at the channel.
    const DecodedLock uncontended = decodedLocksOf(withQueue(Observation())).at(0);
    QVERIFY(!uncontended.waiters);
    QVERIFY(uncontended.waiterSource == WaiterSource::SomeOnChannel);
}

void TestDecoders::aQueueLeadsToItsLock()
{
    for (const Bytes& name : {"order:42"s, "{shop}:order"s, "{order}"s}) {
        const std::vector<CompanionKey> companions =
            companionsOf(of(hashKey(name, {{kUuid + ":63", "1"}})));
        const std::vector<Bytes> names = locksOfQueue(companions.at(0).key);
        QVERIFY2(std::ranges::find(names, name) != names.end(), name.c_str());
    }
    QVERIFY(locksOfQueue("redisson_lock_timeout:{x}").empty());
    QVERIFY(locksOfQueue("redisson_lock_queue:").empty());
    QVERIFY(locksOfQueue("redisson_lock_queue:{}").size() <= 1);
}

void TestDecoders::aQueueThatMayNotBeReadLeavesTheWaitersUnknown()
{
    Observation queue;
    queue.unreadable = "NOPERM this user has no permissions to run the 'llen' command";
    const DecodedLock hidden = decodedLocksOf(withQueue(queue)).at(0);
    QVERIFY(!hidden.waiters);
    QVERIFY(hidden.waiterSource == WaiterSource::None); // the channel would say 0

    queue.type = ValueType::List; // how many there are is known, only who they are is not
    queue.size = 70;
    QVERIFY(decodedLocksOf(withQueue(queue)).at(0).waiters == 70);
}

void TestDecoders::countsThatAreNoHoldCountsAreRefused_data()
{
    QTest::addColumn<std::string>("count");
    for (const std::string count :
         {"0", "-1", "", "1.5", "one", "99999999999", "18446744073709551617", "1 ", "01"}) {
        QTest::newRow(count.c_str()) << count;
    }
}

void TestDecoders::countsThatAreNoHoldCountsAreRefused()
{
    QFETCH(std::string, count);
    QCOMPARE(formatsOf(of(hashKey("lock:x", {{kUuid, count}}))), ""s);
    QCOMPARE(formatsOf(of(hashKey("lock:x", {{kUuid + ":1", count}}))), ""s);
}

void TestDecoders::readersOfAPairKeepTheirOwnExpiry()
{
    Observation readKey = stringKey("lock:x:read", "2", 5s);
    readKey.seenAt = Instant(100s);
    Observation writeKey = stringKey("lock:x:write", kUuid, std::nullopt);
    writeKey.seenAt = Instant(100s);
    const std::vector<DecodedLock> decodedLocks = decodedLocksOf(pairOf("lock:x", readKey,
                                                                        writeKey));
    QCOMPARE(decodedLocks.size(), 1U);
    const std::vector<Holder>& holders = decodedLocks.front().holders;
    QCOMPARE(holders.size(), 2U);
    QCOMPARE(holders[0].owner, kUuid);
    QVERIFY(!holders[0].expiresAt);
    QCOMPARE(holders[1].holds, 2U);
    QVERIFY(holders[1].expiresAt == Instant(105s));
    QVERIFY(decodedLocks.front().flags.has(Flag::MissingExpiryOfReader));
    QVERIFY(!decodedLocks.front().flags.has(Flag::NoExpiry));
}

void TestDecoders::keysThatAreNoPairAreReadAlone()
{
    // The name of a plain lock may end in ":read": its token says that it is not shared by readers.
    const LockSnapshot snapshot = pairOf("lock:file", stringKey("lock:file:read", kUuid),
                                         missing("lock:file:write"));
    const std::vector<NamedDecodedLocks> entries = decodeGroup(snapshot, builtinDecoders());
    QCOMPARE(entries.size(), 1U);
    QCOMPARE(entries[0].first, "lock:file:read"s);
    QCOMPARE(entries[0].second.at(0).format, std::string_view("token"));

    const LockSnapshot both = pairOf("lock:file", stringKey("lock:file:read", kUuid),
                                     stringKey("lock:file:write", kUuid, std::nullopt));
    const std::vector<NamedDecodedLocks> two = decodeGroup(both, builtinDecoders());
    QCOMPARE(two.size(), 2U);
    QVERIFY(!two[0].second.at(0).flags.has(Flag::NoExpiry));
    QVERIFY(two[1].second.at(0).flags.has(Flag::NoExpiry));
}

void TestDecoders::aPairThatIsGoneHasNoDecodedLocks()
{
    const LockSnapshot snapshot = pairOf("lock:x", missing("lock:x:read"), missing("lock:x:write"));
    QCOMPARE(decodeGroup(snapshot, builtinDecoders()).size(), 0U);
    const std::vector<NamedDecodedLocks> single = decodeGroup(of(missing("lock:x")),
                                                              builtinDecoders());
    QCOMPARE(single.size(), 1U);
    QCOMPARE(single[0].first, "lock:x"s);
    QVERIFY(single[0].second.empty());
}

void TestDecoders::redisPyTellsTheMachine()
{
    const auto factsAbout = [](const Bytes& token) {
        const LockSnapshot snapshot = of(stringKey("lock:x", token));
        return factsOf(snapshot, decodedLocksOf(snapshot).at(0));
    };
    const std::vector<Fact> address = factsAbout("f8a16a0ee4bf11f185fa02fc00000001");
    QCOMPARE(address.size(), 1U);
    QCOMPARE(address[0].label, std::string_view("network address of the machine"));
    QCOMPARE(address[0].text, "02:fc:00:00:00:01"s);
    const std::vector<Fact> random = factsAbout("f8a16a0ee4bf11f185fa13fc00000001");
    QVERIFY(random.at(0).label.find("random number") != std::string_view::npos);
    QVERIFY(factsAbout(kUuid).empty());
}

void TestDecoders::ownersAreComparedByValue()
{
    for (const Bytes& value :
         {kUuid, kUuid + ".1794999999000", "f8a16a0ee4bf11f185fa02fc00000001"s}) {
        const ReleaseRecipe recipe = recipeOf(of(stringKey("lock:x", value)));
        QVERIFY(recipe.isSupported);
        QCOMPARE(recipe.checks.size(), 1U);
        QCOMPARE(recipe.checks[0].key, "lock:x"s);
        QCOMPARE(recipe.checks[0].value, value);
        QVERIFY(!recipe.checks[0].comparesExpiry);
        QVERIFY(recipe.channel.empty());
        // A bare UUID may be of a library whose renewal creates the key again.
        QCOMPARE(recipe.warnings.empty(), value != kUuid);
    }
}

void TestDecoders::anonymousValuesAreComparedWithTheirExpiry()
{
    for (const Bytes& value : {"1"s, ""s, "1795000030000"s, "\x00\x00\x01\xa1\xee\x54\xb1\x30"s}) {
        const ReleaseRecipe recipe = recipeOf(of(stringKey("lock:x", value)));
        QCOMPARE(recipe.checks.size(), 1U);
        QCOMPARE(recipe.checks[0].value, value);
        QVERIFY(recipe.checks[0].comparesExpiry);
        QVERIFY(warnsOfBlindDelete(recipe));
    }
    // A process keeps its id from one hold to the next.
    QVERIFY(recipeOf(of(stringKey("lock:x", "web-3:4711"))).checks.at(0).comparesExpiry);
}

void TestDecoders::hashesAreComparedByFieldNames()
{
    const ReleaseRecipe recipe = recipeOf(of(hashKey("lock:x", {{kUuid, "3"}})));
    QCOMPARE(recipe.checks.size(), 1U);
    QVERIFY(recipe.checks[0].kind == ReleaseRecipe::KeyCheck::Kind::Fields);
    QVERIFY(recipe.checks[0].fields == std::vector<Bytes>{kUuid});
    QVERIFY(recipe.checks[0].fieldValues.empty());
    QVERIFY(!recipe.checks[0].comparesExpiry);
    QVERIFY(recipe.channel.empty());
}

void TestDecoders::stampsInAHashAreCompared()
{
    const ReleaseRecipe recipe = recipeOf(of(hashKey("lock:x", {{"read", "1794999999000"},
                                                                {"write", "1794999999001"}})));
    QCOMPARE(recipe.checks.size(), 1U);
    QVERIFY((recipe.checks[0].fields == std::vector<Bytes>{"write", "read"}));
    QVERIFY((recipe.checks[0].fieldValues == std::vector<Bytes>{"1794999999001", "1794999999000"}));
    QVERIFY(recipe.checks[0].comparesExpiry);
}

void TestDecoders::aRedissonReleaseWakesTheWaiters()
{
    const ReleaseRecipe recipe = recipeOf(of(hashKey("order:42", {{kUuid + ":63", "2"}})));
    QVERIFY(recipe.checks.at(0).fields == std::vector<Bytes>{kUuid + ":63"});
    QCOMPARE(recipe.channel, "redisson_lock__channel:{order:42}"s);
    QCOMPARE(recipe.payload, "0"s);
}

void TestDecoders::oneReaderOfRedissonsIsReleasedAlone()
{
    const Bytes writer = kUuid + ":7:write";
    const Bytes reader = kUuid + ":7";
    const LockSnapshot snapshot = of(hashKey("order:42",
                                             {{"mode", "write"}, {writer, "1"}, {reader, "2"}}));
    const ReleaseRecipe one = recipeOf(snapshot, HolderChoice::only(1));
    QVERIFY(one.script == ReleaseRecipe::Script::RedissonReadWrite);
    QVERIFY(one.checks.at(0).isPart);
    QVERIFY(one.checks.at(0).fields == std::vector<Bytes>{reader});
    QVERIFY((one.companions
             == std::vector<Bytes>{"{order:42}:" + reader + ":rwlock_timeout:1",
                                   "{order:42}:" + reader + ":rwlock_timeout:2"}));
    QVERIFY(recipeOf(snapshot, HolderChoice::only(0)).companions.empty());
    QVERIFY((recipeOf(snapshot).checks.at(0).fields == std::vector<Bytes>{writer, reader}));
}

void TestDecoders::oneHolderOfSeveralIsReleasedAlone()
{
    const LockSnapshot readers = of(hashKey("lock:x", {{"a", "read 1795000030000"},
                                                       {"b", "read 1795000030000"},
                                                       {"c", "wait 1795000030000"}}));
    const ReleaseRecipe reader = recipeOf(readers, HolderChoice::only(1));
    QVERIFY(reader.checks.at(0).isPart);
    QVERIFY(reader.checks.at(0).fields == std::vector<Bytes>{"b"});
    // Those who wait lose nothing when all who hold it do.
    QVERIFY((recipeOf(readers).checks.at(0).fields == std::vector<Bytes>{"a", "b"}));
}

void TestDecoders::readersThatShareAMarkAreNotReleasedOneByOne()
{
    const LockSnapshot stamps = of(hashKey("lock:x", {{"read", "1794999999000"},
                                                      {"write", "1794999999001"}}));
    const ReleaseRecipe writer = recipeOf(stamps, HolderChoice::only(0));
    QVERIFY(writer.checks.at(0).fields == std::vector<Bytes>{"write"});
    QVERIFY(writer.checks.at(0).fieldValues == std::vector<Bytes>{"1794999999001"});
    QVERIFY(!writer.endsUnnamedReaders);
    QVERIFY(recipeOf(stamps, HolderChoice::only(1)).endsUnnamedReaders);
    const LockSnapshot counted = pairOf("lock:x", stringKey("lock:x:read", "3"),
                                        stringKey("lock:x:write", kUuid));
    QCOMPARE(recipeOf(counted, HolderChoice::only(0)).checks.at(0).key, "lock:x:write"s);
    QVERIFY(!recipeOf(counted, HolderChoice::only(0)).endsUnnamedReaders);
    QVERIFY(recipeOf(counted, HolderChoice::only(1)).endsUnnamedReaders);
}

void TestDecoders::bothKeysOfAPairAreReleased()
{
    const Observation readKey = stringKey("lock:x:read", "1");
    const ReleaseRecipe both = recipeOf(pairOf("lock:x", readKey,
                                               stringKey("lock:x:write", kUuid)));
    QCOMPARE(both.checks.size(), 2U);
    QVERIFY(both.checks[0].comparesExpiry);
    QCOMPARE(both.checks[1].key, "lock:x:write"s);
    QVERIFY(!both.checks[1].comparesExpiry);
    QVERIFY(warnsOfBlindDelete(both));
    const ReleaseRecipe one = recipeOf(pairOf("lock:x", readKey, missing("lock:x:write")));
    QCOMPARE(one.checks.size(), 1U);
}

void TestDecoders::randomSnapshotsAreJudgedCautiously()
{
    RandomInput input;
    const std::vector<Bytes> pieces{kUuid,
                                    ":",
                                    "1",
                                    "42",
                                    "-7",
                                    ".",
                                    "1795000030000",
                                    "read",
                                    "write",
                                    "f8a16a0ee4bf11f185fa02fc00000001",
                                    "\xff",
                                    ""};
    for (int i = 0; i < 20'000; ++i) {
        const Bytes value = i % 2 == 0 ? input.bytes(40) : input.assembled(pieces, 3);
        const std::optional<Duration> ttl = i % 3 == 0 ? std::nullopt
                                                       : std::optional<Duration>(30s);
        const LockSnapshot asString = of(stringKey("thing:" + std::to_string(i % 7), value, ttl));
        const LockSnapshot asHash = of(hashKey("lock:" + std::to_string(i % 7),
                                               {{value, input.assembled(pieces, 1)}}, ttl));
        for (const LockSnapshot* snapshot : {&asString, &asHash}) {
            for (const DecodedLock& decoded : decodedLocksOf(*snapshot)) {
                QVERIFY2(decoded.because.count() >= 2 || decoded.confidence != Confidence::High,
                         input.recipe(value).c_str());
                QVERIFY2(!decoded.holders.empty(), input.recipe(value).c_str());
                QVERIFY2(decoded.flags.has(Flag::NoExpiry) == !ttl, input.recipe(value).c_str());
                const ReleaseRecipe recipe = decoderOfFormat(decoded.format)
                                                 ->release(*snapshot, decoded, HolderChoice::all());
                QVERIFY2(recipe.checks.size() == 1, input.recipe(value).c_str());
            }
        }
    }
}

LOCKSCOPE_TEST(TestDecoders, None)

} // namespace lockscope::tst_decoders

#include "tst_decoders.moc"
