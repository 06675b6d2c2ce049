#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "ui/models/lab/simulated_workload.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

// What the form of the laboratory asks for when the user defines the clients, each described once:
// its place on the form, its words, its range, and which part of a plan it is.
namespace lockscope::models {

/// In the order in which they are read: what is wrong with the first is said first.
enum class ScenarioField {
    Seed,
    Renewal, // "off", or how often
    RetryPause,
    Tries,
    WaitLimit, // "off": as long as the tries last
    Permits,
    Servers,
    Horizon, // of virtual time
    Contenders,
    Stagger,
    Keys,
    Hold,  // a distribution: "4s", "2s..6s", "~4s"
    Think, // likewise
    Rounds,
    ReentryDepth,
    Lease,
    ReadShare,  // "50%"
    FaultTotal, // in one run, of all kinds together
    FieldCount
};

constexpr auto kScenarioFieldCount = static_cast<std::size_t>(ScenarioField::FieldCount);

/// What the fields say together: the clients of the plan do what the workload says.
struct ScenarioValues {
    SimulatedWorkload workload;
    world::WorldPlan plan;
};

struct ScenarioFieldInfo {
    enum class Group { Clients, Lock, Faults, Bounds };

    struct Number {
        int& (*of)(ScenarioValues&);
        int least;
        int most;
    };
    struct Span {
        Duration& (*of)(ScenarioValues&);
        Duration least;
        Duration most;
    };
    /// How often, or how long at most; "off" is zero.
    struct Period {
        Duration& (*of)(ScenarioValues&);
    };
    struct Spread {
        workload::Distribution& (*of)(ScenarioValues&);
    };
    struct Share {
        double& (*of)(ScenarioValues&);
    };
    struct Seed {
        std::uint64_t& (*of)(ScenarioValues&);
    };

    ScenarioField field;
    Group group;
    const char* editor; // its object name
    QString (*label)();
    QString (*hint)(); // what may be written, and what it means
    std::variant<Number, Span, Period, Spread, Share, Seed> value;
    /// nullptr: every protocol.
    bool (*appliesTo)(const protocol::ProtocolInfo&) = nullptr;

    /// The value as read() takes it.
    QString text(ScenarioValues& values) const;
    /// Sets the value, or returns a sentence that says how to write it.
    QString read(ScenarioValues& values, const QString& text) const;
};

/// All of them, in the order of the form.
std::span<const ScenarioFieldInfo> scenarioFields();

const ScenarioFieldInfo& infoOf(ScenarioField field);

} // namespace lockscope::models
