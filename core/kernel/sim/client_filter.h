#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_session.h"
#include "core/kernel/store/reply.h"

#include <optional>
#include <variant>
#include <vector>

namespace lockscope::sim {

/// Which clients CLIENT LIST and CLIENT KILL mean. Replicas and masters are no clients here.
struct ClientFilter {
    std::vector<SessionId> ids; // any of them; empty: all
    bool isForNobody = false;
    std::optional<bool> isSubscriber;
    std::optional<Bytes> address;
    bool sparesCaller = true;

    bool accepts(SessionId id, const Bytes& clientAddress, bool subscribes) const;

    /// The filter, or what is wrong with the words of the whole command.
    static std::variant<ClientFilter, store::Reply> ofList(const std::vector<Bytes>& words);
    static std::variant<ClientFilter, store::Reply> ofKill(const std::vector<Bytes>& words);

private:
    std::optional<store::Reply> readType(const Bytes& name);
    void addId(std::int64_t number);
    std::optional<store::Reply> readOption(const Bytes& option, const Bytes& value);
};

} // namespace lockscope::sim
