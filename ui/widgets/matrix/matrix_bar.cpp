#include "ui/widgets/matrix/matrix_bar.h"

#include "ui/models/formatting.h"
#include "ui/models/matrix/matrix_fill.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/paired_controls.h"

#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixFill;
using models::MatrixModel;
using FillPhase = MatrixFill::Phase;

MatrixBar::MatrixBar(QWidget* parent) : Strip(Qt::BottomEdge, parent)
{
    setObjectName(u"matrixBar"_s);
    m_compute = createButton(u"computeMatrixButton"_s, tr("&Compute"), this);
    m_stop = createButton(u"stopMatrixButton"_s, tr("St&op"), this);
    m_sort = createButton(u"sortMatrixButton"_s, tr("So&rt"), this,
                          tr("Bring the rows that are known so far into their order"));
    m_export = createButton(u"exportMatrixButton"_s, tr("&Export"), this);
    m_progress = createProgressLine(u"matrixProgress"_s, tr("Progress of the matrix"), this);
    m_numbers = createQuietLabel({}, this);
    m_numbers->setObjectName(u"matrixNumbers"_s);
    createExportMenu();
    // The room takes the place of a progress that is over.
    createRow(this, {16, 8, 16, 9}, 8,
              {m_compute, m_stop, m_sort, gap(8), growing(m_progress), m_numbers, room(0),
               m_export});
    connect(m_compute, &QPushButton::clicked, this, &MatrixBar::computeRequested);
    connect(m_stop, &QPushButton::clicked, this, &MatrixBar::stopRequested);
    connect(m_sort, &QPushButton::clicked, this, &MatrixBar::sortRequested);
}

void MatrixBar::createExportMenu()
{
    auto* menu = new QMenu(m_export);
    for (const MatrixFormat format :
         {MatrixFormat::Png, MatrixFormat::Svg, MatrixFormat::Csv, MatrixFormat::Markdown}) {
        menu->addAction(titleOf(format), this, [this, format] { Q_EMIT exportRequested(format); });
    }
    m_export->setMenu(menu);
}

void MatrixBar::showProgress(const MatrixFill& fill, const MatrixModel& matrix)
{
    const bool isComplete = matrix.knownCount() == matrix.rowCount();
    PairedControls{*m_compute, *m_stop}.setEnabled(!fill.isUnderWay(), fill.isUnderWay());
    m_compute->setText(isComplete ? tr("&Compute again") : tr("&Compute"));
    m_compute->setToolTip(isComplete ? tr("Search every protocol again")
                                     : tr("Search the missing protocols"));
    m_sort->setEnabled(!matrix.isSorted());
    m_progress->setVisible(fill.isUnderWay());
    m_progress->setValue(static_cast<int>(fill.share() * kProgressMax));
    m_numbers->setText(matrixProgressText(fill, matrix));
}

void MatrixBar::showNotice(const QString& text)
{
    m_numbers->setText(text);
}

QString matrixProgressText(const MatrixFill& fill, const MatrixModel& matrix)
{
    const auto known = matrix.knownCount();
    const auto all = matrix.rowCount();
    switch (fill.phase()) {
    case FillPhase::Idle: return {};
    case FillPhase::Looking: return MatrixBar::tr("reading saved results");
    case FillPhase::Searching:
        if (fill.current() != nullptr) {
            const auto rate = static_cast<std::int64_t>(fill.progress().schedulesPerSecond);
            return MatrixBar::tr("protocol %1 of %2: %3 · %4 schedules/s")
                .arg(known + 1)
                .arg(all)
                .arg(models::toQString(fill.current()->info().id), models::countText(rate));
        }
        break;
    case FillPhase::Stopped:
        return MatrixBar::tr("stopped: %1 of %2 protocols").arg(known).arg(all);
    case FillPhase::Finished: break;
    }
    return MatrixBar::tr("%1 of %2 protocols × %3 faults")
        .arg(known)
        .arg(all)
        .arg(matrix.shownFaults().size());
}

} // namespace lockscope::widgets
