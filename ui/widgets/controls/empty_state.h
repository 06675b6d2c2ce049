#pragma once

#include "ui/widgets/locks/locks_situation.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockscope::widgets {

class CommandBox;

/// What stands in the table's place while there is nothing to list: calm, centred, with the next
/// step.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);

    void showText(const EmptyText& text);
    QString headline() const;

Q_SIGNALS:
    void stepChosen(lockscope::widgets::EmptyText::Step step);

private:
    void createParts();

    EmptyText m_text;
    QLabel* m_headline = nullptr;
    QLabel* m_body = nullptr;
    QProgressBar* m_progress = nullptr;
    CommandBox* m_command = nullptr;
    QPushButton* m_step = nullptr;
    QPushButton* m_otherStep = nullptr;
};

} // namespace lockscope::widgets
