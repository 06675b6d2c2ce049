#include "core/kernel/report/release_steps.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_release_steps {

using namespace std::chrono_literals;
using inspect::ReleaseAction;
using inspect::ReleasePlan;
using inspect::ReleaseRecipe;
using KeyCheck = ReleaseRecipe::KeyCheck;
using Steps = std::vector<std::string>;

namespace {

KeyCheck valueCheck(Bytes key, Bytes value)
{
    KeyCheck check;
    check.key = std::move(key);
    check.value = std::move(value);
    return check;
}

KeyCheck fieldsCheck(Bytes key, std::vector<Bytes> fields, bool isPart)
{
    KeyCheck check;
    check.kind = KeyCheck::Kind::Fields;
    check.key = std::move(key);
    check.fields = std::move(fields);
    check.isPart = isPart;
    return check;
}

ReleasePlan planOf(ReleaseRecipe recipe, ReleaseAction action = ReleaseAction::Release)
{
    ReleasePlan plan;
    plan.action = action;
    plan.expiresAtMs.resize(recipe.checks.size());
    plan.recipe = std::move(recipe);
    return plan;
}

ReleasePlan planOf(KeyCheck check)
{
    ReleaseRecipe recipe;
    recipe.checks = {std::move(check)};
    return planOf(std::move(recipe));
}

} // namespace

class TestReleaseSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aValueIsComparedAndDeleted();
    void namesAreEscaped();
    void anExpiryThatIsComparedIsSaid();
    void partsLeaveTheRest();
    void longListsAreCutShort();
    void stampsAreNamedWithTheirValues();
    void waitersAreToldBeforeTheKeyGoes();
    void aFairQueueIsDescribed();
    void aReadWriteLockIsDescribed();
    void severalChannelsAreNamed();
    void aPermitIsGivenBack();
    void aCapDeletesNothing();
    void aTombstoneDeletesNothing();
    void aGuardComesFirst();
    void whatIsNotSupportedHasNoSteps();
};

void TestReleaseSteps::aValueIsComparedAndDeleted()
{
    QCOMPARE(report::releaseSteps(planOf(valueCheck("order:42", "5f0c"))),
             (Steps{"Stop if the server is a replica.",
                    "Stop unless the value of order:42 is \"5f0c\".", "Delete order:42."}));
}

void TestReleaseSteps::namesAreEscaped()
{
    const Steps steps = report::releaseSteps(planOf(valueCheck("a\x01"
                                                               "b",
                                                               "\xff")));
    QCOMPARE(steps[1], std::string("Stop unless the value of a\\x01b is \"\\xff\"."));
    QCOMPARE(steps[2], std::string("Delete a\\x01b."));
}

void TestReleaseSteps::anExpiryThatIsComparedIsSaid()
{
    KeyCheck check = valueCheck("job", "1");
    check.comparesExpiry = true;
    ReleasePlan plan = planOf(check);
    QCOMPARE(report::releaseSteps(plan)[1],
             std::string("Stop unless the value of job is \"1\" and it has no expiry."));
    plan.expiresAtMs = {1795096202123};
    QCOMPARE(report::releaseSteps(plan)[1],
             std::string("Stop unless the value of job is \"1\" and its expiry has not changed."));
}

void TestReleaseSteps::partsLeaveTheRest()
{
    const Steps steps = report::releaseSteps(planOf(fieldsCheck("k", {"a", "b"}, true)));
    QCOMPARE(steps[1], std::string("Stop unless the hash k has the fields \"a\" and \"b\"."));
    QCOMPARE(steps[2], std::string("Delete the fields \"a\" and \"b\" of k."));
    KeyCheck member = fieldsCheck("k", {"a"}, true);
    member.kind = KeyCheck::Kind::Members;
    QCOMPARE(report::releaseSteps(planOf(member))[2], std::string("Delete the member \"a\" of k."));
}

void TestReleaseSteps::longListsAreCutShort()
{
    const Steps steps = report::releaseSteps(planOf(fieldsCheck("k", {"a", "b", "c", "d", "e"},
                                                                false)));
    QCOMPARE(steps[1], std::string("Stop unless the hash k has only the fields \"a\", \"b\", \"c\" "
                                   "and 2 more."));
}

void TestReleaseSteps::stampsAreNamedWithTheirValues()
{
    KeyCheck check = fieldsCheck("k", {"r"}, true);
    check.fieldValues = {"17"};
    QCOMPARE(report::releaseSteps(planOf(check))[1],
             std::string("Stop unless the hash k has the field \"r\" = \"17\"."));
}

void TestReleaseSteps::waitersAreToldBeforeTheKeyGoes()
{
    ReleaseRecipe recipe;
    recipe.checks = {valueCheck("k", "t")};
    recipe.channel = "ch";
    recipe.payload = "0";
    const Steps steps = report::releaseSteps(planOf(recipe));
    QCOMPARE(steps[2], std::string("Publish \"0\" to ch, the channel of its waiters."));
    QCOMPARE(steps[3], std::string("Delete k."));
}

void TestReleaseSteps::aFairQueueIsDescribed()
{
    ReleaseRecipe recipe;
    recipe.script = ReleaseRecipe::Script::RedissonFair;
    recipe.checks = {fieldsCheck("k", {"a:1"}, false)};
    recipe.companions = {"queue", "timeouts"};
    recipe.channel = "ch";
    recipe.payload = "0";
    const Steps steps = report::releaseSteps(planOf(recipe));
    QCOMPARE(steps.size(), std::size_t(5));
    QVERIFY(steps[2].starts_with("Publish \"0\" to ch:WAITER for the first waiter"));
    QCOMPARE(steps[3], std::string("Remove the waiters before it, which have given up, from queue "
                                   "and timeouts."));
    QCOMPARE(steps[4], std::string("Delete k."));
}

void TestReleaseSteps::aReadWriteLockIsDescribed()
{
    ReleaseRecipe recipe;
    recipe.script = ReleaseRecipe::Script::RedissonReadWrite;
    recipe.checks = {fieldsCheck("k", {"a:1"}, true)};
    recipe.companions = {"timeout:1"};
    recipe.channel = "ch";
    recipe.payload = "0";
    const Steps steps = report::releaseSteps(planOf(recipe));
    QCOMPARE(steps.size(), std::size_t(5));
    QVERIFY(steps[2].starts_with("If no other hold is left: publish \"0\" to ch"));
    QVERIFY(steps[3].starts_with("Otherwise: delete the field \"a:1\" of k;"));
    QCOMPARE(steps[4], std::string("Delete the time-out keys timeout:1."));
}

void TestReleaseSteps::severalChannelsAreNamed()
{
    ReleaseRecipe recipe;
    recipe.checks = {valueCheck("k", "t")};
    recipe.channel = "a";
    recipe.moreArguments = {"b"};
    recipe.payload = "k";
    QCOMPARE(report::releaseSteps(planOf(recipe))[2],
             std::string("Publish \"k\" to a and b, the channels of its waiters."));
}

void TestReleaseSteps::aPermitIsGivenBack()
{
    ReleaseRecipe recipe;
    recipe.script = ReleaseRecipe::Script::RedissonPermits;
    recipe.checks = {valueCheck("k", "0")};
    recipe.channel = "sc";
    recipe.moreArguments = {"1"};
    const Steps counted = report::releaseSteps(planOf(recipe));
    QCOMPARE(counted.size(), std::size_t(4));
    QVERIFY(counted[2].starts_with("Publish the new count of free permits to sc"));
    QCOMPARE(counted[3], std::string("Add 1 to the count in k. It is never deleted."));
    KeyCheck permit = fieldsCheck("times", {"p"}, true);
    permit.kind = KeyCheck::Kind::Members;
    recipe.checks = {permit};
    recipe.companions = {"k"};
    const Steps named = report::releaseSteps(planOf(recipe));
    QCOMPARE(named[3], std::string("Delete the member \"p\" of times."));
    QCOMPARE(named[4], std::string("Add 1 to the count in k. It is never deleted."));
}

void TestReleaseSteps::aTombstoneDeletesNothing()
{
    ReleasePlan plan = planOf(valueCheck("order:42", "5f0c"));
    plan.action = ReleaseAction::Tombstone;
    plan.cap = 12s;
    plan.tombstone = "lockscope-tombstone:1";
    QCOMPARE(report::releaseSteps(plan),
             (Steps{"Stop if the server is a replica.",
                    "Stop unless the value of order:42 is \"5f0c\".",
                    "Set order:42 to the tombstone \"lockscope-tombstone:1\", which expires in "
                    "12s."}));
}

void TestReleaseSteps::aCapDeletesNothing()
{
    ReleaseRecipe recipe;
    recipe.checks = {valueCheck("k", "t")};
    recipe.channel = "ch";
    ReleasePlan plan = planOf(recipe, ReleaseAction::CapTtl);
    plan.cap = 30s;
    const Steps steps = report::releaseSteps(plan);
    QCOMPARE(steps.size(), std::size_t(3));
    QCOMPARE(steps[2],
             std::string("Set the expiry of k to 30s from now, unless it expires earlier."));
}

void TestReleaseSteps::aGuardComesFirst()
{
    ReleasePlan plan = planOf(valueCheck("k", "t"));
    plan.guard = inspect::KeyGuard{};
    QCOMPARE(report::releaseSteps(plan).front(),
             std::string("Stop if anyone has written to the lock since it was read (WATCH)."));
}

void TestReleaseSteps::whatIsNotSupportedHasNoSteps()
{
    ReleaseRecipe recipe;
    recipe.checks = {valueCheck("k", "t")};
    recipe.isSupported = false;
    QVERIFY(report::releaseSteps(planOf(recipe)).empty());
}

LOCKSCOPE_TEST(TestReleaseSteps, None)

} // namespace lockscope::tst_release_steps

#include "tst_release_steps.moc"
