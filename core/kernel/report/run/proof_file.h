#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/conduct/client_clock.h"
#include "core/kernel/conduct/deviation.h"
#include "core/kernel/protocol/json_file.h"
#include "core/kernel/protocol/promise.h"
#include "core/kernel/world/violation.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::report {

/// How a real client broke a promise, with everything that it takes to have it do that again but
/// the client itself: a file that somebody sent must not start programs.
struct ProofFile {
    std::vector<std::string> adapter; // the words that started it, for a reader
    Duration lease{0};                // 0: it was told none
    conduct::ClientClock clock = conduct::ClientClock::Virtual;
    std::string workload; // its id
    int processCount = 3;
    int serverCount = 1;
    int replicaCount = 0;
    std::vector<conduct::Deviation> schedule;
    protocol::Promise promise = protocol::Promise::MutualExclusion;
    world::ViolationKind kind = world::ViolationKind::DoubleGrant;
    std::string summary; // one sentence, for a reader who opens the file

    friend bool operator==(const ProofFile&, const ProofFile&) = default;
};

/// JSON, see docs/json/proof.schema.json.
std::string proofFileText(const ProofFile& proof);

std::variant<ProofFile, protocol::FileError> readProofFile(std::string_view text);

/// By its beginning; it may still be broken.
bool isProofFile(std::string_view text);

} // namespace lockscope::report
