#pragma once

#include "search/state_set.h"
#include "sim/lua_engine.h"
#include "world/world.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lockscope::search {

/// How far a search goes.
struct Bounds {
    std::uint64_t schedulesMax = 60'000;
    std::uint64_t statesMax = 5'000'000;
    int lengthMax = 120; // of a run, in steps

    friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// What a search looks for; without a promise it looks for everything.
struct Goal {
    std::optional<protocol::Promise> promise;
    std::optional<world::ViolationKind> kind;

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
    std::uint64_t schedules = 0; // runs from the beginning
    std::uint64_t states = 0;    // different ones
    std::uint64_t commands = 0;  // that simulated servers carried out
    int longest = 0;             // run, in steps
    bool isComplete = false;     // everything within the plan was seen; no bound was reached
    Duration virtualTime{0};     // of all runs together

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

/// Looks at every run of a world within its plan, in order of length, by running each beginning
/// anew: coroutines cannot be copied. States that were reached before by a way no longer are not
/// gone into again, and of two steps that do not concern each other only one order is tried.
///
/// With a goal the search ends as soon as no shorter run can meet it.
class Explorer {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const world::WorldPlan& plan;
        sim::LuaEngine& lua;
        Bounds bounds{};
        std::optional<Goal> goal;
        bool isReduced = true; // false: every order of every steps
        GoOn goOn{};
    };

    explicit Explorer(Setting setting);

    Exploration run();

private:
    /// A state, by the step that led to it from another one.
    struct Place {
        std::uint32_t parent = 0;
        world::Step step;
    };
    /// A step that was not taken yet.
    struct Edge {
        std::uint32_t from = 0;
        world::Step step;
    };

    void explore(const Edge& edge);
    void goOnFrom(world::World& world, std::uint32_t place);
    std::uint32_t addPlace(std::uint32_t parent, const world::Step& step);
    std::vector<world::Step> wayTo(std::uint32_t place) const;
    void noteViolations(world::World& world, std::uint32_t place);
    void note(const world::Violation& violation, std::uint32_t place, int length);
    bool isWorthGoingOn(int cost) const;
    bool isDone() const;

    Setting m_setting;
    StateSet m_seen;
    std::vector<Place> m_places;
    std::vector<std::vector<Edge>> m_edges; // by the length of the run that they are the end of
    std::size_t m_length = 0;               // of the edges that are being looked at
    std::size_t m_violationCount = 0;       // of the world that is running
    bool m_wasCutShort = false;
    Exploration m_result;
};

} // namespace lockscope::search
