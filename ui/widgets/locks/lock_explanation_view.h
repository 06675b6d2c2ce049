#pragma once

#include "core/kernel/report/explanation_text.h"
#include "core/operations/lock_details.h"

#include <QWidget>

#include <string>

class QToolButton;
class QVBoxLayout;

namespace lockscope::widgets {

/// A lock in plain words, behind a button: what its keys mean, what happens if its holder dies, who
/// wakes its waiters, and the commands for redis-cli.
class LockExplanationView : public QWidget {
    Q_OBJECT
public:
    explicit LockExplanationView(QWidget* parent = nullptr);

    /// Whether it is open stays as the user left it. Hidden where there is nothing to explain.
    void explain(const operations::LockDetails* details, Instant now);

private:
    void open(bool isOpen);
    void showIt(const report::Explanation& explanation);
    void addEntry(const report::ExplanationSection::Entry& entry);

    QToolButton* m_toggle = nullptr;
    QWidget* m_body = nullptr;
    QVBoxLayout* m_column = nullptr;
    std::string m_shown; // as one text
};

} // namespace lockscope::widgets
