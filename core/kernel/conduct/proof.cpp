#include "core/kernel/conduct/proof.h"

#include "core/kernel/base/rng.h"
#include "core/kernel/conduct/candidates.h"

#include <algorithm>

namespace lockscope::conduct {

using protocol::Promise;

namespace {

constexpr int kDeviationsOfPair = 2;

bool isSameBreach(const Breach& a, const Breach& b)
{
    return a.violation.promise == b.violation.promise && a.violation.kind == b.violation.kind
           && a.isInherent == b.isInherent;
}

/// A run that did not come about as asked for shows nothing.
std::optional<Breach> sameIn(const RunLog& log, const Workload& workload,
                             std::span<const Deviation> deviations, const Breach& wanted)
{
    if (!log.trouble.empty() || log.deviationsMet < static_cast<int>(deviations.size())) {
        return std::nullopt;
    }
    for (const Breach& breach : judge(log, workload, deviations)) {
        if (isSameBreach(breach, wanted)) {
            return breach;
        }
    }
    return std::nullopt;
}

class Prover {
public:
    Prover(Stage& stage, std::span<const Workload> workloads, const ProofBounds& bounds,
           const ProofListener& listener)
        : m_stage(stage),
          m_workloads(workloads),
          m_bounds(bounds),
          m_listener(listener),
          m_rng(bounds.seed)
    {}

    Proof search()
    {
        if (!m_bounds.schedule.empty()) {
            for (const Workload& workload : m_workloads) {
                run(workload, m_bounds.schedule);
            }
            return std::move(m_proof);
        }
        for (const Workload& workload : m_workloads) {
            const auto natural = run(workload, {});
            m_candidates.push_back(natural ? candidatesFor(workload, *natural, m_bounds.faults)
                                           : std::vector<Deviation>{});
        }
        bool isWhole = mayGoOn();
        m_proof.stepsCovered = isWhole ? 0 : -1;
        for (int steps = 1; steps <= m_bounds.stepsMax && isWhole; ++steps) {
            isWhole = searchSingles(steps) && searchPairs(steps);
            m_proof.stepsCovered = isWhole ? steps : m_proof.stepsCovered;
        }
        m_proof.isWhole = isWhole;
        return std::move(m_proof);
    }

private:
    bool mayGoOn()
    {
        const bool isDone = m_bounds.endsWithFirst && !m_proof.bugs.empty();
        return !isDone && m_proof.runCount < m_bounds.runsMax && m_bounds.goOn();
    }

    /// The log where it came to what was asked for.
    std::optional<RunLog> run(const Workload& workload, const std::vector<Deviation>& deviations)
    {
        RunLog log = m_stage.play(workload, deviations);
        ++m_proof.runCount;
        if (!log.trouble.empty()) {
            ++m_proof.troubleCount;
            m_proof.latestTrouble = log.trouble;
        } else if (log.deviationsMet < static_cast<int>(deviations.size())) {
            ++m_proof.divergedCount;
        } else {
            for (const Breach& breach : judge(log, workload, deviations)) {
                consider(workload, deviations, breach, log);
            }
        }
        m_listener.progressed(m_proof);
        return log.trouble.empty() ? std::optional(std::move(log)) : std::nullopt;
    }

    /// In turn from each workload: a budget may end before all of the first were tried.
    bool searchSingles(int steps)
    {
        for (std::size_t next = 0; next < candidatesMax(); ++next) {
            for (std::size_t i = 0; i < m_workloads.size(); ++i) {
                if (next >= m_candidates[i].size() || stepsOf(m_candidates[i][next]) != steps) {
                    continue;
                }
                if (!mayGoOn()) {
                    return false;
                }
                run(m_workloads[i], {m_candidates[i][next]});
            }
        }
        return true;
    }

    std::size_t candidatesMax() const
    {
        std::size_t most = 0;
        for (const auto& candidates : m_candidates) {
            most = std::max(most, candidates.size());
        }
        return most;
    }

    /// All pairs of so many steps, in a random order: there are more than a budget has room for.
    bool searchPairs(int steps)
    {
        for (std::size_t i = 0; i < m_workloads.size(); ++i) {
            if (!searchPairsOf(m_workloads[i], m_candidates[i], steps)) {
                return false;
            }
        }
        return true;
    }

    bool searchPairsOf(const Workload& workload, const std::vector<Deviation>& candidates,
                       int steps)
    {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t a = 0; a < candidates.size(); ++a) {
            for (std::size_t b = a + 1; b < candidates.size(); ++b) {
                const bool areApart = !(candidates[a].message == candidates[b].message);
                if (areApart && stepsOf(candidates[a]) + stepsOf(candidates[b]) == steps) {
                    pairs.emplace_back(a, b);
                }
            }
        }
        for (std::size_t left = pairs.size(); left > 0; --left) {
            if (!mayGoOn()) {
                return false;
            }
            std::swap(pairs[m_rng.below(left)], pairs[left - 1]);
            const auto [first, second] = pairs[left - 1];
            run(workload, {candidates[first], candidates[second]});
        }
        return true;
    }

    void consider(const Workload& workload, const std::vector<Deviation>& deviations,
                  const Breach& breach, const RunLog& log)
    {
        const bool isAsked = std::ranges::find(m_bounds.promises, breach.violation.promise)
                             != m_bounds.promises.end();
        const bool isLimit = breach.isInherent || !isAsked;
        if (isLimit && !breach.isInherent && breach.violation.promise != Promise::LeaseHonesty) {
            return;
        }
        std::vector<Find>& finds = isLimit ? m_proof.limits : m_proof.bugs;
        const auto known = std::ranges::find_if(finds, [&breach](const Find& find) {
            return isSameBreach(find.breach, breach);
        });
        if (known != finds.end() && known->stepCount() <= stepsOf(deviations)) {
            return;
        }
        Find find{workload, deviations, breach, log, 0, 0};
        shrink(find);
        find.replayCount = isLimit ? 0 : m_bounds.replays;
        find.replayHits = replay(m_stage, find, find.replayCount);
        if (find.replayCount > 0 && find.replayHits == 0) {
            return; // seen once and never again: luck, and no case to show
        }
        if (known != finds.end()) {
            *known = std::move(find);
        } else {
            finds.push_back(std::move(find));
        }
    }

    /// Takes deviations away while the breach still shows.
    void shrink(Find& find)
    {
        for (std::size_t i = 0;
             find.deviations.size() >= kDeviationsOfPair && i < find.deviations.size();) {
            std::vector<Deviation> fewer = find.deviations;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            RunLog log = m_stage.play(find.workload, fewer);
            const auto breach = sameIn(log, find.workload, fewer, find.breach);
            if (breach) {
                find.deviations = std::move(fewer);
                find.breach = *breach;
                find.log = std::move(log);
                i = 0;
            } else {
                ++i;
            }
        }
    }

    Stage& m_stage;
    std::span<const Workload> m_workloads;
    const ProofBounds& m_bounds;
    const ProofListener& m_listener;
    Rng m_rng;
    std::vector<std::vector<Deviation>> m_candidates; // by workload
    Proof m_proof;
};

} // namespace

std::vector<Promise> usualPromises()
{
    return {Promise::MutualExclusion, Promise::ReadWriteExclusion, Promise::NoStuckLock,
            Promise::NoLostWakeup};
}

Proof prove(Stage& stage, std::span<const Workload> workloads, const ProofBounds& bounds,
            const ProofListener& listener)
{
    return Prover(stage, workloads, bounds, listener).search();
}

int replay(Stage& stage, const Find& find, int times)
{
    int hits = 0;
    for (int i = 0; i < times; ++i) {
        const RunLog log = stage.play(find.workload, find.deviations);
        hits += sameIn(log, find.workload, find.deviations, find.breach) ? 1 : 0;
    }
    return hits;
}

} // namespace lockscope::conduct
