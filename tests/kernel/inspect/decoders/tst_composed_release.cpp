#include "core/kernel/inspect/decoder.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

// Formats whose own release does more than delete a key.
namespace lockscope::tst_composed_release {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::string_literals;
using Step = ReleaseRecipe::Step;

namespace {

ReleaseRecipe recipeOf(const LockSnapshot& snapshot, HolderChoice choice = HolderChoice::all())
{
    const std::vector<DecodedLock> decoded = decodedLocksOf(snapshot);
    if (decoded.empty()) {
        qFatal("not read: %s", snapshot.name.c_str());
    }
    return decoderOfFormat(decoded.front().format)->release(snapshot, decoded.front(), choice);
}

/// What the one command of the plan says, behind its script.
std::vector<Bytes> argumentsOf(const ReleaseRecipe& recipe)
{
    const ReleasePlan plan = makePlan(ReleaseAction::Release, nullptr, recipe,
                                      std::vector<std::optional<std::int64_t>>(recipe.checks.size(),
                                                                               std::nullopt));
    const std::vector<Bytes>& all = plan.command.words;
    return {all.begin() + 2, all.end()};
}

Observation missing(Bytes key)
{
    Observation seen;
    seen.key = std::move(key);
    return seen;
}

Observation sortedSetKey(Bytes key, std::vector<HashField> members)
{
    Observation seen = hashKey(std::move(key), std::move(members), std::chrono::minutes(1));
    seen.type = ValueType::SortedSet;
    return seen;
}

} // namespace

class TestComposedRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSessionKeepsItsData();
    void aTokenGoesBackToItsList();
    void theLastJobTakesItsKeysWithIt();
    void theCountOfADeadPoolIsTakenBack();
    void allKeysOfAHolderGoTogether();
    void oneReaderIsCountedDown();
    void aLoneNumberIsNeverCountedDown();
    void aHoldIsWrittenOutOfTheValue();
    void theLastHoldTakesTheValueWithIt();
    void aMajorityMayBeOfMoreThanThreeKeys();
    void keysOfAnyPrefixAreToldByTheirToken();
    void theNextInTheQueueIsRung();
    void aNameIsPublishedToEveryNamespace();
    void aSemaphoreOfTwoKeysLosesTheHolderInBoth();
    void anOwnerInAHashIsComparedWhole();
};

void TestComposedRelease::aSessionKeepsItsData()
{
    const ReleaseRecipe recipe = recipeOf(
        of(hashKey("sess_1", {{"data", "x"}, {"lock", "1"}, {"pid", "web|7"}, {"wait", "0"}})));
    const std::vector<Bytes> expected{"1", "sess_1", "some-pairs", "never", "1",    "pid", "web|7",
                                      "",  "",       "set-field",  "1",     "lock", "0"};
    QVERIFY(argumentsOf(recipe) == expected);
}

void TestComposedRelease::aTokenGoesBackToItsList()
{
    const LockSnapshot snapshot = of(hashKey("SEMAPHORE:x:GRABBED",
                                             {{"0", "1795000000.25"}, {"1", "1795000000.5"}}));
    const std::vector<Bytes> expected{"2",
                                      "SEMAPHORE:x:GRABBED",
                                      "SEMAPHORE:x:AVAILABLE",
                                      "some-pairs",
                                      "any",
                                      "1",
                                      "1",
                                      "1795000000.5",
                                      "companion",
                                      "any",
                                      "",
                                      "",
                                      "remove",
                                      "1",
                                      "push",
                                      "2",
                                      "1",
                                      "0"};
    QVERIFY(argumentsOf(recipeOf(snapshot, HolderChoice::only(1))) == expected);
}

void TestComposedRelease::theLastJobTakesItsKeysWithIt()
{
    const ReleaseRecipe recipe = recipeOf(of(hashKey("uniquejobs:ab:LOCKED",
                                                     {{"job", "1795000000.5"}}, std::nullopt)));
    QCOMPARE(recipe.companions.size(), 6U);
    QVERIFY(recipe.steps.front().kind == Step::Kind::Remove);
    QVERIFY(recipe.steps.back().kind == Step::Kind::Push);
    QCOMPARE(recipe.companions.at(recipe.steps.back().key - 1), "uniquejobs:ab:QUEUED"s);
    // Version 9 has no lists.
    QCOMPARE(recipeOf(of(hashKey("uniquejobs:ab:LOCKED", {{"job", "{}"}}))).companions.size(), 1U);
}

void TestComposedRelease::theCountOfADeadPoolIsTakenBack()
{
    LockSnapshot snapshot = of(stringKey("w:jobs:x:lock", "3", std::nullopt));
    snapshot.keys.push_back(hashKey("w:jobs:x:lock_info", {{"a", "1"}, {"b", "2"}}, std::nullopt));
    const ReleaseRecipe recipe = recipeOf(snapshot, HolderChoice::only(1));
    QVERIFY(recipe.steps.front().kind == Step::Kind::Subtract);
    QCOMPARE(recipe.steps.front().number, 2);
    QVERIFY(recipe.checks.front().fields == std::vector{"b"s});
}

void TestComposedRelease::allKeysOfAHolderGoTogether()
{
    const Bytes token(24, '\x01');
    LockSnapshot snapshot = of(stringKey("rueidislock:0:x", token));
    snapshot.keys.push_back(stringKey("rueidislock:1:x", token));
    snapshot.keys.push_back(missing("rueidislock:2:x"));
    QCOMPARE(recipeOf(snapshot).checks.size(), 2U);
    const auto group = groupOfFormat("rueidislock:2:x");
    QVERIFY(group && group->name == "rueidislock:0:x" && group->keys.size() == 9);
    QVERIFY(groupOfFormat("rueidislock:8:x") == group);
    QVERIFY(!groupOfFormat("rueidislock:9:x"));
}

void TestComposedRelease::aMajorityMayBeOfMoreThanThreeKeys()
{
    const Bytes token(24, '\x01');
    LockSnapshot snapshot = of(stringKey("rueidislock:0:x", token));
    for (const char* const name : {"rueidislock:1:x", "rueidislock:2:x", "rueidislock:3:x"}) {
        snapshot.keys.push_back(stringKey(name, token));
    }
    snapshot.keys.push_back(stringKey("rueidislock:4:x", Bytes(24, '\x02')));
    const std::vector<DecodedLock> decoded = decodedLocksOf(snapshot);
    QVERIFY(decoded.front().confidence == Confidence::High);
    QCOMPARE(factsOf(snapshot, decoded.front()).front().text, "4 of 5"s);
    QCOMPARE(recipeOf(snapshot).checks.size(), 4U);
    snapshot.keys[0] = snapshot.keys[1] = missing("rueidislock:0:x");
    QVERIFY(decodedLocksOf(snapshot).front().confidence == Confidence::Medium); // two of five
}

void TestComposedRelease::keysOfAnyPrefixAreToldByTheirToken()
{
    const Observation key = stringKey("locks:1:order:3:x", Bytes(24, '\x01'));
    const std::vector<KeyGroup> groups = groupsOfSeen(key);
    QCOMPARE(groups.size(), 2U);
    QCOMPARE(groups.front().name, "locks:0:order:3:x"s);
    QCOMPARE(groups.back().name, "locks:1:order:0:x"s);
    QVERIFY(groupsOfSeen(stringKey("locks:1:x", "not such a token, though!")).empty());
    QVERIFY(groupsOfSeen(stringKey("locks:1:x", key.value, std::nullopt)).empty());
    QVERIFY(groupsOfSeen(stringKey("locks:12:x", key.value)).empty());

    LockSnapshot snapshot = of(stringKey("locks:0:x", key.value));
    snapshot.keys.push_back(missing("locks:1:x"));
    snapshot.keys.push_back(stringKey("locks:2:x", Bytes(24, '\x02')));
    QVERIFY(decodedLocksOf(snapshot).empty()); // each has its own
    snapshot.keys.push_back(stringKey("locks:3:x", key.value));
    const DecodedLock decoded = decodedLocksOf(snapshot).front();
    QCOMPARE(decoded.format, "rueidislock"s);
    QVERIFY(decoded.confidence == Confidence::Medium);
    QCOMPARE(recipeOf(snapshot).checks.size(), 2U);
}

void TestComposedRelease::oneReaderIsCountedDown()
{
    const Bytes key = "oc1/lockfiles/7d0f2f1b7d0f2f1b7d0f2f1b7d0f2f1c";
    const LockSnapshot snapshot = of(stringKey(key, "3"));
    const std::vector<Bytes> expected{"1", key, "value",    "never", "3",
                                      "",  "",  "subtract", "1",     "1"};
    QVERIFY(argumentsOf(recipeOf(snapshot, HolderChoice::oneHoldOf(0))) == expected);
    QVERIFY(recipeOf(snapshot).script == ReleaseRecipe::Script::Plain); // all: the key goes
    QVERIFY(recipeOf(snapshot).endsUnnamedReaders);
}

void TestComposedRelease::aLoneNumberIsNeverCountedDown()
{
    const LockSnapshot snapshot = of(stringKey("lock:mailer", "4"));
    for (const HolderChoice& choice : {HolderChoice::oneHoldOf(0), HolderChoice::all()}) {
        const ReleaseRecipe recipe = recipeOf(snapshot, choice);
        QVERIFY(recipe.script == ReleaseRecipe::Script::Plain); // compares the value and deletes
        QVERIFY(recipe.steps.empty());
        QCOMPARE(recipe.checks.size(), 1U);
        QCOMPARE(recipe.checks.front().value, "4"s);
    }
}

/// A hold of suo at epoch second 1795000000.
Bytes packedHold(std::string_view token)
{
    return Bytes("\x92\xcb\x41\xda\xbf\x61\xb0\x00\x00\x00", 10)
           + static_cast<char>(0xa0 | token.size()) + Bytes(token);
}

void TestComposedRelease::aHoldIsWrittenOutOfTheValue()
{
    const LockSnapshot snapshot =
        of(stringKey("report", "\x92" + packedHold("first") + packedHold("second"), std::nullopt));
    const ReleaseRecipe recipe = recipeOf(snapshot, HolderChoice::only(0));
    QCOMPARE(recipe.steps.size(), 1U);
    QVERIFY(recipe.steps.front().kind == Step::Kind::SetValue);
    QVERIFY(recipe.steps.front().value == "\x91" + packedHold("second"));
    QVERIFY(recipe.checks.front().value == snapshot.main().value);
}

void TestComposedRelease::theLastHoldTakesTheValueWithIt()
{
    const LockSnapshot snapshot = of(stringKey("report", "\x91" + packedHold("first"),
                                               std::nullopt));
    QVERIFY(recipeOf(snapshot, HolderChoice::only(0)).script == ReleaseRecipe::Script::Plain);
    QCOMPARE(formatsOf(of(stringKey("report", "\x90", std::nullopt))), ""s); // free
    QCOMPARE(formatsOf(of(stringKey("report", snapshot.main().value + "x", std::nullopt))), ""s);
    QCOMPARE(formatsOf(of(stringKey("report", snapshot.main().value.substr(0, 9), std::nullopt))),
             ""s);
}

LOCKSCOPE_TEST(TestComposedRelease, None)

void TestComposedRelease::theNextInTheQueueIsRung()
{
    const Bytes owner(32, 'a');
    const Bytes next(32, 'b');
    Observation key = stringKey("{stock}:h", owner + ":7");
    LockSnapshot snapshot = of(key);
    QCOMPARE(companionsOf(snapshot).size(), 1U);
    QVERIFY(recipeOf(snapshot).steps.empty());
    snapshot.companions = {sortedSetKey("{stock}:q", {{next, "8"}, {Bytes(32, 'c'), "9"}})};
    const std::vector<DecodedLock> decoded = decodedLocksOf(snapshot);
    QCOMPARE(decoded.front().holders.at(0).owner, owner);
    QVERIFY(decoded.front().waiters == 2);
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QVERIFY(recipe.companions == std::vector<Bytes>{"{stock}:s:" + next});
    QVERIFY(recipe.steps.at(1).kind == Step::Kind::Push);
    QVERIFY(isBookkeepingOf("{stock}:q") && isBookkeepingOf("{stock}:seq"));
    QVERIFY(!isBookkeepingOf("{stock}:h"));
}

void TestComposedRelease::aNameIsPublishedToEveryNamespace()
{
    LockSnapshot snapshot = of(hashKey("lock:a:7", {{"index", "41"}}, std::chrono::minutes(1)));
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QCOMPARE(recipe.channel, "lock-release"s);
    QVERIFY(recipe.moreArguments == std::vector<Bytes>{"lock:a-release"});
    QCOMPARE(recipe.payload, "lock:a:7"s);
    QVERIFY(recipe.checks.at(0).fieldValues == std::vector<Bytes>{"41"});
    snapshot = of(hashKey("stock:7", {{"index", "41"}}, std::chrono::minutes(1)));
    QVERIFY(decodedLocksOf(snapshot).empty());
    snapshot.channels = {{"stock-release", 2}};
    QVERIFY(decodedLocksOf(snapshot).front().confidence == Confidence::High);
}

void TestComposedRelease::aSemaphoreOfTwoKeysLosesTheHolderInBoth()
{
    const Bytes token = Bytes(43, 'Q') + "=";
    const Bytes other = Bytes(43, 'R') + "=";
    LockSnapshot snapshot;
    snapshot.name = "{stock}:time";
    snapshot.keys = {sortedSetKey("{stock}:time", {{token, "1795164900"}, {other, "1795164901"}}),
                     sortedSetKey("{stock}:weight", {{other, "1"}, {token, "2"}})};
    const std::vector<DecodedLock> decoded = decodedLocksOf(snapshot);
    QCOMPARE(decoded.front().holders.size(), 2U);
    QCOMPARE(decoded.front().holders.at(0).holds, 2U);
    const ReleaseRecipe recipe = recipeOf(snapshot, HolderChoice::only(0));
    QCOMPARE(recipe.checks.size(), 2U);
    for (const ReleaseRecipe::KeyCheck& check : recipe.checks) {
        QVERIFY(check.isPart && check.fields == std::vector<Bytes>{token});
    }
    QCOMPARE(groupOfFormat("{stock}:weight")->name, "{stock}:time"s);
}

void TestComposedRelease::anOwnerInAHashIsComparedWhole()
{
    const Bytes token(32, 'a');
    const LockSnapshot snapshot = of(hashKey("lock:7", {{"count", "2"}, {"owner", token}},
                                             std::chrono::minutes(1)));
    const std::vector<DecodedLock> decoded = decodedLocksOf(snapshot);
    QCOMPARE(decoded.front().holders.at(0).holds, 2U);
    QVERIFY(decoded.front().confidence == Confidence::Medium);
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QVERIFY((recipe.checks.at(0).fieldValues == std::vector<Bytes>{"2", token}));
    QVERIFY(!recipe.checks.at(0).isPart && !recipe.checks.at(0).comparesExpiry);
    QVERIFY(decodedLocksOf(of(hashKey("room:7", {{"owner", token}}))).empty());
}

} // namespace lockscope::tst_composed_release

#include "tst_composed_release.moc"
