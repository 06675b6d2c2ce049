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
         translated("Clients that do the same: take the lock, work, release it.")},
        {ScenarioField::Stagger, Clients, "staggerEdit", translated("Each begins later by"),
         translated("0s: all at once. 12s: each comes when a lease of 10s is over.")},
        {ScenarioField::Rounds, Clients, "roundsEdit", translated("Rounds of each"),
         translated("How often each of them takes the lock.")},
        {ScenarioField::Hold, Clients, "labHoldEdit", translated("Hold time"),
         translated("How long a holder works: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Think, Clients, "labThinkEdit", translated("Think time"),
         translated("Between two rounds: 4s, 2s..6s, or ~4s for a mean.")},
        {ScenarioField::Keys, Clients, "labKeysEdit", translated("Keys"),
         translated("How many locks there are; each round takes one at random.")},
        {ScenarioField::ReadShare, Clients, "labReadShareEdit", translated("Read share"),
         translated("How many of the rounds are readers', spread evenly: 50%.")},
        {ScenarioField::ReentryDepth, Clients, "labDepthEdit", translated("Reentry depth"),
         translated("How often a holder takes the lock it holds.")},
        {ScenarioField::Permits, Lock, "labPermitsEdit", translated("Permits"),
         translated("How many may hold at once.")},
        {ScenarioField::Servers, Lock, "labServersEdit", translated("Servers"),
         translated("Independent masters; a majority of them has to agree.")},
        {ScenarioField::Lease, Lock, "labLeaseEdit", translated("Lease"),
         translated("How long a grant lasts unless it is renewed.")},
        {ScenarioField::Renewal, Lock, "labRenewalEdit", translated("Renew every"),
         translated("A time like 3s, or off.")},
        {ScenarioField::RetryPause, Lock, "labRetryEdit", translated("Pause between tries"),
         translated("Protocols with a wake-up of their own use it only where there is nothing to "
                    "wait for.")},
        {ScenarioField::Tries, Lock, "labTriesEdit", translated("Tries at most"),
         translated("For one acquisition.")},
        {ScenarioField::WaitLimit, Lock, "labWaitEdit", translated("Wait at most"),
         translated("For one acquisition. A time like 30s, or off: as long as the tries last.")},
        {ScenarioField::FaultTotal, Faults, "faultTotalEdit", translated("Together at most"),
         translated("How many faults of all kinds there are in one run. Each more makes the "
                    "search much larger.")},
        {ScenarioField::Horizon, Bounds, "horizonEdit", translated("Virtual time"),
         translated("Of one run; nothing happens later.")},
        {ScenarioField::Seed, Bounds, "labSeedEdit", translated("Seed"),
         translated("Of all that is drawn at random: the same seed, the same runs.")},
    };
}

} // namespace lockscope::widgets
