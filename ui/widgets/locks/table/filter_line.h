#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockscope::widgets {

class LockFilterEdit;

/// Over the table while the text of the filter box cannot be read: why, what the table shows
/// instead, and, where it is known what was meant, a button for that. Hidden otherwise.
class FilterLine : public QWidget {
    Q_OBJECT
public:
    explicit FilterLine(QWidget* parent = nullptr);

    /// Once. `edit` outlives the line.
    void follow(LockFilterEdit& edit);

    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void showState(const LockFilterEdit& edit);
    void showColor();

    QLabel* m_label = nullptr;
    QPushButton* m_mend = nullptr;
};

} // namespace lockscope::widgets
