#pragma once

#include "ui/widgets/shell/watch_state.h"

#include <QString>

namespace lockscope::widgets {

/// Why the table shows no locks, and what to do about it.
enum class LocksSituation {
    NotConnected,
    Connecting,
    Unreachable,   // the first connection does not come about
    NotAllowed,    // the server refuses what it takes to look
    Stalled,       // it is connected, but does not answer
    NothingToShow, // it is no server that could have locks
    Sweeping,      // nothing found so far; absence proves nothing yet
    NoLocks,       // every key was looked at
    AllHidden,     // by the filter
    Table,         // there is something to see
};

struct LockCounts {
    qint64 known = 0;
    qint64 shown = 0; // after the filter
};

LocksSituation situationOf(const WatchState& state, const LockCounts& counts);

/// What an empty page says.
struct EmptyText {
    QString headline;
    QString text;
    QString command;      // to copy; may be empty
    double progress = -1; // in [0, 1]; negative: none to show

    /// What can be done about it, the main thing first.
    enum class Step { None, Connect, StartDemo, DeepSweep, ClearFilter };
    Step step = Step::None;
    QString stepLabel;
    Step otherStep = Step::None;
    QString otherStepLabel;

    friend bool operator==(const EmptyText&, const EmptyText&) = default;
};

EmptyText emptyText(LocksSituation situation, const WatchState& state, const LockCounts& counts,
                    Instant now);

/// The sentence over a table whose rows are out of date; empty while they are not.
QString staleText(const WatchState& state, Instant now);

/// What one has to know of the servers to judge what is shown: replicas, nodes of a cluster,
/// servers that are no Redlock set. Empty for ordinary masters.
QString remarkText(const WatchState& state);

/// What the last sweeps could not read, and why; empty when they were complete.
QString gapText(const WatchState& state);

/// What stands over the page as long as it is true; empty when there is nothing to say that the
/// page does not say itself. A line for each matter.
QString barText(LocksSituation situation, const WatchState& state, Instant now);

} // namespace lockscope::widgets
