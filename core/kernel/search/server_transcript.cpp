#include "core/kernel/search/server_transcript.h"

#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace lockscope::search {

using store::Command;
using store::Reply;
using world::LinkAddress;
using world::LinkRole;
using world::Replay;
using world::Step;
using world::World;

namespace {

/// What a real server has to be made to do for the step.
Replay replayOf(const Step& step)
{
    const auto replay = step.kind == Step::Kind::Fault ? infoOf(step.fault).replay : nullptr;
    return replay != nullptr ? replay(step) : Replay::ByMessages;
}

/// A number that a server's clock gave, which no other server gives again.
bool usesServerTime(const protocol::ProtocolInfo& info)
{
    return std::ranges::any_of(info.needs, [](const protocol::Need& need) {
        return need.feature == protocol::ServerFeature::ScriptTime;
    });
}

/// How to look at a value of the type.
std::vector<Command> looksAt(std::string_view type, const Bytes& key, bool hasForeignValues)
{
    if (type == "string") {
        return {Command("GET", key)};
    }
    if (type == "hash") {
        std::vector<Command> looks{Command("HKEYS", key)};
        if (!hasForeignValues) {
            looks.emplace_back("HVALS", key);
        }
        return looks;
    }
    if (type == "list") {
        return {Command("LRANGE", key, 0, -1)};
    }
    if (type == "zset") {
        return {Command("ZRANGE", key, 0, -1)};
    }
    return {};
}

class Listener final : private world::Observer {
public:
    Listener(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
             sim::LuaEngine& lua)
        : m_world(protocol, plan, lua),
          m_hasForeignValues(usesServerTime(protocol.info()))
    {
        m_world.observeWith(this);
        m_keys.resize(static_cast<std::size_t>(plan.nodeCount));
    }

    ServerTranscript run(std::span<const Step> steps)
    {
        for (const Step& step : steps) {
            if (replayOf(step) == Replay::Impossible) {
                m_result.unrepeatable = step.fault;
                return std::move(m_result);
            }
            lookAtLeases();
            // A fault may remove keys, and the replay has to know which ones.
            const auto keysBefore = m_keys;
            if (!m_world.takeStep(step)) {
                m_result.impossibleStep = m_step;
                return std::move(m_result);
            }
            if (step.kind == Step::Kind::Fault) {
                repeatFault(step, keysBefore[step.node]);
            }
            ++m_step;
        }
        lookAtLeases();
        askWhatIsLeft();
        m_result.virtualTime = m_world.elapsed();
        m_world.observeWith(nullptr); // the client that asks in the end is not part of the run
        if (m_world.steps().empty()) {
            m_world.conclude();
        }
        m_result.violations = m_world.violations();
        return std::move(m_result);
    }

private:
    void add(Exchange exchange)
    {
        exchange.at = m_world.now();
        exchange.step = m_step;
        m_result.exchanges.push_back(std::move(exchange));
    }

    void served(const world::Request& request, const std::optional<Reply>& reply, bool isLate,
                bool /*isAnswerLost*/) override
    {
        Exchange exchange;
        exchange.kind = reply ? Exchange::Kind::Ask : Exchange::Kind::Begin;
        exchange.client = request.client;
        exchange.link = request.link;
        exchange.isLate = isLate;
        exchange.command = request.command;
        exchange.reply = reply.value_or(Reply());
        add(std::move(exchange));
    }

    void delivered(int client, LinkAddress link, const Reply& reply) override
    {
        Exchange exchange;
        exchange.kind = Exchange::Kind::Hear;
        exchange.client = client;
        exchange.link = link;
        exchange.reply = reply;
        add(std::move(exchange));
    }

    /// What is there now, and how near the end of a lease is.
    void lookAtLeases()
    {
        for (int node = 0; node < static_cast<int>(m_keys.size()); ++node) {
            const std::int64_t nowMs = sim::toEpochMs(m_world.serverTime(node));
            auto& keys = m_keys[static_cast<std::size_t>(node)];
            keys.clear();
            for (const sim::Entry& entry : m_world.server(node).database().keys().entries()) {
                m_everyKey.insert({node, entry.key});
                if (entry.expiresAtMs != sim::Entry::kNever) {
                    // A replay takes real time. A request nearer to the end of a lease than the
                    // replay is exact may come on the other side of it.
                    const auto apart = std::chrono::milliseconds(std::abs(entry.expiresAtMs
                                                                          - nowMs));
                    m_result.margin = std::min(m_result.margin, Duration(apart));
                }
                if (!entry.isExpiredAt(nowMs)) {
                    keys.push_back(entry.key);
                }
            }
        }
    }

    /// A fault of a simulated world has no counterpart on a server but what it leaves behind:
    /// closed connections, missing keys, forgotten scripts. Everything else is in the messages
    /// already.
    void repeatFault(const Step& step, const std::vector<Bytes>& keysBefore)
    {
        const Replay replay = replayOf(step);
        const bool isWholeClient = replay == Replay::HangUp;
        if (isWholeClient || replay == Replay::HangUpOne) {
            for (int node = 0; node < static_cast<int>(m_keys.size()); ++node) {
                for (const LinkRole role :
                     {LinkRole::Commands, LinkRole::Blocking, LinkRole::Channels}) {
                    if (isWholeClient || (role == step.role && node == step.node)) {
                        Exchange exchange;
                        exchange.kind = Exchange::Kind::HangUp;
                        exchange.client = step.client;
                        exchange.link = {node, role};
                        add(std::move(exchange));
                    }
                }
            }
        }
        if (replay == Replay::FlushScripts) {
            addDirect(step.node, Command("SCRIPT", "FLUSH", "SYNC"));
        }
        if (replay == Replay::DeleteKeys) {
            lookAtLeases();
            const auto& keysNow = m_keys[step.node];
            for (const Bytes& key : keysBefore) {
                if (std::ranges::find(keysNow, key) == keysNow.end()) {
                    addDirect(step.node, Command("DEL", key));
                }
            }
        }
    }

    void addDirect(int node, Command command)
    {
        Exchange exchange;
        exchange.kind = Exchange::Kind::Direct;
        exchange.link.node = node;
        exchange.command = std::move(command);
        add(std::move(exchange));
    }

    /// Of a copy of the server: the world does not notice.
    void askWhatIsLeft()
    {
        for (const auto& [node, key] : m_everyKey) {
            sim::SimServer server = m_world.server(node);
            const sim::SessionId session = server.connect();
            const auto ask = [&, at = node](Command command) {
                Reply reply =
                    server.run(session, command, m_world.serverTime(at)).value_or(Reply());
                m_result.questions.push_back({at, std::move(command), reply});
                return reply;
            };
            const Reply type = ask(Command("TYPE", key));
            for (Command& look :
                 looksAt(type.text() != nullptr ? *type.text() : "", key, m_hasForeignValues)) {
                ask(std::move(look));
            }
            ask(Command("PTTL", key));
        }
    }

    World m_world;
    bool m_hasForeignValues;
    std::size_t m_step = 0;
    std::vector<std::vector<Bytes>> m_keys; // by node, what was there before the present step
    std::set<std::pair<int, Bytes>> m_everyKey;
    ServerTranscript m_result;
};

} // namespace

ServerTranscript transcriptOf(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                              std::span<const Step> steps, sim::LuaEngine& lua)
{
    return Listener(protocol, plan, lua).run(steps);
}

/// All spans alike: the steps depend on the order of the instants.
world::WorldPlan spedUp(world::WorldPlan plan, int factor)
{
    for (world::ClientPlan& client : plan.clients) {
        client.startAt /= factor;
        for (world::Act& act : client.acts) {
            act.span /= factor;
        }
    }
    for (world::FaultPlan::Fault& fault : plan.faults.faults) {
        fault.amount /= factor;
    }
    for (Duration* const span : {&plan.retryPause, &plan.waitMax, &plan.renewal.period,
                                 &plan.requestTimeout, &plan.horizon, &plan.wakeUpMax}) {
        *span /= factor;
    }
    return plan;
}

} // namespace lockscope::search
