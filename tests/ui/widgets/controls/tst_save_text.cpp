#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/controls/save_text.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace lockscope::tst_save_text {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestSaveText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theContentIsWrittenOrTheReasonSaid()
    {
        const QTemporaryDir folder;
        QWidget window;
        test::ScriptedPrompter prompter;
        const QString path = folder.filePath(u"a.txt"_s);
        prompter.willChooseFile(path);
        saveText(prompter, window, {u"Save"_s, u"Text (*.txt)"_s, u"a.txt"_s}, "some bytes");
        QFile file(path);
        QTRY_VERIFY(file.exists());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("some bytes"));
        prompter.willChooseFile(folder.filePath(u"nowhere/a.txt"_s));
        saveText(prompter, window, {u"Save"_s, u"Text (*.txt)"_s, u"a.txt"_s}, "some bytes");
        QTRY_COMPARE(prompter.asked().size(), std::size_t(1));
        QVERIFY(prompter.asked()[0].text.contains(u"nowhere"_s));
    }
};

LOCKSCOPE_TEST(TestSaveText, Widgets)

} // namespace lockscope::tst_save_text

#include "tst_save_text.moc"
