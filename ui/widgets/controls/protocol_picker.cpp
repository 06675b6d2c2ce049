#include "ui/widgets/controls/protocol_picker.h"

#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/state_mark.h"
#include "ui/widgets/style/palette_colors.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ProtocolListModel;

namespace {

const QString kFirstChoice = u"set-nx-px-token"_s;
constexpr int kIndent = 10;

} // namespace

ProtocolPicker::ProtocolPicker(ProtocolListModel& protocols, QWidget* parent)
    : QWidget(parent),
      m_protocols(protocols)
{
    m_combo = new QComboBox(this);
    m_combo->setObjectName(u"protocolCombo"_s);
    m_combo->setAccessibleName(tr("Protocol"));
    m_combo->setModel(&protocols);
    m_combo->view()->setItemDelegate(new ProtocolDelegate(m_combo));
    m_combo->setMaxVisibleItems(30);
    m_title = createLine(u"protocolTitle"_s, false);
    m_summary = createLine(u"protocolSummary"_s, true);
    m_promises = createLine(u"protocolPromises"_s, true);
    m_flaw = createLine(u"protocolFlaw"_s, false);
    createColumn(this, {}, 4, {m_combo, gap(2), m_title, m_summary, m_flaw, m_promises});
    connect(m_combo, &QComboBox::currentIndexChanged, this, &ProtocolPicker::takeChoice);
    // An own protocol that is loaded again is another one under the same name.
    connect(&protocols, &QAbstractItemModel::dataChanged, this, &ProtocolPicker::takeChoice);
    if (!choose(kFirstChoice)) {
        m_combo->setCurrentIndex(1); // below the first heading
    }
    takeChoice();
}

QLabel* ProtocolPicker::createLine(const QString& name, bool isQuiet)
{
    auto* line = isQuiet ? createQuietLabel({}, this) : new QLabel(this);
    line->setObjectName(name);
    line->setWordWrap(true);
    return line;
}

bool ProtocolPicker::choose(const QString& id)
{
    const int row = m_protocols.rowOf(id);
    if (row >= 0) {
        m_combo->setCurrentIndex(row);
    }
    return row >= 0;
}

void ProtocolPicker::takeChoice()
{
    const models::ProtocolPtr chosen = m_protocols.protocolAt(m_combo->currentIndex());
    if (chosen == nullptr || chosen == m_protocol) {
        return;
    }
    m_protocol = chosen;
    const protocol::ProtocolInfo& info = chosen->info();
    m_title->setText(m_combo->currentData(Qt::ToolTipRole).toString()); // and what it imitates
    m_summary->setText(models::toQString(info.summary));
    m_promises->setText(models::promisesLine(info));
    m_promises->setToolTip(models::promisesInFull(info));
    const QString flaw = models::toQString(info.flaw);
    showRemark(*m_flaw, flaw.isEmpty() ? QString() : tr("Known flaw: %1").arg(flaw), 1);
    Q_EMIT protocolChanged();
}

void ProtocolPicker::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_flaw != nullptr) {
        showRemark(*m_flaw, m_flaw->text(), 1);
    }
}

void ProtocolDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    if (index.data(ProtocolListModel::IsHeadingRole).toBool()) {
        paintHeading(*painter, option, index.data().toString());
        return;
    }
    QStyleOptionViewItem shifted = option;
    shifted.rect.adjust(kIndent, 0, 0, 0);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
    }
    QStyledItemDelegate::paint(painter, shifted, index);
    if (index.data(ProtocolListModel::IsFlawedRole).toBool()) {
        const int size = option.fontMetrics.height() / 2;
        const QRectF mark(option.rect.right() - size - kIndent,
                          option.rect.center().y() - size / 2.0, size, size);
        paintStateMark(*painter, mark, inspect::LockState::Suspicious,
                       stateColorsOf(option.palette).amber);
    }
}

void ProtocolDelegate::paintHeading(QPainter& painter, const QStyleOptionViewItem& option,
                                    const QString& title) const
{
    painter.save();
    QFont font = option.font;
    font.setPointSizeF(font.pointSizeF() * 0.85);
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(option.palette.color(QPalette::PlaceholderText));
    painter.drawText(option.rect.adjusted(kIndent - 4, 0, 0, -2), Qt::AlignLeft | Qt::AlignBottom,
                     title.toUpper());
    painter.restore();
}

QSize ProtocolDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isHeading = index.data(ProtocolListModel::IsHeadingRole).toBool();
    return QStyledItemDelegate::sizeHint(option, index) + QSize(kIndent * 4, isHeading ? 8 : 4);
}

} // namespace lockscope::widgets
