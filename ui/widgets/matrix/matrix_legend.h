#pragma once

#include <QWidget>

namespace lockscope::widgets {

/// What the marks of the matrix mean, in words.
class MatrixLegend : public QWidget {
    Q_OBJECT
public:
    explicit MatrixLegend(QWidget* parent = nullptr);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace lockscope::widgets
