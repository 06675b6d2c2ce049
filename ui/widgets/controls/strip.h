#pragma once

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace lockscope::widgets {

/// A bar that a hairline at one of its edges sets off from what is above or below it.
class Strip : public QWidget {
    Q_OBJECT
public:
    explicit Strip(Qt::Edge edge, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::Edge m_edge;
};

/// `name` is that of the object.
QPushButton* createButton(const QString& name, const QString& text, QWidget* parent,
                          const QString& toolTip = {});

/// The slim line in which a bar shows how far something is, from 0 to kProgressMax.
QProgressBar* createProgressLine(const QString& name, const QString& spoken, QWidget* parent);

constexpr int kProgressMax = 1000;

} // namespace lockscope::widgets
