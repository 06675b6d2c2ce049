#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/event.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::trace {

/// Why a stretch of time ended.
enum class SpanEnd : std::uint8_t {
    Open,      // the record ends before it
    Granted,   // waiting: it got the lock
    GaveUp,    // waiting: limit, number of tries, or the server could not be used
    Released,  // the holder gave it back
    Expired,   // the lease ran out on the server
    Lost,      // the holder found out that it is gone
    Forced,    // removed by a client that does not hold it: another contender, an operator
    Crashed,   // its contender died
    Resumed,   // paused: goes on; down: was started again
    Uncertain, // it is not known how it ended
};

std::string_view idOf(SpanEnd end); // "gave-up"

/// What a contender is about for a while, as it sees it.
struct Span {
    enum class Kind : std::uint8_t { Waiting, Holding, Paused, Down };

    Instant from{};
    Instant to{};
    ContenderId contender = 0;
    LockId lock = 0; // without meaning where it stands still or is down
    Kind kind = Kind::Waiting;
    SpanEnd end = SpanEnd::Open;
    bool isRead = false;

    friend bool operator==(const Span&, const Span&) = default;
};

/// Something that happens in an instant within a span.
struct Mark {
    enum class Kind : std::uint8_t { Refused, Renewed, RenewalFailed, ReleaseRefused, Rejected };

    Instant at{};
    ContenderId contender = 0;
    LockId lock = 0;
    Kind kind = Kind::Refused;

    friend bool operator==(const Mark&, const Mark&) = default;
};

/// The server's own record: who stands in the lock there. Of several servers, that a majority has
/// it, and what each of them has.
struct ServerHold {
    Instant from{};
    Instant to{};
    /// nullopt: held, but the server does not record by whom.
    std::optional<ContenderId> holder = 0;
    LockId lock = 0;
    SpanEnd end = SpanEnd::Open;
    /// Of one whose end was not seen: by then it was over. `to` is when it was last seen.
    std::optional<Instant> overBy = std::nullopt;
    /// Of one of several servers alone, from 0; nullopt: of the only one, or of a majority.
    std::optional<int> node = std::nullopt;
    /// By which steps of a simulated run it began and ended, see RunSteps.
    std::uint32_t fromStep = 0;
    std::uint32_t toStep = 0;

    friend bool operator==(const ServerHold&, const ServerHold&) = default;
};

/// While it lasts, more believe to hold a lock than it allows.
struct Overlap {
    Instant from{};
    Instant to{};
    LockId lock = 0;
    ContenderId first = 0;  // who held it before
    ContenderId second = 0; // who came in addition

    friend bool operator==(const Overlap&, const Overlap&) = default;
};

/// A command on its way to a server and back.
struct Message {
    Instant sentAt{};
    std::optional<Instant> appliedAt;  // nullopt: never carried out within the record
    std::optional<Instant> answeredAt; // when the sender saw the answer; nullopt: it never did
    ContenderId contender = 0;
    int node = 0;        // the server, from 0
    std::string text;    // "SET k 1 EX 10 NX: OK", as stories have it; the answer only when it came
    bool isPush = false; // begun by the server: what it tells a subscriber
    /// The places of the three instants among all that was said: in a simulated run many of them
    /// are the same.
    std::uint32_t sentOrder = 0;
    std::uint32_t appliedOrder = 0;
    std::uint32_t answeredOrder = 0;
    /// By which steps of a simulated run, see RunSteps.
    std::uint32_t sentStep = 0;
    std::uint32_t appliedStep = 0;
    std::uint32_t answeredStep = 0;

    friend bool operator==(const Message&, const Message&) = default;
};

/// A line that the program of a contender wrote for its users.
struct Note {
    Instant at{};
    ContenderId contender = 0;
    std::string text;

    friend bool operator==(const Note&, const Note&) = default;
};

/// A run as stretches of time. Each list is in the order of `from`, `at` or `sentAt`.
struct Chronicle {
    /// Steps: its instants are numbers of steps, see chronicleInSteps(), and no times.
    enum class Axis : std::uint8_t { Time, Steps };

    std::vector<Span> spans;
    std::vector<Mark> marks;
    std::vector<Overlap> overlaps;
    std::vector<ServerHold> serverHolds; // empty where the server was not looked at
    std::vector<Message> messages;       // empty where no client listened
    std::vector<Note> notes;             // of a run of real programs
    Instant end{};                       // of the record
    Axis axis = Axis::Time;
};

/// The order of two events that happened in one instant.
enum class InstantOrder : std::uint8_t {
    Unknown,    // several logs were merged by their times; holds that may follow each other do so
    AsRecorded, // that of the log: one process wrote down what happened, one thing after the other
};

/// A chronicle of a log that still grows. Each event is looked at once, when it is appended; to
/// extend the end costs what is new and what is still open, however long the log is.
class GrowingChronicle {
public:
    /// `permits`: how many may hold one lock at once.
    explicit GrowingChronicle(int permits = 1, InstantOrder order = InstantOrder::Unknown)
        : m_permits(static_cast<std::size_t>(permits)),
          m_order(order)
    {}

    /// What happened since, in the order of its times.
    void append(std::span<const Event> events);
    /// All of them so far: they are observed apart from the events.
    void setServerHolds(std::vector<ServerHold> serverHolds);

    /// What is open lasts until `end`, which is not before the latest event. Later events may be
    /// before it. The reference stays valid.
    const Chronicle& extendTo(Instant end);

    /// The contenders whose open holds overlap with the open hold of this one, in ascending order.
    /// Holds of the latest instant are left out where their order is not known.
    std::vector<ContenderId> overlappingWith(ContenderId contender, LockId lock) const;

    /// When nothing is appended any more.
    Chronicle finished(Instant end) &&;

private:
    using SpanIndex = std::optional<std::size_t>;

    /// What a contender is about with one lock.
    struct LockUse {
        SpanIndex waiting;
        SpanIndex holding;
        SpanIndex latestHold; // open or over
        int depth = 0;
    };
    struct Body {
        SpanIndex paused;
        SpanIndex down;
    };
    struct OpenOverlap {
        std::size_t overlap; // indices
        std::size_t first;
        std::size_t second;
    };

    void see(const Event& event);
    LockUse& useOf(const Event& event) { return m_uses[{event.contender, event.lock}]; }
    SpanIndex open(const Event& event, Span::Kind kind);
    void end(SpanIndex& index, Instant at, SpanEnd end);
    void mark(const Event& event, Mark::Kind kind);
    void beginWaiting(const Event& event);
    void endWaiting(const Event& event, SpanEnd how) { end(useOf(event).waiting, event.at, how); }
    void takeGrant(const Event& event);
    void giveBack(const Event& event);
    void endHolding(const Event& event, SpanEnd how);
    void correctEnd(const Event& event, SpanEnd how);
    void crash(const Event& event);
    void settleHoldsBegunBefore(Instant now);
    bool isOver(const Span& hold, Instant now) const;
    void findOverlaps(std::size_t index);

    Chronicle m_chronicle;
    std::size_t m_permits;
    InstantOrder m_order;
    std::map<std::pair<ContenderId, LockId>, LockUse> m_uses;
    std::map<ContenderId, Body> m_bodies;
    std::vector<std::size_t> m_openSpans;
    std::vector<std::size_t> m_unsettledHolds; // begun in the latest instant: who overlaps is open
    std::map<LockId, std::vector<std::size_t>> m_heldAtOnce;
    std::vector<OpenOverlap> m_openOverlaps;
};

/// From a log in the order of its times. `permits`: how many may hold one lock at once. Server
/// holds and messages are not in the log.
Chronicle chronicleOf(std::span<const Event> events, Instant end, int permits = 1,
                      InstantOrder order = InstantOrder::Unknown);

} // namespace lockscope::trace
