#include "core/operations/hold_guards.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

namespace lockscope::operations {

using inspect::LockInspection;
using store::Command;
using store::Outcome;

namespace {

std::vector<Bytes> keysOf(const LockInspection& inspection)
{
    std::vector<Bytes> keys;
    for (const inspect::Observation& seen : inspection.snapshot.keys) {
        keys.push_back(seen.key);
    }
    return keys;
}

std::string writtenSentence()
{
    return KernelText::tr(
        "This lock, or another one that was watched together with it, was written to since it was "
        "read, so this may be another hold. Check the lock again.");
}

} // namespace

async::Task<HoldGuards::Answer> HoldGuards::inspect(std::uint16_t server, std::string master,
                                                    Bytes name, inspect::FormatTablePtr formats)
{
    const async::Turns::Turn turn = co_await m_turns.next();
    co_await makeRoom();
    const std::shared_ptr<store::Store> store = m_masters.connectAgain(server, master);
    if (!store) {
        store::Problem problem;
        problem.kind = store::Problem::Kind::NotMaster;
        problem.detail = std::move(master);
        co_return problem;
    }
    co_await store->whenSettled();
    Answer answer = co_await inspect::inspectToRelease(*store, m_clock, server, std::move(name),
                                                       std::move(formats));
    auto* const inspection = std::get_if<LockInspection>(&answer);
    if (inspection != nullptr && inspection->guard && inspect::isAnyHoldAnonymous(*inspection)) {
        inspection->guard->link = ++m_lastLink;
        Connection connection;
        connection.server = server;
        connection.master = std::move(master);
        connection.store = store;
        connection.holds.push_back({m_lastLink, keysOf(*inspection), inspection->guard->session});
        m_connections.push_back(std::move(connection));
    }
    co_return answer;
}

async::Task<HoldGuards::Handed> HoldGuards::take(inspect::KeyGuard guard)
{
    const async::Turns::Turn turn = co_await m_turns.next();
    const Connection* const connection = connectionOf(guard.link);
    if (connection != nullptr && connection->holds.size() > 1) {
        co_return co_await split(guard.link);
    }
    Handed handed;
    handed.guard = guard;
    if (connection != nullptr) {
        const Connection taken = extract(guard.link);
        handed.store = taken.store;
        handed.guard.session = taken.holds.front().session;
    } else if (m_voided.erase(guard.link) > 0) {
        handed.reason = writtenSentence();
    }
    co_return handed;
}

void HoldGuards::end(inspect::KeyGuard guard)
{
    m_voided.erase(guard.link);
    if (Connection* const connection = connectionOf(guard.link)) {
        std::erase_if(connection->holds,
                      [guard](const Hold& hold) { return hold.link == guard.link; });
    }
    std::erase_if(m_connections,
                  [](const Connection& connection) { return connection.holds.empty(); });
}

void HoldGuards::endAll()
{
    m_connections.clear();
    m_voided.clear();
}

/// Ends with a connection too many where no two can be replaced by one; the server then says so
/// itself if that is too much.
async::Task<void> HoldGuards::makeRoom()
{
    bool isProgress = true;
    while (isProgress && m_connections.size() >= kGuardConnectionsMax) {
        std::map<std::pair<std::uint16_t, std::string>, std::vector<const Connection*>> byServer;
        for (const Connection& connection : m_connections) {
            byServer[{connection.server, connection.master}].push_back(&connection);
        }
        auto& most = std::ranges::max_element(byServer, {}, [](const auto& entry) {
                         return entry.second.size();
                     })->second;
        std::ranges::stable_sort(most, {},
                                 [](const Connection* entry) { return entry->holds.size(); });
        isProgress = most.size() > 1;
        if (isProgress) {
            const std::uint64_t link = most[0]->holds.front().link;
            const std::uint64_t otherLink = most[1]->holds.front().link;
            isProgress = co_await unite(extract(link), extract(otherLink));
        }
    }
}

/// One connection instead of two. False: the server does not grant it, and nothing has changed.
async::Task<bool> HoldGuards::unite(Connection one, Connection other)
{
    std::vector<Hold> holds = one.holds;
    holds.insert(holds.end(), other.holds.begin(), other.holds.end());
    Connection united = co_await watchAgain(one.server, one.master, std::move(holds));
    if (united.store == nullptr) {
        m_connections.push_back(std::move(one));
        m_connections.push_back(std::move(other));
        co_return false;
    }
    const std::array<const Connection*, 2> old{&one, &other};
    for (const Connection* const replaced : old) {
        const bool isWhole = co_await isUntouched(*replaced);
        if (!isWhole) {
            voidGuards(replaced->holds);
        }
    }
    std::erase_if(united.holds, [this](const Hold& hold) { return m_voided.contains(hold.link); });
    if (!united.holds.empty()) {
        m_connections.push_back(std::move(united));
    }
    co_return true;
}

/// A connection for this hold alone, and another one for those that it was together with.
async::Task<HoldGuards::Handed> HoldGuards::split(std::uint64_t link)
{
    Connection shared = extract(link);
    const auto isWanted = [link](const Hold& hold) { return hold.link == link; };
    std::vector<Hold> wanted;
    std::vector<Hold> rest;
    std::ranges::copy_if(shared.holds, std::back_inserter(wanted), isWanted);
    std::ranges::copy_if(shared.holds, std::back_inserter(rest), std::not_fn(isWanted));
    const Connection alone = co_await watchAgain(shared.server, shared.master, std::move(wanted));
    Connection others = co_await watchAgain(shared.server, shared.master, std::move(rest));
    Handed handed;
    if (alone.store == nullptr || others.store == nullptr) {
        m_connections.push_back(std::move(shared)); // the next attempt may be luckier
        handed.reason = KernelText::tr("The server did not let Lockscope watch this lock on a "
                                       "connection of its own. Check the lock again.");
        co_return handed;
    }
    const bool isWhole = co_await isUntouched(shared);
    if (!isWhole) {
        voidGuards(others.holds);
        handed.reason = writtenSentence();
        co_return handed;
    }
    handed.store = alone.store;
    handed.guard = {link, alone.holds.front().session};
    m_connections.push_back(std::move(others));
    co_return handed;
}

/// A further connection that watches the keys of these holds from now on. Without a store where the
/// server does not grant it.
async::Task<HoldGuards::Connection> HoldGuards::watchAgain(std::uint16_t server, std::string master,
                                                           std::vector<Hold> holds)
{
    Connection connection;
    connection.server = server;
    connection.master = std::move(master);
    connection.store = m_masters.connectAgain(server, connection.master);
    if (connection.store == nullptr) {
        co_return connection;
    }
    co_await connection.store->whenSettled();
    // In a cluster the keys of two locks may be on two nodes, so each lock has its own command.
    const std::size_t span = m_servers.topology(server) == nullptr ? holds.size() : 1;
    bool isWatching = true;
    for (std::size_t i = 0; i < holds.size() && isWatching; i += span) {
        isWatching = co_await watchAll(*connection.store, std::span(holds).subspan(i, span));
    }
    if (isWatching) {
        connection.holds = std::move(holds);
    } else {
        connection.store = nullptr;
    }
    co_return connection;
}

/// Has the server watch the keys of these holds, all of one node, and notes the session.
async::Task<bool> HoldGuards::watchAll(store::Store& store, std::span<Hold> holds)
{
    Command question("TYPE", holds.front().keys.front()); // so that the session is that of the node
    Command watch("WATCH");
    for (const Hold& hold : holds) {
        for (const Bytes& key : hold.keys) {
            watch.append(key);
        }
    }
    co_await store.submit(std::move(question));
    const std::uint64_t session = store.session();
    const Outcome outcome = co_await store.submit(std::move(watch));
    for (Hold& hold : holds) {
        hold.session = session;
    }
    co_return !problemOf(outcome) && session == store.session();
}

/// True if certainly no client has written to the keys since they are watched. Ends every WATCH of
/// the connection. In a cluster each node is asked on its own; its session is that of the
/// connection to it.
async::Task<bool> HoldGuards::isUntouched(const Connection& connection)
{
    std::set<std::uint64_t> asked;
    for (const Hold& hold : connection.holds) {
        if (!asked.insert(hold.session).second) {
            continue;
        }
        std::vector<Command> transaction;
        transaction.emplace_back("MULTI");
        transaction.emplace_back("TYPE", hold.keys.front());
        transaction.emplace_back("EXEC");
        const auto outcomes = co_await connection.store->submitAll(std::move(transaction));
        const store::Reply* const answer = replyOf(outcomes.back());
        const bool isExecuted = answer != nullptr && answer->array() != nullptr
                                && answer->array()->size() == 1;
        if (!isExecuted || connection.store->session() != hold.session) {
            co_return false;
        }
    }
    co_return true;
}

HoldGuards::Connection* HoldGuards::connectionOf(std::uint64_t link)
{
    const auto found = std::ranges::find_if(m_connections, [link](const Connection& connection) {
        return std::ranges::find(connection.holds, link, &Hold::link) != connection.holds.end();
    });
    return found != m_connections.end() ? &*found : nullptr;
}

/// Takes the connection of a link, which has one, out of the list.
HoldGuards::Connection HoldGuards::extract(std::uint64_t link)
{
    const auto at = m_connections.begin() + (connectionOf(link) - m_connections.data());
    Connection connection = std::move(*at);
    m_connections.erase(at);
    return connection;
}

void HoldGuards::voidGuards(const std::vector<Hold>& holds)
{
    for (const Hold& hold : holds) {
        m_voided.insert(hold.link);
    }
}

} // namespace lockscope::operations
