#include "core/conduct/clock_library.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

namespace lockscope::tst_clock_library {

namespace {

constexpr int kPatienceMs = 30'000;
const char* const kExpected = "LOCKSCOPE_EXPECTED_CLOCK_LIBRARY";

/// A shell that loads it, and waits for a program that it started.
class Starter {
public:
    explicit Starter(const QString& program)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LD_PRELOAD"_qs, QString::fromStdString(conduct::clockLibrary()));
        m_process.setProcessEnvironment(environment);
        m_process.start(u"/bin/sh"_qs,
                        {u"-c"_qs, u"\"$0\" 60 & echo ready; read line; kill $!"_qs, program});
    }
    ~Starter()
    {
        m_process.write("end\n");
        m_process.waitForFinished();
    }
    Starter(const Starter&) = delete;
    Starter& operator=(const Starter&) = delete;

    bool isReady()
    {
        return QTest::qWaitFor([this] { return m_process.canReadLine(); }, kPatienceMs);
    }
    bool follows() const
    {
        return conduct::followsClock(static_cast<pid_t>(m_process.processId()),
                                     conduct::clockLibrary());
    }

private:
    QProcess m_process;
};

} // namespace

class TestClockLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBuildHasIt();
    void itIsTheExpectedOne();
    void anInstalledOneComesFirst();
    void whoLoadsItFollowsIt();
    void programsInGoDoNot();
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
    QVERIFY(root.mkpath(u"bin"_qs) && root.mkpath(u"libexec/lockscope"_qs));
    const QString program = root.filePath(u"bin/program"_qs);
    QVERIFY(QFile::copy(QFileInfo(u"/proc/self/exe"_qs).canonicalFilePath(), program));
    const QString library = root.filePath(u"libexec/lockscope/liblockscope-vclock.so"_qs);
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

void TestClockLibrary::whoLoadsItFollowsIt()
{
    QVERIFY(!conduct::followsClock(::getpid(), conduct::clockLibrary()));
    Starter starter(QStandardPaths::findExecutable(u"sleep"_qs));
    QVERIFY(starter.isReady());
    QVERIFY(starter.follows());
}

/// Known by what go build writes into them; here it stands behind a program of another kind.
void TestClockLibrary::programsInGoDoNot()
{
    const QTemporaryDir folder;
    const QString program = folder.filePath(u"worker"_qs);
    QVERIFY(QFile::copy(QStandardPaths::findExecutable(u"sleep"_qs), program));
    QFile file(program);
    QVERIFY(file.open(QIODevice::Append));
    file.write("\xff Go buildinf:");
    file.close();
    Starter starter(program);
    QVERIFY(starter.isReady());
    QTRY_VERIFY_WITH_TIMEOUT(!starter.follows(), kPatienceMs); // as soon as the shell started it
}

LOCKSCOPE_TEST(TestClockLibrary, Core)

} // namespace lockscope::tst_clock_library

#include "tst_clock_library.moc"
