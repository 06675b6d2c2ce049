#include "trace/tenure_fold.h"

#include <algorithm>

namespace lockscope::trace {

namespace {

bool isSameHold(const Standing& a, const Standing& b)
{
    return a.lock == b.lock && a.hold == b.hold;
}

} // namespace

void TenureFold::see(LookTime when, std::span<const Standing> present, const EndingOf& endingOf)
{
    std::erase_if(m_open, [&](const Open& open) {
        const bool isThere = std::ranges::any_of(present, [&open](const Standing& standing) {
            return isSameHold(open.standing, standing);
        });
        if (!isThere) {
            close(open, when, endingOf);
        }
        return !isThere;
    });
    for (const Standing& standing : present) {
        auto known = std::ranges::find_if(m_open, [&standing](const Open& open) {
            return isSameHold(open.standing, standing);
        });
        if (known == m_open.end()) {
            const Tenure tenure{when.to, when.to, standing.holder, standing.lock, SpanEnd::Open};
            known = m_open.insert(m_open.end(), {tenure, standing});
        }
        known->tenure.to = std::max(known->tenure.to, when.from);
        known->standing.until = standing.until;
    }
}

void TenureFold::close(const Open& open, LookTime when, const EndingOf& endingOf)
{
    Tenure tenure = open.tenure;
    const Instant until = open.standing.until;
    const Ending ending = until <= when.to ? Ending{until, SpanEnd::Expired} : endingOf(tenure);
    tenure.to = std::max(ending.at, tenure.from);
    tenure.end = ending.how;
    tenure.overBy = ending.how == SpanEnd::Uncertain ? std::optional(when.to) : std::nullopt;
    m_closed.push_back(tenure);
}

std::vector<Tenure> TenureFold::tenures() const
{
    std::vector<Tenure> tenures = m_closed;
    tenures.reserve(m_closed.size() + m_open.size());
    for (const Open& open : m_open) {
        tenures.push_back(open.tenure);
    }
    std::ranges::stable_sort(tenures, {}, &Tenure::from);
    return tenures;
}

} // namespace lockscope::trace
