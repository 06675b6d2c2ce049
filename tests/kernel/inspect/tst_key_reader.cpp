#include "core/kernel/inspect/key_reader.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_key_reader {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Problem;
using store::Reply;

namespace {

/// A reader of a pretended server.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const Command& command) { return keyspace.answer(command); }};
    ServerWallClock wallClock;
    KeyReader reader{store, loop.clock(), wallClock};

    Bench() { wallClock.assume(loop.clock().wallNow(), loop.now()); }

    std::vector<Observation> read(std::vector<Bytes> keys,
                                  KeyReader::Approach approach = KeyReader::Approach::Direct)
    {
        return std::get<std::vector<Observation>>(loop.run(reader.read(std::move(keys), approach)));
    }
};

/// The reader's answer when the server answers with these replies.
KeyReader::Result readOf(const Bytes& key, std::vector<Reply> replies)
{
    VirtualLoop loop;
    ScriptedStore store(ScriptedStore::replies(std::move(replies)));
    ServerWallClock wallClock;
    KeyReader reader(store, loop.clock(), wallClock);
    std::vector<Bytes> keys(1, key);
    return loop.run(reader.read(std::move(keys)));
}

Observation seenOf(const Bytes& key, std::vector<Reply> replies)
{
    return std::get<std::vector<Observation>>(readOf(key, std::move(replies))).front();
}

const Reply kHash = Reply::ofStatus("hash");
const Reply kString = Reply::ofStatus("string");
const Reply kForever = Reply::ofInteger(-1);
const Reply kNoKey = Reply::ofInteger(-2);
const Reply kWrongType =
    Reply::ofError("WRONGTYPE Operation against a key holding the wrong kind of value");

} // namespace

class TestKeyReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShortStringIsReadInOneRoundTrip();
    void aStringOfAHundredMegabytesIsNotDownloaded();
    void aStringThatJustFitsIsComplete();
    void aSmallHashIsReadWhole();
    void aHashOfAMillionFieldsIsNotRead();
    void aHashWithOneEnormousValueIsNotRead();
    void aServerThatSendsMoreThanItWasAskedForIsCutShort();
    void fieldsThatAreMoreThanAnnouncedAreNotTaken_data();
    void fieldsThatAreMoreThanAnnouncedAreNotTaken();
    void aSortedSetIsReadLikeAHash();
    void aSetIsReadByItsMembers();
    void aHugeSortedSetIsMeasuredButNotRead();
    void otherTypesAreNamedAndLeftAlone_data();
    void otherTypesAreNamedAndLeftAlone();
    void binaryKeysAndValuesAreTakenAsTheyAre();
    void aMissingKeyDoesNotExist();
    void aStringThatVanishesBeforeItsValueIsRead();
    void aHashThatVanishesBeforeItsFieldsAreRead();
    void aHashThatBecomesAString();
    void aStringThatBecomesAHash();
    void aForbiddenCommandConcernsTheKeyAlone_data();
    void aForbiddenCommandConcernsTheKeyAlone();
    void aHashWhoseSizeIsHiddenIsNotRead_data();
    void aHashWhoseSizeIsHiddenIsNotRead();
    void aLockWhoseExpiryIsHiddenIsNotCalledEternal();
    void anErrorSaysWhichCommandItAnswered_data();
    void anErrorSaysWhichCommandItAnswered();
    void aServerThatIsBusyTellsAboutNoKey_data();
    void aServerThatIsBusyTellsAboutNoKey();
    void aLostLinkIsAProblem_data();
    void aLostLinkIsAProblem();
    void groupsComeBackAsGroups();
    void listenersAreCountedWhereADecoderAsksForThem();
    void aCountThatIsNoNumberIsUnknown();
    void whereItMattersOnlySmallValuesAreTouched();
    void whereTheSizeIsHiddenTheValueIsReadAllTheSame();
    void noKeysAreNoTrouble();
};

void TestKeyReader::aShortStringIsReadInOneRoundTrip()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "5f0c", 30s);
    const Observation seen = bench.read({"order:lock"}).front();
    QCOMPARE(seen.key, Bytes("order:lock"));
    QVERIFY(seen.type == ValueType::String);
    QCOMPARE(seen.value, Bytes("5f0c"));
    QVERIFY(seen.isComplete);
    QVERIFY(seen.ttl == Duration(30s));
    QVERIFY(seen.seenAt == bench.loop.now());
    QVERIFY(seen.serverTime == bench.loop.clock().wallNow());
    QVERIFY(seen.unreadable.empty());
    QCOMPARE(bench.store.asked(),
             (std::vector<std::string>{"TYPE order:lock", "GETRANGE order:lock 0 1024",
                                       "PTTL order:lock"}));
}

void TestKeyReader::aStringOfAHundredMegabytesIsNotDownloaded()
{
    constexpr std::size_t kSize = 100 * 1024 * 1024;
    Bench bench;
    bench.keyspace.setString("lock:x", Bytes(kSize, 'v'));
    const Observation seen = bench.read({"lock:x"}).front();
    QCOMPARE(seen.size, std::uint64_t(kSize));
    QCOMPARE(seen.value.size(), std::size_t(1025));
    QVERIFY(!seen.isComplete);
    QCOMPARE(bench.store.asked(), (std::vector<std::string>{"TYPE lock:x", "GETRANGE lock:x 0 1024",
                                                            "PTTL lock:x", "STRLEN lock:x"}));
}

void TestKeyReader::aStringThatJustFitsIsComplete()
{
    Bench bench;
    bench.keyspace.setString("lock:x", Bytes(1025, 'v'));
    bench.keyspace.setString("lock:y", Bytes(1026, 'v'));
    const std::vector<Observation> seen = bench.read({"lock:x", "lock:y"});
    QVERIFY(seen[0].isComplete);
    QCOMPARE(seen[0].size, std::uint64_t(1025));
    QVERIFY(!seen[1].isComplete);
    QCOMPARE(seen[1].size, std::uint64_t(1026));
}

void TestKeyReader::aSmallHashIsReadWhole()
{
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"5f0c:63", "2"}, {"other", "1"}}, 10s);
    const Observation seen = bench.read({"lock:h"}).front();
    QVERIFY(seen.type == ValueType::Hash);
    QCOMPARE(seen.size, std::uint64_t(2));
    QVERIFY(seen.isComplete);
    QVERIFY(seen.ttl == Duration(10s));
    QVERIFY(seen.fields == (std::vector<HashField>{{"5f0c:63", "2"}, {"other", "1"}}));
}

void TestKeyReader::aHashOfAMillionFieldsIsNotRead()
{
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"a", "1"}});
    bench.keyspace.pretendFieldCount("lock:h", 1'000'000);
    bench.keyspace.pretendMemory("lock:h", 90'000'000);
    const Observation seen = bench.read({"lock:h"}).front();
    QCOMPARE(seen.size, std::uint64_t(1'000'000));
    QVERIFY(!seen.isComplete);
    QVERIFY(seen.fields.empty());
    QCOMPARE(bench.store.askedCount("HLEN"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("MEMORY USAGE"), std::size_t(1));
    QCOMPARE(bench.store.askedCount("HGETALL"), std::size_t(0));
}

void TestKeyReader::aHashWithOneEnormousValueIsNotRead()
{
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"5f0c:63", Bytes(10'000'000, 'v')}});
    const Observation seen = bench.read({"lock:h"}).front();
    QVERIFY(!seen.isComplete);
    QCOMPARE(seen.size, std::uint64_t(1));
    QCOMPARE(bench.store.askedCount("HGETALL"), std::size_t(0));
}

void TestKeyReader::aServerThatSendsMoreThanItWasAskedForIsCutShort()
{
    const Observation seen = seenOf("lock:x", {kString, Reply::ofBulk(Bytes(1'000'000, 'v')),
                                               kForever, Reply::ofInteger(1'000'000)});
    QCOMPARE(seen.value.size(), ReadLimits().stringBytes);
    QCOMPARE(seen.size, std::uint64_t(1'000'000));
    QVERIFY(!seen.isComplete);
}

void TestKeyReader::fieldsThatAreMoreThanAnnouncedAreNotTaken_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("size");
    QTest::newRow("too many") << 65 << 1;
    QTest::newRow("too large") << 3 << 30'000;
    QTest::newRow("one that was read past") << 1 << 0;
}

void TestKeyReader::fieldsThatAreMoreThanAnnouncedAreNotTaken()
{
    QFETCH(const int, count);
    QFETCH(const int, size);
    Reply::Array items;
    for (int i = 0; i < count; ++i) {
        items.push_back(Reply::ofBulk("field" + std::to_string(i)));
        items.push_back(size > 0 ? Reply::ofBulk(Bytes(static_cast<std::size_t>(size), 'v'))
                                 : Reply::ofOversized(50'000, "vvv"));
    }
    const Observation seen = seenOf("lock:x",
                                    {kHash, kWrongType, kForever, Reply::ofInteger(1),
                                     Reply::ofInteger(90), Reply::ofArray(std::move(items))});
    QVERIFY(seen.exists());
    QVERIFY(!seen.isComplete);
    QVERIFY(seen.fields.empty());
    QCOMPARE(seen.size, static_cast<std::uint64_t>(count));
}

void TestKeyReader::aSetIsReadByItsMembers()
{
    Bench bench;
    bench.keyspace.setSet("job.readers", {"alice", "bob"});
    const Observation seen = bench.read({"job.readers"}).front();
    QVERIFY(seen.type == ValueType::Set && seen.isComplete);
    QVERIFY((seen.fields == std::vector<HashField>{{"alice", {}}, {"bob", {}}}));
}

void TestKeyReader::aSortedSetIsReadLikeAHash()
{
    Bench bench;
    bench.keyspace.setSortedSet("lock:z", {{"alice", "1000"}, {"bob", "2000"}}, 30s);
    const Observation seen = bench.read({"lock:z"}).front();
    QVERIFY(seen.type == ValueType::SortedSet);
    QVERIFY(seen.isComplete);
    QCOMPARE(seen.size, std::uint64_t(2));
    QVERIFY((seen.fields == std::vector<HashField>{{"alice", "1000"}, {"bob", "2000"}}));
}

void TestKeyReader::aHugeSortedSetIsMeasuredButNotRead()
{
    Bench bench;
    bench.keyspace.setSortedSet("lock:z", {{"a", "1"}});
    bench.keyspace.pretendFieldCount("lock:z", 1'000'000);
    const Observation seen = bench.read({"lock:z"}).front();
    QCOMPARE(seen.size, std::uint64_t(1'000'000));
    QVERIFY(!seen.isComplete);
    QCOMPARE(bench.store.askedCount("ZRANGE"), std::size_t(0));
}

void TestKeyReader::otherTypesAreNamedAndLeftAlone_data()
{
    QTest::addColumn<QString>("typeName");
    QTest::addColumn<int>("type");
    QTest::newRow("list") << u"list"_qs << static_cast<int>(ValueType::List);
    QTest::newRow("stream") << u"stream"_qs << static_cast<int>(ValueType::Stream);
    QTest::newRow("module type") << u"ReJSON-RL"_qs << static_cast<int>(ValueType::Other);
}

void TestKeyReader::otherTypesAreNamedAndLeftAlone()
{
    QFETCH(const QString, typeName);
    QFETCH(const int, type);
    Bench bench;
    bench.keyspace.setOther("lock:x", typeName.toStdString());
    const Observation seen = bench.read({"lock:x"}).front();
    QCOMPARE(static_cast<int>(seen.type), type);
    QVERIFY(seen.exists());
    QVERIFY(!seen.isComplete);
    QCOMPARE(bench.store.asked().size(), std::size_t(3));
}

void TestKeyReader::binaryKeysAndValuesAreTakenAsTheyAre()
{
    const Bytes key("lock:\0\xff\r\n", 9);
    const Bytes value("\0\x01\xfe", 3);
    Bench bench;
    bench.keyspace.setString(key, value);
    bench.keyspace.setString("", "");
    const std::vector<Observation> seen = bench.read({key, ""});
    QCOMPARE(seen[0].key, key);
    QCOMPARE(seen[0].value, value);
    QVERIFY(seen[1].exists());
    QVERIFY(seen[1].isComplete);
    QCOMPARE(seen[1].value, Bytes());
}

void TestKeyReader::aMissingKeyDoesNotExist()
{
    Bench bench;
    QVERIFY(!bench.read({"lock:x"}).front().exists());
}

void TestKeyReader::aStringThatVanishesBeforeItsValueIsRead()
{
    // GETRANGE of a missing key is an empty string: it must not become a lock with an empty value.
    const Observation seen = seenOf("lock:x", {kString, Reply::ofBulk(""), kNoKey});
    QVERIFY(!seen.exists());
}

void TestKeyReader::aHashThatVanishesBeforeItsFieldsAreRead()
{
    const Observation seen = seenOf("lock:x",
                                    {kHash, kWrongType, Reply::ofInteger(500), Reply::ofInteger(1),
                                     Reply::ofInteger(90), Reply::ofArray({})});
    QVERIFY(!seen.exists());
}

void TestKeyReader::aHashThatBecomesAString()
{
    const Observation seen = seenOf("lock:x", {kHash, kWrongType, kForever, Reply::ofInteger(1),
                                               Reply::ofInteger(90), kWrongType});
    QVERIFY(seen.exists());
    QVERIFY(!seen.isComplete);
    QVERIFY(seen.fields.empty());
    QVERIFY2(seen.unreadable.starts_with("WRONGTYPE"), seen.unreadable.c_str());
}

void TestKeyReader::aStringThatBecomesAHash()
{
    const Observation seen = seenOf("lock:x", {kString, kWrongType, kForever});
    QVERIFY(seen.exists());
    QVERIFY(!seen.isComplete);
    QVERIFY2(seen.unreadable.starts_with("WRONGTYPE"), seen.unreadable.c_str());
}

void TestKeyReader::aForbiddenCommandConcernsTheKeyAlone_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::newRow("TYPE") << QByteArray("TYPE");
    QTest::newRow("GETRANGE") << QByteArray("GETRANGE");
    QTest::newRow("PTTL") << QByteArray("PTTL");
}

void TestKeyReader::aForbiddenCommandConcernsTheKeyAlone()
{
    QFETCH(const QByteArray, command);
    const std::string error =
        "NOPERM this user has no permissions to access one of the keys used as arguments";
    Bench bench;
    bench.keyspace.setString("lock:secret", "5f0c");
    bench.keyspace.setString("lock:open", "5f0c");
    bench.keyspace.refuse(command.toStdString() + " lock:secret", error);
    const std::vector<Observation> seen = bench.read({"lock:secret", "lock:open"});
    QCOMPARE(seen[0].unreadable, error);
    QVERIFY(!seen[0].isComplete);
    QVERIFY(seen[0].exists());
    QVERIFY(seen[1].isComplete);
}

void TestKeyReader::aHashWhoseSizeIsHiddenIsNotRead_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::newRow("HLEN") << QByteArray("HLEN");
    QTest::newRow("MEMORY USAGE") << QByteArray("MEMORY USAGE");
}

void TestKeyReader::aHashWhoseSizeIsHiddenIsNotRead()
{
    QFETCH(const QByteArray, command);
    const std::string error = "NOPERM User watcher has no permissions to run the command";
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"5f0c:63", "1"}}, 10s);
    bench.keyspace.refuse(command.toStdString(), error);
    const Observation seen = bench.read({"lock:h"}).front();
    QCOMPARE(seen.unreadable, error);
    QVERIFY(!seen.isComplete);
    QCOMPARE(bench.store.askedCount("HGETALL"), std::size_t(0));
}

void TestKeyReader::aLockWhoseExpiryIsHiddenIsNotCalledEternal()
{
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"5f0c:63", "1"}}, 10s);
    bench.keyspace.refuse("PTTL", "NOPERM this user has no permissions to run the 'pttl' command");
    const Observation seen = bench.read({"lock:h"}).front();
    QVERIFY(!seen.isComplete);
    QVERIFY(!seen.unreadable.empty());
    QCOMPARE(bench.store.askedCount("HGETALL"), std::size_t(0));
}

void TestKeyReader::anErrorSaysWhichCommandItAnswered_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<bool>("isHash");
    for (const char* const command : {"TYPE", "PTTL"}) {
        QTest::newRow(command) << QByteArray(command) << false;
    }
    QTest::newRow("STRLEN") << QByteArray("STRLEN") << false;
    for (const char* const command : {"HLEN", "MEMORY USAGE", "HGETALL"}) {
        QTest::newRow(command) << QByteArray(command) << true;
    }
}

void TestKeyReader::anErrorSaysWhichCommandItAnswered()
{
    QFETCH(const QByteArray, command);
    QFETCH(const bool, isHash);
    Bench bench;
    if (isHash) {
        bench.keyspace.setHash("lock:x", {{"5f0c:63", "1"}}, 10s);
    } else {
        bench.keyspace.setString("lock:x", Bytes(5000, 'v'), 10s);
    }
    bench.keyspace.refuse(command.toStdString(), "ERR the proxy has no backend for this key");
    const Observation seen = bench.read({"lock:x"}).front();
    QCOMPARE(Bytes(seen.refusedCommand), command.toStdString());
    QVERIFY(!seen.unreadable.empty());
    QVERIFY(!seen.isComplete);
}

void TestKeyReader::aServerThatIsBusyTellsAboutNoKey_data()
{
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<int>("kind");
    QTest::newRow("a script runs") << QByteArray(
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.")
                                   << static_cast<int>(Problem::Kind::ServerRefused);
    QTest::newRow("it is loading") << QByteArray("LOADING Redis is loading the dataset in memory")
                                   << static_cast<int>(Problem::Kind::Loading);
    QTest::newRow("its master is gone") << QByteArray(
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.")
                                        << static_cast<int>(Problem::Kind::ServerRefused);
    QTest::newRow("the password is needed again")
        << QByteArray("NOAUTH Authentication required.")
        << static_cast<int>(Problem::Kind::PasswordNeeded);
}

void TestKeyReader::aServerThatIsBusyTellsAboutNoKey()
{
    QFETCH(const QByteArray, error);
    QFETCH(const int, kind);
    const Reply refusal = Reply::ofError(error.toStdString());
    const KeyReader::Result result = readOf("lock:x", {refusal, refusal, refusal});
    const auto* const problem = std::get_if<Problem>(&result);
    QVERIFY(problem != nullptr);
    QCOMPARE(static_cast<int>(problem->kind), kind);
}

void TestKeyReader::aLostLinkIsAProblem_data()
{
    QTest::addColumn<int>("answeredBefore");
    QTest::newRow("before the first answer") << 0;
    QTest::newRow("before the length") << 1;
    QTest::newRow("before the fields") << 2;
}

void TestKeyReader::aLostLinkIsAProblem()
{
    QFETCH(const int, answeredBefore);
    Bench bench;
    bench.keyspace.setHash("lock:h", {{"5f0c:63", "1"}});
    bench.keyspace.setString("lock:s", Bytes(2000, 'v'));
    bench.store.hold();
    const auto decoded = bench.loop.start(bench.reader.read({"lock:s", "lock:h"}));
    for (int i = 0; i < answeredBefore; ++i) {
        bench.store.answerOne();
        bench.loop.settle();
    }
    QVERIFY(!decoded.isFinished());
    bench.store.breakLink();
    bench.loop.settle();
    QVERIFY(decoded.isFinished());
    const auto* const problem = std::get_if<Problem>(&decoded.result());
    QVERIFY(problem != nullptr);
    QVERIFY(problem->kind == Problem::Kind::ConnectionLost);
}

void TestKeyReader::groupsComeBackAsGroups()
{
    Bench bench;
    bench.keyspace.setString("x:read", "1", 10s);
    bench.keyspace.setString("lock:y", "5f0c");
    std::vector<KeyGroup> groups = {{"x", {"x:read", "x:write"}}, {"lock:y", {"lock:y"}}};
    const auto result = bench.loop.run(bench.reader.sight(3, std::move(groups)));
    const auto& snapshots = std::get<std::vector<LockSnapshot>>(result);
    QCOMPARE(snapshots.size(), std::size_t(2));
    QCOMPARE(snapshots[0].name, Bytes("x"));
    QCOMPARE(int(snapshots[0].server), 3);
    QCOMPARE(snapshots[0].keys.size(), std::size_t(2));
    QVERIFY(snapshots[0].keys[0].exists());
    QVERIFY(!snapshots[0].keys[1].exists());
    QCOMPARE(snapshots[0].keys[1].key, Bytes("x:write"));
    QCOMPARE(snapshots[1].name, Bytes("lock:y"));
    QCOMPARE(snapshots[1].main().value, Bytes("5f0c"));
}

void TestKeyReader::listenersAreCountedWhereADecoderAsksForThem()
{
    Bench bench;
    bench.keyspace.setString("orders", "0");
    bench.keyspace.setSubscribers("redisson_sc:{orders}", 2);
    std::vector<KeyGroup> groups(1, KeyGroup{"orders", {"orders"}});
    auto result = bench.loop.run(bench.reader.sight(0, std::move(groups)));
    const LockSnapshot snapshot = std::get<std::vector<LockSnapshot>>(result).front();
    QVERIFY(snapshot.listenersOf("redisson_sc:{orders}") == 2);
    QVERIFY(!snapshot.listenersOf("news"));
}

void TestKeyReader::aCountThatIsNoNumberIsUnknown()
{
    QVERIFY(waiterCountOf(store::Reply::ofInteger(0)) == 0);
    QVERIFY(!waiterCountOf(store::Reply()));
    QVERIFY(!waiterCountOf(store::Reply::ofBulk("three")));
    QVERIFY(!waiterCountOf(store::Reply::ofInteger(-1)));
}

/// GETRANGE and HLEN make a key look used even where it is of another type.
void TestKeyReader::whereItMattersOnlySmallValuesAreTouched()
{
    Bench bench;
    bench.keyspace.setString("small", "5f0c9a41", 30s);
    bench.keyspace.setString("page", Bytes(5000, 'x'), 30s);
    bench.keyspace.setHash("hash", {{"worker-1:7", "1"}}, 30s);
    bench.keyspace.setHash("session", {{"cart", Bytes(100'000, 'x')}}, 30s);
    bench.keyspace.setOther("feed", "stream");
    const std::vector<Observation> seen = bench.read({"small", "page", "hash", "session", "feed"},
                                                     KeyReader::Approach::SizeFirst);
    QCOMPARE(seen[0].value, Bytes("5f0c9a41"));
    QVERIFY(seen[0].isComplete);
    QVERIFY(seen[1].type == ValueType::String && !seen[1].isComplete);
    QVERIFY(seen[1].size >= 5000);
    QVERIFY(seen[1].ttl == Duration(30s));
    QCOMPARE(seen[2].fields.size(), std::size_t(1));
    QVERIFY(seen[3].type == ValueType::Hash && !seen[3].isComplete);
    QVERIFY(seen[4].type == ValueType::Stream);
    for (const std::string_view command : {"GETRANGE", "STRLEN", "HLEN", "HGETALL"}) {
        for (const std::string_view key : {"page", "session", "feed"}) {
            const std::string asked = std::string(command) + ' ' + std::string(key);
            QVERIFY2(bench.store.askedCount(asked) == 0, asked.c_str());
        }
    }
}

void TestKeyReader::whereTheSizeIsHiddenTheValueIsReadAllTheSame()
{
    Bench bench;
    bench.keyspace.setString("small", "5f0c9a41", 30s);
    bench.keyspace.refuse("MEMORY", "NOPERM this user has no permissions to run 'memory|usage'");
    const auto seen = bench.read({"small", "gone"}, KeyReader::Approach::SizeFirst);
    QCOMPARE(seen[0].value, Bytes("5f0c9a41"));
    QVERIFY(!seen[1].exists());
}

void TestKeyReader::noKeysAreNoTrouble()
{
    Bench bench;
    QVERIFY(bench.read({}).empty());
}

LOCKSCOPE_TEST(TestKeyReader, Core)

} // namespace lockscope::tst_key_reader

#include "tst_key_reader.moc"
