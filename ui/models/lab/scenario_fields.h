#pragma once

#include "core/kernel/report/run/plan_members.h"
#include "ui/models/lab/simulated_workload.h"

#include <QString>

#include <compare>
#include <functional>
#include <span>
#include <string_view>
#include <variant>

// What the form of the laboratory asks for when the user defines the clients: the members of a
// plan that have a place on the form, and what the clients do, each described once.
namespace lockscope::models {

/// Which field: the name of a member of a plan in a file, or of one of the workload.
struct ScenarioField {
    std::string_view name;
    friend auto operator<=>(const ScenarioField&, const ScenarioField&) = default;

    // Those that some code has to know.
    static const ScenarioField kContenders, kStagger, kRounds, kHold, kThink, kKeys, kReadShare,
        kReentryDepth, kLease, kPermits, kServers, kRenewal, kRetryPause, kTries, kWaitLimit,
        kFaultTotal, kHorizon, kSeed;
};

inline constexpr ScenarioField ScenarioField::kContenders{"contenders"};
inline constexpr ScenarioField ScenarioField::kStagger{"stagger"};
inline constexpr ScenarioField ScenarioField::kRounds{"rounds"};
inline constexpr ScenarioField ScenarioField::kHold{"hold"};
inline constexpr ScenarioField ScenarioField::kThink{"think"};
inline constexpr ScenarioField ScenarioField::kKeys{"keys"};
inline constexpr ScenarioField ScenarioField::kReadShare{"readShare"};
inline constexpr ScenarioField ScenarioField::kReentryDepth{"depth"};
inline constexpr ScenarioField ScenarioField::kLease{"lease"};
inline constexpr ScenarioField ScenarioField::kPermits{"permits"};
inline constexpr ScenarioField ScenarioField::kServers{"servers"};
inline constexpr ScenarioField ScenarioField::kRenewal{"renewal"};
inline constexpr ScenarioField ScenarioField::kRetryPause{"retryPause"};
inline constexpr ScenarioField ScenarioField::kTries{"triesMax"};
inline constexpr ScenarioField ScenarioField::kWaitLimit{"waitMax"};
inline constexpr ScenarioField ScenarioField::kFaultTotal{"faultsMax"};
inline constexpr ScenarioField ScenarioField::kHorizon{"horizon"};
inline constexpr ScenarioField ScenarioField::kSeed{"seed"};

/// What the fields say together: the clients of the plan do what the workload says.
struct ScenarioValues {
    SimulatedWorkload workload;
    world::WorldPlan plan;
};

struct ScenarioFieldInfo {
    enum class Group { Clients, Lock, Faults, Bounds };

    struct Number {
        int SimulatedWorkload::*of;
        int most;
    };
    struct Span {
        Duration SimulatedWorkload::*of;
        Duration least;
    };
    struct Spread {
        workload::Distribution SimulatedWorkload::*of;
    };
    struct ReadShare {};

    ScenarioField field;
    Group group;
    std::function<QString()> label;
    std::function<QString()> hint; // what may be written, and what it means
    std::variant<const report::PlanMember*, Number, Span, Spread, ReadShare> value;
    /// nullptr: every protocol.
    bool (*appliesTo)(const protocol::ProtocolInfo&) = nullptr;

    /// The object name of its editor: "labSeedEdit".
    QString editor() const;
    /// The value as read() takes it.
    QString text(const ScenarioValues& values) const;
    /// Sets the value, or returns a sentence that says how to write it.
    QString read(ScenarioValues& values, const QString& text) const;
};

/// All of them, in the order of the form.
std::span<const ScenarioFieldInfo> scenarioFields();

const ScenarioFieldInfo& infoOf(ScenarioField field);

} // namespace lockscope::models
