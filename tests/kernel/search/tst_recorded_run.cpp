#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/recorded_run.h"
#include "core/kernel/search/story.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <tuple>

namespace lockscope::tst_recorded_run {

using search::RecordedRun;
using trace::SpanEnd;
using world::FaultKind;

namespace {

struct Found {
    const protocol::LockProtocol* protocol = nullptr;
    world::WorldPlan plan;
    search::Finding finding;
};

/// The shortest run of the kind, in the first default plan that has one.
std::optional<Found> shortest(const char* id, FaultKind fault, world::ViolationKind kind)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol* const protocol = protocol::findProtocol(id);
    for (const world::WorldPlan& plan : search::defaultPlans(protocol->info(), fault)) {
        const search::Goal goal{std::nullopt, kind};
        search::Bounds bounds;
        bounds.schedulesMax = 1000;
        const auto found = search::Explorer({*protocol, plan, lua, bounds, goal, true, {}}).run();
        if (const search::Finding* const finding = found.find(goal)) {
            return Found{protocol, plan, *finding};
        }
    }
    return std::nullopt;
}

RecordedRun recorded(const Found& found)
{
    sim::LuaEngine lua;
    return search::recordRun(*found.protocol, found.plan, found.finding.steps, lua);
}

/// The plan without a fault, and everything in its turn.
trace::Chronicle undisturbed(const char* id)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(id);
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    return search::recordRun(protocol, plans.front(), {}, lua).chronicle;
}

/// Two clients of set-nx-px-token, the first of whose requests is struck by the fault.
trace::Chronicle disturbed(FaultKind fault, int variant)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const auto plans = search::defaultPlans(protocol.info(), fault);
    const std::vector steps{world::Step::ofFault(fault, 0, 0, variant)};
    const RecordedRun run = search::recordRun(protocol, plans.front(), steps, lua);
    return run.impossibleStep ? trace::Chronicle() : run.chronicle;
}

/// The first holds it, the second waits for the server's answer, and then stands still.
std::vector<world::Step> untilTheSecondStopsWaiting(const protocol::LockProtocol& protocol,
                                                    const world::WorldPlan& plan,
                                                    sim::LuaEngine& lua)
{
    std::vector<world::Step> steps;
    world::World world(protocol, plan, lua);
    const auto stop = world::Step::ofFault(FaultKind::Pause, 1, 0);
    for (auto possible = world.steps(); !possible.empty(); possible = world.steps()) {
        const bool isQuiet = std::ranges::none_of(possible, [](const world::Step& step) {
            return step.kind == world::Step::Kind::Serve;
        });
        const bool canStop = isQuiet && world.commandCount() > 0
                             && std::ranges::find(possible, stop) != possible.end();
        steps.push_back(canStop ? stop : possible.front());
        if (canStop || !world.takeStep(steps.back())) {
            break;
        }
    }
    return steps;
}

bool hasAnswer(const trace::Message& message)
{
    return message.text.find(": ") != std::string::npos;
}

bool isInItsOrder(const trace::Message& message)
{
    const Instant applied = message.appliedAt.value_or(message.sentAt);
    return message.sentAt <= applied && applied <= message.answeredAt.value_or(applied);
}

} // namespace

class TestRecordedRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOutlivedLeaseIsAnOverlapOfBeliefsAndNotOfServerHolds();
    void aDoubleGrantOverlapsForAsLongAsBothBelieve();
    void aForeignReleaseEndsTheServerHoldByForce();
    void aMajorityOfTheServersIsTheTruth();
    void eachOfSeveralServersHasHoldsOfItsOwn();
    void stepsAreThoseOfTheStory();
    void anImpossibleStepEndsTheRecord();
    void everyCommandIsAMessage();
    void anAnswerThatIsLostIsNotHeard();
    void whatNeverArrivesIsNotCarriedOut();
    void aDelayedCommandIsCarriedOutLater();
    void whoStandsStillHearsLater();
    void aMessageToASubscriberIsAPush();
};

void TestRecordedRun::anOutlivedLeaseIsAnOverlapOfBeliefsAndNotOfServerHolds()
{
    const auto found = shortest("set-nx-px-token", FaultKind::Pause,
                                world::ViolationKind::DoubleBelief);
    QVERIFY(found);
    const RecordedRun run = recorded(*found);
    QVERIFY(std::ranges::is_sorted(run.steps.times));
    QCOMPARE(run.steps.eventSteps.size(), run.events.size());
    QCOMPARE(run.chronicle.overlaps.size(), 1U);
    const trace::Overlap& overlap = run.chronicle.overlaps.front();
    QVERIFY(overlap.from < overlap.to); // the run goes on behind the violation
    QVERIFY(!run.violations.empty());
    const auto& serverHolds = run.chronicle.serverHolds;
    QVERIFY(serverHolds.size() >= 2);
    QVERIFY(serverHolds[0].holder == overlap.first);
    QVERIFY(serverHolds[0].end == SpanEnd::Expired);
    QVERIFY(serverHolds[1].holder == overlap.second);
    QVERIFY(serverHolds[0].to <= serverHolds[1].from);
    const bool isPauseSeen = std::ranges::any_of(run.chronicle.spans, [&](const auto& span) {
        return span.kind == trace::Span::Kind::Paused && span.contender == overlap.first;
    });
    QVERIFY(isPauseSeen);
}

void TestRecordedRun::aDoubleGrantOverlapsForAsLongAsBothBelieve()
{
    const auto found = shortest("exists-then-set", FaultKind::Interleaving,
                                world::ViolationKind::DoubleGrant);
    QVERIFY(found);
    const RecordedRun run = recorded(*found);
    QVERIFY(!run.chronicle.overlaps.empty());
    QVERIFY(run.chronicle.overlaps.front().from < run.chronicle.overlaps.front().to);
}

void TestRecordedRun::aForeignReleaseEndsTheServerHoldByForce()
{
    const auto found = shortest("set-nx-ex", FaultKind::Pause, world::ViolationKind::WrongRelease);
    QVERIFY(found);
    const RecordedRun run = recorded(*found);
    const bool isForced = std::ranges::any_of(run.chronicle.serverHolds,
                                              [](const auto& serverHold) {
                                                  return serverHold.end == SpanEnd::Forced;
                                              });
    QVERIFY(isForced);
}

void TestRecordedRun::aMajorityOfTheServersIsTheTruth()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& redlock = *protocol::findProtocol("redlock");
    const auto plans = search::defaultShapes(redlock.info());
    using world::LinkRole;
    const auto serverHoldsAfter = [&](std::initializer_list<int> nodes) {
        world::World world(redlock, plans.front(), lua);
        for (const int node : nodes) {
            world.takeStep(world::Step::serve(0, node, LinkRole::Commands));
        }
        return world.ledger().currentHolds(world.now());
    };
    QCOMPARE(plans.front().nodeCount, 3);
    QVERIFY(serverHoldsAfter({0}).empty());
    QCOMPARE(serverHoldsAfter({0, 1}).size(), 1U);
    QCOMPARE(serverHoldsAfter({0, 1}).front().client, 0);
    QCOMPARE(serverHoldsAfter({0, 1, 2}).size(), 1U);
}

void TestRecordedRun::eachOfSeveralServersHasHoldsOfItsOwn()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& redlock = *protocol::findProtocol("redlock");
    const auto plans = search::defaultShapes(redlock.info());
    using world::LinkRole;
    const std::vector steps{world::Step::serve(1, 2, LinkRole::Commands),
                            world::Step::serve(0, 0, LinkRole::Commands),
                            world::Step::serve(0, 1, LinkRole::Commands)};
    const RecordedRun run = search::recordRun(redlock, plans.front(), steps, lua);
    QVERIFY(!run.impossibleStep);
    const auto firstOn = [&run](std::optional<int> node) {
        const auto found = std::ranges::find(run.chronicle.serverHolds, node,
                                             &trace::ServerHold::node);
        return found == run.chronicle.serverHolds.end() ? trace::ServerHold() : *found;
    };
    QCOMPARE(firstOn(0).holder, std::optional<trace::ContenderId>(0));
    QCOMPARE(firstOn(0).fromStep, 2U);
    QCOMPARE(firstOn(2).holder, std::optional<trace::ContenderId>(1));
    QCOMPARE(firstOn(2).fromStep, 1U);
    QCOMPARE(firstOn(std::nullopt).holder, std::optional<trace::ContenderId>(0));
    QCOMPARE(firstOn(std::nullopt).fromStep, 3U); // the second of three makes it a majority
}

/// Matrix, Lab, command line and timeline count alike.
void TestRecordedRun::stepsAreThoseOfTheStory()
{
    sim::LuaEngine lua;
    for (const auto& [id, fault, kind] :
         {std::tuple("exists-then-set", FaultKind::Interleaving, world::ViolationKind::DoubleGrant),
          std::tuple("set-nx-px-token", FaultKind::Pause, world::ViolationKind::DoubleBelief)}) {
        const auto found = shortest(id, fault, kind);
        QVERIFY(found);
        const RecordedRun run = recorded(*found);
        const auto story = search::tellStory(*found->protocol, found->plan, found->finding, lua);
        const auto last = static_cast<std::uint32_t>(search::numberAt(story, story.size() - 1));
        QVERIFY(last > 0 && last < run.steps.times.size());
        QVERIFY(run.steps.timeOf(last) >= story.back().at);
        const trace::Chronicle inSteps = trace::chronicleInSteps(run.events, run.chronicle,
                                                                 run.steps, found->plan.permits);
        QVERIFY(!inSteps.overlaps.empty());
        QVERIFY(inSteps.overlaps.front().from == trace::instantOfStep(last));
    }
}

void TestRecordedRun::anImpossibleStepEndsTheRecord()
{
    auto found = shortest("exists-then-set", FaultKind::Interleaving,
                          world::ViolationKind::DoubleGrant);
    QVERIFY(found);
    found->finding.steps.insert(found->finding.steps.begin(), world::Step::serve(7, 0, {}));
    const RecordedRun run = recorded(*found);
    QCOMPARE(run.impossibleStep.value_or(99), 0U);
    QCOMPARE(run.steps.times.size(), 1U); // the beginning
}

void TestRecordedRun::everyCommandIsAMessage()
{
    const auto messages = undisturbed("set-nx-px-token").messages;
    QVERIFY(messages.size() >= 4); // two clients take it and give it back
    QVERIFY(std::ranges::is_sorted(messages, {}, &trace::Message::sentAt));
    QVERIFY(std::ranges::all_of(messages, isInItsOrder));
    QVERIFY(std::ranges::all_of(messages, hasAnswer));
    const trace::Message& first = messages.front();
    QVERIFY2(first.text.starts_with("SET ") && first.text.ends_with(": OK"), first.text.c_str());
    QVERIFY(first.appliedAt && first.answeredAt);
    const bool isSecondSeen = std::ranges::any_of(messages, [](const trace::Message& message) {
        return message.contender == 1;
    });
    QVERIFY(isSecondSeen);
}

void TestRecordedRun::anAnswerThatIsLostIsNotHeard()
{
    const auto messages = disturbed(FaultKind::MessageLoss, 1).messages;
    QVERIFY(!messages.empty());
    QVERIFY(messages.front().appliedAt);
    QVERIFY(!messages.front().answeredAt);
    QVERIFY(!hasAnswer(messages.front()));
}

void TestRecordedRun::whatNeverArrivesIsNotCarriedOut()
{
    const auto messages = disturbed(FaultKind::MessageLoss, 0).messages;
    QVERIFY(!messages.empty());
    QVERIFY(!messages.front().appliedAt);
    QVERIFY(!messages.front().answeredAt);
}

void TestRecordedRun::aDelayedCommandIsCarriedOutLater()
{
    const auto messages = disturbed(FaultKind::MessageDelay, 0).messages;
    QVERIFY(!messages.empty());
    QVERIFY(messages.front().appliedAt >= messages.front().sentAt);
    QVERIFY(!messages.front().answeredAt);
}

void TestRecordedRun::whoStandsStillHearsLater()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("list-handoff");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Pause);
    const std::vector<world::Step> steps = untilTheSecondStopsWaiting(protocol, plans.front(), lua);
    QVERIFY(steps.back().kind == world::Step::Kind::Fault);
    const auto chronicle = search::recordRun(protocol, plans.front(), steps, lua).chronicle;
    const auto pause = std::ranges::find(chronicle.spans, trace::Span::Kind::Paused,
                                         &trace::Span::kind);
    QVERIFY(pause != chronicle.spans.end());
    bool isAnswerLate = false;
    for (const trace::Message& message : chronicle.messages) {
        const bool isItsOwn = message.contender == pause->contender;
        QVERIFY(!isItsOwn || !message.answeredAt || *message.answeredAt <= pause->from
                || *message.answeredAt >= pause->to);
        isAnswerLate = isAnswerLate || (isItsOwn && message.answeredAt == pause->to);
    }
    QVERIFY(isAnswerLate);
}

void TestRecordedRun::aMessageToASubscriberIsAPush()
{
    const auto messages = undisturbed("redisson-lock").messages;
    const auto push = std::ranges::find_if(messages, &trace::Message::isPush);
    QVERIFY(push != messages.end());
    QVERIFY2(push->text.starts_with("hears (message, "), push->text.c_str());
    QVERIFY(push->sentAt == push->appliedAt && push->sentAt <= push->answeredAt);
    const bool isSubscribed = std::ranges::any_of(messages, [&](const trace::Message& message) {
        return message.text.starts_with("SUBSCRIBE ") && message.answeredAt <= push->sentAt;
    });
    QVERIFY(isSubscribed);
}

LOCKSCOPE_TEST(TestRecordedRun, None)

} // namespace lockscope::tst_recorded_run

#include "tst_recorded_run.moc"
