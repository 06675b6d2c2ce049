#include "ui/widgets/locks/lock_side_panel.h"

#include "core/kernel/inspect/lock_record.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QPainter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::LockCountsModel;

namespace {

constexpr int kMargin = 14;

QFont headingFont(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * 0.85);
    font.setBold(true);
    return font;
}

bool isPrefix(const QModelIndex& index)
{
    return index.data(LockCountsModel::GroupRole).toInt()
           == static_cast<int>(LockCountsModel::Group::Prefix);
}

} // namespace

LockSidePanel::LockSidePanel(models::LockCountsModel& counts, QWidget* parent) : QListView(parent)
{
    setObjectName(u"lockSidePanel"_s);
    setAccessibleName(tr("Counts"));
    setModel(&counts);
    setItemDelegate(new CountDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Window);
    connect(this, &QListView::clicked, this, &LockSidePanel::choose);
    // Return: `activated` may also mean a click, which has been dealt with.
    auto* enter = new QAction(this);
    enter->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    enter->setShortcutContext(Qt::WidgetShortcut);
    addAction(enter);
    connect(enter, &QAction::triggered, this, [this] { choose(currentIndex()); });
}

void LockSidePanel::choose(const QModelIndex& index)
{
    const QString word = index.data(LockCountsModel::FilterRole).toString();
    if (!word.isEmpty()) {
        Q_EMIT wordChosen(word);
    }
}

void LockSidePanel::showFilter(const QString& filter)
{
    if (auto* delegate = qobject_cast<CountDelegate*>(itemDelegate())) {
        delegate->setActiveWords(filter.split(u' ', Qt::SkipEmptyParts));
        viewport()->update();
    }
}

QSize LockSidePanel::sizeHint() const
{
    return {fontMetrics().height() * 11, fontMetrics().height() * 20};
}

QSize CountDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int line = option.fontMetrics.height();
    const bool isHeading = index.data(LockCountsModel::IsHeadingRole).toBool();
    return {line * 8, isHeading ? line + 18 : line + 7};
}

void CountDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(LockCountsModel::IsHeadingRole).toBool()) {
        paintHeading(*painter, option, index);
    } else {
        paintLine(*painter, option, index);
    }
    painter->restore();
}

void CountDelegate::paintHeading(QPainter& painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const
{
    painter.setFont(headingFont(option.font));
    painter.setPen(option.palette.color(QPalette::PlaceholderText));
    painter.drawText(option.rect.adjusted(kMargin, 0, -kMargin, -4),
                     Qt::AlignLeft | Qt::AlignBottom, index.data().toString().toUpper());
}

void CountDelegate::paintLine(QPainter& painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const bool isActive =
        m_activeWords.contains(index.data(LockCountsModel::FilterRole).toString());
    if (isActive) {
        painter.fillRect(option.rect, option.palette.color(QPalette::Highlight));
    } else if (option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus)) {
        painter.fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
    }
    QRect space = option.rect.adjusted(kMargin, 0, -kMargin, 0);
    const QVariant state = index.data(LockCountsModel::StateRole);
    if (state.isValid()) {
        const int size = option.fontMetrics.xHeight() + 2;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(static_cast<inspect::LockState>(state.toInt()), option.palette));
        painter.drawEllipse(QRect(space.left(), space.center().y() - size / 2, size, size));
        space.setLeft(space.left() + size + 8);
    }
    painter.setPen(option.palette.color(QPalette::Text));
    QFont bold = option.font;
    bold.setBold(true);
    painter.setFont(bold);
    const QString count = models::countText(index.data(LockCountsModel::CountRole).toLongLong());
    painter.drawText(space, Qt::AlignRight | Qt::AlignVCenter, count);
    space.setRight(space.right() - QFontMetrics(bold).horizontalAdvance(count) - 8);
    const QFont font = isPrefix(index) ? monospacedFont() : option.font;
    painter.setFont(font);
    // Of a name both ends tell it from others, of a phrase its beginning does.
    const Qt::TextElideMode elision = isPrefix(index) ? Qt::ElideMiddle : Qt::ElideRight;
    painter.drawText(space, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(index.data().toString(), elision,
                                                   space.width()));
}

} // namespace lockscope::widgets
