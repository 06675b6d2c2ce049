#include "core/kernel/world/probe.h"

#include "core/kernel/async/executor.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/arena.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/world/host.h"
#include "core/kernel/world/instants_in_data.h"
#include "core/kernel/world/sim_store.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace lockscope::world {

using protocol::AcquireOutcome;
using protocol::ReleaseOutcome;
using store::Outcome;

namespace {

/// One question takes fewer: Redlock sends two to each of a handful of servers.
constexpr int kCommandsMax = 64;

/// The machine of a probe, and servers that are its own: each request is carried out at once.
/// Time goes on where the probe waits for it. One try needs no message of a channel: what it
/// subscribes to stays silent.
class ProbeHost final : public Host {
public:
    ProbeHost(std::vector<Servers::Copy> servers, Instant now)
        : m_servers(std::move(servers)),
          m_now(now)
    {
        for (Servers::Copy& node : m_servers) {
            m_sessions.push_back(node.server.connect());
        }
    }

    Instant now() const override { return m_now; }
    WallTime wallNow() const override
    {
        const ServerClock trueTime;
        return wallTimeOfMs(sim::toEpochMs(trueTime.at(m_now)));
    }

    async::Pending<Instant> wakeAt(Instant when) override
    {
        if (when <= m_now) {
            return async::Pending<Instant>::ready(m_now);
        }
        m_timers.push_back({when, {}});
        return m_timers.back().wake.pending();
    }

    async::Pending<Outcome> send(LinkAddress link, store::Command command) override
    {
        if (std::optional<Outcome> outcome = carryOut(link.node, command)) {
            return async::Pending<Outcome>::ready(std::move(*outcome));
        }
        return async::Completer<Outcome>().pending(); // never completed
    }

    async::Pending<std::vector<Outcome>> sendAll(LinkAddress link,
                                                 std::vector<store::Command> commands) override
    {
        std::vector<Outcome> outcomes;
        for (const store::Command& command : commands) {
            std::optional<Outcome> outcome = carryOut(link.node, command);
            if (!outcome) {
                return async::Completer<std::vector<Outcome>>().pending();
            }
            outcomes.push_back(std::move(*outcome));
        }
        return async::Pending<std::vector<Outcome>>::ready(std::move(outcomes));
    }

    std::shared_ptr<store::Mailbox> listen(int /*node*/, Bytes /*channel*/,
                                           async::Gate& bell) override
    {
        return std::make_shared<store::Mailbox>(bell);
    }

    std::vector<Servers::Copy> takeServers() { return std::move(m_servers); }

    /// Moves the time to the next timer of the probe, up to `limit`. False: there is no such timer.
    bool goOn(Instant limit)
    {
        std::erase_if(m_timers, [](const Timer& timer) { return timer.wake.isAbandoned(); });
        const auto next = std::ranges::min_element(m_timers, {}, &Timer::due);
        if (next == m_timers.end() || next->due > limit) {
            return false;
        }
        m_now = next->due;
        async::Completer<Instant> wake = std::move(next->wake);
        m_timers.erase(next);
        wake.complete(m_now);
        return true;
    }

private:
    struct Timer {
        Instant due;
        async::Completer<Instant> wake;
    };

    /// nullopt: there is no answer, as a blocking pop gets none.
    std::optional<Outcome> carryOut(int node, const store::Command& command)
    {
        if (++m_commandCount > kCommandsMax) {
            return std::nullopt;
        }
        const auto index = static_cast<std::size_t>(node);
        Servers::Copy& copy = m_servers[index];
        if (auto reply = copy.server.run(m_sessions[index], command, copy.clock.at(m_now))) {
            return std::move(*reply);
        }
        return std::nullopt;
    }

    std::vector<Servers::Copy> m_servers;
    std::vector<sim::SessionId> m_sessions; // by node
    std::vector<Timer> m_timers;
    Instant m_now;
    int m_commandCount = 0;
};

constexpr std::uint64_t kSeed = 0x70726f6265; // far from those of clients

/// A client with nothing in its memory that asks one thing.
class ProbeClient final {
public:
    ProbeClient(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                const protocol::Identity& identity, const Rng& rng,
                std::vector<Servers::Copy> servers, Instant now)
        : m_protocol(protocol),
          m_nodeCount(servers.size()),
          m_host(std::move(servers), now),
          m_clock(m_host),
          m_memory(protocol.makeMemory())
    {
        protocol::ClientEnvironment environment{{}, m_executor, m_clock, m_nobody};
        m_lines.reserve(m_nodeCount);
        for (int node = 0; node < static_cast<int>(m_nodeCount); ++node) {
            Lines& lines = m_lines.emplace_back(Lines{
                {m_host, {node, LinkRole::Commands}, plan.plantedChange},
                {m_host, {node, LinkRole::Blocking}, plan.plantedChange},
                {m_host, node}});
            environment.nodes.push_back({lines.commands, lines.blocking, lines.channels});
        }
        m_contender.emplace(std::move(environment), identity, trace::ContenderId(0), rng,
                            *m_memory);
    }

    /// nullopt: it did not end.
    std::optional<AcquireOutcome> acquire(protocol::LockRequest request)
    {
        const Instant limit = m_host.now() + request.lease;
        runToEnd(tryOnce(std::move(request)), limit);
        return std::move(m_acquired);
    }
    std::optional<ReleaseOutcome> release(const protocol::Grant& grant)
    {
        const Instant limit = m_host.now() + grant.request.lease;
        runToEnd(giveBack(grant), limit);
        return std::move(m_released);
    }

    /// As it has left them. The last call.
    std::vector<Servers::Copy> takeServers() { return m_host.takeServers(); }

private:
    struct Lines {
        SimStore commands;
        SimStore blocking;
        SimChannels channels;
    };

    async::Task<void> tryOnce(protocol::LockRequest request)
    {
        AcquireOutcome outcome = co_await m_protocol.acquire(*m_contender, std::move(request));
        m_acquired = std::move(outcome);
    }
    async::Task<void> giveBack(protocol::Grant grant)
    {
        ReleaseOutcome outcome = co_await m_protocol.release(*m_contender, std::move(grant));
        m_released = std::move(outcome);
    }
    void runToEnd(async::Task<void> task, Instant limit)
    {
        m_task = async::BackgroundTask(m_executor, std::move(task));
        do {
            m_executor.runAll();
        } while (!m_task.isFinished() && m_host.goOn(limit));
    }

    const protocol::LockProtocol& m_protocol;
    std::size_t m_nodeCount;
    trace::NoEvents m_nobody;
    async::ReadyQueue m_executor;
    ProbeHost m_host;
    SimClock m_clock;
    std::vector<Lines> m_lines; // by node; never grown once they are there
    std::unique_ptr<protocol::ClientMemory> m_memory;
    std::optional<protocol::Contender> m_contender;
    std::optional<AcquireOutcome> m_acquired;
    std::optional<ReleaseOutcome> m_released;
    async::BackgroundTask m_task; // first to go: it refers to the rest
};

} // namespace

Probe::Heard Probe::heardBy(const std::optional<AcquireOutcome>& outcome)
{
    if (!outcome) {
        return {};
    }
    if (protocol::isGranted(*outcome)) {
        return {Answer::Granted, {}};
    }
    if (const auto* const refused = std::get_if<protocol::Refused>(&*outcome)) {
        return {Answer::Refused, refused->remaining};
    }
    // Each request was answered: it is the answer that the protocol does not like.
    return {Answer::Failed, {}};
}

namespace {

/// Behind `now` and before `bound`, in their order: when an answer may change, and a millisecond
/// later, as a Redis key is still there in the millisecond of its expiry.
std::vector<Instant> instantsToTry(const std::vector<Servers::Copy>& copies, Instant now,
                                   Instant bound, std::optional<Duration> remaining)
{
    std::vector<Instant> instants;
    for (const Servers::Copy& copy : copies) {
        addInstantsIn(copy.server.database().keys(), copy.clock, instants);
    }
    if (remaining) {
        instants.push_back(now + *remaining);
    }
    const std::size_t count = instants.size();
    for (std::size_t i = 0; i < count; ++i) {
        instants.push_back(instants[i] + std::chrono::milliseconds(1));
    }
    std::erase_if(instants, [=](Instant then) { return then <= now || then >= bound; });
    std::ranges::sort(instants);
    instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
    return instants;
}

} // namespace

/// No client of the world has one of their identities, and no two of them have the same. They are
/// always the same ones, so the answers of scripts are remembered.
Probe::Askers Probe::freshAskers(int lock, int count) const
{
    protocol::LockRequest request;
    request.key = m_plan.keyName(lock);
    request.lock = static_cast<trace::LockId>(lock);
    request.mode = m_protocol.info().hasModes ? protocol::Mode::Write : protocol::Mode::Exclusive;
    request.lease = m_plan.leaseMax();
    request.retry.triesMax = 1;
    request.permits = m_plan.permits;
    request.areWritersPreferred = m_plan.areWritersPreferred;
    Askers askers;
    for (int number = 0; number < count; ++number) {
        Rng rng(kSeed + static_cast<std::uint64_t>(number));
        const protocol::Identity identity{protocol::randomUuid(rng), 1};
        askers.push_back({identity, Rng(kSeed), request});
    }
    return askers;
}

/// Beside the memory of a world, which would grow by what is thrown away in the end.
Probe::Answer Probe::ask(int lock, int clientCount) const
{
    const Arena::Scope outside(nullptr);
    return askAt(m_now, freshAskers(lock, clientCount), m_servers.copies()).answer;
}

Probe::FreeFrom Probe::freeFrom(int lock, int clientCount) const
{
    const Arena::Scope outside(nullptr);
    return freeFrom(freshAskers(lock, clientCount), m_servers.copies());
}

Probe::FreeFrom Probe::freeFrom(int lock, const Instead& instead) const
{
    const Arena::Scope outside(nullptr);
    return freeFrom(freshAskers(lock, 1), copiesWith(instead));
}

Probe::FreeFrom Probe::freeFrom(Asker asker, Instant bound) const
{
    const Arena::Scope outside(nullptr);
    asker.request.retry.triesMax = 1;
    asker.request.waitLimit = Duration(0); // or it may wait, and be granted the lock later
    const Askers askers{std::move(asker)};
    const Copies copies = m_servers.copies();
    // Most of the time it would not be granted the lock, and two questions are enough.
    const Answer now = askAt(m_now, askers, copies).answer;
    const Answer later = now == Answer::Granted ? now : askAt(bound, askers, copies).answer;
    if (now == Answer::Unknown || later == Answer::Unknown) {
        return {false, {}};
    }
    return later == Answer::Granted ? openBefore(bound, askers, copies) : FreeFrom{};
}

Probe::Copies Probe::copiesWith(const Instead& instead) const
{
    Copies copies = m_servers.copies();
    copies[static_cast<std::size_t>(instead.node)].server.database().keys() = instead.keys;
    return copies;
}

std::optional<bool> Probe::isHeld(const protocol::Identity& owner,
                                  const protocol::Grant& grant) const
{
    const Arena::Scope outside(nullptr);
    return isHeld(owner, grant, m_servers.copies());
}

std::optional<bool> Probe::isHeld(const protocol::Identity& owner, const protocol::Grant& grant,
                                  const Instead& instead) const
{
    const Arena::Scope outside(nullptr);
    return isHeld(owner, grant, copiesWith(instead));
}

std::optional<bool> Probe::isHeld(const protocol::Identity& owner, const protocol::Grant& grant,
                                  Copies copies) const
{
    ProbeClient client(m_protocol, m_plan, owner, Rng(kSeed), std::move(copies), m_now);
    const std::optional<ReleaseOutcome> outcome = client.release(grant);
    if (outcome && std::holds_alternative<protocol::Released>(*outcome)) {
        return true;
    }
    if (outcome && std::holds_alternative<protocol::NotHeld>(*outcome)) {
        return false;
    }
    return std::nullopt;
}

Probe::Heard Probe::askAt(Instant then, const Askers& askers, Copies copies) const
{
    Heard heard;
    for (const Asker& asker : askers) {
        ProbeClient client(m_protocol, m_plan, asker.identity, asker.rng, std::move(copies), then);
        heard = heardBy(client.acquire(asker.request));
        if (heard.answer != Answer::Granted) {
            break;
        }
        copies = client.takeServers();
    }
    return heard;
}

Probe::FreeFrom Probe::freeFrom(const Askers& askers, const Copies& copies) const
{
    return openBefore(m_now + kPatienceInLeases * m_plan.leaseMax() + kPatience, askers, copies);
}

Probe::FreeFrom Probe::openBefore(Instant bound, const Askers& askers, const Copies& copies) const
{
    const auto answerAt = [&](Instant then) { return askAt(then, askers, copies).answer; };
    const Heard first = askAt(m_now, askers, copies);
    if (first.answer == Answer::Granted) {
        return {true, m_now};
    }
    if (first.answer == Answer::Unknown) {
        return {false, {}};
    }
    Instant closed = m_now;
    for (const Instant then : instantsToTry(copies, m_now, bound, first.remaining)) {
        const Answer answer = answerAt(then);
        if (answer == Answer::Unknown) {
            return {false, {}};
        }
        if (answer == Answer::Granted) {
            return {true, then};
        }
        closed = then;
    }
    Instant open = bound;
    const Answer last = answerAt(bound);
    if (last != Answer::Granted) {
        return {last != Answer::Unknown, {}};
    }
    while (open - closed > std::chrono::milliseconds(1)) {
        const Instant middle = closed + (open - closed) / 2;
        (answerAt(middle) == Answer::Granted ? open : closed) = middle;
    }
    return {true, open};
}

} // namespace lockscope::world
