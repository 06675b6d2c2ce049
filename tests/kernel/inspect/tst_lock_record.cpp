#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_lock_record {

using namespace lockscope::inspect;
using namespace std::string_literals;

class TestLockRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsAreSummedOverTheHolders();
    void aLockWithoutOtherKeysIsItsName();
    void flagIdsComeBack();
    void everyEnumeratorHasAnIdOfItsOwn();
    void everyFlagButThatOfDataIsWorthALook();
    void noExpiryIsAsUrgentAsTheLockIsCertain();
    void dataIsNoCauseForAlarm();
    void theWorstFlagDecides();
    void flagSetsKeepWhatTheyAreGiven();
    void theMostUrgentStateWins();
    void evidenceBeyondTheCapacityIsDropped();
    void aMajorityIsMoreThanHalf();
    void aSnapshotExistsWhenAnyOfItsKeysDoes();
};

namespace {

Holder holderOf(Bytes owner, std::uint32_t holds = 1)
{
    Holder holder;
    holder.owner = std::move(owner);
    holder.holds = holds;
    return holder;
}

std::vector<Flag> allFlags()
{
    std::vector<Flag> flags;
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        flags.push_back(static_cast<Flag>(i));
    }
    return flags;
}

} // namespace

void TestLockRecord::holdsAreSummedOverTheHolders()
{
    LockRecord record;
    QCOMPARE(record.holds(), 0U);
    record.holders = {holderOf("a", 2), holderOf("b", 3)};
    QCOMPARE(record.holds(), 5U);
}

void TestLockRecord::aLockWithoutOtherKeysIsItsName()
{
    LockRecord record;
    record.id.name = "order:42";
    QCOMPARE(record.keys(), (std::vector<Bytes>{"order:42"}));
    record.seldom->otherKeys = {"order:42:read", "order:42:write"};
    QCOMPARE(record.keys(), record.otherKeys());
}

void TestLockRecord::flagIdsComeBack()
{
    for (const Flag flag : allFlags()) {
        QCOMPARE(flagOfId(idOf(flag)), std::optional(flag));
    }
    QCOMPARE(idOf(Flag::NoExpiry), "no-expiry");
    QCOMPARE(idOf(Flag::HolderGone), "holder-gone");
    QCOMPARE(idOf(Flag::AtRisk), "at-risk");
    QCOMPARE(idOf(Flag::ProbablyData), "probably-data");
    QCOMPARE(flagOfId("no-such-flag"), std::nullopt);
    QCOMPARE(flagOfId(""), std::nullopt);
}

void TestLockRecord::everyEnumeratorHasAnIdOfItsOwn()
{
    std::set<std::string_view> states;
    for (int i = 0; i < static_cast<int>(LockState::StateCount); ++i) {
        states.insert(idOf(static_cast<LockState>(i)));
    }
    QCOMPARE(states, (std::set<std::string_view>{"suspicious", "unconfirmed", "contended", "shared",
                                                 "held"}));
    QCOMPARE(idOf(Mode::Exclusive), "exclusive");
    QCOMPARE(idOf(Mode::Read), "read");
    QCOMPARE(idOf(Mode::Write), "write");
    QCOMPARE(idOf(Mode::Semaphore), "semaphore");
    QCOMPARE(idOf(Confidence::Low), "low");
    QCOMPARE(idOf(Confidence::Medium), "medium");
    QCOMPARE(idOf(Confidence::High), "high");
    QCOMPARE(idOf(ChangeKind::Appeared), "appeared");
    QCOMPARE(idOf(ChangeKind::Changed), "changed");
    QCOMPARE(idOf(ChangeKind::Renewed), "renewed");
    QCOMPARE(idOf(ChangeKind::Released), "released");
    QCOMPARE(idOf(ChangeKind::Expired), "expired");
}

void TestLockRecord::everyFlagButThatOfDataIsWorthALook()
{
    for (const Flag flag : allFlags()) {
        QCOMPARE(severityOf(flag) > 0, flag != Flag::ProbablyData);
    }
    QCOMPARE(severityOf(Flag::NoExpiry), 2);
    QCOMPARE(severityOf(Flag::RenewedForever), 1);
}

void TestLockRecord::noExpiryIsAsUrgentAsTheLockIsCertain()
{
    LockRecord record;
    record.flags.add(Flag::NoExpiry);
    QCOMPARE(severityOf(record), 1);
    QCOMPARE(stateOf(record), LockState::Suspicious);
    record.confidence = Confidence::High;
    QCOMPARE(severityOf(record), 2);
    QCOMPARE(stateOf(record), LockState::Suspicious);
    record.isNewHold = true;
    QCOMPARE(severityOf(record), 0);
    QCOMPARE(stateOf(record), LockState::Held);
    record.flags.add(Flag::HolderGone);
    QCOMPARE(severityOf(record), 1);
}

void TestLockRecord::dataIsNoCauseForAlarm()
{
    LockRecord record;
    for (const Flag flag : allFlags()) {
        record.flags.add(flag);
    }
    QCOMPARE(severityOf(record), 0);
    QCOMPARE(stateOf(record), LockState::Held);
}

void TestLockRecord::theWorstFlagDecides()
{
    FlagSet flags;
    QCOMPARE(severityOf(flags), 0);
    flags.add(Flag::Minority);
    QCOMPARE(severityOf(flags), 1);
    flags.add(Flag::NoExpiry);
    QCOMPARE(severityOf(flags), 2);
    flags.remove(Flag::NoExpiry);
    QCOMPARE(severityOf(flags), 1);
}

void TestLockRecord::flagSetsKeepWhatTheyAreGiven()
{
    FlagSet flags;
    FlagSet others;
    for (const Flag flag : allFlags()) {
        QVERIFY(!flags.has(flag));
        (static_cast<int>(flag) % 2 == 0 ? flags : others).add(flag);
    }
    for (const Flag flag : allFlags()) {
        QCOMPARE(flags.has(flag), static_cast<int>(flag) % 2 == 0);
        QVERIFY(flags.united(others).has(flag));
        flags.remove(flag);
    }
    QVERIFY(flags.isEmpty());
}

void TestLockRecord::theMostUrgentStateWins()
{
    LockRecord record;
    record.holders = {holderOf("a")};
    QCOMPARE(stateOf(record), LockState::Held);
    record.mode = Mode::Read;
    QCOMPARE(stateOf(record), LockState::Held);
    record.holders.push_back(holderOf("b"));
    QCOMPARE(stateOf(record), LockState::ReadShared);
    record.waiters = 0;
    QCOMPARE(stateOf(record), LockState::ReadShared);
    record.waiters = 1;
    QCOMPARE(stateOf(record), LockState::Contended);
    record.isConfirmed = false;
    QCOMPARE(stateOf(record), LockState::Unconfirmed);
    record.flags.add(Flag::Minority);
    QCOMPARE(stateOf(record), LockState::Suspicious);
}

void TestLockRecord::evidenceBeyondTheCapacityIsDropped()
{
    Evidence evidence;
    evidence.add("strongest");
    for (std::size_t i = 0; i < Evidence::kCapacity; ++i) {
        evidence.add("more");
    }
    QCOMPARE(evidence.count(), Evidence::kCapacity);
    QCOMPARE(evidence.at(0), "strongest");
}

void TestLockRecord::aMajorityIsMoreThanHalf()
{
    QVERIFY(!(Quorum{2, 4}.isMajority()));
    QVERIFY((Quorum{3, 4}.isMajority()));
    QVERIFY(!(Quorum{2, 5}.isMajority()));
    QVERIFY((Quorum{3, 5}.isMajority()));
    QVERIFY((Quorum{1, 1}.isMajority()));
}

void TestLockRecord::aSnapshotExistsWhenAnyOfItsKeysDoes()
{
    LockSnapshot snapshot;
    snapshot.keys.resize(2);
    QVERIFY(!snapshot.exists());
    snapshot.keys[1].type = ValueType::String;
    QVERIFY(snapshot.exists());
    QVERIFY(!snapshot.main().exists());
}

LOCKSCOPE_TEST(TestLockRecord, Core)

} // namespace lockscope::tst_lock_record

#include "tst_lock_record.moc"
