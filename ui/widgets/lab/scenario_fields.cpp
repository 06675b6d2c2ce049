#include "lab/scenario_fields.h"

#include <QCoreApplication>

namespace lockscope::widgets {

using models::ScenarioField;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("ScenarioFields", text);
}

} // namespace

std::vector<ScenarioLook> scenarioLooks()
{
    using enum ScenarioGroup;
    return {
        {ScenarioField::Contenders, Clients, "labContendersEdit", translated("Contenders"),
         translated("Number of clients with the same workload: acquire, work, release.")},
        {ScenarioField::Stagger, Clients, "staggerEdit", translated("Start offset"),
         translated("Delay between the starts of two clients. 0s: all at once. 12s: each starts "
                    "after a lease of 10s has ended.")},
        {ScenarioField::Rounds, Clients, "roundsEdit", translated("Rounds"),
         translated("How many times each client acquires the lock.")},
        {ScenarioField::Hold, Clients, "labHoldEdit", translated("Hold time"),
         translated("How long a lock is held: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Think, Clients, "labThinkEdit", translated("Think time"),
         translated("Time between two rounds: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Keys, Clients, "labKeysEdit", translated("Keys"),
         translated("Number of locks. Each round picks one at random.")},
        {ScenarioField::ReadShare, Clients, "labReadShareEdit", translated("Read share"),
         translated("Share of rounds that only read, distributed evenly: 50%.")},
        {ScenarioField::ReentryDepth, Clients, "labDepthEdit", translated("Reentry depth"),
         translated("How many times a holder acquires the lock in nested calls.")},
        {ScenarioField::Permits, Lock, "labPermitsEdit", translated("Permits"),
         translated("Maximum number of concurrent holders.")},
        {ScenarioField::Servers, Lock, "labServersEdit", translated("Servers"),
         translated("Number of independent masters. A majority must agree.")},
        {ScenarioField::Lease, Lock, "labLeaseEdit", translated("Lease"),
         translated("How long a grant lasts unless it is renewed.")},
        {ScenarioField::Renewal, Lock, "labRenewalEdit", translated("Renew every"),
         translated("A duration such as 3s, or off.")},
        {ScenarioField::RetryPause, Lock, "labRetryEdit", translated("Retry interval"),
         translated("Protocols with wake-ups use it only when they cannot wait for one.")},
        {ScenarioField::Tries, Lock, "labTriesEdit", translated("Maximum attempts"),
         translated("Per acquisition.")},
        {ScenarioField::WaitLimit, Lock, "labWaitEdit", translated("Maximum wait"),
         translated(
             "Per acquisition. A duration such as 30s, or off: limited by the attempts only.")},
        {ScenarioField::FaultTotal, Faults, "faultTotalEdit", translated("Faults per run"),
         translated("Maximum number of faults of all kinds in one run. Each additional fault makes "
                    "the search much larger.")},
        {ScenarioField::Horizon, Bounds, "horizonEdit", translated("Virtual time"),
         translated("Duration of one run in virtual time.")},
        {ScenarioField::Seed, Bounds, "labSeedEdit", translated("Seed"),
         translated("Seed of all random choices. The same seed gives the same runs.")},
    };
}

} // namespace lockscope::widgets
