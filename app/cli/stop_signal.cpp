#include "cli/stop_signal.h"

#include <csignal>

namespace lockscope::cli {

StopSignal::StopSignal() : m_relay({SIGINT, SIGTERM})
{
    connect(&m_relay, &SignalRelay::received, this, &StopSignal::requested);
}

} // namespace lockscope::cli
