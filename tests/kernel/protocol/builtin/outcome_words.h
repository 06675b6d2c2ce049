#pragma once

#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/store/outcome.h"
#include "tests/support/contender_bench.h"

#include <string>

// Answers that servers give, and what a protocol makes of them in one word, for tables of tests.
namespace lockscope::testing {

inline store::Outcome ok()
{
    return store::Reply::ofStatus("OK");
}

inline store::Outcome nil()
{
    return store::Reply();
}

inline store::Outcome number(std::int64_t n)
{
    return store::Reply::ofInteger(n);
}

/// An error that trying again does not mend.
inline store::Outcome serverError()
{
    return store::Reply::ofError("NOPERM this user has no permissions to run the command");
}

/// What no step of a lock answers.
inline store::Outcome nonsense()
{
    return store::Reply::ofBulk("nonsense");
}

inline std::string wordFor(const protocol::AcquireOutcome& outcome)
{
    if (const auto* const grant = protocol::grantOf(outcome)) {
        return grant->holds == 1 ? "granted" : "granted " + std::to_string(grant->holds);
    }
    if (std::holds_alternative<protocol::Refused>(outcome)) {
        return "refused";
    }
    if (const auto* const uncertain = std::get_if<protocol::Uncertain>(&outcome)) {
        return uncertain->possible ? "uncertain" : "uncertain, and nothing to release";
    }
    return "unavailable";
}

inline std::string wordFor(const protocol::NotHeld& notHeld)
{
    return notHeld.isOtherOwner ? "another's" : "gone";
}

inline std::string wordFor(const protocol::RenewOutcome& outcome)
{
    if (std::holds_alternative<protocol::Renewed>(outcome)) {
        return "renewed";
    }
    if (const auto* const notHeld = std::get_if<protocol::NotHeld>(&outcome)) {
        return wordFor(*notHeld);
    }
    return std::holds_alternative<protocol::Uncertain>(outcome) ? "uncertain" : "unavailable";
}

inline std::string wordFor(const protocol::ReleaseOutcome& outcome)
{
    if (const auto* const released = std::get_if<protocol::Released>(&outcome)) {
        return released->holdsLeft == 0
                   ? "released"
                   : "released, " + std::to_string(released->holdsLeft) + " left";
    }
    if (const auto* const notHeld = std::get_if<protocol::NotHeld>(&outcome)) {
        return wordFor(*notHeld);
    }
    return std::holds_alternative<protocol::Uncertain>(outcome) ? "uncertain" : "unavailable";
}

inline protocol::AcquireOutcome attempt(ContenderBench& bench,
                                        const protocol::LockProtocol& protocol,
                                        protocol::LockRequest request)
{
    return bench.loop().run(protocol.attempt(bench.contender(), std::move(request)));
}

inline protocol::AcquireOutcome attempt(ContenderBench& bench,
                                        const protocol::LockProtocol& protocol)
{
    return attempt(bench, protocol, bench.request());
}

inline protocol::ReleaseOutcome release(ContenderBench& bench,
                                        const protocol::LockProtocol& protocol,
                                        protocol::Grant grant)
{
    return bench.loop().run(protocol.release(bench.contender(), std::move(grant)));
}

inline protocol::RenewOutcome renew(ContenderBench& bench, const protocol::LockProtocol& protocol,
                                    protocol::Grant grant)
{
    return bench.loop().run(protocol.renew(bench.contender(), std::move(grant)));
}

} // namespace lockscope::testing
