#include "core/kernel/lint/step_trial.h"
#include "tests/kernel/lint/planted_file.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_step_trial {

using namespace lockscope::testing;
using lint::StepTrial;
using protocol::Meaning;
using Client = StepTrial::Client;

class TestStepTrial final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStepsDoWhatTheyDoOnAServer();
    void timeGoesOnForLeases();
    void aCheckThatDoesNotPassEndsItsStep();
    void messagesAreCounted();
};

void TestStepTrial::theStepsDoWhatTheyDoOnAServer()
{
    sim::LuaEngine lua;
    const protocol::OwnLockPlan plan = planIn(plantedFile("token-lock"));
    StepTrial trial(plan, lua);
    QVERIFY(trial.acquire(Client::A).means(Meaning::Granted));
    QVERIFY(trial.acquire(Client::B).means(Meaning::Refused));
    QVERIFY(trial.release(Client::B).means(Meaning::OtherOwner));
    QVERIFY(trial.release(Client::A).means(Meaning::Released));
    QVERIFY(trial.keys().entries().empty());
    QVERIFY(trial.release(Client::A).means(Meaning::Gone));
}

void TestStepTrial::timeGoesOnForLeases()
{
    sim::LuaEngine lua;
    const protocol::OwnLockPlan plan = planIn(plantedFile("counted-lock"));
    StepTrial trial(plan, lua);
    trial.acquire(Client::A);
    trial.wait(trial.lease() / 2);
    QVERIFY(trial.renew(Client::A).means(Meaning::Renewed));
    trial.wait(trial.lease() / 2 + std::chrono::seconds(1));
    QCOMPARE(trial.keys().entries().size(), std::size_t(1));
    trial.wait(trial.lease());
    QVERIFY(trial.keys().entries().empty());
}

void TestStepTrial::aCheckThatDoesNotPassEndsItsStep()
{
    sim::LuaEngine lua;
    const protocol::OwnLockPlan plan = planIn(plantedFile("broken/get-then-del"));
    StepTrial trial(plan, lua);
    trial.acquire(Client::A);
    const lint::TrialAnswer answer = trial.release(Client::B);
    QVERIFY(answer.isOfCheck && answer.means(Meaning::Gone));
    QCOMPARE(trial.keys().entries().size(), std::size_t(1));
    QVERIFY(trial.runAlone(plan.release, Client::B).means(Meaning::Released));
    QVERIFY(trial.keys().entries().empty());
}

void TestStepTrial::messagesAreCounted()
{
    sim::LuaEngine lua;
    const protocol::OwnLockPlan plan = planIn(plantedFile("wake-up-lock"));
    StepTrial trial(plan, lua);
    trial.acquire(Client::A);
    QCOMPARE(trial.wakeUpCount(), 0);
    trial.release(Client::A);
    QCOMPARE(trial.wakeUpCount(), 1);
}

LOCKSCOPE_TEST(TestStepTrial, Core)

} // namespace lockscope::tst_step_trial

#include "tst_step_trial.moc"
