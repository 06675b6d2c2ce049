#include "ui/models/server_choice.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

ServerChoice choiceOf(std::vector<store::Endpoint> servers)
{
    const bool isReadOnly = std::any_of(servers.begin(), servers.end(),
                                        [](const store::Endpoint& e) { return e.isReadOnly; });
    ServerChoice choice;
    choice.label = serverNames(servers);
    if (isReadOnly) {
        choice.obstacle = UiText::tr("Opened read-only: contenders cannot write there.");
    }
    choice.servers = std::move(servers);
    return choice;
}

} // namespace

std::vector<ServerChoice> serverChoices(const std::vector<store::Endpoint>& connected,
                                        const protocol::ProtocolInfo& info)
{
    const bool needsSeveral = info.keys == protocol::KeyUse::OnePerServer;
    std::vector<ServerChoice> choices;
    choices.push_back({needsSeveral ? UiText::tr("private redis-servers")
                                    : UiText::tr("a private redis-server"),
                       {},
                       {}});
    if (needsSeveral && !connected.empty()) {
        choices.push_back(choiceOf(connected));
    } else {
        for (const store::Endpoint& endpoint : connected) {
            choices.push_back(choiceOf({endpoint}));
        }
    }
    return choices;
}

std::size_t indexOfChoice(const std::vector<ServerChoice>& choices,
                          const std::vector<store::Endpoint>& servers)
{
    const auto found = std::ranges::find(choices, servers, &ServerChoice::servers);
    return found != choices.end() ? static_cast<std::size_t>(found - choices.begin()) : 0;
}

QString serverNames(const std::vector<store::Endpoint>& servers)
{
    QStringList names;
    for (const store::Endpoint& endpoint : servers) {
        names += u"%1/%2"_s.arg(toQString(store::serverName(endpoint))).arg(endpoint.database);
    }
    return listed(names);
}

} // namespace lockscope::models
