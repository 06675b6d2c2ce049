#pragma once

#include "core/kernel/search/rewindable_world.h"
#include "core/kernel/search/state_set.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/world/world.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::search {

/// Enough for the default plans, and small enough for runs that never end.
inline constexpr int kLengthUsual = 120;

/// How far a search goes.
struct Bounds {
    std::uint64_t schedulesMax = 60'000;
    std::uint64_t statesMax = 5'000'000;
    int lengthMax = kLengthUsual; // of a run, in steps
    /// How often a run may turn away from a client whose next request could be served at once;
    /// nullopt: as often as it likes. Most mistakes take one or two such interruptions.
    std::optional<int> preemptionsMax{};

    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What a search looks for; without a promise it looks for everything.
struct Goal {
    std::optional<protocol::Promise> promise;
    std::optional<world::ViolationKind> kind;
    bool isAnyEnough = false; // the first run that meets it will do: there may be shorter ones

    bool isMetBy(const world::Violation& violation) const
    {
        return (!promise || violation.promise == *promise) && (!kind || violation.kind == *kind);
    }
};

/// A run in which something broke.
struct Finding {
    world::Violation violation;
    std::vector<world::Step> steps; // the whole run, up to the violation
    int length = 0;                 // its cost, see World::costOf()
};

/// What a search has seen.
struct Coverage {
    std::uint64_t schedules = 0;        // runs from the beginning
    std::uint64_t states = 0;           // different ones
    std::uint64_t commands = 0;         // that simulated servers carried out
    int longest = 0;                    // run, in steps
    bool isComplete = false;            // everything within the plan was seen; no bound was reached
    Duration virtualTime{0};            // of all runs together
    bool arePreemptionsLeftOut = false; // runs with more of them than the bound; so not complete
    bool isScriptStopped = false;       // one took too many steps, and the search ended there
    world::Chances chances{};           // of all runs; what several share counts once
    // A run that came to a state that was seen before is neither.
    std::uint64_t endedRuns = 0; // nothing was left to happen
    std::uint64_t cutRuns = 0;   // something was, behind the bound on steps or the plan's horizon

    void add(const Coverage& other);
};

struct Exploration {
    /// The shortest run for every promise and kind that broke, shortest first.
    std::vector<Finding> findings;
    Coverage coverage;

    const Finding* find(protocol::Promise promise) const;
    const Finding* find(const Goal& goal) const;
};

/// Asked now and then: false ends the search.
using GoOn = std::function<bool(const Coverage&)>;

/// Looks at every run of a world within its plan, in order of length. Where a run branches, the
/// world is put back to (RewindableWorld). States that were reached before by a way no longer are
/// not gone into again, and of two steps that do not concern each other only one order is tried.
///
/// With a goal the search ends as soon as no shorter run can meet it, or any has met it if that is
/// enough.
class Explorer {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const world::WorldPlan& plan;
        sim::LuaEngine& lua;
        Bounds bounds{};
        std::optional<Goal> goal{};
        bool isReduced = true; // false: every order of every steps
        GoOn goOn{};
        /// Of images; 0: every branch repeats its beginning; nullopt: as fits the bounds. Changes
        /// nothing but the time it takes.
        std::optional<std::size_t> imageBytesMax{};
    };

    explicit Explorer(Setting setting);

    Exploration run();

private:
    // The tree of all runs that were gone into. A run is the way from its place to the root, so the
    // memory is one place per state and not one list of steps per run.
    /// A state, by the step that led to it from another one.
    struct Place {
        std::uint32_t parent = 0;
        world::Step step;
    };
    /// The client that was served last since time went on, and how often a run has turned away
    /// from one that could have gone on.
    struct Turn {
        std::int16_t client = kNobody;
        std::uint16_t preemptionCount = 0;
    };
    /// A step that was not taken yet.
    struct Edge {
        std::uint32_t from = 0;
        world::Step step;
        Turn turn;                                                // behind it
        RewindableWorld::Image image = RewindableWorld::kNoImage; // of the place it comes from
    };
    static constexpr std::int16_t kNobody = -1;

    void explore(const Edge& edge);
    void goBackTo(const Edge& edge);
    void letGoOf(const Edge& edge);
    void goOnFrom(std::uint32_t place, Turn turn);
    /// The steps from here on that are worth it: the first is returned, the others are kept.
    std::optional<Edge> branch(std::span<const world::Step> steps, std::uint32_t place, Turn turn);
    void keep(Edge edge);
    bool reach(Turn turn);
    static Turn turnAfter(Turn turn, const world::Step& step, std::span<const world::Step> steps);
    bool mayTake(const world::Step& step, Turn after);
    bool isOtherOrderEnough(const world::Step& step) const;
    std::uint32_t addPlace(std::uint32_t parent, const world::Step& step);
    std::vector<world::Step> wayTo(std::uint32_t place) const;
    void noteViolations(std::uint32_t place);
    void note(const world::Violation& violation, std::uint32_t place, int length);
    bool isWorthGoingOn(int cost) const;
    bool isDone() const;
    /// A script that takes as many steps as are allowed takes a thousand times as long as all of a
    /// run: the same in every run would take forever.
    bool isScriptStopped() const { return m_setting.lua.stoppedCount() != m_scriptsStopped; }

    const world::World& world() const { return m_stage.world(); }

    Setting m_setting;
    std::unique_ptr<Arena> m_arena;
    RewindableWorld m_stage;
    std::vector<std::uint32_t> m_edgeCounts; // by image: of those that come from it
    StateSet m_seen;
    std::vector<Place> m_places;
    // A queue by priority, for priorities that are small numbers: a bucket for each.
    std::vector<std::vector<Edge>> m_edges; // by the length of the run that they are the end of
    std::size_t m_length = 0;               // of the edges that are being looked at
    std::size_t m_violationCount = 0;       // of the world that is running
    std::uint64_t m_scriptsStopped;         // before the search
    bool m_wasCutShort = false;
    bool m_isTooLong = false; // the run that is being followed has steps behind the bound
    Exploration m_result;
};

} // namespace lockscope::search
