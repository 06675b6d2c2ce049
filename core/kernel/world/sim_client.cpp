#include "core/kernel/world/sim_client.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::world {

namespace {

/// What every wall clock in a world shows in the beginning: the first second of 2025.
constexpr std::int64_t kEpochMs = 1'735'689'600'000;

/// In the order of the requests, not of the answers: all are sent before, so waiting for the first
/// delays none of the others.
async::Task<void> collect(std::vector<async::Pending<store::Outcome>> pendings,
                          async::Completer<std::vector<store::Outcome>> all)
{
    std::vector<store::Outcome> outcomes;
    outcomes.reserve(pendings.size());
    for (auto& pending : pendings) {
        outcomes.push_back(co_await std::move(pending));
    }
    all.complete(std::move(outcomes));
}

/// Seeds of clients and of those that were started again lie apart.
constexpr std::uint64_t kPerRestart = 100;

std::uint64_t numberOf(int index, int restartCount)
{
    return static_cast<std::uint64_t>(index)
           + kPerRestart * static_cast<std::uint64_t>(restartCount);
}

/// Another task has the next number, and random numbers of its own.
constexpr std::uint64_t kOtherTask = 2;
constexpr std::uint64_t kOtherTaskSeed = kPerRestart / 2;

/// A function of the seed alone, so that tokens are the same in every replay of a run. A program
/// that was started again has another number, because a real one makes a new identity.
protocol::Identity identityOf(std::uint64_t seed, std::uint64_t number)
{
    Rng rng(seed * 1000 + number);
    return {protocol::randomUuid(rng), 1};
}

} // namespace

SimClient::SimClient(const Setting& setting) : m_setting(setting), m_clock(*this)
{
    protocol::ClientEnvironment environment{{}, m_executor, m_clock, setting.events};
    const auto nodeCount = static_cast<std::size_t>(setting.plan.nodeCount);
    m_timers.reserve(4);
    m_lines.reserve(nodeCount);
    environment.nodes.reserve(nodeCount);
    for (int node = 0; node < setting.plan.nodeCount; ++node) {
        const CommandChange change = setting.plan.plantedChange;
        Lines& lines = m_lines.emplace_back(Lines{
            {*this, LinkAddress{node, LinkRole::Commands}, change},
            {*this, LinkAddress{node, LinkRole::Blocking}, change},
            {*this, node}});
        environment.nodes.push_back({lines.commands, lines.blocking, lines.channels});
    }
    m_memory = setting.protocol.makeMemory();
    makeContenders(std::move(environment));
    const PlannedLife::Setting life{setting.protocol,        setting.plan, setting.acts,
                                    setting.ledger,          setting.now,  setting.index,
                                    setting.restartCount > 0};
    m_life.emplace(life, *m_contender, m_otherTask.get());
    // It begins now, with other tokens than its predecessor's. No answer has told it so: the
    // history has to.
    if (setting.restartCount > 0) {
        remember(static_cast<std::uint64_t>(setting.restartCount));
        remember(static_cast<std::uint64_t>(setting.now.time_since_epoch().count()));
    }
}

/// Two clients may share an identity (ClientPlan::sharesIdentityWith); their random numbers, and so
/// the pauses between their tries, differ all the same.
void SimClient::makeContenders(protocol::ClientEnvironment environment)
{
    const std::uint64_t seed = m_setting.plan.seed;
    const std::uint64_t number = numberOf(m_setting.index, m_setting.restartCount);
    const std::uint64_t owner = numberOf(m_setting.identity, m_setting.restartCount);
    const auto id = static_cast<trace::ContenderId>(m_setting.index);
    const protocol::Identity identity = identityOf(seed, owner);
    if (m_setting.acts.handsOver()) {
        const protocol::Identity other{identity.client, kOtherTask};
        const Rng luck(seed * 7919 + number + kOtherTaskSeed);
        m_otherTask = std::make_unique<protocol::Contender>(environment, other, id, luck,
                                                            *m_memory);
    }
    m_contender.emplace(std::move(environment), identity, id, Rng(seed * 7919 + number), *m_memory);
}

void SimClient::start()
{
    m_task = async::BackgroundTask(m_executor, m_life->run());
}

bool SimClient::run()
{
    bool hasRun = false;
    while (m_executor.runOne()) {
        hasRun = true;
    }
    return hasRun;
}

void SimClient::crash()
{
    m_isCrashed = true;
    // The coroutines first: as they unwind they let go of timers and mailboxes.
    m_task = {};
    m_collectors.clear();
    m_timers.clear();
    m_listeners.clear();
    // A dead program does nothing any more: what it knew must not tell states apart.
    m_history = 0;
}

/// Timers are kept in the world's time. Those that are set already stay due when they were; rates
/// change only before a run begins, when there is none yet.
void SimClient::setRate(double rate)
{
    m_localThen = now();
    m_rateSince = m_setting.now;
    m_rate = rate;
    for (Timer& timer : m_timers) {
        timer.due = std::max(timer.due, m_setting.now);
    }
}

void SimClient::goOnWithClockOf(const SimClient& other)
{
    m_rate = other.m_rate;
    m_rateSince = other.m_rateSince;
    m_localThen = other.m_localThen;
    m_wallClockOffset = other.m_wallClockOffset;
}

Instant SimClient::now() const
{
    const Duration passed = m_setting.now - m_rateSince;
    if (m_rate == 1) {
        return m_localThen + passed;
    }
    return m_localThen + Duration(std::llround(static_cast<double>(passed.count()) * m_rate));
}

/// What a client read decides what it sends. The offset in the hash does not say it: of two clients
/// whose calendars are the same now, one may have read its own before it was set.
WallTime SimClient::wallNow() const
{
    const Duration shown = now().time_since_epoch() + m_wallClockOffset;
    const std::int64_t shownMs = kEpochMs + toMs(shown);
    remember(static_cast<std::uint64_t>(shownMs));
    return wallTimeOfMs(shownMs);
}

/// Rounded up: by the clock of its client a timer must not fire early.
Instant SimClient::worldTimeOf(Instant local) const
{
    const Duration ahead = local - m_localThen;
    if (m_rate == 1) {
        return m_rateSince + ahead;
    }
    const double span = std::ceil(static_cast<double>(ahead.count()) / m_rate);
    return m_rateSince + Duration(std::llround(span));
}

async::Pending<Instant> SimClient::wakeAt(Instant when)
{
    // Without suspending, or a deadline that has passed would cost a step of its own.
    if (when <= now()) {
        return async::Pending<Instant>::ready(now());
    }
    // Waits without an end are given as far instants, whose conversion would overflow. Such a timer
    // is never due.
    constexpr Duration kFar = std::chrono::days(300);
    const Instant due = when - now() > kFar ? Instant::max() : worldTimeOf(when);
    m_timers.push_back({due, m_timerOrder++, {}});
    return m_timers.back().wake.pending();
}

async::Pending<store::Outcome> SimClient::send(LinkAddress link, store::Command command)
{
    Request request;
    request.command = std::move(command);
    request.link = link;
    request.client = m_setting.index;
    request.purpose = purpose();
    request.answer.emplace();
    async::Pending<store::Outcome> pending = request.answer->pending();
    m_setting.network.send(std::move(request));
    return pending;
}

async::Pending<std::vector<store::Outcome>> SimClient::sendAll(LinkAddress link,
                                                               std::vector<store::Command> commands)
{
    std::vector<async::Pending<store::Outcome>> pendings;
    pendings.reserve(commands.size());
    for (store::Command& command : commands) {
        pendings.push_back(send(link, std::move(command)));
    }
    async::Completer<std::vector<store::Outcome>> all;
    auto result = all.pending();
    m_collectors.emplace_back(m_executor, collect(std::move(pendings), std::move(all)));
    return result;
}

std::uint64_t SimClient::session(LinkAddress link) const
{
    const std::uint64_t session = m_setting.network.sessionOf(m_setting.index, link);
    remember(session);
    return session;
}

std::shared_ptr<store::Mailbox> SimClient::listen(int node, Bytes channel, async::Gate& bell)
{
    auto mailbox = std::make_shared<store::Mailbox>(bell);
    m_listeners.push_back({node, channel, mailbox});
    m_setting.network.subscribe(m_setting.index, node, channel);
    return mailbox;
}

void SimClient::hear(int node, const Bytes& channel, const store::Notice& notice)
{
    for (ChannelListener& listener : m_listeners) {
        if (listener.node == node && (channel.empty() || listener.channel == channel)) {
            listener.mailbox->put(notice);
        }
    }
}

/// A dropped coroutine leaves its timers behind. They would make instants at which nothing happens,
/// and so longer runs and more states.
void SimClient::forgetAbandonedTimers()
{
    const auto isAbandoned = [](const Timer& timer) { return timer.wake.isAbandoned(); };
    for (const Timer& timer : m_timers) {
        if (isAbandoned(timer)) { // seldom; most clients have one timer or none
            std::erase_if(m_timers, isAbandoned);
            return;
        }
    }
}

std::optional<Instant> SimClient::nextTimer()
{
    forgetAbandonedTimers();
    const auto first = std::ranges::min_element(m_timers, {}, &Timer::due);
    return first == m_timers.end() || first->due == Instant::max() ? std::nullopt
                                                                   : std::optional(first->due);
}

/// By place, not by due time: of timers that are due in the same instant the one that was set first
/// wakes first, which is the order in which m_timers is kept.
bool SimClient::fireTimers()
{
    forgetAbandonedTimers();
    bool hasFired = false;
    for (std::size_t i = 0; i < m_timers.size();) {
        if (m_timers[i].due <= m_setting.now) {
            async::Completer<Instant> wake = std::move(m_timers[i].wake);
            m_timers.erase(m_timers.begin() + static_cast<std::ptrdiff_t>(i));
            wake.complete(now());
            hasFired = true;
        } else {
            ++i;
        }
    }
    // The coroutine learns that it is woken, and when; no connection's history has that.
    if (hasFired) {
        remember(static_cast<std::uint64_t>(now().time_since_epoch().count()));
    }
    return hasFired;
}

void SimClient::remember(std::uint64_t what) const
{
    ContentHash hash(m_history);
    hash.add(what);
    m_history = hash.value();
}

/// The clock is in it as rate and offset only: as rates change only before a run begins, what it
/// shows follows from the world's time. Timers count as a set: the history decides their order.
std::uint64_t SimClient::contentHash() const
{
    ContentHash hash(m_history);
    hash.add((m_isCrashed ? 1 : 0) | (m_life->isFinished() ? 2 : 0) | (m_life->isHung() ? 4 : 0));
    hash.add(m_wallClockOffset.count());
    hash.add(static_cast<std::int64_t>(m_rate * 1000));
    UnorderedContentHash timers;
    for (const Timer& timer : m_timers) {
        if (!timer.wake.isAbandoned()) {
            ContentHash one;
            one.add(timer.due.time_since_epoch().count());
            timers.add(one.value());
        }
    }
    hash.add(timers.value());
    return hash.value();
}

/// What is sent beside acquiring and releasing keeps a hold: a renewal.
Purpose SimClient::purpose() const
{
    if (m_life->isReleasing()) {
        return Purpose::Release;
    }
    return m_acquiringCount > 0 ? Purpose::Acquire : Purpose::Renew;
}

} // namespace lockscope::world
