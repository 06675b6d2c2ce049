#pragma once

#include "ui/models/contend/comparison_model.h"
#include "ui/models/contend/run_figures.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTreeView;

namespace lockscope::widgets {

class ChartView;
class ElidedLabel;
class TileBoard;

/// The figures of a run: the numbers, four charts, and another run beside them when one is chosen.
/// May be shown new figures many times a second; while it is not visible it does nothing with them.
class StatisticsPanel : public QWidget {
    Q_OBJECT
public:
    explicit StatisticsPanel(QWidget* parent = nullptr);

    void showFigures(models::RunFigures figures);
    void clear();

    /// The runs to compare with, told apart by their titles. The choice stays as long as its run is
    /// among them; the run that is shown is not offered.
    void setComparable(std::vector<models::RunFigures> runs);

    /// Which part of the run the figures are of: "12.0 s to 15.0 s"; empty for all of it.
    void setRangeText(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Legend;

    QWidget* createBar();
    QWidget* createEmptyState();
    QWidget* createPage();
    QWidget* createHead(QWidget* page);
    QTreeView* createTable(QWidget* page);
    QWidget* createCharts(QWidget* page);

    void offerRuns();
    const models::RunFigures* chosenRun() const;
    void refresh();
    void refreshComparison(const models::RunFigures* other);
    void refreshCharts(const models::RunFigures* other);
    void arrangeCharts();
    void copyPicture();
    void copyCsv();

    std::optional<models::RunFigures> m_figures;
    std::vector<models::RunFigures> m_runs;
    models::ComparisonModel m_comparison;
    bool m_isStale = false; // shown figures are older than m_figures

    QComboBox* m_compare = nullptr;
    QPushButton* m_copyPicture = nullptr;
    QPushButton* m_copyCsv = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    QScrollArea* m_scroll = nullptr;
    ElidedLabel* m_title = nullptr;
    QLabel* m_range = nullptr;
    QLabel* m_caveat = nullptr;
    Legend* m_legend = nullptr;
    TileBoard* m_tiles = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<ChartView*> m_charts;
    QTreeView* m_table = nullptr;
};

} // namespace lockscope::widgets
