#include "tests/soak/release_race_ledger.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace lockscope::testing {

using inspect::Mode;
using inspect::ReleaseResult;

namespace {

Bytes sideOf(Mode mode)
{
    switch (mode) {
    case Mode::Read: return "read";
    case Mode::Write: return "write";
    case Mode::Exclusive:
    case Mode::Semaphore: break;
    }
    return "any";
}

std::set<Hold> without(const std::set<Hold>& all, const std::set<Hold>& some)
{
    std::set<Hold> rest;
    std::ranges::set_difference(all, some, std::inserter(rest, rest.end()));
    return rest;
}

} // namespace

Look::Look(const store::Reply& reply)
{
    const store::Reply::Array* const parts = reply.array();
    assert(parts != nullptr && parts->size() == 3 && "a look cannot fail");
    atMs = (*parts)[0].integer().value_or(0);
    holdCount = (*parts)[1].integer().value_or(0);
    for (const store::Reply& entry : *(*parts)[2].array()) {
        const store::Reply::Array& words = *entry.array();
        Hold hold{*words[0].text(), *words[1].text(), words[2].integer().value_or(0)};
        endsAtMs.emplace(std::move(hold), words[3].integer().value_or(0));
    }
}

std::set<Hold> Look::holds() const
{
    std::set<Hold> all;
    for (const auto& [hold, end] : endsAtMs) {
        all.insert(hold);
    }
    return all;
}

bool Look::mayHaveRunOut(const Hold& hold, const Look& after) const
{
    const auto found = endsAtMs.find(hold);
    return found != endsAtMs.end() && found->second >= 0 && after.atMs >= found->second;
}

Aim::Aim(inspect::ReleasePlan plan, const RaceFormat& format, const Look& before, const Look& after)
    : m_plan(std::move(plan)),
      m_isAnonymous(format.isAnonymous),
      m_before(before.holds()),
      m_countBefore(before.holdCount),
      m_countAfter(after.holdCount)
{}

bool Aim::isNamed(const Hold& hold) const
{
    const bool wasThere = m_before.contains(hold)
                          || (hold.number > m_countBefore && hold.number <= m_countAfter);
    return wasThere && std::ranges::any_of(m_plan.holders, [&hold](const inspect::Holder& holder) {
               return holder.owner == hold.owner && sideOf(holder.mode) == hold.side;
           });
}

std::set<Hold> Aim::namedAmong(const Look& look) const
{
    std::set<Hold> named;
    for (const inspect::Holder& holder : m_plan.holders) {
        if (!m_isAnonymous) {
            named.insert(Hold{holder.owner, {}, 0});
        }
    }
    for (const auto& [hold, end] : look.endsAtMs) {
        if (m_isAnonymous && isNamed(hold)) {
            named.insert(hold);
        }
    }
    if (named.empty()) {
        named.insert(Hold{"gone", {}, 0});
    }
    return named;
}

const char* wrongOf(ReleaseResult result, const std::set<Hold>& named, const Look& before,
                    const Look& after, bool isAnonymous)
{
    const std::set<Hold> removed = without(before.holds(), after.holds());
    const auto ranOut = [&](const Hold& hold) { return before.mayHaveRunOut(hold, after); };
    const bool wasThere = without(named, before.holds()).empty();
    switch (result) {
    case ReleaseResult::Released:
        if (!std::ranges::all_of(without(removed, named), ranOut)) {
            return "a hold that was not named was removed";
        }
        if (!wasThere) {
            return "called released although it was not there any more";
        }
        return without(named, removed).empty() ? nullptr : "called released although it is there";
    case ReleaseResult::ChangedHands:
    case ReleaseResult::AlreadyGone:
        if (!std::ranges::all_of(removed, ranOut)) {
            return "removed something and called it untouched";
        }
        // Where holds look alike, a renewal is reason enough to refuse.
        if (wasThere && !isAnonymous && std::ranges::none_of(named, ranOut)) {
            return "refused although nothing had changed";
        }
        return nullptr;
    case ReleaseResult::Refused:
    case ReleaseResult::Unknown: break;
    }
    return "no clear outcome";
}

void Tally::add(const inspect::ReleaseReport& report)
{
    switch (report.result) {
    case ReleaseResult::Released: ++released; return;
    case ReleaseResult::ChangedHands: ++(report.wasWritten ? written : changedHands); return;
    case ReleaseResult::AlreadyGone: ++alreadyGone; return;
    case ReleaseResult::Refused: ++refused; return;
    case ReleaseResult::Unknown: ++unclear; return;
    }
}

Tally& Tally::operator+=(const Tally& other)
{
    released += other.released;
    changedHands += other.changedHands;
    written += other.written;
    alreadyGone += other.alreadyGone;
    unclear += other.unclear;
    refused += other.refused;
    recognisedCount += other.recognisedCount;
    wrongCount += other.wrongCount;
    return *this;
}

std::string Tally::text() const
{
    std::string text = std::to_string(attempts()) + " releases:";
    const auto add = [&text](int count, const char* what) {
        text += ' ' + std::to_string(count) + what;
    };
    add(released, " released,");
    add(changedHands, " changed hands,");
    add(written, " written to,");
    add(alreadyGone, " already gone,");
    add(refused, " refused,");
    add(unclear, " unclear;");
    add(wrongCount, " wrong");
    return text;
}

void Ledger::complain(const RaceLock& lock, const std::string& what)
{
    ++of(*lock.format).wrongCount;
    m_wrongs.push_back(lock.name + ": " + what);
}

Tally Ledger::total() const
{
    Tally sum;
    for (const auto& [format, tally] : m_tallies) {
        sum += tally;
    }
    return sum;
}

} // namespace lockscope::testing
