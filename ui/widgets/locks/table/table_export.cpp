#include "ui/widgets/locks/table/table_export.h"

#include "ui/models/locks/lock_export.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/save_text.h"
#include "ui/widgets/locks/lock_actions.h"

#include <QAction>
#include <QWidget>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

TableExport::TableExport(const models::LockTableModel& locks, const LockActions& actions,
                         Prompter& prompter, QWidget* window, QObject* parent)
    : QObject(parent),
      m_locks(locks),
      m_prompter(prompter),
      m_window(window)
{
    connect(actions.exportCsv, &QAction::triggered, this,
            [this] { ask(tr("CSV (*.csv)"), u"locks.csv"_s, &models::shownLocksAsCsv); });
    connect(actions.exportJson, &QAction::triggered, this,
            [this] { ask(tr("JSON (*.json)"), u"locks.json"_s, &models::shownLocksAsJson); });
}

void TableExport::ask(const QString& filter, const QString& fileName, Text text)
{
    // As it is shown now, not when a name was found for the file.
    const auto content = QByteArray::fromStdString(text(m_locks));
    saveText(m_prompter, *m_window, {tr("Export the table"), filter, fileName}, content);
}

} // namespace lockscope::widgets
