#pragma once

#include "core/kernel/store/endpoint.h"

#include <optional>
#include <string_view>

namespace lockscope::store {

/// The master of a replica as it is reached from here: by the replica's transport and ssh host,
/// with its credentials and database. `reported` is what the replica says ("10.0.0.5:6379"). A
/// loopback address is an address of the replica's machine, so its host is replaced by that of the
/// replica.
///
/// Nullopt if the address cannot be read, if Sentinels or a cluster name the master, or if a
/// password for a unix socket would cross the network unencrypted.
std::optional<Endpoint> masterEndpoint(const Endpoint& replica, std::string_view reported);

/// True for "localhost", "127.0.0.1" and other names of the machine itself.
bool isLoopbackHost(std::string_view host);

/// Whether host and port lead to one server, whatever the transport, the credentials and the
/// database. Compares names, without a look at DNS. False for Sentinels, clusters and unix sockets.
bool isSameAddress(const Endpoint& a, const Endpoint& b);

/// Gives a replica the restrictions of its master that are stricter than its own: production wins,
/// then any environment over none; read-only wins.
void adoptRestrictions(Endpoint& replica, const Endpoint& master);

} // namespace lockscope::store
