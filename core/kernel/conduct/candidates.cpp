#include "core/kernel/conduct/candidates.h"

#include "core/kernel/conduct/belief_book.h"
#include "core/kernel/conduct/forecast.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::conduct {

namespace {

constexpr int kAlikeInRow = 2;
constexpr std::size_t kDelayEndsMax = 5;
constexpr std::size_t kPauseEndsMax = 8; // whole sections of others fit into a pause
constexpr std::size_t kFailOverEndsMax = 3;
constexpr std::size_t kLateEndsMax = 3;
constexpr int kOvertakingCallsMax = 2;
constexpr int kLikelyInTurn = 3;

bool changesLock(const LogEntry& entry)
{
    return std::ranges::any_of(entry.effects, [](const LockEffect& effect) {
        return effect.isMade || effect.isGone || effect.isProlonged;
    });
}

struct Candidate {
    Deviation deviation;
    int end = 0;
    bool isLikely = false; // to break something
    int turn = 0;
};

class Collector {
public:
    Collector(const Workload& workload, const RunLog& natural,
              const std::vector<world::FaultKind>& faults, const std::vector<Bytes>& scripts)
        : m_workload(workload),
          m_natural(natural),
          m_faults(faults),
          m_forecast(workload, natural, scripts)
    {}

    std::vector<Deviation> collect()
    {
        BeliefBook book(m_workload, {});
        std::vector<Belief::State> before(static_cast<std::size_t>(m_workload.partyCount()));
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
            countCalls(entry);
            book.see(entry);
        }
        return inTurn();
    }

private:
    bool isNew(const LogEntry& entry)
    {
        return ++m_alike[{entry.process, entry.server, entry.act, entry.message.kind}]
               <= kAlikeInRow;
    }

    bool isWanted(world::FaultKind fault) const
    {
        return std::ranges::find(m_faults, fault) != m_faults.end();
    }

    /// `end`: of what may end behind several acts, which of them.
    void add(Deviation deviation, int end = 0)
    {
        if (isWanted(faultOf(deviation.kind))
            || (isOrderOnly(deviation) && isWanted(world::FaultKind::Interleaving))) {
            const bool isLikely = m_forecast.showsHarm(deviation);
            m_found.push_back({std::move(deviation), end, isLikely});
        }
    }

    /// Behind which acts something that begins in `act` may end: calls of the others.
    std::vector<int> endsBehind(int act, int process, std::size_t countMax) const
    {
        std::vector<int> ends;
        for (int i = std::max(act, 0); i < m_workload.firstFinalAct && ends.size() < countMax;
             ++i) {
            const Act& next = m_workload.acts[static_cast<std::size_t>(i)];
            // Another thread of the same process is as good as another process.
            const bool isOthers = next.kind == Act::Kind::Call
                                  && (next.process != process || m_workload.threadCount > 1)
                                  && next.word != Word::Held && !next.isRetry;
            // What a program does when, is its own affair: any piece of time may be the end.
            const bool isOfProgram = m_workload.isOfPrograms();
            if (isOthers || isOfProgram) {
                ends.push_back(i);
            }
        }
        return ends;
    }

    void addLasting(Interference kind, const MessageName& message, int act, std::size_t endsMax)
    {
        const bool isShort = isAtMessage(kind) || kind == Interference::ServerDown;
        const std::vector<int> ends = endsBehind(act, isOfServer(kind) ? -1 : message.process,
                                                 endsMax);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (isShort) {
                add({kind, message, act, ends[i], Leap::None}, static_cast<int>(i));
            }
            if (m_workload.hasLease() || !isShort) {
                add({kind, message, act, ends[i], Leap::AtBegin}, static_cast<int>(i));
            }
        }
    }

    /// Even of a lock without a lease: what wakes its waiters may have an end. A poll is sent
    /// again, and an attempt that comes late is like one that begins late.
    void addLate(const LogEntry& entry)
    {
        const std::vector<int> ends = endsBehind(entry.act, entry.process, kLateEndsMax);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            add({Interference::DelayRequest, entry.message, entry.act, ends[i], Leap::AtEnd},
                static_cast<int>(i));
        }
    }

    void addAtMessage(const LogEntry& entry)
    {
        const auto addNow = [&](Interference kind) {
            add({kind, entry.message, entry.act, entry.act});
        };
        const Vocabulary& known = m_workload.traits.vocabulary;
        const bool isByItself = m_callCounts[entry.process] == 0;
        const bool isInterruptible = !isByItself
                                     && (known.has(Word::Interrupt) || known.has(Word::Cancel));
        addLasting(Interference::DelayRequest, entry.message, entry.act, kDelayEndsMax);
        addNow(Interference::LoseRequest);
        if (entry.message.kind.starts_with("EVALSHA")) {
            addNow(Interference::ForgetScripts);
        }
        if (isInterruptible) {
            addNow(Interference::InterruptBefore);
        }
        if (isByItself && m_workload.threadCount == 1 && !m_workload.isOfPrograms()) {
            addOvertaken(entry);
        }
        if (!changesLock(entry)) {
            addLate(entry);
            return;
        }
        addLasting(Interference::DelayReply, entry.message, entry.act, kDelayEndsMax);
        addReplicaFaults(entry);
        addNow(Interference::LoseReply);
        addNow(Interference::KillAfter);
        if (isInterruptible) {
            addNow(Interference::InterruptAfter);
        }
    }

    void countCalls(const LogEntry& entry)
    {
        int& count = m_callCounts[entry.process];
        switch (entry.kind) {
        case LogEntry::Kind::Called: ++count; return;
        case LogEntry::Kind::Answered: --count; return;
        case LogEntry::Kind::Ended: count = 0; return;
        default: return;
        }
    }

    /// What a library sends by itself, such as a renewal, may be under way while its owner goes on.
    void addOvertaken(const LogEntry& entry)
    {
        int endCount = 0;
        for (int i = entry.act; i < m_workload.firstFinalAct && endCount < kOvertakingCallsMax;
             ++i) {
            const Act& next = m_workload.acts[static_cast<std::size_t>(i)];
            if (next.kind == Act::Kind::Call && next.process == entry.process
                && next.word != Word::Held && !next.isRetry) {
                add({Interference::DelayRequest, entry.message, entry.act, i}, endCount);
                add({Interference::DelayReply, entry.message, entry.act, i}, endCount);
                ++endCount;
            }
        }
    }

    /// Their ends only: in between nobody notices anything.
    void addReplicaFaults(const LogEntry& entry)
    {
        const std::vector<int> ends = endsBehind(entry.act, -1, kFailOverEndsMax);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            add({Interference::FailOver, entry.message, entry.act, ends[i], Leap::None},
                static_cast<int>(i));
            if (m_workload.replicaCount > 0) {
                add({Interference::LagReplicas, entry.message, entry.act, ends[i], Leap::None},
                    static_cast<int>(i));
            }
        }
    }

    /// To one server as a whole.
    void addToServers(int act)
    {
        const bool areSeveral = m_workload.serverCount > 1;
        for (int server = 0; server < m_workload.serverCount; ++server) {
            const MessageName place{0, {}, 0, areSeveral ? server + 1 : 0};
            add({Interference::RestartServer, place, act, act});
            if (areSeveral) {
                addLasting(Interference::ServerDown, place, act, kFailOverEndsMax);
            }
        }
    }

    /// Between two acts: to those who hold or wait since a moment ago, and time for all.
    void addBetween(const BeliefBook& book, std::vector<Belief::State>& before, int act)
    {
        bool isAnybodyConcerned = false;
        bool isAnythingNew = false;
        for (int party = 0; party < m_workload.partyCount(); ++party) {
            Belief::State state = Belief::State::None;
            for (int lock = 0; lock < m_workload.lockCount && state == Belief::State::None;
                 ++lock) {
                state = book.of(party, lock).state;
            }
            isAnybodyConcerned = isAnybodyConcerned || state != Belief::State::None;
            Belief::State& last = before[static_cast<std::size_t>(party)];
            if (state != Belief::State::None && state != std::exchange(last, state)) {
                addToProcess(m_workload.processOf(party), act, state);
                isAnythingNew = true;
            }
            last = state;
        }
        if (isAnythingNew) {
            addToServers(act);
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

    /// One of each kind, then the next of each. Within a kind neither the first moment with all of
    /// its ends comes first nor all moments with their first end, but what is early in both.
    std::vector<Deviation> inTurn()
    {
        using Kind = std::tuple<Interference, Leap, bool>;
        const auto kindOf = [](const Candidate& one) {
            return Kind(one.deviation.kind, one.deviation.leap, one.isLikely);
        };
        std::map<Kind, int> moments;
        for (Candidate& one : m_found) {
            int& moment = moments[kindOf(one)];
            moment += one.end == 0 ? 1 : 0;
            one.turn = moment + one.end;
        }
        std::ranges::stable_sort(m_found, {}, &Candidate::turn);
        std::map<Kind, int> counts;
        for (Candidate& one : m_found) {
            const int count = counts[kindOf(one)]++;
            one.turn = one.isLikely ? count / kLikelyInTurn : count;
        }
        std::ranges::stable_sort(m_found, {}, [](const Candidate& one) {
            return std::tuple(one.turn, !one.isLikely, stepsOf(one.deviation));
        });
        std::vector<Deviation> all;
        for (Candidate& one : m_found) {
            all.push_back(std::move(one.deviation));
        }
        return all;
    }

    const Workload& m_workload;
    const RunLog& m_natural;
    const std::vector<world::FaultKind>& m_faults;
    Forecast m_forecast;
    std::map<std::tuple<int, int, int, std::string>, int> m_alike;
    std::map<int, int> m_callCounts; // that go on, by process
    std::vector<Candidate> m_found;
};

} // namespace

std::vector<Deviation> candidatesFor(const Workload& workload, const RunLog& natural,
                                     const std::vector<world::FaultKind>& faults,
                                     const std::vector<Bytes>& scripts)
{
    return Collector(workload, natural, faults, scripts).collect();
}

} // namespace lockscope::conduct
