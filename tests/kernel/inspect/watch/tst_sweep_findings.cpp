#include "core/kernel/inspect/watch/sweep_findings.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <utility>

namespace lockscope::tst_sweep_findings {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

LockSnapshot of(Observation key)
{
    LockSnapshot snapshot;
    snapshot.name = key.key;
    snapshot.keys = {std::move(key)};
    return snapshot;
}

Observation refused(Bytes key, std::string_view command, std::string error)
{
    Observation seen = forbidden(std::move(key));
    seen.refusedCommand = command;
    seen.unreadable = std::move(error);
    return seen;
}

std::string whyNot(Observation key)
{
    const std::optional<NearMiss> miss = nearMissOf(of(std::move(key)));
    return miss ? std::string(miss->why) : "not even near";
}

} // namespace

class TestSweepFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysAreCountedByReason();
    void theSameReasonInOtherWordsIsOne();
    void aKeyThatIsSightedTwiceCountsOnce();
    void reasonsAreBounded();
    void aKeyThatBecameSomethingElseIsNoGap();
    void whatIsNamedLikeALockAndIsNoneIsListed();
    void theListIsBoundedAndTheCountIsNot();
    void everyNearMissHasAReason_data();
    void everyNearMissHasAReason();
    void otherNamesAreNoNearMiss();
    void findingsOfSeveralServersAddUp();
};

void TestSweepFindings::keysAreCountedByReason()
{
    SweepFindings findings;
    QVERIFY(findings.isComplete());
    for (int i = 0; i < 13; ++i) {
        findings.addSnapshot(of(refused("lock:" + std::to_string(i), "TYPE",
                                        "MOVED " + std::to_string(9000 + i) + " 10.0.0.7:7001")),
                             false);
    }
    findings.addSnapshot(
        of(refused("lock:h", "MEMORY USAGE",
                   "NOPERM User w has no permissions to run the 'memory|usage' command")),
        false);
    QVERIFY(!findings.isComplete());
    QCOMPARE(findings.unreadCount(), std::uint64_t(14));
    const std::vector<UnreadKeys> unread = findings.unread();
    QCOMPARE(unread.size(), std::size_t(2));
    QCOMPARE(unread[0].count, std::uint64_t(13));
    QCOMPARE(unread[0].example, "lock:0"s);
    QCOMPARE(unread[1].reason.rule, "+memory|usage"s);
    const std::vector<std::string> sentences = unreadSentences(findings);
    QVERIFY2(sentences[0].starts_with("13 keys could not be read (TYPE). The key is on another "
                                      "node of the cluster."),
             sentences[0].c_str());
    QVERIFY2(sentences[1].starts_with(
                 "1 key may not be read. The user has no permission to run memory|usage."),
             sentences[1].c_str());
    QCOMPARE(findings.nearMissCount(), std::uint64_t(0)); // what they are is not known
}

void TestSweepFindings::theSameReasonInOtherWordsIsOne()
{
    SweepFindings findings;
    for (const char* const key : {"lock:a", "lock:b"}) {
        findings.addSnapshot(of(refused(key, "PTTL",
                                        "ERR unknown command 'PTTL', with args beginning "
                                        "with: '"s
                                            + key + "'")),
                             false);
    }
    QCOMPARE(findings.unread().size(), std::size_t(1));
    findings.addSnapshot(of(refused("lock:c", "TYPE", "ERR unknown command 'TYPE'")), false);
    QCOMPARE(findings.unread().size(), std::size_t(2)); // another command is another gap
}

void TestSweepFindings::aKeyThatIsSightedTwiceCountsOnce()
{
    SweepFindings findings;
    for (int i = 0; i < 2; ++i) {
        findings.addSnapshot(of(refused("lock:x", "TYPE", "TRYAGAIN Multiple keys request")),
                             false);
        findings.addSnapshot(of(stringKey("lock:attempts", "812", std::nullopt)), false);
    }
    QCOMPARE(findings.unreadCount(), std::uint64_t(1));
    QCOMPARE(findings.nearMissCount(), std::uint64_t(1));
}

void TestSweepFindings::reasonsAreBounded()
{
    SweepFindings findings;
    for (char first = 'a'; first <= 'z'; ++first) {
        for (char second = 'a'; second <= 'z'; ++second) {
            const std::string word{first, second};
            findings.addSnapshot(of(refused("lock:" + word, "TYPE",
                                            "ERR " + word + " is no reason")),
                                 false);
        }
    }
    QCOMPARE(findings.unread().size(), SweepFindings::kReasonsMax);
    QCOMPARE(findings.unreadCount(), std::uint64_t(26 * 26));
}

void TestSweepFindings::aKeyThatBecameSomethingElseIsNoGap()
{
    SweepFindings findings;
    findings.addSnapshot(of(refused("lock:x", "GETRANGE", "WRONGTYPE Operation against a key")),
                         false);
    QVERIFY(findings.isComplete());
}

void TestSweepFindings::whatIsNamedLikeALockAndIsNoneIsListed()
{
    SweepFindings findings;
    findings.addSnapshot(of(stringKey("lock:a", kAlice, 30s)), true);
    findings.addSnapshot(of(stringKey("lock:attempts", "812", 30s)), false);
    findings.addSnapshot(of(missing("lock:gone")), false);
    QCOMPARE(findings.nearMissCount(), std::uint64_t(1));
    const NearMiss& miss = findings.nearMisses().front();
    QCOMPARE(miss.key, "lock:attempts"s);
    QVERIFY(miss.type == ValueType::String);
    QVERIFY(miss.expiresAt == kStart + Duration(30s));
    QVERIFY(findings.isComplete());
}

void TestSweepFindings::theListIsBoundedAndTheCountIsNot()
{
    SweepFindings findings;
    for (int i = 0; i < 3000; ++i) {
        findings.addSnapshot(of(stringKey("lock:" + std::to_string(i), "812", std::nullopt)),
                             false);
    }
    QCOMPARE(findings.nearMissCount(), std::uint64_t(3000));
    QCOMPARE(findings.nearMisses().size(), SweepFindings::kNearMissesMax);
}

void TestSweepFindings::everyNearMissHasAReason_data()
{
    QTest::addColumn<Bytes>("value");
    QTest::addColumn<Bytes>("why");
    QTest::newRow("number") << "812"s
                            << "its value is a number, like that of a counter"s;
    QTest::newRow("free") << "unlocked"s
                          << "its value means that the lock is free"s;
    QTest::newRow("document") << R"({"timeout":30})"s
                              << "its value is a document that contains no owner"s;
    QTest::newRow("long") << Bytes(5000, 'x') << "its value is too long for an owner"s;
    QTest::newRow("bytes") << "\x01\x02"s
                           << "its value contains no owner"s;
}

void TestSweepFindings::everyNearMissHasAReason()
{
    QFETCH(Bytes, value);
    QFETCH(Bytes, why);
    QCOMPARE(whyNot(stringKey("lock:x", value, 30s)), why);
}

void TestSweepFindings::otherNamesAreNoNearMiss()
{
    QCOMPARE(whyNot(stringKey("user:7", "812", 30s)), "not even near"s);
    Observation list = stringKey("lock:list", "", std::nullopt);
    list.type = ValueType::List;
    QCOMPARE(whyNot(list), "no known lock format uses this type"s);
}

void TestSweepFindings::findingsOfSeveralServersAddUp()
{
    SweepFindings sum;
    for (int server = 0; server < 3; ++server) {
        SweepFindings own;
        own.addSnapshot(of(refused("lock:x", "TYPE", "MOVED 7 10.0.0.7:7001")), false);
        own.addSnapshot(of(stringKey("lock:attempts", "812", 30s)), false);
        sum.add(own);
    }
    QCOMPARE(sum.unreadCount(), std::uint64_t(3));
    QCOMPARE(sum.unread().size(), std::size_t(1));
    QCOMPARE(sum.nearMissCount(), std::uint64_t(3));
}

LOCKSCOPE_TEST(TestSweepFindings, None)

} // namespace lockscope::tst_sweep_findings

#include "tst_sweep_findings.moc"
