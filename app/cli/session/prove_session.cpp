#include "app/cli/session/prove_session.h"

#include "app/cli/output/lock_table.h"

#include <csignal>

namespace lockscope::cli {

ProveSession::ProveSession(const Context& context, const service::ProofOrder& order)
    : m_context(context),
      m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output),
      m_conductor(context.clock)
{
    connect(&m_relay, &SignalRelay::received, this, [this](int signalNumber) {
        m_signal = signalNumber;
        m_conductor.cancel();
    });
    connect(&m_conductor, &service::ProofRunner::progressed, this, &ProveSession::show);
    m_conductor.start(order);
}

void ProveSession::show(const service::ProofProgress& progress)
{
    if (progress.isOver()) {
        m_end.complete(true);
        return;
    }
    m_context.output.progress("proving · " + countText(progress.runCount) + " runs · "
                              + countText(progress.runsPerSecond) + "/s · "
                              + countText(progress.bugCount) + " broken");
}

} // namespace lockscope::cli
