#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/store/endpoint.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// A place where contenders may run.
struct ServerChoice {
    QString label;
    std::vector<store::Endpoint> servers; // empty: private ones are started for the run
    QString obstacle;                     // why it cannot be; empty: it can

    bool isPrivate() const { return servers.empty(); }
};

/// Private servers, which are always there and always first: nothing runs on a user's server by
/// default. Then the connected ones, one by one or, for a protocol of several masters, together.
std::vector<ServerChoice> serverChoices(const std::vector<store::Endpoint>& connected,
                                        const protocol::ProtocolInfo& info);

/// Where among the choices a run on these servers is; 0, which is private, when it cannot be.
std::size_t indexOfChoice(const std::vector<ServerChoice>& choices,
                          const std::vector<store::Endpoint>& servers);

/// "10.0.0.5:6379/0, 10.0.0.6:6379/0"
QString serverNames(const std::vector<store::Endpoint>& servers);

} // namespace lockscope::models
