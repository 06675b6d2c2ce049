#include "core/kernel/report/run/plan_members.h"

#include "core/kernel/base/kernel_text.h"

namespace lockscope::report {

using namespace std::chrono_literals;
using world::WorldPlan;

namespace plan_members {

using protocol::ProtocolInfo;
using Number = PlanMember::Number;
using Span = PlanMember::Span;
using Text = const std::string&;
using enum PlanMember::Form::Group;

// What a person may want, and a search can still do.
constexpr int kServersMax = 15;
constexpr int kPermitsMax = 26;
constexpr int kCountMax = 1000;
constexpr int kTriesMax = 1'000'000;

constexpr PlanMember kMembers[] = {
    {.name = "permits",
     .value = Number{[](WorldPlan& p) -> int& { return p.permits; }, 1, kPermitsMax},
     .form = {Lock, [] { return KernelText::tr("Permits"); },
              [] { return KernelText::tr("Maximum number of concurrent holders."); }},
     .appliesTo = [](const ProtocolInfo& info) { return info.hasPermits; },
     .refusal = [](Text name) { return KernelText::tr("%1 has one holder at a time.", name); }},
    {.name = "servers",
     .value = Number{[](WorldPlan& p) -> int& { return p.nodeCount; }, 1, kServersMax},
     .form = {Lock, [] { return KernelText::tr("Servers"); },
              [] {
                  return KernelText::tr("Number of independent masters. A majority must agree.");
              }},
     .appliesTo =
         [](const ProtocolInfo& info) { return info.keys == protocol::KeyUse::OnePerServer; },
     .refusal = [](Text name) { return KernelText::tr("%1 uses a single server.", name); }},
    {.name = kRenewalMember,
     .value = Span{[](WorldPlan& p) -> Duration& { return p.renewal.period; }, 0ms, true},
     .form = {Lock, [] { return KernelText::tr("Renew every"); },
              [] { return KernelText::tr("A duration such as 3s, or off."); }},
     .appliesTo = [](const ProtocolInfo& info) { return info.canRenew; },
     .refusal = [](Text name) { return KernelText::tr("%1 cannot renew a lock.", name); }},
    {.name = "retryPause",
     .value = Span{[](WorldPlan& p) -> Duration& { return p.retryPause; }, 1ms},
     .form = {Lock, [] { return KernelText::tr("Retry interval"); },
              [] {
                  return KernelText::tr(
                      "Protocols with wake-ups use it only when they cannot wait for one.");
              }}},
    {.name = "triesMax",
     .value = Number{[](WorldPlan& p) -> int& { return p.triesMax; }, 1, kTriesMax},
     .form = {Lock, [] { return KernelText::tr("Maximum attempts"); },
              [] { return KernelText::tr("Per acquisition."); }}},
    {.name = "waitMax",
     .value = Span{[](WorldPlan& p) -> Duration& { return p.waitMax; }, 0ms, true},
     .form = {Lock, [] { return KernelText::tr("Maximum wait"); },
              [] {
                  return KernelText::tr("Per acquisition. A duration such as 30s, or off: limited "
                                        "by the attempts only.");
              }}},
    {.name = "requestTimeout",
     .value = Span{[](WorldPlan& p) -> Duration& { return p.requestTimeout; }, 1ms}},
    {.name = "writersPreferred",
     .value = PlanMember::Flag{[](WorldPlan& p) -> bool& { return p.areWritersPreferred; }}},
    {.name = "faultsMax",
     .value = Number{[](WorldPlan& p) -> int& { return p.faults.totalMax; }, 0, kCountMax},
     .form = {Faults, [] { return KernelText::tr("Faults per run"); },
              [] {
                  return KernelText::tr("Maximum number of faults of all kinds in one run. Each "
                                        "additional fault makes the search much larger.");
              }}},
    {.name = "horizon",
     .value = Span{[](WorldPlan& p) -> Duration& { return p.horizon; }, 1ms},
     .form = {Bounds, [] { return KernelText::tr("Virtual time"); },
              [] { return KernelText::tr("Duration of one run in virtual time."); }}},
    {.name = "wakeUpMax",
     .value = Span{[](WorldPlan& p) -> Duration& { return p.wakeUpMax; }, 0ms}},
    {.name = "bypassMax",
     .value = Number{[](WorldPlan& p) -> int& { return p.bypassMax; }, 0, kCountMax}},
    {.name = "seed",
     .value = PlanMember::Seed{[](WorldPlan& p) -> std::uint64_t& { return p.seed; }},
     .form = {Bounds, [] { return KernelText::tr("Seed"); },
              [] {
                  return KernelText::tr(
                      "Seed of all random choices. The same seed gives the same runs.");
              }}},
};

} // namespace plan_members

bool PlanMember::hasDefault(const WorldPlan& plan) const
{
    WorldPlan ours = plan;
    WorldPlan usual;
    return std::visit([&](const auto& kind) { return kind.of(ours) == kind.of(usual); }, value);
}

void PlanMember::setDefault(WorldPlan& plan) const
{
    WorldPlan usual;
    std::visit([&](const auto& kind) { kind.of(plan) = kind.of(usual); }, value);
}

std::span<const PlanMember> planMembers()
{
    return plan_members::kMembers;
}

} // namespace lockscope::report
