#include "ui/widgets/acquire/held_locks_panel.h"

#include "ui/widgets/acquire/tone_of_kept_lock.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/panel_list.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QTreeView>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::HeldLocksModel;

namespace {

constexpr std::chrono::milliseconds kHeldLocksTick{200};

} // namespace

HeldLocksPanel::HeldLocksPanel(service::LockKeeper& keeper, QWidget* parent)
    : QWidget(parent),
      m_keeper(keeper),
      m_model([&keeper] { return keeper.now(); })
{
    setObjectName(u"heldLocksPanel"_s);
    createTable();
    m_empty = createQuietLabel(tr("You have not acquired any locks."), this);
    m_empty->setContentsMargins(4, 4, 12, 4);
    m_empty->setAlignment(Qt::AlignTop);
    createRow(this, {8, 0, 12, 8}, 12, {growing(m_empty), growing(m_table), createButtons()});
    m_tick = new QTimer(this);
    m_tick->setInterval(kHeldLocksTick);
    connect(m_tick, &QTimer::timeout, &m_model, &HeldLocksModel::refreshTimes);
    for (const service::KeptLock& lock : keeper.held()) {
        m_model.takeKeptLock(lock);
    }
    connect(&keeper, &service::LockKeeper::changed, this, [this](const service::KeptLock& lock) {
        m_model.takeKeptLock(lock);
        refresh();
    });
    refresh();
}

void HeldLocksPanel::createTable()
{
    m_table = new QTreeView(this);
    m_table->setObjectName(u"heldLocksTable"_s);
    m_table->setAccessibleName(tr("Manually acquired locks"));
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new HeldLockDelegate(m_table));
    makePanelList(*m_table);
    m_table->setRootIsDecorated(false);
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(true);
    header->setTextElideMode(Qt::ElideRight);
    const auto fit = [this, header](int column, const QString& longest) {
        header->resizeSection(column, fontMetrics().horizontalAdvance(longest) + 18);
    };
    fit(HeldLocksModel::KeyColumn, u"a-prefix:a-key"_s);
    fit(HeldLocksModel::StateColumn, u"● releasing"_s);
    fit(HeldLocksModel::LeftColumn, tr("Time left"));
    fit(HeldLocksModel::RenewalsColumn, tr("Renewals"));
    fit(HeldLocksModel::ProtocolColumn, u"rw-two-keys-counted"_s);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &HeldLocksPanel::refresh);
}

QWidget* HeldLocksPanel::createButtons()
{
    auto* column = new QWidget(this);
    m_release = createButton(u"releaseCurrentButton"_s, tr("Release"), column);
    m_releaseAll = createButton(u"releaseAllButton"_s, tr("Release all"), column);
    createColumn(column, {}, 6, {m_release, m_releaseAll, room()});
    connect(m_release, &QPushButton::clicked, this, &HeldLocksPanel::releaseCurrent);
    connect(m_releaseAll, &QPushButton::clicked, &m_keeper, &service::LockKeeper::releaseAll);
    return column;
}

void HeldLocksPanel::releaseCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid()) {
        m_keeper.release(current.data(HeldLocksModel::IdRole).toULongLong());
    }
}

void HeldLocksPanel::refresh()
{
    if (!isEmpty() && !m_table->currentIndex().isValid()) {
        m_table->setCurrentIndex(m_model.index(0, 0));
    }
    m_table->setVisible(!isEmpty());
    m_empty->setVisible(isEmpty());
    m_release->setEnabled(!isEmpty());
    m_releaseAll->setEnabled(!isEmpty());
    if (isEmpty()) {
        m_tick->stop();
    } else if (!m_tick->isActive()) {
        m_tick->start();
    }
    if (m_wasEmpty != isEmpty()) {
        m_wasEmpty = isEmpty();
        Q_EMIT emptinessChanged();
    }
}

QSize HeldLocksPanel::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 7};
}

void HeldLockDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == HeldLocksModel::KeyColumn) {
        option->font = monospacedFont();
        option->textElideMode = Qt::ElideMiddle;
    } else if (index.column() == HeldLocksModel::StateColumn) {
        const auto tone =
            static_cast<models::KeptLockText::Tone>(index.data(HeldLocksModel::ToneRole).toInt());
        const QColor color = colorOf(linkToneOf(tone), option->palette);
        option->palette.setColor(QPalette::Text, color);
        option->palette.setColor(QPalette::HighlightedText, color);
        option->text.prepend(u"● "_s);
    }
}

QSize HeldLockDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 5);
}

} // namespace lockscope::widgets
