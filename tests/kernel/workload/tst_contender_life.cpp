#include "core/kernel/trace/run_statistics.h"
#include "core/kernel/workload/contender_life.h"
#include "core/kernel/workload/process.h"
#include "tests/kernel/protocol/pretend_protocol.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>

namespace lockscope::tst_contender_life {

using namespace lockscope::testing;
using namespace lockscope::workload;
using namespace std::chrono_literals;
using protocol::Grant;
using protocol::NotHeld;
using protocol::Refused;
using protocol::Released;

namespace {

/// One contender's life on a protocol that answers as the test says.
struct Bench {
    VirtualLoop loop;
    Process process{loop.executor(), loop.clock()};
    ScriptedStore server{answering({})};
    ScriptedChannels channels;
    trace::EventLog log;
    protocol::ClientMemory memory;
    protocol::Contender contender{protocol::ClientEnvironment{{{server, server, channels}},
                                                              process.executor(),
                                                              loop.clock(),
                                                              log},
                                  protocol::Identity{"client", 1}, 0, Rng(1), memory};
    PretendProtocol protocol;
    Scenario scenario;
    SharedPage page{1, 1};
    std::unique_ptr<ContenderLife> life;

    Bench()
    {
        protocol.attempts = {grant()};
        protocol.releases = {Released{}};
        scenario.think = Distribution::constant(10ms);
        scenario.hold = Distribution::constant(5ms);
        scenario.lease = 100ms;
    }

    Grant grant()
    {
        Grant grant;
        grant.grantedAt = loop.now();
        return grant;
    }
    StartedTask<LifeEnd> start()
    {
        life = std::make_unique<ContenderLife>(ContenderLife::Setting{protocol, scenario, page,
                                                                      process},
                                               contender);
        return StartedTask<LifeEnd>(process.executor(), life->run());
    }
    std::string story() const
    {
        std::string text;
        for (const trace::Event& event : log.events()) {
            text.append(text.empty() ? "" : " ").append(idOf(event.kind));
        }
        return text;
    }
};

} // namespace

class TestContenderLife : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRoundIsThinkAcquireHoldRelease();
    void roundsFollowEachOther();
    void whoIsToldToFinishReleasesFirst();
    void aCrashReleasesNothing();
    void aPauseStopsTheRenewalsToo();
    void aParkedContenderHoldsNothing();
    void whatMayHaveBeenGrantedIsGivenBack();
    void theServersWordsAreKept();
    void aHolderThatIsToldOfItsLossStopsWorking();
    void reentryTakesAndReleasesAsOften();
    void theStandbyPollsAndTheWorkerDies();
    void inADrawEverybodyTriesOnceAndKeepsIt();
};

void TestContenderLife::aRoundIsThinkAcquireHoldRelease()
{
    Bench bench;
    const auto life = bench.start();
    bench.loop.settle();
    QCOMPARE(bench.life->activity(), Activity::Thinking);
    bench.loop.advance(10ms);
    QCOMPARE(bench.life->activity(), Activity::Holding);
    QCOMPARE(bench.story(), std::string("requested granted entered"));
    bench.loop.advance(5ms);
    QCOMPARE(bench.story(), std::string("requested granted entered left releasing released"));
    QCOMPARE(bench.life->activity(), Activity::Thinking);
}

void TestContenderLife::roundsFollowEachOther()
{
    Bench bench;
    const auto life = bench.start();
    bench.loop.advance(150ms);
    const auto s = trace::statisticsOf(bench.log.events(), 1);
    QCOMPARE(s.acquisitions, 10u);
    QCOMPARE(s.overlaps, 0u); // it always leaves before it enters again
}

void TestContenderLife::whoIsToldToFinishReleasesFirst()
{
    Bench bench;
    bench.scenario.hold = Distribution::constant(1h);
    const auto life = bench.start();
    bench.loop.advance(10ms);
    bench.life->finish();
    bench.loop.settle();
    QVERIFY(life.isFinished());
    QCOMPARE(life.result(), LifeEnd::Finished);
    QVERIFY(bench.story().ends_with("left releasing released"));
    QCOMPARE(bench.life->activity(), Activity::Finished);
}

void TestContenderLife::aCrashReleasesNothing()
{
    Bench bench;
    bench.scenario.crashProbability = 1;
    const auto life = bench.start();
    bench.loop.advance(20ms);
    QVERIFY(life.isFinished());
    QCOMPARE(life.result(), LifeEnd::Crashed);
    QVERIFY(bench.story().ends_with("crashed"));
    QVERIFY(bench.story().find("releasing") == std::string::npos);
}

void TestContenderLife::aPauseStopsTheRenewalsToo()
{
    Bench bench;
    bench.scenario.pauseProbability = 1;
    bench.scenario.renewal.period = 30ms;
    Grant leased = bench.grant();
    leased.trustedUntil = bench.loop.now() + 110ms;
    bench.protocol.attempts = {leased};
    bench.protocol.renewals = {protocol::Renewed{bench.loop.now() + 1h}};
    const auto life = bench.start();
    bench.loop.advance(10ms);
    QCOMPARE(bench.life->activity(), Activity::Paused);
    bench.loop.advance(149ms);
    QVERIFY(bench.protocol.renewedAt.empty());
    bench.loop.advance(1ms); // one and a half leases are over
    QVERIFY(bench.story().find("resumed") != std::string::npos);
}

void TestContenderLife::aParkedContenderHoldsNothing()
{
    Bench bench;
    bench.scenario.hold = Distribution::constant(1h);
    const auto life = bench.start();
    bench.loop.advance(10ms);
    bench.life->park();
    bench.loop.settle();
    QCOMPARE(bench.life->activity(), Activity::Parked);
    QVERIFY(bench.story().ends_with("released"));
    bench.loop.advance(1h);
    QVERIFY(bench.story().ends_with("released"));
    bench.life->unpark();
    bench.loop.advance(10ms);
    QCOMPARE(bench.life->activity(), Activity::Holding);
    QVERIFY(!life.isFinished());
}

void TestContenderLife::whatMayHaveBeenGrantedIsGivenBack()
{
    Bench bench;
    bench.protocol.attempts = {protocol::Uncertain{{}, bench.grant()}};
    bench.scenario.waitLimit = 0ms;
    bool isReleased = false;
    const auto life = bench.start();
    bench.protocol.releases = {Released{}, NotHeld{}};
    bench.loop.advance(10ms);
    isReleased = bench.protocol.releases.size() == 1; // the first answer was taken
    QVERIFY(isReleased);
    QVERIFY(bench.story().find("entered") == std::string::npos);
}

/// Also of a release, which is no answer that was lost.
void TestContenderLife::theServersWordsAreKept()
{
    Bench bench;
    const auto error = store::problemOfServerError("ERR unknown command 'dell'", "EVAL");
    bench.protocol.releases = {protocol::Unavailable{error}};
    const auto life = bench.start();
    bench.loop.advance(12ms);
    QVERIFY(!bench.life->refusal());
    bench.loop.advance(5ms);
    QVERIFY(bench.life->refusal() && *bench.life->refusal() == error);
    const auto s = trace::statisticsOf(bench.log.events(), 1);
    QCOMPARE(s.errors, 1u);
    QCOMPARE(s.uncertain, 0u);
}

void TestContenderLife::aHolderThatIsToldOfItsLossStopsWorking()
{
    Bench bench;
    bench.scenario.hold = Distribution::constant(1h);
    bench.scenario.renewal.period = 30ms;
    Grant leased = bench.grant();
    leased.trustedUntil = bench.loop.now() + 1h;
    bench.protocol.attempts = {leased};
    bench.protocol.renewals = {NotHeld{true}};
    bench.protocol.releases = {NotHeld{true}};
    const auto life = bench.start();
    bench.loop.advance(45ms);
    QCOMPARE(bench.story(), std::string("requested granted entered renewal-failed lost left "
                                        "releasing release-refused"));
}

void TestContenderLife::reentryTakesAndReleasesAsOften()
{
    Bench bench;
    bench.scenario.reentryDepth = 2;
    Grant inner = bench.grant();
    inner.holds = 2;
    bench.protocol.attempts = {bench.grant(), inner};
    bench.protocol.releases = {Released{1}, Released{0}};
    const auto life = bench.start();
    bench.loop.advance(15ms);
    QCOMPARE(bench.story(), std::string("requested granted requested granted entered left "
                                        "releasing released releasing released"));
}

void TestContenderLife::theStandbyPollsAndTheWorkerDies()
{
    Bench bench;
    bench.scenario.kind = Scenario::Kind::HotStandby;
    bench.scenario.retry.interval = 20ms;
    bench.protocol.attempts = {Refused{}, bench.grant()};
    const auto life = bench.start();
    bench.loop.advance(19ms);
    QCOMPARE(bench.story(), std::string("requested refused gave-up"));
    bench.loop.advance(6ms);
    QVERIFY(life.isFinished());
    QCOMPARE(life.result(), LifeEnd::Crashed);
}

void TestContenderLife::inADrawEverybodyTriesOnceAndKeepsIt()
{
    Bench bench;
    bench.scenario.kind = Scenario::Kind::Draw;
    const auto life = bench.start();
    bench.loop.settle();
    QVERIFY(life.isFinished());
    QCOMPARE(bench.story(), std::string("requested granted entered"));
}

LOCKSCOPE_TEST(TestContenderLife, Core)

} // namespace lockscope::tst_contender_life

#include "tst_contender_life.moc"
