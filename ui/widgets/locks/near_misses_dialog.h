#pragma once

#include "core/kernel/inspect/watch/sweep_findings.h"

#include <QDialog>
#include <QStringList>

class QPushButton;
class QTreeWidget;

namespace lockscope::widgets {

/// The keys that looked like locks and were not taken for one, and why. Those that are locks after
/// all can be named from here.
class NearMissesDialog : public QDialog {
    Q_OBJECT
public:
    explicit NearMissesDialog(const inspect::SweepFindings& findings, QWidget* parent = nullptr);

Q_SIGNALS:
    /// Patterns for the keys that the user calls locks.
    void namesChosen(const QStringList& patterns);

private:
    void createList(const inspect::SweepFindings& findings);
    void choose();

    QTreeWidget* m_list = nullptr;
    QPushButton* m_choose = nullptr;
};

} // namespace lockscope::widgets
