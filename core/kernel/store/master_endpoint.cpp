#include "core/kernel/store/master_endpoint.h"

#include "core/kernel/base/characters.h"

#include <variant>
#include <vector>

namespace lockscope::store {

namespace {

bool isOneAddress(const Endpoint& endpoint)
{
    return endpoint.transport != Endpoint::Transport::UnixSocket && !endpoint.hasSentinels()
           && !endpoint.isCluster();
}

} // namespace

bool isLoopbackHost(std::string_view host)
{
    return lowered(host) == "localhost" || host.starts_with("127.") || host == "::1";
}

bool isSameAddress(const Endpoint& a, const Endpoint& b)
{
    if (!isOneAddress(a) || !isOneAddress(b) || a.port != b.port || a.sshHost != b.sshHost) {
        return false;
    }
    // A server at one loopback name mostly listens at the others as well.
    return lowered(a.host) == lowered(b.host) || (isLoopbackHost(a.host) && isLoopbackHost(b.host));
}

std::optional<Endpoint> masterEndpoint(const Endpoint& replica, std::string_view reported)
{
    const auto addresses = parseClusterSeeds(reported);
    const auto* const masters = std::get_if<std::vector<HostPort>>(&addresses);
    const bool isOnSocket = replica.transport == Endpoint::Transport::UnixSocket;
    const bool wouldBeInClear = isOnSocket && !replica.password.empty();
    if (masters == nullptr || masters->size() != 1 || replica.isCluster() || replica.hasSentinels()
        || wouldBeInClear) {
        return std::nullopt;
    }
    Endpoint master = replica;
    if (isOnSocket) {
        master.transport = Endpoint::Transport::Tcp;
        master.socketPath.clear();
    }
    const bool isOnOtherMachine = !isOnSocket && !isLoopbackHost(replica.host);
    master.host = isOnOtherMachine && isLoopbackHost(masters->front().host) ? replica.host
                                                                            : masters->front().host;
    master.port = masters->front().port;
    return master;
}

void adoptRestrictions(Endpoint& replica, const Endpoint& master)
{
    if (replica.environment.empty() || (isProduction(master) && !isProduction(replica))) {
        replica.environment = master.environment;
    }
    replica.isReadOnly = replica.isReadOnly || master.isReadOnly;
}

} // namespace lockscope::store
