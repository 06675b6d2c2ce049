#include "core/kernel/report/row_verdict.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lockscope::report {

using protocol::Condition;
using search::Harm;
using world::FaultKind;
using Status = search::PromiseResult::Status;
using VerdictKind = RowVerdict::Kind;

namespace {

/// A wrong number on a good day is a mistake; these are disasters.
constexpr std::array kDisasters{Harm::TwoHolders, Harm::Stuck, Harm::WrongRelease};

void addOnce(std::vector<std::string>& texts, std::string text)
{
    if (std::ranges::find(texts, text) == texts.end()) {
        texts.push_back(std::move(text));
    }
}

/// What happens without any fault: a disaster, a broken promise, or the one harm that is cared for.
/// Hardly a lock promises to be fair; who cares for everything does not mean that first.
std::optional<Harm> harmOnAGoodDay(const CellReport& cell, const CellView& view,
                                   std::span<const Harm> never)
{
    if (cell.fault != FaultKind::Interleaving) {
        return std::nullopt;
    }
    const bool isMeant = never.size() == 1 || view.standing == CellStanding::Harmed;
    return view.isHarmed() && isMeant ? view.harm : viewOf(cell, kDisasters).harm;
}

/// Beyond a server that loses its data, whose lock it was is nobody's to say.
CellView wrongReleaseIn(const CellReport& cell)
{
    constexpr std::array kWrongRelease{Harm::WrongRelease};
    const bool isMeant = cell.fault && !isMisuse(*cell.fault)
                         && !infoOf(*cell.fault).breaks.intersects(Condition::DurableWrites);
    return isMeant ? viewOf(cell, kWrongRelease) : CellView{};
}

CellView stuckByCrashIn(const CellReport& cell)
{
    constexpr std::array kStuck{Harm::Stuck};
    if (!cell.fault || !infoOf(*cell.fault).breaks.intersects(Condition::NobodyDies)) {
        return {};
    }
    // A place in a queue keeps others out only until it runs out.
    const CellView view = viewOf(cell, kStuck);
    const bool isForEver = view.isHarmed()
                           && view.verdict->result.finding->violation.kind
                                  != world::ViolationKind::NeverGranted;
    return isForEver ? view : CellView{};
}

bool isFencingIn(const CellReport& cell, Status status)
{
    return std::ranges::any_of(cell.verdicts, [status](const CellVerdict& verdict) {
        return verdict.result.promise == protocol::Promise::FencingOrder
               && verdict.result.status == status;
    });
}

/// All that happens is that two clients work at once, and the later one has the greater number.
bool isHealedByFence(const CellReport& cell, const CellView& view, std::span<const Harm> never)
{
    return view.harm == Harm::TwoHolders && isFencingIn(cell, Status::Held)
           && std::ranges::none_of(view.others,
                                   [never](Harm harm) { return isAmong(harm, never); });
}

/// What the cells of the faults that make a holder late say about the fence.
struct LateHolders {
    bool isOrderKept = false; // the numbers of grants kept their order, and could have lost it
    bool isMoreHarmed = false;

    bool areRefused() const { return isOrderKept && !isMoreHarmed; }

    void note(const CellReport& cell)
    {
        constexpr std::array kBeyondFences{Harm::Stuck, Harm::WrongRelease};
        if (cell.fault && infoOf(*cell.fault).breaks.intersects(Condition::HolderInTime)) {
            isOrderKept = isOrderKept || isFencingIn(cell, Status::Held);
            isMoreHarmed = isMoreHarmed || isFencingIn(cell, Status::Broken)
                           || viewOf(cell, kBeyondFences).isHarmed();
        }
    }
};

/// What happens in the cell whatever somebody cares for.
void addTraits(RowVerdict& row, const CellReport& cell)
{
    row.isStuckByCrash = row.isStuckByCrash || stuckByCrashIn(cell).isHarmed();
    row.removesOthers = row.removesOthers || wrongReleaseIn(cell).isHarmed();
    row.hasFence = row.hasFence
                   || (!cell.verdicts.empty() && !isFencingIn(cell, Status::NotApplicable));
    row.brokenPromises += static_cast<std::size_t>(
        std::ranges::count_if(cell.verdicts, [](const CellVerdict& verdict) {
            return verdict.isBroken() && verdict.result.isPromised;
        }));
}

void addHarm(RowVerdict& row, const CellReport& cell, const CellView& view,
             std::span<const Harm> never)
{
    if (cell.fault && isMisuse(*cell.fault)) {
        ++row.misusedCount;
    } else {
        ++row.harmedCount;
    }
    row.brokenCount += view.standing == CellStanding::Harmed ? 1 : 0;
    if (cell.fault && infoOf(*cell.fault).spared != nullptr) {
        addOnce(row.conditions, infoOf(*cell.fault).spared());
        if (!isHealedByFence(cell, view, never)) {
            addOnce(row.conditionsWithFence, infoOf(*cell.fault).spared());
        }
    }
}

void addHarms(std::vector<Harm>& harms, const std::vector<Harm>& more)
{
    for (const Harm harm : more) {
        if (std::ranges::find(harms, harm) == harms.end()) {
            harms.push_back(harm);
        }
    }
}

struct Standings {
    bool isUnknown = false;
    bool isUntested = false;
    bool isHeld = false;
    bool isCut = false;
    bool isNotExercised = false;
    std::size_t boundedCount = 0;

    void note(CellStanding standing)
    {
        boundedCount += standing == CellStanding::HeldSoFar
                                || standing == CellStanding::NotExercised
                            ? 1
                            : 0;
        isUnknown = isUnknown || standing == CellStanding::Unknown;
        isUntested = isUntested || standing == CellStanding::Untested;
        isHeld = isHeld || standing == CellStanding::Held || standing == CellStanding::HeldSoFar;
        isCut = isCut || standing == CellStanding::HeldSoFar;
        isNotExercised = isNotExercised || standing == CellStanding::NotExercised;
    }
};

VerdictKind kindOf(const RowVerdict& verdict, const Standings& seen)
{
    if (seen.isUnknown) {
        return VerdictKind::Unknown;
    }
    if (seen.isUntested) {
        return VerdictKind::Untested;
    }
    const bool isHarmed = verdict.harmedCount + verdict.misusedCount > 0;
    if (verdict.onAGoodDay || (isHarmed && verdict.conditions.empty())) {
        return VerdictKind::GoodDay;
    }
    if (isHarmed) {
        return VerdictKind::Conditional;
    }
    if (!seen.isHeld) {
        return seen.isNotExercised ? VerdictKind::Untested : VerdictKind::Exempt;
    }
    return seen.isCut ? VerdictKind::HeldSoFar : VerdictKind::Held;
}

std::string namesOf(const std::vector<Harm>& harms)
{
    std::vector<std::string> names;
    names.reserve(harms.size());
    for (const Harm harm : harms) {
        names.push_back(search::nameOf(harm));
    }
    return listed(names);
}

/// "safe while the holder is faster than its lease, +2".
std::string conditionText(const RowVerdict& verdict)
{
    const std::vector<std::string>& conditions = verdict.isFencedWhenLate
                                                     ? verdict.conditionsWithFence
                                                     : verdict.conditions;
    if (conditions.empty()) {
        return KernelText::tr("safe with its fence");
    }
    const std::string first = verdict.isFencedWhenLate
                                  ? KernelText::tr("safe with its fence while %1",
                                                   conditions.front())
                                  : KernelText::tr("safe while %1", conditions.front());
    const std::size_t more = conditions.size() - 1;
    return more == 0 ? first : KernelText::tr("%1, +%2", first, more);
}

} // namespace

RowVerdict verdictOfRow(std::span<const CellReport* const> cells, std::span<const Harm> never)
{
    RowVerdict row;
    row.group = cells.empty() ? row.group : cells.front()->group;
    Standings seen;
    LateHolders late;
    for (const CellReport* const each : cells) {
        const CellReport& cell = *each;
        const CellView view = viewOf(cell, never);
        seen.note(view.standing);
        addHarms(row.others, view.others);
        if (const auto harm = harmOnAGoodDay(cell, view, never)) {
            row.onAGoodDay = harm;
        }
        addTraits(row, cell);
        late.note(cell);
        if (view.isHarmed()) {
            addHarm(row, cell, view, never);
        }
    }
    std::ranges::sort(row.others);
    row.boundedCount = seen.boundedCount;
    row.isFencedWhenLate = late.areRefused() && isAmong(Harm::TwoHolders, never);
    row.kind = kindOf(row, seen);
    return row;
}

std::string rowText(const RowVerdict& verdict)
{
    const bool isJudged = verdict.kind < VerdictKind::GoodDay;
    if (isJudged && verdict.isStuckByCrash) {
        return KernelText::tr("one crash locks it for ever");
    }
    if (isJudged && verdict.removesOthers) {
        return KernelText::tr("removes locks of others");
    }
    switch (verdict.kind) {
    case VerdictKind::Held: return KernelText::tr("nothing broke it");
    case VerdictKind::HeldSoFar: return KernelText::tr("nothing broke it so far");
    case VerdictKind::Exempt: return KernelText::tr("has nothing that could go wrong this way");
    case VerdictKind::GoodDay: return KernelText::tr("breaks on a good day");
    case VerdictKind::Untested: return KernelText::tr("nothing was tested");
    case VerdictKind::Unknown: return {};
    case VerdictKind::Conditional: break;
    }
    return conditionText(verdict);
}

std::string rowDetail(const RowVerdict& verdict)
{
    std::string text;
    if (verdict.kind == VerdictKind::Conditional) {
        text = KernelText::tr("What must not happen does not happen while %1.",
                              listed(verdict.conditions));
    } else if (verdict.onAGoodDay) {
        text = KernelText::tr("Breaks although nothing goes wrong: %1.",
                              search::nameOf(*verdict.onAGoodDay));
    }
    if (verdict.kind == VerdictKind::Conditional && verdict.boundedCount > 0) {
        text += ' ' + KernelText::tr("Some cells were not searched completely; see the cells.");
    }
    if (verdict.isFencedWhenLate) {
        text += (text.empty() ? "" : " ")
                + KernelText::tr("Its grants are numbered, and a resource that refuses smaller "
                                 "numbers than it has seen refuses a late holder.");
    }
    if (!verdict.others.empty()) {
        text += (text.empty() ? "" : " ")
                + KernelText::tr("What happens besides: %1.", namesOf(verdict.others));
    }
    return text;
}

CellView hazardIn(const CellReport& cell)
{
    if (cell.fault == FaultKind::Interleaving) {
        return viewOf(cell, kDisasters);
    }
    const CellView stuck = stuckByCrashIn(cell);
    return stuck.isHarmed() ? stuck : wrongReleaseIn(cell);
}

bool ranksBefore(const RowVerdict& verdict, const RowVerdict& other)
{
    const auto rank = [](const RowVerdict& row) {
        return std::tuple(row.group, row.isHopeless() ? row.kind : VerdictKind::Held,
                          row.isStuckByCrash, row.removesOthers, !row.isFencedWhenLate,
                          row.harmedCount, row.boundedCount, row.brokenCount, row.misusedCount,
                          !row.hasFence, row.others.size(), row.brokenPromises);
    };
    return rank(verdict) < rank(other);
}

} // namespace lockscope::report
