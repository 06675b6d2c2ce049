#include "core/kernel/report/remedy_checks.h"

#include <algorithm>
#include <array>

namespace lockscope::report {

using protocol::ProtocolInfo;
using search::Remedy;

namespace {

bool isWorthARemedy(const ProtocolAdvice& advice)
{
    return advice.standing == ProtocolAdvice::Standing::Breaks && advice.untested.empty()
           && std::ranges::none_of(advice.breaches, [](const Breach& breach) {
                  return breach.cell->fault == world::FaultKind::Interleaving;
              });
}

const ProtocolInfo* infoOf(std::string_view id, std::span<const ProtocolInfo* const> protocols)
{
    return *std::ranges::find(protocols, id, &ProtocolInfo::id);
}

Addition::Kind additionOf(Remedy remedy)
{
    return remedy == Remedy::LongerLease ? Addition::Kind::Lease : Addition::Kind::Replicas;
}

} // namespace

std::vector<RemedyCheck> remediesFor(const Advice& advice,
                                     std::span<const ProtocolInfo* const> protocols)
{
    std::vector<RemedyCheck> checks;
    if (std::ranges::any_of(advice.protocols, &ProtocolAdvice::suits)) {
        return checks;
    }
    for (const ProtocolAdvice& one : advice.protocols) {
        for (const Remedy remedy : {Remedy::LongerLease, Remedy::Replicas}) {
            if (isWorthARemedy(one) && isApplicable(remedy, *infoOf(one.protocol, protocols))) {
                checks.push_back({remedy, one.protocol, {}});
            }
        }
    }
    return checks;
}

std::vector<search::SearchTask> tasksOf(
    const RemedyCheck& check, const std::shared_ptr<const protocol::LockProtocol>& protocol,
    const AdviceQuestion& question, const search::Bounds& bounds)
{
    return matrixRowWith(check.remedy, protocol, question.despite, bounds);
}

void giveCells(std::vector<RemedyCheck>& checks, std::span<const CellReport> cells)
{
    const std::size_t each = checks.empty() ? 0 : cells.size() / checks.size();
    for (RemedyCheck& check : checks) {
        check.cells.assign(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(each));
        cells = cells.subspan(each);
    }
}

void addRemedies(Advice& advice, const AdviceQuestion& question,
                 std::span<const ProtocolInfo* const> protocols,
                 std::span<const RemedyCheck> checks)
{
    for (const RemedyCheck& check : checks) {
        const std::array info{infoOf(check.protocol, protocols)};
        if (adviceOn(question, info, check.cells).protocols.front().suits()) {
            advice.additions.push_back({additionOf(check.remedy), check.protocol, 1, {}});
        }
    }
    std::ranges::stable_sort(advice.additions, isLess);
}

} // namespace lockscope::report
