// Forced releases race against holders that renew, release, let expire and re-take, in every format
// that is recognised. Each release runs inside a transaction between two looks at the lock, so what
// it removed is compared with what it named, as of that instant. Where nothing in a lock tells one
// hold from the next, a number beside it does, which the client that takes it increments.
//
// A second race has no WATCH, and may miss what its plans say that they cannot tell apart.
//
// LOCKSCOPE_SOAK_RELEASES sets the number of releases (100000 for a soak), LOCKSCOPE_SEED the seed.

#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/formats/format_file.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "core/wire/watch/redis_release_desk.h"
#include "tests/soak/release_race_formats.h"
#include "tests/soak/release_race_ledger.h"
#include "tests/support/live/plain_client.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QTestEventLoop>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tst_release_race {

using namespace lockscope::testing;
using namespace std::chrono_literals;

using inspect::LockInspection;
using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using store::Command;
using store::Outcome;

namespace {

constexpr int kServers = 3;
constexpr int kHolderLinks = 4;
constexpr int kHoldersPerLink = 6;
constexpr int kReleasers = 4;
constexpr int kReleasesDefault = 2000;
constexpr Duration kLeaseMin = 2ms;
constexpr Duration kLeaseMax = 60ms;
constexpr Duration kLongestRest = 30ms; // of a holder, who leaves time for the others

/// One for each format, so that many meet at each.
std::vector<RaceLock> allLocks()
{
    std::vector<RaceLock> locks;
    for (const RaceFormat& format : raceFormats()) {
        locks.push_back(RaceLock{&format, "race:lock:" + Bytes(format.id)});
    }
    return locks;
}

/// The connections of one client, one to each server. Most locks are on the first alone.
class Link {
public:
    Link(const std::vector<store::Endpoint>& servers, async::Executor& executor, Clock& clock,
         Rng& rng)
    {
        for (const store::Endpoint& server : servers) {
            m_connections.push_back(std::make_unique<wire::Connection>(server, executor, clock,
                                                                       rng.split()));
            m_connections.back()->open();
        }
    }

    bool isOnline() const
    {
        return std::ranges::all_of(m_connections, [](const auto& connection) {
            return connection->state() == wire::Connection::State::Online;
        });
    }
    store::Store& server(std::size_t index) const { return *m_connections[index]; }

private:
    std::vector<std::unique_ptr<wire::Connection>> m_connections;
};

bool isTaken(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->integer() == 1;
}

/// Asks every server of the lock, one after the other from `first` on. True when most of them
/// answer 1.
async::Task<bool> agree(const Link& link, const RaceLock& lock, Command command, std::size_t first)
{
    const std::size_t count = lock.format->serverCount;
    std::size_t votes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Outcome outcome = co_await link.server((first + i) % count).submit(command);
        votes += isTaken(outcome) ? 1 : 0;
    }
    co_return votes > count / 2;
}

/// Takes locks without end, renews them now and then, and gives them back or lets them run out.
async::Task<void> hold(const Link& link, Clock& clock, Rng rng, const std::vector<RaceLock>& locks)
{
    while (true) {
        co_await clock.wakeAt(clock.now() + rng.between(0ms, kLongestRest));
        const RaceLock& lock = locks[rng.below(locks.size())];
        const Bytes owner = lock.format->freshOwner(rng, clock.wallNow());
        const Duration lease = rng.between(kLeaseMin, kLeaseMax);
        const std::size_t first = rng.below(lock.format->serverCount);
        if (!co_await agree(link, lock, lock.takeCommand(owner, lease), first)) {
            if (lock.format->serverCount > 1) {
                co_await agree(link, lock, lock.give(owner), first); // what few servers granted
            }
            continue;
        }
        const std::uint64_t renewals = rng.below(3);
        for (std::uint64_t i = 0; i < renewals; ++i) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, lease / 2));
            co_await agree(link, lock, lock.renew(owner, lease), first);
        }
        // What never expires has to be given back, or the race is over.
        if (!lock.format->expires) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, lease));
        }
        if (!lock.format->expires || rng.below(2) == 0) {
            co_await agree(link, lock, lock.give(owner), first);
        }
    }
}

/// A plan, and the holds that it names.
struct Aim {
    ReleasePlan plan;
    std::set<Hold> named;
};

/// What there is to release: each hold alone, and all of them; one of these.
std::optional<ReleasePlan> planAmong(const operations::LockDetails& details, Rng& rng)
{
    std::vector<ReleasePlan> plans = details.releaseOne;
    if (details.release) {
        plans.push_back(*details.release);
    }
    return plans.empty() ? std::nullopt : std::optional(plans[rng.below(plans.size())]);
}

async::Task<Look> lookAt(store::Store& store, const RaceLock& lock)
{
    const Outcome outcome = co_await store.submit(lock.look());
    co_return Look(*replyOf(outcome));
}

/// What the release desk makes of a lock on its servers.
async::Task<operations::LockDetails> detailsOf(const Link& link, Clock& clock, const RaceLock& lock)
{
    std::vector<LockInspection> inspections;
    for (std::uint16_t server = 0; server < lock.format->serverCount; ++server) {
        auto found = co_await inspect::inspectToRelease(link.server(server), clock, server,
                                                        lock.name);
        if (auto* const inspection = std::get_if<LockInspection>(&found)) {
            inspections.push_back(std::move(*inspection));
        }
    }
    if (inspections.empty()) {
        co_return operations::LockDetails();
    }
    co_return operations::detailsOf(inspections, lock.format->serverCount);
}

/// Looks until it is known which holds were looked at, and plans to release them; nullopt: the
/// lock is free.
async::Task<std::optional<Aim>> takeAim(const Link& link, Clock& clock, const RaceLock& lock,
                                        Rng& rng)
{
    store::Store& store = link.server(0);
    while (true) {
        Command forget("UNWATCH"); // of an aim that was not taken
        co_await store.submit(std::move(forget));
        const Look before = co_await lookAt(store, lock);
        if (before.endsAtMs.empty() && lock.format->serverCount == 1) {
            co_return std::nullopt;
        }
        const operations::LockDetails details = co_await detailsOf(link, clock, lock);
        const Look after = co_await lookAt(store, lock);
        std::optional<ReleasePlan> plan = planAmong(details, rng);
        if (!plan) {
            co_return std::nullopt;
        }
        // As long as it was not taken anew, what is there was there before.
        const bool isSteady = before.holdCount == after.holdCount;
        auto named = holdsNamedBy(*plan, *lock.format, before);
        if (named && (isSteady || !lock.format->isAnonymous)) {
            co_return Aim{std::move(*plan), std::move(*named)};
        }
    }
}

/// Releases on one server between two looks.
async::Task<ReleaseReport> releaseOn(store::Store& store, const RaceLock& lock, const Aim& aim,
                                     Ledger& ledger)
{
    std::vector<Command> transaction;
    transaction.emplace_back("MULTI");
    transaction.push_back(lock.look());
    transaction.push_back(aim.plan.command);
    transaction.push_back(lock.look());
    transaction.emplace_back("EXEC");
    const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(transaction));
    const store::Reply* const answers = replyOf(outcomes.back());
    ReleaseReport report;
    if (aim.plan.guard && answers != nullptr && answers->isNil()) {
        report.result = ReleaseResult::ChangedHands; // nothing was done
        report.wasWritten = true;
        co_return report;
    }
    if (answers == nullptr || answers->array() == nullptr || answers->array()->size() != 3) {
        ledger.complain(lock, "the transaction was not carried out");
        co_return report;
    }
    const store::Reply::Array& parts = *answers->array();
    report = inspect::reportOf(Outcome(parts[1]));
    const Look before(parts[0]);
    const Look after(parts[2]);
    const char* const wrong = wrongOf(report.result, aim.named, before, after,
                                      lock.format->isAnonymous);
    if (wrong != nullptr && statesLimit(aim.plan) && isWithinLimit(aim.plan, before, after)) {
        ++ledger.of(*lock.format).alikeCount;
    } else if (wrong != nullptr) {
        ledger.complain(lock, std::string(wrong) + "; named " + escaped(aim.plan.owner()));
    }
    co_return report;
}

/// A row of a set is a row of Redlock's as soon as two servers agree.
void noteFormat(const RaceLock& lock, const ReleasePlan& plan, Ledger& ledger)
{
    if (plan.lock->format() == lock.format->decoder) {
        ++ledger.of(*lock.format).recognisedCount;
    } else if (lock.format->serverCount == 1 || plan.lock->quorum().held > 1) {
        ledger.complain(lock, "recognised as " + std::string(plan.lock->format()));
    }
}

/// Any lock, or the one of which fewest were released: some are free most of the time, and a slow
/// machine would reach none of their holds.
const RaceLock& chooseLock(const std::vector<RaceLock>& locks, Ledger& ledger, Rng& rng)
{
    if (rng.below(2) == 0) {
        return locks[rng.below(locks.size())];
    }
    return *std::ranges::min_element(locks, {}, [&ledger](const RaceLock& lock) {
        return ledger.of(*lock.format).released;
    });
}

/// Plans against what is seen, dawdles, and releases on every server that has it.
async::Task<void> release(const Link& link, Clock& clock, Rng rng,
                          const std::vector<RaceLock>& locks, int& leftCount, Ledger& ledger)
{
    while (leftCount > 0) {
        const RaceLock& lock = chooseLock(locks, ledger, rng);
        const std::optional<Aim> aim = co_await takeAim(link, clock, lock, rng);
        if (!aim) {
            continue; // it is free at the moment
        }
        if (leftCount-- <= 0) {
            co_return; // another was faster with the last
        }
        noteFormat(lock, aim->plan, ledger);
        if (rng.below(3) != 0) {
            co_await clock.wakeAt(clock.now() + rng.between(0ms, 20ms));
        }
        std::vector<std::pair<std::uint16_t, ReleaseReport>> reports;
        for (const std::uint16_t server : aim->plan.servers) {
            ReleaseReport report = co_await releaseOn(link.server(server), lock, *aim, ledger);
            reports.emplace_back(server, std::move(report));
        }
        ledger.of(*lock.format).add(inspect::summaryOf(std::move(reports)));
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

using Servers = std::vector<std::unique_ptr<wire::PrivateServer>>;

Servers startServers()
{
    Servers servers;
    for (int i = 0; i < kServers; ++i) {
        servers.push_back(std::make_unique<wire::PrivateServer>());
        servers.back()->start();
    }
    return servers;
}

std::vector<store::Endpoint> endpointsOf(const Servers& servers)
{
    std::vector<store::Endpoint> endpoints;
    for (const auto& server : servers) {
        endpoints.push_back(server->endpoint());
    }
    return endpoints;
}

/// The same servers, for a client that may not have writes noticed.
std::vector<store::Endpoint> withoutWatch(std::vector<store::Endpoint> endpoints)
{
    for (store::Endpoint& endpoint : endpoints) {
        PlainClient client(endpoint);
        client("ACL", "SETUSER", "blind", "on", ">pw", "~*", "&*", "+@all", "-watch");
        endpoint.user = "blind";
        endpoint.password = "pw";
    }
    return endpoints;
}

/// The first of what was wrong, a line for each format, and one for all of them.
void print(Ledger& ledger)
{
    constexpr std::size_t kMostWrongs = 20;
    for (std::size_t i = 0; i < std::min(ledger.wrongs().size(), kMostWrongs); ++i) {
        qWarning("%s", ledger.wrongs()[i].c_str());
    }
    for (const RaceFormat& format : raceFormats()) {
        qInfo("%-24s %s", std::string(format.id).c_str(), ledger.of(format).text().c_str());
    }
    qInfo("%-24s %s", "all formats", ledger.total().text().c_str());
}

Look lookWith(std::int64_t atMs, std::map<Hold, std::int64_t> endsAtMs)
{
    Look look;
    look.atMs = atMs;
    look.endsAtMs = std::move(endsAtMs);
    return look;
}

/// Fails when anything was wrong; how the releases ended is in `ledger`.
void race(bool mayWatch, int wantedCount, Ledger& ledger)
{
    const int seed = fromEnvironment("LOCKSCOPE_SEED", 1);
    const Servers servers = startServers();
    for (const auto& server : servers) {
        QVERIFY(server->waitUntilReady());
    }
    const store::Reply info = PlainClient(servers.front()->endpoint())("INFO", "server");
    const QByteArray version = qgetenv("LOCKSCOPE_REDIS_VERSION");
    QVERIFY2(info.text()->find("redis_version:" + version.toStdString()) != std::string::npos,
             info.text()->c_str());

    wire::LoopExecutor executor;
    wire::LoopClock clock;
    Rng rng(static_cast<std::uint64_t>(seed));
    const std::vector<store::Endpoint> endpoints = endpointsOf(servers);
    const std::vector<store::Endpoint> releasersEndpoints = mayWatch ? endpoints
                                                                     : withoutWatch(endpoints);
    std::vector<Link> links;
    links.reserve(kHolderLinks + kReleasers);
    for (int i = 0; i < kHolderLinks + kReleasers; ++i) {
        links.emplace_back(i < kHolderLinks ? endpoints : releasersEndpoints, executor, clock, rng);
    }
    QTRY_VERIFY(std::ranges::all_of(links, &Link::isOnline));

    const std::vector<RaceLock> locks = allLocks();
    async::TaskScope holders(executor);
    for (std::size_t i = 0; i < kHolderLinks * kHoldersPerLink; ++i) {
        holders.start(hold(links[i % kHolderLinks], clock, rng.split(), locks));
    }
    int leftCount = wantedCount;
    int runningCount = kReleasers;
    async::TaskScope releasers(executor);
    for (std::size_t i = 0; i < kReleasers; ++i) {
        releasers.start(releaseAndTell(release(links[kHolderLinks + i], clock, rng.split(), locks,
                                               leftCount, ledger),
                                       runningCount));
    }
    QTestEventLoop::instance().enterLoopMSecs(60'000 + wantedCount * 120);
    QCOMPARE(runningCount, 0);

    print(ledger);
    qInfo("replay with LOCKSCOPE_SEED=%d LOCKSCOPE_SOAK_RELEASES=%d", seed,
          fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault));
    QVERIFY2(ledger.wrongs().empty(),
             ledger.wrongs().empty() ? "" : ledger.wrongs().front().c_str());
    // Without all of these the race has not been run.
    QCOMPARE(ledger.total().attempts(), wantedCount);
    QVERIFY(ledger.total().changedHands > 0);
    QVERIFY(ledger.total().alreadyGone > 0);
}

} // namespace

class ReleaseRaceTest : public QObject {
    Q_OBJECT

public:
    /// Qt Test ends a function after five minutes; a soak takes as long as it was asked to.
    static void initMain()
    {
        qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(24 * 3600 * 1000));
    }

private Q_SLOTS:
    void everyDecoderIsRacedOrSaysWhyNot();
    void everyProtocolOfTheCatalogueIsStoodForByAFormat();
    void theLedgerNoticesWhatIsWrong();
    void onlyTheNamedHoldIsEverReleased();
    void withoutWatchOnlyTheStatedLimitIsMissed();
};

void ReleaseRaceTest::everyDecoderIsRacedOrSaysWhyNot()
{
    for (const inspect::Decoder& decoder : inspect::builtinDecoders()) {
        // All of them are compared and deleted as a `token` is, which is raced.
        if (std::ranges::count(inspect::builtinFormats(), decoder.id, &inspect::FormatFile::id)
            > 0) {
            continue;
        }
        const bool isRaced = std::ranges::count(raceFormats(), decoder.id, &RaceFormat::decoder)
                             > 0;
        const bool isExplained = std::ranges::count(unracedDecoders(), decoder.id,
                                                    &UnracedDecoder::decoder)
                                 > 0;
        QVERIFY2(isRaced != isExplained, std::string(decoder.id).c_str());
    }
    for (const RaceFormat& format : raceFormats()) {
        QVERIFY2(inspect::decoderOfFormat(format.decoder) != nullptr,
                 std::string(format.id).c_str());
    }
    for (const UnracedDecoder& unraced : unracedDecoders()) {
        QVERIFY(inspect::decoderOfFormat(unraced.decoder) != nullptr);
        QVERIFY(!unraced.reason.empty());
    }
}

void ReleaseRaceTest::everyProtocolOfTheCatalogueIsStoodForByAFormat()
{
    const auto protocols = protocol::builtinProtocols();
    for (const protocol::LockProtocol* const protocol : protocols) {
        const auto raced = std::ranges::find(racedProtocols(),
                                             std::string_view(protocol->info().id),
                                             &RacedProtocol::protocol);
        QVERIFY2(raced != racedProtocols().end(), std::string(protocol->info().id).c_str());
        QCOMPARE(std::ranges::count(raceFormats(), raced->format, &RaceFormat::id), 1);
    }
    QCOMPARE(racedProtocols().size(), protocols.size());
}

void ReleaseRaceTest::theLedgerNoticesWhatIsWrong()
{
    const Hold ann{"ann", {}, 0};
    const Hold bob{"bob", {}, 0};
    const Look both = lookWith(100, {{ann, 150}, {bob, 101}});
    const auto wrong = [&](ReleaseResult result, const std::set<Hold>& named, const Look& after) {
        const char* const text = wrongOf(result, named, both, after, false);
        return std::string(text != nullptr ? text : "");
    };
    const Look bobLeft = lookWith(100, {{bob, 101}});
    const Look nobodyLeft = lookWith(100, {});
    const Look nobodyLeftLater = lookWith(101, {});
    QCOMPARE(wrong(ReleaseResult::Released, {ann}, bobLeft), "");
    QCOMPARE(wrong(ReleaseResult::Released, {ann, bob}, nobodyLeft), "");
    QCOMPARE(wrong(ReleaseResult::Released, {ann}, nobodyLeft),
             "a hold that was not named was removed");
    QCOMPARE(wrong(ReleaseResult::Released, {ann}, nobodyLeftLater), ""); // bob ran out
    QCOMPARE(wrong(ReleaseResult::Released, {bob}, nobodyLeftLater),
             "a hold that was not named was removed"); // ann did not
    QCOMPARE(wrong(ReleaseResult::Released, {Hold{"eve", {}, 0}}, both),
             "called released although it was not there any more");
    QCOMPARE(wrong(ReleaseResult::Released, {ann}, both), "called released although it is there");
    QCOMPARE(wrong(ReleaseResult::ChangedHands, {ann}, both),
             "refused although nothing had changed");
    QCOMPARE(wrong(ReleaseResult::AlreadyGone, {Hold{"eve", {}, 0}}, both), "");
    QCOMPARE(wrong(ReleaseResult::AlreadyGone, {Hold{"eve", {}, 0}}, bobLeft),
             "removed something and called it untouched");
    QCOMPARE(wrong(ReleaseResult::Unknown, {ann}, both), "no clear outcome");
    // The next hold of the same owner is another one.
    QVERIFY(wrongOf(ReleaseResult::Released, {Hold{"", "any", 1}},
                    lookWith(100, {{Hold{"", "any", 2}, -1}}), nobodyLeftLater, true)
            != nullptr);
    // It could not be told from the first if it ends when that did, or if neither ends.
    ReleasePlan plan;
    plan.expiresAtMs = {150};
    QVERIFY(isWithinLimit(plan, lookWith(100, {{ann, 150}}), nobodyLeft));
    QVERIFY(!isWithinLimit(plan, lookWith(100, {{ann, 151}}), nobodyLeft));
    QVERIFY(!isWithinLimit(plan, lookWith(100, {{ann, -1}}), nobodyLeft));
    plan.expiresAtMs = {std::nullopt};
    QVERIFY(isWithinLimit(plan, lookWith(100, {{ann, -1}}), nobodyLeft));
    QVERIFY(!isWithinLimit(plan, lookWith(100, {{ann, 150}}), nobodyLeft));
    QVERIFY(!statesLimit(plan)); // it says nothing of the kind
}

void ReleaseRaceTest::onlyTheNamedHoldIsEverReleased()
{
    Ledger ledger;
    race(true, fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault), ledger);
    QVERIFY(ledger.total().written > 0);
    QCOMPARE(ledger.total().alikeCount, 0);
    for (const RaceFormat& format : raceFormats()) {
        QVERIFY2(ledger.of(format).released > 0, std::string(format.id).c_str());
        QVERIFY2(ledger.of(format).recognisedCount > 0, std::string(format.id).c_str());
    }
}

void ReleaseRaceTest::withoutWatchOnlyTheStatedLimitIsMissed()
{
    Ledger ledger;
    race(false, fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault) / 6, ledger);
    QCOMPARE(ledger.total().written, 0);
}

LOCKSCOPE_TEST(ReleaseRaceTest, Core)

} // namespace lockscope::tst_release_race

#include "tst_release_race.moc"
