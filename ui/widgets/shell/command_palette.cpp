#include "ui/widgets/shell/command_palette.h"

#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/shell/menu_entries.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPaletteCharacters = 70;
constexpr int kPaletteLines = 16;
constexpr int kRowPadding = 8;
constexpr int kFromTop = 60; // pixels below the window's upper edge

} // namespace

CommandPalette::CommandPalette(const QMenuBar& menus, QWidget* parent) : QDialog(parent)
{
    setObjectName(u"commandPalette"_s);
    setWindowTitle(tr("Find an action"));
    m_edit = new QLineEdit(this);
    m_edit->setObjectName(u"paletteEdit"_s);
    m_edit->setPlaceholderText(tr("Type a part of its name"));
    m_edit->setAccessibleName(tr("Name of the action"));
    m_edit->installEventFilter(this);
    m_list = new QListWidget(this);
    m_list->setObjectName(u"paletteList"_s);
    m_list->setAccessibleName(tr("Actions"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    QList<MenuEntry> entries = entriesOf(menus);
    std::stable_partition(entries.begin(), entries.end(),
                          [](const MenuEntry& entry) { return entry.action->isEnabled(); });
    for (const MenuEntry& entry : entries) {
        const QString keys = entry.action->shortcut().toString(QKeySequence::NativeText);
        auto* const item = new QListWidgetItem(keys.isEmpty() ? entry.path
                                                              : tr("%1 (%2)").arg(entry.path, keys),
                                               m_list);
        item->setSizeHint(QSize(0, fontMetrics().height() + kRowPadding));
        if (!entry.action->isEnabled()) {
            item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
        }
        m_actions.append(entry.action);
    }
    createColumn(this, {12, 12, 12, 12}, 8, {m_edit, growing(m_list)});
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { run(m_list->currentItem()); });
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    resize(fontMetrics().averageCharWidth() * kPaletteCharacters,
           fontMetrics().height() * kPaletteLines);
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, kFromTop)));
    filter({});
}

void CommandPalette::filter(const QString& text)
{
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* const item = m_list->item(row);
        item->setHidden(!std::ranges::all_of(words, [item](const QString& word) {
            return item->text().contains(word, Qt::CaseInsensitive);
        }));
    }
    m_list->setCurrentRow(-1);
    step(1);
    preferBeginning(text.trimmed());
}

/// "release" means "Release" more than "Copy release command".
void CommandPalette::preferBeginning(const QString& text)
{
    for (int row = 0; row < m_list->count() && !text.isEmpty(); ++row) {
        const QListWidgetItem* const item = m_list->item(row);
        const QString name = item->text().section(u'›', -1).trimmed();
        if (!item->isHidden() && item->flags().testFlag(Qt::ItemIsEnabled)
            && name.startsWith(text, Qt::CaseInsensitive)) {
            m_list->setCurrentRow(row);
            return;
        }
    }
}

int CommandPalette::matchCount() const
{
    int count = 0;
    for (int row = 0; row < m_list->count(); ++row) {
        count += m_list->item(row)->isHidden() ? 0 : 1;
    }
    return count;
}

/// To the next one that can be done.
void CommandPalette::step(int by)
{
    for (int row = m_list->currentRow() + by; row >= 0 && row < m_list->count(); row += by) {
        const QListWidgetItem* const item = m_list->item(row);
        if (!item->isHidden() && item->flags().testFlag(Qt::ItemIsEnabled)) {
            m_list->setCurrentRow(row);
            return;
        }
    }
}

/// Closed first: the action may open a dialog of its own.
void CommandPalette::run(const QListWidgetItem* item)
{
    if (item == nullptr || item->isHidden() || !item->flags().testFlag(Qt::ItemIsEnabled)) {
        return;
    }
    const QPointer<QAction> action = m_actions.at(m_list->row(item));
    accept();
    if (action != nullptr) {
        action->trigger();
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            step(key == Qt::Key_Down ? 1 : -1);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lockscope::widgets
