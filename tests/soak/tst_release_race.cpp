// Forced releases race against holders that renew, release, let expire and acquire again, in every
// format that is recognised. They are inspected, planned and released as the window and `release`
// do it. Each script runs in a transaction between two looks at the lock, so that what it removed
// is compared with what was named, as of that instant. Where nothing in a lock tells one hold from
// the next, a number in another key does, which the client that takes it increments.
//
// In a second race the releasers may not have writes noticed.
//
// LOCKSCOPE_SOAK_RELEASES sets the number of releases (100000 for a soak), LOCKSCOPE_SEED the seed.

#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/formats/format_file.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/operations/lock_releaser.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"
#include "tests/soak/release_race_formats.h"
#include "tests/soak/release_race_ledger.h"
#include "tests/soak/watched_releases.h"
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

using inspect::LockId;
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
constexpr int kQuietLocks = 40;       // in the hands of few clients
constexpr std::size_t kPlansMax = 40; // of one releaser, which are not carried out yet
constexpr Duration kLeaseMin = 2ms;
constexpr Duration kLeaseMax = 60ms;
constexpr Duration kLongestRest = 30ms; // of a holder, who leaves time for the others

/// One for each format, so that many clients meet at each; then flags that few clients want, so
/// that plans about them are still good after a while, when their guards share connections.
std::vector<RaceLock> allLocks()
{
    std::vector<RaceLock> locks;
    const RaceFormat* flag = nullptr;
    for (const RaceFormat& format : raceFormats()) {
        const bool hasKey = !format.key.empty();
        locks.push_back(RaceLock{&format,
                                 hasKey ? Bytes(format.key) : "race:lock:" + Bytes(format.id)});
        flag = format.id == "flag-for-ever" ? &format : flag;
    }
    for (int i = 0; i < kQuietLocks; ++i) {
        locks.push_back(RaceLock{flag, "race:lock:quiet-" + std::to_string(i)});
    }
    return locks;
}

/// Mostly one that many clients want.
const RaceLock& anyLock(const std::vector<RaceLock>& locks, Rng& rng, std::uint64_t quietOneIn)
{
    const std::size_t busyCount = locks.size() - kQuietLocks;
    return rng.below(quietOneIn) == 0 ? locks[busyCount + rng.below(kQuietLocks)]
                                      : locks[rng.below(busyCount)];
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
        const RaceLock& lock = anyLock(locks, rng, 10);
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

struct ForgetfulLog final : operations::AuditLog {
    std::string append(const std::string&) override { return {}; }
};

/// A client that inspects and releases as the window does, with some plans at a time.
class Releaser {
public:
    Releaser(const std::vector<store::Endpoint>& endpoints, const Link& link,
             async::Executor& executor, Clock& clock, Rng rng, const std::vector<RaceLock>& locks,
             Ledger& ledger)
        : m_link(link),
          m_clock(clock),
          m_rng(rng),
          m_locks(locks),
          m_ledger(ledger),
          m_servers(
              endpoints, executor, clock, m_rng.split(),
              [this](const Bytes&) { return m_current->look(); },
              [this](const WatchedRelease& release) { m_seen.push_back(release); }),
          m_inspector(m_servers, clock),
          m_releaser(m_servers, m_inspector, clock, m_log, {}, m_rng.below(1U << 30U))
    {}

    bool isOnline() const { return m_servers.isOnline(); }

    async::Task<void> run(int& leftCount)
    {
        while (leftCount > 0) {
            const bool isToAim = m_aims.empty()
                                 || (m_aims.size() < kPlansMax && m_rng.below(5) < 3);
            if (isToAim) {
                co_await takeAim();
                continue;
            }
            if (leftCount-- <= 0) {
                co_return; // another was faster with the last
            }
            const bool isNewest = m_rng.below(2) == 0;
            if (isNewest && m_rng.below(3) != 0) {
                co_await m_clock.wakeAt(m_clock.now() + m_rng.between(0ms, 20ms));
            }
            const std::size_t at = isNewest ? m_aims.size() - 1 : m_rng.below(m_aims.size());
            std::swap(m_aims[at], m_aims.back());
            const LockAim next = std::move(m_aims.back());
            m_aims.pop_back();
            co_await release(next);
        }
    }

private:
    struct LockAim {
        const RaceLock* lock;
        Aim aim;
    };

    /// Any lock, or the one of which fewest were released: some are free most of the time, and a
    /// slow machine would reach none of their holds.
    const RaceLock& chooseLock()
    {
        if (m_rng.below(2) == 0) {
            return anyLock(m_locks, m_rng, 3);
        }
        return *std::ranges::min_element(m_locks, {}, [this](const RaceLock& lock) {
            return m_ledger.of(*lock.format).released;
        });
    }

    async::Task<void> takeAim()
    {
        const RaceLock& lock = chooseLock();
        const bool isSet = lock.format->serverCount > 1;
        const Look before = co_await lookAt(m_link.server(0), lock);
        LockId id{isSet ? LockId::kWholeSet : std::uint16_t(0), lock.name};
        auto inspected = co_await m_inspector.inspectLock(
            std::move(id), operations::LockInspector::Purpose::Release);
        const Look after = co_await lookAt(m_link.server(0), lock);
        if (inspected.inspections.empty()) {
            co_return;
        }
        const operations::LockDetails details =
            operations::detailsOf(std::move(inspected.inspections), isSet ? m_servers.count() : 1);
        if (auto plan = planAmong(details, m_rng)) {
            noteFormat(lock, *plan);
            m_aims.push_back({&lock, Aim(std::move(*plan), *lock.format, before, after)});
        }
    }

    /// Waiters and torn reads show other formats now and then. A row of a set is a row of Redlock's
    /// as soon as two servers agree.
    void noteFormat(const RaceLock& lock, const ReleasePlan& plan)
    {
        if (plan.lock->format() == lock.format->decoder) {
            ++m_ledger.of(*lock.format).recognisedCount;
        }
    }

    async::Task<void> release(const LockAim& next)
    {
        m_current = next.lock;
        m_seen.clear();
        const ReleasePlan& plan = next.aim.plan();
        operations::ReleaseOrder order{{plan}, {}, {}};
        operations::ServerReports reports;
        const ReleaseReport report = co_await m_releaser.release(std::move(order), reports);
        m_ledger.of(*next.lock->format).add(report);
        for (const WatchedRelease& seen : m_seen) {
            const ReleaseResult result = inspect::reportOf(Outcome(seen.answer)).result;
            const bool isAnonymous = next.lock->format->isAnonymous;
            const char* const wrong = wrongOf(result, next.aim.namedAmong(seen.before), seen.before,
                                              seen.after, isAnonymous);
            if (wrong != nullptr) {
                m_ledger.complain(*next.lock,
                                  std::string(wrong) + "; named " + escaped(plan.owner()));
            }
        }
        if (plan.mayEndAnotherHold() && !m_seen.empty()) {
            m_ledger.complain(*next.lock, "sent without a guard");
        }
        if (report.result == ReleaseResult::Released && m_seen.empty()) {
            m_ledger.complain(*next.lock, "called released although nothing was carried out");
        }
    }

    const Link& m_link;
    Clock& m_clock;
    Rng m_rng;
    const std::vector<RaceLock>& m_locks;
    Ledger& m_ledger;
    const RaceLock* m_current = nullptr; // that is being released
    std::vector<WatchedRelease> m_seen;  // of it
    WatchedServers m_servers;
    operations::LockInspector m_inspector;
    ForgetfulLog m_log;
    operations::LockReleaser m_releaser;
    std::vector<LockAim> m_aims;
};

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
    for (int i = 0; i < kHolderLinks + kReleasers; ++i) {
        links.emplace_back(endpoints, executor, clock, rng);
    }
    const std::vector<RaceLock> locks = allLocks();
    std::vector<std::unique_ptr<Releaser>> clients;
    for (std::size_t i = 0; i < kReleasers; ++i) {
        clients.push_back(std::make_unique<Releaser>(releasersEndpoints, links[kHolderLinks + i],
                                                     executor, clock, rng.split(), locks, ledger));
    }
    QTRY_VERIFY(std::ranges::all_of(links, &Link::isOnline));
    QTRY_VERIFY(std::ranges::all_of(clients, [](const auto& one) { return one->isOnline(); }));

    async::TaskScope holders(executor);
    for (std::size_t i = 0; i < kHolderLinks * kHoldersPerLink; ++i) {
        holders.start(hold(links[i % kHolderLinks], clock, rng.split(), locks));
    }
    int leftCount = wantedCount;
    int runningCount = kReleasers;
    async::TaskScope releasers(executor);
    for (std::size_t i = 0; i < kReleasers; ++i) {
        releasers.start(releaseAndTell(clients[i]->run(leftCount), runningCount));
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
    void withoutWatchWhatLooksAlikeIsRefused();
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
}

void ReleaseRaceTest::onlyTheNamedHoldIsEverReleased()
{
    Ledger ledger;
    race(true, fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault), ledger);
    QVERIFY(ledger.total().written > 0);
    for (const RaceFormat& format : raceFormats()) {
        QVERIFY2(ledger.of(format).released > 0, std::string(format.id).c_str());
        QVERIFY2(ledger.of(format).recognisedCount > 0, std::string(format.id).c_str());
    }
}

/// Releases of holds that look like the next are refused, all others are carried out.
void ReleaseRaceTest::withoutWatchWhatLooksAlikeIsRefused()
{
    Ledger ledger;
    race(false, fromEnvironment("LOCKSCOPE_SOAK_RELEASES", kReleasesDefault) / 6, ledger);
    QCOMPARE(ledger.total().written, 0);
    for (const RaceFormat& format : raceFormats()) {
        const Tally& tally = ledger.of(format);
        if (format.id == "flag-for-ever") {
            QVERIFY(tally.refused > 0);
            QCOMPARE(tally.released, 0);
        }
    }
}

LOCKSCOPE_TEST(ReleaseRaceTest, Core)

} // namespace lockscope::tst_release_race

#include "tst_release_race.moc"
