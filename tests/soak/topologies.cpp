#include "tests/soak/topologies.h"

#include "core/kernel/store/cluster.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/group_of_servers.h"
#include "tests/support/live/plain_client.h"
#include "tests/support/live/sentinel_group.h"

namespace lockscope::testing {

using store::Command;

namespace {

/// Who holds what, by the server itself.
void addLocksOf(const store::Endpoint& server, std::map<Bytes, Bytes>& locks)
{
    PlainClient client(server);
    const store::Reply names = client("KEYS", "*");
    for (const store::Reply& name : *names.array()) {
        const store::Reply value = client("GET", *name.text());
        if (value.text() != nullptr) {
            locks[*name.text()] = *value.text();
        }
    }
}

class SentinelTopology final : public Topology {
public:
    store::Endpoint endpoint() const override { return m_group.endpoint(); }
    std::size_t nodeCount() const override { return SentinelGroup::kNodeCount; }
    wire::PrivateServer& node(std::size_t index) override { return m_group.node(index); }
    std::size_t someMaster(Rng& /*rng*/) override { return m_group.waitForMaster(); }
    void waitForSuccessor(std::size_t master) override { m_group.waitForMaster(master); }
    void restart(std::size_t node) override { m_group.restart(node); }
    void freeze(std::size_t node) override { m_group.node(node).freeze(); }
    void thaw(std::size_t node) override { m_group.node(node).thaw(); }
    void failOver(std::size_t master) override
    {
        // Refused while it knows no replica that could take over, or has just changed the master.
        waitForGroup("the Sentinels: none fails over", [this, master] {
            const auto now = m_group.master();
            if (now == master) {
                m_group.askSentinel(0, Command("SENTINEL", "failover", SentinelGroup::kMasterName));
            }
            return now && now != master;
        });
    }
    void settle() override
    {
        m_group.waitForMaster();
        m_group.waitForReplicas();
    }
    std::map<Bytes, Bytes> truth() override
    {
        std::map<Bytes, Bytes> locks;
        addLocksOf(m_group.node(m_group.waitForMaster()).endpoint(), locks);
        return locks;
    }
    store::Reply send(const Command& command) override
    {
        return m_group.ask(m_group.waitForMaster(), command);
    }

private:
    SentinelGroup m_group;
};

class ClusterTopology final : public Topology {
public:
    store::Endpoint endpoint() const override { return m_group.endpoint(); }
    std::size_t nodeCount() const override { return m_group.nodeCount(); }
    wire::PrivateServer& node(std::size_t index) override { return m_group.node(index); }
    std::size_t someMaster(Rng& rng) override
    {
        m_slot = store::slotOf(chaosLock(static_cast<int>(rng.below(kChaosLockCount))));
        return m_group.masterOf(m_slot).value();
    }
    void waitForSuccessor(std::size_t master) override { m_group.waitForMaster(m_slot, master); }
    void restart(std::size_t node) override { m_group.restart(node); }
    void freeze(std::size_t node) override { m_group.freeze(node); }
    void thaw(std::size_t node) override { m_group.thaw(node); }
    void failOver(std::size_t master) override
    {
        const store::ClusterTopology now = m_group.topology();
        for (std::size_t i = 0; i < m_group.nodeCount(); ++i) {
            const store::ClusterNode* const replica = now.nodeOfId(m_group.nodeId(i));
            if (replica != nullptr && replica->masterId == m_group.nodeId(master)) {
                waitForGroup("the cluster: the replica does not take over", [this, master, i] {
                    const auto owner = m_group.masterOf(m_slot);
                    if (owner == master) {
                        m_group.ask(i, Command("CLUSTER", "FAILOVER"));
                    }
                    return owner && owner != master;
                });
                return;
            }
        }
    }
    void settle() override { m_group.waitUntilSettled(ClusterGroup::kMasterCount); }
    std::map<Bytes, Bytes> truth() override
    {
        std::map<Bytes, Bytes> locks;
        for (int i = 0; i < kChaosLockCount; ++i) {
            const store::Reply value = m_group.askOwner(Command("GET", chaosLock(i)));
            if (value.text() != nullptr) {
                locks[chaosLock(i)] = *value.text();
            }
        }
        return locks;
    }
    store::Reply send(const Command& command) override { return m_group.askOwner(command); }
    /// A slot with a lock goes to another master, with its key.
    void moveSomething(Rng& rng) override
    {
        const std::string key = chaosLock(static_cast<int>(rng.below(kChaosLockCount)));
        const std::uint16_t slot = store::slotOf(key);
        const std::size_t source = m_group.masterOf(slot).value();
        std::size_t target = source;
        for (int i = 0; target == source; ++i) {
            target = m_group.masterOfKey(chaosLock(i)).value();
        }
        m_group.openSlot(slot, source, target);
        for (int i = 0; i < kChaosLockCount; ++i) {
            if (store::slotOf(chaosLock(i)) == slot && m_group.hasKey(source, chaosLock(i))) {
                m_group.moveKey(chaosLock(i), source, target);
            }
        }
        m_group.closeSlot(slot, source, target);
        m_group.waitForMaster(slot, source);
    }

private:
    ClusterGroup m_group;
    std::uint16_t m_slot = 0; // of the master that was last asked for
};

} // namespace

Bytes chaosLock(int number)
{
    return "chaos:" + std::to_string(number) + ":lock";
}

std::unique_ptr<Topology> sentinelTopology()
{
    return std::make_unique<SentinelTopology>();
}

std::unique_ptr<Topology> clusterTopology()
{
    return std::make_unique<ClusterTopology>();
}

} // namespace lockscope::testing
