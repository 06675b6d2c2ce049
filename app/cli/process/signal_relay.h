#pragma once

#include "app/cli/output/output.h"
#include "core/wire/signal_relay.h"

#include <initializer_list>

namespace lockscope::cli {

/// Signals to a command. Output that is not read does not delay them.
class SignalRelay final : public wire::SignalRelay {
public:
    SignalRelay(std::initializer_list<int> signalNumbers, Output& output)
        : wire::SignalRelay(signalNumbers),
          m_output(output)
    {
        m_output.setInterruption(file());
    }
    ~SignalRelay() override { m_output.setInterruption(-1); }

private:
    Output& m_output;
};

} // namespace lockscope::cli
