#include "ui/widgets/locks/activity_panel.h"

#include "ui/models/locks/activity_model.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QAbstractProxyModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ActivityKind;
using models::ActivityModel;

namespace {

constexpr int kActivityMargin = 9;
constexpr int kKeyShare = 4; // of the panel, a fourth at most

/// What we did ourselves and what went wrong stand out; the rest is news.
QColor colorOf(ActivityKind kind, const QStyleOptionViewItem& option)
{
    switch (kind) {
    case ActivityKind::Problem: return severityColor(2, option.palette);
    case ActivityKind::Alert: return severityColor(1, option.palette);
    case ActivityKind::OurRelease:
    case ActivityKind::OurLock: return option.palette.color(QPalette::Link);
    default: return option.palette.color(QPalette::Text);
    }
}

} // namespace

ActivityPanel::ActivityPanel(QAbstractItemModel& activity, QWidget* parent) : QTreeView(parent)
{
    setObjectName(u"activityPanel"_s);
    setAccessibleName(tr("Activity"));
    setModel(&activity);
    makePanelList(*this);
    setRootIsDecorated(false);
    setSelectionMode(ExtendedSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(new ActivityDelegate(this));
    createHeader();
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* bar = verticalScrollBar();
        m_isFollowing = bar->sliderPosition() >= bar->maximum();
    });
    connect(&activity, &QAbstractItemModel::rowsInserted, this, &ActivityPanel::follow);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const QVariant id = index.data(ActivityModel::LockIdRole);
        if (id.isValid()) {
            Q_EMIT lockChosen(id.value<inspect::LockId>());
        }
    });
}

void ActivityPanel::createHeader()
{
    header()->setHidden(true);
    header()->setStretchLastSection(true);
    const auto fit = [this](int column, const QString& longest) {
        header()->resizeSection(column, fontMetrics().horizontalAdvance(longest) + 24);
    };
    fit(ActivityModel::TimeColumn, u"00:00:00.000"_s);
    fit(ActivityModel::KindColumn, u"our release"_s);
}

/// In a narrow panel the key gives way: what happened is said behind it.
void ActivityPanel::resizeEvent(QResizeEvent* event)
{
    const int usual = fontMetrics().horizontalAdvance(u"a-prefix:a-key-of-usual-length"_s) + 24;
    header()->resizeSection(ActivityModel::KeyColumn,
                            std::min(usual, viewport()->width() / kKeyShare));
    QTreeView::resizeEvent(event);
}

/// No shortcut of an action: in the table the same keys copy a key.
void ActivityPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyRequested();
        return;
    }
    QTreeView::keyPressEvent(event);
}

void ActivityPanel::follow()
{
    if (m_isFollowing) {
        scrollToBottom();
    }
}

void ActivityPanel::paintEvent(QPaintEvent* event)
{
    QTreeView::paintEvent(event);
    if (model()->rowCount() > 0) {
        return;
    }
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(kActivityMargin + 3, 4, -kActivityMargin, 0),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     hasHiddenLines()
                         ? tr("No line has these words.")
                         : tr("No activity yet. Acquired, released and expired locks and your own "
                              "releases appear here."));
}

bool ActivityPanel::hasHiddenLines() const
{
    const auto* const filter = qobject_cast<const QAbstractProxyModel*>(model());
    return filter != nullptr && filter->sourceModel()->rowCount() > 0;
}

QSize ActivityPanel::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 8};
}

void ActivityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == ActivityModel::KeyColumn) {
        option->font = monospacedFont();
        return;
    }
    QColor color = option->palette.color(QPalette::PlaceholderText);
    if (index.column() == ActivityModel::KindColumn) {
        color = colorOf(static_cast<ActivityKind>(index.data(ActivityModel::KindRole).toInt()),
                        *option);
    } else if (index.column() != ActivityModel::TimeColumn) {
        return;
    }
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
}

void ActivityDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    QStyleOptionViewItem shifted = option;
    if (index.column() == 0) {
        shifted.rect.adjust(kActivityMargin, 0, 0, 0); // in line with the title of the dock
    }
    QStyledItemDelegate::paint(painter, shifted, index);
}

QSize ActivityDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 3);
}

} // namespace lockscope::widgets
