#include "core/kernel/world/step_scheduler.h"

#include <algorithm>

namespace lockscope::world {

namespace {

/// Most lists have no more; a search makes a world for each of its runs.
constexpr std::size_t kStepsUsual = 16;

} // namespace

StepScheduler::StepScheduler(const WorldPlan& plan, const Instant& now, Clients& clients,
                             Servers& servers, SimNetwork& network, const Faults& faults)
    : m_plan(plan),
      m_now(now),
      m_clients(clients),
      m_servers(servers),
      m_network(network),
      m_faults(faults)
{
    m_steps.reserve(kStepsUsual);
}

std::span<const Step> StepScheduler::beginnings()
{
    m_steps.clear();
    m_faults.listBeginnings(m_steps);
    if (!m_steps.empty()) {
        m_steps.push_back(Step{}); // and nothing else goes wrong from the beginning
    }
    return m_steps;
}

std::span<const Step> StepScheduler::steps()
{
    m_steps.clear();
    m_listedDue.reset();
    listServes();
    const bool isAnyServed = !m_steps.empty();
    // Late requests do not keep time from going on: how late they come is the search's choice.
    listLate();
    if (!isAnyServed && m_clients.areAllDead()) {
        return m_steps; // what is still under way arrives before the run ends
    }
    if (!isAnyServed) {
        const auto due = nextDue();
        if (due && due->time_since_epoch() <= m_plan.horizon) {
            m_steps.push_back(Step{});
            m_listedDue = due;
            // Without a bound on time, plans whose renewals never end would have no last step.
        } else if (due) {
            m_isCutShort = true;
        }
    }
    m_faults.list(m_steps);
    return m_steps;
}

std::optional<Step> StepScheduler::anyOrderly()
{
    m_steps.clear();
    m_listedDue.reset();
    listServes();
    if (!m_steps.empty()) {
        return m_steps.front();
    }
    return nextDue() ? std::optional(Step{}) : std::nullopt;
}

int StepScheduler::costOf(const Step& step) const
{
    if (!m_hasBegun && !m_steps.empty()) {
        return 0; // how the clocks are set before anything happens
    }
    const bool goesOn = m_latest && m_latest->kind == Step::Kind::Advance;
    return step.kind == Step::Kind::Advance && goesOn ? 0 : 1;
}

/// Requests to different servers commute: each is carried out on the data of its own server alone,
/// and time stands still meanwhile. Of the two orders the one that follows the order of steps is
/// kept. The other one exists only if this request was under way before the latest step already.
bool StepScheduler::isBetterBeforeLatest(const Step& step) const
{
    const bool areServes = m_latest && m_latest->kind == Step::Kind::Serve
                           && step.kind == Step::Kind::Serve;
    return areServes && step.node != m_latest->node && step <= *m_latest
           && m_network.isOlderThanLatestStep(step.client, {step.node, step.role});
}

void StepScheduler::listServes()
{
    for (int client = 0; client < m_clients.count(); ++client) {
        if (m_clients.isRunning(client)) {
            m_network.listServable(client, m_steps);
        }
    }
}

void StepScheduler::listLate()
{
    // A step names it by its place, which is the same in every run with the same steps before.
    for (int i = 0; i < m_network.lateCount(); ++i) {
        Step step;
        step.kind = Step::Kind::ServeLate;
        step.variant = static_cast<std::uint8_t>(i);
        m_steps.push_back(step);
    }
}

std::optional<Instant> StepScheduler::nextDue()
{
    const Instant due = std::min({m_clients.nextDue(), m_network.nextDue(),
                                  m_servers.nextTimeout().value_or(Instant::max())});
    // What came due during a pause is due now: time never goes back.
    return due < Instant::max() ? std::optional(std::max(due, m_now)) : std::nullopt;
}

} // namespace lockscope::world
