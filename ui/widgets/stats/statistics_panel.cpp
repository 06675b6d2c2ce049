#include "ui/widgets/stats/statistics_panel.h"

#include "ui/models/charts/figure_charts.h"
#include "ui/models/contend/figures_text.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/controls/tile_board.h"
#include "ui/widgets/stats/chart_view.h"
#include "ui/widgets/style/palette_colors.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeView>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ComparisonModel;
using models::RunFigures;

namespace {

constexpr int kPanelMargin = 16;
constexpr int kChartMargin = 12; // the charts' own
constexpr int kWideCharacters = 100;
constexpr int kCompareCharactersMin = 12;
constexpr int kCompareCharactersMax = 90;
constexpr int kCompareListMargin = 32; // beside the titles in the list that folds out
constexpr int kMetricCharacters = 28;
constexpr int kValueCharacters = 20;
constexpr int kCellMargin = 16;
constexpr int kRowGap = 5;
constexpr int kLegendLine = 28;
constexpr int kLegendGap = 8;

/// Rows that have room to breathe.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, kRowGap);
    }
};

} // namespace

/// Which line of the charts is which run.
class StatisticsPanel::Legend : public QWidget {
public:
    explicit Legend(QWidget* parent = nullptr) : QWidget(parent)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void showRuns(const QString& ours, const QString& theirs)
    {
        m_ours = ours;
        m_theirs = theirs;
        const QString text =
            StatisticsPanel::tr("Solid: %1. Dashed and hatched: %2").arg(ours, theirs);
        setAccessibleName(text);
        setToolTip(text);
        update();
    }

    QSize sizeHint() const override
    {
        return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() + kLegendGap};
    }

    QSize minimumSizeHint() const override
    {
        return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() + kLegendGap};
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        const QColor text = palette().color(QPalette::WindowText);
        int left = 0;
        const auto addRun = [&](const QString& title, const QColor& color, Qt::PenStyle style) {
            painter.setPen(QPen(color, 2, style, Qt::FlatCap));
            const int middle = height() / 2;
            painter.drawLine(left, middle, left + kLegendLine, middle);
            left += kLegendLine + kLegendGap;
            const int room = width() / 2 - kLegendLine - 3 * kLegendGap;
            const QString shown = fontMetrics().elidedText(title, Qt::ElideMiddle, room);
            painter.setPen(text);
            painter.drawText(QRect(left, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter,
                             shown);
            left += fontMetrics().horizontalAdvance(shown) + 3 * kLegendGap;
        };
        addRun(m_ours, palette().color(QPalette::Link), Qt::SolidLine);
        addRun(m_theirs, mixed(text, palette().color(QPalette::Window), 0.75), Qt::DashLine);
    }

private:
    QString m_ours;
    QString m_theirs;
};

StatisticsPanel::StatisticsPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"statisticsPanel"_s);
    setAccessibleName(tr("Statistics"));
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(createEmptyState());
    m_stack->addWidget(createPage());
    createColumn(this, {}, 0,
                 {createBar(), createHairline(Qt::Horizontal, this), growing(m_stack)});
    connect(m_compare, &QComboBox::currentIndexChanged, this, &StatisticsPanel::refresh);
    connect(m_copyPicture, &QPushButton::clicked, this, &StatisticsPanel::copyPicture);
    connect(m_copyCsv, &QPushButton::clicked, this, &StatisticsPanel::copyCsv);
    clear();
    offerRuns();
}

QWidget* StatisticsPanel::createBar()
{
    auto* const bar = new QWidget(this);
    m_compare = new QComboBox(bar);
    m_compare->setObjectName(u"compareBox"_s);
    m_compare->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_compare->setMinimumContentsLength(kCompareCharactersMin);
    m_compare->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_compare->setMaximumWidth(fontMetrics().averageCharWidth() * kCompareCharactersMax);
    auto* const label = new QLabel(tr("Co&mpare with"), bar);
    label->setBuddy(m_compare);
    m_copyPicture = createButton(u"copyPictureButton"_s, tr("Copy &image"), bar,
                                 tr("Copy all numbers and charts as one image"));
    m_copyCsv = createButton(u"copyCsvButton"_s, tr("Copy CS&V"), bar,
                             tr("Copy all numbers and charts as a table, one line per value"));
    createRow(bar, {kPanelMargin, 8, kPanelMargin, 9}, 8,
              {label, growing(m_compare), room(0), m_copyPicture, m_copyCsv});
    return bar;
}

QWidget* StatisticsPanel::createEmptyState()
{
    m_empty = createQuietLabel({}, this);
    m_empty->setObjectName(u"statisticsEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    return m_empty;
}

QWidget* StatisticsPanel::createPage()
{
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setBackgroundRole(QPalette::Window);
    auto* const page = new QWidget(m_scroll);
    page->setAutoFillBackground(true);
    m_tiles = new TileBoard(page);
    m_tiles->setObjectName(u"statisticsTiles"_s);
    auto* layout = createColumn(page, {}, 0,
                                {createHead(page), createHairline(Qt::Horizontal, page), m_tiles,
                                 growing(createCharts(page))});
    auto* tableLine = createRow(nullptr, {kChartMargin, 0, kChartMargin, kPanelMargin},
                                kUsualSpacing, {createTable(page), room()});
    layout->addLayout(tableLine);
    m_scroll->setWidget(page);
    return m_scroll;
}

QWidget* StatisticsPanel::createHead(QWidget* page)
{
    auto* const head = new QWidget(page);
    m_title = new ElidedLabel(Qt::ElideMiddle, head);
    m_title->setObjectName(u"statisticsTitle"_s);
    m_range = createQuietLabel({}, head);
    m_range->setObjectName(u"statisticsRange"_s);
    m_caveat = createQuietLabel(
        tr("⚠ The recording is incomplete: these figures lack the missing events."), head);
    m_caveat->setObjectName(u"statisticsCaveat"_s);
    m_caveat->setWordWrap(true);
    m_legend = new Legend(head);
    m_legend->setObjectName(u"statisticsLegend"_s);
    auto* line = createRow(kPanelMargin, {growing(m_title), m_range});
    createColumn(head, {kChartMargin, 8, kChartMargin, 8}, 4, {line, m_caveat, m_legend});
    m_range->hide();
    return head;
}

QWidget* StatisticsPanel::createCharts(QWidget* page)
{
    auto* const area = new QWidget(page);
    m_grid = new QGridLayout(area);
    m_grid->setContentsMargins(0, 4, 0, 4);
    m_grid->setSpacing(4);
    for (const QString& name : {u"statisticsWaits"_s, u"statisticsRates"_s, u"statisticsShares"_s,
                                u"statisticsEffort"_s}) {
        m_charts.push_back(new ChartView(name, area));
    }
    return area;
}

QTreeView* StatisticsPanel::createTable(QWidget* page)
{
    m_table = new QTreeView(page);
    m_table->setObjectName(u"comparisonTable"_s);
    m_table->setAccessibleName(tr("Side-by-side comparison"));
    m_table->setModel(&m_comparison);
    makePanelList(*m_table);
    m_table->setRootIsDecorated(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setItemDelegate(new RowDelegate(m_table));
    QHeaderView* const header = m_table->header();
    header->setStretchLastSection(false);
    header->setSectionsMovable(false);
    const int character = fontMetrics().averageCharWidth();
    int width = 0;
    for (int column = 0; column < ComparisonModel::ColumnCount; ++column) {
        const bool isMetric = column == ComparisonModel::MetricColumn;
        header->resizeSection(column,
                              character * (isMetric ? kMetricCharacters : kValueCharacters));
        width += header->sectionSize(column);
    }
    m_table->setMinimumWidth(width);
    return m_table;
}

void StatisticsPanel::showFigures(RunFigures figures)
{
    const bool isOtherRun = !m_figures || m_figures->title != figures.title;
    m_figures = std::move(figures);
    if (isOtherRun) {
        offerRuns();
    }
    refresh();
}

void StatisticsPanel::clear()
{
    m_figures.reset();
    refresh();
}

void StatisticsPanel::setComparable(std::vector<RunFigures> runs)
{
    m_runs = std::move(runs);
    offerRuns();
    refresh();
}

void StatisticsPanel::setRangeText(const QString& text)
{
    m_range->setText(text);
    m_range->setVisible(!text.isEmpty());
}

void StatisticsPanel::offerRuns()
{
    const QSignalBlocker blocker(m_compare);
    const QString chosen = m_compare->currentIndex() > 0 ? m_compare->currentText() : QString();
    m_compare->clear();
    m_compare->addItem(tr("no other run"));
    for (int i = 0; i < static_cast<int>(m_runs.size()); ++i) {
        const QString& title = m_runs[static_cast<std::size_t>(i)].title;
        if (!m_figures || title != m_figures->title) {
            m_compare->addItem(title, i);
        }
    }
    // The box may be narrow; its list shows the whole titles.
    m_compare->view()->setMinimumWidth(m_compare->view()->sizeHintForColumn(0)
                                       + kCompareListMargin);
    m_compare->setCurrentIndex(std::max(chosen.isEmpty() ? 0 : m_compare->findText(chosen), 0));
    const bool isAny = m_compare->count() > 1;
    m_compare->setEnabled(isAny);
    m_compare->setToolTip(
        isAny ? tr("Select another run to compare in every chart and in a table of differences")
              : tr("There is no other run to compare with"));
}

const RunFigures* StatisticsPanel::chosenRun() const
{
    const QVariant index = m_compare->currentData();
    return m_figures && index.isValid() ? &m_runs[index.toUInt()] : nullptr;
}

void StatisticsPanel::refresh()
{
    const bool hasFigures = m_figures && !m_figures->isEmpty();
    m_stack->setCurrentWidget(hasFigures ? static_cast<QWidget*>(m_scroll) : m_empty);
    m_empty->setText(m_figures ? tr("No contender requested a lock in this run.")
                               : tr("No run yet. Start one to see its statistics."));
    m_copyPicture->setEnabled(hasFigures);
    m_copyCsv->setEnabled(hasFigures);
    m_isStale = hasFigures && !isVisible();
    if (!hasFigures || m_isStale) {
        return;
    }
    const RunFigures* const other = chosenRun();
    m_title->setFullText(m_figures->title);
    m_caveat->setVisible(!m_figures->isExact || (other != nullptr && !other->isExact));
    m_tiles->showTiles(models::figureTiles(*m_figures));
    refreshComparison(other);
    refreshCharts(other);
}

void StatisticsPanel::refreshComparison(const RunFigures* other)
{
    m_legend->setVisible(other != nullptr);
    m_table->setVisible(other != nullptr);
    if (other == nullptr) {
        m_comparison.clear();
        return;
    }
    m_legend->showRuns(m_figures->title, other->title);
    const auto headOf = [this](const QString& title) {
        const int room = m_table->header()->sectionSize(ComparisonModel::OursColumn) - kCellMargin;
        return fontMetrics().elidedText(title, Qt::ElideMiddle, room);
    };
    m_comparison.showRows(models::comparisonRows(*m_figures, *other), headOf(m_figures->title),
                          headOf(other->title));
    // All rows are seen at once: it is the page that scrolls.
    m_table->setFixedHeight(m_table->header()->sizeHint().height()
                            + m_comparison.rowCount() * m_table->sizeHintForRow(0) + kPanelMargin);
}

void StatisticsPanel::refreshCharts(const RunFigures* other)
{
    const std::vector contents{models::waitChart(*m_figures, other),
                               models::rateChart(*m_figures, other),
                               models::shareChart(*m_figures, other),
                               models::effortChart(*m_figures, other)};
    const QString theirs = other != nullptr ? other->title : QString();
    for (std::size_t i = 0; i < contents.size(); ++i) {
        m_charts[i]->showContent(contents[i], m_figures->title, theirs);
    }
}

void StatisticsPanel::arrangeCharts()
{
    const int columns = width() >= fontMetrics().averageCharWidth() * kWideCharacters ? 2 : 1;
    const bool isTwoColumned = m_grid->itemAtPosition(0, 1) != nullptr;
    if (m_grid->count() > 0 && isTwoColumned == (columns == 2)) {
        return;
    }
    for (int i = 0; i < static_cast<int>(m_charts.size()); ++i) {
        ChartView* const chart = m_charts[static_cast<std::size_t>(i)];
        m_grid->removeWidget(chart);
        m_grid->addWidget(chart, i / columns, i % columns);
    }
}

void StatisticsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeCharts();
}

void StatisticsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale) {
        refresh();
    }
}

void StatisticsPanel::copyPicture()
{
    QGuiApplication::clipboard()->setPixmap(m_scroll->widget()->grab());
}

void StatisticsPanel::copyCsv()
{
    QGuiApplication::clipboard()->setText(models::figuresCsv(*m_figures, chosenRun()));
}

} // namespace lockscope::widgets
