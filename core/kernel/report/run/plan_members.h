#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// The numbers, times and switches of a plan, each described once: for files, for their schema and
// for the form of the laboratory.
namespace lockscope::report {

struct PlanMember {
    struct Number {
        int& (*of)(world::WorldPlan&);
        int least;
        int most;
    };
    /// A year at the most.
    struct Span {
        Duration& (*of)(world::WorldPlan&);
        Duration least;
        bool mayBeOff = false; // zero, which a form calls "off"
    };
    struct Flag {
        bool& (*of)(world::WorldPlan&);
    };
    struct Seed {
        std::uint64_t& (*of)(world::WorldPlan&);
    };

    /// How the form of the laboratory asks for it, if it does.
    struct Form {
        enum class Group : std::uint8_t { Lock, Faults, Bounds };
        Group group = Group::Lock;
        std::string (*label)() = nullptr;
        std::string (*hint)() = nullptr; // what may be written, and what it means
    };

    std::string_view name; // in a file; the period of the renewal is part of an object there
    std::variant<Number, Span, Flag, Seed> value;
    Form form = {};
    /// nullptr: every protocol.
    bool (*appliesTo)(const protocol::ProtocolInfo&) = nullptr;
    /// Why a protocol to which it does not apply cannot have it.
    std::string (*refusal)(const std::string& protocol) = nullptr;

    bool isOnForm() const { return form.label != nullptr; }
    bool appliesToProtocol(const protocol::ProtocolInfo& info) const
    {
        return appliesTo == nullptr || appliesTo(info);
    }
    bool hasDefault(const world::WorldPlan& plan) const;
    void setDefault(world::WorldPlan& plan) const;
};

constexpr Duration kPlanSpanMax = std::chrono::hours(24 * 366);
constexpr std::string_view kRenewalMember = "renewal";

/// All of them, in the order of a file and of the form.
std::span<const PlanMember> planMembers();

} // namespace lockscope::report
