#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/rewindable_world.h"
#include "core/kernel/world/fault_info.h"
#include "tests/kernel/search/search_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <memory>

namespace lockscope::tst_equal_states {

using namespace lockscope::testing;
using search::RewindableWorld;
using world::Step;
using world::WorldPlan;

namespace {

/// Of each plan, enough to come back to some. Where calendars are set, more: what a client has read
/// from one is the hardest to see from outside.
constexpr std::size_t kStatesLookedAt = 40;
constexpr std::size_t kStatesLookedAtByCalendar = 200;

/// About so many plans of each fault, evenly chosen among all of them. Sanitizers have no images,
/// so that each look goes there again.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kPlansLookedAt = 16;
#else
constexpr std::size_t kPlansLookedAt = 100;
#endif

struct Subject {
    const protocol::LockProtocol* protocol;
    WorldPlan plan;
};

std::vector<Subject> subjectsFor(world::FaultKind fault)
{
    std::vector<Subject> all;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        for (WorldPlan& plan : search::plansFor(protocol->info(), fault)) {
            all.push_back({protocol, std::move(plan)});
        }
    }
    const std::size_t stride = std::max<std::size_t>(1, all.size() / kPlansLookedAt);
    std::vector<Subject> chosen;
    for (std::size_t i = 0; i < all.size(); i += stride) {
        chosen.push_back(std::move(all[i]));
    }
    return chosen;
}

struct Successor {
    Step step;
    std::uint64_t hash = 0;

    friend bool operator==(const Successor&, const Successor&) = default;
};

/// Goes through the states of one plan and looks again at each that it comes back to.
class Comparison {
public:
    Comparison(const protocol::LockProtocol& protocol, const WorldPlan& plan, sim::LuaEngine& lua)
        : m_stage({protocol, plan, lua}, m_arena.get())
    {}

    /// The last steps of two ways to one hash that go on differently; empty: there are none.
    QByteArray firstDifference(std::size_t statesMax)
    {
        m_ways.push_back({});
        // By length: short ways meet again soonest.
        for (std::size_t i = 0; i < m_ways.size() && i < statesMax; ++i) {
            const std::vector<Step> way = m_ways[i];
            std::vector<Successor> successors;
            const std::uint64_t hash = lookAt(way, successors);
            const auto [known, isNew] = m_known.try_emplace(hash, Known{way, successors});
            m_revisitCount += isNew ? 0 : 1;
            if (!isNew && known->second.successors != successors) {
                return textOf(known->second.way) + "  |  " + textOf(way);
            }
            for (const Successor& successor : successors) {
                if (isNew) {
                    m_ways.push_back(way);
                    m_ways.back().push_back(successor.step);
                }
            }
        }
        return {};
    }

    std::size_t revisitCount() const { return m_revisitCount; }

private:
    struct Known {
        std::vector<Step> way;
        std::vector<Successor> successors;
    };

    std::uint64_t lookAt(const std::vector<Step>& way, std::vector<Successor>& successors)
    {
        take(way);
        const RewindableWorld::Image image = m_stage.save();
        const std::uint64_t hash = m_stage.world().stateHash();
        const auto possible = m_stage.steps();
        for (const Step& step : std::vector<Step>(possible.begin(), possible.end())) {
            if (image != RewindableWorld::kNoImage) {
                m_stage.putBack(image);
            } else {
                take(way);
            }
            m_stage.takeKnownStep(step);
            successors.push_back({step, m_stage.world().stateHash()});
        }
        if (image != RewindableWorld::kNoImage) {
            m_stage.forget(image);
        }
        return hash;
    }

    void take(const std::vector<Step>& way)
    {
        m_stage.putBackToBeginning();
        for (const Step& step : way) {
            m_stage.takeKnownStep(step);
        }
    }

    std::unique_ptr<Arena> m_arena = Arena::take();
    RewindableWorld m_stage;
    std::vector<std::vector<Step>> m_ways;
    std::map<std::uint64_t, Known> m_known;
    std::size_t m_revisitCount = 0;
};

} // namespace

class TestEqualStates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalHashesGoOnAlike_data();
    void equalHashesGoOnAlike();
};

void TestEqualStates::equalHashesGoOnAlike_data()
{
    QTest::addColumn<int>("fault");
    for (const world::FaultInfo& fault : world::allFaults()) {
        QTest::newRow(idOf(fault.kind).data()) << static_cast<int>(fault.kind);
    }
}

/// A search goes into one of several states with one hash. If they went on differently, it would
/// not see what the others lead to, and still call itself complete.
void TestEqualStates::equalHashesGoOnAlike()
{
    QFETCH(const int, fault);
    const auto kind = static_cast<world::FaultKind>(fault);
    const std::size_t statesMax = kind == world::FaultKind::ClockStep ? kStatesLookedAtByCalendar
                                                                      : kStatesLookedAt;
    sim::LuaEngine lua;
    std::size_t revisitCount = 0;
    for (const Subject& subject : subjectsFor(kind)) {
        Comparison comparison(*subject.protocol, subject.plan, lua);
        const QByteArray difference = comparison.firstDifference(statesMax);
        const QByteArray which = QByteArray::fromStdString(subject.protocol->info().id + ", "
                                                           + subject.plan.name + ": ");
        QVERIFY2(difference.isEmpty(), QByteArray(which + difference).constData());
        revisitCount += comparison.revisitCount();
    }
    QVERIFY(revisitCount > 0);
}

LOCKSCOPE_TEST(TestEqualStates, Core)

} // namespace lockscope::tst_equal_states

#include "tst_equal_states.moc"
