#include "core/kernel/trace/server_hold_fold.h"

#include <algorithm>
#include <utility>

namespace lockscope::trace {

namespace {

bool isSameHold(const CurrentHold& a, const CurrentHold& b)
{
    return a.lock == b.lock && a.hold == b.hold && a.node == b.node;
}

} // namespace

void ServerHoldFold::see(LookTime when, std::span<const CurrentHold> present,
                         const EndingOf& endingOf, std::span<const int> unseen)
{
    std::erase_if(m_open, [&](const Open& open) {
        const auto node = open.currentHold.node;
        if (node && std::ranges::find(unseen, *node) != unseen.end()) {
            return false;
        }
        const bool isThere = std::ranges::any_of(present, [&open](const CurrentHold& currentHold) {
            return isSameHold(open.currentHold, currentHold);
        });
        if (!isThere) {
            close(open, when, endingOf);
        }
        return !isThere;
    });
    for (const CurrentHold& currentHold : present) {
        auto known = std::ranges::find_if(m_open, [&currentHold](const Open& open) {
            return isSameHold(open.currentHold, currentHold);
        });
        if (known == m_open.end()) {
            ServerHold serverHold{when.to, when.to, currentHold.holder, currentHold.lock,
                                  SpanEnd::Open};
            serverHold.node = currentHold.node;
            serverHold.fromStep = when.step;
            known = m_open.insert(m_open.end(), {serverHold, currentHold});
        }
        known->serverHold.to = std::max(known->serverHold.to, when.from);
        known->serverHold.toStep = when.step;
        known->currentHold.until = currentHold.until;
    }
}

void ServerHoldFold::close(const Open& open, LookTime when, const EndingOf& endingOf)
{
    ServerHold serverHold = open.serverHold;
    const Instant until = open.currentHold.until;
    const Ending ending = until <= when.to ? Ending{until, SpanEnd::Expired} : endingOf(serverHold);
    serverHold.to = std::max(ending.at, serverHold.from);
    serverHold.end = ending.how;
    serverHold.toStep = when.step;
    serverHold.overBy = ending.how == SpanEnd::Uncertain ? std::optional(when.to) : std::nullopt;
    m_closed.push_back(serverHold);
}

std::vector<ServerHold> ServerHoldFold::serverHolds() const
{
    std::vector<ServerHold> serverHolds = m_closed;
    serverHolds.reserve(m_closed.size() + m_open.size());
    for (const Open& open : m_open) {
        serverHolds.push_back(open.serverHold);
    }
    std::ranges::stable_sort(serverHolds, {}, [](const ServerHold& serverHold) {
        return std::pair(serverHold.from, serverHold.fromStep);
    });
    return serverHolds;
}

} // namespace lockscope::trace
