#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/locks/lock_export.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/table/table_export.h"

#include <QAction>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace lockscope::tst_table_export {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::deltaOf;
using test::MadeLock;

class TestTableExport : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(1h);

    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void theTableIsWritten()
    {
        const QTemporaryDir folder;
        models::LockTableModel locks([] { return kNow; });
        locks.apply(deltaOf(inspect::ChangeKind::Appeared, {MadeLock("k").ptr()}, kNow));
        QWidget window;
        const LockActions actions(nullptr);
        test::ScriptedPrompter prompter;
        new TableExport(locks, actions, prompter, &window, &window);
        prompter.willChooseFile(folder.filePath(u"a.csv"_s));
        actions.exportCsv->trigger();
        QTRY_COMPARE(contentOf(folder.filePath(u"a.csv"_s)),
                     QByteArray::fromStdString(models::shownLocksAsCsv(locks)));
        prompter.willChooseFile(folder.filePath(u"a.json"_s));
        actions.exportJson->trigger();
        QTRY_COMPARE(contentOf(folder.filePath(u"a.json"_s)),
                     QByteArray::fromStdString(models::shownLocksAsJson(locks)));
    }

    void whatCannotBeWrittenIsSaid()
    {
        const QTemporaryDir folder;
        const models::LockTableModel locks([] { return kNow; });
        QWidget window;
        const LockActions actions(nullptr);
        test::ScriptedPrompter prompter;
        new TableExport(locks, actions, prompter, &window, &window);
        prompter.willChooseFile(folder.filePath(u"none/a.csv"_s));
        prompter.willAnswer(Answer::Accepted);
        actions.exportCsv->trigger();
        QTRY_COMPARE(prompter.asked().size(), 1U);
    }
};

LOCKSCOPE_TEST(TestTableExport, Widgets)

} // namespace lockscope::tst_table_export

#include "tst_table_export.moc"
