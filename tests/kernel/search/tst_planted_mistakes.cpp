#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "protocol_scripts.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockscope::tst_planted_mistakes {

using search::Bounds;
using search::PromiseResult;
using search::SearchReport;
using world::FaultKind;
using world::WorldPlan;

namespace {

// A goal of the product, which sanitizers slow down.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kTimeMaxMs = 200'000;
#else
constexpr qint64 kTimeMaxMs = 10'000;
#endif

struct Mistake {
    const char* name;
    const char* protocol;
    const char* script;
    const char* from; // a line of the script, or a part of one
    const char* to;   // what stands there instead
};

// One line is gone, or one condition never holds.
constexpr Mistake kMistakes[] = {
    {"a release that does not ask whose it is", "set-nx-px-token", "delete_if_equal",
     "if value ~= ARGV[1] then", "if false then"},
    {"a renewal that does not ask whose it is", "bounded-watchdog", "expire_if_equal",
     "if value ~= ARGV[1] then", "if false then"},
    {"a lock without expiry", "lua-setnx-expire", "lua_setnx_expire",
     "redis.call('expire', KEYS[1], ARGV[1])", ""},
    {"a fence that does not grow", "fenced-token", "fenced_token", "redis.call('incr', KEYS[2])",
     "1"},
    {"a lock that may be taken twice", "fenced-token", "fenced_token", ", 'NX'", ""},
    {"a reentrant lock for everybody", "reentrant-hash", "reentrant_hash_lock",
     "redis.call('hexists', KEYS[1], ARGV[1]) == 0", "false"},
    {"a reentrant lock without expiry", "reentrant-hash", "reentrant_hash_lock",
     "redis.call('expire', KEYS[1], ARGV[2])", ""},
    {"an unlock that ignores the count", "reentrant-hash", "reentrant_hash_unlock",
     "if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then", "if false then"},
    {"an unlock by whoever comes", "reentrant-hash", "reentrant_hash_unlock",
     "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then", "if false then"},
    {"a watchdog that renews nothing", "redisson-lock", "redisson_renew",
     "redis.call('pexpire', KEYS[1], ARGV[2])", "1"},
    {"a renewal that forgets how often it is held", "redisson-lock", "redisson_renew",
     "return redis.call('pexpire'",
     "redis.call('hset', KEYS[1], ARGV[1], 1)\n  return redis.call('pexpire'"},
    {"an unlock that tells nobody", "redisson-lock", "redisson_unlock",
     "redis.call('publish', ARGV[3], '0')", ""},
    {"a hold that does not expire", "redisson-lock", "redisson_lock",
     "redis.call('pexpire', KEYS[1], ARGV[2])", ""},
    {"a reader that overlooks the writer", "rw-two-keys-counted", "rw_two_keys_counted_read",
     "if redis.call('exists', KEYS[2]) == 1 then", "if false then"},
    {"a reader that is not counted", "rw-two-keys-counted", "rw_two_keys_counted_read",
     "redis.call('incr', KEYS[1])", "redis.call('set', KEYS[1], 1)"},
    {"a writer that overlooks everybody", "rw-hash-owners", "rw_hash_owners_lock",
     "return what == 'write' or not isReading", "return what == 'write'"},
    {"a shorter lease cuts a longer one", "rw-hash-owners", "rw_hash_owners_lock",
     "if redis.call('pttl', KEYS[1]) < life then", "if true then"},
    {"one permit too many", "semaphore", "semaphore_acquire",
     "redis.call('zcard', permits) >= count", "redis.call('zcard', permits) > count"},
    {"a permit for whoever releases", "semaphore", "semaphore_release",
     "redis.call('zrem', permits, token)", "redis.call('del', permits)"},
    {"a queue that nobody joins", "list-handoff", "list_handoff",
     "redis.call('zadd', queue, 'NX', nowUs, token)", ""},
};

const store::Script& scriptNamed(std::string_view name)
{
    const auto script = std::ranges::find(protocol::scripts::kAll, name, &store::Script::name);
    Q_ASSERT(script != std::end(protocol::scripts::kAll));
    return *script;
}

/// A promise that the plans break only with the mistake; nullptr when there is none.
const PromiseResult* newlyBroken(const SearchReport& planted, const SearchReport& sound)
{
    for (const PromiseResult& result : planted.promises) {
        const PromiseResult& before = sound.of(result.promise);
        const bool wasBroken = before.status == PromiseResult::Status::Broken
                               && (before.isPromised || !result.isPromised);
        if (result.status == PromiseResult::Status::Broken && !wasBroken) {
            return &result;
        }
    }
    return nullptr;
}

/// The order alone, then what needs no fault: its plans are few.
std::vector<FaultKind> misuseFirst()
{
    std::vector<FaultKind> kinds;
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        kinds.push_back(static_cast<FaultKind>(i));
    }
    std::stable_partition(kinds.begin(), kinds.end(), [](FaultKind kind) {
        return kind == FaultKind::Interleaving || world::isMisuse(kind);
    });
    return kinds;
}

} // namespace

/// One line of a protocol's script is wrong on the server: the search finds out, and finds nothing
/// of the kind in the protocol as it is.
class TestPlantedMistakes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mistakeIsFound_data();
    void mistakeIsFound();
};

void TestPlantedMistakes::mistakeIsFound_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kMistakes); ++i) {
        QTest::newRow(kMistakes[i].name) << static_cast<int>(i);
    }
}

void TestPlantedMistakes::mistakeIsFound()
{
    QFETCH(int, index);
    const Mistake& mistake = kMistakes[index];
    const protocol::LockProtocol& protocol = *protocol::findProtocol(mistake.protocol);
    const store::Script& script = scriptNamed(mistake.script);
    std::string text(script.text);
    const std::size_t at = text.find(mistake.from);
    QVERIFY2(at != std::string::npos, "the script has changed");
    text.replace(at, std::string_view(mistake.from).size(), mistake.to);

    QElapsedTimer timer;
    timer.start();
    // An engine keeps scripts by their digests, and this one's is that of another text.
    sim::LuaEngine plantedLua;
    sim::LuaEngine lua;
    const Bounds bounds{1000};
    for (const FaultKind fault : misuseFirst()) {
        if (!search::isApplicable(fault, protocol.info())) {
            continue;
        }
        const std::vector<WorldPlan> plans = search::defaultPlans(protocol.info(), fault);
        std::vector<WorldPlan> planted = plans;
        for (WorldPlan& plan : planted) {
            plan.plantedScripts = {{std::string(script.digest), text}};
        }
        const SearchReport report = searchPlans(protocol, planted, plantedLua, bounds);
        if (!report.isAnyBroken()) {
            continue;
        }
        const SearchReport sound = searchPlans(protocol, plans, lua, bounds);
        const PromiseResult* const broken = newlyBroken(report, sound);
        if (broken == nullptr) {
            continue;
        }
        qInfo("%s: %s in %d steps under %s, after %lld ms", mistake.name,
              std::string(idOf(broken->promise)).c_str(), broken->finding->length,
              std::string(idOf(fault)).c_str(), timer.elapsed());
        QCOMPARE_LT(timer.elapsed(), kTimeMaxMs);
        return;
    }
    QFAIL("nothing found");
}

LOCKSCOPE_TEST(TestPlantedMistakes, None)

} // namespace lockscope::tst_planted_mistakes

#include "tst_planted_mistakes.moc"
