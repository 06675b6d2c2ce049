#include "core/operations/lock_details.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_details {

using namespace lockscope::inspect;
using namespace std::chrono_literals;
using operations::detailsOf;
using operations::LockDetails;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// What a server said of order:lock; an empty value: it is not there.
LockInspection inspectionOf(std::uint16_t server, const Bytes& value,
                            std::optional<Duration> ttl = Duration(30s))
{
    Observation seen;
    seen.key = "order:lock";
    seen.type = value.empty() ? ValueType::None : ValueType::String;
    seen.value = value;
    seen.size = value.size();
    seen.isComplete = true;
    seen.ttl = ttl;
    seen.seenAt = Instant(1h);
    LockInspection inspection;
    inspection.snapshot = {server, "order:lock", {seen}};
    inspection.decodedLocks = decode(inspection.snapshot, builtinDecoders());
    inspection.expiresAtMs = {ttl ? std::optional<std::int64_t>(1'760'000'000'000) : std::nullopt};
    return inspection;
}

bool comparesWith(const std::optional<ReleasePlan>& plan, const Bytes& value)
{
    const auto& words = plan->command.words;
    return std::find(words.begin(), words.end(), value) != words.end();
}

} // namespace

class TestLockDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockOfOneServerIsItsOwnDetails();
    void aLockWithoutExpiryMayBeCapped();
    void aLockThatIsGoneHasNoPlan();
    void aRowOfASetIsReleasedOnEveryServerThatHasIt();
    void theMinoritysTokenIsNotWhatARowIsReleasedBy();
    void aRowIsARowEvenWhenOneServerAnswers();
    void eachServerOfASetHasItsVote();
    void leftoversAreReleasedOnlyAsLeftovers();
    void theVotesOfARivalHaveTheirOwnPlan();
};

void TestLockDetails::aLockOfOneServerIsItsOwnDetails()
{
    std::vector<LockInspection> all = {inspectionOf(0, kAlice)};
    const LockDetails details = detailsOf(all, 1);
    QVERIFY(details.lock->id == (LockId{0, "order:lock"}));
    QVERIFY(details.release.has_value());
    QVERIFY(details.release->servers == std::vector<std::uint16_t>{0});
    QVERIFY(!details.capTtl);
    QCOMPARE(details.snapshots.size(), std::size_t(1));
    QVERIFY(!details.decodedLocks.empty());
}

void TestLockDetails::aLockWithoutExpiryMayBeCapped()
{
    std::vector<LockInspection> all = {inspectionOf(0, "1", std::nullopt)};
    const LockDetails details = detailsOf(all, 1);
    QVERIFY(details.capTtl.has_value());
    QVERIFY(details.capTtl->cap > 0s);
    QVERIFY(!details.warnings.empty()); // a flag says nothing of its owner
}

void TestLockDetails::aLockThatIsGoneHasNoPlan()
{
    std::vector<LockInspection> all = {inspectionOf(0, "")};
    const LockDetails details = detailsOf(all, 1);
    QVERIFY(details.lock == nullptr);
    QVERIFY(!details.release);
    QVERIFY(details.snapshots.empty());
}

void TestLockDetails::aRowOfASetIsReleasedOnEveryServerThatHasIt()
{
    std::vector<LockInspection> all = {inspectionOf(0, kAlice), inspectionOf(1, ""),
                                       inspectionOf(2, kAlice)};
    const LockDetails details = detailsOf(all, 3);
    QVERIFY(details.lock->id == (LockId{LockId::kWholeSet, "order:lock"}));
    QVERIFY(details.lock->quorum() == (Quorum{2, 3}));
    QVERIFY(details.release->servers == (std::vector<std::uint16_t>{0, 2}));
    QVERIFY(details.release->lock == details.lock);
    QCOMPARE(details.snapshots.size(), std::size_t(2));
    const bool warnsOfTheMajority = std::any_of(details.warnings.begin(), details.warnings.end(),
                                                [](const auto& w) {
                                                    return w.find("half of the servers")
                                                           != std::string::npos;
                                                });
    QVERIFY(warnsOfTheMajority);
}

void TestLockDetails::theMinoritysTokenIsNotWhatARowIsReleasedBy()
{
    std::vector<LockInspection> all = {inspectionOf(0, kBob), inspectionOf(1, kAlice),
                                       inspectionOf(2, kAlice)};
    const LockDetails details = detailsOf(all, 3);
    QVERIFY(details.lock->holders.front().owner == kAlice);
    QVERIFY(details.release->owner() == kAlice);
    QVERIFY(details.release->servers == (std::vector<std::uint16_t>{1, 2}));
    QVERIFY(comparesWith(details.release, kAlice));
    QVERIFY(!comparesWith(details.release, kBob));
}

void TestLockDetails::aRowIsARowEvenWhenOneServerAnswers()
{
    std::vector<LockInspection> all = {inspectionOf(1, kAlice)};
    const LockDetails details = detailsOf(all, 3);
    QVERIFY(details.lock->id.server == LockId::kWholeSet);
    QCOMPARE(details.lock->quorum().held, std::uint16_t(1));
    QVERIFY(details.lock->quorum().isUnknown(0) && details.lock->quorum().isUnknown(2));
    QVERIFY(details.lock->quorum().isUndecided()); // the two that were not asked decide
    QVERIFY(details.release->servers == std::vector<std::uint16_t>{1});
}

void TestLockDetails::eachServerOfASetHasItsVote()
{
    using Vote = diagnosis::SetNode::Vote;
    std::vector<LockInspection> all = {inspectionOf(0, kAlice), inspectionOf(1, ""),
                                       inspectionOf(2, kBob), inspectionOf(3, kAlice)};
    const LockDetails details = detailsOf(all, 5);
    std::vector<Vote> votes;
    for (const diagnosis::SetNode& node : details.nodes) {
        QCOMPARE(node.server, std::uint16_t(votes.size()));
        votes.push_back(node.vote);
    }
    QVERIFY(votes
            == (std::vector<Vote>{Vote::SameOwner, Vote::None, Vote::OtherOwner, Vote::SameOwner,
                                  Vote::Unknown}));
    QVERIFY(details.nodes[0].expiresAt == Instant(1h) + Duration(30s));
    QCOMPARE(details.nodes[2].owner, kBob);
    QVERIFY(quorumStateOf(*details.lock) == QuorumState::Unknown);
}

void TestLockDetails::leftoversAreReleasedOnlyAsLeftovers()
{
    const LockDetails majority = detailsOf({inspectionOf(0, kAlice), inspectionOf(1, ""),
                                            inspectionOf(2, kAlice)},
                                           3);
    QVERIFY(!majority.release->isOfMinority);
    const LockDetails minority = detailsOf({inspectionOf(0, kAlice), inspectionOf(1, ""),
                                            inspectionOf(2, "")},
                                           3);
    QVERIFY(minority.release->isOfMinority);
    QVERIFY(minority.release->servers == std::vector<std::uint16_t>{0});
    QVERIFY(minority.release->recipe.warnings.back().starts_with("These votes are left over"));
}

void TestLockDetails::theVotesOfARivalHaveTheirOwnPlan()
{
    const LockDetails details = detailsOf({inspectionOf(0, kBob), inspectionOf(1, kAlice),
                                           inspectionOf(2, kAlice)},
                                          3);
    QCOMPARE(details.releaseOne.size(), std::size_t(1));
    QCOMPARE(details.releaseOne.front().owner(), kBob);
    QVERIFY(details.releaseOne.front().servers == std::vector<std::uint16_t>{0});
    QVERIFY(details.releaseOne.front().isOfMinority);
    QVERIFY(!details.release->isOfMinority);
}

LOCKSCOPE_TEST(TestLockDetails, Core)

} // namespace lockscope::tst_lock_details

#include "tst_lock_details.moc"
