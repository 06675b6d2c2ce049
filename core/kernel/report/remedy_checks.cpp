#include "core/kernel/report/remedy_checks.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace lockscope::report {

using protocol::ProtocolInfo;
using search::Remedy;

namespace {

constexpr std::size_t kPairChecksMax = 12;

/// It breaks, as far as is known, only by what goes wrong.
bool isWorthARemedy(const ProtocolAdvice& advice)
{
    return !advice.breaches.empty() && advice.untested.empty() && advice.hazards.empty()
           && std::ranges::none_of(advice.breaches, [](const Breach& breach) {
                  return breach.cell->fault == world::FaultKind::Interleaving;
              });
}

bool isMissing(const ProtocolAdvice& advice, Misfit misfit)
{
    return advice.misfits == std::vector{misfit};
}

Addition::Kind additionOf(Remedy remedy)
{
    return remedy == Remedy::LongerLease ? Addition::Kind::Lease : Addition::Kind::Replicas;
}

Addition additionOf(const RemedyCheck& check)
{
    Addition addition{additionOf(check.remedies.front()), check.protocol, 1, {}};
    if (check.remedies.size() > 1) {
        addition.besides = additionOf(check.remedies.back());
    }
    return addition;
}

/// With the remedy it would do, if one more thing were there.
Addition additionWith(Remedy remedy, const Addition& missing)
{
    return {additionOf(remedy), missing.protocol, missing.serverCount, {}, missing.kind};
}

/// That something may be ruled out is no help.
bool isHelped(const Advice& advice)
{
    return std::ranges::any_of(advice.protocols, &ProtocolAdvice::suits)
           || std::ranges::any_of(advice.additions, [](const Addition& addition) {
                  return addition.kind != Addition::Kind::Unless;
              });
}

} // namespace

std::vector<search::SearchTask> tasksOf(
    const RemedyCheck& check, const std::shared_ptr<const protocol::LockProtocol>& protocol,
    const AdviceQuestion& question, const search::Bounds& bounds)
{
    return matrixRowWith(check.remedies, protocol, searchedFor(question), bounds);
}

RemedyRounds::RemedyRounds(Advice& advice, AdviceQuestion question,
                           std::vector<const ProtocolInfo*> protocols)
    : m_question(std::move(question)),
      m_protocols(std::move(protocols))
{
    if (std::ranges::any_of(advice.protocols, &ProtocolAdvice::suits)) {
        return;
    }
    for (const ProtocolAdvice& one : advice.protocols) {
        for (const Remedy remedy : {Remedy::LongerLease, Remedy::Replicas}) {
            if (one.misfits.empty() && isWorthARemedy(one)
                && isApplicable(remedy, infoOf(one.protocol))) {
                m_open.push_back({{remedy}, one.protocol, {}});
            }
        }
    }
    if (m_open.empty()) {
        beginPairs(advice);
    }
}

const ProtocolInfo& RemedyRounds::infoOf(std::string_view id) const
{
    return **std::ranges::find(m_protocols, id, &ProtocolInfo::id);
}

/// What a check leaves open, a resource that compares fences, more servers or own code may make up
/// for; what needs no remedy is known from the checks of the first round.
void RemedyRounds::beginPairs(Advice& advice)
{
    m_arePairs = true;
    if (isHelped(advice)) {
        return;
    }
    const auto add = [&](std::optional<Misfit> misfit, const std::vector<Remedy>& remedies) {
        for (const ProtocolAdvice& one : advice.protocols) {
            const bool isMeant = misfit ? isMissing(one, *misfit) : one.misfits.empty();
            const bool fits = std::ranges::all_of(remedies, [&](Remedy remedy) {
                return isApplicable(remedy, infoOf(one.protocol));
            });
            if (isMeant && fits && isWorthARemedy(one) && m_open.size() < kPairChecksMax) {
                m_open.push_back({remedies, one.protocol, {}});
            }
        }
    };
    add(std::nullopt, {Remedy::LongerLease, Remedy::Replicas});
    add(Misfit::Servers, {Remedy::LongerLease});
    add(Misfit::Library, {Remedy::LongerLease});
    add(Misfit::Library, {Remedy::Replicas});
    if (m_open.empty()) {
        addPairs(advice);
    }
}

void RemedyRounds::take(Advice& advice, std::span<const CellReport> cells)
{
    const std::size_t each = m_open.empty() ? 0 : cells.size() / m_open.size();
    for (RemedyCheck& check : m_open) {
        check.cells.assign(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(each));
        cells = cells.subspan(each);
    }
    std::ranges::move(m_open, std::back_inserter(m_done));
    m_open.clear();
    if (m_arePairs) {
        addPairs(advice);
    } else {
        addSingles(advice);
        beginPairs(advice);
    }
}

ProtocolAdvice RemedyRounds::adviceWith(const RemedyCheck& check) const
{
    const std::array info{&infoOf(check.protocol)};
    return adviceOn(m_question, info, check.cells).protocols.front();
}

void RemedyRounds::addSingles(Advice& advice) const
{
    for (const RemedyCheck& check : m_done) {
        if (adviceWith(check).suits()) {
            advice.additions.push_back(additionOf(check));
        }
    }
    std::ranges::stable_sort(advice.additions, isLess);
}

void RemedyRounds::addPairs(Advice& advice) const
{
    for (const ProtocolAdvice& one : advice.protocols) {
        if (auto pair = pairFor(one)) {
            advice.additions.push_back(std::move(*pair));
        }
    }
    for (const RemedyCheck& check : m_done) {
        const ProtocolAdvice one = adviceWith(check);
        const auto missing = additionFor(one);
        if (one.suits()) {
            advice.additions.push_back(additionOf(check));
        } else if (missing && check.remedies.size() == 1) {
            advice.additions.push_back(additionWith(check.remedies.front(), *missing));
        }
    }
    std::ranges::stable_sort(advice.additions, isLess);
}

} // namespace lockscope::report
