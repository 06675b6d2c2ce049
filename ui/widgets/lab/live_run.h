#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/report/run/live_record.h"
#include "core/service/live_runner.h"
#include "ui/models/lab/run_record.h"
#include "ui/models/timeline/growing_drawing.h"

#include <QFutureWatcher>
#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace lockscope::widgets {

class RunView;

/// A live run in a view, while it is going on and afterwards. Lives as long as the view; a run that
/// is still going on then is stopped. However long the run, it is drawn in the background: with a
/// fifth of one core at most while it goes on, and all of it once more when it is over.
class LiveRun : public QObject {
    Q_OBJECT
public:
    /// Starts it. `ownText`: the file of a protocol of the user's own.
    LiveRun(RunView& view, service::LiveRunner& runner, workload::LiveRunOrder order,
            std::string ownText);
    ~LiveRun() override;

private:
    /// What is run, which makes a file of what was seen of it. Any thread.
    struct Subject {
        workload::LiveRunOrder order;
        std::string ownText;
        std::string command;

        report::RunFile fileOf(const workload::LiveRunProgress& progress,
                               report::LiveObservations observations) const;
    };
    /// All that was seen of a run that is over.
    struct Seen {
        workload::LiveRunProgress progress;
        std::vector<trace::Event> events;
        std::vector<trace::ServerHold> serverHolds;
    };
    struct Whole {
        models::RunRecord record;
        models::RunDrawing drawing; // of nothing, when nothing happened
    };

    void takeProgress(const workload::LiveRunProgress& progress);
    void draw(const workload::LiveRunProgress& progress);
    void showDrawing();
    void drawWhole(const workload::LiveRunProgress& progress);
    void showWhole();
    report::RunFile runSoFar() const;

    RunView& m_view;
    service::LiveRunner& m_runner;
    Subject m_subject;
    std::optional<models::GrowingDrawing> m_drawing; // from the first moment of running
    QFutureWatcher<models::RunDrawing> m_drawn;
    std::optional<Instant> m_drawnAt;   // when the latest one was begun
    Duration m_pause;                   // until the next one begins
    std::shared_ptr<const Seen> m_seen; // once it is over
    QFutureWatcher<Whole> m_whole;
};

} // namespace lockscope::widgets
