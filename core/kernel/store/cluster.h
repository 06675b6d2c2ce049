#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Which node of a Redis Cluster has which keys. Nothing here sends anything.
namespace lockscope::store {

inline constexpr std::size_t kSlotCount = 16384;

/// The hash slot of a key, by the Redis Cluster specification: CRC16 (XMODEM) of the key, or of its
/// hash tag, what stands between the first "{" and the next "}" if that is not empty.
std::uint16_t slotOf(std::string_view key);

/// A member of a cluster, as one of them describes it.
struct ClusterNode {
    std::string id;
    HostPort address;      // as the cluster announces it, which need not be reachable from here
    std::string otherHost; // that it announces besides, a name or an IP address; empty: none
    bool isMaster = false;
    bool isFailed = false;   // the cluster agrees that it is
    std::string masterId;    // of a replica
    std::uint64_t epoch = 0; // of two masters that claim a slot, the one with the higher has it

    friend bool operator==(const ClusterNode&, const ClusterNode&) = default;
};

/// The other address that it announces; nullopt: there is none.
std::optional<HostPort> otherAddressOf(const ClusterNode& node);

/// A slot whose keys are being moved.
struct OpenSlot {
    std::uint16_t slot = 0;
    std::string source; // ids of nodes
    std::string target;

    friend auto operator<=>(const OpenSlot&, const OpenSlot&) = default;
};

/// What one node says of the cluster in CLUSTER NODES and CLUSTER INFO.
struct ClusterView {
    struct Line {
        ClusterNode node;
        std::vector<std::pair<std::uint16_t, std::uint16_t>> slots; // first and last
    };

    std::string selfId;              // of the node that says so; empty: it says nothing
    bool isDown = false;             // it answers nothing about keys for now
    std::vector<Line> lines;         // itself included
    std::vector<OpenSlot> openSlots; // those that it takes part in
};

/// Reads the outcomes of CLUSTER NODES and CLUSTER INFO. `asked` is the address of the node, which
/// may not know its own. A problem where there is no view.
std::variant<ClusterView, Problem> clusterViewOf(const Outcome& nodes, const Outcome& info,
                                                 const HostPort& asked);

/// Puts the host names that nodes announce in the place of their IP addresses, for who knows the
/// cluster by names, or checks them.
void preferNames(ClusterView& view);

/// Who has which slot, by what several nodes say. A value.
class ClusterTopology {
public:
    ClusterTopology() = default;
    /// What a node says of itself counts more than what others say of it, and of the masters that
    /// claim a slot the one with the highest epoch has it: so a former master that was cut off, and
    /// does not know yet, misleads nobody while another one can be asked.
    explicit ClusterTopology(std::span<const ClusterView> views);

    const std::vector<ClusterNode>& nodes() const { return m_nodes; }
    const ClusterNode* nodeOfId(std::string_view id) const; // null: there is none
    /// The one that announces this address; null: none does.
    const ClusterNode* nodeAt(const HostPort& address) const;
    /// Null: nobody has the slot.
    const ClusterNode* masterOf(std::uint16_t slot) const;
    /// The node that answers about the key, as far as is known; null: none.
    const ClusterNode* masterOfKey(std::string_view key) const { return masterOf(slotOf(key)); }
    /// Whether keys of the slot may be on the node: it has the slot, or is being given it.
    bool mayHave(const ClusterNode& node, std::uint16_t slot) const;
    /// The masters, those whose slots are being taken away before those that get them: who walks
    /// over their keys in this order meets each.
    std::vector<ClusterNode> masters() const;
    const std::vector<OpenSlot>& openSlots() const { return m_openSlots; }
    bool isDown(const ClusterNode& node) const;
    /// Each slot has the same master.
    bool hasSameOwners(const ClusterTopology& other) const;
    /// "0-100, 5000": the slots that nobody has; empty: none.
    std::string unservedSlots() const;
    /// "0-5460": those of the node.
    std::string slotsOf(const ClusterNode& node) const;

    friend bool operator==(const ClusterTopology&, const ClusterTopology&) = default;

private:
    static constexpr std::int16_t kNobody = -1;

    void takeNodes(std::span<const ClusterView> views);
    void claim(const ClusterView::Line& line);
    std::string rangesOf(std::int16_t owner) const;

    std::vector<ClusterNode> m_nodes; // in the order of their ids
    std::vector<std::int16_t> m_owners = std::vector<std::int16_t>(kSlotCount, kNobody);
    std::vector<OpenSlot> m_openSlots;
    std::vector<std::string> m_downIds;
};

using ClusterTopologyPtr = std::shared_ptr<const ClusterTopology>;

/// MOVED and ASK: the answer of a node that does not have the key. The command was not applied.
struct Redirection {
    bool isLasting = false; // MOVED: the slot is there from now on; ASK: this key alone
    std::uint16_t slot = 0;
    HostPort address; // no host: that of the node that answered

    friend bool operator==(const Redirection&, const Redirection&) = default;
};
std::optional<Redirection> redirectionOf(const Reply& reply);

} // namespace lockscope::store
