#pragma once

#include "ui/models/lab/promise_list_model.h"
#include "ui/models/lab/story_model.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QListView;
class QMenu;
class QPushButton;

namespace lockscope::widgets {

class ElidedLabel;

/// What a search came to: a line per promise, and the shortest story of the one that is selected,
/// to be walked through or played.
class VerdictPanel : public QWidget {
    Q_OBJECT
public:
    VerdictPanel(models::PromiseListModel& promises, models::StoryModel& story,
                 QWidget* parent = nullptr);

    /// Where the run can go.
    void setOutputMenu(QMenu* menu);
    /// The heading of the story.
    void setStoryTitle(const QString& title);
    void selectPromise(int row);
    void selectLine(int row);
    int selectedLine() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void promiseSelected(int row);
    void lineSelected(int row);

private:
    void createLists();
    void connectLists();
    QListView* createList(const QString& name, const QString& accessibleName);
    void createButtons();
    QPushButton* createButton(const QString& name, const QString& text, const QString& spoken);
    void step(int by);
    void setPlaying(bool isPlaying);
    void playOn();
    void refresh();

    models::PromiseListModel& m_promises;
    models::StoryModel& m_story;
    QListView* m_verdicts = nullptr;
    ElidedLabel* m_storyTitle = nullptr;
    QListView* m_lines = nullptr;
    QWidget* m_buttons = nullptr;
    QPushButton* m_outputs = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_forward = nullptr;
    QPushButton* m_play = nullptr;
    QComboBox* m_speed = nullptr;
    QTimer m_playing; // one step at a time
};

} // namespace lockscope::widgets
