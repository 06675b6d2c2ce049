#include "ui/widgets/contend/contender_view.h"

#include "ui/models/contend/contender_table_model.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/controls/state_mark.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QTimer>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using inspect::LockState;
using models::ContenderTableModel;
using workload::Activity;

namespace {

constexpr std::chrono::milliseconds kResortPause{500};
constexpr int kMargin = 9;

/// A shape and a colour; the shapes are those of the lock table.
struct Look {
    LockState shape = LockState::Unconfirmed;
    QColor color;
};

Look lookOf(Activity activity, const StateColors& colors)
{
    switch (activity) {
    case Activity::Waiting: return {LockState::Contended, colors.amber};
    case Activity::Holding: return {LockState::Held, colors.green};
    case Activity::Paused: return {LockState::ReadShared, colors.amber};
    case Activity::Crashed: return {LockState::Suspicious, colors.red};
    case Activity::Thinking:
    case Activity::Parked:
    case Activity::Finished: break;
    }
    return {LockState::Unconfirmed, colors.quiet};
}

} // namespace

ContenderView::ContenderView(ContenderTableModel& contenders, QWidget* parent) : QTreeView(parent)
{
    setObjectName(u"contenderView"_s);
    setAccessibleName(tr("Contenders"));
    m_order = new QSortFilterProxyModel(this);
    m_order->setDynamicSortFilter(false);
    m_order->setSortRole(ContenderTableModel::SortRole);
    m_order->setSourceModel(&contenders);
    setModel(m_order);
    makePanelList(*this);
    setRootIsDecorated(false);
    viewport()->setBackgroundRole(QPalette::Base); // it is a page's own, not beside one
    setItemDelegate(new ContenderDelegate(this));
    setSortingEnabled(true);
    sortByColumn(ContenderTableModel::NumberColumn, Qt::AscendingOrder);
    createHeader();
    m_resortSoon = new QTimer(this);
    m_resortSoon->setSingleShot(true);
    m_resortSoon->setInterval(kResortPause);
    connect(m_resortSoon, &QTimer::timeout, this, &ContenderView::resort);
    const auto scheduleResort = [this] {
        if (!m_resortSoon->isActive()) {
            m_resortSoon->start();
        }
    };
    connect(&contenders, &QAbstractItemModel::dataChanged, this, scheduleResort);
    connect(&contenders, &QAbstractItemModel::rowsInserted, this, scheduleResort);
}

void ContenderView::createHeader()
{
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(ContenderTableModel::KeyColumn, QHeaderView::Stretch);
    const auto fit = [this](int column, const QString& longest) {
        header()->resizeSection(column, fontMetrics().horizontalAdvance(longest) + 40);
    };
    fit(ContenderTableModel::NumberColumn, tr("Contender"));
    fit(ContenderTableModel::StateColumn, u"● thinking…"_s);
    fit(ContenderTableModel::SinceColumn, u"00.0 ms"_s);
    fit(ContenderTableModel::AcquisitionsColumn, tr("Acquisitions"));
}

void ContenderView::resort()
{
    if (header()->sortIndicatorSection() != ContenderTableModel::NumberColumn
        || m_order->sortColumn() < 0) {
        m_order->sort(header()->sortIndicatorSection(), header()->sortIndicatorOrder());
    }
}

QSize ContenderView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 12};
}

void ContenderDelegate::initStyleOption(QStyleOptionViewItem* option,
                                        const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == ContenderTableModel::KeyColumn) {
        option->font = monospacedFont();
    }
}

void ContenderDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyleOptionViewItem shifted = option;
    const StateColors colors = stateColorsOf(option.palette);
    if (index.column() == ContenderTableModel::StateColumn) {
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
        }
        const auto activity =
            static_cast<Activity>(index.data(ContenderTableModel::ActivityRole).toInt());
        const Look look = lookOf(activity, colors);
        const double size = option.fontMetrics.height() * 0.55;
        paintStateMark(*painter,
                       QRectF(option.rect.left() + kMargin, option.rect.center().y() + 1 - size / 2,
                              size, size),
                       look.shape, look.color);
        shifted.rect.adjust(kMargin + static_cast<int>(size) + 4, 0, 0, 0);
    }
    QStyledItemDelegate::paint(painter, shifted, index);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      colors.hairline);
}

QSize ContenderDelegate::sizeHint(const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 5);
}

} // namespace lockscope::widgets
