#pragma once

#include "core/kernel/search/harm.h"
#include "core/kernel/world/fault_kind.h"
#include "ui/widgets/controls/strip.h"

#include <QPointer>

#include <vector>

class QComboBox;
class QMenu;
class QPushButton;

namespace lockscope::models {
class MatrixModel;
} // namespace lockscope::models

namespace lockscope::widgets {

struct Settings;

/// How the matrix is looked at: what must not happen, and what may go wrong. It is remembered.
class MatrixLens : public Strip {
    Q_OBJECT
public:
    /// Both outlive the lens.
    MatrixLens(models::MatrixModel& matrix, Settings& settings, QWidget* parent);

Q_SIGNALS:
    /// The user wants to know which lock to use.
    void adviceWanted();

private:
    void createFaultMenu();
    void restore();
    void takeNever();
    void takeFaults();
    std::vector<world::FaultKind> checkedFaults() const;
    void checkAll(bool isChecked);
    void nameFaults();

    models::MatrixModel& m_matrix;
    Settings& m_settings;
    QComboBox* m_never = nullptr;
    QPushButton* m_faults = nullptr;
    QMenu* m_menu = nullptr;
};

} // namespace lockscope::widgets
