#include "core/kernel/report/cell_view.h"

#include <algorithm>

namespace lockscope::report {

using search::Harm;
using search::PromiseResult;

bool isAmong(Harm harm, std::span<const Harm> harms)
{
    return std::ranges::find(harms, harm) != harms.end();
}

namespace {

Harm harmOfVerdict(const CellVerdict& verdict)
{
    return search::harmOf(verdict.result.promise);
}

bool isWorse(const CellVerdict& verdict, const CellVerdict* other)
{
    if (other == nullptr || harmOfVerdict(verdict) != harmOfVerdict(*other)) {
        return other == nullptr || harmOfVerdict(verdict) < harmOfVerdict(*other);
    }
    return isShownBefore(verdict, other);
}

std::vector<Harm> harmsBesides(const CellReport& cell, std::optional<Harm> shown)
{
    std::vector<Harm> others;
    for (const CellVerdict& verdict : cell.verdicts) {
        const Harm harm = harmOfVerdict(verdict);
        if (verdict.isBroken() && harm != shown && !isAmong(harm, others)) {
            others.push_back(harm);
        }
    }
    std::ranges::sort(others);
    return others;
}

/// Whether a promise whose breach does the harm has the status in the cell.
bool has(const CellReport& cell, Harm harm, PromiseResult::Status status)
{
    return std::ranges::any_of(cell.verdicts, [harm, status](const CellVerdict& verdict) {
        return harmOfVerdict(verdict) == harm && verdict.result.status == status;
    });
}

/// Of what did not happen.
void judgeUnharmed(CellView& view, const CellReport& cell, std::span<const Harm> never)
{
    bool isHeld = false;
    for (const Harm harm : never) {
        if (has(cell, harm, PromiseResult::Status::Held)) {
            isHeld = true;
        } else if (has(cell, harm, PromiseResult::Status::NotExercised)) {
            view.untested.push_back(harm);
        }
    }
    if (isHeld) {
        view.standing = cell.coverage.isComplete ? CellStanding::Held : CellStanding::HeldSoFar;
    } else {
        view.standing = view.untested.empty() ? CellStanding::NotApplicable
                                              : CellStanding::NotExercised;
    }
}

} // namespace

CellView viewOf(const CellReport& cell, std::span<const Harm> never)
{
    CellView view;
    if (!cell.isApplicable || !cell.isSearched) {
        view.standing = cell.isApplicable ? CellStanding::Unknown : CellStanding::NotApplicable;
        return view;
    }
    if (cell.isNeverGranted() || cell.isStopped() || cell.isNothingExercised()) {
        view.standing = CellStanding::Untested;
        return view;
    }
    for (const CellVerdict& verdict : cell.verdicts) {
        if (verdict.isBroken() && isAmong(harmOfVerdict(verdict), never)
            && isWorse(verdict, view.verdict)) {
            view.verdict = &verdict;
        }
    }
    if (view.verdict != nullptr) {
        view.harm = harmOfVerdict(*view.verdict);
        view.standing = view.verdict->result.isPromised ? CellStanding::Harmed
                                                        : CellStanding::HarmedAnyway;
    } else {
        judgeUnharmed(view, cell, never);
    }
    view.others = harmsBesides(cell, view.harm);
    return view;
}

std::string cellText(const CellReport& cell, std::span<const Harm> never)
{
    const CellView view = viewOf(cell, never);
    switch (view.standing) {
    case CellStanding::Held: return "ok";
    case CellStanding::HeldSoFar: return "ok?";
    case CellStanding::NotExercised: return ".";
    case CellStanding::Untested: return "!";
    case CellStanding::NotApplicable: return "-";
    case CellStanding::Unknown: return {};
    case CellStanding::Harmed:
    case CellStanding::HarmedAnyway: break;
    }
    const std::string length = std::to_string(view.verdict->result.finding->length);
    const std::string text = never.size() > 1 ? search::wordOf(*view.harm) + ' ' + length : length;
    return view.standing == CellStanding::Harmed ? text : '(' + text + ')';
}

} // namespace lockscope::report
