#include "core/kernel/inspect/decoder.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

Q_DECLARE_METATYPE(lockscope::inspect::Observation)

namespace lockscope::tst_decoded_owners {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

/// What counts as an owner under the name of a lock, and what the user's word is worth.
class TestDecodedOwners : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStuckLockIsSeenWhateverItsOwnerIsCalled_data();
    void aStuckLockIsSeenWhateverItsOwnerIsCalled();
    void whatTheUserNamesIsAlwaysRead_data();
    void whatTheUserNamesIsAlwaysRead();
};

void TestDecodedOwners::aStuckLockIsSeenWhateverItsOwnerIsCalled_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("owner");
    QTest::newRow("worker and uuid") << "job:sync:lock"s
                                     << "worker-3:" + kUuid;
    QTest::newRow("host, pid, thread") << "job:sync:lock"s
                                       << "web-3:4711:12"s;
    QTest::newRow("JSON") << "job:sync:lock"s
                          << R"({"owner":"web-3","pid":4711})"s;
    QTest::newRow("not ASCII") << "job:sync:lock"s
                               << "工作节点-3"s;
    QTest::newRow("Latin-1") << "job:sync:lock"s
                             << "M\xfcller"s;
    QTest::newRow("300 bytes") << "job:sync:lock"s << Bytes(300, 'w');
    QTest::newRow("a name of 30 letters") << "job:sync:lock"s
                                          << "nightlyReportGeneratorOfTheHub"s;
    QTest::newRow("a name in Chinese") << "分布式锁:库存"s << kUuid;
    QTest::newRow("all of it in Chinese") << "分布式锁:库存"s
                                          << "仓库服务"s;
}

void TestDecodedOwners::aStuckLockIsSeenWhateverItsOwnerIsCalled()
{
    QFETCH(std::string, key);
    QFETCH(std::string, owner);
    const std::vector<DecodedLock> decodedLocks = decodedLocksOf(of(stringKey(key, owner,
                                                                              std::nullopt)));
    QVERIFY(!decodedLocks.empty());
    QCOMPARE(decodedLocks[0].holders.at(0).owner, owner);
    QVERIFY(decodedLocks[0].flags.has(Flag::NoExpiry));
    // The same under any name would make locks of data.
    QCOMPARE(formatsOf(of(stringKey("job:sync", owner, std::nullopt))), ""s);
}

void TestDecodedOwners::whatTheUserNamesIsAlwaysRead_data()
{
    QTest::addColumn<Observation>("key");
    QTest::addColumn<std::string>("owner");
    Observation list = stringKey("job:x", "", std::nullopt);
    list.type = ValueType::List;
    Observation large = stringKey("job:x", Bytes(1025, 'a'));
    large.isComplete = false;
    QTest::newRow("a sentence") << stringKey("job:x", "started by hand, see wiki", std::nullopt)
                                << "started by hand, see wiki"s;
    QTest::newRow("a number") << stringKey("job:x", "812", std::nullopt) << ""s;
    QTest::newRow("free") << stringKey("job:x", "0") << ""s;
    QTest::newRow("a document") << stringKey("job:x", R"({"at":7})") << R"({"at":7})"s;
    QTest::newRow("a hash") << hashKey("job:x", {{"a", "b"}, {"c", "d"}}) << ""s;
    QTest::newRow("a list") << list << ""s;
    QTest::newRow("too large") << large << ""s;
}

void TestDecodedOwners::whatTheUserNamesIsAlwaysRead()
{
    QFETCH(Observation, key);
    QFETCH(std::string, owner);
    LockSnapshot snapshot = of(key);
    QCOMPARE(formatsOf(snapshot), ""s);
    snapshot.isNamedByUser = true;
    QCOMPARE(formatsOf(snapshot), "named-key"s);
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QVERIFY(decoded.confidence == Confidence::Low);
    QCOMPARE(decoded.holders.at(0).owner, owner);
    QCOMPARE(decoded.because.at(0), std::string_view("it matches one of your patterns"));
    // Deleting what is not understood may do harm.
    const Decoder* const decoder = decoderOfFormat("named-key");
    QVERIFY(!decoder->release(snapshot, decoded, HolderChoice::all()).isSupported);
}

LOCKSCOPE_TEST(TestDecodedOwners, None)

} // namespace lockscope::tst_decoded_owners

#include "tst_decoded_owners.moc"
