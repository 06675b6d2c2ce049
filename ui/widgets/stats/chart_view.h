#pragma once

#include "ui/models/charts/chart_content.h"

#include <QWidget>

#include <optional>

class QCustomPlot;
class QLabel;
class QStackedWidget;

namespace lockscope::widgets {

class ElidedLabel;

/// A chart with its title. The values under the pointer are shown in a tooltip; with the keyboard,
/// the arrows go from value to value.
class ChartView : public QWidget {
    Q_OBJECT
public:
    explicit ChartView(const QString& name, QWidget* parent = nullptr);

    /// `ours` and `theirs` are what the two runs are called, where there are two.
    void showContent(const models::ChartContent& content, const QString& ours,
                     const QString& theirs);
    const models::ChartContent& content() const { return m_content; }

    /// What the tooltip says at a point of this widget; empty beside the chart and between values.
    QString readoutAt(QPointF position) const;
    /// What it says at the moment.
    QString shownReadout() const { return m_shownReadout; }
    /// Where a place of the chart is in this widget.
    QPointF positionOf(double x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    class Painting;

    void createParts();
    void redraw();
    void fitTicks();
    std::optional<double> placeAt(QPointF position) const;
    void tell(std::optional<double> x, QPoint globalPosition);
    void markReadout(const std::optional<models::ChartReadout>& readout);

    models::ChartContent m_content;
    QString m_ours;
    QString m_theirs;
    std::optional<double> m_place; // last reported
    QString m_shownReadout;
    bool m_isFocusShown = false; // it came by the keyboard

    QLabel* m_title = nullptr;
    ElidedLabel* m_note = nullptr;
    QStackedWidget* m_stack = nullptr;
    QCustomPlot* m_plot = nullptr;
    QLabel* m_empty = nullptr;
};

} // namespace lockscope::widgets
