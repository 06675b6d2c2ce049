#pragma once

#include "promise_list_model.h"
#include "story_model.h"

#include <QWidget>

class QLabel;
class QListView;
class QPushButton;

namespace lockscope::widgets {

/// What a search came to: a line per promise, and the shortest story of the one that is selected.
class VerdictPanel : public QWidget {
    Q_OBJECT
public:
    VerdictPanel(models::PromiseListModel& promises, models::StoryModel& story,
                 QWidget* parent = nullptr);

    /// The heading of the story.
    void setStoryTitle(const QString& title);
    void selectPromise(int row);
    void selectLine(int row);
    int selectedLine() const;

Q_SIGNALS:
    void promiseSelected(int row);
    void lineSelected(int row);
    void copyStoryRequested();

private:
    QListView* createList(const QString& name, const QString& accessibleName);
    void createButtons();
    void step(int by);
    void refresh();

    models::PromiseListModel& m_promises;
    models::StoryModel& m_story;
    QListView* m_verdicts = nullptr;
    QLabel* m_storyTitle = nullptr;
    QListView* m_lines = nullptr;
    QWidget* m_buttons = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_forward = nullptr;
};

} // namespace lockscope::widgets
