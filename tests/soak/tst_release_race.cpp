// Forced releases race against holders that renew, release, let expire and re-take. Every release
// runs inside a transaction that first asks who holds the lock, so each outcome is checked against
// the truth of that instant.
//
// LOCKSCOPE_SOAK_RELEASES sets the number of releases (100000 for a soak), LOCKSCOPE_SEED the seed.

#include "connection.h"
#include "inspect/examination.h"
#include "inspect/force_release.h"
#include "loop_clock.h"
#include "loop_executor.h"
#include "private_server.h"

#include <QCoreApplication>
#include <QTest>
#include <QTestEventLoop>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;

using inspect::Examination;
using inspect::ReleaseResult;
using store::Command;
using store::Outcome;

namespace {

constexpr int kHolderConnections = 4;
constexpr int kHoldersPerConnection = 4;
constexpr int kReleasers = 4;
constexpr int kReleasesDefault = 3000;
constexpr Duration kLeaseMin = 2ms;
constexpr Duration kLeaseMax = 60ms;

/// One lock that everybody fights for, and how its format is written.
enum class Format { Token, ReentrantHash, Redisson, Flag };
constexpr std::array kFormats = {Format::Token, Format::ReentrantHash, Format::Redisson,
                                 Format::Flag};
constexpr int kKeysPerFormat = 2;

struct Lock {
    Format format;
    Bytes key;
    bool isHash() const { return format == Format::ReentrantHash || format == Format::Redisson; }
};

std::vector<Lock> allLocks()
{
    std::vector<Lock> locks;
    for (const Format format : kFormats) {
        for (int i = 0; i < kKeysPerFormat; ++i) {
            const auto number = std::to_string(static_cast<int>(format)) + ':' + std::to_string(i);
            locks.push_back({format, "race:lock:" + number});
        }
    }
    return locks;
}

Bytes freshOwner(Format format, Rng& rng)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    Bytes hex(32, '0');
    std::generate(hex.begin(), hex.end(), [&rng] { return kDigits[rng.below(16)]; });
    switch (format) {
    case Format::Token: return hex;
    case Format::ReentrantHash: return "worker-" + hex.substr(0, 12);
    case Format::Redisson:
        return hex.substr(0, 8) + '-' + hex.substr(8, 4) + "-4" + hex.substr(12, 3) + "-8"
               + hex.substr(15, 3) + '-' + hex.substr(18, 12) + ':'
               + std::to_string(rng.below(100));
    case Format::Flag: return "1";
    }
    return hex;
}

constexpr const char* kTakeHash = "if redis.call('exists', KEYS[1]) == 1 then return 0 end "
                                  "redis.call('hset', KEYS[1], ARGV[1], 1) "
                                  "redis.call('pexpire', KEYS[1], ARGV[2]) return 1";
constexpr const char* kRenewString = "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                     "return redis.call('pexpire', KEYS[1], ARGV[2])";
constexpr const char* kRenewHash =
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "redis.call('hincrby', KEYS[1], ARGV[1], 1) "
    "return redis.call('pexpire', KEYS[1], ARGV[2])";
constexpr const char* kGiveString = "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
                                    "return redis.call('del', KEYS[1])";
constexpr const char* kGiveHash =
    "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end "
    "return redis.call('del', KEYS[1])";

Command takeCommand(const Lock& lock, const Bytes& owner, Duration lease)
{
    if (lock.isHash()) {
        return Command("EVAL", kTakeHash, 1, lock.key, owner, toMs(lease));
    }
    return Command("SET", lock.key, owner, "NX", "PX", toMs(lease));
}

bool isTaken(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && (reply->integer() == 1 || reply->text() != nullptr);
}

/// Takes locks for ever, renews them now and then, and gives them back or lets them run out.
async::Task<void> hold(store::Store& store, Clock& clock, Rng rng, const std::vector<Lock>& locks)
{
    while (true) {
        const Lock& lock = locks[rng.below(locks.size())];
        const Bytes owner = freshOwner(lock.format, rng);
        const Duration lease = rng.between(kLeaseMin, kLeaseMax);
        const Outcome outcome = co_await store.submit(takeCommand(lock, owner, lease));
        if (!isTaken(outcome)) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, 12ms));
            continue;
        }
        const std::uint64_t renewals = rng.below(3);
        for (std::uint64_t i = 0; i < renewals; ++i) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, lease / 2));
            Command renew("EVAL", lock.isHash() ? kRenewHash : kRenewString, 1, lock.key, owner,
                          toMs(lease));
            co_await store.submit(std::move(renew));
        }
        if (rng.below(2) == 0) {
            Command give("EVAL", lock.isHash() ? kGiveHash : kGiveString, 1, lock.key, owner);
            co_await store.submit(std::move(give));
        }
    }
}

struct Tally {
    int attempts = 0;
    int released = 0;
    int changedHands = 0;
    int alreadyGone = 0;
    std::vector<std::string> wrongs;

    int decided() const { return released + changedHands + alreadyGone; }
};

/// Who holds the lock, as the plan would name it: the value, or the only field.
Bytes holderIn(const store::Reply& reply)
{
    if (const std::string* const value = reply.text()) {
        return *value;
    }
    const store::Reply::Array* const fields = reply.array();
    return fields != nullptr && fields->size() == 1 && fields->front().text() != nullptr
               ? *fields->front().text()
               : Bytes();
}

/// TIME's answer in milliseconds since 1970.
std::int64_t msOf(const store::Reply& time)
{
    const store::Reply::Array& parts = *time.array();
    return std::stoll(*parts[0].text()) * 1000 + std::stoll(*parts[1].text()) / 1000;
}

/// `truth` is what the transaction answered: the holder and the expiry before the release, the
/// release, the time after it. A script reads the clock anew although it runs inside a transaction,
/// so a lock that was there before it may rightly have run out for the script.
void judge(const Lock& lock, const inspect::ReleasePlan& plan, const store::Reply::Array& truth,
           Tally& tally)
{
    const Bytes holder = holderIn(truth[0]);
    const std::int64_t endsAt = truth[1].integer().value_or(-2);
    const ReleaseResult result = inspect::reportOf(Outcome(truth[2])).result;
    const bool isNamed = lock.format == Format::Flag
                             ? endsAt == plan.expiresAtMs.front().value_or(-1)
                             : holder == plan.owner();
    const auto complain = [&](const char* what) {
        tally.wrongs.push_back(lock.key + ": " + what + "; named " + plan.owner() + ", held by "
                               + holder);
    };
    switch (result) {
    case ReleaseResult::Released:
        ++tally.released;
        if (!isNamed) {
            complain("released although somebody else held it");
        }
        return;
    case ReleaseResult::ChangedHands:
        ++tally.changedHands;
        if (isNamed) {
            complain("refused although nothing had changed");
        }
        return;
    case ReleaseResult::AlreadyGone:
        ++tally.alreadyGone;
        if (endsAt != -2 && endsAt >= msOf(truth[3])) {
            complain("called gone although it was there");
        }
        return;
    default: complain("no clear outcome");
    }
}

/// Plans against what is seen, dawdles, and releases; the transaction tells who held the lock at
/// that instant.
async::Task<void> release(store::Store& store, Clock& clock, Rng rng,
                          const std::vector<Lock>& locks, int wantedCount, Tally& tally)
{
    while (tally.attempts < wantedCount) {
        const Lock& lock = locks[rng.below(locks.size())];
        const auto found = co_await inspect::examine(store, clock, 0, lock.key);
        const auto* const examination = std::get_if<Examination>(&found);
        if (examination == nullptr) {
            tally.wrongs.push_back("the server could not be read");
            co_return;
        }
        const auto plan = inspect::planFor(*examination, inspect::ReleaseAction::Release);
        if (!plan) {
            continue; // nobody holds it at the moment
        }
        ++tally.attempts;
        if (rng.below(3) != 0) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, 20ms));
        }
        std::vector<Command> transaction;
        transaction.emplace_back("MULTI");
        transaction.emplace_back(lock.isHash() ? "HKEYS" : "GET", lock.key);
        transaction.emplace_back("PEXPIRETIME", lock.key);
        transaction.push_back(plan->command);
        transaction.emplace_back("TIME");
        transaction.emplace_back("EXEC");
        const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(transaction));
        const store::Reply* const truth = replyOf(outcomes.back());
        if (truth == nullptr || truth->array() == nullptr || truth->array()->size() != 4) {
            tally.wrongs.push_back("the transaction was not carried out");
            co_return;
        }
        judge(lock, *plan, *truth->array(), tally);
    }
}

/// Ends the test's event loop with the last releaser. (Waiting by QTRY_… sleeps 10 ms between two
/// looks at the loop, and the race would crawl.)
async::Task<void> releaseAndTell(async::Task<void> releaser, int& runningCount)
{
    co_await std::move(releaser);
    if (--runningCount == 0) {
        QTestEventLoop::instance().exitLoop();
    }
}

int fromEnvironment(const char* name, int otherwise)
{
    bool isNumber = false;
    const int number = qEnvironmentVariableIntValue(name, &isNumber);
    return isNumber ? number : otherwise;
}

} // namespace

class ReleaseRaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheNamedOwnerIsEverReleased();
};

void ReleaseRaceTest::onlyTheNamedOwnerIsEverReleased()
{
    const int wantedCount = fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault);
    const int seed = fromEnvironment("LOCKSCOPE_SEED", 1);
    qInfo("seed %d, %d releases; replay with LOCKSCOPE_SEED=%d LOCKSCOPE_SOAK_RELEASES=%d", seed,
          wantedCount, seed, wantedCount);
    wire::PrivateServer server;
    server.start();
    QVERIFY(server.waitUntilReady());

    wire::LoopExecutor executor;
    wire::LoopClock clock;
    Rng rng(static_cast<std::uint64_t>(seed));
    std::vector<std::unique_ptr<wire::Connection>> connections;
    for (int i = 0; i < kHolderConnections + kReleasers; ++i) {
        connections.push_back(std::make_unique<wire::Connection>(server.endpoint(), executor, clock,
                                                                 rng.split()));
        connections.back()->open();
    }
    const auto isOnline = [](const auto& c) {
        return c->state() == wire::Connection::State::Online;
    };
    QTRY_VERIFY(std::all_of(connections.begin(), connections.end(), isOnline));

    const std::vector<Lock> locks = allLocks();
    Tally tally;
    async::TaskScope holders(executor);
    for (int i = 0; i < kHolderConnections * kHoldersPerConnection; ++i) {
        holders.start(hold(*connections[static_cast<std::size_t>(i % kHolderConnections)], clock,
                           rng.split(), locks));
    }
    int runningCount = kReleasers;
    async::TaskScope releasers(executor);
    for (int i = 0; i < kReleasers; ++i) {
        releasers.start(
            releaseAndTell(release(*connections[static_cast<std::size_t>(kHolderConnections + i)],
                                   clock, rng.split(), locks, wantedCount, tally),
                           runningCount));
    }
    QTestEventLoop::instance().enterLoopMSecs(60'000 + wantedCount * 120);
    QCOMPARE(runningCount, 0);

    qInfo("%d releases: %d released, %d changed hands, %d already gone", tally.decided(),
          tally.released, tally.changedHands, tally.alreadyGone);
    QVERIFY2(tally.wrongs.empty(), tally.wrongs.empty() ? "" : tally.wrongs.front().c_str());
    QCOMPARE(tally.decided(), tally.attempts);
    // Without all three outcomes the race has not been run.
    QVERIFY(tally.released > wantedCount / 20);
    QVERIFY(tally.changedHands > 0);
    QVERIFY(tally.alreadyGone > 0);
}

int main(int argc, char** argv)
{
    // Qt Test ends a function after five minutes; a soak takes as long as it was asked to.
    qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(24 * 3600 * 1000));
    QCoreApplication application(argc, argv);
    ReleaseRaceTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_release_race.moc"
