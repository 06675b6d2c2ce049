#pragma once

#include "ui/models/timeline/timeline_index.h"

namespace lockscope::models {

/// The nearest beginning, end or mark after an instant, or before it.
std::optional<Instant> nextEvent(const trace::Chronicle& chronicle, Instant at, bool isForward);

/// The message that was sent, carried out or answered at that very instant; of several the first.
std::optional<std::size_t> messageAt(const trace::Chronicle& chronicle, Instant at);

/// The hold that begins at that very instant; of several the first.
std::optional<std::uint32_t> holdFrom(const trace::Chronicle& chronicle, Instant at);

/// The contenders at an instant: those that overlap then, or else those for which something begins,
/// ends or happens at that very instant. Without repetition.
std::vector<trace::ContenderId> contendersAt(const trace::Chronicle& chronicle, Instant at);

/// A line from a time and row to another, which says what led to what.
struct TimelineArrow {
    static constexpr int kServer = -1; // a row for where no row shows the server

    enum class Kind {
        Request,
        Answer,
        LostRequest, // it never arrived within the record
        LostAnswer,
        Release, // a hold that ended, for who waited for it
        WakeUp,  // the message it got, or what it did next by itself, until it had the lock
    };

    Kind kind = Kind::Request;
    Instant from{};
    Instant to{};
    int fromRow = 0;
    int toRow = 0;
    QString text{}; // what to write at it; may be empty

    friend bool operator==(const TimelineArrow&, const TimelineArrow&) = default;
};

/// The way of a message to the server and back. Nothing when its sender is not shown.
std::vector<TimelineArrow> arrowsOf(const TimelineIndex& index, const trace::Message& message);

/// From the end of the hold before to a hold that had to wait for it, by way of what the waiting
/// one received in between (a published message, the answer to a blocking command), or else of what
/// it sent next. Nothing when it did not wait, or when that is not shown.
std::vector<TimelineArrow> handOverTo(const TimelineIndex& index, const trace::Span& hold);

} // namespace lockscope::models
