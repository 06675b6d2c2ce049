#pragma once

#include "app/cli/context.h"
#include "app/cli/process/signal_relay.h"
#include "core/conduct/proof_conductor.h"
#include "core/kernel/async/pending.h"

#include <QObject>

namespace lockscope::cli {

/// One proof, which tells how it goes and can be interrupted.
class ProveSession final : public QObject {
    Q_OBJECT
public:
    ProveSession(const Context& context, const service::ProofOrder& order);

    /// When it is over; outcome() is known then.
    async::Pending<bool> ended() const { return m_end.pending(); }
    const service::ProofOutcome& outcome() const { return m_conductor.outcome(); }
    /// 0: it was not interrupted.
    int signalNumber() const { return m_signal; }

private:
    void show(const service::ProofProgress& progress);

    const Context& m_context;
    SignalRelay m_relay;
    int m_signal = 0;
    async::Completer<bool> m_end;
    conduct::ProofConductor m_conductor;
};

} // namespace lockscope::cli
