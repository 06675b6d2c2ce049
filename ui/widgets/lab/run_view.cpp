#include "ui/widgets/lab/run_view.h"

#include "ui/models/formatting.h"
#include "ui/models/timeline/step_axis.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/lab/verdict_panel.h"
#include "ui/widgets/stats/statistics_panel.h"
#include "ui/widgets/timeline/event_table.h"
#include "ui/widgets/timeline/timeline_panel.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::RunFigures;
using models::VisibleRange;

RunView::RunView(Prompter& prompter, QWidget* parent) : QWidget(parent), m_prompter(prompter)
{
    setObjectName(u"runView"_s);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(1);
    parts->addWidget(createSides());
    m_verdicts = new VerdictPanel(m_promises, m_story, parts);
    parts->addWidget(m_verdicts);
    parts->setStretchFactor(0, 1);
    setFocusProxy(m_verdicts); // its story: the arrow keys step through it
    createRow(this, {}, kUsualSpacing, {parts});
    connectParts();
    connectTimes();
    connectOutputs();
}

RunView::~RunView()
{
    // The lists refer to the models, which are members, so they go first; what they still say while
    // they go is of no use any more.
    m_verdicts->disconnect(this);
    m_table->disconnect(this);
    m_sides->disconnect(this);
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

QWidget* RunView::createSides()
{
    m_sides = new QTabWidget(this);
    m_sides->setObjectName(u"runSides"_s);
    m_sides->setAccessibleName(tr("Views of the run"));
    m_sides->setDocumentMode(true);
    m_timeline = new TimelinePanel(m_sides);
    m_table = new EventTable(m_events, m_sides);
    m_statistics = new StatisticsPanel(m_sides);
    m_sides->addTab(m_timeline, tr("Timeline"));
    m_sides->addTab(m_table, tr("Events"));
    m_sides->addTab(m_statistics, tr("Statistics"));
    return m_sides;
}

void RunView::connectParts()
{
    connect(m_verdicts, &VerdictPanel::promiseSelected, this, &RunView::promiseSelected);
    connect(m_verdicts, &VerdictPanel::lineSelected, this, &RunView::showTimeOf);
    connect(m_sides, &QTabWidget::currentChanged, this, &RunView::refreshFigures);
}

void RunView::connectTimes()
{
    TimelineView* const view = &m_timeline->view();
    connect(m_timeline, &TimelinePanel::axisChosen, this, [this](bool isInSteps) {
        showAxis(isInSteps);
        showTimeOf(m_verdicts->selectedLine());
    });
    connect(view, &TimelineView::timeChosen, this, &RunView::takeTimelinePlace);
    connect(view, &TimelineView::selectionChanged, this, &RunView::takeRange);
    connect(view, &TimelineView::timeReferenceChanged, this,
            [this, view] { m_events.setTimeReference(timeOf(view->timeReference())); });
    connect(m_table, &EventTable::timeChosen, this, [this, view](Instant time) {
        const models::EventRow event = m_events.eventAt(m_table->currentIndex().row());
        const Instant place = m_isInSteps
                                  ? models::stepOf(event, *m_record.inSteps, m_record.run->steps)
                                  : time;
        goTo(place);
        view->setCursorTime(place);
        view->reveal(place);
    });
    connect(m_table, &EventTable::messageChosen, this,
            [view](int message) { view->selectMessage(static_cast<std::size_t>(message)); });
}

void RunView::connectOutputs()
{
    using exports::ExportFormat;
    auto* const menu = new QMenu(this);
    menu->setObjectName(u"runOutputMenu"_s);
    const auto add = [this, menu](const QString& name, const QString& text, auto act) {
        menu->addAction(text, this, act)->setObjectName(name);
    };
    const auto addExport = [this, &add](ExportFormat format, const QString& text) {
        add(models::toQString(idOf(format)) + u"Export", text,
            [this, format] { exportRun(format); });
    };
    add(u"copyStory"_s, tr("Copy the &story"), [this] { copyStory(); });
    menu->addSeparator();
    add(u"saveRun"_s, tr("Save the &run…"), [this] { saveRun(); });
    menu->addSeparator();
    addExport(ExportFormat::Markdown, tr("Story for a &ticket (Markdown)…"));
    addExport(ExportFormat::Perfetto, tr("&Perfetto or Chrome trace…"));
    addExport(ExportFormat::ShiViz, tr("Shi&Viz log…"));
    addExport(ExportFormat::Csv, tr("&Intervals (CSV)…"));
    menu->addSeparator();
    add(u"pngPicture"_s, tr("Timeline as P&NG…"), [this] { savePicture(u"png"_s); });
    add(u"svgPicture"_s, tr("Timeline as SV&G…"), [this] { savePicture(u"svg"_s); });
    m_verdicts->setOutputMenu(menu);
}

void RunView::selectPromise(int row)
{
    m_verdicts->selectPromise(row);
}

void RunView::showRecord(models::RunRecord record, const QString& storyTitle)
{
    takeRecord(std::move(record));
    m_story.show(m_record.run != nullptr ? m_record.run->story : std::vector<search::StoryLine>());
    showAxis(m_record.inSteps != nullptr && m_story.isInstant());
    showStory(storyTitle);
}

void RunView::showAxis(bool isInSteps)
{
    m_isInSteps = isInSteps;
    m_timeline->setAxis(m_record.inSteps != nullptr, isInSteps);
    m_timeline->view().showChronicle(isInSteps ? m_record.inSteps : m_record.chronicle,
                                     m_record.names);
}

/// A click on the timeline, which shows what was clicked.
void RunView::takeTimelinePlace(Instant place)
{
    m_table->selectTime(timeOf(place).value_or(place));
    m_isTimelineLeading = true;
    goTo(place);
    m_isTimelineLeading = false;
}

/// Of a place on the timeline.
std::optional<Instant> RunView::timeOf(std::optional<Instant> place) const
{
    return place && m_isInSteps ? std::optional(models::timeOfStep(*place, m_record.run->steps))
                                : place;
}

/// Of a line of the story, on the timeline.
Instant RunView::placeOf(int line) const
{
    return m_isInSteps ? trace::instantOfStep(m_story.stepAt(line)) : m_story.timeAt(line);
}

/// The marked range of the timeline, as times.
std::optional<VisibleRange> RunView::selectedTimes() const
{
    const std::optional<VisibleRange> range = m_timeline->view().selection();
    return range && m_isInSteps ? std::optional(models::timesOf(*range, m_record.run->steps))
                                : range;
}

void RunView::showDrawn(models::RunRecord record, models::RunDrawing drawing,
                        const QString& storyTitle)
{
    takeRecord(std::move(record), std::move(drawing.rows));
    m_isInSteps = false;
    m_timeline->setAxis(m_record.inSteps != nullptr, false);
    m_timeline->view().showDrawing(std::move(drawing), m_record.names);
    showStory(storyTitle);
}

void RunView::showStory(const QString& title)
{
    m_verdicts->setStoryTitle(title);
    m_story.show(m_record.run != nullptr ? m_record.run->story : std::vector<search::StoryLine>());
    if (m_turningPoint) {
        m_story.setTurningPoint(*m_turningPoint);
    }
    if (m_record.chronicle != nullptr) {
        m_verdicts->selectLine(m_story.rowCount() - 1);
    }
}

void RunView::showAssumptions(std::vector<std::string> assumptions, const QString& storyTitle)
{
    report::RunFile run = *m_record.run;
    run.assumptions = std::move(assumptions);
    m_record.run = std::make_shared<const report::RunFile>(std::move(run));
    m_verdicts->setStoryTitle(storyTitle);
}

void RunView::showTurningPoint(const search::TurningPoint& turn)
{
    m_turningPoint = turn;
    m_story.setTurningPoint(turn);
}

void RunView::showProgress(models::RunRecord record, models::RunDrawing drawing)
{
    const bool isFirst = m_record.chronicle == nullptr;
    record.chronicle = drawing.chronicle;
    if (isFirst) {
        showDrawn(std::move(record), std::move(drawing), {});
        m_timeline->setLive(true);
        m_timeline->view().setFollowing(true);
        return;
    }
    takeRecord(std::move(record), std::move(drawing.rows));
    m_timeline->view().updateDrawing(std::move(drawing));
}

models::TimelineSetup RunView::timelineSetup() const
{
    return m_timeline->view().setup();
}

void RunView::takeRecord(models::RunRecord record,
                         std::optional<std::vector<models::EventRow>> rows)
{
    m_record = std::move(record);
    m_turningPoint = m_record.run != nullptr ? m_record.run->turningPoint : std::nullopt;
    m_events.show(m_record.chronicle, m_record.names, std::move(rows));
    refreshFigures();
}

void RunView::setTotals(const trace::RunStatistics& totals)
{
    m_totals = totals;
    refreshFigures();
}

QStringList RunView::contenderNames() const
{
    QStringList names;
    for (int i = 0; i < m_record.contenderCount(); ++i) {
        names += m_record.names.contender(static_cast<trace::ContenderId>(i));
    }
    return names;
}

RunFigures RunView::figures() const
{
    RunFigures figures;
    if (m_totals) {
        figures = models::figuresOf(*m_totals, contenderNames());
    } else if (m_record.run != nullptr && m_record.run->statistics) {
        figures = models::figuresOf(*m_record.run->statistics, contenderNames());
        figures.isExact = m_record.run->droppedEventCount == 0;
        if (m_record.chronicle != nullptr) {
            figures.rates = models::ratesOf(*m_record.chronicle,
                                            models::wholeOf(*m_record.chronicle));
        }
    } else if (m_record.chronicle != nullptr) {
        figures = models::figuresOf(*m_record.chronicle, std::nullopt, m_record.names,
                                    m_record.contenderCount());
    }
    figures.title = m_title;
    figures.commandLine = m_command;
    return figures;
}

void RunView::setComparable(std::vector<RunFigures> runs)
{
    m_statistics->setComparable(std::move(runs));
}

/// Counting takes as long as the run has spans: only what is seen is counted.
void RunView::refreshFigures()
{
    if (m_sides->currentWidget() != m_statistics) {
        return;
    }
    const std::optional<VisibleRange> range = selectedTimes();
    if (!range || m_record.chronicle == nullptr) {
        m_statistics->showFigures(figures());
        m_statistics->setRangeText({});
        return;
    }
    RunFigures figures = models::figuresOf(*m_record.chronicle, range, m_record.names,
                                           m_record.contenderCount());
    figures.title = m_title;
    figures.commandLine = m_command;
    m_statistics->showFigures(std::move(figures));
    m_statistics->setRangeText(tr("%1 to %2")
                                   .arg(models::exactTimeText(range->from - Instant()),
                                        models::exactTimeText(range->to - Instant())));
}

void RunView::takeRange()
{
    m_events.setRange(selectedTimes());
    refreshFigures();
}

void RunView::showTimeOf(int line)
{
    if (line < 0) {
        m_timeline->view().setCursorTime(std::nullopt);
        return;
    }
    m_timeline->view().setCursorTime(placeOf(line));
    if (!m_isTimelineLeading) {
        m_timeline->view().reveal(placeOf(line));
    }
    m_table->selectTime(m_story.timeAt(line));
}

/// To the line of the story at a place on the timeline.
void RunView::goTo(Instant place)
{
    const int line = m_isInSteps ? m_story.rowAtStep(
                         static_cast<std::uint32_t>(place.time_since_epoch().count()))
                                 : m_story.rowAt(place);
    if (line >= 0) {
        m_verdicts->selectLine(line);
    }
}

std::shared_ptr<const report::RunFile> RunView::wholeRun() const
{
    if (m_record.whole) {
        return std::make_shared<const report::RunFile>(m_record.whole());
    }
    if (!m_turningPoint || m_record.run == nullptr) {
        return m_record.run;
    }
    report::RunFile run = *m_record.run;
    run.turningPoint = m_turningPoint;
    return std::make_shared<const report::RunFile>(std::move(run));
}

void RunView::copyStory()
{
    QGuiApplication::clipboard()->setText(m_story.text());
}

QString RunView::fileName(const QString& suffix) const
{
    const QString protocol = m_record.run != nullptr
                                 ? models::toQString(m_record.run->protocol.info().id)
                                 : QString();
    return protocol + suffix;
}

void RunView::saveRun()
{
    if (m_record.run == nullptr) {
        return;
    }
    m_prompter.chooseSaveFile(
        this, {tr("Save the run"), tr("Runs (*.run.cbor)"), fileName(u".run.cbor"_s)},
        [this](const QString& path) { write(path, report::runFileText(*wholeRun())); });
}

void RunView::exportRun(exports::ExportFormat format)
{
    if (m_record.run == nullptr) {
        return;
    }
    const QString suffix = models::toQString(suffixOf(format));
    m_prompter.chooseSaveFile(this,
                              {tr("Export the run"), tr("Exported run (*%1)").arg(suffix),
                               fileName(suffix)},
                              [this, format](const QString& path) {
                                  write(path, exports::exported(*wholeRun(), format));
                              });
}

void RunView::savePicture(const QString& suffix)
{
    m_prompter.chooseSaveFile(this,
                              {tr("Save the timeline"), tr("Images (*.%1)").arg(suffix),
                               fileName(u'.' + suffix)},
                              [this](const QString& path) {
                                  if (!m_timeline->view().savePicture(path)) {
                                      complain(tr("Could not save the image to %1.").arg(path));
                                  }
                              });
}

void RunView::write(const QString& path, const std::string& content)
{
    const QString error = models::writeFile(path, QByteArray::fromStdString(content));
    if (!error.isEmpty()) {
        complain(error);
    }
}

void RunView::complain(const QString& text)
{
    m_prompter.tell(this, tr("Could not save the file"), text);
}

} // namespace lockscope::widgets
