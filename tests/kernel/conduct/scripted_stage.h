#pragma once

#include "core/kernel/conduct/proof.h"
#include "tests/kernel/conduct/written_log.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// Plays what was written, and remembers what it was asked for.
class ScriptedStage final : public conduct::Stage {
public:
    using Deviations = std::span<const conduct::Deviation>;
    using Script = std::function<conduct::RunLog(const conduct::Workload&, Deviations)>;

    explicit ScriptedStage(Script script) : m_script(std::move(script)) {}

    conduct::RunLog play(const conduct::Workload& workload, Deviations deviations) override
    {
        m_plays.emplace_back(deviations.begin(), deviations.end());
        return m_script(workload, deviations);
    }

    std::vector<conduct::RunLog> playAll(std::span<const conduct::Play> plays) override
    {
        m_countsAtOnce.push_back(plays.size());
        return Stage::playAll(plays);
    }

    int width() const override { return m_width; }
    void setWidth(int width) { m_width = width; }

    const std::vector<std::vector<conduct::Deviation>>& plays() const { return m_plays; }
    const std::vector<std::size_t>& countsAtOnce() const { return m_countsAtOnce; }

private:
    Script m_script;
    int m_width = 1;
    std::vector<std::size_t> m_countsAtOnce;
    std::vector<std::vector<conduct::Deviation>> m_plays;
};

inline constexpr Duration kScriptedLease = std::chrono::seconds(2);

/// A takes the lock, B asks in vain, A gives it back, and B has it; then each once more.
inline conduct::Workload handOver()
{
    using conduct::Act;
    using conduct::Word;
    conduct::Workload workload = emptyWorkload(kScriptedLease);
    workload.acts = {Act::call(0, Word::Acquire), Act::call(1, Word::Acquire),
                     Act::call(0, Word::Release), Act::call(1, Word::Acquire),
                     Act::call(1, Word::Release)};
    workload.firstFinalAct = static_cast<int>(workload.acts.size());
    workload.acts.push_back(Act::pass(workload.leaseAtMost()));
    workload.acts.push_back(Act::call(0, Word::Acquire));
    return workload;
}

/// How the acts of handOver() go where all goes well.
inline WrittenLog handedOver()
{
    WrittenLog log(kScriptedLease);
    log.inAct(0).acquire(0).inAct(1).acquireInVain(1).inAct(2).release(0);
    log.inAct(3).acquire(1).inAct(4).release(1);
    log.inAct(5).pass(kScriptedLease * 5 / 4).inAct(6).acquire(0);
    return log;
}

/// The same with everything come about that was to.
inline conduct::RunLog rightRun(ScriptedStage::Deviations deviations)
{
    conduct::RunLog log = handedOver().log();
    log.deviationsMet = static_cast<int>(deviations.size());
    return log;
}

/// B has it while A has it.
inline conduct::RunLog doubleGrant(ScriptedStage::Deviations deviations)
{
    conduct::RunLog log = WrittenLog(kScriptedLease).inAct(0).acquire(0).inAct(1).acquire(1).log();
    log.deviationsMet = static_cast<int>(deviations.size());
    return log;
}

/// Whether one of them is of this kind, at the message where one is named.
inline bool holds(ScriptedStage::Deviations deviations, conduct::Interference kind,
                  std::string_view message = {})
{
    return std::any_of(deviations.begin(), deviations.end(), [&](const conduct::Deviation& one) {
        return one.kind == kind && (message.empty() || one.message.kind == message);
    });
}

inline constexpr int kReplays = 4;

inline conduct::ProofBounds bounds(int stepsMax = 2)
{
    conduct::ProofBounds some;
    some.stepsMax = stepsMax;
    some.replays = kReplays;
    some.faults = {world::FaultKind::Crash, world::FaultKind::ConnectionLoss,
                   world::FaultKind::MessageDelay};
    return some;
}

inline conduct::Proof search(ScriptedStage& stage, const conduct::ProofBounds& some,
                             const conduct::ProofListener& listener = {})
{
    const std::vector workloads{handOver()};
    return conduct::prove(stage, workloads, some, listener);
}

/// It breaks where the condition holds, and nowhere else.
template<class Condition>
ScriptedStage breakingWhere(Condition condition)
{
    return ScriptedStage([condition](const conduct::Workload&,
                                     ScriptedStage::Deviations deviations) {
        return condition(deviations) ? doubleGrant(deviations) : rightRun(deviations);
    });
}

inline bool losesReplyOfSet(ScriptedStage::Deviations deviations)
{
    return holds(deviations, conduct::Interference::LoseReply, "SET");
}

} // namespace lockscope::testing
