#pragma once

#include <QWidget>

class QPushButton;

namespace lockscope::widgets {

class LockColumns;

/// Names the columns that there is no room for, at the end of the table: what is not shown is said.
/// A click opens the choice of columns. Hidden while all are shown.
class ColumnsLine : public QWidget {
    Q_OBJECT
public:
    /// `columns` outlives the line.
    explicit ColumnsLine(LockColumns& columns, QWidget* parent = nullptr);

private:
    void showTitles(const QStringList& titles);

    QPushButton* m_button = nullptr;
};

} // namespace lockscope::widgets
