#pragma once

#include "core/kernel/exports/export_format.h"
#include "ui/models/contend/run_figures.h"
#include "ui/models/lab/promise_list_model.h"
#include "ui/models/lab/run_record.h"
#include "ui/models/lab/story_model.h"
#include "ui/models/timeline/event_list_model.h"
#include "ui/models/timeline/growing_drawing.h"

#include <QWidget>

#include <optional>
#include <vector>

class QTabWidget;

namespace lockscope::widgets {

class EventTable;
class Prompter;
class StatisticsPanel;
class TimelinePanel;
class VerdictPanel;

/// One run, looked at from all sides: its promises and its story at the right, at the left how it
/// went over time, what happened, and in figures. What is selected in one place is selected in all,
/// and a range of time that is marked counts everywhere. The caller decides what is shown.
class RunView : public QWidget {
    Q_OBJECT
public:
    explicit RunView(Prompter& prompter, QWidget* parent = nullptr);
    ~RunView() override;

    /// What tells it from other runs.
    void setTitle(const QString& title) { m_title = title; }
    /// What does the same on the command line; empty: nothing does.
    void setCommand(const QString& command) { m_command = command; }
    QString command() const { return m_command; }

    models::PromiseListModel& promises() { return m_promises; }
    void selectPromise(int row);

    /// Shows a run from its beginning to its end; the last line of its story is selected.
    void showRecord(models::RunRecord record, const QString& storyTitle);
    /// The same of a run that has been drawn already.
    void showDrawn(models::RunRecord record, models::RunDrawing drawing, const QString& storyTitle);
    /// A run that goes on, as it is drawn now: what is looked at stays.
    void showProgress(models::RunRecord record, models::RunDrawing drawing);
    models::TimelineSetup timelineSetup() const;
    const models::RunRecord& record() const { return m_record; }
    /// What is known of the run by now; what is looked at stays.
    void showAssumptions(std::vector<std::string> assumptions, const QString& storyTitle);
    /// Of the story that is shown. It is saved with the run.
    void showTurningPoint(const search::TurningPoint& turn);

    /// What many runs came to together, of which the record is one.
    void setTotals(const trace::RunStatistics& totals);

    /// The figures of the whole run.
    models::RunFigures figures() const;
    void setComparable(std::vector<models::RunFigures> runs);

Q_SIGNALS:
    void promiseSelected(int row);

private:
    QWidget* createSides();
    void connectParts();
    void connectTimes();
    void connectOutputs();

    void takeRecord(models::RunRecord record,
                    std::optional<std::vector<models::EventRow>> rows = std::nullopt);
    void showStory(const QString& title);
    void showAxis(bool isInSteps);
    void takeTimelinePlace(Instant place);
    std::optional<Instant> timeOf(std::optional<Instant> place) const;
    std::optional<models::VisibleRange> selectedTimes() const;
    Instant placeOf(int line) const;
    void showTimeOf(int line);
    void goTo(Instant place);
    void takeRange();
    void refreshFigures();
    QStringList contenderNames() const;

    std::shared_ptr<const report::RunFile> wholeRun() const;
    void copyStory();
    void saveRun();
    void exportRun(exports::ExportFormat format);
    void savePicture(const QString& suffix);
    void write(const QString& path, const std::string& content);
    void complain(const QString& text);
    QString fileName(const QString& suffix) const;

    Prompter& m_prompter;
    bool m_isTimelineLeading = false; // what is selected elsewhere follows it
    QString m_title;
    QString m_command;
    models::PromiseListModel m_promises;
    models::StoryModel m_story;
    models::EventListModel m_events;
    models::RunRecord m_record;
    std::optional<trace::RunStatistics> m_totals;
    std::optional<search::TurningPoint> m_turningPoint; // of the record

    QTabWidget* m_sides = nullptr;
    TimelinePanel* m_timeline = nullptr;
    bool m_isInSteps = false; // the timeline, and nothing else
    EventTable* m_table = nullptr;
    StatisticsPanel* m_statistics = nullptr;
    VerdictPanel* m_verdicts = nullptr;
};

} // namespace lockscope::widgets
