#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/pending.h"
#include "core/kernel/base/time.h"
#include "core/kernel/store/channels.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockscope::world {

/// Which of a client's connections to a server.
enum class LinkRole : std::uint8_t { Commands, Blocking, Channels };
inline constexpr std::array kLinkRoles{LinkRole::Commands, LinkRole::Blocking, LinkRole::Channels};

/// One connection of a client.
struct LinkAddress {
    int node = 0;
    LinkRole role = LinkRole::Commands;
};

/// What a simulated client program runs on: its machine, and the network around it. A world in
/// steps and a world of measured delays are both hosts; stores and clocks cannot tell them apart.
class Host {
public:
    virtual ~Host() = default;

    /// By the clock of the client's machine.
    virtual Instant now() const = 0;
    virtual WallTime wallNow() const = 0;
    virtual async::Pending<Instant> wakeAt(Instant when) = 0;

    virtual async::Pending<store::Outcome> send(LinkAddress link, store::Command command) = 0;
    /// All are under way before the first is answered, as a pipeline sends them (redis.io, "Redis
    /// pipelining").
    virtual async::Pending<std::vector<store::Outcome>> sendAll(
        LinkAddress link, std::vector<store::Command> commands) = 0;
    /// See store::Store::session(). Constant where connections do not break.
    virtual std::uint64_t session(LinkAddress /*link*/) const { return 0; }
    virtual std::shared_ptr<store::Mailbox> listen(int node, Bytes channel, async::Gate& bell) = 0;
};

} // namespace lockscope::world
