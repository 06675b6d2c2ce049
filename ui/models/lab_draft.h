#pragma once

#include "protocol_list_model.h"
#include "search_runner.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// What the laboratory is asked to search: one protocol against some kinds of faults.
struct LabDraft {
    ProtocolPtr protocol;
    std::vector<world::FaultKind> faults; // each alone; none: the order of the steps
    int clientCount = 0;                  // 0: two or three, as the plans have them
    std::uint64_t schedulesMax = 3000;    // of each plan
};

/// "Process pause": what a switch of the form is called.
QString faultTitle(world::FaultKind fault);

/// The kinds that make a difference to the protocol, in their own order; without Interleaving,
/// which is always looked at.
std::vector<world::FaultKind> faultsFor(const protocol::ProtocolInfo& info);

/// One task per kind of fault, the order of the steps alone before all others.
service::SearchOrder orderOf(const LabDraft& draft);

/// The call of lockscope-cli that does the same. `protocolFile`: where a protocol of the user's own
/// was read from.
QString exploreCommand(const LabDraft& draft, const QString& protocolFile);

} // namespace lockscope::models
