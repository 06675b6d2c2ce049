#include "ui/widgets/matrix/matrix_lens.h"

#include "core/kernel/world/fault_info.h"
#include "ui/models/formatting.h"
#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/shell/settings.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::toQString;
using search::Harm;
using world::FaultKind;

namespace {

/// An entry of the box; with an empty id, all harms.
std::vector<Harm> harmsOf(const QString& id)
{
    if (const auto harm = search::harmOfId(id.toStdString())) {
        return {*harm};
    }
    const auto all = search::allHarms();
    return {all.begin(), all.end()};
}

/// The entries of a menu that can be checked without closing it: a key or a click flips them.
class CheckMenu : public QMenu {
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QAction* const action = activeAction();
        if (action != nullptr && action->isCheckable()) {
            action->trigger();
            return;
        }
        QMenu::mouseReleaseEvent(event);
    }
};

} // namespace

MatrixLens::MatrixLens(models::MatrixModel& matrix, Settings& settings, QWidget* parent)
    : Strip(Qt::BottomEdge, parent),
      m_matrix(matrix),
      m_settings(settings)
{
    setObjectName(u"matrixLens"_s);
    m_never = new QComboBox(this);
    m_never->setObjectName(u"neverBox"_s);
    for (const Harm harm : search::allHarms()) {
        m_never->addItem(toQString(search::nameOf(harm)), toQString(idOf(harm)));
    }
    m_never->addItem(tr("anything"), QString());
    auto* const neverLabel = new QLabel(tr("What must &not happen:"), this);
    neverLabel->setBuddy(m_never);
    m_faults = new QPushButton(this);
    m_faults->setObjectName(u"faultsButton"_s);
    auto* const faultsLabel = new QLabel(tr("What may go &wrong:"), this);
    faultsLabel->setBuddy(m_faults);
    createFaultMenu();
    auto* const advise = createButton(u"adviseButton"_s, tr("Which lock should I use?"), this,
                                      tr("Protocols that hold, computed from the matrix"));
    connect(advise, &QPushButton::clicked, this, &MatrixLens::adviceWanted);
    createRow(this, {16, 8, 16, 9}, 8,
              {neverLabel, m_never, gap(16), faultsLabel, m_faults, room(), advise});
    restore();
    connect(m_never, &QComboBox::currentIndexChanged, this, &MatrixLens::takeNever);
}

void MatrixLens::createFaultMenu()
{
    m_menu = new CheckMenu(m_faults);
    m_menu->setObjectName(u"faultsMenu"_s);
    connect(m_menu->addAction(tr("&All")), &QAction::triggered, this, [this] { checkAll(true); });
    connect(m_menu->addAction(tr("&None but the order of steps")), &QAction::triggered, this,
            [this] { checkAll(false); });
    m_menu->addSeparator();
    for (const FaultKind fault : m_matrix.faults()) {
        if (fault == FaultKind::FirstMisuse) {
            m_menu->addSeparator();
        }
        QAction* const action = m_menu->addAction(toQString(infoOf(fault).name()));
        action->setCheckable(true);
        action->setChecked(true);
        action->setData(toQString(idOf(fault)));
        action->setToolTip(toQString(infoOf(fault).description()));
        connect(action, &QAction::triggered, this, &MatrixLens::takeFaults);
    }
    m_menu->setToolTipsVisible(true);
    m_faults->setMenu(m_menu);
}

/// What was chosen the last time.
void MatrixLens::restore()
{
    const int known = m_never->findData(m_settings.matrixNever);
    m_never->setCurrentIndex(std::max(known, 0));
    m_matrix.setNever(harmsOf(m_never->currentData().toString()));
    for (QAction* const action : m_menu->actions()) {
        if (action->isCheckable()) {
            action->setChecked(!m_settings.matrixHiddenFaults.contains(action->data().toString()));
        }
    }
    m_matrix.setShownFaults(checkedFaults());
    nameFaults();
}

void MatrixLens::takeNever()
{
    m_settings.matrixNever = m_never->currentData().toString();
    m_matrix.setNever(harmsOf(m_settings.matrixNever));
}

/// A matrix without a column says nothing: one stays.
void MatrixLens::takeFaults()
{
    if (checkedFaults().empty()) {
        if (auto* const last = qobject_cast<QAction*>(sender())) {
            last->setChecked(true);
        }
    }
    m_settings.matrixHiddenFaults.clear();
    for (const QAction* const action : m_menu->actions()) {
        if (action->isCheckable() && !action->isChecked()) {
            m_settings.matrixHiddenFaults += action->data().toString();
        }
    }
    m_matrix.setShownFaults(checkedFaults());
    nameFaults();
}

std::vector<FaultKind> MatrixLens::checkedFaults() const
{
    std::vector<FaultKind> faults;
    for (const QAction* const action : m_menu->actions()) {
        if (action->isCheckable() && action->isChecked()) {
            faults.push_back(*world::faultKindOf(action->data().toString().toStdString()));
        }
    }
    return faults;
}

void MatrixLens::checkAll(bool isChecked)
{
    for (QAction* const action : m_menu->actions()) {
        const bool isOrder = action->data().toString() == toQString(idOf(FaultKind::Interleaving));
        if (action->isCheckable()) {
            action->setChecked(isChecked || isOrder);
        }
    }
    takeFaults();
}

void MatrixLens::nameFaults()
{
    const std::size_t all = m_matrix.faults().size();
    const std::size_t shown = m_matrix.shownFaults().size();
    m_faults->setText(shown == all ? tr("all of %1").arg(all) : tr("%1 of %2").arg(shown).arg(all));
    m_faults->setAccessibleName(tr("What may go wrong: %1").arg(m_faults->text()));
}

} // namespace lockscope::widgets
