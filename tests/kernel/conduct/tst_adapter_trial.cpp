#include "core/kernel/conduct/adapter_trial.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_adapter_trial {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Act;
using conduct::AdapterTrial;
using conduct::RunLog;
using conduct::Vocabulary;
using conduct::Word;
using conduct::Workload;
using Answers = conduct::Answer::Kind;
using Deviations = ScriptedStage::Deviations;

namespace {

constexpr Duration kLease = kScriptedLease;
constexpr int kA = 0;

Vocabulary knowing(const std::vector<Word>& words)
{
    Vocabulary vocabulary;
    for (const Word word : words) {
        vocabulary.add(word);
    }
    return vocabulary;
}

const std::vector<Word> kUsual{Word::Acquire, Word::Release, Word::Held};

/// What an adapter does wrong, or besides.
struct Habits {
    Word refused = Word::Reset; // is answered with `answer`
    Answers answer = Answers::No;
    Word ignored = Word::Reset; // is not answered
    bool isMute = false;        // never speaks to the server
    bool renews = false;        // twice a lease
    bool renewsAtRelease = false;
};

void perform(WrittenLog& log, const Act& act, const Habits& habits)
{
    if (act.kind != Act::Kind::Call) {
        for (int i = 0; i < 4; ++i) {
            log.pass(act.span / 4);
            if (habits.renews) {
                log.renew(kA);
            }
        }
        return;
    }
    const bool isOthers = act.process != kA;
    log.call(act.process, act.word);
    if (act.word == Word::Release && habits.renewsAtRelease) {
        log.renew(act.process);
    }
    if (!habits.isMute && act.word == Word::Acquire) {
        isOthers ? log.look(act.process) : log.make(act.process);
    } else if (!habits.isMute && act.word == Word::Release) {
        isOthers ? log.look(act.process) : log.remove(act.process);
    }
    if (act.word != habits.ignored) {
        const bool isRefused = isOthers || act.word == habits.refused;
        log.answer(act.process, act.word, isRefused ? habits.answer : Answers::Yes);
    }
}

ScriptedStage stageWith(const Habits& habits)
{
    return ScriptedStage([habits](const Workload& workload, Deviations) {
        WrittenLog log(workload.lease);
        for (const Act& act : workload.acts) {
            perform(log, act, habits);
        }
        return log.log();
    });
}

AdapterTrial tried(const Habits& habits, const std::vector<Word>& words = kUsual,
                   Duration lease = kLease)
{
    ScriptedStage stage = stageWith(habits);
    return conduct::tryAdapter(stage, knowing(words), {.lease = lease});
}

} // namespace

class TestAdapterTrial : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRightAdapterHasNoMistake();
    void whatIsTriedIsNotInterferedWith();
    void acquireAndReleaseHaveToBeKnown();
    void aRefusalIsAMistake_data();
    void aRefusalIsAMistake();
    void silenceIsAMistake();
    void heldIsAskedOnlyWhereItIsKnown();
    void aLockWithoutAServerIsAMistake();
    void troubleIsAMistake();
    void whoRenewsIsNoticed();
    void aRenewalByTheReleaseIsNone();
    void withoutALeaseThereIsNothingToRenew();
};

void TestAdapterTrial::aRightAdapterHasNoMistake()
{
    const AdapterTrial trial = tried({});
    QCOMPARE(trial.mistake, std::string());
    QVERIFY(!trial.traits.isRenewed);
    QVERIFY(trial.traits.vocabulary.has(Word::Held));
    QVERIFY(!trial.traits.vocabulary.has(Word::Extend));
}

void TestAdapterTrial::whatIsTriedIsNotInterferedWith()
{
    ScriptedStage stage = stageWith({});
    conduct::tryAdapter(stage, knowing(kUsual), {.lease = kLease});
    QCOMPARE(stage.plays().size(), 2u);
    QVERIFY(std::ranges::all_of(stage.plays(), [](const auto& play) { return play.empty(); }));
}

void TestAdapterTrial::acquireAndReleaseHaveToBeKnown()
{
    for (const Word word : {Word::Acquire, Word::Release}) {
        QCOMPARE(tried({}, {word, Word::Reset}).mistake,
                 std::string("its line \"ready …\" does not name acquire and release"));
    }
}

void TestAdapterTrial::aRefusalIsAMistake_data()
{
    QTest::addColumn<int>("word");
    QTest::newRow("acquire") << static_cast<int>(Word::Acquire);
    QTest::newRow("held") << static_cast<int>(Word::Held);
    QTest::newRow("release") << static_cast<int>(Word::Release);
}

void TestAdapterTrial::aRefusalIsAMistake()
{
    QFETCH(const int, word);
    Habits habits;
    habits.refused = static_cast<Word>(word);
    const std::string name(idOf(habits.refused));
    QCOMPARE(tried(habits).mistake,
             "it answered \"" + name + "\" with no, although nothing is in its way");
    habits.answer = Answers::Error;
    QCOMPARE(tried(habits).mistake,
             "it answered \"" + name + "\" with an error, although nothing is in its way");
}

void TestAdapterTrial::silenceIsAMistake()
{
    Habits habits;
    habits.ignored = Word::Release;
    QCOMPARE(tried(habits).mistake,
             std::string("it did not answer \"release\", although nothing is in its way"));
}

void TestAdapterTrial::heldIsAskedOnlyWhereItIsKnown()
{
    Habits habits;
    habits.refused = Word::Held;
    QCOMPARE(tried(habits, {Word::Acquire, Word::Release}).mistake, std::string());
}

void TestAdapterTrial::aLockWithoutAServerIsAMistake()
{
    Habits habits;
    habits.isMute = true;
    QVERIFY(tried(habits).mistake.starts_with("it took a lock without a word to the server"));
}

void TestAdapterTrial::troubleIsAMistake()
{
    ScriptedStage stage([](const Workload&, Deviations) {
        RunLog log;
        log.trouble = "A did not come to rest";
        return log;
    });
    QCOMPARE(conduct::tryAdapter(stage, knowing(kUsual), {.lease = kLease}).mistake,
             std::string("A did not come to rest"));
}

void TestAdapterTrial::whoRenewsIsNoticed()
{
    Habits habits;
    habits.renews = true;
    QVERIFY(tried(habits).traits.isRenewed);
}

void TestAdapterTrial::aRenewalByTheReleaseIsNone()
{
    Habits habits;
    habits.renewsAtRelease = true;
    QCOMPARE(tried(habits).mistake, std::string());
    QVERIFY(!tried(habits).traits.isRenewed);
}

void TestAdapterTrial::withoutALeaseThereIsNothingToRenew()
{
    Habits habits;
    habits.renews = true;
    const AdapterTrial trial = tried(habits, kUsual, Duration(0));
    QCOMPARE(trial.mistake, std::string());
    QVERIFY(!trial.traits.isRenewed);
}

LOCKSCOPE_TEST(TestAdapterTrial, None)

} // namespace lockscope::tst_adapter_trial

#include "tst_adapter_trial.moc"
