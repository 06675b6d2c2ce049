#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/catalogue.h"
#include "tests/live/foreign/locker.h"
#include "tests/support/live/live_contender.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <stdexcept>
#include <vector>

namespace lockscope::tst_interop {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr auto kKey = "order:42";
/// A lease that no case waits for: a client that gets the lock before was given it, or woken.
constexpr milliseconds kLongLease = 30s;
/// A lease that is waited for.
constexpr milliseconds kShortLease = 1s;
constexpr milliseconds kWaitLimit = 20s;
/// Waiting this long for a lock that has been released shows that the lease was not waited for.
constexpr milliseconds kSoon = 5s;
/// The server's clock counts in milliseconds, and stands still while a command runs.
constexpr milliseconds kClockGrain = 5ms;

/// A foreign library, and the protocol of ours that speaks its language.
struct Pairing {
    const char* name;
    ForeignLibrary library;
    const char* protocolId;
    int serverCount;
};

constexpr Pairing kPairings[] = {
    {"redis-py's Lock", ForeignLibrary::RedisPy, "set-nx-px-token", 1},
    {"npm redlock 4 on one server", ForeignLibrary::Redlock4, "set-nx-px-token", 1},
    {"npm redlock 5 on one server", ForeignLibrary::Redlock5, "set-nx-px-token", 1},
    {"npm redlock 4 on three servers", ForeignLibrary::Redlock4, "redlock", 3},
    {"npm redlock 5 on three servers", ForeignLibrary::Redlock5, "redlock", 3},
    {"Redisson's lock", ForeignLibrary::RedissonLock, "redisson-lock", 1},
    {"Redisson's fair lock", ForeignLibrary::RedissonFair, "redisson-fair", 1},
    {"Redisson's write lock", ForeignLibrary::RedissonWrite, "redisson-read-write", 1},
};

bool isRedisson(const Pairing& pairing)
{
    return pairing.library == ForeignLibrary::RedissonLock
           || pairing.library == ForeignLibrary::RedissonFair
           || pairing.library == ForeignLibrary::RedissonWrite;
}

/// Us and them before the same servers.
class Meeting {
public:
    explicit Meeting(const Pairing& pairing)
        : m_library(pairing.library),
          m_protocol(*findProtocol(pairing.protocolId))
    {
        for (int i = 0; i < pairing.serverCount; ++i) {
            m_servers.push_back(std::make_unique<LiveServer>(LiveServer::Listen::LoopbackPort));
            m_endpoints.push_back(m_servers.back()->endpoint());
        }
    }

    std::unique_ptr<ForeignLocker> them() const
    {
        return std::make_unique<ForeignLocker>(m_library, m_endpoints);
    }
    std::unique_ptr<LiveContender> us(const std::optional<Identity>& identity = {}) const
    {
        return std::make_unique<LiveContender>(m_endpoints, m_protocol, 1, identity);
    }

    async::Task<AcquireOutcome> acquire(LiveContender& us, milliseconds lease,
                                        milliseconds waitLimit) const
    {
        LockRequest request = LockRequest::withDefaults(m_protocol.info(), kKey);
        request.lease = lease;
        request.waitLimit = waitLimit;
        request.retry.interval = 50ms;
        request.retry.triesMax.reset();
        request.mode = m_protocol.info().hasModes ? Mode::Write : Mode::Exclusive;
        return protocol::acquire(m_protocol, us.contender(), std::move(request));
    }
    AcquireOutcome tryOnce(LiveContender& us) const { return us.run(acquire(us, kLongLease, 0ms)); }
    Grant takeLock(LiveContender& us, milliseconds lease) const
    {
        AcquireOutcome outcome = us.run(acquire(us, lease, kWaitLimit));
        Grant* const grant = grantOf(outcome);
        if (grant == nullptr) {
            throw std::runtime_error("not granted");
        }
        return std::move(*grant);
    }
    ReleaseOutcome release(LiveContender& us, const Grant& grant) const
    {
        return us.run(m_protocol.release(us.contender(), grant));
    }

    /// How many tries there were so far, or more: every try is at least one of these.
    std::int64_t tryCount() const
    {
        LiveServer& server = *m_servers.front();
        return server.callCount("set") + server.callCount("eval") + server.callCount("evalsha");
    }
    /// Whether a client waits for a message on the first server.
    bool hasListener() const
    {
        const store::Reply channels = m_servers.front()->client()("PUBSUB", "CHANNELS");
        return channels.array() != nullptr && !channels.array()->empty();
    }

private:
    ForeignLibrary m_library;
    const LockProtocol& m_protocol;
    std::vector<std::unique_ptr<LiveServer>> m_servers;
    std::vector<store::Endpoint> m_endpoints;
};

template<class Fits>
void addPairings(Fits fits)
{
    QTest::addColumn<int>("pairing");
    for (const Pairing& pairing : kPairings) {
        if (fits(pairing)) {
            QTest::newRow(pairing.name) << static_cast<int>(&pairing - kPairings);
        }
    }
}

void addAllPairings()
{
    addPairings([](const Pairing&) { return true; });
}

const Pairing& pairingOfThisRow()
{
    QFETCH(const int, pairing);
    return kPairings[pairing];
}

// A node of Redlock that answers too late on a busy machine makes an outcome uncertain. So these
// ask for what the others are going to notice.

bool isKeptOut(const AcquireOutcome& outcome)
{
    return !isGranted(outcome);
}

bool isTooLate(const ReleaseOutcome& outcome)
{
    return !std::holds_alternative<Released>(outcome);
}

bool isGivenBack(const ReleaseOutcome& outcome)
{
    return !std::holds_alternative<NotHeld>(outcome);
}

/// From "5f0c…:1", as Redisson's own client writes it.
Identity identityOf(const QByteArray& owner)
{
    const auto colon = owner.lastIndexOf(':');
    return {owner.first(colon).toStdString(), owner.mid(colon + 1).toULongLong()};
}

} // namespace

/// Our protocols and the libraries they come from, on the same lock.
class TestInterop : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void theirHoldKeepsUsOut_data();
    void theirHoldKeepsUsOut();
    void ourHoldKeepsThemOut_data();
    void ourHoldKeepsThemOut();
    void weTakeOverAfterTheirCrash_data();
    void weTakeOverAfterTheirCrash();
    void theyTakeOverAfterOurCrash_data();
    void theyTakeOverAfterOurCrash();
    void aLateReleaseHarmsNobody_data();
    void aLateReleaseHarmsNobody();
    void redissonSeesOurHold_data();
    void redissonSeesOurHold();
    void oneOwnerReentersFromBothSides_data();
    void oneOwnerReentersFromBothSides();
};

void TestInterop::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestInterop::init()
{
    if (!ForeignLocker::isInstalled(pairingOfThisRow().library)) {
        QSKIP("the library is not installed: scripts/install-dependencies, then run by ctest");
    }
}

void TestInterop::theirHoldKeepsUsOut_data()
{
    addAllPairings();
}

void TestInterop::theirHoldKeepsUsOut()
{
    const Pairing& pairing = pairingOfThisRow();
    const Meeting meeting(pairing);
    const auto them = meeting.them();
    const auto us = meeting.us();
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "granted");
    const AcquireOutcome refused = meeting.tryOnce(*us);
    QVERIFY(isKeptOut(refused));

    const std::int64_t tryCount = meeting.tryCount();
    const auto waiting = us->start(meeting.acquire(*us, kLongLease, kWaitLimit));
    QTRY_COMPARE_GE(meeting.tryCount(), tryCount + 2);
    QVERIFY(!waiting.isFinished());
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "released");
    QTRY_VERIFY_WITH_TIMEOUT(waiting.isFinished(), kSoon.count());
    const Grant* const grant = grantOf(waiting.result());
    QVERIFY(grant != nullptr);
    if (isRedisson(pairing)) {
        // At first, when listening, and when woken: no client polled.
        QCOMPARE_LE(grant->tries, 3);
        const auto* const answer = std::get_if<Refused>(&refused);
        QVERIFY(answer != nullptr && answer->remaining.has_value());
        QCOMPARE_GT(*answer->remaining, Duration(kLongLease - kSoon));
        QCOMPARE_LE(*answer->remaining, Duration(kLongLease));
    }
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "refused");
    QVERIFY(isGivenBack(meeting.release(*us, *grant)));
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "granted");
}

void TestInterop::ourHoldKeepsThemOut_data()
{
    addAllPairings();
}

void TestInterop::ourHoldKeepsThemOut()
{
    const Pairing& pairing = pairingOfThisRow();
    const Meeting meeting(pairing);
    const auto them = meeting.them();
    const auto us = meeting.us();
    const Grant grant = meeting.takeLock(*us, kLongLease);
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "refused");

    const std::int64_t tryCount = meeting.tryCount();
    them->tell(ForeignLocker::lock(kKey, kLongLease, kWaitLimit));
    QTRY_COMPARE_GE(meeting.tryCount(), tryCount + 2);
    if (isRedisson(pairing)) {
        QTRY_VERIFY(meeting.hasListener());
    }
    QVERIFY(!them->hasAnswered());
    QVERIFY(isGivenBack(meeting.release(*us, grant)));
    QTRY_VERIFY_WITH_TIMEOUT(them->hasAnswered(), kSoon.count());
    QCOMPARE(them->answer(), "granted");
    QVERIFY(isKeptOut(meeting.tryOnce(*us)));
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "released");
    QCOMPARE(meeting.takeLock(*us, kLongLease).holds, 1);
}

void TestInterop::weTakeOverAfterTheirCrash_data()
{
    addAllPairings();
}

void TestInterop::weTakeOverAfterTheirCrash()
{
    const Meeting meeting(pairingOfThisRow());
    const auto them = meeting.them();
    const auto us = meeting.us();
    const Instant before = us->now();
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kShortLease)), "granted");
    them->kill();
    const AcquireOutcome outcome = us->run(meeting.acquire(*us, kLongLease, kWaitLimit));
    const Grant* const grant = grantOf(outcome);
    QVERIFY(grant != nullptr);
    QCOMPARE_GE(grant->grantedAt, before + kShortLease - kClockGrain);
}

void TestInterop::theyTakeOverAfterOurCrash_data()
{
    addAllPairings();
}

void TestInterop::theyTakeOverAfterOurCrash()
{
    const Meeting meeting(pairingOfThisRow());
    const auto them = meeting.them();
    auto us = meeting.us();
    const Grant grant = meeting.takeLock(*us, kShortLease);
    us.reset(); // dead, and nothing released
    const QByteArray answer = them->ask(ForeignLocker::lock(kKey, kLongLease, kWaitLimit));
    QCOMPARE(answer, "granted");
    // Not while a holder that is still alive would have trusted its lock.
    QCOMPARE_GE(wire::LoopClock::present(), grant.trustedUntil.value() - kClockGrain);
}

void TestInterop::aLateReleaseHarmsNobody_data()
{
    addAllPairings();
}

void TestInterop::aLateReleaseHarmsNobody()
{
    const Meeting meeting(pairingOfThisRow());
    const auto them = meeting.them();
    const auto us = meeting.us();
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kShortLease)), "granted");
    const AcquireOutcome outcome = us->run(meeting.acquire(*us, kShortLease, kWaitLimit));
    const Grant* const grant = grantOf(outcome);
    QVERIFY(grant != nullptr);
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "not held");

    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease, kWaitLimit)), "granted");
    QVERIFY(isTooLate(meeting.release(*us, *grant)));
    QVERIFY(isKeptOut(meeting.tryOnce(*us)));
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "released");
}

void TestInterop::redissonSeesOurHold_data()
{
    addPairings(isRedisson);
}

void TestInterop::redissonSeesOurHold()
{
    const Meeting meeting(pairingOfThisRow());
    const auto them = meeting.them();
    const auto us = meeting.us();
    QCOMPARE(them->ask("isLocked order:42"), "false");
    const Grant grant = meeting.takeLock(*us, kLongLease);
    QCOMPARE(them->ask("isLocked order:42"), "true");
    QCOMPARE(them->ask("isMine order:42"), "false");
    QCOMPARE(them->ask("holdCount order:42"), "0");
    const auto remaining = milliseconds(them->ask("remainingMs order:42").toLongLong());
    QCOMPARE_GT(remaining.count(), (kLongLease - kSoon).count());
    QCOMPARE_LE(remaining.count(), kLongLease.count());
    QVERIFY(isGivenBack(meeting.release(*us, grant)));
    QCOMPARE(them->ask("isLocked order:42"), "false");
}

void TestInterop::oneOwnerReentersFromBothSides_data()
{
    addPairings(isRedisson);
}

/// Acting under the very identity of Redisson's client, we reenter its hold, and it ours: both
/// count in the same field.
void TestInterop::oneOwnerReentersFromBothSides()
{
    const Meeting meeting(pairingOfThisRow());
    const auto them = meeting.them();
    const auto us = meeting.us(identityOf(them->ask("owner")));
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "granted");
    const AcquireOutcome outcome = meeting.tryOnce(*us);
    const Grant* const grant = grantOf(outcome);
    QVERIFY(grant != nullptr);
    QCOMPARE(grant->holds, 2);
    QCOMPARE(them->ask("holdCount order:42"), "2");
    QCOMPARE(them->ask(ForeignLocker::lock(kKey, kLongLease)), "granted");
    QCOMPARE(them->ask("holdCount order:42"), "3");

    const ReleaseOutcome outcomeOfRelease = meeting.release(*us, *grant);
    const auto* const released = std::get_if<Released>(&outcomeOfRelease);
    QVERIFY(released != nullptr);
    QCOMPARE(released->holdsLeft, 2);
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "released");
    QCOMPARE(them->ask("isMine order:42"), "true");
    QCOMPARE(them->ask(ForeignLocker::unlock(kKey)), "released");
    QCOMPARE(them->ask("isLocked order:42"), "false");
}

LOCKSCOPE_TEST(TestInterop, Core)

} // namespace lockscope::tst_interop

#include "tst_interop.moc"
