#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/service/lock_monitor.h"

#include <QObject>

#include <string>
#include <vector>

namespace lockscope::wire {

/// Watches what one endpoint leads to: a server, or all masters of a cluster. Runs on one thread.
class EndpointWatch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

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
};

} // namespace lockscope::wire
