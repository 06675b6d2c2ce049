#include "ui/widgets/matrix/matrix_view.h"

#include "ui/widgets/matrix/matrix_painter.h"
#include "ui/widgets/style/palette_colors.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixModel;
using Fold = MatrixModel::Fold;

namespace {

constexpr int kMatrixRowPadding = 4;
constexpr int kColumnCharactersMax = 18;
constexpr double kMatrixCorner = 3;
constexpr int kMatrixLeft = 16; // of the names of the protocols
constexpr int kMatrixRight = 10;
constexpr int kVerdictGap = 16;    // between the names and the verdicts
constexpr int kCellCharacters = 6; // for which a cell has room at least

QString groupNameAbove(const QAbstractItemModel& model, int row)
{
    return model.headerData(row, Qt::Vertical, MatrixModel::GroupNameRole).toString();
}

/// The height of the line with the name of a group that the section of the row begins with.
int groupHeightAbove(const QAbstractItemModel& model, int row, const QFont& font)
{
    return groupNameAbove(model, row).isEmpty() ? 0 : matrixGroupHeight(font);
}

/// Below the row, and below the name of the group above it.
void paintHairlines(QPainter& painter, const QRect& rect, int groupHeight,
                    const StateColors& colors)
{
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.hairline);
    if (groupHeight > 0) {
        painter.fillRect(QRect(rect.left(), rect.top() + groupHeight - 1, rect.width(), 1),
                         colors.hairline);
    }
}

/// Paints a cell of the matrix; the current one has an outline, and a broken one under the pointer.
class MatrixDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const StateColors& colors = colorsOf(option.palette);
        const int group = groupHeightAbove(*index.model(), index.row(), option.font);
        const QRect rect = option.rect.adjusted(0, group, 0, 0);
        paintHairlines(*painter, option.rect, group, colors);
        paintMatrixCell(*painter, rect, matrixCellAt(index), option.font, colors);
        const bool isCurrent = option.state.testFlag(QStyle::State_HasFocus)
                               || option.state.testFlag(QStyle::State_Selected);
        const bool isPointedAt = option.state.testFlag(QStyle::State_MouseOver)
                                 && MatrixModel::isHarmed(index);
        if (isCurrent || isPointedAt) {
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(option.palette.color(QPalette::Link), isCurrent ? 2 : 1));
            painter->drawRoundedRect(QRectF(rect).adjusted(1.5, 1.5, -1.5, -1.5), kMatrixCorner,
                                     kMatrixCorner);
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
/// current cell stands out. Groups of faults are folded and unfolded by a click.
class MatrixView::Header : public QHeaderView {
public:
    /// `toggle` folds or unfolds the group of a column.
    Header(Qt::Orientation orientation, std::function<void(int column)> toggle, QWidget* parent)
        : QHeaderView(orientation, parent),
          m_toggle(std::move(toggle))
    {
        setSectionResizeMode(QHeaderView::Fixed);
        setMinimumSectionSize(1);
        setSectionsClickable(false);
        setHighlightSections(false);
        setMouseTracking(true);
    }

    /// The section that is being searched; -1: none.
    void setBusySection(int section)
    {
        if (std::exchange(m_busySection, section) != section) {
            viewport()->update();
        }
    }

    /// Titles of columns from bottom to top, where they have no room side by side.
    void setOnSide(bool isOnSide)
    {
        if (std::exchange(m_isOnSide, isOnSide) != isOnSide) {
            updateGeometry();
            viewport()->update();
        }
    }

    /// What the widest title needs, its words below each other.
    int widthOfTitles() const
    {
        int width = 0;
        for (int section = 0; section < count(); ++section) {
            width = std::max(width, matrixHeadingSize(titleOf(section), font()).width());
        }
        return width;
    }

    QSize sizeHint() const override
    {
        if (orientation() == Qt::Vertical) {
            return {kMatrixLeft + widestOf(Qt::DisplayRole) + kVerdictGap
                        + widestOf(MatrixModel::VerdictRole) + kMatrixRight,
                    0};
        }
        int height = 0;
        for (int section = 0; section < count(); ++section) {
            height = std::max(height,
                              matrixHeadingSize(titleOf(section), font(), m_isOnSide).height());
        }
        return {0, height + foldMarkHeight() + groupNameHeight()};
    }

    bool isFoldable(int section) const { return foldOf(section) != Fold::None; }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override
    {
        painter->fillRect(rect, palette().color(QPalette::Base));
        if (orientation() == Qt::Vertical) {
            paintProtocol(*painter, rect, logicalIndex);
            return;
        }
        const QColor quiet = palette().color(QPalette::PlaceholderText);
        const QColor color = isCurrent(logicalIndex) ? palette().color(QPalette::Text) : quiet;
        const QRect title = rect.adjusted(0, groupNameHeight(), 0, -foldMarkHeight());
        paintMatrixHeading(*painter, title, titleOf(logicalIndex), font(), color, m_isOnSide);
        if (foldOf(logicalIndex) == Fold::Folded) {
            const QRect mark(rect.left(), title.bottom() + 1, rect.width(), foldMarkHeight());
            paintFoldMark(*painter, mark, true, color);
        }
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
        QPainter painter(viewport());
        painter.fillRect(rest, palette().color(QPalette::Base));
        if (orientation() == Qt::Horizontal) {
            paintGroupNames(painter);
        }
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        QHeaderView::mouseMoveEvent(event);
        const bool isFold = isFoldable(logicalIndexAt(event->position().toPoint()));
        viewport()->setCursor(isFold ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QHeaderView::mouseReleaseEvent(event);
        const int section = logicalIndexAt(event->position().toPoint());
        if (event->button() == Qt::LeftButton && isFoldable(section)) {
            m_toggle(section);
        }
    }

private:
    Fold foldOf(int section) const
    {
        return orientation() == Qt::Horizontal
                   ? model()
                         ->headerData(section, orientation(), MatrixModel::FoldRole)
                         .value<Fold>()
                   : Fold::None;
    }

    bool hasAny(Fold fold) const
    {
        for (int section = 0; section < count(); ++section) {
            if (foldOf(section) == fold) {
                return true;
            }
        }
        return false;
    }

    /// Below the titles.
    int foldMarkHeight() const { return hasAny(Fold::Folded) ? matrixFoldMarkHeight(font()) : 0; }

    /// Above the titles, over the columns of unfolded groups.
    int groupNameHeight() const { return hasAny(Fold::Unfolded) ? matrixGroupHeight(font()) : 0; }

    void paintGroupNames(QPainter& painter) const
    {
        for (int first = 0; first < count(); ++first) {
            if (foldOf(first) != Fold::Unfolded) {
                continue;
            }
            const QVariant group = groupOf(first);
            int last = first;
            while (last + 1 < count() && groupOf(last + 1) == group) {
                ++last;
            }
            const int left = sectionViewportPosition(first);
            const int right = sectionViewportPosition(last) + sectionSize(last);
            const bool isOwn = isCurrent(first, last);
            paintUnfoldedGroup(painter, QRect(left, 0, right - left, groupNameHeight()),
                               textOf(first, MatrixModel::GroupNameRole), font(),
                               isOwn ? palette().color(QPalette::Text)
                                     : palette().color(QPalette::PlaceholderText));
            first = last;
        }
    }

    QVariant groupOf(int section) const
    {
        return model()->headerData(section, orientation(), MatrixModel::FaultGroupRole);
    }

    QString textOf(int section, int role) const
    {
        return model()->headerData(section, orientation(), role).toString();
    }

    QString titleOf(int section) const { return textOf(section, Qt::DisplayRole); }

    int widestOf(int role) const
    {
        int width = 0;
        for (int section = 0; section < count(); ++section) {
            width = std::max(width, fontMetrics().horizontalAdvance(textOf(section, role)));
        }
        return width;
    }

    bool isCurrent(int section) const { return isCurrent(section, section); }

    /// One of the sections.
    bool isCurrent(int first, int last) const
    {
        const auto* const view = qobject_cast<const QAbstractItemView*>(parentWidget());
        const QModelIndex index = view != nullptr ? view->currentIndex() : QModelIndex();
        const int current = orientation() == Qt::Horizontal ? index.column() : index.row();
        return index.isValid() && first <= current && current <= last;
    }

    /// The id, and behind it the verdict in words.
    void paintProtocol(QPainter& painter, const QRect& rect, int section) const
    {
        const StateColors colors = stateColorsOf(palette());
        const bool isDimmed =
            model()->headerData(section, Qt::Vertical, MatrixModel::IsDimmedRole).toBool();
        const bool stands = section == m_busySection || isCurrent(section);
        const int group = groupHeightAbove(*model(), section, font());
        const QRect row = rect.adjusted(0, group, 0, 0);
        painter.save();
        paintHairlines(painter, rect, group, colors);
        if (group > 0) {
            paintMatrixGroup(painter,
                             QRect(rect.left() + kMatrixLeft, rect.top(), rect.width(), group),
                             groupNameAbove(*model(), section), font(), colors);
        }
        painter.setFont(font());
        painter.setPen(stands ? palette().color(QPalette::Link)
                              : (isDimmed ? colors.quiet : palette().color(QPalette::Text)));
        constexpr int kAlignment = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;
        const QRect line = row.adjusted(kMatrixLeft, 0, -kMatrixRight, 0);
        painter.drawText(line, kAlignment, titleOf(section));
        painter.setPen(colors.quiet);
        const QRect verdict = line.adjusted(widestOf(Qt::DisplayRole) + kVerdictGap, 0, 0, 0);
        painter.drawText(verdict, kAlignment,
                         section == m_busySection ? MatrixView::tr("searching …")
                                                  : textOf(section, MatrixModel::VerdictRole));
        if (section == m_busySection) {
            painter.drawText(QRect(row.left(), row.top(), kMatrixLeft, row.height()),
                             Qt::AlignCenter, u"›"_s);
        }
        painter.restore();
    }

    std::function<void(int column)> m_toggle;
    bool m_isOnSide = false;
    int m_busySection = -1;
};

MatrixView::MatrixView(MatrixModel& matrix, QWidget* parent) : QTableView(parent)
{
    setObjectName(u"matrixView"_s);
    setAccessibleName(tr("Protocols under faults"));
    setItemDelegate(new MatrixDelegate(this));
    m_faults = new Header(
        Qt::Horizontal, [this](int column) { toggle(column); }, this);
    m_protocols = new Header(Qt::Vertical, {}, this);
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
    connect(&matrix, &QAbstractItemModel::headerDataChanged, this, &MatrixView::fit);
    fit();
}

QRect MatrixView::visualRect(const QModelIndex& index) const
{
    const QRect section = QTableView::visualRect(index);
    return section.isValid()
               ? section.adjusted(0, groupHeightAbove(*model(), index.row(), font()), 0, 0)
               : section;
}

QModelIndex MatrixView::indexAt(const QPoint& point) const
{
    const QModelIndex index = QTableView::indexAt(point);
    return visualRect(index).contains(point) ? index : QModelIndex();
}

void MatrixView::setBusyRow(int row)
{
    m_protocols->setBusySection(row);
}

/// The current cell stays in its row and its group.
void MatrixView::toggle(int column)
{
    if (column < 0 || !m_faults->isFoldable(column)) {
        return;
    }
    const auto groupOf = [this](int at) {
        return model()->headerData(at, Qt::Horizontal, MatrixModel::FaultGroupRole).toInt();
    };
    const int group = groupOf(column);
    const int row = currentIndex().row();
    Q_EMIT groupToggled(static_cast<world::FaultGroup>(group));
    for (int at = 0; at < model()->columnCount() && row >= 0; ++at) {
        if (groupOf(at) == group) {
            setCurrentIndex(model()->index(row, at));
            return;
        }
    }
}

void MatrixView::choose(const QModelIndex& index)
{
    if (MatrixModel::isHarmed(index)) {
        Q_EMIT cellChosen(index);
    }
}

void MatrixView::lookAt(const QModelIndex& index)
{
    viewport()->setCursor(MatrixModel::isHarmed(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
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
    if (event->key() == Qt::Key_Space) {
        toggle(currentIndex().column());
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
    const QSize whole = maximumViewportSize() + QSize(verticalHeader()->width(), 0);
    const int room = whole.width() - m_protocols->sizeHint().width();
    const int share = room / model()->columnCount();
    const int titleWidth = m_faults->widthOfTitles();
    m_faults->setOnSide(share < titleWidth);
    const int character = fontMetrics().averageCharWidth();
    const int widthMin = share < titleWidth ? character * kCellCharacters : titleWidth;
    m_faults->setDefaultSectionSize(
        std::clamp(share, widthMin, std::max(widthMin, character * kColumnCharactersMax)));
    updateGeometries();
    fitRows();
}

/// The first row of a group has the name of the group above it.
void MatrixView::fitRows()
{
    const int rowCount = model()->rowCount();
    int room = maximumViewportSize().height();
    for (int row = 0; row < rowCount; ++row) {
        room -= groupHeightAbove(*model(), row, font());
    }
    const int heightMin = fontMetrics().height() + kMatrixRowPadding;
    const int height = std::clamp(room / rowCount, heightMin, 2 * heightMin);
    m_protocols->setDefaultSectionSize(height);
    for (int row = 0; row < rowCount; ++row) {
        m_protocols->resizeSection(row, height + groupHeightAbove(*model(), row, font()));
    }
}

} // namespace lockscope::widgets
