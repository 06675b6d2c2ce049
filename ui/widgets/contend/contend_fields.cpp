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
        {ContendField::PrivateServers, Server, "privateServersEdit",
         translated("Number of servers"),
         translated("Independent masters that are started for the run and stopped afterwards.")},
        {ContendField::Contenders, Load, "contendersEdit", translated("Contenders"),
         translated("Number of clients, each with its own connection.")},
        {ContendField::Keys, Load, "keysEdit", translated("Keys"),
         translated("Number of locks. Each request picks one at random.")},
        {ContendField::Think, Load, "thinkEdit", translated("Think time"),
         translated("Time between two requests: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::Hold, Load, "holdEdit", translated("Hold time"),
         translated("How long a lock is held: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::ReadShare, Load, "readShareEdit", translated("Read share"),
         translated("Share of requests that only read.")},
        {ContendField::ReentryDepth, Load, "depthEdit", translated("Reentry depth"),
         translated("How many times a holder acquires the lock in nested calls.")},
        {ContendField::Permits, Load, "permitsEdit", translated("Permits"),
         translated("Maximum number of concurrent holders.")},
        {ContendField::Duration, Load, "durationEdit", translated("Duration"),
         translated("Does not include the time for which the run is paused.")},
        {ContendField::Lease, Lock, "leaseEdit", translated("Lease"),
         translated("How long a grant lasts unless it is renewed.")},
        {ContendField::WaitLimit, Lock, "waitEdit", translated("Maximum wait"),
         translated("Then a request gives up. 0s: a single attempt.")},
        {ContendField::Renewal, Lock, "renewalEdit", translated("Renew every"),
         translated("A duration such as 10s, or off.")},
    };
}

std::vector<FieldLook> faultLooks()
{
    using enum FieldGroup;
    return {
        {ContendField::CrashShare, Faults, "crashEdit", translated("Crashes"),
         translated("Share of holds that crash: the connection drops and nothing is released.")},
        {ContendField::PauseShare, Faults, "pauseEdit", translated("Pauses"),
         translated("Share of holds in which the holder pauses, including its renewals.")},
        {ContendField::PauseLength, Faults, "pauseForEdit", translated("Pause length"),
         translated("Duration of each pause. Empty: 1.5 times the lease."),
         translated("1.5 leases")},
        {ContendField::RetryInterval, Advanced, "retryEdit", translated("Retry interval"),
         translated("Protocols with wake-ups use it only when they cannot wait for one.")},
        {ContendField::RetryIntervalMax, Advanced, "retryMaxEdit", translated("Maximum interval"),
         translated("Upper limit of exponential backoff.")},
        {ContendField::RetryJitter, Advanced, "jitterEdit", translated("Jitter"),
         translated("Random time, up to this value, added to each interval.")},
        {ContendField::RetryTries, Advanced, "triesEdit", translated("Maximum attempts"),
         translated("Empty: limited by the maximum wait only."), translated("no limit")},
        {ContendField::Threads, Advanced, "threadsEdit", translated("Threads"),
         translated("Number of event loops that share the contenders.")},
        {ContendField::Seed, Advanced, "seedEdit", translated("Seed"),
         translated("Seed of the contenders' random numbers. Timing of the server and the network "
                    "is not reproducible.")},
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
