#include "lab/run_view.h"

#include "lab/timeline_view.h"
#include "lab/verdict_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QSplitter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kVerdictCharacters = 52;

} // namespace

RunView::RunView(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"runView"_s);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(1);
    m_timeline = new TimelineView(parts);
    m_verdicts = new VerdictPanel(m_promises, m_story, parts);
    parts->addWidget(m_timeline);
    parts->addWidget(m_verdicts);
    parts->setStretchFactor(0, 1);
    m_verdicts->setMinimumWidth(fontMetrics().averageCharWidth() * kVerdictCharacters);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    connectParts();
}

RunView::~RunView()
{
    // The lists refer to the models, which are members, so they go first; what they still say while
    // they go concerns nobody any more.
    m_verdicts->disconnect(this);
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void RunView::connectParts()
{
    connect(m_verdicts, &VerdictPanel::promiseSelected, this, &RunView::promiseSelected);
    connect(m_verdicts, &VerdictPanel::lineSelected, this, &RunView::showTimeOf);
    connect(m_verdicts, &VerdictPanel::copyStoryRequested, this, &RunView::copyStory);
    connect(m_timeline, &TimelineView::timeChosen, this, [this](Instant time) {
        if (const int line = m_story.rowAt(time); line >= 0) {
            m_verdicts->selectLine(line);
        }
    });
}

void RunView::selectPromise(int row)
{
    m_verdicts->selectPromise(row);
}

void RunView::showRecord(models::RunRecord record, const QString& storyTitle)
{
    m_record = std::move(record);
    m_verdicts->setStoryTitle(storyTitle);
    m_story.show(m_record.run != nullptr ? m_record.run->story : std::vector<search::StoryLine>());
    if (m_record.chronicle == nullptr) {
        m_timeline->clear();
        return;
    }
    m_timeline->showChronicle(m_record.chronicle, m_record.names);
    m_verdicts->selectLine(m_story.rowCount() - 1);
}

void RunView::showTimeOf(int line)
{
    m_timeline->setCursorTime(line >= 0 ? std::optional(m_story.timeAt(line)) : std::nullopt);
}

void RunView::copyStory()
{
    QGuiApplication::clipboard()->setText(m_story.text());
}

} // namespace lockscope::widgets
