// The good protocols under a crowd, with holders that crash and holders that stand still, for as
// long as their assumptions hold: no client stands still for as long as a lease.
//
// LOCKSCOPE_SOAK_CONTENDERS (1000 for a soak), LOCKSCOPE_SOAK_SECONDS, LOCKSCOPE_SEED.

#include "core/kernel/protocol/catalogue.h"
#include "core/wire/run/redis_live_runner.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QTestEventLoop>

#include <algorithm>

namespace lockscope::tst_contention_soak {

using namespace std::chrono_literals;
using Phase = workload::LiveRunProgress::Phase;

namespace {

constexpr int kContendersDefault = 100;
constexpr int kSecondsDefault = 3;
constexpr int kContendersPerKey = 10;

int fromEnvironment(const char* name, int otherwise)
{
    bool isNumber = false;
    const int number = qEnvironmentVariableIntValue(name, &isNumber);
    return isNumber ? number : otherwise;
}

bool isGood(const protocol::ProtocolInfo& info)
{
    return info.flaw.empty()
           && (info.claimsPromise(protocol::Promise::MutualExclusion)
               || info.claimsPromise(protocol::Promise::ReadWriteExclusion));
}

workload::LiveRunOrder orderFor(const protocol::LockProtocol& protocol)
{
    const protocol::ProtocolInfo& info = protocol.info();
    workload::LiveRunOrder order;
    order.protocol = {&protocol, [](const protocol::LockProtocol*) {}};
    order.privateServerCount = info.keys == protocol::KeyUse::OnePerServer ? 3 : 1;
    workload::Scenario& scenario = order.scenario;
    scenario = workload::Scenario::withDefaults(info);
    scenario.contenderCount = fromEnvironment("LOCKSCOPE_SOAK_CONTENDERS", kContendersDefault);
    scenario.keyCount = std::max(1, scenario.contenderCount / kContendersPerKey);
    scenario.think = workload::Distribution::exponential(20ms);
    scenario.hold = workload::Distribution::exponential(5ms);
    // Long beside the delays of a busy machine: a lease is an assumption, too.
    scenario.lease = 10s;
    scenario.renewal.period = info.canRenew ? 3s : 0s;
    scenario.readShare = info.hasModes ? 0.5 : 0;
    scenario.crashProbability = 0.002;
    scenario.pauseProbability = 0.03;
    scenario.pauseFor = 300ms;
    scenario.duration = std::chrono::seconds(fromEnvironment("LOCKSCOPE_SOAK_SECONDS",
                                                             kSecondsDefault));
    scenario.seed = static_cast<std::uint64_t>(fromEnvironment("LOCKSCOPE_SEED", 1));
    return order;
}

} // namespace

class ContentionSoakTest : public QObject {
    Q_OBJECT

public:
    /// Qt Test ends a function after five minutes; a soak takes as long as it was asked to.
    static void initMain()
    {
        qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(24 * 3600 * 1000));
    }

private Q_SLOTS:
    void goodProtocolsHold_data();
    void goodProtocolsHold();
};

void ContentionSoakTest::goodProtocolsHold_data()
{
    QTest::addColumn<QByteArray>("id");
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        if (isGood(protocol->info())) {
            const std::string& id = protocol->info().id;
            QTest::newRow(id.c_str()) << QByteArray::fromStdString(id);
        }
    }
}

void ContentionSoakTest::goodProtocolsHold()
{
    QFETCH(const QByteArray, id);
    const workload::LiveRunOrder order = orderFor(*protocol::findProtocol(id.toStdString()));
    wire::RedisLiveRunner runner;
    connect(&runner, &service::LiveRunner::progressed, this,
            [](const workload::LiveRunProgress& progress) {
                if (progress.phase == Phase::Finished || progress.phase == Phase::Failed) {
                    QTestEventLoop::instance().exitLoop();
                }
            });
    runner.start(order);
    QTestEventLoop::instance().enterLoop(120
                                         + static_cast<int>(toMs(order.scenario.duration) / 1000));
    const trace::RunStatistics& s = runner.progress().statistics;
    qInfo("seed %llu: %llu acquisitions by %d contenders, %llu crashes, %llu pauses, %llu overlaps",
          static_cast<unsigned long long>(order.scenario.seed),
          static_cast<unsigned long long>(s.acquisitions), order.scenario.contenderCount,
          static_cast<unsigned long long>(s.crashes), static_cast<unsigned long long>(s.pauses),
          static_cast<unsigned long long>(s.overlaps));
    QCOMPARE(runner.progress().phase, Phase::Finished);
    QCOMPARE(s.overlaps, 0u);
    QCOMPARE(s.wrongReleases, 0u);
    QCOMPARE(s.rejectedEffects, 0u);
    // Without any of these nothing was tried.
    QCOMPARE_GT(s.acquisitions, static_cast<std::uint64_t>(order.scenario.keyCount));
    // A machine that is so busy that only a few pauses are due may see none by chance: e^-8.
    if (static_cast<double>(s.acquisitions) * order.scenario.pauseProbability > 8) {
        QCOMPARE_GT(s.pauses, 0u);
    }
}

LOCKSCOPE_TEST(ContentionSoakTest, Core)

} // namespace lockscope::tst_contention_soak

#include "tst_contention_soak.moc"
