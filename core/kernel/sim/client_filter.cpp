#include "core/kernel/sim/client_filter.h"

#include "core/kernel/sim/call.h"
#include "core/kernel/sim/number_text.h"
#include "core/kernel/sim/server_identity.h"

#include <algorithm>
#include <limits>

namespace lockscope::sim {

using store::Reply;

bool ClientFilter::accepts(SessionId id, const Bytes& clientAddress, bool subscribes) const
{
    const bool isMeant = ids.empty() || std::ranges::find(ids, id) != ids.end();
    return isMeant && !isForNobody && (!isSubscriber || *isSubscriber == subscribes)
           && (!address || *address == clientAddress);
}

std::optional<Reply> ClientFilter::readType(const Bytes& name)
{
    if (equalsIgnoringCase(name, "normal")) {
        isSubscriber = false;
    } else if (equalsIgnoringCase(name, "pubsub")) {
        isSubscriber = true;
    } else if (equalsIgnoringCase(name, "master") || equalsIgnoringCase(name, "replica")
               || equalsIgnoringCase(name, "slave")) {
        isForNobody = true;
    } else {
        return replies::error("Unknown client type '" + shownInError(name) + "'");
    }
    return std::nullopt;
}

void ClientFilter::addId(std::int64_t number)
{
    // Out of range is an id that nobody has.
    const bool isPossible = number > 0 && number <= std::numeric_limits<SessionId>::max();
    ids.push_back(isPossible ? static_cast<SessionId>(number) : 0);
}

/// As clientCommand() in networking.c.
std::variant<ClientFilter, Reply> ClientFilter::ofList(const std::vector<Bytes>& words)
{
    ClientFilter filter;
    if (words.size() == 2) {
        return filter;
    }
    if (words.size() == 4 && equalsIgnoringCase(words[2], "type")) {
        if (auto error = filter.readType(words[3])) {
            return std::move(*error);
        }
        return filter;
    }
    if (words.size() < 4 || !equalsIgnoringCase(words[2], "id")) {
        return replies::syntaxError();
    }
    for (std::size_t i = 3; i < words.size(); ++i) {
        const auto number = parseInteger(words[i]);
        if (!number) {
            return replies::error("Invalid client ID");
        }
        filter.addId(*number);
    }
    return filter;
}

std::optional<Reply> ClientFilter::readOption(const Bytes& option, const Bytes& value)
{
    if (equalsIgnoringCase(option, "id")) {
        const auto number = parseInteger(value);
        if (!number || *number < 1) {
            return replies::error("client-id should be greater than 0");
        }
        ids.clear(); // of several the last one counts
        addId(*number);
    } else if (equalsIgnoringCase(option, "type")) {
        return readType(value);
    } else if (equalsIgnoringCase(option, "addr")) {
        address = value;
    } else if (equalsIgnoringCase(option, "laddr")) {
        isForNobody = isForNobody || value != kServerAddress;
    } else if (equalsIgnoringCase(option, "user")) {
        if (value != kOnlyUser) {
            return replies::error("No such user '" + shownInError(value) + "'");
        }
    } else if (equalsIgnoringCase(option, "skipme") && equalsIgnoringCase(value, "yes")) {
        sparesCaller = true;
    } else if (equalsIgnoringCase(option, "skipme") && equalsIgnoringCase(value, "no")) {
        sparesCaller = false;
    } else {
        return replies::syntaxError();
    }
    return std::nullopt;
}

std::variant<ClientFilter, Reply> ClientFilter::ofKill(const std::vector<Bytes>& words)
{
    ClientFilter filter;
    if (words.size() == 3) { // the old form names one client, be it the caller
        filter.address = words[2];
        filter.sparesCaller = false;
        return filter;
    }
    for (std::size_t i = 2; i < words.size(); i += 2) {
        if (i + 1 == words.size()) {
            return replies::syntaxError();
        }
        if (auto error = filter.readOption(words[i], words[i + 1])) {
            return std::move(*error);
        }
    }
    return filter;
}

} // namespace lockscope::sim
