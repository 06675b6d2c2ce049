#include "ui/widgets/locks/table/table_export.h"

#include "ui/models/locks/lock_export.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/text_file.h"
#include "ui/widgets/locks/lock_actions.h"

#include <QAction>
#include <QWidget>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

TableExport::TableExport(const models::LockTableModel& locks, const LockActions& actions,
                         Prompter& prompter, QWidget* window)
    : QObject(window),
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
    m_prompter.chooseSaveFile(m_window, {tr("Export the table"), filter, fileName},
                              [this, content](const QString& path) {
                                  const QString problem = writeFile(path, content);
                                  if (!problem.isEmpty()) {
                                      m_prompter.tell(m_window, tr("Could not save the file"),
                                                      problem);
                                  }
                              });
}

} // namespace lockscope::widgets
