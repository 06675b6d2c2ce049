#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_names.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

// What the decoders of Redisson's objects and of Spring Integration's locks make of what stands
// beside a key, and what they would release.
namespace lockscope::tst_redisson_family {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

const Bytes kThread = kAlice + ":7";
const Bytes kOther = kBob + ":8";
const Bytes kRawPermit = "\x01\xff\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"s;

Observation beside(Bytes key, ValueType type, std::vector<HashField> fields)
{
    Observation seen = hashKey(std::move(key), std::move(fields), std::nullopt);
    seen.type = type;
    return seen;
}

Bytes inMs(Duration span)
{
    return std::to_string(toEpochMs(kServerTime) + toMs(span));
}

LockSnapshot fairLock(std::vector<HashField> deadlines)
{
    LockSnapshot snapshot = of(hashKey("order", {{kThread, "1"}}));
    snapshot.companions = {
        beside("redisson_lock_queue:{order}", ValueType::List, {{kOther, {}}, {kThread, {}}}),
        beside("redisson_lock_timeout:{order}", ValueType::SortedSet, std::move(deadlines))};
    return snapshot;
}

LockSnapshot permitSemaphore(std::vector<HashField> permits)
{
    LockSnapshot snapshot = of(stringKey("order", "0", std::nullopt));
    snapshot.companions = {beside("{order}:timeout", ValueType::SortedSet, std::move(permits))};
    return snapshot;
}

LockSnapshot springLock(std::vector<ChannelCount> channels, int patternCount)
{
    LockSnapshot snapshot = of(stringKey("lock:a:b", kUuid));
    snapshot.channels = std::move(channels);
    snapshot.patternCount = patternCount;
    return snapshot;
}

std::string factOf(const LockSnapshot& snapshot, std::string_view label)
{
    const std::vector<Fact> facts = factsOf(snapshot, decodedLocksOf(snapshot).at(0));
    const auto found = std::ranges::find(facts, label, &Fact::label);
    return found == facts.end() ? "" : found->text;
}

ReleaseRecipe recipeOf(const LockSnapshot& snapshot, HolderChoice choice = HolderChoice::all())
{
    const DecodedLock best = decodedLocksOf(snapshot).at(0);
    return decoderOfFormat(best.format)->release(snapshot, best, choice);
}

} // namespace

class TestRedissonFamily : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKindIsToldWhereItIsSeen();
    void thoseWhoGaveUpDoNotWait();
    void aWaiterWithoutAListenerIsNamed();
    void anOwnerInATransactionIsAnOwner();
    void readersEndOnTheirOwn();
    void aSemaphoreNeverLosesAPermit();
    void aNameAloneIsNoProof();
    void permitsAreHolders();
    void expiredPermitsAreStaleOrLeftOut();
    void aPermitWithoutAnEndIsNotStuck();
    void permitsLeadToTheirCount();
    void otherSetsAreNoPermits();
    void aLatchIsOpened();
    void aMultiLockHasAHolderPerOwner();
    void whatEndedInAMultiLockIsNotHeld();
    void channelsLeadToTheirLocks();
    void aRegistryIsToldByItsListeners();
    void everyRegistryThatMayBeIsTold();
};

void TestRedissonFamily::theKindIsToldWhereItIsSeen()
{
    LockSnapshot snapshot = of(hashKey("order", {{kThread, "1"}}));
    QVERIFY(factOf(snapshot, "kind").find("spin lock") != std::string::npos);
    Observation token = stringKey("redisson_lock_token:{order}", "17", std::nullopt);
    snapshot.companions = {token};
    QCOMPARE(factOf(snapshot, "kind"), "fenced lock"s);
    QCOMPARE(factOf(snapshot, "fencing token"), "17"s);
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QCOMPARE(std::ranges::count(recipe.companions, token.key), 0);
    QCOMPARE(factOf(fairLock({}), "kind"), "fair lock"s);
}

void TestRedissonFamily::thoseWhoGaveUpDoNotWait()
{
    const LockSnapshot both = fairLock({{kOther, inMs(1s)}, {kThread, inMs(2s)}});
    QVERIFY(decodedLocksOf(both).at(0).waiters == 2);
    const LockSnapshot one = fairLock({{kOther, inMs(-1s)}, {kThread, inMs(2s)}});
    QVERIFY(decodedLocksOf(one).at(0).waiters == 1);
    QCOMPARE(factOf(one, "waiting, the next one first"), kThread);
    QCOMPARE(factOf(one, "in the queue, but gave up"), kOther);
}

void TestRedissonFamily::aWaiterWithoutAListenerIsNamed()
{
    LockSnapshot snapshot = fairLock({});
    QCOMPARE(factOf(snapshot, "of these, no client listens for"), ""s); // not asked
    const std::vector<Bytes> channels = channelQuestionsOf(snapshot).channels;
    QCOMPARE(channels.size(), 2U);
    snapshot.channels = {{channels[0], 1}, {channels[1], 0}};
    QCOMPARE(factOf(snapshot, "of these, no client listens for"), kThread);
}

void TestRedissonFamily::anOwnerInATransactionIsAnOwner()
{
    const Bytes transaction = ":0123456789abcdef0123456789abcdef";
    QVERIFY(formatsOf(of(hashKey("order", {{kThread + transaction, "1"}})))
                .starts_with("redisson-lock"));
    const auto decoded = decodedLocksOf(
        of(hashKey("order", {{"mode", "write"}, {kThread + ":write" + transaction, "1"}})));
    QCOMPARE(std::string(decoded.at(0).format), "redisson-read-write"s);
    QVERIFY(decoded.at(0).holders.at(0).mode == Mode::Write);
    QVERIFY(!formatsOf(of(hashKey("order", {{kThread + ":0123", "1"}}))).starts_with("redisson"));
}

void TestRedissonFamily::readersEndOnTheirOwn()
{
    LockSnapshot snapshot = of(hashKey("order", {{"mode", "read"}, {kThread, "2"}, {kOther, "1"}},
                                       30s));
    const std::vector<CompanionKey> leases = companionsOf(snapshot);
    QCOMPARE(leases.size(), 3U);
    QVERIFY(std::ranges::all_of(leases, &CompanionKey::isTimed));
    QCOMPARE(leases[1].key, "{order}:" + kThread + ":rwlock_timeout:2");
    snapshot.companions = {stringKey(leases[0].key, "1", 5s), stringKey(leases[1].key, "1", 9s)};
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QVERIFY(decoded.holders.at(0).expiresAt == kStart + 9s);
    QVERIFY(!decoded.holders.at(1).expiresAt); // as the lock
}

void TestRedissonFamily::aSemaphoreNeverLosesAPermit()
{
    LockSnapshot snapshot = of(stringKey("order", "0", std::nullopt));
    snapshot.channels = {{"redisson_sc:{order}", 1}};
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QVERIFY(decoded.confidence == Confidence::High);
    QVERIFY(decoded.mode == Mode::Semaphore);
    QVERIFY(decoded.holders.empty());
    QVERIFY(decoded.flags.isEmpty()); // it is meant to stay
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QVERIFY(recipe.script == ReleaseRecipe::Script::RedissonPermits);
    QVERIFY(recipe.areKeysPermanent);
    QVERIFY(recipe.moreArguments == std::vector<Bytes>{"1"});
    QCOMPARE(recipe.checks.at(0).value, "0"s);
    QCOMPARE(recipe.channel, "redisson_sc:{order}"s);
    QVERIFY(!recipe.warnings.empty());
}

void TestRedissonFamily::aNameAloneIsNoProof()
{
    const LockSnapshot snapshot = of(stringKey("semaphore:order", "1", std::nullopt));
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QCOMPARE(std::string(decoded.format), "redisson-semaphore"s); // and no stuck flag
    QVERIFY(decoded.confidence == Confidence::Low);
    QVERIFY(decoded.flags.isEmpty());
    QVERIFY(!recipeOf(snapshot).isSupported);
    QVERIFY(formatsOf(of(stringKey("order", "3", std::nullopt))).empty());
}

void TestRedissonFamily::permitsAreHolders()
{
    const Bytes older = "00112233445566778899aabbccddeeff";
    const LockSnapshot snapshot = permitSemaphore({{kRawPermit, inMs(4s)}, {older, inMs(6s)}});
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QCOMPARE(std::string(decoded.format), "redisson-permit-semaphore"s);
    QCOMPARE(decoded.holders.size(), 2U);
    QCOMPARE(decoded.holders[0].owner, "01ff02030405060708090a0b0c0d0e0f"s);
    QVERIFY(decoded.holders[0].expiresAt == kStart + 4s);
    QCOMPARE(decoded.holders[1].owner, older);
    QVERIFY(decoded.flags.isEmpty());
    QCOMPARE(factOf(snapshot, "free permits"), "0"s);
    const ReleaseRecipe one = recipeOf(snapshot, HolderChoice::only(0));
    QVERIFY(one.script == ReleaseRecipe::Script::RedissonPermits);
    QVERIFY(one.checks.at(0).isPart);
    QVERIFY(one.checks.at(0).fields == std::vector<Bytes>{kRawPermit});
    QVERIFY(one.companions == std::vector<Bytes>{"order"});
    QVERIFY(one.moreArguments == std::vector<Bytes>{"1"});
    QVERIFY(recipeOf(snapshot).moreArguments == std::vector<Bytes>{"2"});
}

void TestRedissonFamily::expiredPermitsAreStaleOrLeftOut()
{
    const LockSnapshot over = permitSemaphore({{kRawPermit, inMs(-1s)}});
    const DecodedLock stale = decodedLocksOf(over).at(0);
    QVERIFY(stale.flags.has(Flag::Stale));
    QCOMPARE(stale.holders.size(), 1U);
    const LockSnapshot mixed = permitSemaphore({{kRawPermit, inMs(-1s)},
                                                {"00112233445566778899aabbccddeeff", inMs(6s)}});
    QCOMPARE(decodedLocksOf(mixed).at(0).holders.size(), 1U);
    QVERIFY(!decodedLocksOf(mixed).at(0).flags.has(Flag::Stale));
    QCOMPARE(factOf(mixed, "expired permits, not yet collected"), "1"s);
}

void TestRedissonFamily::aPermitWithoutAnEndIsNotStuck()
{
    const LockSnapshot snapshot = permitSemaphore({{kRawPermit, "922337203685477"}});
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QVERIFY(!decoded.holders.at(0).expiresAt);
    QVERIFY(!decoded.deadline);
    QVERIFY(decoded.flags.isEmpty());
}

void TestRedissonFamily::permitsLeadToTheirCount()
{
    for (const Bytes& name : {"order:42"s, "{shop}:order"s}) {
        const LockSnapshot snapshot = of(stringKey(name, "1", std::nullopt));
        const KeyGroup group = groupOf(companionsOf(snapshot).at(0).key, builtinPairRules());
        QVERIFY(group == (KeyGroup{name, {name}}));
    }
    QCOMPARE(groupOf("order:timeout", builtinPairRules()).name, "order:timeout"s);
}

void TestRedissonFamily::otherSetsAreNoPermits()
{
    QCOMPARE(formatsOf(permitSemaphore({{"alice", inMs(4s)}})), ""s);
    QCOMPARE(formatsOf(permitSemaphore({{kRawPermit, "12"}})), ""s);
    QCOMPARE(formatsOf(permitSemaphore({})), ""s);
}

void TestRedissonFamily::aLatchIsOpened()
{
    LockSnapshot snapshot = of(stringKey("{a}:order", "2", std::nullopt));
    snapshot.channels = {{"redisson_countdownlatch__channel__{{a}:order}", 1}};
    QCOMPARE(formatsOf(snapshot), "redisson-latch"s);
    QVERIFY(decodedLocksOf(snapshot).at(0).flags.isEmpty());
    QCOMPARE(factOf(snapshot, "count until the latch opens"), "2"s);
    const ReleaseRecipe recipe = recipeOf(snapshot);
    QCOMPARE(recipe.payload, "0"s);
    QVERIFY(recipe.warnings.at(0).find("latch") != std::string::npos);
    QVERIFY(recipe.areKeysPermanent);
}

namespace {

const Bytes kFirst = "UQLfMyGV9rtNElj47DYjjw";
const Bytes kSecond = "sBznBu9nWKelQvUeofpN5Q";

/// The three fields of one locked value.
void lock(std::vector<HashField>& fields, const Bytes& value, const Bytes& owner, Duration left,
          const Bytes& holds = "1")
{
    fields.push_back({value, owner});
    fields.push_back({value + ':' + owner + ":expire_time", inMs(left)});
    fields.push_back({value + ':' + owner + ":lock_count", holds});
}

} // namespace

void TestRedissonFamily::aMultiLockHasAHolderPerOwner()
{
    std::vector<HashField> fields;
    lock(fields, kFirst, kThread, 5s, "2");
    lock(fields, kSecond, kOther, 9s);
    fields.push_back({kSecond + ':' + kThread + ":lock_count", "1"}); // of an earlier hold
    const LockSnapshot snapshot = of(hashKey("group", fields));
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    QCOMPARE(std::string(decoded.format), "redisson-faster-multi-lock"s);
    QCOMPARE(decoded.holders.size(), 2U);
    const std::size_t mine = decoded.holders[0].owner == kThread ? 0 : 1;
    QCOMPARE(decoded.holders[mine].holds, 2U);
    QVERIFY(decoded.holders[mine].expiresAt == kStart + 5s);
    const ReleaseRecipe recipe = recipeOf(snapshot, HolderChoice::only(mine));
    QCOMPARE(recipe.channel, "redisson_lock__channel:{group}"s);
    QVERIFY(recipe.checks.at(0).fields == std::vector<Bytes>{kFirst});
    QVERIFY(recipe.checks.at(0).fieldValues == std::vector<Bytes>{kThread});
    QVERIFY((recipe.checks.at(1).fields
             == std::vector<Bytes>{kFirst + ':' + kThread + ":expire_time",
                                   kFirst + ':' + kThread + ":lock_count"}));
    fields.push_back({"color", "red"});
    QCOMPARE(formatsOf(of(hashKey("group", fields))), ""s);
}

void TestRedissonFamily::whatEndedInAMultiLockIsNotHeld()
{
    std::vector<HashField> fields;
    lock(fields, kFirst, kThread, -1s);
    QVERIFY(decodedLocksOf(of(hashKey("group", fields))).at(0).flags.has(Flag::Stale));
    lock(fields, kSecond, kOther, 9s);
    const DecodedLock decoded = decodedLocksOf(of(hashKey("group", fields))).at(0);
    QCOMPARE(decoded.holders.size(), 1U);
    QCOMPARE(decoded.holders[0].owner, kOther);
    QVERIFY(!decoded.flags.has(Flag::Stale));
}

void TestRedissonFamily::channelsLeadToTheirLocks()
{
    using Names = std::vector<Bytes>;
    QVERIFY(locksOfChannel("redisson_lock__channel:{order:42}")
            == (Names{"{order:42}", "order:42"}));
    QVERIFY(locksOfChannel("redisson_lock__channel:{order:42}:" + kThread)
            == (Names{"{order:42}", "order:42"}));
    QVERIFY(locksOfChannel("redisson_lock__channel:{a}:b") == Names{"{a}:b"});
    QVERIFY(locksOfChannel("redisson_rwlock:{order}") == (Names{"{order}", "order"}));
    QVERIFY(locksOfChannel("redisson_sc:{order}") == (Names{"{order}", "order"}));
    QVERIFY(locksOfChannel("redisson_countdownlatch__channel__{{a}:b}") == Names{"{a}:b"});
    QVERIFY(locksOfChannel("redisson_countdownlatch__channel__order").empty());
    QVERIFY(locksOfChannel("redisson_sc:").empty());
    QVERIFY(locksOfChannel("news").empty());
}

void TestRedissonFamily::aRegistryIsToldByItsListeners()
{
    QCOMPARE(formatsOf(springLock({}, 0)), "token"s);
    QCOMPARE(formatsOf(springLock({{"lock-channel", 0}}, 0)), "token"s);
    const auto seen = decodedLocksOf(springLock({{"lock-channel", 1}}, 0));
    QCOMPARE(std::string(seen.at(0).format), "spring-integration"s);
    QVERIFY(seen.at(0).confidence == Confidence::High);
    QCOMPARE(seen.at(0).waiterChannel, "lock-channel"s);
    // Clients listen to patterns for many reasons.
    QCOMPARE(formatsOf(springLock({}, 1)), "token spring-integration"s);
    const ChannelQuestions questions = channelQuestionsOf(springLock({}, 0));
    QVERIFY((questions.channels == std::vector<Bytes>{"lock-channel", "lock:a-channel"}));
    QVERIFY(questions.asksForPatterns);
}

void TestRedissonFamily::everyRegistryThatMayBeIsTold()
{
    const ReleaseRecipe recipe = recipeOf(springLock({{"lock:a-channel", 1}}, 0));
    QCOMPARE(recipe.payload, "lock:a:b"s);
    QCOMPARE(recipe.channel, "lock-channel"s);
    QVERIFY((recipe.moreArguments
             == std::vector<Bytes>{"lock-channel:lock:a:b", "lock:a-channel",
                                   "lock:a-channel:lock:a:b"}));
    QVERIFY(recipe.checks.at(0).comparesExpiry); // the registry's next hold looks the same
}

LOCKSCOPE_TEST(TestRedissonFamily, Core)

} // namespace lockscope::tst_redisson_family

#include "tst_redisson_family.moc"
