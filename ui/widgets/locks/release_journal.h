#pragma once

#include "activity_model.h"
#include "release_desk.h"

#include <QObject>

#include <functional>
#include <unordered_map>

namespace lockscope::widgets {

/// Writes our own attempts into the activity log: that they were made, what became of them, who
/// came next. It goes on when the dialog that made the attempt is closed.
class ReleaseJournal : public QObject {
    Q_OBJECT
public:
    ReleaseJournal(service::ReleaseDesk& desk, models::ActivityModel& activity,
                   std::function<WallTime()> wallNow, QObject* parent = nullptr);

    /// The plan was sent under this number; its answers will follow.
    void noteAttempt(quint64 request, const inspect::ReleasePlan& plan);

private:
    void noteReport(quint64 request, const inspect::ReleaseReport& report);
    void noteAftermath(quint64 request, const inspect::Aftermath& aftermath);
    void write(const inspect::ReleasePlan& plan, const QString& text);

    models::ActivityModel& m_activity;
    std::function<WallTime()> m_wallNow;
    std::unordered_map<quint64, inspect::ReleasePlan> m_open;
};

} // namespace lockscope::widgets
