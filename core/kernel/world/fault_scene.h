#pragma once

#include "core/kernel/world/clients.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/servers.h"
#include "core/kernel/world/sim_network.h"
#include "core/kernel/world/step.h"

#include <vector>

namespace lockscope::world {

/// What faults go by and work on. All of it belongs to the world.
struct FaultScene {
    const WorldPlan& plan;
    const Instant& now;
    Ledger& ledger;
    Clients& clients;
    Servers& servers;
    SimNetwork& network;

    /// The amount that the plan gives the step's kind.
    Duration amountOf(const Step& step) const { return plan.faults.of(step.fault).amount; }
    /// Something other than a client changed the server or its clock: the ledger has to look at it,
    /// and clients may have to be told.
    void serverChanged(int node) const;
};

/// Where in a run faults are asked whether they may happen.
///
/// A fault is offered right after its victim did something: at any later moment it would do the
/// same, and the search would look at equal runs. Only when a pause ends differs.
struct Occasion {
    enum class Kind : std::uint8_t {
        ClientStarts,   // before the run: how its clock is set
        ServerStarts,   // likewise
        ClientActed,    // in the latest step
        RequestDue,     // a server could carry it out now
        AnswerDue,      // the same request: it is carried out, and what follows is in question
        RequestSent,    // the same, if it is an ordinary command: when it arrives is in question
        ListenerActed,  // a client that subscribed to a channel of the server, in the latest step
        ServerActed,    // in the latest step
        KeyOfFreshNode, // of each key that stands there, after ServerActed
    };

    Kind kind;
    int client = 0;
    int node = 0;
    LinkRole role = LinkRole::Commands;
    const sim::Entry* entry = nullptr; // KeyOfFreshNode
    int entryIndex = 0;                // among those that have not expired
};

/// Takes down which variants of one kind of fault may happen at an occasion.
class FaultOffers {
public:
    FaultOffers(FaultKind kind, const Occasion& occasion, std::vector<Step>& steps)
        : at(occasion),
          m_kind(kind),
          m_steps(steps)
    {}

    const Occasion& at;

    void add(int variant) { addOn(at.node, variant); }
    /// Of a fault that has a choice of servers where the occasion names none.
    void addOn(int node, int variant)
    {
        m_steps.push_back(Step::ofFault(m_kind, at.client, node, variant, at.role));
    }
    /// So many variants, counted from `first`, if this is such an occasion.
    void addAt(Occasion::Kind occasion, int variantCount, int first = 0)
    {
        for (int i = 0; at.kind == occasion && i < variantCount; ++i) {
            add(first + i);
        }
    }

private:
    FaultKind m_kind;
    std::vector<Step>& m_steps;
};

/// For FaultInfo::offer, of a fault that is always possible at such occasions.
template<Occasion::Kind When, int VariantCount = 1>
void offerEach(const FaultScene&, FaultOffers& offers)
{
    offers.addAt(When, VariantCount);
}

} // namespace lockscope::world
