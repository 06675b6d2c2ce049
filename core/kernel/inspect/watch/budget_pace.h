#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/budget.h"
#include "core/kernel/store/store.h"

#include <cstddef>

namespace lockscope::inspect {

/// Keeps the work on one server within its budget: after each piece of it, whoever does it waits
/// until the piece is paid for. Everything counts that went through the store meanwhile, of whom
/// ever. The server's time is not asked for: what a piece took from its first question to its last
/// answer, seen from here, is what it may have cost at most.
class BudgetPace {
public:
    /// The store counts (store::MeteredStore); it and the clock outlive this.
    BudgetPace(store::Store& store, Clock& clock, store::Budget budget);

    bool isBounded() const { return m_budget.isBounded(); }

    /// How many keys to ask about in one piece, of `usual`: so few that nobody waits long for
    /// their turn, nor the piece for what it costs.
    std::size_t keysAtOnce(std::size_t usual) const;

    /// All answers to a piece of work that began then are there. Ends when it is paid for; at once
    /// without a budget.
    async::Task<void> settle(Instant begunAt);

private:
    Duration priceSinceLastTime(Instant begunAt) const;

    store::Store& m_store;
    Clock& m_clock;
    store::Budget m_budget;
    store::Usage m_paid;
    Instant m_paidUntil{};
};

} // namespace lockscope::inspect
