// The contract of every protocol of the catalogue with a real Redis, and of sound protocol files.

#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/hold.h"
#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/live/live_contender.h"
#include "tests/support/live/live_server.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace lockscope::tst_live_protocols {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto kKey = "order:42:lock";

/// The servers one protocol needs, and clients of them.
struct Bench {
    const LockProtocol& protocol;
    std::vector<std::unique_ptr<LiveServer>> servers;

    explicit Bench(const LockProtocol& used) : protocol(used)
    {
        const int count = used.info().keys == KeyUse::OnePerServer ? 3 : 1;
        for (int i = 0; i < count; ++i) {
            servers.push_back(std::make_unique<LiveServer>());
        }
    }

    std::unique_ptr<LiveContender> client(std::uint64_t seed) const
    {
        std::vector<store::Endpoint> endpoints;
        for (const auto& server : servers) {
            endpoints.push_back(server->endpoint());
        }
        return std::make_unique<LiveContender>(endpoints, protocol, seed);
    }
    LockRequest request(Duration lease = 30s, Duration waitLimit = 0s) const
    {
        LockRequest request = LockRequest::withDefaults(protocol.info(), kKey);
        request.lease = lease;
        request.waitLimit = waitLimit;
        request.retry.interval = 20ms;
        request.retry.triesMax.reset();
        request.mode = protocol.info().hasModes ? Mode::Write : Mode::Exclusive;
        return request;
    }
    AcquireOutcome acquire(LiveContender& client, const LockRequest& request) const
    {
        return client.run(protocol::acquire(protocol, client.contender(), request));
    }
    Grant takeLock(LiveContender& client, const LockRequest& request) const
    {
        AcquireOutcome outcome = acquire(client, request);
        Grant* const grant = grantOf(outcome);
        if (grant == nullptr) {
            throw std::runtime_error("not granted");
        }
        return *grant;
    }
    ReleaseOutcome release(LiveContender& client, const Grant& grant) const
    {
        return client.run(protocol.release(client.contender(), grant));
    }
    void everywhere(const store::Command& command) const
    {
        for (const auto& server : servers) {
            server->client().ask(command);
        }
    }
};

/// The examples, and the copies of built-in protocols.
std::vector<std::unique_ptr<LockProtocol>> readFiles()
{
    std::vector<std::unique_ptr<LockProtocol>> protocols;
    QDir folder(inSourceTree(QStringLiteral("resources/protocols")));
    QStringList names{QStringLiteral("token-lock.json"), QStringLiteral("counted-lock.json"),
                      QStringLiteral("wake-up-lock.json"), QStringLiteral("fenced-lock.json")};
    for (const QString& name :
         QDir(folder.filePath(QStringLiteral("copies"))).entryList({QStringLiteral("*.json")})) {
        names += QStringLiteral("copies/") + name;
    }
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) {
            throw std::runtime_error("cannot read " + name.toStdString());
        }
        auto read = readProtocol(file.readAll().toStdString());
        protocols.push_back(std::move(std::get<std::unique_ptr<LockProtocol>>(read)));
    }
    return protocols;
}

const std::vector<const LockProtocol*>& allProtocols()
{
    static const auto kFiles = readFiles();
    static const auto kAll = [] {
        const auto builtin = builtinProtocols();
        std::vector<const LockProtocol*> all(builtin.begin(), builtin.end());
        for (const auto& file : kFiles) {
            all.push_back(file.get());
        }
        return all;
    }();
    return kAll;
}

/// One row per protocol that fits.
template<class Fits>
void addProtocols(Fits fits)
{
    QTest::addColumn<QByteArray>("id");
    for (const LockProtocol* const protocol : allProtocols()) {
        if (fits(protocol->info())) {
            const std::string& id = protocol->info().id;
            QTest::newRow(id.c_str()) << QByteArray::fromStdString(id);
        }
    }
}

const LockProtocol& protocolOfThisRow()
{
    QFETCH(const QByteArray, id);
    return **std::ranges::find(allProtocols(), id.toStdString(),
                               [](const LockProtocol* protocol) { return protocol->info().id; });
}

bool isReleased(const ReleaseOutcome& outcome)
{
    return std::holds_alternative<Released>(outcome);
}

} // namespace

class TestLiveProtocols : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneHoldsAndTheOthersWait_data();
    void oneHoldsAndTheOthersWait();
    void theLeaseOutlivesTheHolder_data();
    void theLeaseOutlivesTheHolder();
    void aRenewalBeginsTheLeaseAnew_data();
    void aRenewalBeginsTheLeaseAnew();
    void scriptsAreTaughtAgainAfterAFlush_data();
    void scriptsAreTaughtAgainAfterAFlush();
    void aKilledConnectionComesBack_data();
    void aKilledConnectionComesBack();
    void aRestartedServerIsWaitedFor_data();
    void aRestartedServerIsWaitedFor();
    void ownersReenter_data();
    void ownersReenter();
    void readersShareAndWritersDoNot_data();
    void readersShareAndWritersDoNot();
    void permitsAreCounted();
    void fencesGrow();
};

void TestLiveProtocols::oneHoldsAndTheOthersWait_data()
{
    addProtocols([](const ProtocolInfo&) { return true; });
}

void TestLiveProtocols::oneHoldsAndTheOthersWait()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const auto bob = bench.client(2);
    const Grant first = bench.takeLock(*alice, bench.request());
    QVERIFY(std::holds_alternative<Refused>(bench.acquire(*bob, bench.request())));

    const auto waiting = bob->start(protocol::acquire(bench.protocol, bob->contender(),
                                                      bench.request(30s, 20s)));
    QVERIFY(isReleased(bench.release(*alice, first)));
    QTRY_VERIFY_WITH_TIMEOUT(waiting.isFinished(), 15'000);
    QVERIFY(isGranted(waiting.result()));
    QVERIFY(isReleased(bench.release(*bob, takeGrant(waiting.result()))));
    QVERIFY(isGranted(bench.acquire(*alice, bench.request())));
}

void TestLiveProtocols::theLeaseOutlivesTheHolder_data()
{
    addProtocols([](const ProtocolInfo& info) { return info.hasExpiry; });
}

void TestLiveProtocols::theLeaseOutlivesTheHolder()
{
    const Bench bench(protocolOfThisRow());
    auto alice = bench.client(1);
    const auto bob = bench.client(2);
    const Grant grant = bench.takeLock(*alice, bench.request(1s, 5s));
    QVERIFY(grant.trustedUntil.has_value());
    alice.reset(); // dead, and nothing released
    const AcquireOutcome outcome = bench.acquire(*bob, bench.request(1s, 20s));
    QVERIFY(isGranted(outcome));
    // Never before the dead holder itself would have stopped trusting it.
    QCOMPARE_GE(takeGrant(outcome).grantedAt, *grant.trustedUntil - 50ms);
}

void TestLiveProtocols::aRenewalBeginsTheLeaseAnew_data()
{
    addProtocols([](const ProtocolInfo& info) { return info.canRenew; });
}

void TestLiveProtocols::aRenewalBeginsTheLeaseAnew()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const Grant grant = bench.takeLock(*alice, bench.request(20s));
    for (const auto& server : bench.servers) {
        server->client()("PEXPIRE", kKey, 5000);
    }
    const RenewOutcome renewed = alice->run(bench.protocol.renew(alice->contender(), grant));
    QVERIFY(std::holds_alternative<protocol::Renewed>(renewed));
    QCOMPARE_GT(std::get<protocol::Renewed>(renewed).trustedUntil.value(),
                grant.trustedUntil.value());
    for (const auto& server : bench.servers) {
        QCOMPARE_GT(server->client()("PTTL", kKey).integer().value(), 15'000);
    }

    bench.everywhere(store::Command("FLUSHALL"));
    const RenewOutcome lost = alice->run(bench.protocol.renew(alice->contender(), grant));
    QVERIFY(std::holds_alternative<NotHeld>(lost));
    QVERIFY(std::holds_alternative<NotHeld>(bench.release(*alice, grant)));
}

void TestLiveProtocols::scriptsAreTaughtAgainAfterAFlush_data()
{
    addProtocols([](const ProtocolInfo&) { return true; });
}

void TestLiveProtocols::scriptsAreTaughtAgainAfterAFlush()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    for (int round = 0; round < 2; ++round) {
        bench.everywhere(store::Command("SCRIPT", "FLUSH"));
        const Grant grant = bench.takeLock(*alice, bench.request());
        bench.everywhere(store::Command("SCRIPT", "FLUSH"));
        QVERIFY(isReleased(bench.release(*alice, grant)));
    }
}

void TestLiveProtocols::aKilledConnectionComesBack_data()
{
    addProtocols([](const ProtocolInfo&) { return true; });
}

void TestLiveProtocols::aKilledConnectionComesBack()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const Grant grant = bench.takeLock(*alice, bench.request());
    bench.everywhere(store::Command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"));
    QTRY_VERIFY(!alice->client().isOnline());
    // While no client is connected, nothing is claimed to be known.
    const ReleaseOutcome cutOff = bench.release(*alice, grant);
    QVERIFY(!isReleased(cutOff) || alice->client().isOnline());
    QTRY_VERIFY(alice->client().isOnline());
    if (!isReleased(cutOff)) {
        QVERIFY(isReleased(bench.release(*alice, grant)));
    }
}

void TestLiveProtocols::aRestartedServerIsWaitedFor_data()
{
    addProtocols([](const ProtocolInfo& info) { return info.keys != KeyUse::OnePerServer; });
}

void TestLiveProtocols::aRestartedServerIsWaitedFor()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const auto bob = bench.client(2);
    bench.takeLock(*alice, bench.request());
    const auto waiting = bob->start(protocol::acquire(bench.protocol, bob->contender(),
                                                      bench.request(30s, 25s)));
    bench.servers.front()->kill();
    QTRY_VERIFY(!bob->client().isOnline());
    QVERIFY(!waiting.isFinished());
    bench.servers.front()->restart(); // without its data: the lock is free
    QTRY_VERIFY_WITH_TIMEOUT(waiting.isFinished(), 20'000);
    QVERIFY(isGranted(waiting.result()));
}

void TestLiveProtocols::ownersReenter_data()
{
    addProtocols([](const ProtocolInfo& info) { return info.isReentrant; });
}

void TestLiveProtocols::ownersReenter()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const auto bob = bench.client(2);
    const Grant outer = bench.takeLock(*alice, bench.request());
    const Grant inner = bench.takeLock(*alice, bench.request());
    QCOMPARE(inner.holds, 2);
    const ReleaseOutcome first = bench.release(*alice, inner);
    QVERIFY(isReleased(first));
    QCOMPARE(std::get<Released>(first).holdsLeft, 1);
    QVERIFY(!isGranted(bench.acquire(*bob, bench.request())));
    const ReleaseOutcome last = bench.release(*alice, outer);
    QVERIFY(isReleased(last));
    QCOMPARE(std::get<Released>(last).holdsLeft, 0);
    QVERIFY(isGranted(bench.acquire(*bob, bench.request())));
}

void TestLiveProtocols::readersShareAndWritersDoNot_data()
{
    addProtocols([](const ProtocolInfo& info) { return info.hasModes; });
}

void TestLiveProtocols::readersShareAndWritersDoNot()
{
    const Bench bench(protocolOfThisRow());
    const auto alice = bench.client(1);
    const auto bob = bench.client(2);
    LockRequest read = bench.request();
    read.mode = Mode::Read;
    const Grant first = bench.takeLock(*alice, read);
    const Grant second = bench.takeLock(*bob, read);
    const auto carol = bench.client(3);
    QVERIFY(!isGranted(bench.acquire(*carol, bench.request())));
    bench.release(*alice, first);
    bench.release(*bob, second);
    const AcquireOutcome writer = bench.acquire(*carol, bench.request(30s, 5s));
    QVERIFY(isGranted(writer));
    QVERIFY(!isGranted(bench.acquire(*alice, read)));
}

void TestLiveProtocols::permitsAreCounted()
{
    const Bench bench(*findProtocol("semaphore"));
    LockRequest request = bench.request();
    request.permits = 2;
    const auto alice = bench.client(1);
    const auto bob = bench.client(2);
    const auto carol = bench.client(3);
    const Grant first = bench.takeLock(*alice, request);
    bench.takeLock(*bob, request);
    QVERIFY(!isGranted(bench.acquire(*carol, request)));
    QVERIFY(isReleased(bench.release(*alice, first)));
    QVERIFY(isGranted(bench.acquire(*carol, request)));
}

void TestLiveProtocols::fencesGrow()
{
    const Bench bench(*findProtocol("fenced-token"));
    const auto alice = bench.client(1);
    std::int64_t last = 0;
    for (int i = 0; i < 3; ++i) {
        const Grant grant = bench.takeLock(*alice, bench.request());
        QVERIFY(grant.fence.has_value());
        QCOMPARE_GT(*grant.fence, last);
        last = *grant.fence;
        QVERIFY(isReleased(bench.release(*alice, grant)));
    }
}

LOCKSCOPE_TEST(TestLiveProtocols, Core)

} // namespace lockscope::tst_live_protocols

#include "tst_live_protocols.moc"
