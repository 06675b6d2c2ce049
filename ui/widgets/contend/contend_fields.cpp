#include "contend/contend_fields.h"

#include <QCoreApplication>

#include <utility>

namespace lockscope::widgets {

using models::ContendField;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("ContendForm", text);
}

std::vector<FieldLook> loadLooks()
{
    using enum FieldGroup;
    return {
        {ContendField::PrivateServers, Server, "privateServersEdit", translated("How many"),
         translated("Independent masters, started for the run and stopped after it.")},
        {ContendField::Contenders, Load, "contendersEdit", translated("Contenders"),
         translated("Each is a client of its own, with a connection of its own.")},
        {ContendField::Keys, Load, "keysEdit", translated("Keys"),
         translated("How many locks they compete for; each request takes one at random.")},
        {ContendField::Think, Load, "thinkEdit", translated("Think time"),
         translated("Between two requests: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::Hold, Load, "holdEdit", translated("Hold time"),
         translated("How long a holder works: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::ReadShare, Load, "readShareEdit", translated("Read share"),
         translated("How many of the requests are readers'.")},
        {ContendField::ReentryDepth, Load, "depthEdit", translated("Reentry depth"),
         translated("How often a holder takes the lock it holds.")},
        {ContendField::Permits, Load, "permitsEdit", translated("Permits"),
         translated("How many may hold at once.")},
        {ContendField::Duration, Load, "durationEdit", translated("Run for"),
         translated("Pauses of the run are not counted.")},
        {ContendField::Lease, Lock, "leaseEdit", translated("Lease"),
         translated("How long a grant lasts unless it is renewed.")},
        {ContendField::WaitLimit, Lock, "waitEdit", translated("Wait at most"),
         translated("Then a request gives up. 0s: one try.")},
        {ContendField::Renewal, Lock, "renewalEdit", translated("Renew every"),
         translated("A time like 10s, or off.")},
    };
}

std::vector<FieldLook> faultLooks()
{
    using enum FieldGroup;
    return {
        {ContendField::CrashShare, Faults, "crashEdit", translated("Crashes"),
         translated("Of the holds: the connection drops and nothing is released.")},
        {ContendField::PauseShare, Faults, "pauseEdit", translated("Pauses"),
         translated("Of the holds: the holder stands still, its renewals too.")},
        {ContendField::PauseLength, Faults, "pauseForEdit", translated("Pause length"),
         translated("How long it stands still. Empty: one and a half leases."),
         translated("1.5 leases")},
        {ContendField::RetryInterval, Advanced, "retryEdit", translated("Pause between tries"),
         translated("Protocols with a wake-up of their own use it only where there is nothing to "
                    "wait for.")},
        {ContendField::RetryIntervalMax, Advanced, "retryMaxEdit", translated("Longest pause"),
         translated("Exponential pauses grow up to this.")},
        {ContendField::RetryJitter, Advanced, "jitterEdit", translated("Jitter"),
         translated("Up to this much is added to each pause at random.")},
        {ContendField::RetryTries, Advanced, "triesEdit", translated("Tries at most"),
         translated("Empty: as many as fit into the wait limit."), translated("no limit")},
        {ContendField::Threads, Advanced, "threadsEdit", translated("Threads"),
         translated("Event loops that share the contenders.")},
        {ContendField::Seed, Advanced, "seedEdit", translated("Seed"),
         translated("Of the random numbers of the contenders. The server and the network keep "
                    "their own luck.")},
    };
}

} // namespace

std::vector<FieldLook> fieldLooks()
{
    std::vector<FieldLook> all = loadLooks();
    for (FieldLook& look : faultLooks()) {
        all.push_back(std::move(look));
    }
    return all;
}

} // namespace lockscope::widgets
