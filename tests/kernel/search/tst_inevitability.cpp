#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/inevitability.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_inevitability {

using search::Continuation;
using world::FaultKind;

class TestInevitability : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void raceIsLostBeforeItShows();
    void whatCannotHappenIsNotSampled();
    void inevitableAfterIsTheFirstPlaceOfNoReturn();
    void theTurningPointIsALineOfTheStory();
};

/// Both have seen "absent": from here on, nothing can help.
void TestInevitability::raceIsLostBeforeItShows()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    const search::Goal goal{protocol::Promise::MutualExclusion, world::ViolationKind::DoubleGrant};
    search::Explorer explorer({protocol, plans[0], lua, {}, goal, true, {}});
    const auto exploration = explorer.run();
    const search::Finding* const finding = exploration.find(goal);
    QVERIFY(finding != nullptr);
    const auto continuations = search::sampleContinuations(protocol, plans[0], *finding, lua,
                                                           {30, 1, {}});
    int asked = 0;
    const auto thrice = [&asked] { return ++asked <= 3; };
    QVERIFY(
        search::sampleContinuations(protocol, plans[0], *finding, lua, {30, 1, thrice}).empty());
    QCOMPARE(asked, 4);
    QCOMPARE(continuations.size(), finding->steps.size() + 1);
    QVERIFY(!continuations.front().isInevitable());
    QVERIFY(continuations.back().isInevitable());
    QCOMPARE(search::inevitableAfter(continuations), 2U);
}

void TestInevitability::whatCannotHappenIsNotSampled()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("exists-then-set");
    const auto plans = search::defaultPlans(protocol.info(), FaultKind::Interleaving);
    search::Finding finding;
    // Nothing was asked there.
    finding.steps = {world::Step::serve(0, 0, world::LinkRole::Channels)};
    QVERIFY(search::sampleContinuations(protocol, plans[0], finding, lua).empty());
}

void TestInevitability::inevitableAfterIsTheFirstPlaceOfNoReturn()
{
    const std::vector<Continuation> continuations{
        {0, 10, 3}, {1, 10, 10}, {2, 10, 9}, {3, 10, 10}, {4, 10, 10}};
    QCOMPARE(search::inevitableAfter(continuations), 3U);
    QCOMPARE(search::inevitableAfter({{0, 10, 0}, {1, 10, 0}}), 1U);
}

void TestInevitability::theTurningPointIsALineOfTheStory()
{
    const std::vector<search::StoryLine> story{{Instant(), 0, "A sends", false},
                                               {Instant(), 1, "B sends", false},
                                               {Instant(), 1, "the key expires", false},
                                               {Instant(), 2, "both", true}};
    const auto turn = search::turningPointIn(story,
                                             {{0, 10, 1}, {1, 10, 4}, {2, 10, 10}, {3, 10, 10}});
    QVERIFY(turn.has_value());
    QVERIFY((*turn == search::TurningPoint{1, 10, 4}));
    // Certain from the beginning, or never: there is no such line.
    QVERIFY(!search::turningPointIn(story, {{0, 10, 10}, {1, 10, 10}}));
    QVERIFY(!search::turningPointIn(story, {{0, 10, 1}, {1, 10, 4}}));
    QVERIFY(!search::turningPointIn({}, {{0, 10, 1}, {1, 10, 10}}));
}

LOCKSCOPE_TEST(TestInevitability, None)

} // namespace lockscope::tst_inevitability

#include "tst_inevitability.moc"
