// Counterexamples of the simulated world, repeated on a real Redis: every reply is the same, so
// that the same clients would believe the same wrong things.

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/explorer.h"
#include "core/wire/run/redis_mirror.h"
#include "tests/support/live/live_server.h"
#include "tests/support/reply_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

namespace lockscope::tst_live_replay {

using namespace lockscope::testing;
using search::Finding;
using search::Goal;
using wire::MirrorResult;
using wire::RedisMirror;
using world::FaultKind;
using world::ViolationKind;
using world::WorldPlan;

namespace {

struct Example {
    WorldPlan plan;
    Finding finding;
};

/// The first plan in which the kind shows, and its shortest run there.
std::optional<Example> counterexample(const protocol::LockProtocol& protocol, FaultKind fault,
                                      ViolationKind kind)
{
    sim::LuaEngine lua;
    for (const WorldPlan& plan : search::defaultPlans(protocol.info(), fault)) {
        search::Bounds bounds;
        bounds.schedulesMax = 4000;
        const Goal goal{std::nullopt, kind};
        const search::Exploration found =
            search::Explorer({protocol, plan, lua, bounds, goal, true, {}}).run();
        if (const Finding* const finding = found.find(goal)) {
            return Example{plan, *finding};
        }
    }
    return std::nullopt;
}

MirrorResult mirrored(const protocol::LockProtocol& protocol, const Example& example)
{
    RedisMirror mirror;
    std::optional<MirrorResult> result;
    QObject::connect(&mirror, &RedisMirror::finished,
                     [&result](const MirrorResult& what) { result = what; });
    mirror.start(protocol, example.plan, example.finding.steps);
    const bool hasFinished = QTest::qWaitFor([&result] { return result.has_value(); }, 120'000);
    return hasFinished ? *result : MirrorResult{};
}

QByteArray storyOf(const Example& example, const MirrorResult& result)
{
    QByteArray text = QByteArray::fromStdString(example.plan.name + ": " + result.reason);
    for (const world::Step& step : example.finding.steps) {
        text += "\n  " + QByteArray::fromStdString(toText(step));
    }
    for (const wire::MirrorDifference& difference : result.differences) {
        const std::size_t step = difference.step ? *difference.step + 1 : 0;
        text += "\nstep " + QByteArray::number(static_cast<qulonglong>(step)) + ": "
                + QByteArray::fromStdString(toText(difference.command)) + "\n  simulated "
                + QByteArray::fromStdString(replyText(difference.simulated)) + "\n  real      "
                + QByteArray::fromStdString(difference.real ? replyText(*difference.real)
                                                            : "nothing");
    }
    return text;
}

} // namespace

class TestLiveReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theFlawIsRealToo_data();
    void theFlawIsRealToo();
};

void TestLiveReplay::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveReplay::theFlawIsRealToo_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("kind");
    const std::tuple<const char*, FaultKind, ViolationKind> rows[] = {
        {"exists-then-set", FaultKind::Interleaving, ViolationKind::DoubleGrant},
        {"exists-then-set", FaultKind::Interleaving, ViolationKind::WrongRelease},
        {"set-nx-ex", FaultKind::Pause, ViolationKind::DoubleBelief},
        {"set-nx-ex", FaultKind::Pause, ViolationKind::WrongRelease},
        {"setnx-then-expire", FaultKind::Crash, ViolationKind::PermanentLock},
        {"set-nx-ex", FaultKind::MessageDelay, ViolationKind::WrongRelease},
        {"set-nx-ex", FaultKind::ForceRelease, ViolationKind::DoubleGrant},
        {"set-nx-px-token", FaultKind::Eviction, ViolationKind::DoubleGrant},
        {"reentrant-hash", FaultKind::ConnectionLoss, ViolationKind::ReentryImbalance},
        {"setnx-getset", FaultKind::ClockSkew, ViolationKind::DoubleGrant},
        {"rw-two-keys", FaultKind::Interleaving, ViolationKind::DoubleBelief},
        {"rw-hash-stamps", FaultKind::ClockSkew, ViolationKind::DoubleGrant},
        {"redisson-lock", FaultKind::SharedIdentity, ViolationKind::DoubleGrant},
        {"client-reentrant", FaultKind::Pause, ViolationKind::DoubleBelief},
        {"rw-two-keys-counted", FaultKind::Interleaving, ViolationKind::DoubleGrant},
    };
    for (const auto& [protocol, fault, kind] : rows) {
        const QByteArray name = QByteArray(protocol) + ", " + idOf(fault).data() + ", "
                                + idOf(kind).data();
        QTest::newRow(name.constData())
            << QByteArray(protocol) << static_cast<int>(fault) << static_cast<int>(kind);
    }
}

void TestLiveReplay::theFlawIsRealToo()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const int, fault);
    QFETCH(const int, kind);
    const auto& lock = *protocol::findProtocol(protocol.constData());
    const auto example = counterexample(lock, FaultKind(fault), ViolationKind(kind));
    QVERIFY2(example, "nothing was found");
    const MirrorResult result = mirrored(lock, *example);
    QVERIFY2(result.status == MirrorResult::Status::Agrees, storyOf(*example, result).constData());
    const bool isThere = std::ranges::any_of(result.violations, [kind](const auto& violation) {
        return violation.kind == ViolationKind(kind);
    });
    QVERIFY(isThere);
    qInfo("%d replies in %lld ms, %d times as fast", result.exchangeCount,
          static_cast<long long>(toMs(result.realTime)), result.speedFactor);
}

LOCKSCOPE_TEST(TestLiveReplay, Core)

} // namespace lockscope::tst_live_replay

#include "tst_live_replay.moc"
