#pragma once

#include "core/kernel/inspect/release_plan.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QLabel;

namespace lockscope::widgets {

/// Whether a release leaves a tombstone, with what that costs. Offered where a renewal may create
/// the lock again, and never chosen for the user.
class TombstoneChoice : public QWidget {
    Q_OBJECT
public:
    explicit TombstoneChoice(QWidget* parent = nullptr);

    /// About another release from now on; hidden where it cannot leave a tombstone.
    void offer(const inspect::ReleasePlan& release, Instant now);

    /// The release that leaves a tombstone; null: it was not chosen.
    const inspect::ReleasePlan* chosen() const;

Q_SIGNALS:
    void toggled();

private:
    std::optional<inspect::ReleasePlan> m_plan; // nullopt: not on offer
    QCheckBox* m_box = nullptr;
    QLabel* m_price = nullptr;
};

} // namespace lockscope::widgets
