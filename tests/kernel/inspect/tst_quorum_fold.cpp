#include "core/kernel/inspect/quorum_fold.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_quorum_fold {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kStart{1h};

LockPtr vote(Bytes owner, std::optional<Duration> left = Duration(30s))
{
    LockRecord record;
    record.id = {1, "order"};
    record.setFormat("token");
    record.holders.emplace_back().owner = std::move(owner);
    if (left) {
        record.expiresAt = kStart + *left;
        record.lease = *left;
    }
    return makeShared<const LockRecord>(std::move(record));
}

/// Read before the connection to its server was lost.
LockPtr lostVote(Bytes owner)
{
    LockRecord record = *vote(std::move(owner));
    record.isConfirmed = false;
    return makeShared<const LockRecord>(std::move(record));
}

LockRecord foldOf(std::vector<LockPtr> votes, std::string_view incumbent = {})
{
    return foldQuorum(votes, incumbent).value();
}

std::vector<Bytes> ownersOf(const LockRecord& row)
{
    std::vector<Bytes> owners;
    for (const Holder& holder : row.holders) {
        owners.push_back(holder.owner);
    }
    return owners;
}

} // namespace

class TestQuorumFold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlySingleTokensVote_data();
    void onlySingleTokensVote();
    void noVotesMakeNoRow();
    void oneVoteIsAToken();
    void twoEqualVotesAreARedlock();
    void theOwnerWithTheMostVotesIsFirst();
    void theIncumbentWinsATie();
    void aMajorityEndsWhenItIsLost();
    void aMinorityEndsWithItsLastVote();
    void votesWithoutEndNeverEnd();
    void whatIsKnownOfTheVotesIsUnited();
    void aServerThatIsNotKnownIsNoMissingVote();
    void aVoteOfAServerInDoubtStillCounts();
    void aVoteFromBeforeTheServerWasLostIsNotKnown();
    void votesThatAreAllOutOfDateMakeARow();
};

void TestQuorumFold::onlySingleTokensVote_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::addColumn<bool>("isVote");
    QTest::newRow("token") << QByteArray("token") << true;
    QTest::newRow("token with a stamp") << QByteArray("token-stamp") << true;
    QTest::newRow("redis-py") << QByteArray("redis-py") << true;
    QTest::newRow("flag") << QByteArray("flag") << false;
    QTest::newRow("redisson") << QByteArray("redisson-lock") << false;
}

void TestQuorumFold::onlySingleTokensVote()
{
    QFETCH(const QByteArray, format);
    QFETCH(const bool, isVote);
    LockRecord record = *vote("a");
    record.setFormat(std::string_view(format.constData(), std::size_t(format.size())));
    QCOMPARE(isQuorumVote(record), isVote);
    record.holders.front().owner.clear();
    QVERIFY(!isQuorumVote(record));
}

void TestQuorumFold::noVotesMakeNoRow()
{
    const std::vector<LockPtr> votes(3);
    QVERIFY(!foldQuorum(votes));
}

void TestQuorumFold::oneVoteIsAToken()
{
    const LockRecord row = foldOf({nullptr, vote("a"), nullptr});
    QVERIFY(row.id == (LockId{LockId::kWholeSet, "order"}));
    QVERIFY(row.quorum() == (Quorum{1, 3}));
    QVERIFY(!row.quorum().isMajority());
    QCOMPARE(std::string(row.format()), std::string("token"));
}

void TestQuorumFold::twoEqualVotesAreARedlock()
{
    const LockRecord row = foldOf({vote("a"), vote("a"), nullptr});
    QVERIFY(row.quorum() == (Quorum{2, 3}));
    QVERIFY(row.quorum().isMajority());
    QCOMPARE(std::string(row.format()), std::string("redlock"));
    QVERIFY(row.confidence == Confidence::High);
    QCOMPARE(row.evidence().count(), std::size_t(1));
}

void TestQuorumFold::theOwnerWithTheMostVotesIsFirst()
{
    const LockRecord row = foldOf({vote("a"), vote("b"), vote("c"), vote("b"), nullptr});
    QCOMPARE(ownersOf(row), (std::vector<Bytes>{"b", "a", "c"}));
    QVERIFY(row.quorum() == (Quorum{2, 5}));
}

void TestQuorumFold::theIncumbentWinsATie()
{
    QCOMPARE(ownersOf(foldOf({vote("a"), vote("b")}, "b")).front(), Bytes("b"));
    QCOMPARE(ownersOf(foldOf({vote("a"), vote("b")}, "a")).front(), Bytes("a"));
    QCOMPARE(ownersOf(foldOf({vote("a"), vote("b"), vote("b")}, "a")).front(), Bytes("b"));
    QCOMPARE(ownersOf(foldOf({vote("b"), vote("a")}, "gone")),
             ownersOf(foldOf({vote("a"), vote("b")})));
}

void TestQuorumFold::aMajorityEndsWhenItIsLost()
{
    // 3 of 5 are needed: with the third vote from the top the majority is gone.
    const LockRecord row = foldOf({vote("a", 50s), vote("a", 10s), vote("a", 30s), vote("a", 20s),
                                   vote("a", 40s)});
    QVERIFY(row.expiresAt == kStart + 30s);
    QVERIFY(row.lease == 50s);
}

void TestQuorumFold::aMinorityEndsWithItsLastVote()
{
    const LockRecord row = foldOf({vote("a", 10s), vote("a", 20s), nullptr, nullptr, nullptr});
    QVERIFY(row.expiresAt == kStart + 20s);
}

void TestQuorumFold::votesWithoutEndNeverEnd()
{
    QVERIFY(!foldOf({vote("a", std::nullopt), vote("a", std::nullopt), vote("a", 10s)}).expiresAt);
    const LockRecord row = foldOf({vote("a", std::nullopt), vote("a", 20s), vote("a", 10s)});
    QVERIFY(row.expiresAt == kStart + 20s);
}

void TestQuorumFold::whatIsKnownOfTheVotesIsUnited()
{
    LockRecord doubtful = *vote("a");
    doubtful.isConfirmed = false;
    doubtful.flags.add(Flag::NoExpiry);
    const LockRecord row = foldOf({vote("a"), makeShared<const LockRecord>(doubtful), nullptr});
    QVERIFY(!row.isConfirmed);
    QVERIFY(row.flags.has(Flag::NoExpiry));
}

void TestQuorumFold::aServerThatIsNotKnownIsNoMissingVote()
{
    const std::vector<LockPtr> votes = {vote("a"), nullptr, nullptr};
    const std::vector<std::uint16_t> one = {2};
    const LockRecord row = foldQuorum(votes, {}, one).value();
    QCOMPARE(row.quorum().unknown, std::uint16_t(1));
    QVERIFY(row.quorum().isUnknown(2));
    QVERIFY(!row.quorum().isUnknown(1));
    QVERIFY(row.quorum().isUndecided()); // with the third it would be two of three
    QVERIFY(!row.quorum().isMinority());
    QVERIFY(stateOf(row) == LockState::Unconfirmed);
    const std::vector<LockPtr> five = {vote("a"), nullptr, nullptr, nullptr, nullptr};
    QVERIFY(foldQuorum(five, {}, one)->quorum().isMinority()); // one more would not help
}

void TestQuorumFold::aVoteOfAServerInDoubtStillCounts()
{
    const std::vector<LockPtr> votes = {vote("a"), vote("a"), nullptr};
    const std::vector<std::uint16_t> both = {1, 2};
    const LockRecord row = foldQuorum(votes, {}, both).value();
    QCOMPARE(row.quorum().held, std::uint16_t(2));
    QCOMPARE(row.quorum().unknown, std::uint16_t(1));
    QVERIFY(row.quorum().isMajority());
    QVERIFY(!row.quorum().isUndecided());
}

/// As a fresh look has it, which cannot ask that server.
void TestQuorumFold::aVoteFromBeforeTheServerWasLostIsNotKnown()
{
    const std::vector<std::uint16_t> lost = {1};
    const std::vector<LockPtr> same = {vote("a"), lostVote("a"), nullptr};
    const LockRecord ofOne = foldQuorum(same, {}, lost).value();
    QCOMPARE(ofOne.quorum().held, std::uint16_t(1));
    QVERIFY(ofOne.quorum().isUnknown(1));
    QVERIFY(ofOne.quorum().isUndecided());
    QVERIFY(!ofOne.isConfirmed);

    const std::vector<LockPtr> split = {vote("a"), lostVote("b"), nullptr};
    const LockRecord ofTwo = foldQuorum(split, "b", lost).value();
    QCOMPARE(ownersOf(ofTwo), std::vector<Bytes>{"a"});
    QVERIFY(ofTwo.quorum().isUndecided());
    QCOMPARE(stateOf(ofTwo), LockState::Unconfirmed);
}

void TestQuorumFold::votesThatAreAllOutOfDateMakeARow()
{
    const std::vector<std::uint16_t> lost = {1};
    const std::vector<LockPtr> votes = {nullptr, lostVote("a"), nullptr};
    const LockRecord row = foldQuorum(votes, {}, lost).value();
    QCOMPARE(ownersOf(row), std::vector<Bytes>{"a"});
    QCOMPARE(row.quorum().held, std::uint16_t(0));
    QVERIFY(row.quorum().isMinority()); // also if that server still has it
    QVERIFY(!row.isConfirmed);
}

LOCKSCOPE_TEST(TestQuorumFold, Core)

} // namespace lockscope::tst_quorum_fold

#include "tst_quorum_fold.moc"
