#include "cli/stop_signal.h"

#include <csignal>

namespace lockscope::cli {

StopSignal::StopSignal(Output& output) : m_relay({SIGINT, SIGTERM}, output)
{
    connect(&m_relay, &SignalRelay::received, this, &StopSignal::requested);
}

} // namespace lockscope::cli
