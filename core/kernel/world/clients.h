#pragma once

#include "core/kernel/base/content_hash.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/world/ledger.h"
#include "core/kernel/world/run_record.h"
#include "core/kernel/world/sim_client.h"
#include "core/kernel/world/world_plan.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::world {

/// The client programs of a world, with what outlives a program that crashes: its place among the
/// clients, its pauses, how often it was started. It passes on to the ledger what they report.
///
/// A client stands still while it is paused, and for good when it has crashed; only one that runs
/// may be asked to. Like a server, it is fresh when it did something in the latest step.
class Clients final : private trace::EventSink {
public:
    /// What is referred to outlives the clients, because their coroutines use it to the last.
    struct Setting {
        const protocol::LockProtocol& protocol;
        const WorldPlan& plan;
        const Instant& now; // the world's
        Ledger& ledger;
        Network& network;
        RunRecord& record;
    };

    explicit Clients(const Setting& setting);

    /// One more, by a plan that outlives it. It does nothing before start().
    void add(const WorldPlan& plan, const ClientPlan& acts);
    void start(int client) { (*this)[client].start(); }

    int count() const { return static_cast<int>(m_slots.size()); }
    SimClient& operator[](int client) { return *at(client).client; }
    const SimClient& operator[](int client) const { return *at(client).client; }

    bool isPaused(int client) const { return at(client).pausedUntil.has_value(); }
    bool isRunning(int client) const { return !isPaused(client) && !(*this)[client].isCrashed(); }
    bool isFresh(int client) const { return at(client).isFresh; }
    void markAll(bool areFresh);
    bool areAllDead() const;
    /// The latest of them that hangs.
    std::optional<int> hungOne() const;

    /// Lets it run until it waits for something. True when it ran at all.
    bool run(int client)
    {
        Slot& slot = at(client);
        const bool hasRun = slot.client->run();
        slot.isFresh = slot.isFresh || hasRun;
        if (!slot.hasEnded && slot.client->isOver()) {
            noteEnd(client);
        }
        return hasRun;
    }
    /// The first end of a pause, or timer of a client that is not paused; max(): none. A client
    /// that is paused does nothing, whatever is due for it before; fireTimers() makes up for that.
    Instant nextDue();
    /// Of all that run.
    void fireTimers();

    void pause(int client, Duration span);
    /// Those whose time has come.
    void endPauses();
    /// All, without a trace in the record.
    void resumeAll();
    /// A program that ends without a word: nothing of its memory is left.
    void crash(int client);
    /// By its supervisor: from its first act, at once, with a new identity and nothing in its
    /// memory. Its machine's clock goes on. It has to be connected and started.
    void replaceCrashed(int client);
    /// Its clock goes this fast from now on.
    void setRate(int client, double rate);

    /// What the client does next depends on; what is under way to it is in SimNetwork.
    void addTo(ContentHash& hash, int client) const;
    void addFreshnessTo(ContentHash& hash) const;

private:
    struct Slot {
        std::unique_ptr<SimClient> client;
        std::optional<Instant> pausedUntil;
        bool isFresh = false;
        bool hasEnded = false;
        int restartCount = 0;
    };

    void append(const trace::Event& event) override;
    std::unique_ptr<SimClient> makeClient(int index, const WorldPlan& plan, const ClientPlan& acts,
                                          int restartCount);
    void noteEnd(int client);
    Slot& at(int client) { return m_slots[static_cast<std::size_t>(client)]; }
    const Slot& at(int client) const { return m_slots[static_cast<std::size_t>(client)]; }

    Setting m_setting;
    std::vector<Slot> m_slots;
};

} // namespace lockscope::world
