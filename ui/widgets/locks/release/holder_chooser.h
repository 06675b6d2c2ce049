#pragma once

#include "core/service/release_desk.h"

#include <QListWidget>

#include <vector>

namespace lockscope::widgets {

/// Whose hold of a shared lock is to be released: one of its holders, or all of them together.
/// No holder is chosen at first.
class HolderChooser : public QListWidget {
    Q_OBJECT
public:
    explicit HolderChooser(QWidget* parent = nullptr);

    /// Offers the releases of lock details that have one.
    void showPlans(const operations::LockDetails& details);

    /// False for a lock with one holder: that one is chosen.
    bool isNeeded() const;
    /// Null while no holder is chosen.
    const inspect::ReleasePlan* chosen() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();

private:
    void addPlan(const inspect::ReleasePlan& plan);

    std::vector<inspect::ReleasePlan> m_plans; // by row
};

} // namespace lockscope::widgets
