#pragma once

#include "core/service/live_runner.h"

#include <QObject>

#include <string>

namespace lockscope::widgets {

class RunView;

/// A live run in a view, while it is going on and afterwards. Lives as long as the view; a run that
/// is still going on then is stopped.
class LiveRun : public QObject {
    Q_OBJECT
public:
    /// Starts it. `ownText`: the file of a protocol of the user's own.
    LiveRun(RunView& view, service::LiveRunner& runner, workload::LiveRunOrder order,
            std::string ownText);
    ~LiveRun() override;

private:
    void takeProgress(const workload::LiveRunProgress& progress);
    void show(const workload::LiveRunProgress& progress);

    RunView& m_view;
    service::LiveRunner& m_runner;
    workload::LiveRunOrder m_order;
    std::string m_ownText;
    Duration m_shownAt{0}; // of the run, when the picture was last drawn
    bool m_isOver = false;
};

} // namespace lockscope::widgets
