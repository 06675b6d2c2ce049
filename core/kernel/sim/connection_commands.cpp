// What clients and their drivers say of themselves and ask about each other.

#include "core/kernel/sim/call.h"
#include "core/kernel/sim/client_filter.h"
#include "core/kernel/sim/number_text.h"
#include "core/kernel/sim/server_identity.h"
#include "core/kernel/sim/sim_server.h"

#include <algorithm>
#include <iterator>

namespace lockscope::sim {

using store::Command;
using store::Protocol;
using store::Reply;

namespace {

Reply wrongPassword()
{
    return Reply::ofError("WRONGPASS invalid username-password pair or user is disabled.");
}

bool isKnownUser(const Bytes& name)
{
    return name == kOnlyUser;
}

Reply notSimulated(std::string_view what)
{
    return replies::error(std::string(what) + " is not simulated");
}

} // namespace

struct SimServer::ClientCommand {
    std::string_view name;
    Reply (SimServer::*run)(SessionId, const Command&, ServerTime);
};

const SimServer::ClientCommand* SimServer::findClientCommand(std::string_view name)
{
    static constexpr ClientCommand kCommands[] = {
        {"hello", &SimServer::hello},
        {"auth", &SimServer::auth},
        {"quit", &SimServer::quit},
        {"reset", &SimServer::reset},
        {"client|getname", &SimServer::clientGetname},
        {"client|id", &SimServer::clientId},
        {"client|info", &SimServer::clientInfo},
        {"client|kill", &SimServer::clientKill},
        {"client|list", &SimServer::clientList},
        {"client|no-evict", &SimServer::clientNoEvict},
        {"client|reply", &SimServer::clientReply},
        {"client|setname", &SimServer::clientSetname},
        {"client|tracking", &SimServer::clientTracking},
        {"info", &SimServer::info},
        {"role", &SimServer::role},
    };
    const auto* const known = std::ranges::find(kCommands, name, &ClientCommand::name);
    return known != std::end(kCommands) ? known : nullptr;
}

Reply SimServer::runForClient(SessionId id, const ClientCommand& known, const Command& command,
                              ServerTime now)
{
    return (this->*known.run)(id, command, now);
}

SessionId SimServer::connect(Bytes address, ServerTime now)
{
    const SessionId id = connect();
    ClientFacts& facts = factsOf(id);
    facts.address = std::move(address);
    facts.connectedAt = now;
    facts.lastSeenAt = now;
    return id;
}

const ClientFacts* SimServer::findFacts(SessionId id) const
{
    const auto place = std::ranges::lower_bound(m_clients, id, {}, &ClientFacts::session);
    return place != m_clients.end() && place->session == id ? &*place : nullptr;
}

/// Made when they are first needed: most connections of a search never say who they are.
ClientFacts& SimServer::factsOf(SessionId id)
{
    const auto place = std::ranges::lower_bound(m_clients, id, {}, &ClientFacts::session);
    if (place != m_clients.end() && place->session == id) {
        return *place;
    }
    ClientFacts facts;
    facts.session = id;
    return *m_clients.insert(place, std::move(facts));
}

void SimServer::noteCommand(SessionId id, const CommandSpec& spec, const Command& command,
                            ServerTime now)
{
    if (findFacts(id) == nullptr) {
        return;
    }
    ClientFacts& facts = factsOf(id);
    facts.lastSeenAt = now;
    facts.lastCommand = spec.name;
    facts.answerShape = spec.shape.of(command.words);
    facts.itemShapes.clear();
}

Protocol SimServer::protocolOf(SessionId session) const
{
    const ClientFacts* const facts = findFacts(session);
    return facts != nullptr ? facts->protocol : Protocol::Resp2;
}

store::ReplyForm SimServer::answerFormOf(SessionId session) const
{
    const ClientFacts* const facts = findFacts(session);
    return facts != nullptr
               ? store::ReplyForm{facts->protocol, facts->answerShape, facts->itemShapes}
               : store::ReplyForm{};
}

/// Nobody said where the others come from, and still they have to differ.
Bytes SimServer::addressOf(SessionId id) const
{
    const ClientFacts* const facts = findFacts(id);
    return facts != nullptr && !facts->address.empty() ? facts->address
                                                       : "127.0.0.1:" + std::to_string(id);
}

/// A connection that ends itself stays until its command is answered (CLIENT_CLOSE_AFTER_REPLY).
void SimServer::closeByCommand(SessionId id)
{
    if (std::ranges::find(m_closed, id) == m_closed.end()) {
        m_closed.push_back(id);
    }
}

std::optional<Reply> SimServer::giveName(SessionId id, const Bytes& name)
{
    const bool isPrintable = std::ranges::all_of(name, [](char c) { return c >= '!' && c <= '~'; });
    if (!isPrintable) {
        return replies::error(
            "Client names cannot contain spaces, newlines or special characters.");
    }
    factsOf(id).name = name;
    return std::nullopt;
}

/// As helloCommand() in networking.c: what stands before a wrong word has been done.
Reply SimServer::hello(SessionId id, const Command& command, ServerTime)
{
    const std::vector<Bytes>& words = command.words;
    Protocol protocol = protocolOf(id);
    if (words.size() > 1) {
        const auto version = parseInteger(words[1]);
        if (!version) {
            return replies::error("Protocol version is not an integer or out of range");
        }
        if (*version < 2 || *version > 3) {
            return Reply::ofError("NOPROTO unsupported protocol version");
        }
        protocol = *version == 3 ? Protocol::Resp3 : Protocol::Resp2;
    }
    for (std::size_t i = 2; i < words.size(); ++i) {
        const std::size_t following = words.size() - 1 - i;
        if (equalsIgnoringCase(words[i], "auth") && following >= 2) {
            if (!isKnownUser(words[i + 1])) {
                return wrongPassword();
            }
            i += 2;
        } else if (equalsIgnoringCase(words[i], "setname") && following >= 1) {
            if (auto error = giveName(id, words[++i])) {
                return std::move(*error);
            }
        } else {
            return replies::error("Syntax error in HELLO option '" + shownInError(words[i]) + "'");
        }
    }
    factsOf(id).protocol = protocol;
    Reply::Array parts;
    const auto add = [&parts](std::string_view name, Reply value) {
        parts.push_back(replies::bulk(name));
        parts.push_back(std::move(value));
    };
    add("server", replies::bulk("redis"));
    add("version", replies::bulk(kRedisVersion));
    add("proto", replies::number(static_cast<std::int64_t>(protocol)));
    add("id", replies::number(std::int64_t{id}));
    add("mode", replies::bulk("standalone"));
    add("role", replies::bulk("master"));
    add("modules", replies::emptyArray());
    return Reply::ofArray(std::move(parts));
}

/// As authCommand() in acl.c, of a server without a password.
Reply SimServer::auth(SessionId, const Command& command, ServerTime)
{
    const std::vector<Bytes>& words = command.words;
    if (words.size() > 3) {
        return replies::syntaxError();
    }
    if (words.size() == 2) {
        return replies::error("AUTH <password> called without any password configured for the "
                              "default user. Are you sure your configuration is correct?");
    }
    return isKnownUser(words[1]) ? replies::ok() : wrongPassword();
}

Reply SimServer::quit(SessionId id, const Command&, ServerTime)
{
    closeByCommand(id);
    return replies::ok();
}

/// As resetCommand() in networking.c: the connection is like a new one.
Reply SimServer::reset(SessionId id, const Command&, ServerTime)
{
    SimSession& session = sessionOf(id);
    const ReplicationOffset seenOffset = session.seenOffset;
    session = SimSession();
    session.id = id;
    session.seenOffset = seenOffset;
    std::erase_if(m_watches, [id](const Watch& watch) { return watch.session == id; });
    m_subscriptions.remove(id);
    if (findFacts(id) != nullptr) {
        ClientFacts& facts = factsOf(id);
        facts.name.clear();
        facts.protocol = Protocol::Resp2;
        facts.isSparedFromEviction = false;
    }
    return Reply::ofStatus("RESET");
}

Reply SimServer::clientGetname(SessionId id, const Command&, ServerTime)
{
    const ClientFacts* const facts = findFacts(id);
    return facts != nullptr && !facts->name.empty() ? replies::bulk(facts->name) : replies::nil();
}

Reply SimServer::clientId(SessionId id, const Command&, ServerTime)
{
    return replies::number(std::int64_t{id});
}

Reply SimServer::clientInfo(SessionId id, const Command&, ServerTime now)
{
    return Reply::ofBulk(clientLine(sessionOf(id), now));
}

Reply SimServer::clientSetname(SessionId id, const Command& command, ServerTime)
{
    return giveName(id, command.words[2]).value_or(replies::ok());
}

Reply SimServer::clientNoEvict(SessionId id, const Command& command, ServerTime)
{
    const bool isOn = equalsIgnoringCase(command.words[2], "on");
    if (!isOn && !equalsIgnoringCase(command.words[2], "off")) {
        return replies::syntaxError();
    }
    factsOf(id).isSparedFromEviction = isOn;
    return replies::ok();
}

Reply SimServer::clientReply(SessionId, const Command& command, ServerTime)
{
    if (equalsIgnoringCase(command.words[2], "on")) {
        return replies::ok();
    }
    const bool isKnown = equalsIgnoringCase(command.words[2], "off")
                         || equalsIgnoringCase(command.words[2], "skip");
    return isKnown ? notSimulated("a connection without replies") : replies::syntaxError();
}

Reply SimServer::clientTracking(SessionId, const Command& command, ServerTime)
{
    const bool isAlone = command.words.size() == 3;
    if (isAlone && equalsIgnoringCase(command.words[2], "off")) {
        return replies::ok();
    }
    const bool isKnown = equalsIgnoringCase(command.words[2], "on")
                         || equalsIgnoringCase(command.words[2], "off");
    return isKnown ? notSimulated("CLIENT TRACKING") : replies::syntaxError();
}

Reply SimServer::clientList(SessionId, const Command& command, ServerTime now)
{
    const auto filter = ClientFilter::ofList(command.words);
    if (const Reply* const error = std::get_if<Reply>(&filter)) {
        return *error;
    }
    const auto& wanted = std::get<ClientFilter>(filter);
    std::string lines;
    for (const SimSession& session : m_sessions) {
        if (wanted.accepts(session.id, addressOf(session.id), m_subscriptions.has(session.id))) {
            lines += clientLine(session, now);
        }
    }
    return Reply::ofBulk(std::move(lines));
}

Reply SimServer::clientKill(SessionId id, const Command& command, ServerTime)
{
    const auto filter = ClientFilter::ofKill(command.words);
    if (const Reply* const error = std::get_if<Reply>(&filter)) {
        return *error;
    }
    const auto& wanted = std::get<ClientFilter>(filter);
    std::vector<SessionId> ended;
    for (const SimSession& session : m_sessions) {
        const bool isSpared = session.id == id && wanted.sparesCaller;
        if (!isSpared
            && wanted.accepts(session.id, addressOf(session.id), m_subscriptions.has(session.id))) {
            ended.push_back(session.id);
        }
    }
    for (const SessionId session : ended) {
        closeByCommand(session);
        if (session != id) {
            disconnect(session);
        }
    }
    const bool isOldForm = command.words.size() == 3;
    if (!isOldForm) {
        return replies::number(ended.size());
    }
    return ended.empty() ? replies::error("No such client") : replies::ok();
}

} // namespace lockscope::sim
