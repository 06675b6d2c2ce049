#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;
class QTimer;

namespace lockscope::widgets {

/// Offers to put a lock back that was just released, for as long as that makes sense, and says what
/// it cannot promise. Hidden otherwise.
class UndoOffer : public QWidget {
    Q_OBJECT
public:
    explicit UndoOffer(std::function<FactContext()> context, QWidget* parent = nullptr);

    /// `released` was carried out a moment ago, on what was `seen`. Not offered where it cannot be
    /// undone, nor on a server that must not be written to.
    void offer(const inspect::ReleasePlan& released, const inspect::LockSnapshot& seen);
    void withdraw();

Q_SIGNALS:
    /// The plan is as of now.
    void undoRequested(const lockscope::inspect::ReleasePlan& plan);

private:
    void refresh();
    void undo();
    std::optional<inspect::ReleasePlan> plan() const;

    std::function<FactContext()> m_context;
    inspect::ReleasePlan m_released;
    inspect::LockSnapshot m_seen;
    Instant m_until{};
    QPushButton* m_button = nullptr;
    QLabel* m_promise = nullptr;
    QTimer* m_tick = nullptr;
};

} // namespace lockscope::widgets
