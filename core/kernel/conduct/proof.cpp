#include "core/kernel/conduct/proof.h"

#include "core/kernel/base/rng.h"
#include "core/kernel/conduct/candidates.h"
#include "core/kernel/conduct/random_schedules.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::conduct {

using protocol::Promise;

namespace {

constexpr std::size_t kPlaysForEach = 4;
constexpr int kRivalsMax = 8;
constexpr std::size_t kErrorsMax = 5;

/// Of a broken promise: finds of one kind compete.
using Kind = std::pair<Promise, world::ViolationKind>;

Kind kindOf(const Breach& breach)
{
    return {breach.violation.promise, breach.violation.kind};
}

/// Two candidates of one workload, by their numbers.
struct Pair {
    std::size_t workload = 0;
    std::size_t first = 0;
    std::size_t second = 0;
};

/// A run that did not come about as asked for shows nothing.
std::optional<Breach> sameIn(const RunLog& log, const Workload& workload,
                             std::span<const Deviation> deviations, const Breach& wanted)
{
    if (!log.trouble.empty() || log.deviationsMet < static_cast<int>(deviations.size())) {
        return std::nullopt;
    }
    for (const Breach& breach : judge(log, workload, deviations)) {
        if (isSameKind(breach, wanted)) {
            return breach;
        }
    }
    return std::nullopt;
}

/// It showed in each replay, or was not replayed.
bool isSure(const Find& find)
{
    return find.replayHits == find.replayCount;
}

/// What shows more often is worth more than what is shorter.
bool isBetter(const Find& find, const Find& known)
{
    const int often = find.replayHits * std::max(known.replayCount, 1);
    const int knownOften = known.replayHits * std::max(find.replayCount, 1);
    return often != knownOften ? often > knownOften : find.stepCount() < known.stepCount();
}

bool lacksScripts(const RunLog& log)
{
    return std::ranges::any_of(log.entries, [](const LogEntry& entry) {
        const store::ServerError* const error = entry.reply.error();
        return error != nullptr && error->code() == "NOSCRIPT";
    });
}

bool holdsAll(const std::vector<Promise>& promises, const std::vector<Promise>& wanted)
{
    return std::ranges::all_of(wanted, [&promises](Promise promise) {
        return std::ranges::find(promises, promise) != promises.end();
    });
}

/// A loss that is none is a mistake of every library, unless it was said what else to look for.
bool isAskedFor(const std::vector<Promise>& promises, const Breach& breach)
{
    return holdsAll(promises, {breach.violation.promise})
           || (breach.violation.kind == world::ViolationKind::FalseLoss
               && holdsAll(promises, usualPromises()));
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
        if (m_bounds.schedule) {
            warmUp();
            playAgain(onceInEach(*m_bounds.schedule));
            return std::move(m_proof);
        }
        for (const Play& natural : onceInEach({})) {
            const RunLog log = playNatural(*natural.workload);
            see(natural, log);
            noteErrors(log);
            m_proof.singles.unplannedWorkloads += log.trouble.empty() ? 0 : 1;
            m_candidates.push_back(log.trouble.empty()
                                       ? candidatesFor(*natural.workload, log, m_bounds.faults,
                                                       m_stage.scripts())
                                       : std::vector<Deviation>{});
        }
        const std::vector<Play> plays = singles();
        m_proof.singles.planned = plays.size();
        bool isWhole = mayGoOn();
        m_proof.stepsCovered = isWhole ? 0 : -1;
        for (int steps = 1; steps <= m_bounds.stepsMax && isWhole; ++steps) {
            isWhole = steps == 1 ? trySingles(plays) : tryPairs(steps);
            m_proof.stepsCovered = isWhole ? steps : m_proof.stepsCovered;
        }
        m_proof.isWhole = isWhole;
        if (isWhole && m_bounds.randomMax >= RandomSchedules::kCountMin) {
            tryAtRandom();
        }
        return std::move(m_proof);
    }

private:
    bool mayGoOn()
    {
        const bool isDone = m_bounds.endsWithFirst && !m_proof.bugs.empty();
        return !isDone && !m_wasInterrupted && m_proof.runCount < m_bounds.runsMax
               && m_bounds.goOn();
    }

    /// With all scripts that it needs on the server: where some are missing, it is played again,
    /// and they stay there from then on. What a deviation meets has to be the same in each run.
    RunLog playNatural(const Workload& workload)
    {
        RunLog log = m_stage.play(workload, {});
        return lacksScripts(log) ? m_stage.play(workload, {}) : log;
    }

    void warmUp()
    {
        for (const Workload& workload : m_workloads) {
            if (mayGoOn()) {
                playNatural(workload);
            }
        }
    }

    std::vector<Play> onceInEach(const std::vector<Deviation>& deviations) const
    {
        std::vector<Play> plays;
        for (const Workload& workload : m_workloads) {
            plays.push_back({&workload, deviations});
        }
        return plays;
    }

    /// As often as a find is replayed, if it does not show before.
    void playAgain(const std::vector<Play>& plays)
    {
        for (int i = 0; i < m_bounds.replays && m_proof.bugs.empty(); ++i) {
            if (!tryAll(plays)) {
                return;
            }
        }
    }

    /// Each deviation alone, whatever its steps, in turn from each workload: a budget may end
    /// before all of the first were tried.
    std::vector<Play> singles() const
    {
        std::vector<Play> plays;
        for (std::size_t next = 0; next < candidatesMax(); ++next) {
            for (std::size_t i = 0; i < m_workloads.size(); ++i) {
                if (next < m_candidates[i].size()
                    && stepsOf(m_candidates[i][next]) <= m_bounds.stepsMax) {
                    plays.push_back({&m_workloads[i], {m_candidates[i][next]}});
                }
            }
        }
        return plays;
    }

    bool trySingles(std::span<const Play> plays)
    {
        SingleRuns& singles = m_proof.singles;
        const std::uint64_t runsBefore = m_proof.runCount;
        const std::uint64_t divergedBefore = m_proof.divergedCount;
        const std::uint64_t failedBefore = m_proof.troubleCount;
        const bool isWhole = tryAll(plays);
        singles.played = m_proof.runCount - runsBefore;
        singles.diverged = m_proof.divergedCount - divergedBefore;
        singles.failed = m_proof.troubleCount - failedBefore;
        return isWhole;
    }

    std::size_t candidatesMax() const
    {
        std::size_t most = 0;
        for (const auto& candidates : m_candidates) {
            most = std::max(most, candidates.size());
        }
        return most;
    }

    /// False: the bounds cut it short.
    bool tryAll(std::span<const Play> plays)
    {
        while (!plays.empty()) {
            if (!mayGoOn()) {
                return false;
            }
            const auto some = plays.first(std::min(plays.size(), countAtOnce()));
            const std::vector<RunLog> logs = m_stage.playAll(some);
            for (std::size_t i = 0; i < some.size(); ++i) {
                see(some[i], logs[i]);
            }
            plays = plays.subspan(some.size());
        }
        return !m_wasInterrupted;
    }

    /// More than the stage plays at the same time, so that no part of it waits long for the others.
    std::size_t countAtOnce() const
    {
        const auto width = static_cast<std::size_t>(std::max(m_stage.width(), 1));
        const std::size_t wanted = width == 1 ? 1 : width * kPlaysForEach;
        return static_cast<std::size_t>(std::min<std::uint64_t>(wanted, m_bounds.runsMax
                                                                            - m_proof.runCount));
    }

    /// What came to what was asked for is judged.
    void see(const Play& play, const RunLog& log)
    {
        if (log.wasInterrupted) {
            m_wasInterrupted = true;
            return; // it is no run
        }
        ++m_proof.runCount;
        if (!log.trouble.empty()) {
            ++m_proof.troubleCount;
            m_proof.latestTrouble = log.trouble;
        } else if (log.deviationsMet < static_cast<int>(play.deviations.size())) {
            ++m_proof.divergedCount;
        } else {
            noteOwnEnd(ownEndIn(log, *play.workload, play.deviations));
            for (const Breach& breach : judge(log, *play.workload, play.deviations)) {
                consider(*play.workload, play.deviations, breach, log);
            }
        }
        m_listener.progressed(m_proof);
    }

    /// Keeps the errors of an undisturbed run.
    void noteErrors(const RunLog& log)
    {
        for (const LogEntry& entry : log.entries) {
            if (entry.kind != LogEntry::Kind::Answered
                || entry.answer.kind != Answer::Kind::Error) {
                continue;
            }
            const auto known = std::ranges::find_if(m_proof.errors, [&](const auto& error) {
                return error.word == entry.word && error.text == entry.answer.text;
            });
            if (known != m_proof.errors.end()) {
                ++known->count;
            } else if (m_proof.errors.size() < kErrorsMax) {
                m_proof.errors.push_back({entry.process, entry.word, entry.answer.text, 1});
            }
        }
    }

    void noteOwnEnd(std::optional<OwnEnd> end)
    {
        if (!end) {
            return;
        }
        ++m_proof.ownEndCount;
        if (!m_proof.ownEnd || stepsOf(end->deviations) < stepsOf(m_proof.ownEnd->deviations)) {
            m_proof.ownEnd = std::move(end);
        }
    }

    /// All pairs of so many steps, in a random order: there are more than a budget has room for.
    bool tryPairs(int steps)
    {
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < m_workloads.size(); ++i) {
            appendPairs(i, steps, pairs);
        }
        for (std::size_t left = pairs.size(); left > 1; --left) {
            std::swap(pairs[m_rng.below(left)], pairs[left - 1]);
        }
        for (std::span<const Pair> left = pairs; !left.empty();) {
            if (!mayGoOn()) {
                return false;
            }
            const auto some = left.first(std::min(left.size(), countAtOnce()));
            std::vector<Play> plays;
            for (const Pair& pair : some) {
                const auto& candidates = m_candidates[pair.workload];
                plays.push_back({&m_workloads[pair.workload],
                                 {candidates[pair.first], candidates[pair.second]}});
            }
            if (!tryAll(plays)) {
                return false;
            }
            left = left.subspan(some.size());
        }
        return true;
    }

    /// Until the bounds end it.
    void tryAtRandom()
    {
        std::vector<std::pair<const Workload*, RandomSchedules>> rich;
        for (std::size_t i = 0; i < m_workloads.size(); ++i) {
            RandomSchedules schedules(m_candidates[i]);
            if (schedules.hasAny()) {
                rich.emplace_back(&m_workloads[i], std::move(schedules));
            }
        }
        while (!rich.empty() && mayGoOn()) {
            std::vector<Play> plays;
            for (std::size_t left = countAtOnce(); left > 0; --left) {
                const auto& [workload, schedules] = rich[m_rng.below(rich.size())];
                plays.push_back({workload, schedules.draw(m_bounds.randomMax, m_rng)});
            }
            m_proof.randomCount += plays.size();
            tryAll(plays);
        }
    }

    void appendPairs(std::size_t workload, int steps, std::vector<Pair>& pairs) const
    {
        const auto& candidates = m_candidates[workload];
        for (std::size_t a = 0; a < candidates.size(); ++a) {
            for (std::size_t b = a + 1; b < candidates.size(); ++b) {
                if (areApart(candidates[a], candidates[b])
                    && stepsOf(candidates[a]) + stepsOf(candidates[b]) == steps) {
                    pairs.push_back({workload, a, b});
                }
            }
        }
    }

    void consider(const Workload& workload, const std::vector<Deviation>& deviations,
                  const Breach& breach, const RunLog& log)
    {
        const bool isLate = breach.violation.kind == world::ViolationKind::DishonestLease;
        const bool isLimit = breach.isInherent || !isAskedFor(m_bounds.promises, breach);
        if (isLimit && !breach.isInherent && !isLate) {
            return;
        }
        std::vector<Find>& finds = isLimit ? m_proof.limits : m_proof.bugs;
        const auto known = std::ranges::find_if(finds, [&breach](const Find& find) {
            return isSameKind(find.breach, breach);
        });
        if (known != finds.end() && !isRival(*known, deviations)) {
            return;
        }
        Find find{workload, deviations, breach, log, 0, 0};
        shrink(find);
        replayOften(find, isLimit ? 0 : m_bounds.replays);
        if (find.replayCount > 0 && find.replayHits == 0) {
            return; // seen once and never again: luck, and no case to show
        }
        if (known != finds.end() && !isBetter(find, *known)) {
            ++m_rivalCounts[kindOf(breach)];
            return;
        }
        if (!isLimit) {
            m_listener.found(find);
        }
        if (known != finds.end()) {
            *known = std::move(find);
        } else {
            finds.push_back(std::move(find));
        }
    }

    /// A find that shows at times only is worth another look, but not many: each is replayed.
    bool isRival(const Find& known, std::span<const Deviation> deviations)
    {
        return stepsOf(deviations) < known.stepCount()
               || (!isSure(known) && m_rivalCounts[kindOf(known.breach)] < kRivalsMax);
    }

    void replayOften(Find& find, int times)
    {
        const auto count = [&] {
            const Replays replays = replay(m_stage, find, times, m_bounds.mayReplay);
            find.replayCount = replays.count;
            find.replayHits = replays.hits;
        };
        count();
        if (!isSure(find) && !find.deviations.empty() && showsByItself(find, times)) {
            count();
        }
    }

    /// What shows at times only may need luck alone, and none of the deviations.
    bool showsByItself(Find& find, int times)
    {
        for (int i = 0; i < times && m_bounds.mayReplay(); ++i) {
            if (showsWith(find, {})) {
                return true;
            }
        }
        return false;
    }

    /// Takes away what the breach does not need: whole deviations, then how long they last.
    void shrink(Find& find)
    {
        for (std::size_t i = 0; find.deviations.size() > 1 && i < find.deviations.size();) {
            std::vector<Deviation> fewer = find.deviations;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            i = showsWith(find, std::move(fewer)) ? 0 : i + 1;
        }
        for (std::size_t i = 0; i < find.deviations.size(); ++i) {
            if (find.deviations[i].leap != Leap::None) {
                std::vector<Deviation> shorter = find.deviations;
                shorter[i].leap = Leap::None;
                showsWith(find, std::move(shorter));
            }
        }
    }

    /// Where it does, the find is that from now on.
    bool showsWith(Find& find, std::vector<Deviation> simpler)
    {
        if (!m_bounds.mayReplay()) {
            return false;
        }
        RunLog log = m_stage.play(find.workload, simpler);
        const auto breach = sameIn(log, find.workload, simpler, find.breach);
        if (!breach) {
            return false;
        }
        find.deviations = std::move(simpler);
        find.breach = *breach;
        find.log = std::move(log);
        return true;
    }

    Stage& m_stage;
    std::span<const Workload> m_workloads;
    const ProofBounds& m_bounds;
    const ProofListener& m_listener;
    Rng m_rng;
    std::vector<std::vector<Deviation>> m_candidates; // by workload
    std::map<Kind, int> m_rivalCounts; // that were no better than a find which shows at times
    bool m_wasInterrupted = false;     // a run, and with it the search
    Proof m_proof;
};

} // namespace

std::vector<Promise> usualPromises()
{
    return {Promise::MutualExclusion, Promise::ReadWriteExclusion, Promise::NoStuckLock,
            Promise::NoLostWakeup,    Promise::ReentryBalance,     Promise::Fairness,
            Promise::FencingOrder};
}

Proof prove(Stage& stage, std::span<const Workload> workloads, const ProofBounds& bounds,
            const ProofListener& listener)
{
    return Prover(stage, workloads, bounds, listener).search();
}

void checkForReal(Stage& stage, Proof& proof, int times, const std::function<bool()>& goOn)
{
    for (Find& find : proof.bugs) {
        const Replays replays = replay(stage, find, times, goOn);
        find.realCount = replays.count;
        find.realHits = replays.hits;
    }
}

/// As many at once as the stage plays side by side: each may take ten seconds, where a library
/// asks again and again.
Replays replay(Stage& stage, const Find& find, int times, const std::function<bool()>& goOn)
{
    Replays replays;
    while (replays.count < times && goOn()) {
        const int count = std::min(std::max(stage.width(), 1), times - replays.count);
        const std::vector<Play> plays(static_cast<std::size_t>(count),
                                      Play{&find.workload, find.deviations});
        for (const RunLog& log : stage.playAll(plays)) {
            if (log.wasInterrupted) {
                return replays;
            }
            const bool shows = sameIn(log, find.workload, find.deviations, find.breach).has_value();
            replays.hits += shows ? 1 : 0;
            ++replays.count;
        }
    }
    return replays;
}

} // namespace lockscope::conduct
