#include "core/conduct/stage_team.h"
#include "tests/conduct/lock_client.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_stage_team {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Act;
using conduct::AdapterMistake;
using conduct::AdapterSetting;
using conduct::Deviation;
using conduct::Interference;
using conduct::LogEntry;
using conduct::Play;
using conduct::RunLog;
using conduct::StageTeam;
using conduct::Word;
using conduct::Workload;

namespace {

constexpr int kWidth = 2;

/// A takes the lock, and B asks for it.
Workload twoAsk()
{
    Workload workload;
    workload.id = "two-ask";
    workload.processCount = 2;
    workload.lease = 2s;
    workload.acts = {Act::call(0, Word::Acquire), Act::call(1, Word::Acquire)};
    workload.firstFinalAct = static_cast<int>(workload.acts.size());
    return workload;
}

Deviation lossOf(Interference kind)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message = {0, "SET", 1};
    return deviation;
}

/// "A yes, B no".
std::string answersOf(const RunLog& log)
{
    std::string text;
    for (const LogEntry& entry : log.entries) {
        if (entry.kind == LogEntry::Kind::Answered) {
            text += text.empty() ? "" : ", ";
            text += static_cast<char>('A' + entry.process);
            using Kind = conduct::Answer::Kind;
            const auto kind = entry.answer.kind;
            text += kind == Kind::Yes ? " yes" : kind == Kind::No ? " no" : " error";
        }
    }
    return log.trouble.empty() ? text : "trouble: " + log.trouble;
}

} // namespace

class TestStageTeam : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logsComeInTheOrderOfThePlays();
    void aMistakeInOneRunIsItsTrouble();
    void aMistakeOfATrialIsThrown();
};

void TestStageTeam::logsComeInTheOrderOfThePlays()
{
    const Workload workload = twoAsk();
    StageTeam team(lockClient("right"), kWidth);
    QVERIFY(team.vocabulary().has(Word::Acquire));
    QCOMPARE(team.width(), kWidth);
    QVERIFY(team.playAll({}).empty());
    std::vector<Play> plays;
    for (int i = 0; i < 4; ++i) {
        plays.push_back({&workload, {}});
        plays.push_back({&workload, {lossOf(Interference::LoseRequest)}});
        plays.push_back({&workload, {lossOf(Interference::LoseReply)}});
    }
    for (int round = 0; round < 2; ++round) { // with the same processes
        const std::vector<RunLog> logs = team.playAll(plays);
        QCOMPARE(logs.size(), plays.size());
        for (std::size_t i = 0; i < logs.size(); i += 3) {
            QCOMPARE(answersOf(logs[i]), std::string("A yes, B no"));
            QCOMPARE(answersOf(logs[i + 1]), std::string("A error, B yes"));
            QCOMPARE(answersOf(logs[i + 2]), std::string("A error, B no"));
        }
    }
    QCOMPARE(answersOf(team.play(workload, {})), std::string("A yes, B no"));
}

void TestStageTeam::aMistakeInOneRunIsItsTrouble()
{
    const Workload workload = twoAsk();
    StageTeam team(lockClient("odd-after-loss"), kWidth);
    const std::vector<Play> plays{{&workload, {}},
                                  {&workload, {lossOf(Interference::LoseReply)}},
                                  {&workload, {}},
                                  {&workload, {lossOf(Interference::LoseReply)}},
                                  {&workload, {}}};
    const std::vector<RunLog> logs = team.playAll(plays);
    const std::string trouble = "trouble: the adapter printed a line that is no answer: \"WARNING: "
                                "no connection\"";
    for (std::size_t i = 0; i < logs.size(); ++i) {
        QCOMPARE(answersOf(logs[i]), i % 2 == 0 ? std::string("A yes, B no") : trouble);
    }
}

void TestStageTeam::aMistakeOfATrialIsThrown()
{
    AdapterSetting nobody = lockClient("right");
    nobody.words = {"/there/is/no/such/program"};
    StageTeam team(nobody, kWidth);
    QVERIFY_THROWS_EXCEPTION(AdapterMistake, team.vocabulary());
    const Workload workload = twoAsk();
    QVERIFY_THROWS_EXCEPTION(AdapterMistake, team.play(workload, {}));
}

LOCKSCOPE_TEST(TestStageTeam, Core)

} // namespace lockscope::tst_stage_team

#include "tst_stage_team.moc"
