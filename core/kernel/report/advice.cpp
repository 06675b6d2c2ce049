#include "core/kernel/report/advice.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/contention/prediction.h"
#include "core/kernel/protocol/client_libraries.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/search/remedies.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace lockscope::report {

using protocol::Promise;
using protocol::ProtocolInfo;
using search::Harm;
using search::PromiseResult;
using Standing = ProtocolAdvice::Standing;

namespace {

/// Redlock needs a majority that survives the loss of one.
constexpr int kMastersMin = 3;

/// Each hazard that a protocol has shows under one of these.
constexpr std::array kHazardous{world::FaultKind::Interleaving, world::FaultKind::Crash,
                                world::FaultKind::Pause};

bool isShorter(const CellVerdict& verdict, const CellVerdict& other)
{
    return verdict.result.finding->length < other.result.finding->length;
}

/// The shortest way in the cell to each of the harms that there is one to.
std::vector<Breach> breachesIn(const CellReport& cell, std::span<const Harm> never)
{
    std::vector<Breach> breaches;
    for (const CellVerdict& verdict : cell.verdicts) {
        const Harm harm = search::harmOf(verdict.result.promise);
        if (!verdict.isBroken() || !isAmong(harm, never)) {
            continue;
        }
        const auto same = std::ranges::find(breaches, harm, &Breach::harm);
        if (same == breaches.end()) {
            breaches.push_back({harm, &cell, &verdict});
        } else if (isShorter(verdict, *same->verdict)) {
            same->verdict = &verdict;
        }
    }
    return breaches;
}

/// Nothing broke it, and nothing could have: in none of the runs there was a chance.
bool isNeverExercised(Promise promise, std::span<const CellReport* const> cells)
{
    bool isApplicable = false;
    for (const CellReport* const cell : cells) {
        for (const CellVerdict& verdict : cell->verdicts) {
            const PromiseResult& result = verdict.result;
            if (result.promise != promise) {
                continue;
            }
            if (result.chances > 0 || verdict.isBroken()) {
                return false;
            }
            isApplicable = isApplicable || result.status != PromiseResult::Status::NotApplicable;
        }
    }
    return isApplicable;
}

/// Harms that the protocol could be guilty of by a promise that no run gave it a chance to break.
std::vector<Harm> untestedAmong(std::span<const CellReport* const> cells,
                                std::span<const Harm> never)
{
    std::vector<Harm> untested;
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        const auto promise = static_cast<Promise>(i);
        const Harm harm = search::harmOf(promise);
        if (isAmong(harm, never) && !isAmong(harm, untested) && isNeverExercised(promise, cells)) {
            untested.push_back(harm);
        }
    }
    return untested;
}

/// What happens in the cells besides what was asked about.
std::vector<Harm> othersThan(std::span<const Harm> never, std::span<const CellReport* const> cells)
{
    std::vector<Harm> others;
    for (const CellReport* const cell : cells) {
        for (const CellVerdict& verdict : cell->verdicts) {
            const Harm harm = search::harmOf(verdict.result.promise);
            if (verdict.isBroken() && !isAmong(harm, never) && !isAmong(harm, others)) {
                others.push_back(harm);
            }
        }
    }
    std::ranges::sort(others);
    return others;
}

bool isFencedIn(std::span<const CellReport* const> cells)
{
    std::uint64_t chances = 0;
    for (const CellReport* const cell : cells) {
        for (const CellVerdict& verdict : cell->verdicts) {
            if (verdict.result.promise != Promise::FencingOrder) {
                continue;
            }
            if (verdict.isBroken()) {
                return false;
            }
            chances += verdict.result.chances;
        }
    }
    return chances > 0;
}

/// One per cell at most.
std::vector<Breach> hazardsIn(std::span<const CellReport* const> cells)
{
    std::vector<Breach> hazards;
    for (const CellReport* const cell : cells) {
        if (const CellView view = hazardIn(*cell); view.isHarmed()) {
            hazards.push_back({*view.harm, cell, view.verdict});
        }
    }
    return hazards;
}

void sortByLength(std::vector<Breach>& breaches)
{
    std::ranges::stable_sort(breaches, {}, [](const Breach& breach) {
        return breach.verdict->result.finding->length;
    });
}

/// Without a cell nothing is known of the fault either.
bool isSearchedFor(const AdviceQuestion& question, std::span<const CellReport* const> cells)
{
    const auto isSearched = [](const CellReport* cell) {
        return cell->isSearched || !cell->isApplicable;
    };
    const auto hasCell = [cells](world::FaultKind fault) {
        return std::ranges::any_of(cells, [fault](const CellReport* cell) {
            return cell->fault == fault;
        });
    };
    return std::ranges::all_of(cells, isSearched)
           && std::ranges::all_of(searchedFor(question), hasCell);
}

/// `cells`: those that were not asked about, but may show hazards, as well.
Standing standingOf(const ProtocolAdvice& advice, const AdviceQuestion& question,
                    std::span<const CellReport* const> cells)
{
    if (!advice.misfits.empty()) {
        return Standing::Unfit;
    }
    if (!advice.breaches.empty()) {
        return Standing::Breaks;
    }
    if (!advice.hazards.empty()) {
        return Standing::NoChoice;
    }
    if (!isSearchedFor(question, cells) || !advice.untested.empty()) {
        return Standing::Untested;
    }
    const bool isComplete = std::ranges::all_of(cells, [](const CellReport* cell) {
        return !cell->isApplicable || cell->coverage.isComplete;
    });
    return isComplete ? Standing::Holds : Standing::HeldSoFar;
}

bool isAskedAbout(const CellReport& cell, const AdviceQuestion& question)
{
    return cell.fault && std::ranges::find(question.despite, *cell.fault) != question.despite.end();
}

ProtocolAdvice adviceFor(const ProtocolInfo& info, const AdviceQuestion& question,
                         std::span<const CellReport* const> searched)
{
    std::vector<const CellReport*> cells;
    std::ranges::copy_if(searched, std::back_inserter(cells),
                         [&question](const auto* cell) { return isAskedAbout(*cell, question); });
    ProtocolAdvice advice;
    advice.protocol = info.id;
    advice.misfits = misfitsOf(info, question);
    advice.libraries = protocol::librariesWith(info, question.languages);
    advice.serversNeeded = serversNeededBy(info);
    for (const CellReport* const cell : cells) {
        std::ranges::move(breachesIn(*cell, question.never), std::back_inserter(advice.breaches));
    }
    sortByLength(advice.breaches);
    advice.hazards = hazardsIn(searched);
    sortByLength(advice.hazards);
    advice.untested = untestedAmong(cells, question.never);
    advice.others = othersThan(question.never, cells);
    advice.isFenced = info.hasFence && isFencedIn(cells);
    advice.standing = standingOf(advice, question, searched);
    advice.rank = verdictOfRow(cells, question.never);
    return advice;
}

/// Nothing but two holders happens, which a resource that compares fences does not let through.
bool isHealedByFence(const ProtocolAdvice& advice)
{
    return advice.isFenced && advice.untested.empty() && !advice.breaches.empty()
           && std::ranges::all_of(advice.breaches, [](const Breach& breach) {
                  return breach.harm == Harm::TwoHolders;
              });
}

std::vector<world::FaultKind> faultsOf(const ProtocolAdvice& advice)
{
    std::vector<world::FaultKind> faults;
    for (const Breach& breach : advice.breaches) {
        const auto fault = breach.cell->fault;
        if (fault && std::ranges::find(faults, *fault) == faults.end()) {
            faults.push_back(*fault);
        }
    }
    return faults;
}

/// What would give it what it lacks; nullopt when something that it lacks cannot be had.
std::optional<std::vector<Addition::Kind>> remediesOfMisfits(const ProtocolAdvice& advice)
{
    std::vector<Addition::Kind> kinds;
    for (const Misfit misfit : advice.misfits) {
        if (misfit != Misfit::Servers && misfit != Misfit::Library) {
            return std::nullopt;
        }
        kinds.push_back(misfit == Misfit::Servers ? Addition::Kind::Servers
                                                  : Addition::Kind::OwnCode);
    }
    return kinds;
}

/// All that would make it hold and needs no further search, least first; nullopt: that would not.
std::optional<std::vector<Addition::Kind>> completionOf(const ProtocolAdvice& advice)
{
    auto kinds = remediesOfMisfits(advice);
    if (!kinds || !advice.untested.empty() || !advice.hazards.empty()) {
        return std::nullopt;
    }
    if (isHealedByFence(advice)) {
        kinds->push_back(Addition::Kind::Fence);
    } else if (!advice.breaches.empty()) {
        return std::nullopt;
    }
    std::ranges::sort(*kinds);
    return kinds;
}

int serversWith(Addition::Kind kind, const ProtocolAdvice& advice)
{
    return kind == Addition::Kind::Servers ? advice.serversNeeded : 1;
}

/// What the protocols that break least would need not to; a break on a good day is no condition.
void addUnless(const std::vector<ProtocolAdvice>& protocols, std::vector<Addition>& additions)
{
    std::size_t fewest = 0;
    for (const ProtocolAdvice& advice : protocols) {
        std::vector<world::FaultKind> faults = faultsOf(advice);
        const bool isWrongAnyway = !advice.hazards.empty()
                                   || std::ranges::find(faults, world::FaultKind::Interleaving)
                                          != faults.end();
        if (advice.standing != Standing::Breaks || !advice.untested.empty() || isWrongAnyway
            || (fewest != 0 && faults.size() > fewest)) {
            continue;
        }
        fewest = faults.size();
        additions.push_back({Addition::Kind::Unless, advice.protocol, 1, std::move(faults)});
    }
}

std::vector<Addition> additionsFor(const std::vector<ProtocolAdvice>& protocols)
{
    std::vector<Addition> additions;
    for (const ProtocolAdvice& advice : protocols) {
        if (auto addition = additionFor(advice)) {
            additions.push_back(std::move(*addition));
        }
    }
    addUnless(protocols, additions);
    std::ranges::stable_sort(additions, isLess);
    return additions;
}

std::string faultList(std::span<const world::FaultKind> faults)
{
    std::string names;
    for (const world::FaultKind fault : faults) {
        names += (names.empty() ? "" : ", ") + std::string(idOf(fault));
    }
    return names;
}

std::string wordsOf(Misfit misfit, const ProtocolAdvice& advice)
{
    switch (misfit) {
    case Misfit::Servers:
        return KernelText::tr("needs %1 independent servers", advice.serversNeeded);
    case Misfit::Reentry: return KernelText::tr("not reentrant");
    case Misfit::Readers: return KernelText::tr("does not know readers");
    case Misfit::Permits: return KernelText::tr("has one holder, not several");
    case Misfit::OneHolder: return KernelText::tr("a semaphore: it has several holders");
    case Misfit::Library: return KernelText::tr("no library known in that language");
    }
    return {};
}

} // namespace

std::string_view idOf(Misfit misfit)
{
    static constexpr std::array kIds{"servers", "reentry",    "readers",
                                     "permits", "one-holder", "library"};
    return kIds.at(static_cast<std::size_t>(misfit));
}

std::string_view idOf(Standing standing)
{
    static constexpr std::array kIds{"holds",     "held-so-far", "untested",
                                     "no-choice", "breaks",      "unfit"};
    return kIds.at(static_cast<std::size_t>(standing));
}

std::string_view idOf(Addition::Kind kind)
{
    static constexpr std::array kIds{"lease", "replicas", "servers", "fence", "own-code", "unless"};
    return kIds.at(static_cast<std::size_t>(kind));
}

/// The greater thing of two decides.
bool isLess(const Addition& one, const Addition& other)
{
    const auto rank = [](const Addition& addition) {
        return std::tuple(addition.kind == Addition::Kind::Unless, addition.besides.has_value(),
                          addition.besides.value_or(addition.kind), addition.kind);
    };
    return rank(one) < rank(other);
}

std::optional<Addition> additionFor(const ProtocolAdvice& advice)
{
    const auto kinds = completionOf(advice);
    if (!kinds || kinds->size() != 1) {
        return std::nullopt;
    }
    return Addition{kinds->front(), advice.protocol, serversWith(kinds->front(), advice), {}};
}

std::optional<Addition> pairFor(const ProtocolAdvice& advice)
{
    const auto kinds = completionOf(advice);
    if (!kinds || kinds->size() != 2) {
        return std::nullopt;
    }
    // Servers come first wherever they are one of the two.
    return Addition{
        kinds->front(), advice.protocol, serversWith(kinds->front(), advice), {}, kinds->back()};
}

int serversNeededBy(const ProtocolInfo& info)
{
    return info.keys == protocol::KeyUse::OnePerServer ? kMastersMin : 1;
}

std::vector<Misfit> misfitsOf(const ProtocolInfo& info, const AdviceQuestion& question)
{
    std::vector<Misfit> misfits;
    const auto note = [&misfits](bool isMisfit, Misfit misfit) {
        if (isMisfit) {
            misfits.push_back(misfit);
        }
    };
    note(serversNeededBy(info) > question.serverCount, Misfit::Servers);
    note(question.isReentrant && !info.isReentrant, Misfit::Reentry);
    note(question.hasReaders && !info.hasModes, Misfit::Readers);
    note(question.hasPermits && !info.hasPermits, Misfit::Permits);
    note(!question.hasPermits && info.hasPermits, Misfit::OneHolder);
    note(!question.languages.empty() && protocol::librariesWith(info, question.languages).empty(),
         Misfit::Library);
    return misfits;
}

std::vector<world::FaultKind> searchedFor(const AdviceQuestion& question)
{
    std::vector<world::FaultKind> faults = question.despite;
    for (const world::FaultKind fault : kHazardous) {
        if (std::ranges::find(faults, fault) == faults.end()) {
            faults.push_back(fault);
        }
    }
    return faults;
}

bool isOutOfQuestion(const ProtocolInfo& info, const AdviceQuestion& question)
{
    return std::ranges::any_of(misfitsOf(info, question), [](Misfit misfit) {
        return misfit != Misfit::Servers && misfit != Misfit::Library;
    });
}

Advice adviceOn(const AdviceQuestion& question, std::span<const ProtocolInfo* const> protocols,
                std::span<const CellReport> cells)
{
    Advice advice;
    for (const ProtocolInfo* const info : protocols) {
        std::vector<const CellReport*> own;
        for (const CellReport& cell : cells) {
            if (cell.protocol == info->id) {
                own.push_back(&cell);
            }
        }
        advice.protocols.push_back(adviceFor(*info, question, own));
    }
    std::ranges::stable_sort(advice.protocols, {}, [](const ProtocolAdvice& one) {
        return std::tuple(one.standing, faultsOf(one).size(), one.others.size());
    });
    if (std::ranges::none_of(advice.protocols, &ProtocolAdvice::suits)) {
        advice.additions = additionsFor(advice.protocols);
    }
    std::ranges::stable_sort(advice.protocols, [](const auto& one, const auto& other) {
        return one.standing != other.standing ? one.standing < other.standing
                                              : ranksBefore(one.rank, other.rank);
    });
    return advice;
}

AdviceCost costOf(const protocol::LockProtocol& protocol)
{
    using namespace std::chrono_literals;
    workload::Scenario scenario = workload::Scenario::withDefaults(protocol.info());
    scenario.duration = 2s;
    scenario.contenderCount = 1;
    const int serverCount = serversNeededBy(protocol.info());
    const contention::Costs costs;
    AdviceCost cost;
    cost.commands = contention::predict(protocol, scenario, costs, serverCount)
                        .statistics.commandsPerAcquisition();
    constexpr int kContenders = 10;
    constexpr double kMedian = 0.5;
    constexpr double kLongest = 0.99;
    scenario.contenderCount = kContenders;
    const trace::RunStatistics busy =
        contention::predict(protocol, scenario, costs, serverCount).statistics;
    cost.waitMedian = busy.wait.quantile(kMedian);
    cost.waitLongest = busy.wait.quantile(kLongest);
    return cost;
}

std::string breachText(const Breach& breach)
{
    const world::Violation& violation = breach.verdict->result.finding->violation;
    return KernelText::tr("%1 under %2, in %3 steps: %4", search::nameOf(breach.harm),
                          breach.cell->faultName(), breach.verdict->result.finding->length,
                          describe(violation, breach.verdict->plan.keyName(violation.lock)));
}

std::string misfitText(const ProtocolAdvice& advice)
{
    std::vector<std::string> texts;
    for (const Misfit misfit : advice.misfits) {
        texts.push_back(wordsOf(misfit, advice));
    }
    return listed(texts);
}

std::string reasonText(const ProtocolAdvice& advice)
{
    if (advice.suits()) {
        return {};
    }
    if (!advice.misfits.empty()) {
        return misfitText(advice);
    }
    if (!advice.breaches.empty()) {
        return breachText(advice.breaches.front());
    }
    if (!advice.hazards.empty()) {
        return breachText(advice.hazards.front());
    }
    std::vector<std::string> harms;
    for (const Harm harm : advice.untested) {
        harms.push_back(search::nameOf(harm));
    }
    return harms.empty() ? KernelText::tr("not searched")
                         : KernelText::tr("no run could have shown %1", listed(harms));
}

namespace {

/// As a part of a sentence.
std::string partText(Addition::Kind kind, int serverCount)
{
    switch (kind) {
    case Addition::Kind::Lease:
        return KernelText::tr("a lease %1 times as long", search::kLongerLease);
    case Addition::Kind::Replicas: return KernelText::tr("WAIT 1 behind each grant");
    case Addition::Kind::Servers: return KernelText::tr("%1 independent servers", serverCount);
    case Addition::Kind::Fence:
        return KernelText::tr("a resource that refuses smaller fencing tokens than it has seen");
    case Addition::Kind::OwnCode: return KernelText::tr("code of your own");
    case Addition::Kind::Unless: break;
    }
    return {};
}

std::string pairText(const Addition& addition)
{
    const std::string first = partText(addition.kind, addition.serverCount);
    const std::string second = partText(*addition.besides, addition.serverCount);
    const bool isFenced = addition.kind == Addition::Kind::Fence
                          || addition.besides == Addition::Kind::Fence;
    return isFenced ? KernelText::tr("Two things together, %1 and %2: the only harm left with %3 "
                                     "was a late holder, whom the resource refuses.",
                                     first, second, addition.protocol)
                    : KernelText::tr("Two things together, %1 and %2: nothing broke %3 then.",
                                     first, second, addition.protocol);
}

} // namespace

std::string additionText(const Addition& addition)
{
    if (addition.besides) {
        return pairText(addition);
    }
    switch (addition.kind) {
    case Addition::Kind::Lease:
        return KernelText::tr("A longer lease: with one %1 times as long, nothing broke %2. It has "
                              "to outlast every pause and every delay.",
                              search::kLongerLease, addition.protocol);
    case Addition::Kind::Replicas:
        return KernelText::tr(
            "WAIT 1 behind each grant, on the same connection: nothing broke %1 if "
            "a grant that no replica acknowledged was given back.",
            addition.protocol);
    case Addition::Kind::Servers:
        return KernelText::tr("%1 independent servers: nothing broke %2 there.",
                              addition.serverCount, addition.protocol);
    case Addition::Kind::Fence:
        return KernelText::tr("A resource that refuses smaller fencing tokens than it has seen: in "
                              "all runs every grant of %1 carried a greater one, so that a late "
                              "holder is refused.",
                              addition.protocol);
    case Addition::Kind::OwnCode:
        return KernelText::tr("Code of your own: nothing broke %1, but no library for it is known "
                              "in that language.",
                              addition.protocol);
    case Addition::Kind::Unless:
        return KernelText::tr("Certainty that this does not happen: %2. Nothing else broke %1.",
                              addition.protocol, faultList(addition.faults));
    }
    return {};
}

} // namespace lockscope::report
