#include "core/kernel/diagnosis/diagnosis.h"
#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/hold.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/live/cli_process.h"
#include "tests/support/live/live_contender.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/shifted_clock.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Locks that are made to stick on a real server, and whether the window would say why.
namespace lockscope::tst_live_diagnosis {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using diagnosis::Diagnosis;
using diagnosis::Finding;

namespace {

constexpr int kPatienceMs = 20'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// A token as the one of a new hold.
Bytes token(int number)
{
    return std::to_string(1000 + number) + kAlice.substr(4);
}

std::vector<store::Endpoint> endpointsOf(const std::vector<std::unique_ptr<LiveServer>>& servers)
{
    std::vector<store::Endpoint> endpoints;
    for (const auto& server : servers) {
        endpoints.push_back(server->endpoint());
    }
    return endpoints;
}

/// Servers, and what a window that watches them knows.
class Bench {
public:
    explicit Bench(std::size_t count = 1)
    {
        for (std::size_t i = 0; i < count; ++i) {
            servers.push_back(std::make_unique<LiveServer>(LiveServer::Listen::LoopbackPort));
        }
        begin();
    }

    /// A server for each clock, which is ahead by so much.
    explicit Bench(const std::vector<Duration>& clocks)
    {
        for (const Duration ahead : clocks) {
            const ShiftedClock clock(ahead);
            servers.push_back(std::make_unique<LiveServer>(LiveServer::Listen::LoopbackPort));
        }
        begin();
    }

    void begin()
    {
        m_watch = std::make_unique<LiveWatch>(endpointsOf(servers));
        m_desk = std::make_unique<LiveDesk>(endpointsOf(servers));
    }

    LiveServer& server() { return *servers.front(); }
    PlainClient& client() { return server().client(); }
    LiveWatch& watch() { return *m_watch; }

    /// The watch has seen everything, so that a hold which begins now is taken for a new one.
    bool isReady()
    {
        for (std::uint16_t i = 0; i < servers.size(); ++i) {
            if (m_watch->sweepCount(i) == 0) {
                return false;
            }
        }
        return true;
    }

    LiveDesk& desk() { return *m_desk; }

    Diagnosis diagnosisOf(const inspect::LockRecord& row,
                          const operations::LockDetails& details) const
    {
        const bool isRead = !details.decodedLocks.empty();
        return diagnosis::diagnose({.record = row,
                                    .decoded = isRead ? &details.decodedLocks.front() : nullptr,
                                    .servers = details.serverFacts,
                                    .now = m_watch->monitor().now()});
    }

    /// Of the lock as it is now; nothing while it is not there.
    Diagnosis diagnosisOf(const Bytes& name)
    {
        const inspect::LockPtr row = m_watch->row(name);
        if (!row) {
            return {};
        }
        const quint64 request = m_desk->desk().inspectLock(row->id);
        const operations::LockDetails* details = nullptr;
        if (!QTest::qWaitFor([&] { return (details = m_desk->details(request)) != nullptr; },
                             kPatienceMs)) {
            return {};
        }
        return diagnosisOf(*row, *details);
    }

    /// "eviction no-expiry", in the order of the alphabet.
    std::string reasonsOf(const Bytes& name)
    {
        std::vector<std::string> ids;
        for (const Finding& finding : diagnosisOf(name).findings) {
            ids.emplace_back(inspect::infoOf(finding.reason).id);
        }
        std::ranges::sort(ids);
        std::string text;
        for (const std::string& id : ids) {
            text += (text.empty() ? "" : " ") + id;
        }
        return text;
    }

    /// Whether the row has this owner by now; empty: whether there is none.
    bool isShown(const Bytes& name, const Bytes& owner) const
    {
        return m_watch->ownerOf(name) == (owner.empty() ? Bytes("nobody") : owner);
    }

    std::vector<std::unique_ptr<LiveServer>> servers;

private:
    std::unique_ptr<LiveWatch> m_watch;
    std::unique_ptr<LiveDesk> m_desk;
};

/// One way in which healthy locks are held.
struct Way {
    const protocol::LockProtocol* protocol = nullptr;
    protocol::Mode mode = protocol::Mode::Exclusive;

    /// Part of the names of its locks.
    std::string name() const
    {
        const char* const side = mode == protocol::Mode::Read    ? "-read"
                                 : mode == protocol::Mode::Write ? "-write"
                                                                 : "";
        return protocol->info().id + side + (protocol->info().canRenew ? "-renewed" : "");
    }
};

std::vector<Way> waysToHold()
{
    using protocol::Mode;
    std::vector<Way> ways;
    for (const protocol::LockProtocol* const each : protocol::builtinProtocols()) {
        if (!each->info().hasExpiry) {
            continue; // a lock that never expires is not healthy
        }
        if (each->info().hasModes) {
            ways.push_back({each, Mode::Read});
            ways.push_back({each, Mode::Write});
        } else {
            ways.push_back({each, Mode::Exclusive});
        }
    }
    return ways;
}

/// A program that holds locks as its protocol does, and renews them.
class Program {
public:
    Program(const store::Endpoint& server, const Way& way)
        : m_way(way),
          m_client({server}, *way.protocol, ++s_lastSeed)
    {}

    /// Throws std::runtime_error when it does not get the lock.
    void hold(const Bytes& key)
    {
        protocol::LockRequest request = protocol::LockRequest::withDefaults(m_way.protocol->info(),
                                                                            key);
        request.mode = m_way.mode;
        request.lease = 60s;
        protocol::AcquireOutcome outcome =
            m_client.run(protocol::acquire(*m_way.protocol, m_client.contender(), request));
        protocol::Grant* const grant = grantOf(outcome);
        if (grant == nullptr) {
            throw std::runtime_error("not granted: " + key);
        }
        protocol::Renewal renewal;
        renewal.period = m_way.protocol->info().canRenew ? Duration(2s) : Duration(0);
        m_holds.push_back(std::make_unique<protocol::Hold>(*m_way.protocol, m_client.contender(),
                                                           std::move(*grant), renewal));
    }

private:
    static inline std::uint64_t s_lastSeed = 0;

    Way m_way;
    LiveContender m_client;
    std::vector<std::unique_ptr<protocol::Hold>> m_holds;
};

} // namespace

class TestLiveDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aLockWithoutExpiry();
    void aLockWhoseOwnDeadlineHasPassed();
    void aCountThatOnlyGrows();
    void readersAndAWriter();
    void aReaderWithoutExpiry();
    void aHolderWhoseConnectionIsGone();
    void aMinorityOfASet();
    void ownersThatDisagree();
    void aHoldLongerThanThoseBefore();
    void leasesThatRunOut();
    void aReaderWhoseLeaseIsOver();
    void aWaiterThatDoesNotListen();
    void aServerThatEvicts();
    void aReplicaThatLagsBehind();
    void aServerThatMayNotBeAsked();
    void aLockThatIsRenewedForEver();
    void clocksThatAreApart_data();
    void clocksThatAreApart();
    void aThousandHealthyLocks();
    void theCommandLineWatchesFirst();
};

void TestLiveDiagnosis::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveDiagnosis::aLockWithoutExpiry()
{
    Bench bench;
    bench.client()("HSET", "order:lock", kAlice + ":63", 1);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("no-expiry"), kPatienceMs);
}

void TestLiveDiagnosis::aLockWhoseOwnDeadlineHasPassed()
{
    Bench bench;
    // With an expiry of its own, the key would only say when the lock was taken.
    bench.client()("SET", "order:lock", QDateTime::currentMSecsSinceEpoch() - 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("stale"), kPatienceMs);
}

void TestLiveDiagnosis::aCountThatOnlyGrows()
{
    Bench bench;
    const auto reasons = [&] { return bench.reasonsOf("order:lock"); };
    for (int count = 1; count <= 4; ++count) {
        QCOMPARE(reasons(), std::string());
        bench.client()("HINCRBY", "order:lock", kAlice + ":63", 1);
        bench.client()("PEXPIRE", "order:lock", 600'000);
        const auto isSeen = [&] {
            const inspect::LockPtr row = bench.watch().row("order:lock");
            return row && row->holds() == static_cast<std::uint32_t>(count);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(), kPatienceMs);
    }
    QTRY_COMPARE_WITH_TIMEOUT(reasons(), std::string("count-only-grows"), kPatienceMs);
}

void TestLiveDiagnosis::readersAndAWriter()
{
    Bench bench;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    bench.client()("HSET", "order:lock", "read", now, "write", now);
    bench.client()("PEXPIRE", "order:lock", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("read-and-write"),
                              kPatienceMs);
}

void TestLiveDiagnosis::aReaderWithoutExpiry()
{
    Bench bench;
    bench.client()("SET", "order:lock:read", 2, "EX", 600);
    bench.client()("SET", "order:lock:write", kBob);
    QTRY_VERIFY_WITH_TIMEOUT(bench.reasonsOf("order:lock").find("reader-no-expiry")
                                 != std::string::npos,
                             kPatienceMs);
}

void TestLiveDiagnosis::aHolderWhoseConnectionIsGone()
{
    Bench bench;
    auto holder = std::make_unique<PlainClient>(bench.server().endpoint());
    (*holder)("CLIENT", "SETNAME", kAlice);
    (*holder)("SET", "order:lock", kAlice, "PX", 600'000);
    const auto hasClient = [&] {
        const inspect::LockPtr row = bench.watch().row("order:lock");
        return row && row->holders.front().client();
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasClient(), kPatienceMs);
    QCOMPARE(bench.reasonsOf("order:lock"), std::string());
    holder.reset();
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("holder-gone"),
                              kPatienceMs);
}

void TestLiveDiagnosis::aMinorityOfASet()
{
    Bench bench(3);
    bench.client()("SET", "order:lock", kAlice, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("minority"), kPatienceMs);
    bench.servers[1]->client()("SET", "order:lock", kAlice, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string(), kPatienceMs);
}

void TestLiveDiagnosis::ownersThatDisagree()
{
    Bench bench(3);
    for (std::size_t i = 0; i < 3; ++i) {
        bench.servers[i]->client()("SET", "order:lock", i == 0 ? kBob : kAlice, "PX", 600'000);
    }
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("split-owners"),
                              kPatienceMs);
}

void TestLiveDiagnosis::aHoldLongerThanThoseBefore()
{
    Bench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.isReady(), kPatienceMs);
    for (int hold = 0; hold < 6; ++hold) {
        bench.client()("SET", "order:lock", token(hold), "PX", 600'000, "NX");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", token(hold)), kPatienceMs);
        QCOMPARE(bench.reasonsOf("order:lock"), std::string());
        if (hold < 5) {
            bench.client()("DEL", "order:lock");
            QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", {}), kPatienceMs);
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("silent-past-usual"),
                              kPatienceMs);
}

void TestLiveDiagnosis::leasesThatRunOut()
{
    Bench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.isReady(), kPatienceMs);
    for (int hold = 0; hold < 5; ++hold) {
        bench.client()("SET", "order:lock", token(hold), "PX", 150, "NX");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", token(hold)), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", {}), kPatienceMs);
    }
    bench.client()("SET", "order:lock", kBob, "PX", 600'000, "NX");
    QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", kBob), kPatienceMs);
    QCOMPARE(bench.reasonsOf("order:lock"), std::string("lease-too-short"));
}

void TestLiveDiagnosis::aReaderWhoseLeaseIsOver()
{
    Bench bench;
    bench.client()("HSET", "order:lock", "mode", "read", kAlice + ":7", 1, kBob + ":8", 1);
    bench.client()("PEXPIRE", "order:lock", 600'000);
    for (const Bytes& reader : {kAlice + ":7", kBob + ":8"}) {
        bench.client()("SET", "{order:lock}:" + reader + ":rwlock_timeout:1", 1, "PX", 600'000);
    }
    QTRY_VERIFY_WITH_TIMEOUT(bench.watch().row("order:lock"), kPatienceMs);
    QCOMPARE(bench.reasonsOf("order:lock"), std::string());
    bench.client()("DEL", "{order:lock}:" + kBob + ":8:rwlock_timeout:1");
    QCOMPARE(bench.reasonsOf("order:lock"), std::string("dead-readers"));
}

void TestLiveDiagnosis::aWaiterThatDoesNotListen()
{
    Bench bench;
    const Bytes waiter = kBob + ":8";
    PlainClient listener(bench.server().endpoint());
    listener("SUBSCRIBE", "redisson_lock__channel:{order:lock}:" + waiter);
    bench.client()("RPUSH", "redisson_lock_queue:{order:lock}", waiter);
    bench.client()("ZADD", "redisson_lock_timeout:{order:lock}",
                   QDateTime::currentMSecsSinceEpoch() + 600'000, waiter);
    bench.client()("HSET", "order:lock", kAlice + ":7", 1);
    bench.client()("PEXPIRE", "order:lock", 600'000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.watch().row("order:lock"), kPatienceMs);
    QCOMPARE(bench.reasonsOf("order:lock"), std::string());
    listener("UNSUBSCRIBE");
    QCOMPARE(bench.reasonsOf("order:lock"), std::string("silent-queue-head"));
}

void TestLiveDiagnosis::aServerThatEvicts()
{
    Bench bench;
    bench.client()("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
    bench.client()("SET", "order:lock", kAlice, "PX", 600'000);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("eviction"), kPatienceMs);
}

void TestLiveDiagnosis::aReplicaThatLagsBehind()
{
    Bench bench;
    const std::uint16_t port = bench.server().endpoint().port;
    LiveServer replica(LiveServer::Listen::LoopbackPort,
                       {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                        QString::number(port), QStringLiteral("--repl-diskless-sync-delay"),
                        QStringLiteral("0")});
    const auto replication = [&] {
        const store::Reply reply = bench.client()("INFO", "replication");
        return *reply.text();
    };
    QTRY_VERIFY_WITH_TIMEOUT(replication().find("state=online") != std::string::npos, kPatienceMs);
    replica.process().freeze();
    // The second after next: its lag is longer than the lease by then.
    QTRY_VERIFY_WITH_TIMEOUT(replication().find("lag=2") != std::string::npos, kPatienceMs);
    bench.client()("SET", "order:lock", kAlice, "PX", 1500);
    const auto isTold = [&] {
        bench.client()("SET", "order:lock", kAlice, "PX", 1500);
        return bench.reasonsOf("order:lock") == "replica-lag";
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatienceMs);
    replica.process().thaw();
}

void TestLiveDiagnosis::aServerThatMayNotBeAsked()
{
    LiveServer server;
    server.client()("SET", "order:lock", kAlice, "PX", 600'000);
    server.client()("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-info");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "reader";
    endpoint.password = "secret";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("secret"));
    const CliResult result = cli.run(words("show order:lock --format json") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 0);
    const Json shown = result.json()["diagnosis"];
    QVERIFY(shown["reasons"].empty());
    QVERIFY2(text(shown["notKnown"]).find("The server did not answer INFO.") != std::string::npos,
             text(shown).c_str());
}

/// Nothing is said of it before a minute is over.
void TestLiveDiagnosis::aLockThatIsRenewedForEver()
{
    constexpr int kMinuteMs = 60'000;
    Bench bench;
    bench.client()("SET", "order:lock", kAlice, "PX", 10'000, "NX");
    QTRY_VERIFY_WITH_TIMEOUT(bench.isShown("order:lock", kAlice), kPatienceMs);
    QElapsedTimer held;
    held.start();
    QTimer renewal;
    connect(&renewal, &QTimer::timeout, this,
            [&bench] { bench.client()("PEXPIRE", "order:lock", 10'000); });
    renewal.start(2000);
    const auto renewals = [&bench] {
        const inspect::LockPtr row = bench.watch().row("order:lock");
        return row ? row->renewals : 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(renewals() > 5, kPatienceMs);
    QCOMPARE(bench.reasonsOf("order:lock"), std::string());
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), std::string("renewed-forever"),
                              kMinuteMs + kPatienceMs);
    QVERIFY(held.elapsed() > kMinuteMs - 1000);
}

void TestLiveDiagnosis::clocksThatAreApart_data()
{
    QTest::addColumn<int>("aheadMs");
    QTest::addColumn<QByteArray>("reasons");
    QTest::newRow("in time") << 0 << QByteArray();
    QTest::newRow("ahead") << 3000 << QByteArray("clocks-apart");
    QTest::newRow("behind") << -3000 << QByteArray("clocks-apart");
}

void TestLiveDiagnosis::clocksThatAreApart()
{
    QFETCH(const int, aheadMs);
    QFETCH(const QByteArray, reasons);
    Bench bench(std::vector<Duration>{0ms, 0ms, std::chrono::milliseconds(aheadMs)});
    for (const auto& server : bench.servers) {
        server->client()("SET", "order:lock", kAlice, "PX", 30'000); // 302 ms are allowed for
    }
    const auto isSeenByAll = [&bench] {
        const inspect::LockPtr row = bench.watch().row("order:lock");
        return row && row->quorum().held == 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSeenByAll(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(bench.reasonsOf("order:lock"), reasons.toStdString(), kPatienceMs);
}

/// Of every protocol that has an expiry, held by its own scripts and renewed where it can be.
void TestLiveDiagnosis::aThousandHealthyLocks()
{
    constexpr int kCount = 1000;
    Bench bench;
    QTRY_VERIFY_WITH_TIMEOUT(bench.isReady(), kPatienceMs);
    const std::vector<Way> ways = waysToHold();
    std::vector<std::unique_ptr<Program>> programs;
    for (const Way& way : ways) {
        programs.push_back(std::make_unique<Program>(bench.server().endpoint(), way));
        for (std::size_t i = 0; i < kCount / ways.size() + 1; ++i) {
            programs.back()->hold("order:" + std::to_string(i) + ':' + way.name() + ":lock");
        }
    }
    const auto isWatchedLong = [&bench] {
        return bench.watch().rowCount() >= kCount
               && std::ranges::all_of(bench.watch().rows(), [](const auto& entry) {
                      return entry.second->renewals > 1
                             || entry.second->id.name.find("renewed") == Bytes::npos;
                  });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isWatchedLong(), kPatienceMs * 3);
    std::map<quint64, inspect::LockPtr> requests;
    std::set<std::string_view> formats;
    for (const auto& [id, row] : bench.watch().rows()) {
        requests[bench.desk().desk().inspectLock(id)] = row;
        formats.insert(row->format());
    }
    for (const auto& [request, row] : requests) {
        QTRY_VERIFY_WITH_TIMEOUT(bench.desk().details(request) != nullptr, kPatienceMs);
        const Diagnosis found = bench.diagnosisOf(*row, *bench.desk().details(request));
        QVERIFY2(found.findings.empty(),
                 (row->id.name + ": "
                  + (found.findings.empty() ? std::string() : found.findings.front().evidence))
                     .c_str());
        QVERIFY(!bench.desk().details(request)->serverFacts.empty());
    }
    QCOMPARE_GE(formats.size(), std::size_t(8));
}

/// A single look does not know that its client leaves, and says so.
void TestLiveDiagnosis::theCommandLineWatchesFirst()
{
    LiveServer server;
    auto holder = std::make_unique<PlainClient>(server.endpoint());
    (*holder)("CLIENT", "SETNAME", kAlice);
    (*holder)("SET", "order:lock", kAlice, "PX", 600'000);
    CliProcess cli;
    cli.start(words("show order:lock --format json --for 4s") + urlOption(server.endpoint()));
    QTRY_VERIFY_WITH_TIMEOUT(server.callCount("client|list") > 0, kPatienceMs);
    holder.reset();
    const CliResult watched = cli.waitForEnd();
    QCOMPARE(watched.exitCode, 0);
    QCOMPARE(text(watched.json()["diagnosis"]["reasons"][0]["id"]), text("holder-gone"));

    const CliResult looked = cli.run(words("show order:lock") + urlOption(server.endpoint()));
    QVERIFY2(looked.output.contains("Why is it stuck?\n"
                                    "  There is no sign that it is stuck, as far as is known.\n"),
             looked.output.constData());
    QVERIFY2(looked.output.contains("- Not known whether its holder is still connected:"),
             looked.output.constData());
}

LOCKSCOPE_TEST(TestLiveDiagnosis, Core)

} // namespace lockscope::tst_live_diagnosis

#include "tst_live_diagnosis.moc"
