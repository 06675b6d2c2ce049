#include "core/kernel/inspect/release_plan.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_release_plan {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

using KeyCheck = ReleaseRecipe::KeyCheck;
using Expiries = std::vector<std::optional<std::int64_t>>;

KeyCheck valueCheck(Bytes key, Bytes value, bool comparesExpiry = false)
{
    KeyCheck check;
    check.key = std::move(key);
    check.value = std::move(value);
    check.comparesExpiry = comparesExpiry;
    return check;
}

KeyCheck fieldsCheck(Bytes key, std::vector<Bytes> fields, std::vector<Bytes> fieldValues = {})
{
    KeyCheck check;
    check.kind = KeyCheck::Kind::Fields;
    check.key = std::move(key);
    check.fields = std::move(fields);
    check.fieldValues = std::move(fieldValues);
    return check;
}

ReleaseRecipe recipeOf(std::vector<KeyCheck> checks)
{
    ReleaseRecipe recipe;
    recipe.checks = std::move(checks);
    return recipe;
}

/// The words behind EVAL and the script.
std::vector<Bytes> argumentsOf(const ReleasePlan& plan)
{
    return {plan.command.words.begin() + 2, plan.command.words.end()};
}

const Bytes& scriptOf(const ReleasePlan& plan)
{
    return plan.command.words.at(1);
}

using Words = std::vector<Bytes>;

} // namespace

class TestReleasePlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenIsComparedAndDeleted();
    void aConstantIsComparedWithItsExpiry();
    void aHashIsComparedByItsFields();
    void aSortedSetIsComparedByItsMembers();
    void aSetIsComparedByItsMembers();
    void stampsAreComparedByName();
    void partsAreComparedWhoeverElseIsThere();
    void companionsGoWithoutBeingCompared();
    void severalKeysComeFirstThenTheirChecks();
    void theChannelComesLast();
    void aCapIsWholeMillisecondsAndNeverNothing();
    void eachActionHasOneScript();
    void bytesGoThroughUnchanged();
    void thePlanKeepsWhatItWasMadeOf();
    void theOwnerIsTheFirstHolder();
    void resultsHaveTheirIds();
    void aTombstoneTakesThePlaceOfTheToken();
    void aTombstoneOutlivesTheNextRenewal();
    void aTombstoneIsOnlyForWhatComesBack();
};

/// The release of a lock with `left` of its lease, which a renewal creates again.
ReleasePlan planOfWhatComesBack(Duration left)
{
    LockRecord lock;
    lock.id.name = "lock:x";
    lock.expiresAt = Instant(left);
    lock.lease = left;
    ReleaseRecipe recipe = recipeOf({valueCheck("lock:x", "token")});
    recipe.recreation = ReleaseRecipe::Recreation::Certain;
    return makePlan(ReleaseAction::Release, makeShared<const LockRecord>(lock), std::move(recipe),
                    {std::nullopt});
}

void TestReleasePlan::aTombstoneTakesThePlaceOfTheToken()
{
    const ReleasePlan release = planOfWhatComesBack(8s);
    const ReleasePlan plan = tombstonePlan(release, 12s, "lockscope-tombstone:1").value();
    QVERIFY(plan.action == ReleaseAction::Tombstone);
    QVERIFY((argumentsOf(plan)
             == Words{"1", "lock:x", "value", "any", "token", "12000", "lockscope-tombstone:1"}));
    QVERIFY(scriptOf(plan) != scriptOf(release));
    QVERIFY(scriptOf(plan).find("'SET', checks[1].key") != Bytes::npos);
}

void TestReleasePlan::aTombstoneOutlivesTheNextRenewal()
{
    const ReleasePlan plan = tombstonePlan(planOfWhatComesBack(8s), std::nullopt, "t").value();
    QCOMPARE(plan.cap, Duration(9s));
}

void TestReleasePlan::aTombstoneIsOnlyForWhatComesBack()
{
    ReleasePlan stays = planOfWhatComesBack(8s);
    stays.recipe.recreation = ReleaseRecipe::Recreation::No;
    QVERIFY(!tombstonePlan(stays, 12s, "t"));
    ReleasePlan hash = planOfWhatComesBack(8s);
    hash.recipe.checks = {fieldsCheck("lock:x", {"token"})};
    QVERIFY(!tombstonePlan(hash, 12s, "t"));
}

void TestReleasePlan::aTokenIsComparedAndDeleted()
{
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr,
                                      recipeOf({valueCheck("lock:x", "token")}), {1000});
    QCOMPARE(plan.command.words.front(), Bytes("EVAL"));
    QVERIFY((argumentsOf(plan) == Words{"1", "lock:x", "value", "any", "token", "", ""}));
}

void TestReleasePlan::aConstantIsComparedWithItsExpiry()
{
    const ReleaseRecipe recipe = recipeOf({valueCheck("lock:x", "1", true)});
    const ReleasePlan ends = makePlan(ReleaseAction::Release, nullptr, recipe, {1'795'000'000'000});
    QVERIFY((argumentsOf(ends) == Words{"1", "lock:x", "value", "1795000000000", "1", "", ""}));
    const ReleasePlan never = makePlan(ReleaseAction::Release, nullptr, recipe,
                                       Expiries{std::nullopt});
    QVERIFY((argumentsOf(never) == Words{"1", "lock:x", "value", "never", "1", "", ""}));
}

void TestReleasePlan::aHashIsComparedByItsFields()
{
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr,
                                      recipeOf({fieldsCheck("lock:x", {"alice", "mode"})}), {1000});
    QVERIFY((argumentsOf(plan)
             == Words{"1", "lock:x", "fields", "any", "2", "alice", "mode", "", ""}));
}

void TestReleasePlan::aSortedSetIsComparedByItsMembers()
{
    KeyCheck check = fieldsCheck("lock:x", {"alice", "bob"});
    check.kind = KeyCheck::Kind::Members;
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipeOf({check}), {1000});
    QVERIFY((argumentsOf(plan)
             == Words{"1", "lock:x", "members", "any", "2", "alice", "bob", "", ""}));
}

void TestReleasePlan::aSetIsComparedByItsMembers()
{
    KeyCheck check = fieldsCheck("job.readers", {"alice"});
    check.kind = KeyCheck::Kind::SetMembers;
    const ReleasePlan whole = makePlan(ReleaseAction::Release, nullptr, recipeOf({check}), {1000});
    QVERIFY((argumentsOf(whole)
             == Words{"1", "job.readers", "set-members", "any", "1", "alice", "", ""}));
    check.isPart = true;
    const ReleasePlan part = makePlan(ReleaseAction::Release, nullptr, recipeOf({check}), {1000});
    QVERIFY((argumentsOf(part)
             == Words{"1", "job.readers", "some-set-members", "any", "1", "alice", "", ""}));
}

void TestReleasePlan::stampsAreComparedByName()
{
    KeyCheck check = fieldsCheck("lock:x", {"read", "write"}, {"1000", "2000"});
    check.comparesExpiry = true;
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipeOf({check}), {3000});
    QVERIFY((argumentsOf(plan)
             == Words{"1", "lock:x", "pairs", "3000", "2", "read", "1000", "write", "2000", "",
                      ""}));
}

void TestReleasePlan::partsAreComparedWhoeverElseIsThere()
{
    KeyCheck fields = fieldsCheck("lock:x", {"a", "b"});
    fields.isPart = true;
    KeyCheck pairs = fieldsCheck("lock:y", {"read"}, {"17"});
    pairs.isPart = true;
    KeyCheck members = fieldsCheck("lock:z", {"p"});
    members.kind = KeyCheck::Kind::Members;
    members.isPart = true;
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr,
                                      recipeOf({fields, pairs, members}), {1, 1, 1});
    QVERIFY((argumentsOf(plan) == Words{"3",   "lock:x", "lock:y", "lock:z", "some-fields",
                                        "any", "2",      "a",      "b",      "some-pairs",
                                        "any", "1",      "read",   "17",     "some-members",
                                        "any", "1",      "p",      "",       ""}));
}

void TestReleasePlan::companionsGoWithoutBeingCompared()
{
    ReleaseRecipe recipe = recipeOf({fieldsCheck("lock:x", {"a"})});
    recipe.companions = {"lock:x:timeout"};
    recipe.channel = "c";
    recipe.payload = "1";
    recipe.moreArguments = {"{lock:x}"};
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipe, {1});
    QVERIFY((argumentsOf(plan)
             == Words{"2", "lock:x", "lock:x:timeout", "fields", "any", "1", "a", "companion",
                      "any", "c", "1", "{lock:x}"}));
}

void TestReleasePlan::severalKeysComeFirstThenTheirChecks()
{
    const ReleaseRecipe recipe = recipeOf({valueCheck("x:read", "1", true),
                                           valueCheck("x:write", "token")});
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipe,
                                      {1000, std::nullopt});
    QVERIFY((argumentsOf(plan)
             == Words{"2", "x:read", "x:write", "value", "1000", "1", "value", "any", "token", "",
                      ""}));
}

void TestReleasePlan::theChannelComesLast()
{
    ReleaseRecipe recipe = recipeOf({fieldsCheck("order:42", {"u:63"})});
    recipe.channel = "redisson_lock__channel:{order:42}";
    recipe.payload = "0";
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipe, {1000});
    QVERIFY((argumentsOf(plan)
             == Words{"1", "order:42", "fields", "any", "1", "u:63",
                      "redisson_lock__channel:{order:42}", "0"}));
}

void TestReleasePlan::aCapIsWholeMillisecondsAndNeverNothing()
{
    ReleaseRecipe recipe = recipeOf({valueCheck("lock:x", "token")});
    recipe.channel = "told on release only";
    const auto wordsFor = [&recipe](Duration cap) {
        return argumentsOf(makePlan(ReleaseAction::CapTtl, nullptr, recipe, Expiries{std::nullopt},
                                    cap));
    };
    QVERIFY((wordsFor(60s) == Words{"1", "lock:x", "value", "any", "token", "60000"}));
    QVERIFY((wordsFor(1999us) == Words{"1", "lock:x", "value", "any", "token", "1"}));
    QVERIFY((wordsFor(0us) == Words{"1", "lock:x", "value", "any", "token", "1"}));
    QVERIFY((wordsFor(-5s) == Words{"1", "lock:x", "value", "any", "token", "1"}));
}

void TestReleasePlan::eachActionHasOneScript()
{
    const auto scriptFor = [](ReleaseAction action, Bytes key) {
        return scriptOf(makePlan(action, nullptr, recipeOf({valueCheck(std::move(key), "t")}), {1},
                                 1s));
    };
    const Bytes release = scriptFor(ReleaseAction::Release, "a");
    const Bytes cap = scriptFor(ReleaseAction::CapTtl, "a");
    // Keys and values travel as arguments, so the server compiles each script once.
    QCOMPARE(scriptFor(ReleaseAction::Release, "b"), release);
    QVERIFY(release.find("'DEL'") != Bytes::npos);
    QVERIFY(release.find("'PEXPIRE'") == Bytes::npos);
    QVERIFY(cap.find("'PEXPIRE'") != Bytes::npos);
    QVERIFY(cap.find("'DEL'") == Bytes::npos);
    QVERIFY(cap.find("'PUBLISH'") == Bytes::npos);
    for (const Bytes& script : {release, cap}) {
        QVERIFY(!script.starts_with("--"));
        QVERIFY(script.find("return {-1}") < script.find("return {0}"));
    }
}

void TestReleasePlan::bytesGoThroughUnchanged()
{
    const Bytes odd("a\0\xff\n\"'\\", 7);
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr,
                                      recipeOf({valueCheck(odd, odd)}), {1});
    QVERIFY((argumentsOf(plan) == Words{"1", odd, "value", "any", odd, "", ""}));
}

void TestReleasePlan::thePlanKeepsWhatItWasMadeOf()
{
    const auto lock = makeShared<const LockRecord>();
    const ReleasePlan plan = makePlan(ReleaseAction::CapTtl, lock,
                                      recipeOf({valueCheck("lock:x", "t")}), {1000}, 5s);
    QCOMPARE(plan.action, ReleaseAction::CapTtl);
    QCOMPARE(plan.lock, lock);
    QCOMPARE(plan.recipe.checks.at(0).key, Bytes("lock:x"));
    QVERIFY(plan.expiresAtMs == Expiries{1000});
    QVERIFY(plan.cap == 5s);
}

void TestReleasePlan::theOwnerIsTheFirstHolder()
{
    ReleasePlan plan;
    QCOMPARE(plan.owner(), Bytes());
    LockRecord record;
    plan.lock = makeShared<const LockRecord>(record);
    QCOMPARE(plan.owner(), Bytes());
    record.holders.resize(2);
    record.holders[0].owner = "first";
    record.holders[1].owner = "second";
    const auto lock = makeShared<const LockRecord>(record);
    plan = makePlan(ReleaseAction::Release, lock, recipeOf({valueCheck("lock:x", "t")}), {1});
    QCOMPARE(plan.owner(), Bytes("first"));
    QVERIFY(plan.endsSeveral());
    QVERIFY(!plan.leavesOthers());
    plan.holders = HolderChoice::only(1).of(record.holders);
    QCOMPARE(plan.owner(), Bytes("second"));
    QVERIFY(!plan.endsSeveral());
    QVERIFY(plan.leavesOthers());
}

void TestReleasePlan::resultsHaveTheirIds()
{
    QCOMPARE(idOf(ReleaseResult::Released), std::string_view("released"));
    QCOMPARE(idOf(ReleaseResult::ChangedHands), std::string_view("changed-hands"));
    QCOMPARE(idOf(ReleaseResult::AlreadyGone), std::string_view("already-gone"));
    QCOMPARE(idOf(ReleaseResult::Refused), std::string_view("refused"));
    QCOMPARE(idOf(ReleaseResult::Unknown), std::string_view("unknown"));
}

LOCKSCOPE_TEST(TestReleasePlan, None)

} // namespace lockscope::tst_release_plan

#include "tst_release_plan.moc"
