#include "ui/widgets/shell/watch_state.h"

#include <algorithm>
#include <cassert>

namespace lockscope::widgets {

using State = service::LinkStatus::State;
using Live = service::LinkStatus::Live;

namespace {

/// Larger is worse.
int concernOf(const service::LinkStatus& link)
{
    switch (link.state) {
    case State::Waiting: return 7;
    case State::Stalled: return 6;
    case State::Connecting: return 5;
    case State::Closed: return 4;
    case State::Online: break;
    }
    switch (link.live) {
    case Live::None: return 3;
    case Live::Polling: return 2;
    case Live::KeyspaceEvents: return 1;
    case Live::Push: break;
    }
    return 0;
}

/// Servers are known by their index; a message about another one came too late and is dropped.
template<class Status>
bool keep(std::vector<Status>& known, const Status& status)
{
    if (status.server >= known.size()) {
        return false;
    }
    known[status.server] = status;
    return true;
}

/// Of two limits the smaller one; 0 is none.
template<class Number>
void tighten(Number& limit, Number other)
{
    if (other != 0 && (limit == 0 || other < limit)) {
        limit = other;
    }
}

} // namespace

void WatchState::open(std::vector<store::Endpoint> endpoints)
{
    m_endpoints = std::move(endpoints);
    const std::size_t count = m_endpoints.size();
    m_links.assign(count, {});
    m_sweeps.assign(count, {});
    m_wasSwept.assign(count, false);
    m_loads.assign(count, {});
    m_wasOnline = false;
    for (service::LinkStatus& link : m_links) {
        link.state = service::LinkStatus::State::Connecting;
    }
}

void WatchState::update(const service::LinkStatus& status)
{
    if (keep(m_links, status)) {
        m_wasOnline = m_wasOnline || status.state == service::LinkStatus::State::Online;
    }
}

void WatchState::update(const service::SweepProgress& progress)
{
    if (keep(m_sweeps, progress) && progress.isDone) {
        m_wasSwept[progress.server] = true;
    }
}

void WatchState::update(const service::ServerLoad& load)
{
    keep(m_loads, load);
}

const service::LinkStatus& WatchState::worstLink() const
{
    static const service::LinkStatus kClosed;
    const auto worst = std::ranges::max_element(m_links, {}, concernOf);
    return worst == m_links.end() ? kClosed : *worst;
}

std::size_t WatchState::onlineCount() const
{
    return static_cast<std::size_t>(std::ranges::count(m_links, State::Online,
                                                       &service::LinkStatus::state));
}

double WatchState::Sweep::share() const
{
    if (!isRunning && isComplete) {
        return 1;
    }
    if (total == 0) {
        return 0;
    }
    return std::min(0.99, static_cast<double>(scanned) / static_cast<double>(total));
}

WatchState::Sweep WatchState::sweep() const
{
    Sweep sum;
    sum.isComplete = isOpen();
    for (std::size_t server = 0; server < m_sweeps.size(); ++server) {
        const service::SweepProgress& progress = m_sweeps[server];
        sum.scanned += progress.scanned;
        sum.total += progress.total;
        sum.isRunning = sum.isRunning || !progress.isDone;
        sum.isComplete = sum.isComplete && m_wasSwept[server];
        sum.isDeep = sum.isDeep || progress.isDeep;
        if (progress.findings) {
            sum.unreadCount += progress.findings->unreadCount();
            sum.nearMissCount += progress.findings->nearMissCount();
        }
    }
    return sum;
}

std::vector<WatchState::Findings> WatchState::findings() const
{
    std::vector<Findings> all;
    all.reserve(m_sweeps.size());
    for (const service::SweepProgress& progress : m_sweeps) {
        all.push_back(progress.findings);
    }
    return all;
}

WatchState::Load WatchState::load() const
{
    Load sum;
    for (const service::ServerLoad& load : m_loads) {
        sum.commandsPerSecond += load.commandsPerSecond;
        sum.messagesPerSecond += load.messagesPerSecond;
        sum.changesPerSecond += load.changesPerSecond;
        sum.coreShare = std::max(sum.coreShare, load.coreShare);
        sum.slowestCall = std::max(sum.slowestCall, load.slowestCall);
        sum.bytesPerSecond += load.bytesPerSecond;
        tighten(sum.budget.commandsPerSecond, load.budget.commandsPerSecond);
        tighten(sum.budget.bytesPerSecond, load.budget.bytesPerSecond);
        tighten(sum.budget.percent, load.budget.percent);
    }
    return sum;
}

std::string WatchState::effectOfDeepSweep() const
{
    for (const service::LinkStatus& link : m_links) {
        if (std::string effect = store::explainDeepLook(link.info); !effect.empty()) {
            return effect;
        }
    }
    return {};
}

std::vector<std::string> WatchState::serverNames() const
{
    return store::namesBeside(m_endpoints);
}

std::string WatchState::environment() const
{
    for (const store::Endpoint& endpoint : m_endpoints) {
        if (!endpoint.environment.empty()) {
            return endpoint.environment;
        }
    }
    return {};
}

void WatchState::setEndpoints(std::vector<store::Endpoint> endpoints)
{
    assert(endpoints.size() == m_endpoints.size());
    m_endpoints = std::move(endpoints);
}

bool WatchState::isReadOnly() const
{
    return isOpen() && std::ranges::all_of(m_endpoints, &store::Endpoint::isReadOnly);
}

} // namespace lockscope::widgets
