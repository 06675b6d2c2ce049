#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/lock_protocol.h"

#include <string_view>
#include <utility>

// The steps of a lock whose value names no owner. Deleting the key ends the hold, even if it is
// another client's by then (lock-flaws 11).
namespace lockscope::protocol::builtin {

constexpr std::string_view kFlag = "1";

/// A lock of this kind. How it is taken distinguishes one from the other.
class FlagLock : public LockProtocol {
public:
    explicit FlagLock(ProtocolInfo info) : m_info(std::move(info)) {}

    const ProtocolInfo& info() const override { return m_info; }
    /// DEL key, without a look at the value.
    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override;

private:
    const ProtocolInfo m_info;
};

} // namespace lockscope::protocol::builtin
