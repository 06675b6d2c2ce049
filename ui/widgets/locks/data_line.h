#pragma once

#include <QWidget>

class QPushButton;

namespace lockscope::widgets {

/// The one line that stands for all keys that are probably data, at the end of the table. Hidden
/// while there are none.
class DataLine : public QWidget {
    Q_OBJECT
public:
    explicit DataLine(QWidget* parent = nullptr);

    void showCount(qint64 count, bool areShown);

Q_SIGNALS:
    void toggled();

private:
    QPushButton* m_button = nullptr;
};

} // namespace lockscope::widgets
