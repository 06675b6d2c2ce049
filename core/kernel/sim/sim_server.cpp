#include "core/kernel/sim/sim_server.h"

#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace lockscope::sim {

using store::Command;
using store::Reply;

namespace {

/// What is carried out at once although a transaction is being queued.
/// As in processCommand() (server.c): these end a transaction, or are refused inside it with an
/// error of their own.
bool isOutsideQueue(const CommandSpec& spec)
{
    return spec.name == "exec" || spec.name == "discard" || spec.name == "multi"
           || spec.name == "watch" || spec.name == "quit" || spec.name == "reset";
}

/// RESP2 has no way to tell an answer from a message, so a subscriber may send little else.
bool isForSubscribers(const CommandSpec& spec)
{
    return spec.name == "ping" || spec.name == "quit" || spec.name == "reset"
           || spec.name.ends_with("subscribe");
}

Reply cannotExecute(const CommandSpec& spec)
{
    return replies::error("Can't execute '" + std::string(spec.name)
                          + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are "
                            "allowed in this context");
}

/// As a message, in the shape in which subscribers get everything (pingCommand() in server.c).
Reply pongForSubscriber(const Command& command)
{
    Reply::Array parts;
    parts.push_back(replies::bulk("pong"));
    parts.push_back(replies::bulk(command.words.size() > 1 ? command.words[1] : Bytes()));
    return Reply::ofArray(std::move(parts));
}

void endTransaction(SimSession& session)
{
    session.isInTransaction = false;
    session.isTransactionBroken = false;
    session.hasWatchedChange = false;
    session.queue.clear();
}

template<class Item>
void removeOf(std::vector<Item>& items, SessionId session)
{
    std::erase_if(items, [session](const Item& item) { return item.session == session; });
}

template<class Item>
bool hasOneOf(const std::vector<Item>& items, SessionId session)
{
    return std::ranges::find(items, session, &Item::session) != items.end();
}

/// So many milliseconds ahead; none, or more than there are in the age of the world, is never.
std::optional<ServerTime> instantAfter(ServerTime now, std::int64_t ms)
{
    constexpr std::int64_t kMost = 1'000'000'000'000'000;
    return ms > 0 && ms <= kMost ? std::optional(now + std::chrono::milliseconds(ms))
                                 : std::nullopt;
}

template<class Wait>
void findEarliest(const std::vector<Wait>& waits, std::optional<ServerTime>& earliest)
{
    for (const Wait& wait : waits) {
        if (wait.until && (!earliest || *wait.until < *earliest)) {
            earliest = wait.until;
        }
    }
}

/// What a blocking command that found nothing waits for. Moves name one source; pops any number of
/// keys.
KeyWait keyWaitOf(SessionId session, const CommandSpec& spec, const Command& command,
                  ServerTime now)
{
    const bool isMove = spec.name == "blmove" || spec.name == "brpoplpush";
    KeyWait wait;
    wait.session = session;
    wait.keys.assign(command.words.begin() + 1,
                     isMove ? command.words.begin() + 2 : command.words.end() - 1);
    wait.isForSortedSet = spec.name.starts_with("bz");
    // A pop is tried later on the one key that has appeared; its time-out does not count any more.
    wait.attempt = isMove ? command : Command(spec.name, "", 0);
    // In whole milliseconds, rounded up, as Redis counts them.
    const long double ms = std::ceil(*parseSeconds(command.words.back()) * 1000);
    wait.until = instantAfter(now, static_cast<std::int64_t>(ms));
    return wait;
}

/// What WAIT asks for, or the error.
std::variant<ReplicaWait, Reply> parseWait(const SimSession& session, const Command& command,
                                           ServerTime now)
{
    const auto replicaCount = parseInteger(command.words[1]);
    if (!replicaCount) {
        return replies::notAnInteger();
    }
    const auto timeoutMs = parseInteger(command.words[2]);
    if (!timeoutMs) {
        return replies::error("timeout is not an integer or out of range");
    }
    if (*timeoutMs < 0) {
        return replies::error("timeout is negative");
    }
    return ReplicaWait{session.id, *replicaCount, session.seenOffset,
                       instantAfter(now, *timeoutMs)};
}

} // namespace

SessionId SimServer::connect()
{
    m_hash.reset();
    SimSession session;
    session.id = ++m_lastId;
    m_sessions.push_back(std::move(session));
    return m_lastId;
}

/// As freeClient() in networking.c. What was on its way to the connection is gone with it.
void SimServer::disconnect(SessionId session)
{
    m_hash.reset();
    std::erase_if(m_sessions, [session](const SimSession& s) { return s.id == session; });
    removeOf(m_watches, session);
    m_subscriptions.remove(session);
    removeOf(m_keyWaits, session);
    removeOf(m_replicaWaits, session);
    removeOf(m_deliveries, session);
    removeOf(m_clients, session);
}

std::optional<Reply> SimServer::run(SessionId id, const Command& command, ServerTime now)
{
    assert(!isWaiting(id));
    m_hash.reset();
    SimSession& session = sessionOf(id);
    // The checks come in the order of processCommand() in Redis' server.c: of several errors a
    // client sees the first.
    const CommandSpec* const spec = findCommand(command.words);
    if (std::optional<Reply> refusal = refusalOf(command.words, spec)) {
        return refuse(session, spec, std::move(*refusal));
    }
    if (!m_clients.empty()) {
        noteCommand(id, *spec, command, now);
    }
    const bool isSubscriber = m_subscriptions.has(id) && protocolOf(id) == store::Protocol::Resp2;
    if (isSubscriber && !isForSubscribers(*spec)) {
        return refuse(session, spec, cannotExecute(*spec));
    }
    if (session.isInTransaction && !isOutsideQueue(*spec)) {
        session.queue.push_back(command);
        return Reply::ofStatus("QUEUED");
    }
    if (isSubscriber && spec->name == "ping" && command.words.size() <= 2) {
        return pongForSubscriber(command);
    }
    std::optional<Reply> reply;
    if (spec->kind == CommandKind::Connection) {
        reply = runForConnection(session, *spec, command, now);
        endCommand(sessionOf(id), now); // which has moved if the command has ended others
    } else {
        reply = m_database.run(*spec, command.words, context(now));
        if (spec->kind == CommandKind::Blocking && reply->isNil()) {
            m_keyWaits.push_back(keyWaitOf(session.id, *spec, command, now));
            reply.reset();
        }
        endCommand(session, now);
    }
    return reply;
}

void SimServer::endCommand(SimSession& session, ServerTime now)
{
    commitWrites();
    // Also as in processCommand(): WAIT counts from the end of the command on, and only now are
    // others served.
    session.seenOffset = m_replication.offset();
    serveWaiting(now);
    if (std::ranges::find(m_closed, session.id) != m_closed.end()) {
        disconnect(session.id);
    }
}

std::vector<Delivery> SimServer::takeDeliveries()
{
    if (m_deliveries.empty()) {
        return {};
    }
    m_hash.reset();
    return std::exchange(m_deliveries, {});
}

bool SimServer::isWaiting(SessionId session) const
{
    return hasOneOf(m_keyWaits, session) || hasOneOf(m_replicaWaits, session);
}

std::optional<ServerTime> SimServer::nextTimeout() const
{
    std::optional<ServerTime> next;
    findEarliest(m_keyWaits, next);
    findEarliest(m_replicaWaits, next);
    return next;
}

/// In the order of their ends, and of connections among those that end together.
void SimServer::endWaits(ServerTime now)
{
    const auto isOver = [now](const auto& wait) { return wait.until && *wait.until <= now; };
    std::vector<std::pair<ServerTime, Delivery>> ended;
    for (const KeyWait& wait : m_keyWaits) {
        if (isOver(wait)) {
            ended.push_back({*wait.until,
                             {wait.session, replies::nil(), store::ReplyShape::Array}});
        }
    }
    for (const ReplicaWait& wait : m_replicaWaits) {
        if (isOver(wait)) {
            ended.push_back({*wait.until, {wait.session, replies::number(countFor(wait))}});
        }
    }
    if (ended.empty()) {
        return;
    }
    m_hash.reset();
    std::erase_if(m_keyWaits, isOver);
    std::erase_if(m_replicaWaits, isOver);
    // Redis keeps time-outs in a tree by their ends and, among equal ones, by the address of the
    // client (timeout.c). Addresses would differ from run to run; here it is the age of the
    // connection.
    std::ranges::sort(ended, {},
                      [](const auto& end) { return std::pair(end.first, end.second.session); });
    for (auto& [until, answer] : ended) {
        m_deliveries.push_back(std::move(answer));
    }
}

void SimServer::removeExpired(ServerTime now)
{
    m_hash.reset();
    std::vector<Bytes> expired;
    for (const Entry& entry : std::as_const(m_database).keys().entries()) {
        if (entry.isExpiredAt(toEpochMs(now))) {
            expired.push_back(entry.key);
        }
    }
    for (const Bytes& key : expired) {
        // One effect per key, as Redis sends one DEL per expired key to its replicas.
        m_database.keys().erase(*m_database.keys().find(key));
        keyTouched(key);
        commitWrites();
    }
}

bool SimServer::advanceReplica(std::size_t index)
{
    m_hash.reset();
    if (!m_replication.advance(index)) {
        return false;
    }
    std::erase_if(m_replicaWaits, [this](const ReplicaWait& wait) {
        const bool isOver = isSatisfied(wait);
        if (isOver) {
            m_deliveries.push_back({wait.session, replies::number(countFor(wait))});
        }
        return isOver;
    });
    return true;
}

/// Scripts are lost in any case: the cache is no part of the data (redis.io, "Scripting with Lua").
void SimServer::restart(bool keepsData)
{
    m_hash.reset();
    endConnections();
    m_database.forgetScripts();
    if (!keepsData) {
        m_replication.everythingFlushed();
        m_database.keys().clear();
        commitWrites();
    }
}

/// Replication is asynchronous: what the replica had not got yet is lost (redis.io, "Redis
/// replication").
void SimServer::failOver(std::size_t replicaIndex)
{
    m_hash.reset();
    endConnections();
    m_database = m_replication.replica(replicaIndex);
    m_replication.startAgain(m_database);
}

/// As touchWatchedKey() in multi.c: that a key goes which had expired before WATCH is no change.
void SimServer::keyTouched(const Bytes& key)
{
    m_replication.keyChanged(key);
    for (Watch& watch : m_watches) {
        if (watch.key != key) {
            continue;
        }
        if (watch.wasExpired) {
            watch.wasExpired = m_database.keys().find(key) != nullptr;
        } else {
            sessionOf(watch.session).hasWatchedChange = true;
        }
    }
}

/// Called while the keys are still there. As touchAllWatchedKeysInDb() in multi.c: a flush does not
/// change a key that was not there.
void SimServer::everythingFlushed()
{
    m_replication.everythingFlushed();
    for (Watch& watch : m_watches) {
        if (watch.wasExpired) {
            watch.wasExpired = false;
        } else if (m_database.keys().find(watch.key) != nullptr) {
            sessionOf(watch.session).hasWatchedChange = true;
        }
    }
}

/// As signalKeyAsReady() in blocked.c: nothing is served yet, because the command that makes the
/// key is not over, and a key that is made twice is looked at once.
void SimServer::keyAppeared(const Bytes& key)
{
    const bool isKnown = m_keyWaits.empty()
                         || std::ranges::find(m_readyKeys, key) != m_readyKeys.end();
    if (!isKnown) {
        m_readyKeys.push_back(key);
    }
}

SimSession& SimServer::sessionOf(SessionId id)
{
    const auto place = std::ranges::lower_bound(m_sessions, id, {}, &SimSession::id);
    assert(place != m_sessions.end() && place->id == id);
    return *place;
}

bool SimServer::isExpired(const Bytes& key, ServerTime now)
{
    const Entry* const entry = m_database.keys().find(key);
    return entry != nullptr && entry->isExpiredAt(toEpochMs(now));
}

/// A command that cannot be carried out breaks the transaction; EXEC ends it.
Reply SimServer::refuse(SimSession& session, const CommandSpec* spec, Reply refusal)
{
    if (spec == nullptr || spec->name != "exec") {
        session.isTransactionBroken = session.isInTransaction;
        return refusal;
    }
    endTransaction(session);
    removeOf(m_watches, session.id);
    const std::string& text = refusal.error()->text;
    return Reply::ofError("EXECABORT Transaction discarded because of: "
                          + text.substr(text.find(' ') + 1));
}

/// Nothing may block here: Redis runs the commands of EXEC with blocking denied, so a pop of
/// nothing answers nil and WAIT what there is (CLIENT_DENY_BLOCKING in server.h).
Reply SimServer::runInTransaction(SessionId id, const CommandSpec& spec, const Command& command,
                                  ServerTime now)
{
    if (spec.kind != CommandKind::Connection) {
        return m_database.run(spec, command.words, context(now));
    }
    if (spec.name == "unwatch") {
        removeOf(m_watches, id);
        return replies::ok();
    }
    if (const ClientCommand* const known = findClientCommand(spec.name)) {
        return runForClient(id, *known, command, now);
    }
    if (spec.name == "wait") { // answers at once
        const auto wait = parseWait(sessionOf(id), command, now);
        const Reply* const error = std::get_if<Reply>(&wait);
        return error != nullptr ? *error : replies::number(countFor(std::get<ReplicaWait>(wait)));
    }
    // Redis mixes its confirmations into the answer of EXEC; no protocol relies on that.
    return replies::error("'" + std::string(spec.name) + "' inside MULTI is not simulated");
}

std::optional<Reply> SimServer::runForConnection(SimSession& session, const CommandSpec& spec,
                                                 const Command& command, ServerTime now)
{
    if (spec.name == "multi") {
        if (session.isInTransaction) {
            return replies::error("MULTI calls can not be nested");
        }
        session.isInTransaction = true;
        return replies::ok();
    }
    if (spec.name == "exec") {
        return execute(session, now);
    }
    if (spec.name == "discard") {
        if (!session.isInTransaction) {
            return replies::error("DISCARD without MULTI");
        }
        endTransaction(session);
        removeOf(m_watches, session.id);
        return replies::ok();
    }
    if (spec.name == "watch") {
        return watch(session, command, now);
    }
    if (spec.name == "unwatch") {
        removeOf(m_watches, session.id);
        session.hasWatchedChange = false;
        return replies::ok();
    }
    if (spec.name == "wait") {
        return waitForReplicas(session, command, now);
    }
    if (const ClientCommand* const known = findClientCommand(spec.name)) {
        return runForClient(session.id, *known, command, now);
    }
    m_subscriptions.run(spec.name, command, session.id, m_deliveries);
    return std::nullopt;
}

Reply SimServer::execute(SimSession& session, ServerTime now)
{
    if (!session.isInTransaction) {
        return replies::error("EXEC without MULTI");
    }
    // A key that has run out since WATCH counts as changed, though no command has removed it yet
    // (isWatchedKeyExpired() in multi.c).
    const bool isChanged = session.hasWatchedChange
                           || std::ranges::any_of(m_watches, [&](const Watch& watch) {
                                  return watch.session == session.id && !watch.wasExpired
                                         && isExpired(watch.key, now);
                              });
    // Taken out before anything runs: the transaction is over for the connection whatever follows.
    const std::vector<Command> queue = std::exchange(session.queue, {});
    // Before the changed keys, as execCommand() has it: a broken transaction answers EXECABORT.
    const bool isBroken = session.isTransactionBroken;
    endTransaction(session);
    removeOf(m_watches, session.id);
    if (isBroken) {
        return Reply::ofError("EXECABORT Transaction discarded because of previous errors.");
    }
    if (isChanged) {
        return replies::nil();
    }
    const SessionId id = session.id; // a command may end other connections
    Reply::Array answers;
    for (const Command& command : queue) {
        const CommandSpec& spec = *findCommand(command.words);
        answers.push_back(runInTransaction(id, spec, command, now));
        if (findFacts(id) != nullptr) {
            factsOf(id).itemShapes.push_back(spec.shape.of(command.words));
        }
    }
    return Reply::ofArray(std::move(answers));
}

Reply SimServer::watch(SimSession& session, const Command& command, ServerTime now)
{
    if (session.isInTransaction) {
        return replies::error("WATCH inside MULTI is not allowed");
    }
    for (std::size_t i = 1; i < command.words.size(); ++i) {
        const Bytes& key = command.words[i];
        const bool isWatched = std::ranges::any_of(m_watches, [&](const Watch& known) {
            return known.session == session.id && known.key == key;
        });
        if (!isWatched) {
            // Once per connection and key, as watchForKey() in multi.c has it. The first look
            // counts.
            m_watches.push_back(Watch{session.id, key, isExpired(key, now)});
        }
    }
    return replies::ok();
}

/// As waitCommand() in replication.c. What counts was written before the end of its connection's
/// latest command, by any client.
std::optional<Reply> SimServer::waitForReplicas(const SimSession& session, const Command& command,
                                                ServerTime now)
{
    const auto parsed = parseWait(session, command, now);
    if (const Reply* const error = std::get_if<Reply>(&parsed)) {
        return *error;
    }
    const auto& wait = std::get<ReplicaWait>(parsed);
    if (isSatisfied(wait)) {
        return replies::number(countFor(wait));
    }
    m_replicaWaits.push_back(wait);
    return std::nullopt;
}

/// Ids are not used again: a client that holds an old one must not meet another connection by it.
void SimServer::endConnections()
{
    m_sessions.clear();
    m_watches.clear();
    m_subscriptions.clear();
    m_keyWaits.clear();
    m_replicaWaits.clear();
    m_deliveries.clear();
    m_clients.clear();
}

/// After a command, a script or a transaction as a whole: keys that appeared go to the waiters,
/// first come, first served (handleClientsBlockedOnKeys() in blocked.c).
void SimServer::serveWaiting(ServerTime now)
{
    while (!m_readyKeys.empty()) { // serving one may bring forth another
        for (const Bytes& key : std::exchange(m_readyKeys, {})) {
            serveKey(key, now);
        }
    }
}

void SimServer::serveKey(const Bytes& key, ServerTime now)
{
    // Each one may take the last element, so every wait looks at the key anew.
    std::size_t i = 0;
    while (i < m_keyWaits.size()) {
        KeyWait& wait = m_keyWaits[i];
        if (!canBeServed(wait, key, now)) {
            ++i;
            continue;
        }
        wait.attempt.words[1] = key;
        const CommandSpec& spec = *findCommand(wait.attempt.words);
        m_deliveries.push_back({wait.session,
                                m_database.run(spec, wait.attempt.words, context(now)),
                                spec.shape.of(wait.attempt.words)});
        // An effect of its own, behind that of the command which woke it: a replica may have the
        // push and not the pop.
        commitWrites();
        m_keyWaits.erase(m_keyWaits.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

/// A key of another type leaves the client waiting: only a list, or a sorted set, can end its wait.
bool SimServer::canBeServed(const KeyWait& wait, const Bytes& key, ServerTime now)
{
    const Entry* const entry = m_database.keys().find(key);
    if (entry == nullptr || entry->isExpiredAt(toEpochMs(now)) || !wait.isFor(key)) {
        return false;
    }
    return wait.isForSortedSet ? std::holds_alternative<SortedSetValue>(entry->value)
                               : std::holds_alternative<ListValue>(entry->value);
}

} // namespace lockscope::sim
