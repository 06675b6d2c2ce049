#pragma once

#include "app/cli/process/signal_relay.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "core/pool/search_pool.h"

#include <QObject>

#include <string>
#include <vector>

namespace lockscope::cli {

/// One search on worker threads, which tells how it goes and can be interrupted.
class SearchSession final : public QObject {
    Q_OBJECT
public:
    SearchSession(const Context& context, const service::SearchOrder& order);
    /// Only what the shard does of it: there are results, but no reports.
    SearchSession(const Context& context, const service::SearchOrder& order,
                  const pool::Shard& shard);
    /// What all parts came to is known; empty: it is not.
    SearchSession(const Context& context, const service::SearchOrder& order,
                  std::vector<pool::PartResult> known);

    /// When it is over: whether it came to its end, and was not interrupted.
    async::Pending<bool> ended() const { return m_end.pending(); }

    const std::vector<report::CellReport>& reports() const { return m_pool.reports(); }
    const std::vector<pool::PartResult>& results() const { return m_pool.results(); }
    const service::SearchProgress& progress() const { return m_pool.progress(); }
    /// The exit code of a search that was interrupted.
    int interruptCode() const;

private:
    explicit SearchSession(const Context& context);
    void takeProgress(const service::SearchProgress& progress);

    const Context& m_context;
    SignalRelay m_relay;
    int m_signal = 0;
    bool m_isShard = false;
    async::Completer<bool> m_end;
    pool::SearchPool m_pool; // last: it tells this
};

} // namespace lockscope::cli
