#include "tests/support/test_program.h"
#include "ui/models/user_files.h"

#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_user_files {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestUserFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasWrittenIsRead()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"ü 锁.json"_s);
        QCOMPARE(writeFile(path, "one"), QString());
        const ReadFile read = readFile(path, 3);
        QVERIFY(read.isRead());
        QCOMPARE(read.content, QByteArray("one"));
    }

    void aProblemIsSaid()
    {
        QCOMPARE(writeFile(u"/dev/full"_s, "x"), u"/dev/full: No space left on device"_s);
        const ReadFile folder = readFile(u"/"_s, 1);
        QVERIFY(!folder.isRead());
        QCOMPARE(folder.problem, u"Is a directory"_s);
        QCOMPARE(readFile(u"/dev/zero"_s, 2'000'000).problem, u"larger than 2 MB"_s);
    }

    void whatComesWithTheProgramIsReadAsWell()
    {
        QVERIFY(resourceText(u":/scenarios/2-draw.json"_s).startsWith(u'{'));
        QCOMPARE(resourceText(u":/nowhere"_s), QString());
        QVERIFY(!readFile(u":/nowhere"_s, 1).isRead());
    }
};

LOCKSCOPE_TEST(TestUserFiles, Core)

} // namespace lockscope::tst_user_files

#include "tst_user_files.moc"
