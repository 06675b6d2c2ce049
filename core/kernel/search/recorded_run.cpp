#include "search/recorded_run.h"

#include <algorithm>
#include <utility>

namespace lockscope::search {

using trace::SpanEnd;
using trace::Tenure;
using world::Ledger;
using world::Step;
using world::World;

namespace {

/// Runs that go on for ever, as those with a zombie do, are drawn for so many steps more.
constexpr int kFurtherStepsMax = 200;

/// Follows who stands in the locks on the servers, step by step.
class TenureBook {
public:
    void see(const World& world, const Step& step)
    {
        const std::vector<Ledger::Standing> present = world.ledger().standings(world.now());
        std::erase_if(m_open, [&](const Open& open) {
            const bool isThere = std::ranges::any_of(present, [&open](const auto& standing) {
                return isSame(open, standing);
            });
            if (!isThere) {
                close(open, world.now(), step);
            }
            return !isThere;
        });
        for (const Ledger::Standing& standing : present) {
            const auto known = std::ranges::find_if(m_open, [&standing](const Open& open) {
                return isSame(open, standing);
            });
            if (known != m_open.end()) {
                known->until = standing.until;
                continue;
            }
            m_open.push_back({tenureOf(standing, world.now()), standing.until});
        }
    }

    std::vector<Tenure> finished(Instant end)
    {
        for (Open& open : m_open) {
            open.tenure.to = end;
            m_tenures.push_back(open.tenure);
        }
        std::ranges::stable_sort(m_tenures, {}, &Tenure::from);
        return std::move(m_tenures);
    }

private:
    struct Open {
        Tenure tenure;
        Instant until{};
    };

    static bool isSame(const Open& open, const Ledger::Standing& standing)
    {
        return static_cast<int>(open.tenure.holder) == standing.client
               && static_cast<int>(open.tenure.lock) == standing.lock;
    }

    static Tenure tenureOf(const Ledger::Standing& standing, Instant now)
    {
        return {now, now, static_cast<trace::ContenderId>(standing.client),
                static_cast<trace::LockId>(standing.lock), SpanEnd::Open};
    }

    void close(const Open& open, Instant now, const Step& step)
    {
        Tenure tenure = open.tenure;
        tenure.to = std::min(now, open.until);
        const bool isOwn = step.kind == Step::Kind::Serve
                           && step.client == static_cast<int>(tenure.holder);
        tenure.end = open.until <= now ? SpanEnd::Expired
                     : isOwn           ? SpanEnd::Released
                                       : SpanEnd::Forced;
        m_tenures.push_back(tenure);
    }

    std::vector<Open> m_open;
    std::vector<Tenure> m_tenures;
};

/// The first step that is no fault.
std::optional<Step> harmlessStep(World& world)
{
    const std::span<const Step> steps = world.steps();
    const auto found = std::ranges::find_if(steps, [](const Step& step) {
        return step.kind != Step::Kind::Fault;
    });
    return found == steps.end() ? std::nullopt : std::optional(*found);
}

} // namespace

RecordedRun recordRun(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                      std::span<const Step> steps, sim::LuaEngine& lua)
{
    World world(protocol, plan, lua);
    TenureBook book;
    RecordedRun run;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!world.take(steps[i])) {
            run.impossibleStep = i;
            break;
        }
        book.see(world, steps[i]);
        run.stepTimes.push_back(world.now());
    }
    for (int further = 0; further < kFurtherStepsMax && !run.impossibleStep; ++further) {
        const std::optional<Step> step = harmlessStep(world);
        if (!step) {
            break;
        }
        world.takeKnown(*step);
        book.see(world, *step);
    }
    run.chronicle = chronicleOf(world.events(), world.now(), plan.permits);
    run.chronicle.tenures = book.finished(world.now());
    run.violations = world.violations();
    return run;
}

} // namespace lockscope::search
