#include "core/kernel/conduct/forecast.h"
#include "core/kernel/sim/lua_engine.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_forecast {

using namespace lockscope::testing;
using conduct::Deviation;
using conduct::Forecast;
using conduct::Interference;
using conduct::Leap;
using conduct::messageKindOf;
using conduct::RunLog;
using conduct::Workload;
using store::Command;

namespace {

constexpr int kA = 0;
const Bytes kCompareAndDelete = "if redis.call('get', KEYS[1]) == ARGV[1] then "
                                "return redis.call('del', KEYS[1]) end return 0";
/// How a lock is taken, prolonged and given back.
struct Library {
    std::vector<Command> take{Command("SET", "lock:1a", "token", "NX", "PX", 2000)};
    Command renew{"PEXPIRE", "lock:1a", 2000};
    Command release{"DEL", "lock:1a"};
};

/// The natural run of handOver(): A has the lock, B asks in vain, A gives it back, B has it.
RunLog naturalRun(const Library& library, bool isRenewed = false)
{
    WrittenLog log(kScriptedLease);
    const auto takeIn = [&](int act, int process, bool isInVain = false) {
        log.inAct(act).call(process, conduct::Word::Acquire);
        const std::size_t count = isInVain ? 1 : library.take.size();
        for (std::size_t i = 0; i < count; ++i) {
            log.command(process, library.take[i]);
        }
        log.answer(process, conduct::Word::Acquire);
    };
    const auto releaseIn = [&](int act, int process) {
        log.inAct(act).call(process, conduct::Word::Release).command(process, library.release);
        log.answer(process, conduct::Word::Release);
    };
    takeIn(0, kA);
    if (isRenewed) {
        log.command(kA, library.renew);
    }
    takeIn(1, 1, true);
    releaseIn(2, kA);
    takeIn(3, 1);
    releaseIn(4, 1);
    return log.log();
}

bool showsHarm(const Library& library, const Deviation& deviation, bool isRenewed = false)
{
    const Workload workload = handOver();
    const RunLog natural = naturalRun(library, isRenewed);
    return Forecast(workload, natural, {}).showsHarm(deviation);
}

/// Behind the attempt of B that would succeed.
Deviation late(Interference kind, const std::string& message, int act, Leap leap)
{
    return {kind, {kA, message, 1, 0}, act, 3, leap};
}

} // namespace

class TestForecast : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLateReleaseEndsTheHoldOfAnother();
    void aReleaseThatComparesDoesNot();
    void withinTheLeaseNothingIsOverYet();
    void aLateRenewalProlongsTheHoldOfAnother();
    void aRenewalThatMakesTheKeyIsOne();
    void aLockWithoutExpiryIsLeftBehind();
    void whatWasNotGrantedIsNotGivenBack();
    void whoStandsStillRenewsLate();
    void aReplicaThatTakesOverHasNothing();
    void theServerKnowsTheScripts();
};

void TestForecast::aLateReleaseEndsTheHoldOfAnother()
{
    QVERIFY(showsHarm({}, late(Interference::DelayRequest, "DEL", 2, Leap::AtBegin)));
}

void TestForecast::aReleaseThatComparesDoesNot()
{
    Library careful;
    careful.release = Command("EVAL", kCompareAndDelete, 1, "lock:1a", "of A");
    careful.take = {Command("SET", "lock:1a", "of B", "NX", "PX", 2000)};
    QVERIFY(!showsHarm(careful, late(Interference::DelayRequest, messageKindOf(careful.release), 2,
                                     Leap::AtBegin)));
}

void TestForecast::withinTheLeaseNothingIsOverYet()
{
    QVERIFY(!showsHarm({}, late(Interference::DelayRequest, "DEL", 2, Leap::None)));
    QVERIFY(!showsHarm({}, late(Interference::DelayReply, "DEL", 2, Leap::AtBegin)));
}

void TestForecast::aLateRenewalProlongsTheHoldOfAnother()
{
    const Deviation lateRenewal = late(Interference::DelayRequest, "PEXPIRE", 0, Leap::AtBegin);
    QVERIFY(showsHarm({}, lateRenewal, true));
    Deviation inTime = late(Interference::DelayRequest, "PEXPIRE", 0, Leap::None);
    inTime.untilAct = 1;
    QVERIFY(!showsHarm({}, inTime, true));
}

void TestForecast::aRenewalThatMakesTheKeyIsOne()
{
    Library careless;
    careless.renew = Command("PSETEX", "lock:1a", 4000, "token");
    careless.release = Command("UNLINK", "lock:1a");
    Deviation afterRelease = late(Interference::DelayRequest, "PSETEX", 0, Leap::None);
    afterRelease.untilAct = 2;
    QVERIFY(showsHarm(careless, afterRelease, true));
}

void TestForecast::aLockWithoutExpiryIsLeftBehind()
{
    Library twoSteps;
    twoSteps.take = {Command("SETNX", "lock:1a", "token"), Command("PEXPIRE", "lock:1a", 2000)};
    for (const Interference kind : {Interference::KillAfter, Interference::LoseReply}) {
        QVERIFY(showsHarm(twoSteps, {kind, {kA, "SETNX", 1, 0}, 0, 0, Leap::None}));
        QVERIFY(!showsHarm(twoSteps, {kind, {kA, "PEXPIRE", 1, 0}, 0, 0, Leap::None}));
    }
    QVERIFY(showsHarm(twoSteps, {Interference::LoseRequest, {kA, "PEXPIRE", 1, 0}, 0, 0}));
    Workload permanent = handOver();
    permanent.lease = Duration(0); // nobody expects it to end
    const RunLog natural = naturalRun(twoSteps);
    QVERIFY(!Forecast(permanent, natural, {})
                 .showsHarm({Interference::KillAfter, {kA, "SETNX", 1, 0}, 0, 0, Leap::None}));
}

/// The DEL of its next release would hit B.
void TestForecast::whatWasNotGrantedIsNotGivenBack()
{
    QVERIFY(!showsHarm({}, {Interference::LoseRequest, {kA, "SET", 1, 0}, 0, 0, Leap::None}));
    QVERIFY(!showsHarm({}, late(Interference::DelayRequest, "SET", 0, Leap::None)));
}

void TestForecast::whoStandsStillRenewsLate()
{
    Deviation pause{Interference::Pause, {kA, {}, 0, 0}, 0, 3, Leap::AtBegin};
    QVERIFY(!showsHarm({}, pause, true)); // it never begins
    pause.act = 1;
    WrittenLog log(kScriptedLease);
    log.inAct(0).call(kA, conduct::Word::Acquire).command(kA, Library().take.front());
    log.answer(kA, conduct::Word::Acquire).inAct(1).command(kA, Library().renew);
    log.inAct(3).command(1, Library().take.front());
    log.inAct(4).command(1, Library().release);
    const Workload workload = handOver();
    const RunLog natural = log.log();
    QVERIFY(Forecast(workload, natural, {}).showsHarm(pause));
}

/// The renewal makes what it only prolonged.
void TestForecast::aReplicaThatTakesOverHasNothing()
{
    Library careless;
    careless.renew = Command("PSETEX", "lock:1a", 4000, "token");
    const Deviation failOver{Interference::FailOver, {kA, "SET", 1, 0}, 0, 0, Leap::None};
    WrittenLog log(kScriptedLease);
    log.inAct(0).command(kA, careless.take.front());
    log.inAct(1).command(kA, careless.renew).inAct(2).command(kA, careless.release);
    const Workload workload = handOver();
    const RunLog natural = log.log();
    QVERIFY(Forecast(workload, natural, {}).showsHarm(failOver));
}

void TestForecast::theServerKnowsTheScripts()
{
    const Bytes script = "return redis.call('del', KEYS[1])";
    sim::LuaEngine lua;
    const Bytes digest(lua.digestOf(script));
    Library scripted;
    scripted.release = Command("EVALSHA", digest, 1, "lock:1a");
    const Workload workload = handOver();
    const RunLog natural = naturalRun(scripted);
    const Deviation lateRelease = late(Interference::DelayRequest, messageKindOf(scripted.release),
                                       2, Leap::AtBegin);
    QVERIFY(Forecast(workload, natural, {script}).showsHarm(lateRelease));
    QVERIFY(!Forecast(workload, natural, {}).showsHarm(lateRelease));
}

LOCKSCOPE_TEST(TestForecast, None)

} // namespace lockscope::tst_forecast

#include "tst_forecast.moc"
