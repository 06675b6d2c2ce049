#include "lab/lab_page.h"

#include "formatting.h"
#include "lab/lab_bar.h"
#include "lab/lab_form.h"
#include "lab/timeline_view.h"
#include "lab/verdict_panel.h"
#include "locks/empty_state.h"
#include "search/recorded_run.h"
#include "shell/labels.h"
#include "sim/lua_engine.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <memory>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using service::SearchProgress;

namespace {

constexpr int kFormCharacters = 48;
constexpr int kVerdictCharacters = 52;

models::TimelineNames namesIn(const world::WorldPlan& plan)
{
    models::TimelineNames names;
    names.contender = [](trace::ContenderId contender) {
        return models::toQString(world::clientName(static_cast<int>(contender)));
    };
    names.lock = [plan](trace::LockId lock) { return models::toQString(plan.keyName(lock)); };
    return names;
}

} // namespace

LabPage::LabPage(Context context, QWidget* parent) : QWidget(parent), m_context(context)
{
    setObjectName(u"labPage"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_form = new LabForm(m_context.protocols, this);
    layout->addWidget(createFormColumn(m_form, u"labFormArea"_s, kFormCharacters, this));
    layout->addWidget(createHairline(Qt::Vertical, this));
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    m_bar = new LabBar(this);
    right->addWidget(m_bar);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(createEmptyState());
    m_results = createResults();
    m_stack->addWidget(m_results);
    right->addWidget(m_stack, 1);
    layout->addLayout(right, 1);
    connectParts();
}

LabPage::~LabPage()
{
    // The lists refer to the models, which are members, so they go first; what they still say while
    // they go concerns nobody any more.
    m_verdicts->disconnect(this);
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* LabPage::createEmptyState()
{
    auto* empty = new EmptyState(this);
    EmptyText text;
    text.headline = tr("See how a lock breaks");
    text.text =
        tr("Choose a protocol and press Find a way to break it: its own code and scripts run "
           "in a simulated world, where everything may go wrong at the worst moment. No "
           "server is needed.");
    empty->showText(text);
    return empty;
}

QWidget* LabPage::createResults()
{
    auto* results = new QSplitter(Qt::Horizontal, this);
    results->setObjectName(u"labResults"_s);
    results->setChildrenCollapsible(false);
    results->setHandleWidth(1);
    m_timeline = new TimelineView(results);
    m_verdicts = new VerdictPanel(m_promises, m_story, results);
    results->addWidget(m_timeline);
    results->addWidget(m_verdicts);
    results->setStretchFactor(0, 1);
    m_verdicts->setMinimumWidth(fontMetrics().averageCharWidth() * kVerdictCharacters);
    return results;
}

void LabPage::connectParts()
{
    connect(m_bar, &LabBar::findRequested, this, &LabPage::find);
    connect(m_bar, &LabBar::cancelRequested, &m_context.searcher, &service::SearchRunner::cancel);
    connect(m_bar, &LabBar::copyCommandRequested, this, &LabPage::copyCommand);
    connect(m_verdicts, &VerdictPanel::promiseSelected, this, &LabPage::showStoryOf);
    connect(m_verdicts, &VerdictPanel::lineSelected, this, &LabPage::showTimeOf);
    connect(m_verdicts, &VerdictPanel::copyStoryRequested, this, &LabPage::copyStory);
    connect(m_timeline, &TimelineView::timeChosen, this, [this](Instant time) {
        if (const int line = m_story.rowAt(time); line >= 0) {
            m_verdicts->selectLine(line);
        }
    });
    connect(&m_context.searcher, &service::SearchRunner::progressed, this, &LabPage::showProgress);
}

void LabPage::find()
{
    m_order = models::orderOf(m_form->draft());
    m_promises.clear(); // it refers to the reports of the search before
    m_story.show({});
    m_timeline->clear();
    m_context.searcher.start(*m_order);
}

void LabPage::showProgress(const SearchProgress& progress)
{
    if (!m_order) {
        return; // of a search that somebody else ordered
    }
    m_bar->showProgress(progress);
    if (progress.isOver()) {
        showReports();
    }
}

void LabPage::showReports()
{
    m_promises.show(m_context.searcher.reports());
    m_stack->setCurrentWidget(m_results);
    if (const int row = m_promises.headlineRow(); row >= 0) {
        m_verdicts->selectPromise(row);
    }
}

void LabPage::showStoryOf(int row)
{
    const report::CellVerdict* const shown = m_promises.verdictAt(row);
    if (shown == nullptr) {
        m_story.show({});
        m_timeline->clear();
        return;
    }
    const search::Finding& finding = *shown->result.finding;
    m_verdicts->setStoryTitle(tr("Shortest story · %1")
                                  .arg(models::countedText(finding.length, tr("step"),
                                                           tr("steps"))));
    m_story.show(shown->story);
    sim::LuaEngine lua;
    auto run = search::recordRun(*m_order->tasks.front().protocol, shown->plan, finding.steps, lua);
    m_timeline->showChronicle(std::make_shared<const trace::Chronicle>(std::move(run.chronicle)),
                              namesIn(shown->plan));
    m_verdicts->selectLine(m_story.rowCount() - 1);
}

void LabPage::showTimeOf(int line)
{
    m_timeline->setCursorTime(line >= 0 ? std::optional(m_story.timeAt(line)) : std::nullopt);
}

void LabPage::copyStory()
{
    QGuiApplication::clipboard()->setText(m_story.text());
}

void LabPage::copyCommand()
{
    QGuiApplication::clipboard()->setText(m_form->command());
}

} // namespace lockscope::widgets
