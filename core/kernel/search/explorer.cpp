#include "core/kernel/search/explorer.h"

#include "core/kernel/base/content_hash.h"

#include <algorithm>
#include <utility>

namespace lockscope::search {

using world::Step;

namespace {

constexpr std::uint32_t kBeginning = 0;
/// How many runs there are between two questions whether to go on.
/// A run takes microseconds; the question reads what other threads write.
constexpr std::uint64_t kRunsPerQuestion = 8;
/// A search with a higher bound has more branches waiting at a time. More room than it needs costs
/// time as well: images that are in no cache any more are slow to put back.
constexpr std::uint64_t kDeepSearch = 10'000;
constexpr std::size_t kImageBytesDeep = std::size_t{128} << 20U;

std::size_t imageBytesOf(const Explorer::Setting& setting)
{
    const bool isDeep = setting.bounds.schedulesMax > kDeepSearch;
    return setting.imageBytesMax.value_or(isDeep ? kImageBytesDeep
                                                 : RewindableWorld::kImageBytesUsual);
}

} // namespace

void Coverage::add(const Coverage& other)
{
    schedules += other.schedules;
    states += other.states;
    commands += other.commands;
    longest = std::max(longest, other.longest);
    virtualTime += other.virtualTime;
    arePreemptionsLeftOut = arePreemptionsLeftOut || other.arePreemptionsLeftOut;
    isScriptStopped = isScriptStopped || other.isScriptStopped;
    chances.add(other.chances);
    endedRuns += other.endedRuns;
    cutRuns += other.cutRuns;
}

const Finding* Exploration::find(protocol::Promise promise) const
{
    return find(Goal{promise, std::nullopt});
}

const Finding* Exploration::find(const Goal& goal) const
{
    const auto found = std::ranges::find_if(findings, [&goal](const Finding& finding) {
        return goal.isMetBy(finding.violation);
    });
    return found == findings.end() ? nullptr : &*found;
}

Explorer::Explorer(Setting setting)
    : m_setting(std::move(setting)),
      m_arena(imageBytesOf(m_setting) > 0 ? Arena::take() : nullptr),
      m_stage({m_setting.protocol, m_setting.plan, m_setting.lua, imageBytesOf(m_setting)},
              m_arena.get()),
      m_edges(static_cast<std::size_t>(m_setting.bounds.lengthMax) + 2),
      m_scriptsStopped(m_setting.lua.stoppedCount())
{
    // The root. Its step is none and is never replayed.
    m_places.push_back({});
}

/// Edges wait in buckets by the length of their runs and are taken from the shortest bucket. A run
/// goes on to its end in the world it began in, so a violation may be found before a shorter one;
/// but once the buckets up to its length are empty, no run that is left can be shorter.
Exploration Explorer::run()
{
    bool isStopped = false;
    ++m_result.coverage.schedules;
    reach({});
    goOnFrom(kBeginning, {});
    m_result.coverage.chances.add(world().chances());
    for (m_length = 0; m_length < m_edges.size() && !isDone() && !isStopped; ++m_length) {
        // Edges of no cost lead to more of the same length.
        while (!m_edges[m_length].empty() && !isDone() && !isStopped) {
            // The latest first: within a length the order is free, and a stack keeps close what a
            // run left behind. The order is the same on every machine, and so are the findings.
            const Edge edge = m_edges[m_length].back();
            m_edges[m_length].pop_back();
            explore(edge);
            isStopped = m_setting.goOn && m_result.coverage.schedules % kRunsPerQuestion == 0
                        && !m_setting.goOn(m_result.coverage);
        }
    }
    m_result.coverage.isScriptStopped = isScriptStopped() && !m_setting.lua.wasInterrupted();
    const bool isAnyLeft = std::ranges::any_of(m_edges,
                                               [](const auto& edges) { return !edges.empty(); });
    // Completeness is claimed only if nothing was left out, for whatever reason. States with equal
    // hashes are taken for equal (ContentHash tells how rarely that is wrong).
    m_result.coverage.isComplete = !isAnyLeft && !isStopped && !m_wasCutShort && !isScriptStopped()
                                   && !m_result.coverage.arePreemptionsLeftOut;
    m_result.coverage.states = m_seen.size();
    std::ranges::stable_sort(m_result.findings, {}, &Finding::length);
    return std::move(m_result);
}

bool Explorer::isDone() const
{
    const Coverage& coverage = m_result.coverage;
    if (coverage.schedules >= m_setting.bounds.schedulesMax
        || m_seen.size() >= m_setting.bounds.statesMax || isScriptStopped()) {
        return true;
    }
    const Finding* const finding = m_setting.goal ? m_result.find(*m_setting.goal) : nullptr;
    // Every edge that is left ends a run of at least m_length.
    return finding != nullptr
           && (m_setting.goal->isAnyEnough || finding->length <= static_cast<int>(m_length));
}

/// Not when a run as short as that is known already.
bool Explorer::isWorthGoingOn(int cost) const
{
    const Finding* const finding = m_setting.goal ? m_result.find(*m_setting.goal) : nullptr;
    return cost <= m_setting.bounds.lengthMax && (finding == nullptr || cost < finding->length);
}

std::uint32_t Explorer::addPlace(std::uint32_t parent, const Step& step)
{
    m_places.push_back({parent, step});
    return static_cast<std::uint32_t>(m_places.size() - 1);
}

std::vector<Step> Explorer::wayTo(std::uint32_t place) const
{
    std::vector<Step> steps;
    for (; place != kBeginning; place = m_places[place].parent) {
        steps.push_back(m_places[place].step);
    }
    std::ranges::reverse(steps);
    return steps;
}

/// Takes the edge's step and, if that leads to a new state, goes on from there.
void Explorer::explore(const Edge& edge)
{
    // The edge was worth it when it was found; a shorter finding may have come since.
    if (!isWorthGoingOn(static_cast<int>(m_length))) {
        letGoOf(edge);
        return;
    }
    goBackTo(edge);
    letGoOf(edge);
    ++m_result.coverage.schedules;
    // Those of the prefix were noted when it was new.
    m_violationCount = world().violations().size();
    const world::Chances known = world().chances();
    m_stage.takeKnownStep(edge.step);
    const bool isNew = reach(edge.turn);
    // A violation belongs to the step and not to the state behind it, so a step into a known state
    // may be the first to break something, or break it sooner.
    const bool isBroken = world().violations().size() > m_violationCount;
    if (isNew || isBroken) {
        const std::uint32_t place = addPlace(edge.from, edge.step);
        noteViolations(place);
        if (isNew) {
            goOnFrom(place, edge.turn);
        }
    }
    m_result.coverage.chances.add(world().chances(), known);
}

void Explorer::goBackTo(const Edge& edge)
{
    if (edge.image != RewindableWorld::kNoImage) {
        m_stage.putBack(edge.image);
        return;
    }
    m_stage.putBackToBeginning();
    for (const Step& step : wayTo(edge.from)) {
        m_stage.takeKnownStep(step);
    }
}

void Explorer::letGoOf(const Edge& edge)
{
    if (edge.image != RewindableWorld::kNoImage && --m_edgeCounts[edge.image] == 0) {
        m_stage.forget(edge.image);
    }
}

void Explorer::keep(Edge edge)
{
    if (edge.image != RewindableWorld::kNoImage) {
        m_edgeCounts.resize(std::max<std::size_t>(m_edgeCounts.size(), edge.image + 1));
        ++m_edgeCounts[edge.image];
    }
    const int cost = world().cost() + world().costOf(edge.step);
    m_edges[static_cast<std::size_t>(cost)].push_back(edge);
}

/// True when the world is in a state that is new, or was not reached as shortly before. With a
/// bound on preemptions the state includes how many there were, and which client the next one would
/// interrupt.
bool Explorer::reach(Turn turn)
{
    // A state that is reached by a shorter way than before is gone into once more: what lies behind
    // it is nearer now, and one of the shortest counterexamples may be there.
    ContentHash hash(world().stateHash());
    if (m_setting.bounds.preemptionsMax) {
        hash.add(turn.client);
        hash.add(turn.preemptionCount);
    }
    return m_seen.reach(hash.value(), world().cost());
}

Explorer::Turn Explorer::turnAfter(Turn turn, const Step& step, std::span<const Step> steps)
{
    if (step.kind == Step::Kind::Advance) { // no client could go on
        turn.client = kNobody;
    } else if (step.kind == Step::Kind::Serve) {
        // Only turning away from a client that could have gone on is a preemption; going on with
        // another one because this one waits is none (M. Musuvathi, S. Qadeer, "Iterative
        // context bounding for systematic testing of multithreaded programs", 2007).
        const bool isInterrupted = turn.client != step.client
                                   && std::ranges::any_of(steps, [turn](const Step& other) {
                                          return other.kind == Step::Kind::Serve
                                                 && other.client == turn.client;
                                      });
        turn.preemptionCount += isInterrupted ? 1 : 0;
        turn.client = step.client;
    }
    return turn;
}

/// Not when it leads out of the bounds; then the search has not seen everything.
bool Explorer::mayTake(const Step& step, Turn after)
{
    const int cost = world().cost() + world().costOf(step);
    if (!isWorthGoingOn(cost)) {
        m_isTooLong = m_isTooLong || cost > m_setting.bounds.lengthMax;
        return false;
    }
    const auto& preemptionsMax = m_setting.bounds.preemptionsMax;
    if (preemptionsMax && after.preemptionCount > *preemptionsMax) {
        m_result.coverage.arePreemptionsLeftOut = true;
        return false;
    }
    return true;
}

/// Of two steps that do not concern each other. The other order may take more preemptions, unless
/// both are the same client's.
bool Explorer::isOtherOrderEnough(const Step& step) const
{
    return m_setting.isReduced && world().isBetterBeforeLatest(step)
           && (!m_setting.bounds.preemptionsMax || world().latestStep()->client == step.client);
}

/// From a new state: what may happen next is to be tried later, except for the first thing, which
/// is tried at once, because this world is there already.
void Explorer::goOnFrom(std::uint32_t place, Turn turn)
{
    Coverage& coverage = m_result.coverage;
    m_isTooLong = false;
    while (true) {
        noteViolations(place);
        const std::span<const Step> steps = m_stage.steps();
        m_wasCutShort = m_wasCutShort || world().isCutShort();
        if (steps.empty()) {
            ++(world().isCutShort() ? coverage.cutRuns : coverage.endedRuns);
            // Changes the world beyond the run, so it comes last; nothing goes on from here.
            m_stage.conclude();
            noteViolations(place);
            break;
        }
        const std::optional<Edge> next = branch(steps, place, turn);
        if (!next) {
            break;
        }
        turn = next->turn;
        m_stage.takeKnownStep(next->step);
        const bool isNew = reach(turn);
        place = addPlace(place, next->step);
        if (!isNew) {
            noteViolations(place);
            break;
        }
    }
    coverage.cutRuns += m_isTooLong ? 1 : 0;
    m_wasCutShort = m_wasCutShort || m_isTooLong;
    coverage.longest = std::max(coverage.longest, world().cost());
    coverage.commands += static_cast<std::uint64_t>(world().commandCount());
    coverage.virtualTime += world().elapsed();
}

std::optional<Explorer::Edge> Explorer::branch(std::span<const Step> steps, std::uint32_t place,
                                               Turn turn)
{
    std::optional<Edge> first;
    std::optional<RewindableWorld::Image> image; // of here, once there is a second way to go
    for (const Step& step : steps) {
        Edge edge{place, step, turnAfter(turn, step, steps)};
        if (!mayTake(step, edge.turn) || isOtherOrderEnough(step)) {
            continue;
        }
        if (!first) {
            first = edge;
            continue;
        }
        if (!image) {
            image = m_stage.save();
        }
        edge.image = *image;
        keep(edge);
    }
    return first;
}

/// Violations only ever get more, and the count says how many belong to the beginning of the run.
/// A violation after the end (conclude) is found at the last place, too.
/// The error of a script that was stopped comes from a limit of the simulation: what it led to says
/// nothing about the protocol.
void Explorer::noteViolations(std::uint32_t place)
{
    if (isScriptStopped()) {
        return;
    }
    for (; m_violationCount < world().violations().size(); ++m_violationCount) {
        note(world().violations()[m_violationCount], place, world().cost());
    }
}

void Explorer::note(const world::Violation& violation, std::uint32_t place, int length)
{
    const Goal same{violation.promise, violation.kind};
    auto known = std::ranges::find_if(m_result.findings, [&same](const Finding& finding) {
        return same.isMetBy(finding.violation);
    });
    if (known == m_result.findings.end()) {
        m_result.findings.push_back({violation, wayTo(place), length});
    } else if (length < known->length) {
        *known = {violation, wayTo(place), length};
    }
}

} // namespace lockscope::search
