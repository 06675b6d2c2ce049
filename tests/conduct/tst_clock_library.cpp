#include "core/conduct/clock_library.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_clock_library {

namespace {

const char* const kExpected = "LOCKSCOPE_EXPECTED_CLOCK_LIBRARY";

} // namespace

class TestClockLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBuildHasIt();
    void itIsTheExpectedOne();
    void anInstalledOneComesFirst();
};

void TestClockLibrary::theBuildHasIt()
{
    const QFileInfo library(QString::fromStdString(conduct::clockLibrary()));
    QVERIFY(library.isFile());
    QCOMPARE(library.fileName(), u"liblockscope-vclock.so"_qs);
}

/// In the program that the next test makes.
void TestClockLibrary::itIsTheExpectedOne()
{
    if (qEnvironmentVariableIsSet(kExpected)) {
        QCOMPARE(QByteArray::fromStdString(conduct::clockLibrary()), qgetenv(kExpected));
    }
}

void TestClockLibrary::anInstalledOneComesFirst()
{
    const QTemporaryDir folder;
    const QDir root(QFileInfo(folder.path()).canonicalFilePath());
    QVERIFY(root.mkpath(u"bin"_qs) && root.mkpath(u"lib/lockscope"_qs));
    const QString program = root.filePath(u"bin/program"_qs);
    QVERIFY(QFile::copy(QFileInfo(u"/proc/self/exe"_qs).canonicalFilePath(), program));
    const QString library = root.filePath(u"lib/lockscope/liblockscope-vclock.so"_qs);
    QFile file(library);
    QVERIFY(file.open(QIODevice::WriteOnly));

    QProcess installed;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kExpected), library);
    installed.setProcessEnvironment(environment);
    installed.start(program, {u"tst_clock_library"_qs, u"itIsTheExpectedOne"_qs});
    QVERIFY(installed.waitForFinished());
    QVERIFY2(installed.exitCode() == 0, installed.readAll().constData());
}

LOCKSCOPE_TEST(TestClockLibrary, Core)

} // namespace lockscope::tst_clock_library

#include "tst_clock_library.moc"
