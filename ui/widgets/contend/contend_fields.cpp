#include "ui/widgets/contend/contend_fields.h"

#include "ui/models/ui_text.h"

#include <utility>

namespace lockscope::widgets {

using models::ContendField;

namespace {

std::vector<FieldLook> loadLooks()
{
    using enum FieldGroup;
    return {
        {ContendField::PrivateServers, Server, "privateServersEdit",
         UiText::tr("Number of servers"),
         UiText::tr("Independent masters that are started for the run and stopped afterwards.")},
        {ContendField::Contenders, Load, "contendersEdit", UiText::tr("Contenders"),
         UiText::tr("Number of clients, each with its own connection.")},
        {ContendField::Keys, Load, "keysEdit", UiText::tr("Keys"),
         UiText::tr("Number of locks. Each request picks one at random.")},
        {ContendField::Think, Load, "thinkEdit", UiText::tr("Think time"),
         UiText::tr("Time between two requests: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::Hold, Load, "holdEdit", UiText::tr("Hold time"),
         UiText::tr("How long a lock is held: 10ms, 5ms..20ms, or ~20ms for a mean.")},
        {ContendField::ReadShare, Load, "readShareEdit", UiText::tr("Read share"),
         UiText::tr("Share of requests that only read.")},
        {ContendField::ReentryDepth, Load, "depthEdit", UiText::tr("Reentry depth"),
         UiText::tr("How many times a holder acquires the lock in nested calls.")},
        {ContendField::Permits, Load, "permitsEdit", UiText::tr("Permits"),
         UiText::tr("Maximum number of concurrent holders.")},
        {ContendField::Duration, Load, "durationEdit", UiText::tr("Duration"),
         UiText::tr("Does not include the time for which the run is paused.")},
        {ContendField::Lease, Lock, "leaseEdit", UiText::tr("Lease"),
         UiText::tr("How long a grant lasts unless it is renewed.")},
        {ContendField::WaitLimit, Lock, "waitEdit", UiText::tr("Maximum wait"),
         UiText::tr("Then a request gives up. 0s: a single attempt.")},
        {ContendField::Renewal, Lock, "renewalEdit", UiText::tr("Renew every"),
         UiText::tr("A duration such as 10s, or off.")},
    };
}

std::vector<FieldLook> faultLooks()
{
    using enum FieldGroup;
    return {
        {ContendField::CrashShare, Faults, "crashEdit", UiText::tr("Crashes"),
         UiText::tr("Share of holds that crash: the connection drops and nothing is released.")},
        {ContendField::PauseShare, Faults, "pauseEdit", UiText::tr("Pauses"),
         UiText::tr("Share of holds in which the holder pauses, including its renewals.")},
        {ContendField::PauseLength, Faults, "pauseForEdit", UiText::tr("Pause length"),
         UiText::tr("Duration of each pause. Empty: 1.5 times the lease."),
         UiText::tr("1.5 leases")},
        {ContendField::RetryInterval, Advanced, "retryEdit", UiText::tr("Retry interval"),
         UiText::tr("Protocols with wake-ups use it only when they cannot wait for one.")},
        {ContendField::RetryIntervalMax, Advanced, "retryMaxEdit", UiText::tr("Maximum interval"),
         UiText::tr("Upper limit of exponential backoff.")},
        {ContendField::RetryJitter, Advanced, "jitterEdit", UiText::tr("Jitter"),
         UiText::tr("Random time, up to this value, added to each interval.")},
        {ContendField::RetryTries, Advanced, "triesEdit", UiText::tr("Maximum attempts"),
         UiText::tr("Empty: limited by the maximum wait only."), UiText::tr("no limit")},
        {ContendField::Threads, Advanced, "threadsEdit", UiText::tr("Threads"),
         UiText::tr("Number of event loops that share the contenders.")},
        {ContendField::Seed, Advanced, "seedEdit", UiText::tr("Seed"),
         UiText::tr("Seed of the contenders' random numbers. Timing of the server and the network "
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
