#include "core/wire/connection/cluster_store.h"

#include "core/kernel/async/before.h"
#include "core/kernel/async/when_all.h"
#include "core/kernel/base/characters.h"
#include "core/wire/connection/read_only_gate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

namespace lockscope::wire {

using store::ClusterRoute;
using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

using namespace std::chrono_literals;

/// An answer about the slots is believed for as long, where it matters.
constexpr Duration kFreshness = 100ms;
/// From node to node, for one command.
constexpr int kRedirectionsMax = 8;
/// A command with several keys, of which one was moved already, waits for the others.
constexpr int kTrialsMax = 100;
constexpr Duration kTrialPause = 20ms;
/// A walk over all keys is repeated so many times at most when slots move all the time.
constexpr int kRoundsMax = 4;
/// For the part of an answer that a replica has.
constexpr Duration kReplicaPatience = 500ms;
constexpr std::size_t kWalksMax = 4;

/// The connection is in the way, and not what the command asks.
bool isOfLink(const Problem& problem)
{
    return isPassing(problem) || problem.kind == Problem::Kind::HostNotFound;
}

/// The node knows the key, and does not answer for now.
bool isStateOfNode(const Reply& reply)
{
    static constexpr std::array<std::string_view, 4> kCodes{"CLUSTERDOWN", "LOADING", "MASTERDOWN",
                                                            "BUSY"};
    return reply.isError() && std::ranges::find(kCodes, reply.error()->code()) != kCodes.end();
}

bool isToBeTriedAgain(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->isError() && reply->error()->code() == "TRYAGAIN";
}

Outcome nodeDown(const std::string& why)
{
    return Reply::ofError(std::string(store::kNodeDownCode) + ' ' + why);
}

std::string addressOf(const Connection& connection)
{
    return store::serverName(connection.endpoint());
}

} // namespace

ClusterStore::ClusterStore(store::Endpoint endpoint, async::Executor& executor, Clock& clock,
                           Rng rng)
    : m_executor(executor),
      m_clock(clock),
      m_map(std::move(endpoint), executor, clock, rng),
      m_tasks(executor)
{}

ClusterStore::~ClusterStore()
{
    m_tasks.cancelAll();
}

std::string ClusterStore::node(std::string_view key) const
{
    const store::ClusterTopologyPtr& topology = m_map.topology();
    const store::ClusterNode* const master = topology ? topology->masterOfKey(key) : nullptr;
    return master != nullptr ? store::hostPortText(master->address) : std::string();
}

/// While it is made for the first time; who would rather know a part does not wait for a node that
/// was lost.
async::Task<void> ClusterStore::settle(Connection* connection) const
{
    const bool isUnderWay = connection->state() == Connection::State::Connecting
                            || connection->state() == Connection::State::Greeting;
    const bool wasLost = connection->problem().kind != Problem::Kind::None;
    if (isUnderWay && !(m_isTolerant && wasLost)) {
        co_await connection->whenSettled();
    }
}

std::uint64_t ClusterStore::session() const
{
    constexpr unsigned kPortBits = 16;
    return m_lastUsed != nullptr
               ? (m_lastUsed->session() << kPortBits) + m_lastUsed->endpoint().port
               : 0;
}

async::Task<Problem> ClusterStore::whenSettled()
{
    const Problem problem = co_await m_map.refresh(kFreshness);
    if (problem.kind != Problem::Kind::None) {
        co_return problem;
    }
    for (const store::ClusterNode& master : m_map.topology()->masters()) {
        co_await settle(&m_map.connectionTo(master));
    }
    co_return Problem();
}

async::Pending<Outcome> ClusterStore::submit(Command command)
{
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    m_tasks.start(carryOut(std::move(command), std::move(completer)));
    return pending;
}

async::Pending<ClusterStore::Outcomes> ClusterStore::submitAll(std::vector<Command> commands)
{
    async::Completer<Outcomes> completer;
    auto pending = completer.pending();
    m_tasks.start(carryOutAll(std::move(commands), std::move(completer)));
    return pending;
}

async::Task<void> ClusterStore::carryOut(Command command, async::Completer<Outcome> completer)
{
    const bool knows = co_await knowsNodes();
    if (!knows) {
        completer.complete(store::Unreachable{m_map.problem()});
        co_return;
    }
    completer.complete(co_await answer(std::move(command)));
}

async::Task<void> ClusterStore::carryOutAll(std::vector<Command> commands,
                                            async::Completer<Outcomes> completer)
{
    const bool knows = co_await knowsNodes();
    if (!knows) {
        completer.complete(Outcomes(commands.size(), Outcome(store::Unreachable{m_map.problem()})));
        co_return;
    }
    completer.complete(co_await answerAll(std::move(commands)));
}

async::Task<bool> ClusterStore::knowsNodes()
{
    if (!m_map.topology()) {
        co_await m_map.refresh(kFreshness);
    }
    co_return m_map.topology() != nullptr;
}

async::Task<Outcome> ClusterStore::answer(Command command)
{
    const ClusterRoute route = store::clusterRouteOf(command);
    switch (route.kind) {
    case ClusterRoute::Kind::Slot: co_return co_await askAboutKey(std::move(command), route.slot);
    case ClusterRoute::Kind::SplitSlots: co_return Outcome(store::crossSlotReply());
    case ClusterRoute::Kind::AnyMaster: co_return co_await askAnyMaster(std::move(command));
    case ClusterRoute::Kind::EveryMaster: co_return co_await askMany(std::move(command), false);
    case ClusterRoute::Kind::EveryNode: co_return co_await askMany(std::move(command), true);
    case ClusterRoute::Kind::Walk: break;
    }
    co_return co_await walk(std::move(command));
}

/// What is about keys goes to each node in one piece, the rest is asked side by side.
async::Task<ClusterStore::Outcomes> ClusterStore::answerAll(std::vector<Command> commands)
{
    const bool isTransaction = !commands.empty()
                               && commands.front().words == Command("MULTI").words;
    if (isTransaction) {
        co_return co_await transact(std::move(commands));
    }
    Outcomes outcomes(commands.size());
    std::map<Connection*, Share> shares;
    std::vector<std::size_t> otherPlaces;
    std::vector<async::Task<Outcome>> others;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const ClusterRoute route = store::clusterRouteOf(commands[i]);
        Connection* const connection = route.kind == ClusterRoute::Kind::Slot
                                           ? m_map.connectionOf(route.slot)
                                           : nullptr;
        if (connection != nullptr) {
            shares[connection].places.push_back(i);
            shares[connection].commands.push_back(commands[i]);
        } else {
            otherPlaces.push_back(i);
            others.push_back(answer(commands[i]));
        }
    }
    for (const auto& [connection, share] : shares) {
        co_await settle(connection);
    }
    std::vector<std::pair<Connection*, async::Pending<Outcomes>>> underWay;
    for (auto& [connection, share] : shares) {
        m_lastUsed = connection;
        underWay.emplace_back(connection, connection->submitAll(std::move(share.commands)));
    }
    Outcomes otherOutcomes = co_await async::whenAll(m_executor, std::move(others));
    for (std::size_t i = 0; i < otherPlaces.size(); ++i) {
        outcomes[otherPlaces[i]] = std::move(otherOutcomes[i]);
    }
    for (auto& [connection, pending] : underWay) {
        Outcomes answered = co_await std::move(pending);
        const std::vector<std::size_t>& places = shares[connection].places;
        for (std::size_t i = 0; i < places.size(); ++i) {
            outcomes[places[i]] = co_await follow(commands[places[i]],
                                                  store::clusterRouteOf(commands[places[i]]).slot,
                                                  connection, std::move(answered[i]));
        }
    }
    co_return outcomes;
}

/// On one connection, in one piece, and never again.
async::Task<ClusterStore::Outcomes> ClusterStore::transact(std::vector<Command> commands)
{
    const auto keyed = std::ranges::find_if(commands, [](const Command& command) {
        return store::clusterRouteOf(command).kind == ClusterRoute::Kind::Slot;
    });
    Connection* const connection = keyed != commands.end()
                                       ? m_map.connectionOf(store::clusterRouteOf(*keyed).slot)
                                       : nullptr;
    if (connection == nullptr) {
        const std::size_t count = commands.size();
        co_return Outcomes(count, Outcome(store::crossSlotReply()));
    }
    m_lastUsed = connection;
    co_return co_await connection->submitAll(std::move(commands));
}

async::Task<Outcome> ClusterStore::askAboutKey(Command command, std::uint16_t slot)
{
    Connection* connection = m_map.connectionOf(slot);
    if (connection == nullptr) {
        // One that moves seems to be nobody's if the nodes are asked right then: the former one
        // after it has given the slot away, and the next one before it has taken it.
        co_await m_map.askAgain();
        connection = m_map.connectionOf(slot);
    }
    if (connection == nullptr) {
        co_return outcomeWithoutMaster(command, slot);
    }
    co_await settle(connection);
    m_lastUsed = connection;
    Outcome outcome = co_await connection->submit(command);
    co_return co_await follow(std::move(command), slot, connection, std::move(outcome));
}

/// Where the answer says that the command was certainly not applied, and where it would be, it is
/// sent there.
async::Task<Outcome> ClusterStore::follow(Command command, std::uint16_t slot, Connection* from,
                                          Outcome outcome)
{
    int trials = 0;
    int redirections = 0;
    while (true) {
        const Reply* const reply = replyOf(outcome);
        const auto redirection = reply != nullptr ? store::redirectionOf(*reply) : std::nullopt;
        if (redirection && redirections++ < kRedirectionsMax) {
            outcome = co_await followRedirection(command, from, *redirection);
            continue;
        }
        if (isToBeTriedAgain(outcome) && trials++ < kTrialsMax) {
            co_await m_clock.wakeAt(m_clock.now() + kTrialPause);
            Connection* const owner = m_map.connectionOf(slot);
            from = owner != nullptr ? owner : from;
            outcome = co_await from->submit(command);
            continue;
        }
        const auto* const unsent = std::get_if<store::Unreachable>(&outcome);
        if (unsent == nullptr || !isOfLink(*unsent->problem) || m_isTolerant
            || redirections++ >= kRedirectionsMax) {
            break;
        }
        co_await m_map.refresh(kFreshness); // another node may have the slot by now
        Connection* const now = m_map.connectionOf(slot);
        if (now == nullptr || now == from) {
            break;
        }
        from = now;
        co_await settle(from);
        outcome = co_await from->submit(command);
    }
    m_lastUsed = from;
    const bool mayMissPart = m_isTolerant || isReadCommand(command);
    co_return mayMissPart ? partialOutcome(*from, std::move(outcome))
                          : outcomeAboutKey(*from, std::move(outcome));
}

/// `from` is the node that was asked last, and becomes the next one.
async::Task<Outcome> ClusterStore::followRedirection(Command command, Connection*& from,
                                                     store::Redirection redirection)
{
    store::HostPort address = redirection.address;
    address.host = address.host.empty() ? from->endpoint().host : address.host;
    Connection* next = &m_map.connectionTo(address);
    if (redirection.isLasting) {
        co_await m_map.refresh(kFreshness); // all of them know better than one of them
        Connection* const owner = m_map.connectionOf(redirection.slot);
        next = owner != nullptr && owner != from ? owner : next;
    }
    from = next;
    co_await settle(from);
    if (redirection.isLasting) {
        co_return co_await from->submit(std::move(command));
    }
    std::vector<Command> both;
    both.emplace_back("ASKING");
    both.push_back(std::move(command));
    std::vector<Outcome> outcomes = co_await from->submitAll(std::move(both));
    co_return std::move(outcomes.back());
}

Problem ClusterStore::lossOf(const Connection& connection, const Problem& problem) const
{
    if (!isOfLink(problem)) {
        return problem;
    }
    const std::string address = addressOf(connection);
    return {Problem::Kind::ClusterNodeLost,
            problem.detail.empty() ? address : address + ": " + problem.detail,
            {},
            {}};
}

/// Of a command that got through, or did not: with the node that is in the way.
Outcome ClusterStore::outcomeAboutKey(const Connection& connection, Outcome outcome) const
{
    if (const auto* const unsent = std::get_if<store::Unreachable>(&outcome)) {
        return store::Unreachable{lossOf(connection, *unsent->problem)};
    }
    return outcome;
}

/// Of a command that reads: what is known of the keys of other nodes is not lost with one of them.
Outcome ClusterStore::partialOutcome(const Connection& connection, Outcome outcome) const
{
    const Reply* const reply = replyOf(outcome);
    if (reply == nullptr) {
        const Problem problem = *problemOf(outcome);
        return isOfLink(problem) ? nodeDown(lossOf(connection, problem).detail)
                                 : std::move(outcome);
    }
    return m_isTolerant && isStateOfNode(*reply)
               ? nodeDown(addressOf(connection) + ": " + reply->error()->text)
               : std::move(outcome);
}

Outcome ClusterStore::outcomeWithoutMaster(const Command& command, std::uint16_t slot) const
{
    const std::string name = std::to_string(slot);
    const Problem unowned{Problem::Kind::ClusterSlotsUnowned, name, {}, {}};
    return m_isTolerant || isReadCommand(command) ? nodeDown("slot " + name)
                                                  : Outcome(store::Unreachable{unowned});
}

async::Task<Outcome> ClusterStore::askAnyMaster(Command command)
{
    Connection* chosen = nullptr;
    for (const store::ClusterNode& master : m_map.topology()->masters()) {
        Connection* const connection = &m_map.connectionTo(master);
        co_await settle(connection);
        if (chosen == nullptr || connection->state() == Connection::State::Online) {
            chosen = connection;
        }
        if (connection->state() == Connection::State::Online && !m_map.isSilent(*connection)
            && !m_map.topology()->isDown(master)) {
            chosen = connection;
            break;
        }
    }
    if (chosen == nullptr) {
        co_return Outcome(store::Unreachable{m_map.problem()});
    }
    co_return co_await chosen->submit(std::move(command));
}

/// Every master must answer, unless losses are tolerated; of replicas, those that can.
async::Task<Outcome> ClusterStore::askMany(Command command, bool withReplicas)
{
    const store::ClusterTopologyPtr topology = m_map.topology();
    std::vector<std::pair<store::ClusterNode, async::Pending<Outcome>>> underWay;
    for (const store::ClusterNode& master : topology->masters()) {
        co_await settle(&m_map.connectionTo(master));
    }
    for (const store::ClusterNode& node : topology->nodes()) {
        Connection& connection = m_map.connectionTo(node);
        const bool isWanted = node.isMaster ? !node.isFailed || !topology->slotsOf(node).empty()
                                            : withReplicas && !m_map.isSilent(connection);
        if (isWanted) {
            underWay.emplace_back(node, connection.submit(command));
        }
    }
    const Instant endOfPatience = m_clock.now() + kReplicaPatience;
    std::vector<Reply> replies;
    std::optional<Outcome> failure;
    for (auto& [node, pending] : underWay) {
        Outcome outcome;
        if (node.isMaster) {
            outcome = co_await std::move(pending);
        } else if (auto answered = co_await async::before(m_executor, m_clock, endOfPatience,
                                                          std::move(pending))) {
            outcome = *std::move(answered);
        } else {
            continue; // nobody waits for a replica
        }
        if (auto* const reply = std::get_if<Reply>(&outcome)) {
            replies.push_back(std::move(*reply));
            continue;
        }
        const bool isNeeded = node.isMaster && !topology->slotsOf(node).empty() && !m_isTolerant;
        if (isNeeded || !failure) {
            const Problem problem = lossOf(m_map.connectionTo(node), *problemOf(outcome));
            failure = store::Unreachable{problem};
        }
        if (isNeeded) {
            // Without the clients of one node nothing is known of them, but of the keys it is.
            co_return withReplicas ? nodeDown(problemOf(*failure)->detail) : *std::move(failure);
        }
    }
    if (replies.empty()) {
        co_return failure.value_or(Outcome(store::Unreachable{m_map.problem()}));
    }
    co_return Outcome(store::mergedReply(command, replies));
}

async::Task<Outcome> ClusterStore::walk(Command command)
{
    const bool isValid = command.words.size() > 1;
    std::optional<store::ClusterCursor> cursor = isValid ? store::clusterCursorOf(command.words[1])
                                                         : std::nullopt;
    if (!cursor) {
        co_await m_map.refresh(kFreshness);
        cursor = store::ClusterCursor{m_lastWalk + 1, 0, "0"};
        beginWalk(0);
    }
    const auto known = m_walks.find(cursor->walk);
    if (!isValid || known == m_walks.end() || cursor->place >= known->second.masters.size()) {
        co_return Outcome(Reply::ofError("ERR invalid cursor"));
    }
    const store::ClusterNode node = known->second.masters[cursor->place];
    Connection& connection = m_map.connectionTo(node);
    co_await settle(&connection);
    command.words[1] = cursor->ofNode;
    Outcome outcome = co_await connection.submit(std::move(command));
    const Reply* const reply = replyOf(outcome);
    const Reply::Array* const parts = reply != nullptr ? reply->array() : nullptr;
    const bool isPage = parts != nullptr && parts->size() == 2 && (*parts)[0].text() != nullptr;
    if (isPage) {
        cursor->ofNode = *(*parts)[0].text();
        Reply::Array keys = ownKeysOf((*parts)[1], node);
        co_return co_await nextPage(*cursor, std::move(keys));
    }
    const bool isEmpty = m_map.topology()->slotsOf(node).empty();
    const bool mayBePassedOver = m_isTolerant || isEmpty;
    if (mayBePassedOver && (reply == nullptr || isStateOfNode(*reply))) {
        cursor->ofNode = "0";
        Reply::Array none;
        co_return co_await nextPage(*cursor, std::move(none));
    }
    if (reply != nullptr) {
        co_return outcome;
    }
    const Problem problem = lossOf(connection, *problemOf(outcome));
    co_return Outcome(store::Unreachable{problem});
}

/// What is found on a node that neither has the slot nor takes part in its move is a leftover.
Reply::Array ClusterStore::ownKeysOf(const Reply& page, const store::ClusterNode& node) const
{
    Reply::Array keys;
    const Reply::Array* const items = page.array();
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
        const Reply& item = (*items)[i];
        const std::string* const key = item.text();
        if (key == nullptr || m_map.topology()->mayHave(node, store::slotOf(*key))) {
            keys.push_back(item);
        }
    }
    return keys;
}

void ClusterStore::beginWalk(int round)
{
    m_walks[++m_lastWalk] = {m_map.topology()->masters(), m_map.version(), round};
    if (m_walks.size() > kWalksMax) {
        m_walks.erase(m_walks.begin());
    }
}

async::Task<Outcome> ClusterStore::nextPage(store::ClusterCursor cursor, Reply::Array keys)
{
    bool isOver = false;
    if (cursor.ofNode == "0" && ++cursor.place >= m_walks[cursor.walk].masters.size()) {
        const bool isRepeated = co_await isToBeRepeated(cursor.walk);
        isOver = !isRepeated;
        cursor = {m_lastWalk, 0, "0"};
    }
    Reply::Array page;
    page.push_back(Reply::ofBulk(isOver ? "0" : store::toText(cursor)));
    page.push_back(Reply::ofArray(std::move(keys)));
    co_return Outcome(Reply::ofArray(std::move(page)));
}

/// A key that was moved from a master that the walk had yet to reach to one that it had passed was
/// not met.
async::Task<bool> ClusterStore::isToBeRepeated(std::uint32_t walk)
{
    co_await m_map.askAgain(); // a short walk is over before the last answers are old
    const Walk before = m_walks[walk];
    if (m_map.version() == before.version || before.round + 1 >= kRoundsMax) {
        co_return false;
    }
    beginWalk(before.round + 1);
    co_return !m_map.topology()->masters().empty();
}

} // namespace lockscope::wire
