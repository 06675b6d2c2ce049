#include "core/kernel/workload/live_server_holds.h"

#include "core/kernel/base/content_hash.h"

namespace lockscope::workload {

namespace {

/// Hours of looks at one lock, and as many as can be drawn well.
constexpr std::size_t kServerHoldsMax = 500'000;

} // namespace

void LiveServerHolds::introduce(const protocol::Identity& identity, trace::ContenderId contender)
{
    m_contenders.insert_or_assign(Bytes(identity.mark()), contender);
}

void LiveServerHolds::goOnTo(Instant instant)
{
    while (!m_looks.empty() && m_looks.front().at < instant) {
        takeLook(m_looks.front());
        m_looks.pop_front();
    }
}

void LiveServerHolds::takeLook(const inspect::Look& look)
{
    if (m_fold.size() >= kServerHoldsMax) {
        return;
    }
    std::vector<trace::CurrentHold> present;
    for (const inspect::SeenHold& hold : look.holds) {
        // Readers and a writer that are nameless are not the same.
        ContentHash number;
        number.add(hold.owner);
        number.add(hold.isShared ? 1 : 0);
        present.push_back({contenderIn(hold.owner), static_cast<trace::LockId>(hold.lock),
                           hold.until, number.value(), hold.node});
    }
    const auto endingOf = [](const trace::ServerHold& serverHold) {
        return trace::ServerHoldFold::Ending{serverHold.to, trace::SpanEnd::Uncertain};
    };
    m_fold.see({look.askedAt, look.at}, present, endingOf, look.silent);
}

std::optional<trace::ContenderId> LiveServerHolds::contenderIn(std::string_view owner) const
{
    constexpr std::size_t kLength = protocol::Identity::kMarkLength;
    for (std::size_t from = 0; from + kLength <= owner.size(); ++from) {
        const auto found = m_contenders.find(owner.substr(from, kLength));
        if (found != m_contenders.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

} // namespace lockscope::workload
