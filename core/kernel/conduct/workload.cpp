#include "core/kernel/conduct/workload.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <chrono>
#include <compare>
#include <functional>
#include <set>
#include <utility>

namespace lockscope::conduct {

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;
constexpr int kFirstOther = 3; // processes that are there only where more were asked for
constexpr int kOther = 1;      // the second thread
constexpr Duration kPieceWithoutLease = std::chrono::seconds(1);
/// Longer than any end that a library keeps in the value of a lock with a lease of seconds.
constexpr Duration kLongAfter = std::chrono::minutes(10);

/// Writes down acts, one per line. Those of a process that is not there are left out.
class Script {
public:
    Script(const AdapterTraits& traits, const Surroundings& surroundings)
        : m_traits(traits),
          m_surroundings(surroundings)
    {}

    void acquire(int process, int lock = 0) { add(Act::call(process, Word::Acquire, lock)); }
    void acquireAgain(int process)
    {
        Act act = Act::call(process, Word::Acquire);
        act.isNested = true;
        add(act);
    }
    void acquireOn(int process, int thread)
    {
        add(Act::call(process, Word::Acquire).onThread(thread));
    }
    void read(int process)
    {
        Act act = Act::call(process, Word::Acquire);
        act.isRead = true;
        add(act);
    }
    void held(int process, int lock = 0) { addKnown(Act::call(process, Word::Held, lock)); }
    void heldOn(int process, int thread)
    {
        addKnown(Act::call(process, Word::Held).onThread(thread));
    }
    void extend(int process, int lock = 0)
    {
        if (lease() > Duration(0)) {
            addKnown(Act::call(process, Word::Extend, lock));
        }
    }
    void release(int process, int lock = 0) { addRelease(Act::call(process, Word::Release, lock)); }
    void releaseOn(int process, int thread)
    {
        addRelease(Act::call(process, Word::Release).onThread(thread));
    }
    /// Nearly as long as a lock lasts by itself; longer where it is renewed.
    void hold()
    {
        // Two of them with an extension between them outlive a lease.
        add(Act::pass(m_traits.isRenewed ? lease() + lease() * 2 / 5 : lease() * 3 / 5));
    }
    void passWaiting()
    {
        Act act = Act::pass(lease() + lease() / 4);
        act.kind = Act::Kind::PassWaiting;
        add(act);
    }
    int processCount() const { return m_surroundings.processCount; }

    /// Everybody gives back; a lease later every lock can be had.
    Workload finish(std::string id, std::string name, int lockCount = 1,
                    Duration waitMax = Duration(0))
    {
        Workload workload;
        workload.id = std::move(id);
        workload.name = std::move(name);
        workload.processCount = m_surroundings.processCount;
        workload.lockCount = lockCount;
        workload.serverCount = m_surroundings.serverCount;
        workload.replicaCount = m_surroundings.replicaCount;
        workload.lease = lease();
        workload.waitMax = waitMax;
        workload.traits = m_traits;
        workload.firstFinalAct = static_cast<int>(m_acts.size());
        const std::vector<Act> before = m_acts;
        for (const Act& act : before) {
            workload.threadCount = std::max(workload.threadCount, act.thread + 1);
        }
        for (const Asker& asker : askersIn(before)) {
            addRelease(asker.call(Word::Release));
            if (std::ranges::any_of(before, &Act::isNested)) {
                addRelease(asker.call(Word::Release));
            }
        }
        add(Act::pass(workload.leaseAtMost() + lease() / 4));
        for (const Asker& asker : askersIn(before)) {
            add(asker.call(Word::Acquire));
            addRelease(asker.call(Word::Release));
        }
        if (workload.hasLease()) {
            workload.firstProbe = static_cast<int>(m_acts.size());
            addProbes(Act::Kind::PassStuck, workload.slackOfValue(), askersIn(before));
            if (m_surroundings.isTimeFree) {
                addProbes(Act::Kind::SkipStuck, kLongAfter, askersIn(before));
            }
        }
        workload.acts = std::move(m_acts);
        return workload;
    }

private:
    struct Asker {
        int process = 0;
        int thread = 0;
        int lock = 0;

        Act call(Word word) const { return Act::call(process, word, lock).onThread(thread); }
        auto operator<=>(const Asker&) const = default;
    };

    /// Who asks for which lock: each once, the last one first.
    static std::set<Asker, std::greater<>> askersIn(const std::vector<Act>& acts)
    {
        std::set<Asker, std::greater<>> askers;
        for (const Act& act : acts) {
            if (act.kind == Act::Kind::Call && act.word == Word::Acquire) {
                askers.insert({act.process, act.thread, act.lock});
            }
        }
        return askers;
    }

    void addProbes(Act::Kind kind, Duration span, const std::set<Asker, std::greater<>>& askers)
    {
        Act pass = Act::pass(span);
        pass.kind = kind;
        add(pass);
        for (const Asker& asker : askers) {
            Act probe = asker.call(Word::Acquire);
            probe.isProbe = true;
            add(probe);
        }
    }

    Duration lease() const { return m_surroundings.lease; }
    void add(const Act& act)
    {
        if (act.kind != Act::Kind::Call || act.process < m_surroundings.processCount) {
            m_acts.push_back(act);
        }
    }
    void addKnown(const Act& act)
    {
        if (m_traits.vocabulary.has(act.word)) {
            add(act);
        }
    }
    /// Once more after an error, as a careful program does.
    void addRelease(Act act)
    {
        add(act);
        act.isRetry = true;
        add(act);
    }

    const AdapterTraits& m_traits;
    const Surroundings& m_surroundings;
    std::vector<Act> m_acts;
};

/// One lock from hand to hand; each thread takes it twice.
Workload inTurn(const AdapterTraits& traits, const Surroundings& surroundings)
{
    Script script(traits, surroundings);
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
    for (int other = kFirstOther; other < script.processCount(); ++other) {
        script.acquire(other);
        script.release(other);
    }
    return script.finish("in-turn", KernelText::tr("one lock in turn"));
}

/// The others wait while one holds.
Workload inQueue(const AdapterTraits& traits, const Surroundings& surroundings)
{
    Script script(traits, surroundings);
    script.acquire(kA);
    script.acquire(kB);
    for (int other = kFirstOther; other < script.processCount(); ++other) {
        script.acquire(other);
    }
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
    return script.finish("waiting", KernelText::tr("waiting for one lock"), 1,
                         surroundings.waitMax);
}

Workload readersAndWriter(const AdapterTraits& traits, const Surroundings& surroundings)
{
    Script script(traits, surroundings);
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
    return script.finish("readers-writer", KernelText::tr("two readers and a writer"));
}

/// What one holder does with its lock must not touch the other's.
Workload twoLocks(const AdapterTraits& traits, const Surroundings& surroundings)
{
    constexpr int kRounds = 3;
    Script script(traits, surroundings);
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
    return script.finish("two-locks", KernelText::tr("two locks side by side"), 2);
}

/// Two threads of a process are as strange to each other as two processes.
Workload twoThreads(const AdapterTraits& traits, const Surroundings& surroundings)
{
    Script script(traits, surroundings);
    script.acquire(kA);
    script.acquireOn(kA, kOther);
    script.hold();
    script.held(kA);
    script.release(kA);
    script.acquireOn(kA, kOther);
    script.acquire(kB);
    script.acquire(kA);
    script.hold();
    script.heldOn(kA, kOther);
    script.releaseOn(kA, kOther);
    script.acquire(kB);
    script.acquire(kA);
    script.release(kB);
    script.acquire(kA);
    script.acquireOn(kA, kOther);
    script.release(kA);
    return script.finish("threads", KernelText::tr("two threads of a process"));
}

/// Taken twice, it is free when it was given back twice.
Workload takenTwice(const AdapterTraits& traits, const Surroundings& surroundings)
{
    Script script(traits, surroundings);
    script.acquire(kA);
    script.acquireAgain(kA);
    script.acquire(kB);
    script.hold();
    script.release(kA);
    script.acquire(kB);
    script.held(kA);
    script.release(kA);
    script.acquire(kB);
    script.acquireAgain(kB);
    script.acquire(kA);
    script.release(kB);
    script.acquire(kC);
    script.release(kB);
    script.acquire(kC);
    script.release(kC);
    return script.finish("reentrant", KernelText::tr("one lock taken twice"));
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

Act Act::onThread(int number) const
{
    Act act = *this;
    act.thread = number;
    return act;
}

Act Act::start(int process)
{
    Act act;
    act.kind = Kind::Start;
    act.process = process;
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

std::vector<Workload> workloadsFor(const AdapterTraits& traits, const Surroundings& surroundings)
{
    const Vocabulary& known = traits.vocabulary;
    std::vector<Workload> workloads{inTurn(traits, surroundings), twoLocks(traits, surroundings)};
    if (known.knowsReaders) {
        workloads.push_back(readersAndWriter(traits, surroundings));
    }
    if (known.isReentrant) {
        workloads.push_back(takenTwice(traits, surroundings));
    }
    if (known.knowsThreads) {
        workloads.push_back(twoThreads(traits, surroundings));
    }
    // Without a lease nobody knows how long to wait.
    if (surroundings.waitMax > Duration(0) && surroundings.lease > Duration(0)) {
        workloads.push_back(inQueue(traits, surroundings));
    }
    return workloads;
}

Workload programsWorkload(const Surroundings& surroundings)
{
    constexpr int kPieces = 4; // of a lease
    constexpr int kLeases = 3;
    Workload workload;
    workload.id = kProgramsId;
    workload.name = KernelText::tr("whole programs");
    workload.processCount = surroundings.processCount;
    workload.serverCount = surroundings.serverCount;
    workload.replicaCount = surroundings.replicaCount;
    workload.lease = surroundings.lease;
    workload.waitMax = surroundings.waitMax; // how long it really waits is its own affair
    for (int process = 0; process < workload.processCount; ++process) {
        workload.acts.push_back(Act::start(process));
    }
    const Duration lease = std::max(surroundings.lease, kPieceWithoutLease);
    for (int piece = 0; piece < kPieces * kLeases * workload.processCount; ++piece) {
        workload.acts.push_back(Act::pass(lease / kPieces));
    }
    workload.firstFinalAct = static_cast<int>(workload.acts.size());
    for (int rest = 0; rest < kLeases; ++rest) {
        workload.acts.push_back(Act::pass(lease + lease / kPieces));
    }
    return workload;
}

std::string partyName(const Workload& workload, int party)
{
    const std::string process = world::clientName(workload.processOf(party));
    return workload.threadCount == 1
               ? process
               : KernelText::tr("%1's t%2", process, workload.threadOf(party));
}

} // namespace lockscope::conduct
