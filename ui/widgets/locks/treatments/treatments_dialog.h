#pragma once

#include "core/kernel/inspect/formats/format_table.h"

#include <QDialog>

#include <vector>

class QPushButton;
class QTreeWidget;

namespace lockscope::widgets {

/// What the user said some names are, to be taken back.
class TreatmentsDialog : public QDialog {
    Q_OBJECT
public:
    explicit TreatmentsDialog(std::vector<inspect::Treatment> treatments,
                              QWidget* parent = nullptr);

Q_SIGNALS:
    /// What is left.
    void treatmentsChanged(const std::vector<lockscope::inspect::Treatment>& treatments);

private:
    void removeSelected();

    std::vector<inspect::Treatment> m_treatments; // in the order of the list
    QTreeWidget* m_list = nullptr;
    QPushButton* m_remove = nullptr;
};

} // namespace lockscope::widgets
