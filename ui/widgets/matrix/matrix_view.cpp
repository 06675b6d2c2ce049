#include "ui/widgets/matrix/matrix_view.h"

#include "ui/widgets/matrix/matrix_painter.h"
#include "ui/widgets/style/palette_colors.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixModel;

namespace {

constexpr int kMatrixRowPadding = 4;
constexpr int kColumnCharactersMax = 18;
constexpr double kMatrixCorner = 3;
constexpr int kMatrixLeft = 16; // of the names of the protocols
constexpr int kMatrixRight = 10;

/// Paints a cell of the matrix; the current one has an outline, and a broken one under the pointer.
class MatrixDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const StateColors& colors = colorsOf(option.palette);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                          colors.hairline);
        paintMatrixCell(*painter, option.rect,
                        {index.data(MatrixModel::StandingRole).value<MatrixModel::Standing>(),
                         index.data().toString()},
                        option.font, colors);
        const bool isCurrent = option.state.testFlag(QStyle::State_HasFocus)
                               || option.state.testFlag(QStyle::State_Selected);
        const bool isPointedAt = option.state.testFlag(QStyle::State_MouseOver)
                                 && MatrixModel::isBroken(index);
        if (isCurrent || isPointedAt) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(option.palette.color(QPalette::Link), isCurrent ? 2 : 1));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5),
                                     kMatrixCorner, kMatrixCorner);
            painter->restore();
        }
    }

private:
    const StateColors& colorsOf(const QPalette& palette) const
    {
        if (m_paletteKey != palette.cacheKey()) {
            m_paletteKey = palette.cacheKey();
            m_colors = stateColorsOf(palette);
        }
        return m_colors;
    }

    mutable qint64 m_paletteKey = -1;
    mutable StateColors m_colors;
};

} // namespace

/// The faults over the matrix, a line per word, or the protocols at its left. What belongs to the
/// current cell stands out.
class MatrixView::Header : public QHeaderView {
public:
    explicit Header(Qt::Orientation orientation, QWidget* parent = nullptr)
        : QHeaderView(orientation, parent)
    {
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(1);
        setSectionsClickable(false);
        setHighlightSections(false);
    }

    /// The section that is being searched; -1: none.
    void setBusySection(int section)
    {
        if (std::exchange(m_busySection, section) != section) {
            viewport()->update();
        }
    }

    /// What the widest title needs.
    int widthOfTitles() const
    {
        int width = 0;
        for (int section = 0; section < count(); ++section) {
            const int title = orientation() == Qt::Horizontal
                                  ? matrixHeadingSize(titleOf(section), font()).width()
                                  : kMatrixLeft + fontMetrics().horizontalAdvance(titleOf(section))
                                        + kMatrixRight;
            width = std::max(width, title);
        }
        return width;
    }

    QSize sizeHint() const override
    {
        if (orientation() == Qt::Vertical) {
            return {widthOfTitles(), 0};
        }
        int height = 0;
        for (int section = 0; section < count(); ++section) {
            height = std::max(height, matrixHeadingSize(titleOf(section), font()).height());
        }
        return {0, height};
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override
    {
        painter->fillRect(rect, palette().color(QPalette::Base));
        if (orientation() == Qt::Vertical) {
            paintProtocol(*painter, rect, logicalIndex);
            return;
        }
        const QColor quiet = palette().color(QPalette::PlaceholderText);
        paintMatrixHeading(*painter, rect, titleOf(logicalIndex), font(),
                           isCurrent(logicalIndex) ? palette().color(QPalette::Text) : quiet);
    }

    void paintEvent(QPaintEvent* event) override
    {
        QHeaderView::paintEvent(event);
        QRect rest = viewport()->rect(); // behind the last section
        if (orientation() == Qt::Horizontal) {
            rest.setLeft(length());
        } else {
            rest.setTop(length());
        }
        QPainter(viewport()).fillRect(rest, palette().color(QPalette::Base));
    }

private:
    QString titleOf(int section) const
    {
        return model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    }

    bool isCurrent(int section) const
    {
        const auto* const view = qobject_cast<const QAbstractItemView*>(parentWidget());
        const QModelIndex current = view != nullptr ? view->currentIndex() : QModelIndex();
        return current.isValid()
               && section == (orientation() == Qt::Horizontal ? current.column() : current.row());
    }

    void paintProtocol(QPainter& painter, const QRect& rect, int section) const
    {
        const bool isBusy = section == m_busySection;
        painter.save();
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1),
                         stateColorsOf(palette()).hairline);
        painter.setFont(font());
        painter.setPen(palette().color(isBusy || isCurrent(section) ? QPalette::Link
                                                                    : QPalette::Text));
        painter.drawText(rect.adjusted(kMatrixLeft, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, titleOf(section));
        if (isBusy) {
            painter.drawText(rect.adjusted(0, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter, u"…"_s);
            painter.drawText(QRect(rect.left(), rect.top(), kMatrixLeft, rect.height()),
                             Qt::AlignCenter, u"›"_s);
        }
        painter.restore();
    }

    int m_busySection = -1;
};

MatrixView::MatrixView(MatrixModel& matrix, QWidget* parent) : QTableView(parent)
{
    setObjectName(u"matrixView"_s);
    setAccessibleName(tr("Protocols under faults"));
    setItemDelegate(new MatrixDelegate(this));
    m_faults = new Header(Qt::Horizontal, this);
    m_protocols = new Header(Qt::Vertical, this);
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
