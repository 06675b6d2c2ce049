#pragma once

#include "live_runner.h"

#include <QElapsedTimer>
#include <QObject>

namespace lockscope::widgets {

class RunView;

/// A live run in a view, while it is going on and afterwards. Lives as long as the view; a run that
/// is still going on then is stopped.
class LiveRun : public QObject {
    Q_OBJECT
public:
    /// Starts it.
    LiveRun(RunView& view, service::LiveRunner& runner, service::LiveRunOrder order);
    ~LiveRun() override;

private:
    void take(const service::LiveRunProgress& progress);
    void show(const service::LiveRunProgress& progress);
    void showVerdicts(const service::LiveRunProgress& progress);

    RunView& m_view;
    service::LiveRunner& m_runner;
    service::LiveRunOrder m_order;
    QElapsedTimer m_shown; // since the picture was last drawn
    bool m_isOver = false;
};

} // namespace lockscope::widgets
