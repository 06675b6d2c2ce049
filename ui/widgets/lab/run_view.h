#pragma once

#include "promise_list_model.h"
#include "run_record.h"
#include "story_model.h"

#include <QWidget>

namespace lockscope::widgets {

class TimelineView;
class VerdictPanel;

/// One run, looked at from all sides: its promises and its story at the right, at the left how it
/// went over time. What is selected in one place is selected in all. What is shown comes from
/// whoever ran it.
class RunView : public QWidget {
    Q_OBJECT
public:
    explicit RunView(QWidget* parent = nullptr);
    ~RunView() override;

    /// What does the same on the command line; empty: nothing does.
    void setCommand(const QString& command) { m_command = command; }
    QString command() const { return m_command; }

    models::PromiseListModel& promises() { return m_promises; }
    void selectPromise(int row);

    /// Shows a run from its beginning to its end; the last line of its story is selected.
    void showRecord(models::RunRecord record, const QString& storyTitle);
    const models::RunRecord& record() const { return m_record; }
    /// Of the story that is shown.
    void showTurningPoint(const search::TurningPoint& turn) { m_story.setTurningPoint(turn); }

Q_SIGNALS:
    void promiseSelected(int row);

private:
    void connectParts();
    void showTimeOf(int line);
    void copyStory();

    QString m_command;
    models::PromiseListModel m_promises;
    models::StoryModel m_story;
    models::RunRecord m_record;

    TimelineView* m_timeline = nullptr;
    VerdictPanel* m_verdicts = nullptr;
};

} // namespace lockscope::widgets
