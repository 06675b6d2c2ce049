// Forced releases race against holders that renew, release, let expire and re-take, in every format
// that knows more than one kind of hold. Each release runs inside a transaction between two looks
// at the lock, so what it removed is compared with what it named, as of that instant. Formats
// without an owner have a number beside the lock that counts its holds.
//
// LOCKSCOPE_SOAK_RELEASES sets the number of releases (100000 for a soak), LOCKSCOPE_SEED the seed.

#include "connection.h"
#include "inspect/examination.h"
#include "inspect/force_release.h"
#include "loop_clock.h"
#include "loop_executor.h"
#include "private_server.h"
#include "release_race_formats.h"
#include "support/plain_client.h"

#include <QCoreApplication>
#include <QTest>
#include <QTestEventLoop>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace lockscope;
using namespace lockscope::testing;
using namespace std::chrono_literals;

using inspect::Examination;
using inspect::ReleasePlan;
using inspect::ReleaseResult;
using store::Command;
using store::Outcome;

namespace {

constexpr int kHolderConnections = 4;
constexpr int kHoldersPerConnection = 6;
constexpr int kReleasers = 4;
constexpr int kReleasesDefault = 3000;
constexpr int kLocksPerFormat = 2;
constexpr Duration kLeaseMin = 2ms;
constexpr Duration kLeaseMax = 60ms;

std::vector<RaceLock> allLocks()
{
    std::vector<RaceLock> locks;
    for (const RaceFormat& format : raceFormats()) {
        for (int i = 0; i < kLocksPerFormat; ++i) {
            locks.push_back(RaceLock{&format,
                                     "race:lock:" + Bytes(format.id) + ':' + std::to_string(i)});
        }
    }
    return locks;
}

bool isTaken(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->integer() == 1;
}

/// Takes locks for ever, renews them now and then, and gives them back or lets them run out.
async::Task<void> hold(store::Store& store, Clock& clock, Rng rng,
                       const std::vector<RaceLock>& locks)
{
    while (true) {
        const RaceLock& lock = locks[rng.below(locks.size())];
        const Bytes owner = lock.format->freshOwner(rng);
        const Duration lease = rng.between(kLeaseMin, kLeaseMax);
        const Outcome outcome = co_await store.submit(lock.take(owner, lease));
        if (!isTaken(outcome)) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, 12ms));
            continue;
        }
        const std::uint64_t renewals = rng.below(3);
        for (std::uint64_t i = 0; i < renewals; ++i) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, lease / 2));
            co_await store.submit(lock.renew(owner, lease));
        }
        // What never expires has to be given back, or the race is over.
        if (!lock.format->expires) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, lease));
        }
        if (!lock.format->expires || rng.below(2) == 0) {
            co_await store.submit(lock.give(owner));
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

/// What one look at a lock told: the server's clock, when the first of its keys ends, how many
/// holds there have been, and who holds it now.
struct Look {
    std::int64_t atMs = 0;
    std::int64_t endsAtMs = 0;
    std::int64_t holdCount = 0;
    std::set<Bytes> owners;

    explicit Look(const store::Reply& reply)
    {
        const store::Reply::Array& parts = *reply.array();
        atMs = parts[0].integer().value_or(0);
        endsAtMs = parts[1].integer().value_or(0);
        holdCount = parts[2].integer().value_or(0);
        for (const store::Reply& owner : *parts[3].array()) {
            owners.insert(*owner.text());
        }
    }
};

/// A plan, and which hold of a format without owners it was made for.
struct Aim {
    ReleasePlan plan;
    std::int64_t holdCount = 0;
};

std::set<Bytes> namedBy(const ReleasePlan& plan)
{
    std::set<Bytes> owners;
    for (const inspect::Holder& holder : plan.holders) {
        owners.insert(holder.owner);
    }
    return owners;
}

std::set<Bytes> without(const std::set<Bytes>& all, const std::set<Bytes>& some)
{
    std::set<Bytes> rest;
    std::ranges::set_difference(all, some, std::inserter(rest, rest.end()));
    return rest;
}

/// `before` and `after` stand around the release in one transaction, so only the release and the
/// end of a lease come in between.
void judge(const RaceLock& lock, const Aim& aim, const Look& before, const Look& after,
           ReleaseResult result, Tally& tally)
{
    const auto complain = [&](const char* what) {
        tally.wrongs.push_back(lock.name + ": " + what + "; named " + aim.plan.owner());
    };
    const bool mayHaveRunOut = before.endsAtMs >= 0 && after.atMs >= before.endsAtMs;
    const std::set<Bytes> named = namedBy(aim.plan);
    const std::set<Bytes> removed = without(before.owners, after.owners);
    const bool isAnonymous = lock.format->isAnonymous;
    const bool isThere = isAnonymous ? before.holdCount == aim.holdCount
                                     : without(named, before.owners).empty();
    switch (result) {
    case ReleaseResult::Released:
        ++tally.released;
        if (isAnonymous ? !isThere : !without(removed, named).empty() && !mayHaveRunOut) {
            complain("a hold that was not named was removed");
        }
        if (!isAnonymous && without(named, after.owners) != named) {
            complain("called released although it is there");
        }
        return;
    case ReleaseResult::ChangedHands:
    case ReleaseResult::AlreadyGone:
        ++(result == ReleaseResult::ChangedHands ? tally.changedHands : tally.alreadyGone);
        if (!removed.empty() && !mayHaveRunOut) {
            complain("removed something and called it untouched");
        }
        if (isThere && !isAnonymous && !mayHaveRunOut) {
            complain("refused although nothing had changed");
        }
        return;
    default: complain("no clear outcome");
    }
}

/// What there is to release: each hold alone, and all of them; one of these.
std::optional<ReleasePlan> planAmong(const Examination& examination, Rng& rng)
{
    std::vector<ReleasePlan> plans = inspect::plansForEach(examination);
    if (auto all = inspect::planFor(examination, inspect::ReleaseAction::Release)) {
        plans.push_back(std::move(*all));
    }
    return plans.empty() ? std::nullopt : std::optional(plans[rng.below(plans.size())]);
}

async::Task<Look> lookAt(store::Store& store, const RaceLock& lock)
{
    const Outcome outcome = co_await store.submit(lock.look());
    co_return Look(*replyOf(outcome));
}

/// Looks until it is known which hold was looked at, and plans to release it; nullopt: nobody holds
/// the lock.
async::Task<std::optional<Aim>> takeAim(store::Store& store, Clock& clock, const RaceLock& lock,
                                        Rng& rng)
{
    while (true) {
        Command forget("UNWATCH"); // of an aim that was not taken
        co_await store.submit(std::move(forget));
        const Look before = co_await lookAt(store, lock);
        const auto found = co_await inspect::examineToRelease(store, clock, 0, lock.name);
        const Look after = co_await lookAt(store, lock);
        const auto* const examination = std::get_if<Examination>(&found);
        std::optional<ReleasePlan> plan = examination != nullptr ? planAmong(*examination, rng)
                                                                 : std::nullopt;
        if (!plan) {
            co_return std::nullopt;
        }
        if (!lock.format->isAnonymous || before.holdCount == after.holdCount) {
            co_return Aim{std::move(*plan), after.holdCount};
        }
    }
}

/// Plans against what is seen, dawdles, and releases between two looks.
async::Task<void> release(store::Store& store, Clock& clock, Rng rng,
                          const std::vector<RaceLock>& locks, int wantedCount, Tally& tally)
{
    while (tally.attempts < wantedCount) {
        const RaceLock& lock = locks[rng.below(locks.size())];
        const std::optional<Aim> aim = co_await takeAim(store, clock, lock, rng);
        if (!aim) {
            continue; // nobody holds it at the moment
        }
        ++tally.attempts;
        if (rng.below(3) != 0) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, 20ms));
        }
        std::vector<Command> transaction;
        transaction.emplace_back("MULTI");
        transaction.push_back(lock.look());
        transaction.push_back(aim->plan.command);
        transaction.push_back(lock.look());
        transaction.emplace_back("EXEC");
        const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(transaction));
        const store::Reply* const answers = replyOf(outcomes.back());
        if (aim->plan.guard && answers != nullptr && answers->isNil()) {
            ++tally.changedHands; // somebody wrote to it: nothing was done
            continue;
        }
        if (answers == nullptr || answers->array() == nullptr || answers->array()->size() != 3) {
            tally.wrongs.push_back(lock.name + ": the transaction was not carried out");
            co_return;
        }
        const store::Reply::Array& parts = *answers->array();
        judge(lock, *aim, Look(parts[0]), Look(parts[2]),
              inspect::reportOf(Outcome(parts[1])).result, tally);
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
    void onlyTheNamedHoldIsEverReleased();
};

void ReleaseRaceTest::onlyTheNamedHoldIsEverReleased()
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

    const store::Reply info = PlainClient(server.endpoint())("INFO", "server");
    const QByteArray version = qgetenv("LOCKSCOPE_REDIS_VERSION");
    QVERIFY2(info.text()->find("redis_version:" + version.toStdString()) != std::string::npos,
             info.text()->c_str());

    const std::vector<RaceLock> locks = allLocks();
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
