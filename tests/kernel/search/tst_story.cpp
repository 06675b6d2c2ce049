#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/story.h"
#include "core/kernel/search/wording.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_story {

using namespace std::chrono_literals;
using search::Finding;
using search::StoryLine;
using store::Reply;
using world::FaultKind;
using world::Step;
using world::WorldPlan;

namespace {

struct Told {
    std::vector<StoryLine> story;
    std::string text;
};

/// The story of the shortest way to break the promise in the plan of that name.
Told storyOf(const char* protocolId, FaultKind fault, std::string_view planName, search::Goal goal)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(protocolId);
    Told told;
    for (const WorldPlan& plan : search::defaultPlans(protocol.info(), fault)) {
        if (plan.name != planName) {
            continue;
        }
        search::Explorer explorer({protocol, plan, lua, {}, goal, true, {}});
        const auto exploration = explorer.run();
        if (const Finding* const finding = exploration.find(goal)) {
            told.story = tellStory(protocol, plan, *finding, lua);
            for (const std::string& line : numbered(told.story)) {
                told.text += line + '\n';
            }
        }
    }
    return told;
}

} // namespace

class TestStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void raceReadsLikeTheScenario();
    void pauseTellsOfTheExpiry();
    void endOfTheRunIsTold();
    void aStoryHasAsManyNumbersAsItsRunHasSteps_data();
    void aStoryHasAsManyNumbersAsItsRunHasSteps();
    void linesWithoutANumberBelongToTheStepBefore();
    void aRunInWhichNothingBreaksIsToldToItsEnd();
    void tokensAreShort();
    void scriptsAreCalledByTheirNames();
    void messagesAreNamedInSentences();
    void answersAreReadable();
    void everyFaultHasASentence();
};

void TestStory::raceReadsLikeTheScenario()
{
    const Told told = storyOf("exists-then-set", FaultKind::Interleaving, "two at once",
                              {protocol::Promise::MutualExclusion,
                               world::ViolationKind::DoubleGrant});
    QCOMPARE(told.story.size(), 5U);
    QVERIFY2(told.text.find("EXISTS k: 0") != std::string::npos, told.text.c_str());
    QVERIFY2(told.text.find("SET k 1: OK. ") != std::string::npos, told.text.c_str());
    QVERIFY(told.story.back().isViolation);
    QVERIFY2(told.story.back().text.find("both hold k") != std::string::npos, told.text.c_str());
}

void TestStory::pauseTellsOfTheExpiry()
{
    const Told told = storyOf("set-nx-ex", FaultKind::Pause, "three in turn",
                              {protocol::Promise::OwnerOnlyRelease,
                               world::ViolationKind::WrongRelease});
    const auto has = [&told](std::string_view part) {
        return told.text.find(part) != std::string::npos;
    };
    QVERIFY2(has("A pauses for 15.0 s"), told.text.c_str());
    QVERIFY2(has("k expires"), told.text.c_str());
    QVERIFY2(has("A resumes"), told.text.c_str());
    QVERIFY2(has("A sends DEL k: 1"), told.text.c_str());
    QVERIFY2(has("A released the hold of B"), told.text.c_str());
}

void TestStory::endOfTheRunIsTold()
{
    const Told told = storyOf("setnx-then-expire", FaultKind::Crash, "two at once",
                              {protocol::Promise::NoStuckLock, {}});
    QVERIFY2(told.text.find("crashes") != std::string::npos, told.text.c_str());
    QVERIFY2(told.text.find("stays locked forever") != std::string::npos, told.text.c_str());
    QVERIFY(told.story.back().isViolation);
}

void TestStory::aStoryHasAsManyNumbersAsItsRunHasSteps_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<FaultKind>("fault");
    for (const char* const id : {"exists-then-set", "set-nx-ex", "redisson-lock", "redlock"}) {
        for (const FaultKind fault :
             {FaultKind::Interleaving, FaultKind::Crash, FaultKind::Pause, FaultKind::MessageDelay,
              FaultKind::ClockSkew, FaultKind::ClockStep, FaultKind::Failover}) {
            QTest::addRow("%s, %s", id, std::string(idOf(fault)).c_str())
                << QByteArray(id) << fault;
        }
    }
}

void TestStory::aStoryHasAsManyNumbersAsItsRunHasSteps()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const FaultKind, fault);
    const protocol::LockProtocol& lock = *protocol::findProtocol(protocol.toStdString());
    const std::vector<WorldPlan> plans = search::defaultPlans(lock.info(), fault);
    sim::LuaEngine lua;
    search::Bounds bounds;
    bounds.schedulesMax = 400;
    const search::SearchReport report = searchPlans(lock, plans, lua, bounds);
    for (const search::PromiseResult& result : report.promises) {
        if (!result.finding) {
            continue;
        }
        const auto story = tellStory(lock, plans[result.planIndex], *result.finding, lua);
        int number = 0;
        for (const search::StoryLine& line : story) {
            if (line.number > 0) {
                QCOMPARE(line.number, ++number);
            }
        }
        QCOMPARE(number, result.finding->length);
        QCOMPARE(numberAt(story, story.size() - 1), result.finding->length);
    }
}

void TestStory::linesWithoutANumberBelongToTheStepBefore()
{
    std::vector<search::StoryLine> story{{Instant(), 0, "one", false, 0},
                                         {Instant(), 0, "two", false, 0}};
    search::numberWhereMissing(story);
    QCOMPARE(story[1].number, 2);
    story[1].number = 0;
    search::numberWhereMissing(story);
    QCOMPARE(numberAt(story, 1), 1);
    const std::vector<std::string> lines = numbered(story);
    QCOMPARE(lines[0], std::string(" 1.    0.000 s  one"));
    QCOMPARE(lines[1], std::string("       0.000 s  two"));
}

void TestStory::aRunInWhichNothingBreaksIsToldToItsEnd()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& lock = *protocol::findProtocol("set-nx-px-token");
    const WorldPlan plan = search::defaultShapes(lock.info()).front();
    world::World world(lock, plan, lua);
    std::vector<Step> steps;
    while (!world.steps().empty()) {
        steps.push_back(world.steps().front());
        QVERIFY(world.takeStep(steps.back()));
    }
    const auto story = search::tellRun(lock, plan, steps, lua);
    QVERIFY(!story.empty());
    QVERIFY(std::ranges::none_of(story, &StoryLine::isViolation));
    QCOMPARE(search::numberAt(story, story.size() - 1), world.cost());
    QVERIFY2(std::ranges::any_of(story,
                                 [](const StoryLine& line) {
                                     return line.text.find("B holds k") != std::string::npos;
                                 }),
             "both get the lock, one after the other");
}

void TestStory::tokensAreShort()
{
    QCOMPARE(search::commandText(store::Command("SET", "k", "04ffe819-9ea4-4afe-8c42-df3843ff73f1",
                                                "NX", "PX", 10000)),
             std::string("SET k 04ff… NX PX 10000"));
    QCOMPARE(search::commandText(store::Command("GET", "not-a-token")),
             std::string("GET not-a-token"));
    const std::string beginning(35, 'k'); // the mark of the cut stands where a long word ends
    QCOMPARE(search::commandText(store::Command("GET", beginning
                                                           + "04ffe819-9ea4-4afe-8c42-df3843ff73f1"
                                                             ":63")),
             "GET " + beginning + "04ff……");
    QCOMPARE(search::answerText(Reply::ofError("ERR \xff")), std::string("an error (ERR \\xff)"));
}

void TestStory::scriptsAreCalledByTheirNames()
{
    const Told told = storyOf("redisson-lock", FaultKind::Pause, "one behind the other's lease",
                              {{}, {}});
    QVERIFY2(told.text.find("sends the script ") != std::string::npos, told.text.c_str());
    QCOMPARE(search::commandText(store::Command("EVAL", "return 1", 1, "k", "x")),
             std::string("its script for k x"));
}

/// One article is enough.
void TestStory::messagesAreNamedInSentences()
{
    const store::Command command("EVAL", "return 1", 1, "k", "x");
    WorldPlan plan;
    plan.clients.resize(1);
    const auto told = [&](FaultKind kind, int variant) {
        return search::faultText(Step::ofFault(kind, 0, 0, variant), &command, plan);
    };
    QCOMPARE(told(FaultKind::MessageLoss, 0), std::string("the script for k x of A is lost"));
    QCOMPARE(told(FaultKind::MessageLoss, 1),
             std::string("the reply to the script for k x of A is lost"));
    QCOMPARE(told(FaultKind::ConnectionLoss, 1),
             std::string("the connection of A breaks before the reply to its script for k x"));
}

void TestStory::answersAreReadable()
{
    QCOMPARE(search::answerText(Reply()), std::string("nil"));
    QCOMPARE(search::answerText(Reply::ofInteger(-2)), std::string("-2"));
    QCOMPARE(search::answerText(Reply::ofError("NOSCRIPT no")),
             std::string("an error (NOSCRIPT no)"));
    QCOMPARE(search::answerText(Reply::ofArray({Reply::ofInteger(1), Reply::ofStatus("OK")})),
             std::string("(1, OK)"));
}

void TestStory::everyFaultHasASentence()
{
    WorldPlan plan;
    plan.clients.resize(2);
    plan.clients[0].acts = {world::Act::acquire(10s), world::Act::release()};
    std::vector<std::string> sentences;
    for (int i = 1; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        plan.faults = world::FaultPlan::only(kind, 10s);
        const int variantCount = kind == FaultKind::ForceRelease ? 1 : 2;
        for (int variant = 0; variant < variantCount; ++variant) {
            sentences.push_back(search::faultText(Step::ofFault(kind, 0, 0, variant), nullptr,
                                                  plan));
            QVERIFY(!sentences.back().empty());
        }
    }
    std::ranges::sort(sentences);
    const auto same = std::ranges::unique(sentences);
    // Kinds without variants say the same for both.
    QVERIFY(sentences.size() - same.size() >= static_cast<std::size_t>(FaultKind::FaultKindCount));
}

LOCKSCOPE_TEST(TestStory, None)

} // namespace lockscope::tst_story

#include "tst_story.moc"
