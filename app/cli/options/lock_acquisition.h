#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/options/run_options.h"

#include <optional>
#include <string>

namespace lockscope::cli {

/// A lock to take, and how to keep it.
struct LockAcquisition {
    ProtocolPtr protocol;
    protocol::LockRequest request;
    protocol::Renewal renewal; // off: it runs out with its lease
};

/// The options of the commands that take one lock.
class LockAcquisitionOptions {
public:
    void declare(app::OptionSet& options);
    bool isRenewalTyped() const { return m_options.has("renew"); }
    /// Throws an ArgumentError.
    LockAcquisition acquisition(const Operands& operands) const;

private:
    ProtocolChoice m_choice;
    RunOptions m_options;
    std::optional<std::string> m_key;
    std::optional<protocol::Mode> m_mode;
};

} // namespace lockscope::cli
