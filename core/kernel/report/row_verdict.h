#pragma once

#include "core/kernel/report/cell_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What a row of the matrix comes to: one protocol under all faults that are looked at.
namespace lockscope::report {

/// How a protocol fares where some harms must not happen.
struct RowVerdict {
    /// Best first.
    enum class Kind : std::uint8_t {
        Held,        // nothing of it in any run within the plans
        HeldSoFar,   // nothing of it before the bound was reached
        Exempt,      // there is nothing in the protocol that could go wrong so
        Conditional, // as long as the conditions hold
        GoodDay,     // it happens although nothing goes wrong
        Untested,    // nothing was granted, or it could have happened in no run
        Unknown,     // some cells are not searched
    };

    ProtocolGroup group = ProtocolGroup::OneHolder;
    Kind kind = Kind::Unknown;
    /// Conditional: what has to be so for it not to happen, the likeliest to fail first.
    std::vector<std::string> conditions;
    /// Those that are left where the resource refuses smaller numbers than it has seen. They are
    /// all for a protocol whose grants are not numbered.
    std::vector<std::string> conditionsWithFence;
    /// What else happens under the same faults, worst first.
    std::vector<search::Harm> others;
    /// GoodDay: the worst that happens then. It weighs more than all others.
    std::optional<search::Harm> onAGoodDay;
    // Faults under which it happens; those under which the protocol promises otherwise; and kinds
    // of misuse, which are not among the faults.
    std::size_t harmedCount = 0;
    std::size_t brokenCount = 0;
    std::size_t misusedCount = 0;
    std::size_t brokenPromises = 0; // of all kinds, over all cells
    bool isStuckByCrash = false;    // all it takes to lock everybody out for ever is one crash
    bool removesOthers = false;     // a lock of somebody else's, although the server lost nothing
    bool hasFence = false;          // its grants are numbered
    /// Grants stay in the order of their numbers when a holder is late, and no lock is stuck or
    /// removed then. A resource that compares the numbers refuses the late holder.
    bool isFencedWhenLate = false;
    /// Faults under which nothing broke, but the search reached its bound, or no run had a chance.
    std::size_t boundedCount = 0;

    /// A disaster that no fault is needed for, or nothing that is known.
    bool isHopeless() const { return kind >= Kind::GoodDay; }
};

/// `cells`: of one protocol, a fault each; those that are looked at.
RowVerdict verdictOfRow(std::span<const CellReport* const> cells,
                        std::span<const search::Harm> never);

/// A reason never to advise the protocol: a disaster although nothing goes wrong, one crash after
/// which the lock stays closed permanently, or the release of another client's lock although the
/// server lost nothing. Not harmed: the cell has none.
CellView hazardIn(const CellReport& cell);

/// In a few words: "breaks on a good day", "safe while the holder is faster than its lease, +2":
/// and two conditions more. "Safe with its fence while …" names those that are left with a fence.
std::string rowText(const RowVerdict& verdict);

/// In sentences: all conditions, and what happens besides.
std::string rowDetail(const RowVerdict& verdict);

/// Whether it stands above the other one. Groups are apart. In each, what breaks on a good day
/// stands last; above that what one crash locks for ever, and what removes locks of others. A fence
/// that withstands late holders leads. Then counts under how many faults it happens, and how many
/// cells held only up to the bound; how many promises that breaks, misuse, fencing, and what else
/// happens. docs/protocol-order.md gives the reasons.
bool ranksBefore(const RowVerdict& verdict, const RowVerdict& other);

} // namespace lockscope::report
