#pragma once

#include "core/kernel/report/advice.h"
#include "core/kernel/search/remedies.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

// Whether what could be done about a protocol helps: asked of a search, as everything in an advice.
namespace lockscope::report {

struct RemedyCheck {
    search::Remedy remedy = search::Remedy::LongerLease;
    std::string protocol;
    std::vector<CellReport> cells; // of the protocol with the remedy, once they are searched
};

/// What is worth a search where nothing suits: protocols that fit and do not break on a good day.
std::vector<RemedyCheck> remediesFor(const Advice& advice,
                                     std::span<const protocol::ProtocolInfo* const> protocols);

/// The search of a check: the faults of the question, one task each.
std::vector<search::SearchTask> tasksOf(
    const RemedyCheck& check, const std::shared_ptr<const protocol::LockProtocol>& protocol,
    const AdviceQuestion& question, const search::Bounds& bounds);

/// Those of all tasks of all checks, in their order.
void giveCells(std::vector<RemedyCheck>& checks, std::span<const CellReport> cells);

/// Lists those with which nothing broke under any fault of the question.
void addRemedies(Advice& advice, const AdviceQuestion& question,
                 std::span<const protocol::ProtocolInfo* const> protocols,
                 std::span<const RemedyCheck> checks);

} // namespace lockscope::report
