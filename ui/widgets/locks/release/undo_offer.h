#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QTimer;

namespace lockscope::widgets {

/// What an undo needs to know: what was carried out, and the lock as it was seen before.
struct Undoable {
    inspect::ReleasePlan released;
    inspect::LockSnapshot seen;
};

/// Offers to put back what was just released, for as long as that makes sense, and says what it
/// cannot promise. Hidden otherwise.
class UndoOffer : public QWidget {
    Q_OBJECT
public:
    explicit UndoOffer(std::function<FactContext()> context, QWidget* parent = nullptr);

    /// They were released a moment ago. Not offered for those that cannot be undone, nor on a
    /// server that must not be written to.
    void offer(std::vector<Undoable> released);
    void withdraw();

Q_SIGNALS:
    /// The plans are as of now; at least one.
    void undoRequested(const std::vector<lockscope::inspect::ReleasePlan>& plans);

private:
    void refresh();
    void undo();
    std::vector<inspect::ReleasePlan> plans() const;
    bool isWritable(const inspect::LockSnapshot& seen) const;
    QString promise(std::size_t count) const;

    std::function<FactContext()> m_context;
    std::vector<Undoable> m_released;
    Instant m_until{};
    QPushButton* m_button = nullptr;
    QLabel* m_promise = nullptr;
    QTimer* m_tick = nullptr;
};

} // namespace lockscope::widgets
