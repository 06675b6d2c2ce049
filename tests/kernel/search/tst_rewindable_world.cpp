#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/inevitability.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/search/rewindable_world.h"
#include "core/kernel/world/fault_info.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

namespace lockscope::tst_rewindable_world {

using namespace lockscope::testing;
using search::Exploration;
using search::Explorer;
using search::RewindableWorld;
using world::Step;
using world::WorldPlan;

namespace {

/// Everything that a search says.
QByteArray allOf(const Exploration& exploration)
{
    QByteArray text;
    for (const search::Finding& finding : exploration.findings) {
        text += textOf(std::vector{finding.violation}) + ' ' + QByteArray::number(finding.length)
                + ": " + textOf(finding.steps) + '\n';
    }
    const search::Coverage& coverage = exploration.coverage;
    for (const std::uint64_t number : {coverage.schedules, coverage.states, coverage.commands,
                                       static_cast<std::uint64_t>(coverage.longest),
                                       static_cast<std::uint64_t>(coverage.virtualTime.count()),
                                       std::uint64_t{coverage.isComplete}}) {
        text += QByteArray::number(quint64{number}) + ' ';
    }
    return text;
}

/// The hashes of a run that takes the last of the possible steps, always.
std::vector<std::uint64_t> runToEnd(RewindableWorld& stage)
{
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 40; ++i) {
        const auto steps = stage.steps();
        if (steps.empty()) {
            stage.conclude();
            break;
        }
        const Step step = steps.back();
        stage.takeKnownStep(step);
        hashes.push_back(stage.world().stateHash());
    }
    return hashes;
}

} // namespace

class TestRewindableWorld : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itGoesOnFromAnImage();
    void itBeginsAnew();
    void worldsTakeTurnsInOneArena();
    void thereIsNoImageWithoutRoom();
    void searchesFindTheSameWithoutImages_data();
    void searchesFindTheSameWithoutImages();
    void aSmallBudgetIsEnough();
    void randomSearchesFindTheSameWithoutImages();
};

void TestRewindableWorld::itGoesOnFromAnImage()
{
    if (!Arena::kIsInBuild) {
        QSKIP("there are no images in a build with sanitizers");
    }
    const auto arena = Arena::take();
    const WorldPlan plan = twoAtOnce(world::FaultKind::Pause);
    sim::LuaEngine lua;
    RewindableWorld stage({*protocol::findProtocol("redisson-fair"), plan, lua}, arena.get());
    for (int i = 0; i < 3; ++i) {
        const Step step = stage.steps().front();
        stage.takeKnownStep(step);
    }
    const std::uint64_t hash = stage.world().stateHash();
    const RewindableWorld::Image image = stage.save();
    QVERIFY(image != RewindableWorld::kNoImage);
    const auto first = runToEnd(stage);
    QVERIFY(first.size() > 5);
    for (int i = 0; i < 2; ++i) {
        stage.putBack(image);
        QCOMPARE(stage.world().stateHash(), hash);
        QVERIFY(runToEnd(stage) == first);
    }
}

void TestRewindableWorld::itBeginsAnew()
{
    const auto arena = Arena::take();
    const WorldPlan plan = twoAtOnce(world::FaultKind::Pause);
    sim::LuaEngine lua;
    const RewindableWorld::Setting setting{*protocol::findProtocol("list-handoff"), plan, lua};
    RewindableWorld withImages(setting, arena.get());
    RewindableWorld without(setting, nullptr);
    const auto first = runToEnd(withImages);
    QVERIFY(runToEnd(without) == first);
    withImages.putBackToBeginning();
    without.putBackToBeginning();
    QVERIFY(runToEnd(withImages) == first);
    QVERIFY(runToEnd(without) == first);
}

void TestRewindableWorld::worldsTakeTurnsInOneArena()
{
    const auto arena = Arena::take();
    const WorldPlan small = twoAtOnce();
    const WorldPlan large = planOf({aRound(), aRound(), aRound(), aRound()});
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    RewindableWorld one({protocol, small, lua}, arena.get());
    const auto ofOne = runToEnd(one);
    RewindableWorld other({protocol, large, lua}, arena.get());
    const auto ofOther = runToEnd(other);
    for (int i = 0; i < 3; ++i) {
        one.putBackToBeginning();
        QVERIFY(runToEnd(one) == ofOne);
        other.putBackToBeginning();
        QVERIFY(runToEnd(other) == ofOther);
    }
}

void TestRewindableWorld::thereIsNoImageWithoutRoom()
{
    const auto arena = Arena::take();
    const WorldPlan plan = twoAtOnce();
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-ex");
    RewindableWorld none({protocol, plan, lua, 0}, arena.get());
    QCOMPARE(none.save(), RewindableWorld::kNoImage);
    RewindableWorld few({protocol, plan, lua, 1}, arena.get());
    few.takeKnownStep(few.steps().front());
    if (Arena::kIsInBuild) {
        const RewindableWorld::Image image = few.save();
        QVERIFY(image != RewindableWorld::kNoImage);
        QCOMPARE(few.save(), RewindableWorld::kNoImage);
        few.forget(image);
        few.putBackToBeginning(); // the next image would have been based on that one
        QVERIFY(few.save() != RewindableWorld::kNoImage);
    }
}

void TestRewindableWorld::searchesFindTheSameWithoutImages_data()
{
    QTest::addColumn<int>("fault");
    for (const world::FaultInfo& fault : world::allFaults()) {
        QTest::newRow(idOf(fault.kind).data()) << static_cast<int>(fault.kind);
    }
}

/// All default plans. Deep enough that every search goes back often.
void TestRewindableWorld::searchesFindTheSameWithoutImages()
{
    if (!Arena::kIsInBuild) {
        QSKIP("there are no images in a build with sanitizers");
    }
    QFETCH(const int, fault);
    search::Bounds bounds;
    bounds.schedulesMax = 300;
    sim::LuaEngine lua;
    sim::LuaEngine plainLua(sim::LuaEngine::Answers::Computed);
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        for (const WorldPlan& plan :
             search::plansFor(protocol->info(), static_cast<world::FaultKind>(fault))) {
            Explorer::Setting setting{*protocol, plan, lua, bounds, {}, true, {}};
            const QByteArray withImages = allOf(Explorer(setting).run());
            Explorer::Setting plain{*protocol, plan, plainLua, bounds, {}, true, {}, 0};
            const QByteArray without = allOf(Explorer(plain).run());
            const QByteArray which = QByteArray::fromStdString(protocol->info().id + ", "
                                                               + plan.name + '\n');
            QVERIFY2(withImages == without,
                     QByteArray(which + withImages + '\n' + without).constData());
        }
    }
}

/// When there is no room for more, some branches have an image and the others repeat their
/// beginnings.
void TestRewindableWorld::aSmallBudgetIsEnough()
{
    const WorldPlan plan = twoAtOnce(world::FaultKind::Partition);
    search::Bounds bounds;
    bounds.schedulesMax = 1000;
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("redlock");
    const QByteArray plain = allOf(Explorer({protocol, plan, lua, bounds, {}, true, {}, 0}).run());
    for (const std::size_t budget : {std::size_t{1}, std::size_t{50'000}}) {
        QCOMPARE(allOf(Explorer({protocol, plan, lua, bounds, {}, true, {}, budget}).run()), plain);
    }
}

void TestRewindableWorld::randomSearchesFindTheSameWithoutImages()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("redisson-lock");
    const auto plans = search::defaultPlans(protocol.info(), world::FaultKind::Pause);
    search::RandomSetting setting{protocol, plans, lua};
    setting.runCount = 300;
    const search::RandomResult withImages = searchRandomly(setting);
    setting.imageBytesMax = 0;
    const search::RandomResult without = searchRandomly(setting);
    QCOMPARE(withImages.found.size(), without.found.size());
    for (std::size_t i = 0; i < without.found.size(); ++i) {
        QCOMPARE(withImages.found[i].seed, without.found[i].seed);
        QCOMPARE(textOf(withImages.found[i].finding.steps), textOf(without.found[i].finding.steps));
    }
    QCOMPARE(withImages.coverage.commands, without.coverage.commands);
    QCOMPARE(withImages.coverage.virtualTime.count(), without.coverage.virtualTime.count());
}

LOCKSCOPE_TEST(TestRewindableWorld, Core)

} // namespace lockscope::tst_rewindable_world

#include "tst_rewindable_world.moc"
