#include "core/kernel/conduct/workload.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <utility>

namespace lockscope::conduct {

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

/// Writes down acts, one per line.
class Script {
public:
    Script(const AdapterTraits& traits, Duration lease) : m_traits(traits), m_lease(lease) {}

    void acquire(int process, int lock = 0) { add(Act::call(process, Word::Acquire, lock)); }
    void read(int process)
    {
        Act act = Act::call(process, Word::Acquire);
        act.isRead = true;
        add(act);
    }
    void held(int process, int lock = 0) { addKnown(process, Word::Held, lock); }
    void extend(int process, int lock = 0)
    {
        if (m_lease > Duration(0)) {
            addKnown(process, Word::Extend, lock);
        }
    }
    /// Once more after an error, as a careful program does.
    void release(int process, int lock = 0)
    {
        Act act = Act::call(process, Word::Release, lock);
        add(act);
        act.isRetry = true;
        add(act);
    }
    /// Nearly as long as a lock lasts by itself; longer where it is renewed.
    void hold()
    {
        // Two of them with an extension between them outlive a lease.
        add(Act::pass(m_traits.isRenewed ? m_lease + m_lease * 2 / 5 : m_lease * 3 / 5));
    }
    void passWaiting()
    {
        Act act = Act::pass(m_lease + m_lease / 4);
        act.kind = Act::Kind::PassWaiting;
        add(act);
    }

    /// Everybody gives back; a lease later every lock can be had.
    Workload finish(std::string id, std::string name, int lockCount, Duration waitMax)
    {
        Workload workload;
        workload.id = std::move(id);
        workload.name = std::move(name);
        workload.lockCount = lockCount;
        workload.lease = m_lease;
        workload.waitMax = waitMax;
        workload.traits = m_traits;
        workload.firstFinalAct = static_cast<int>(m_acts.size());
        const std::vector<Act> before = m_acts;
        for (const auto& [process, lock] : askersIn(before)) {
            release(process, lock);
        }
        add(Act::pass(workload.leaseAtMost() + m_lease / 4));
        for (const auto& [process, lock] : askersIn(before)) {
            acquire(process, lock);
            release(process, lock);
        }
        workload.acts = std::move(m_acts);
        return workload;
    }

private:
    /// Which process asks for which lock: each once, the last one first.
    static std::set<std::pair<int, int>, std::greater<>> askersIn(const std::vector<Act>& acts)
    {
        std::set<std::pair<int, int>, std::greater<>> askers;
        for (const Act& act : acts) {
            if (act.kind == Act::Kind::Call && act.word == Word::Acquire) {
                askers.emplace(act.process, act.lock);
            }
        }
        return askers;
    }

    void add(const Act& act) { m_acts.push_back(act); }
    void addKnown(int process, Word word, int lock)
    {
        if (m_traits.vocabulary.has(word)) {
            add(Act::call(process, word, lock));
        }
    }

    const AdapterTraits& m_traits;
    Duration m_lease;
    std::vector<Act> m_acts;
};

/// One lock from hand to hand; each thread takes it twice.
Workload inTurn(const AdapterTraits& traits, Duration lease)
{
    Script script(traits, lease);
    script.acquire(kA);
    script.acquire(kB);
    script.hold();
    script.extend(kA);
    script.held(kA);
    script.release(kA);
    script.acquire(kB);
    script.acquire(kC);
    script.hold();
    script.extend(kB);
    script.held(kB);
    script.release(kB);
    script.acquire(kC);
    script.acquire(kA);
    script.held(kA);
    script.release(kC);
    script.acquire(kA);
    script.hold();
    script.acquire(kB);
    script.held(kA);
    script.release(kA);
    script.acquire(kB);
    script.release(kB);
    return script.finish("in-turn", KernelText::tr("one lock in turn"), 1, Duration(0));
}

/// The others wait while one holds.
Workload inQueue(const AdapterTraits& traits, Duration lease, Duration waitMax)
{
    Script script(traits, lease);
    script.acquire(kA);
    script.acquire(kB);
    script.hold();
    script.held(kA);
    script.release(kA);
    script.passWaiting();
    script.acquire(kC);
    script.held(kB);
    script.release(kB);
    script.passWaiting();
    script.acquire(kA);
    script.release(kC);
    script.passWaiting();
    script.release(kA);
    return script.finish("waiting", KernelText::tr("waiting for one lock"), 1, waitMax);
}

Workload readersAndWriter(const AdapterTraits& traits, Duration lease)
{
    Script script(traits, lease);
    script.read(kA);
    script.read(kB);
    script.acquire(kC);
    script.hold();
    script.held(kA);
    script.release(kA);
    script.hold();
    script.held(kB);
    script.release(kB);
    script.acquire(kC);
    script.read(kA);
    script.held(kC);
    script.release(kC);
    script.read(kA);
    script.release(kA);
    return script.finish("readers-writer", KernelText::tr("two readers and a writer"), 1,
                         Duration(0));
}

/// What one holder does with its lock must not touch the other's.
Workload twoLocks(const AdapterTraits& traits, Duration lease)
{
    constexpr int kRounds = 3;
    Script script(traits, lease);
    script.acquire(kA, 0);
    script.acquire(kB, 1);
    for (int round = 0; round < kRounds; ++round) {
        script.hold();
        script.extend(kA, 0);
        script.extend(kB, 1);
        if (!traits.vocabulary.has(Word::Extend) && !traits.isRenewed) {
            break; // longer than a lease nobody may hold it
        }
    }
    script.held(kA, 0);
    script.acquire(kC, 1);
    script.release(kA, 0);
    script.acquire(kC, 1);
    script.held(kB, 1);
    script.release(kB, 1);
    script.acquire(kC, 1);
    script.release(kC, 1);
    return script.finish("two-locks", KernelText::tr("two locks side by side"), 2, Duration(0));
}

} // namespace

Act Act::call(int process, Word word, int lock)
{
    Act act;
    act.kind = Kind::Call;
    act.process = process;
    act.word = word;
    act.lock = lock;
    return act;
}

Act Act::pass(Duration span)
{
    Act act;
    act.span = span;
    return act;
}

Duration Workload::toldWait() const
{
    constexpr Duration kTryMin = std::chrono::milliseconds(50);
    constexpr Duration kTryMax = std::chrono::milliseconds(200);
    return waits() ? waitMax : hasLease() ? std::clamp(lease / 10, kTryMin, kTryMax) : kTryMax;
}

std::vector<Workload> workloadsFor(const AdapterTraits& traits, Duration lease, Duration waitMax)
{
    std::vector<Workload> workloads{inTurn(traits, lease), twoLocks(traits, lease)};
    if (traits.vocabulary.knowsReaders) {
        workloads.push_back(readersAndWriter(traits, lease));
    }
    if (waitMax > Duration(0) && lease > Duration(0)) { // without one nobody knows how long to wait
        workloads.push_back(inQueue(traits, lease, waitMax));
    }
    return workloads;
}

} // namespace lockscope::conduct
