#pragma once

#include "core/operations/lock_details.h"

#include <QWidget>

class QToolButton;

namespace lockscope::widgets {

class SelectableText;

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

    QToolButton* m_toggle = nullptr;
    SelectableText* m_text = nullptr;
};

} // namespace lockscope::widgets
