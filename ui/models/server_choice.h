#pragma once

#include "protocol/protocol_info.h"
#include "store/endpoint.h"

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

/// The connected servers, one by one or, for a protocol of several masters, together; and private
/// ones, which are always there and always last.
std::vector<ServerChoice> serverChoices(const std::vector<store::Endpoint>& connected,
                                        const protocol::ProtocolInfo& info);

/// "10.0.0.5:6379/0, 10.0.0.6:6379/0"
QString serverNames(const std::vector<store::Endpoint>& servers);

} // namespace lockscope::models
