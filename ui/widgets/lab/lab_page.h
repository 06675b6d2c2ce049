#pragma once

#include "promise_list_model.h"
#include "protocol_list_model.h"
#include "search_runner.h"
#include "story_model.h"

#include <QWidget>

#include <optional>

class QStackedWidget;

namespace lockscope::widgets {

class LabBar;
class LabForm;
class TimelineView;
class VerdictPanel;

/// The laboratory: a protocol in a simulated world, the shortest way to break it as a picture and
/// as a story, and what became of its promises.
class LabPage : public QWidget {
    Q_OBJECT
public:
    struct Context {
        service::SearchRunner& searcher;
        models::ProtocolListModel& protocols;
    };

    explicit LabPage(Context context, QWidget* parent = nullptr);
    ~LabPage() override;

private:
    QWidget* createResults();
    QWidget* createEmptyState();
    void connectParts();

    void find();
    void showProgress(const service::SearchProgress& progress);
    void showReports();
    void showStoryOf(int row);
    void showTimeOf(int line);
    void copyStory();
    void copyCommand();

    Context m_context;
    std::optional<service::SearchOrder> m_order; // of the search that is shown
    models::PromiseListModel m_promises;
    models::StoryModel m_story;

    LabForm* m_form = nullptr;
    LabBar* m_bar = nullptr;
    QStackedWidget* m_stack = nullptr;
    QWidget* m_results = nullptr;
    TimelineView* m_timeline = nullptr;
    VerdictPanel* m_verdicts = nullptr;
};

} // namespace lockscope::widgets
