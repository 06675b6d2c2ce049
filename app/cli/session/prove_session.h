#pragma once

#include "app/cli/context.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/prove_order.h"
#include "core/kernel/async/pending.h"
#include "core/pool/worker_pool.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

namespace lockscope::cli {

/// One proof on a thread of its own, which tells how it goes and can be interrupted.
class ProveSession final : public QObject {
    Q_OBJECT
public:
    ProveSession(const Context& context, ProveOrder order);

    /// When it is over; outcome() is known then.
    async::Pending<bool> ended() const { return m_end.pending(); }
    const ProveOutcome& outcome() const { return m_outcome; }
    /// 0: it was not interrupted.
    int signalNumber() const { return m_signal; }

private:
    void prove();
    void showProgress();

    const Context& m_context;
    SignalRelay m_relay; // before the first thread
    ProveOrder m_order;
    ProveOutcome m_outcome; // of the worker until it has finished
    std::atomic<bool> m_isCancelled{false};
    std::atomic<std::uint64_t> m_runCount{0};
    std::atomic<std::size_t> m_bugCount{0};
    int m_signal = 0;
    Instant m_begin{};
    QTimer m_ticker;
    async::Completer<bool> m_end;
    pool::WorkerPool m_pool; // last: its thread uses the others
};

} // namespace lockscope::cli
