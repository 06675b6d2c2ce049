#pragma once

#include "core/kernel/base/content_hash.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/sim/sim_database.h"
#include "core/kernel/store/command.h"
#include "core/kernel/world/chances.h"
#include "core/kernel/world/server_clock.h"
#include "core/kernel/world/violation.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::world {

/// Why a client sent a request.
enum class Purpose : std::uint8_t { Acquire, Renew, Release };

/// The truth about the locks of a world, which no client knows: who believes what, whose lease
/// lives, who wrote what stands on the servers. It sees every command and every belief, and notes
/// where a promise was broken. All instants are the world's.
class Ledger {
public:
    /// What is referred to outlives the ledger.
    Ledger(const protocol::ProtocolInfo& info, const WorldPlan& plan);

    // What the clients do.
    void requested(int client, int lock, bool isRead, Instant now);
    /// One try was refused; it goes on waiting.
    void refused(int client, int lock, Instant now);
    /// Without the lock.
    void stoppedWaiting(int client, int lock, Instant now);
    /// An answer did not come: it waits to try again, and for no wake-up.
    void heardNothing(int client);
    void granted(int client, const protocol::Grant& grant, Instant now);
    void renewed(int client, int lock, Instant now);
    /// The holder knows that its lock is gone.
    void lost(int client, int lock, Instant now);
    void releasing(int client, int lock, Instant now);
    /// Another task than the one that took the lock is about to release it.
    void handedOver(int client, int lock) { beliefOf(client, lock).isHandedOver = true; }
    bool isHandedOver(int client, int lock) const { return beliefOf(client, lock).isHandedOver; }
    void released(int client, int lock, int holdsLeft, Instant now);
    /// The server answered that it holds nothing.
    void releaseRefused(int client, int lock, Instant now);
    /// The client cannot tell what became of a request.
    void answerUnknown(int client, int lock, Instant now);
    /// The locks that were given back in time since forgetGivenBack(), while nothing went wrong and
    /// no other client wanted them: they have to be open now for as many clients as the permits
    /// that no other client holds.
    struct GivenBack {
        int client = 0;
        int lock = 0;
        int room = 1;
    };
    const std::vector<GivenBack>& givenBack() const { return m_givenBack; }
    void forgetGivenBack() { m_givenBack.clear(); }
    void enteredWork(int client, int lock);
    void leftWork(int client, int lock, Instant now);
    void ended(int client, Instant now);

    /// A try or a renewal that changed something that another holder wrote: which lock, and whose
    /// hold.
    struct Overwriting {
        int lock = 0;
        int victim = 0;
    };
    /// A command of the client was carried out on the node; `entries` is what stands there now, and
    /// `clock` the server's.
    std::optional<Overwriting> commandRan(int client, int node, Purpose purpose,
                                          std::span<const sim::Entry> entries,
                                          const ServerClock& clock, Instant now);
    /// The overwriting ended the victim's hold, or moved its end. That of a try is harm if the try
    /// is refused: if it is granted all the same, that is a double grant.
    void holdHarmed(int client, Purpose purpose, const Overwriting& overwriting, ViolationKind harm,
                    Instant now);
    /// A server is about to carry out a command of the client, whatever it does. True: another
    /// client holds the lock.
    bool commandCame(int client, Purpose purpose, const store::Command& command, Instant now);
    /// A server answered the client's command with an error.
    void errorAnswered(int client, const store::Command& command, Instant now);
    /// A request was carried out whose answer reaches no client: it may have taken the lock.
    void answeredInVain(const store::Command& command, Instant now);
    /// Something goes wrong from outside: what follows need not be the protocol's doing.
    void faultHappened() { m_isClean = false; }
    /// The run is over; these locks are asked for once more.
    void concluded(bool isAnyHung, Instant now);
    /// Something other than a client changed the node or its clock.
    void nodeChanged(int node, std::span<const sim::Entry> entries, const ServerClock& clock,
                     Instant now);

    /// Whether the waiters of the protocol are woken.
    bool watchesSleepers() const { return m_hasWakeUps; }
    /// A client that knows that it has to wait for a lock.
    struct Waiter {
        int client = 0;
        int lock = 0;
        std::uint32_t request = 0; // its number among the requests of the run
    };
    /// The waiters that do nothing now; `isAsleep` says it of each client. Called before time goes
    /// on, during which they sleep.
    std::vector<Waiter> sleepers(const std::vector<bool>& isAsleep);
    /// The client sleeps from `now` to `then`, although one more try would be granted the lock from
    /// `openFrom` on. nullopt: it would not.
    void slept(const Waiter& sleeper, std::optional<Instant> openFrom, Instant now, Instant then);
    /// No client believes in the lock or gives it back, and all that wait for it only sleep.
    bool isLeftAlone(int lock, const std::vector<bool>& isAsleep) const;
    /// The lock has to be open for a waiting client from then on, if no client believes in it: a
    /// lease after the end of the last belief, and after the death of any client that held it or
    /// waited for it (docs/promises.md, "No stuck lock").
    Instant openBy(int lock) const { return m_resources[static_cast<std::size_t>(lock)].openBy; }
    /// The waiters that were refused after openBy() since forgetRefusals().
    const std::vector<Waiter>& lateRefusals() const { return m_lateRefusals; }
    void forgetRefusals() { m_lateRefusals.clear(); }
    /// Grows with every command that is carried out, and with everything else that happens to a
    /// server.
    std::uint64_t changeCount() const { return m_changeCount; }
    /// The clock by which the client judges its leases shows this at `now`, and goes at this rate.
    void setLocalClock(int client, Instant local, double rate, Instant now);

    int lockCount() const { return m_lockCount; }
    /// Of the plan, and one more for each lock, which may ask for it in the end.
    int clientCount() const { return m_clientCount; }
    const std::string& keyOf(int lock) const { return m_keys[static_cast<std::size_t>(lock)]; }

    bool believes(int client, int lock) const { return beliefOf(client, lock).isHeld(); }
    /// Whether the servers have anything that a client wrote for the lock.
    bool isAnythingLeft(int lock, Instant now) const;

    /// What stands for a lock on one server, and until when, by its last writer there.
    struct NodeHold {
        int node = 0;
        int lock = 0;
        int client = -1; // -1: nobody of this world, such as what a failover brought back
        Instant until{}; // max(): no expiry
    };
    /// One per server, lock and client.
    std::vector<NodeHold> nodeHolds(Instant now) const;

    /// A hold that stands on a majority of the servers, and until when; of the last writer
    /// there. One per client and lock; none for locks with several permits, or in two keys.
    struct CurrentHold {
        int client = 0;
        int lock = 0;
        Instant until{}; // max(): no expiry
    };
    std::vector<CurrentHold> currentHolds(Instant now) const;

    void note(protocol::Promise promise, ViolationKind kind, int lock, int client, int other,
              Instant now, Instant otherSince = {});
    const std::vector<Violation>& violations() const { return m_violations; }
    void setStepCount(int count) { m_stepCount = count; }
    /// So far. Not in contentHash().
    const Chances& chances() const { return m_chances; }

    /// Of everything on which later violations depend.
    std::uint64_t contentHash() const;

private:
    /// What one client takes for true about one lock. It follows from the client's own reports, not
    /// from the servers: promises break where the two differ. Only isRemoved and harmed are
    /// facts that the client does not know.
    struct Belief {
        int depth = 0; // holds that the client believes in; 0: none
        bool isRead = false;
        bool isToldLost = false; // it knows
        bool isRemoved = false;  // another client's release ended it
        bool isWaiting = false;
        bool isRefused = false;    // while it waits: it knows that it has to wait for a wake-up
        bool isInside = false;     // entered, and has not left
        bool isHandedOver = false; // another task gives it back. Follows from the client's history
        bool isGivingBack = false; // its last release is not answered yet. Likewise
        int bypassCount = 0;
        std::optional<Instant> openSince; // while it sleeps: since when it would be granted
        std::uint32_t requestOrder = 0;
        Instant waitingSince{};
        Instant since{};
        Instant leaseEnd = Instant::max();   // as the server gave it
        std::optional<Instant> trustedUntil; // by the client's own clock
        Duration lease{0};
        std::int64_t fence = 0;
        std::uint32_t valueSeen = 0;
        int harmed = -1; // whose hold this request's commands have harmed
        ViolationKind harm = ViolationKind::WrongExtension; // how

        bool isHeld() const { return depth > 0 && !isToldLost; }
    };
    /// One thing that stands on a server.
    struct Element {
        std::uint64_t id = 0; // of node, key and field
        std::uint64_t value = 0;
        Instant expiresAt{}; // max(): never
        int node = 0;
        int lock = 0;
        int writer = -1;
        bool isLockItself = false; // and not one of its companions
    };
    using Elements = std::vector<Element>;
    /// What a lock protects: a counter that holders read and write back (see enteredWork()). And
    /// see openBy().
    struct Resource {
        std::uint32_t version = 0;
        int lastWriter = -1;
        std::int64_t fenceSeen = 0;
        std::int64_t fenceGranted = 0;
        Instant openBy{};
    };
    struct LocalClock {
        Instant local{}; // what it showed at `at`
        Instant at{};
        double rate = 1;
    };

    std::size_t indexOf(int client, int lock) const
    {
        return static_cast<std::size_t>(client) * static_cast<std::size_t>(m_lockCount)
               + static_cast<std::size_t>(lock);
    }
    Belief& beliefOf(int client, int lock) { return m_beliefs[indexOf(client, lock)]; }
    const Belief& beliefOf(int client, int lock) const { return m_beliefs[indexOf(client, lock)]; }
    protocol::Promise exclusionPromise() const;
    bool excludes(const Belief& a, const Belief& b) const;
    bool isLeaseAlive(const Belief& belief, Instant now) const;
    bool isLiveHolder(int client, int lock, Instant now) const;
    bool ownsElement(int client, int lock, const Elements& elements) const;
    Instant localTimeOf(int client, Instant now) const;
    void checkExclusion(int client, int lock, Instant now);
    void checkFence(int client, int lock, std::int64_t fence, Instant now);
    void checkCount(int client, int lock, int serverCount, Instant now);
    void countBypass(int client, int lock, Instant now);
    void noteGivenBack(int client, int lock, Instant now);
    void checkLastOne(int client, int lock, Instant now);
    bool isAsker(int client) const;
    void countChance(protocol::Promise promise) { ++m_chances.of(promise); }
    void countTry(int client, int lock, Instant now);
    void countGrant(int client, const protocol::Grant& grant);
    void countEnd(int client, int lock, Instant now);
    void countFreed(int lock);
    bool isOtherHolding(int client, int lock, Instant now) const;
    int otherHoldCount(int client, int lock) const;
    void mayStayClosed(int lock, Instant now, int holdCount = 1);
    bool isAnyWaiting(int lock) const;
    int lockOf(std::string_view key) const;
    int lockIn(const store::Command& command) const;
    Elements elementsOf(int node, std::span<const sim::Entry> entries, const ServerClock& clock,
                        Instant now) const;
    void replaceElements(int node, Elements fresh);
    struct CommandEffect {
        int client;
        Purpose purpose;
        const Elements& outcome; // what stands on the node afterwards
        Instant now;
    };
    void judgeCreation(const CommandEffect& effect, const Element& made);
    void judgeRemoval(const CommandEffect& effect, const Element& gone);
    std::optional<Overwriting> judgeChange(const CommandEffect& effect, const Element& before,
                                           const Element& after);
    bool isTakenFrom(const CommandEffect& effect, const Element& before) const;

    const protocol::ProtocolInfo& m_info;
    const WorldPlan& m_plan;
    int m_clientCount;
    int m_lockCount;
    bool m_hasWakeUps;
    Duration m_leaseMax; // of the plan
    std::uint64_t m_changeCount = 0;
    std::vector<std::string> m_keys;   // of the locks
    std::vector<Belief> m_beliefs;     // by client, then lock
    std::vector<Resource> m_resources; // by lock
    Elements m_elements;               // by node, then in the order of the server
    std::vector<LocalClock> m_clocks;  // by client
    std::vector<Violation> m_violations;
    std::vector<GivenBack> m_givenBack; // empty between two steps
    std::vector<Waiter> m_lateRefusals; // likewise
    Chances m_chances;
    std::uint32_t m_requestOrder = 0;
    int m_stepCount = 0;
    bool m_isClean; // nothing has gone wrong from outside. Not hashed: worlds that may still have
                    // a fault, and only those, differ in it, and their hashes differ by that
};

} // namespace lockscope::world
