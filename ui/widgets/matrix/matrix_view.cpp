#include "ui/widgets/matrix/matrix_view.h"

#include "ui/widgets/matrix/matrix_delegate.h"
#include "ui/widgets/matrix/matrix_header.h"

#include <QKeyEvent>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixModel;

namespace {

constexpr int kMatrixRowPadding = 4;
constexpr int kColumnCharactersMax = 18;

} // namespace

MatrixView::MatrixView(MatrixModel& matrix, QWidget* parent) : QTableView(parent)
{
    setObjectName(u"matrixView"_s);
    setAccessibleName(tr("Protocols under faults"));
    setItemDelegate(new MatrixDelegate(this));
    m_faults = new MatrixHeader(Qt::Horizontal, this);
    m_protocols = new MatrixHeader(Qt::Vertical, this);
    setHorizontalHeader(m_faults);
    setVerticalHeader(m_protocols);
    setModel(&matrix); // the headers have to be there
    setCornerButtonEnabled(false);
    setBackgroundRole(QPalette::Base); // behind the corner of the headers
    setAutoFillBackground(true);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    connect(this, &MatrixView::clicked, this, &MatrixView::choose);
    connect(this, &MatrixView::entered, this, &MatrixView::lookAt);
    connect(this, &MatrixView::viewportEntered, this, &MatrixView::unsetCursor);
    connect(&matrix, &QAbstractItemModel::modelReset, this, &MatrixView::fit);
    fit();
}

void MatrixView::setBusyRow(int row)
{
    m_protocols->setBusySection(row);
}

void MatrixView::choose(const QModelIndex& index)
{
    if (MatrixModel::isBroken(index)) {
        Q_EMIT cellChosen(index);
    }
}

void MatrixView::lookAt(const QModelIndex& index)
{
    viewport()->setCursor(MatrixModel::isBroken(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT cellLookedAt(index);
}

void MatrixView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    m_faults->viewport()->update();
    m_protocols->viewport()->update();
    if (current.isValid()) {
        Q_EMIT cellLookedAt(current);
    }
}

void MatrixView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void MatrixView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

void MatrixView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fit();
    }
}

void MatrixView::fit()
{
    if (model() == nullptr || model()->rowCount() == 0 || model()->columnCount() == 0) {
        return;
    }
    // As it is without scroll bars: they come and go with the sizes that are set here.
    const QSize room = maximumViewportSize();
    const int widthMin = m_faults->widthOfTitles();
    const int widthMax = fontMetrics().averageCharWidth() * kColumnCharactersMax;
    m_faults->setDefaultSectionSize(std::clamp(room.width() / model()->columnCount(), widthMin,
                                               std::max(widthMin, widthMax)));
    const int heightMin = fontMetrics().height() + kMatrixRowPadding;
    m_protocols->setDefaultSectionSize(std::clamp(room.height() / model()->rowCount(), heightMin,
                                                  2 * heightMin));
}

} // namespace lockscope::widgets
