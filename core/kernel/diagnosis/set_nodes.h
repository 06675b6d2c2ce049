#pragma once

#include "core/kernel/diagnosis/server_facts.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/store/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::diagnosis {

/// What one server of a Redlock set says about a lock of the set, and about itself.
struct SetNode {
    enum class Vote : std::uint8_t {
        SameOwner,  // for the owner with the most votes
        OtherOwner, // for another one
        None,       // it has no such key
        OtherKey,   // it has a key of this name that is no vote
        Unknown,    // it could not be asked: it may have any
    };

    std::uint16_t server = 0; // as LockId::server
    Vote vote = Vote::Unknown;
    Bytes owner;                        // with a vote
    std::optional<Instant> expiresAt;   // the key, as far as it was read; nullopt: never, or no key
    std::optional<Duration> clockAhead; // its calendar clock minus ours; nullopt: not told
    Duration clockUncertainty{0}; // of that, in either direction: half of the reply time, and the
                                  // millisecond that clocks are read in
    std::optional<Duration> replyTime; // nullopt: it did not reply
    store::Problem problem;            // with Unknown: why
    friend bool operator==(const SetNode&, const SetNode&) = default;
};

/// Adds what the servers say of themselves.
void addFacts(std::vector<SetNode>& nodes, std::span<const ServerFacts> facts);

/// "same-owner", "other-owner", "none", "other-key", "unknown".
std::string_view idOf(SetNode::Vote vote);

/// "3 of 5 servers, a majority (3 are needed)": the votes of a Redlock row, in one line.
std::string votesText(const inspect::LockRecord& row);

/// One server in one line, without its name: "5f0c…, expires in 28.4 s · clock 31.0 ms ahead
/// (± 1.2 ms) · replied in 0.4 ms".
std::string nodeText(const SetNode& node, Instant now);

/// {"server", "vote", "owner", "ttlMs", "clockAheadMs", "clockUncertaintyMs", "replyMs",
/// "problem"}; what is not known is null. `name` is that of the server.
report::Json nodeJson(const SetNode& node, std::string_view name, Instant now);

} // namespace lockscope::diagnosis
