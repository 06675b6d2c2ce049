#include "ui/widgets/lab/scenario_fields.h"

#include "ui/models/ui_text.h"

namespace lockscope::widgets {

using models::ScenarioField;

std::vector<ScenarioLook> scenarioLooks()
{
    using enum ScenarioGroup;
    return {
        {ScenarioField::Contenders, Clients, "labContendersEdit", UiText::tr("Contenders"),
         UiText::tr("Number of clients with the same workload: acquire, work, release.")},
        {ScenarioField::Stagger, Clients, "staggerEdit", UiText::tr("Start offset"),
         UiText::tr("Delay between the starts of two clients. 0s: all at once. 12s: each starts "
                    "after a lease of 10s has ended.")},
        {ScenarioField::Rounds, Clients, "roundsEdit", UiText::tr("Rounds"),
         UiText::tr("How many times each client acquires the lock.")},
        {ScenarioField::Hold, Clients, "labHoldEdit", UiText::tr("Hold time"),
         UiText::tr("How long a lock is held: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Think, Clients, "labThinkEdit", UiText::tr("Think time"),
         UiText::tr("Time between two rounds: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Keys, Clients, "labKeysEdit", UiText::tr("Keys"),
         UiText::tr("Number of locks. Each round picks one at random.")},
        {ScenarioField::ReadShare, Clients, "labReadShareEdit", UiText::tr("Read share"),
         UiText::tr("Share of rounds that only read, distributed evenly: 50%.")},
        {ScenarioField::ReentryDepth, Clients, "labDepthEdit", UiText::tr("Reentry depth"),
         UiText::tr("How many times a holder acquires the lock in nested calls.")},
        {ScenarioField::Permits, Lock, "labPermitsEdit", UiText::tr("Permits"),
         UiText::tr("Maximum number of concurrent holders.")},
        {ScenarioField::Servers, Lock, "labServersEdit", UiText::tr("Servers"),
         UiText::tr("Number of independent masters. A majority must agree.")},
        {ScenarioField::Lease, Lock, "labLeaseEdit", UiText::tr("Lease"),
         UiText::tr("How long a grant lasts unless it is renewed.")},
        {ScenarioField::Renewal, Lock, "labRenewalEdit", UiText::tr("Renew every"),
         UiText::tr("A duration such as 3s, or off.")},
        {ScenarioField::RetryPause, Lock, "labRetryEdit", UiText::tr("Retry interval"),
         UiText::tr("Protocols with wake-ups use it only when they cannot wait for one.")},
        {ScenarioField::Tries, Lock, "labTriesEdit", UiText::tr("Maximum attempts"),
         UiText::tr("Per acquisition.")},
        {ScenarioField::WaitLimit, Lock, "labWaitEdit", UiText::tr("Maximum wait"),
         UiText::tr(
             "Per acquisition. A duration such as 30s, or off: limited by the attempts only.")},
        {ScenarioField::FaultTotal, Faults, "faultTotalEdit", UiText::tr("Faults per run"),
         UiText::tr("Maximum number of faults of all kinds in one run. Each additional fault makes "
                    "the search much larger.")},
        {ScenarioField::Horizon, Bounds, "horizonEdit", UiText::tr("Virtual time"),
         UiText::tr("Duration of one run in virtual time.")},
        {ScenarioField::Seed, Bounds, "labSeedEdit", UiText::tr("Seed"),
         UiText::tr("Seed of all random choices. The same seed gives the same runs.")},
    };
}

} // namespace lockscope::widgets
