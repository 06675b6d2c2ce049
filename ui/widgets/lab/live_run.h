#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/report/run/live_record.h"
#include "core/service/live_runner.h"
#include "ui/models/timeline/growing_drawing.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>
#include <string>

namespace lockscope::widgets {

class RunView;

/// A live run in a view, while it is going on and afterwards. Lives as long as the view; a run that
/// is still going on then is stopped. However long the run, it is drawn in the background, and with
/// a fifth of one core at most.
class LiveRun : public QObject {
    Q_OBJECT
public:
    /// Starts it. `ownText`: the file of a protocol of the user's own.
    LiveRun(RunView& view, service::LiveRunner& runner, workload::LiveRunOrder order,
            std::string ownText);
    ~LiveRun() override;

private:
    void takeProgress(const workload::LiveRunProgress& progress);
    void draw(const workload::LiveRunProgress& progress);
    void showDrawing();
    void showWhole(const workload::LiveRunProgress& progress);
    report::RunFile runSoFar(const workload::LiveRunProgress& progress,
                             report::LiveObservations observations) const;

    RunView& m_view;
    service::LiveRunner& m_runner;
    workload::LiveRunOrder m_order;
    std::string m_ownText;
    std::optional<models::GrowingDrawing> m_drawing; // from the first moment of running
    QFutureWatcher<models::RunDrawing> m_drawn;
    std::optional<Instant> m_drawnAt; // when the latest one was begun
    Duration m_pause;                 // until the next one begins
    bool m_isOver = false;
};

} // namespace lockscope::widgets
