#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/watch/lock_watcher.h"
#include "core/service/lock_monitor.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::wire {

/// Watches what one endpoint leads to: a server, or all masters of a cluster. Hears what its
/// LockWatcher finds, and tells it on. Runs on one thread.
class EndpointWatch : public QObject, protected inspect::WatchObserver {
    Q_OBJECT
public:
    EndpointWatch(std::uint16_t server, QObject* parent) : QObject(parent)
    {
        m_status.server = server;
    }

    virtual void open() = 0;
    virtual void resweep(bool isDeep) = 0;
    virtual void setPatterns(const std::vector<std::string>& patterns) = 0;
    /// The book has them already.
    virtual void setFormats(const inspect::FormatTablePtr& formats) = 0;

Q_SIGNALS:
    void linkChanged(const lockscope::service::LinkStatus& status);
    void sweepProgress(const lockscope::service::SweepProgress& progress);
    void loadMeasured(const lockscope::service::ServerLoad& load);
    void bookHasNews();

protected:
    /// What is to be heard of follows from the names that a sweep has found.
    virtual void interestChanged() = 0;
    /// m_limit is another one while the server is online.
    virtual void limitChanged() = 0;

    void report() { Q_EMIT linkChanged(m_status); }

    service::LinkStatus m_status;
    store::Problem m_limit; // why the watcher cannot see everything
    std::shared_ptr<const inspect::SweepFindings> m_findings; // of the last sweep that was done

private:
    void bookChanged() override { Q_EMIT bookHasNews(); }
    void sweepProgressed(std::uint16_t server, std::uint64_t scanned, std::uint64_t total,
                         bool isDone, bool isDeep) override
    {
        Q_EMIT sweepProgress({server, scanned, total, isDone, isDeep, m_findings});
    }
    void sweepFound(std::uint16_t /*server*/,
                    std::shared_ptr<const inspect::SweepFindings> findings) override
    {
        m_findings = std::move(findings);
        interestChanged();
    }
    void limited(std::uint16_t /*server*/, const store::Problem& problem) override
    {
        m_limit = problem;
        if (m_status.state == service::LinkStatus::State::Online) {
            limitChanged();
        }
    }
};

} // namespace lockscope::wire
