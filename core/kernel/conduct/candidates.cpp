#include "core/kernel/conduct/candidates.h"

#include "core/kernel/conduct/belief_book.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::conduct {

namespace {

constexpr int kAlikeInRow = 2;
constexpr std::size_t kDelayEndsMax = 5;
constexpr std::size_t kPauseEndsMax = 8; // whole sections of others fit into a pause
constexpr std::size_t kOthersPerKill = 5;

bool changesLock(const LogEntry& entry)
{
    return std::ranges::any_of(entry.effects, [](const LockEffect& effect) {
        return effect.isMade || effect.isGone || effect.isProlonged;
    });
}

class Collector {
public:
    Collector(const Workload& workload, const RunLog& natural,
              const std::vector<world::FaultKind>& faults)
        : m_workload(workload),
          m_natural(natural),
          m_faults(faults)
    {}

    std::vector<Deviation> collect()
    {
        BeliefBook book(m_workload, {});
        std::vector<Belief::State> before(static_cast<std::size_t>(m_workload.processCount));
        int act = -1;
        for (const LogEntry& entry : m_natural.entries) {
            if (entry.act >= m_workload.firstFinalAct) {
                break;
            }
            if (entry.act != act) {
                act = entry.act;
                addBetween(book, before, act);
            }
            if (entry.kind == LogEntry::Kind::Executed && entry.lock >= 0 && isNew(entry)) {
                addAtMessage(entry);
            }
            book.see(entry);
        }
        std::ranges::stable_sort(m_found, {}, [](const Deviation& one) { return stepsOf(one); });
        return spread(std::move(m_found));
    }

private:
    bool isNew(const LogEntry& entry)
    {
        return ++m_alike[{entry.process, entry.act, entry.message.kind}] <= kAlikeInRow;
    }

    void add(Deviation deviation)
    {
        if (std::ranges::find(m_faults, faultOf(deviation.kind)) != m_faults.end()) {
            m_found.push_back(std::move(deviation));
        }
    }

    /// Behind which acts something that begins in `act` may end: calls of the others.
    std::vector<int> endsBehind(int act, int process, std::size_t countMax) const
    {
        std::vector<int> ends;
        for (int i = std::max(act, 0); i < m_workload.firstFinalAct && ends.size() < countMax;
             ++i) {
            const Act& next = m_workload.acts[static_cast<std::size_t>(i)];
            const bool isOthers = next.kind == Act::Kind::Call && next.process != process
                                  && next.word != Word::Held && !next.isRetry;
            if (isOthers) {
                ends.push_back(i);
            }
        }
        return ends;
    }

    void addLasting(Interference kind, const MessageName& message, int act, std::size_t endsMax)
    {
        const bool isDelay = isAtMessage(kind);
        for (const int end : endsBehind(act, message.process, endsMax)) {
            if (isDelay) {
                add({kind, message, act, end, false});
            }
            if (m_workload.hasLease()) {
                add({kind, message, act, end, true});
            }
        }
    }

    void addAtMessage(const LogEntry& entry)
    {
        const auto addNow = [&](Interference kind) {
            add({kind, entry.message, entry.act, entry.act});
        };
        const Vocabulary& known = m_workload.traits.vocabulary;
        const bool isInterruptible = known.has(Word::Interrupt) || known.has(Word::Cancel);
        addLasting(Interference::DelayRequest, entry.message, entry.act, kDelayEndsMax);
        addNow(Interference::LoseRequest);
        if (isInterruptible) {
            addNow(Interference::InterruptBefore);
        }
        if (!changesLock(entry)) {
            return;
        }
        addLasting(Interference::DelayReply, entry.message, entry.act, kDelayEndsMax);
        addNow(Interference::LoseReply);
        addNow(Interference::KillAfter);
        if (isInterruptible) {
            addNow(Interference::InterruptAfter);
        }
    }

    /// Between two acts: to those who hold or wait since a moment ago, and time for all.
    void addBetween(const BeliefBook& book, std::vector<Belief::State>& before, int act)
    {
        bool isAnybodyConcerned = false;
        for (int process = 0; process < m_workload.processCount; ++process) {
            Belief::State state = Belief::State::None;
            for (int lock = 0; lock < m_workload.lockCount && state == Belief::State::None;
                 ++lock) {
                state = book.of(process, lock).state;
            }
            isAnybodyConcerned = isAnybodyConcerned || state != Belief::State::None;
            Belief::State& last = before[static_cast<std::size_t>(process)];
            if (state != Belief::State::None && state != std::exchange(last, state)) {
                addToProcess(process, act, state);
            }
            last = state;
        }
        if (isAnybodyConcerned && m_workload.hasLease()) {
            add({Interference::PassTime, {}, act, act});
        }
    }

    void addToProcess(int process, int act, Belief::State state)
    {
        const MessageName anyMessage{process, {}, 0};
        if (state == Belief::State::Asking) {
            add({Interference::KillIdle, anyMessage, act, act});
        }
        addLasting(Interference::Pause, anyMessage, act, kPauseEndsMax);
        addLasting(Interference::Isolate, anyMessage, act, kDelayEndsMax);
    }

    /// Of equally many steps a death now and then: the process that takes over has time to start.
    static std::vector<Deviation> spread(std::vector<Deviation> sorted)
    {
        std::vector<Deviation> all;
        for (auto begin = sorted.begin(); begin != sorted.end();) {
            const int steps = stepsOf(*begin);
            const auto end = std::find_if(begin, sorted.end(), [steps](const Deviation& one) {
                return stepsOf(one) != steps;
            });
            auto kill = std::stable_partition(begin, end, [](const Deviation& one) {
                return !isDeath(one.kind);
            });
            const auto kills = kill;
            for (auto other = begin; other != kills || kill != end;) {
                if (kill != end) {
                    all.push_back(*kill++);
                }
                for (std::size_t i = 0; i < kOthersPerKill && other != kills; ++i) {
                    all.push_back(*other++);
                }
            }
            begin = end;
        }
        return all;
    }

    const Workload& m_workload;
    const RunLog& m_natural;
    const std::vector<world::FaultKind>& m_faults;
    std::map<std::tuple<int, int, std::string>, int> m_alike;
    std::vector<Deviation> m_found;
};

} // namespace

std::vector<Deviation> candidatesFor(const Workload& workload, const RunLog& natural,
                                     const std::vector<world::FaultKind>& faults)
{
    return Collector(workload, natural, faults).collect();
}

} // namespace lockscope::conduct
