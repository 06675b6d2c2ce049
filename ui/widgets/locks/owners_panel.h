#pragma once

#include "ui/models/locks/owners_model.h"

#include <QWidget>

namespace lockscope::widgets {

class LockTree;

/// Who holds what: the owners with their locks, the oldest hold and the first end of each. Choosing
/// a lock asks for it; an owner can become a term of the filter.
class OwnersPanel : public QWidget {
    Q_OBJECT
public:
    /// `locks` outlives the panel.
    explicit OwnersPanel(const models::LockTableModel& locks, QWidget* parent = nullptr);

    /// As the user calls owners from now on. Never null.
    void setNames(operations::OwnerNamesPtr names);

    /// Whether somebody sees it; else it costs nothing.
    void setWatched(bool isWatched);

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);
    void filterChosen(const QString& filterWord);

private:
    void setUpView();
    void createActions();
    void refresh();
    QString note() const;

    models::OwnersModel m_model;
    models::OwnersOrder m_order;
    LockTree* m_tree = nullptr;
};

} // namespace lockscope::widgets
