#include "core/kernel/report/audit_trail.h"
#include "core/wire/audit_file.h"
#include "core/wire/audit_reading.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/size_limit.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <thread>
#include <vector>

namespace lockscope::tst_audit_file {

using lockscope::wire::AuditFile;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

mode_t modeOf(const QString& path)
{
    struct stat status {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? status.st_mode & 07777 : 0;
}

void write(const QString& path, const QByteArray& content, mode_t mode)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
    file.close();
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), mode), 0);
}

/// What stands in the file: its lines without their links, which have to be right.
QByteArray linesOf(const QString& path)
{
    const report::AuditTrail trail = report::readAuditTrail(contentOf(path).toStdString(),
                                                            &AuditFile::sha256);
    QByteArray lines = trail.chain.isIntact() ? QByteArray() : QByteArray("broken: ");
    for (QByteArray line : contentOf(path).split('\n')) {
        const qsizetype link = line.indexOf("\"number\":");
        lines += link < 0 ? line : line.left(link).chopped(line[link - 1] == ',' ? 1 : 0) + '}';
        lines += '\n';
    }
    return lines.chopped(1);
}

} // namespace

class TestAuditFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesAreAppended();
    void theFolderIsMade();
    void onlyTheOwnerMayRead();
    void aFileThatCannotBeWrittenSaysWhy();
    void aFolderThatCannotBeMadeSaysWhy();
    void widePermissionsAreTakenAway();
    void aSymbolicLinkIsRefused();
    void whatIsNoRegularFileIsRefused_data();
    void whatIsNoRegularFileIsRefused();
    void aLineThatDoesNotFitIsTakenBack();
    void behindATornLineANewOneBegins();
    void twoWritersDoNotMixTheirLines();
    void theChainGoesOnBehindLongLines();
    void aFileOfAnOlderVersionIsContinued();
    void itIsReadAsAWhole();
    void theUsualPlaceIsInTheUsersData();
};

void TestAuditFile::linesAreAppended()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(file.append(R"({"a":1})"), std::string());
    AuditFile again(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(again.append(R"({"a":2})"), std::string());
    QCOMPARE(linesOf(file.path()), QByteArray("{\"a\":1}\n{\"a\":2}\n"));
}

void TestAuditFile::theFolderIsMade()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"a/b/audit.jsonl"_qs));
    QCOMPARE(file.append("{}"), std::string());
    QCOMPARE(linesOf(file.path()), QByteArray("{}\n"));
}

void TestAuditFile::onlyTheOwnerMayRead()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(file.append("{}"), std::string());
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther
                                      | QFile::WriteOther;
    QVERIFY(!(QFileInfo(file.path()).permissions() & others));
}

void TestAuditFile::aFileThatCannotBeWrittenSaysWhy()
{
    const QTemporaryDir folder;
    AuditFile file(folder.path()); // a folder is no file, not even for root
    QCOMPARE(file.append("{}"), file.path().toStdString() + ": Is a directory");
}

void TestAuditFile::aFolderThatCannotBeMadeSaysWhy()
{
    const QTemporaryDir folder;
    AuditFile obstacle(folder.filePath(u"file"_qs));
    QCOMPARE(obstacle.append("{}"), std::string());
    AuditFile file(folder.filePath(u"file/audit.jsonl"_qs));
    QVERIFY(file.append("{}").find("could not be created") != std::string::npos);
}

void TestAuditFile::widePermissionsAreTakenAway()
{
    const QTemporaryDir folder;
    const AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    write(file.path(), "{\"a\":1}\n", 0666);
    QCOMPARE(AuditFile(file.path()).append(R"({"a":2})"), std::string());
    QCOMPARE(modeOf(file.path()), mode_t(0600));
    QCOMPARE(linesOf(file.path()), QByteArray("{\"a\":1}\n{\"a\":2}\n"));
}

void TestAuditFile::aSymbolicLinkIsRefused()
{
    const QTemporaryDir folder;
    const QString elsewhere = folder.filePath(u"elsewhere"_qs);
    write(elsewhere, "precious\n", 0600);
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QVERIFY(QFile::link(elsewhere, file.path()));
    QCOMPARE(file.append("{}"), file.path().toStdString() + ": it is a symbolic link");
    QCOMPARE(contentOf(elsewhere), QByteArray("precious\n"));
}

void TestAuditFile::whatIsNoRegularFileIsRefused_data()
{
    QTest::addColumn<bool>("isPipe");
    QTest::newRow("a device") << false;
    QTest::newRow("a pipe that nobody reads") << true;
}

void TestAuditFile::whatIsNoRegularFileIsRefused()
{
    QFETCH(const bool, isPipe);
    const QTemporaryDir folder;
    const QString path = isPipe ? folder.filePath(u"pipe"_qs) : u"/dev/full"_qs;
    QVERIFY(!isPipe || ::mkfifo(QFile::encodeName(path).constData(), 0600) == 0);
    QCOMPARE(AuditFile(path).append("{}"), path.toStdString() + ": it is not a regular file");
}

void TestAuditFile::aLineThatDoesNotFitIsTakenBack()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(file.append("{}"), std::string());
    {
        const testing::SizeLimit limit(static_cast<rlim_t>(contentOf(file.path()).size()) + 7);
        QVERIFY(file.append("{}").find("too large") != std::string::npos);
    }
    QCOMPARE(linesOf(file.path()), QByteArray("{}\n"));
    QCOMPARE(file.append("{}"), std::string());
    QCOMPARE(linesOf(file.path()), QByteArray("{}\n{}\n"));
}

void TestAuditFile::behindATornLineANewOneBegins()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    write(file.path(), "{\"torn\":", 0600);
    QCOMPARE(file.append("{}"), std::string());
    QCOMPARE(linesOf(file.path()), QByteArray("{\"torn\":\n{}\n"));
}

void TestAuditFile::twoWritersDoNotMixTheirLines()
{
    constexpr int kLineCount = 100; // each waits for the disk
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"audit.jsonl"_qs);
    std::vector<std::jthread> writers;
    for (const char letter : {'a', 'b', 'c'}) {
        writers.emplace_back([path, letter] {
            AuditFile file(path);
            for (int i = 0; i < kLineCount; ++i) {
                file.append("{\"letter\":\"" + std::string(200, letter) + "\"}");
            }
        });
    }
    writers.clear();
    const report::AuditTrail trail = report::readAuditTrail(contentOf(path).toStdString(),
                                                            &AuditFile::sha256);
    QVERIFY2(trail.chain.isIntact(), trail.chain.fault.c_str());
    QCOMPARE(trail.chain.linkedCount, std::uint64_t(3 * kLineCount));
    for (const QByteArray& line : linesOf(path).split('\n')) {
        QVERIFY(line.isEmpty() || line.count(line[11]) >= 200);
    }
}

/// The last link is looked for in ever larger parts of the end of the file.
void TestAuditFile::theChainGoesOnBehindLongLines()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    const std::string longLine = "{\"a\":\"" + std::string(100'000, 'x') + "\"}";
    for (const std::string& line : {std::string("{}"), longLine, std::string("{}"), longLine}) {
        QCOMPARE(file.append(line), std::string());
    }
    const report::AuditTrail trail = report::readAuditTrail(contentOf(file.path()).toStdString(),
                                                            &AuditFile::sha256);
    QVERIFY2(trail.chain.isIntact(), trail.chain.fault.c_str());
    QCOMPARE(trail.chain.linkedCount, std::uint64_t(4));
}

void TestAuditFile::aFileOfAnOlderVersionIsContinued()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QByteArray old;
    for (int i = 0; i < 2'000; ++i) { // more than is read at once
        old += "{\"a\":" + QByteArray::number(i) + "}\n";
    }
    write(file.path(), old, 0600);
    QCOMPARE(file.append("{}"), std::string());
    QCOMPARE(file.append("{}"), std::string());
    const report::AuditTrail trail = report::readAuditTrail(contentOf(file.path()).toStdString(),
                                                            &AuditFile::sha256);
    QVERIFY2(trail.chain.isIntact(), trail.chain.fault.c_str());
    QCOMPARE(trail.chain.firstLinked, std::uint64_t(2'001));
}

void TestAuditFile::itIsReadAsAWhole()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    std::string failure;
    QVERIFY(!file.read(failure));
    QVERIFY2(failure.find("No such file") != std::string::npos, failure.c_str());
    QCOMPARE(file.append("{}"), std::string());
    failure.clear();
    QCOMPARE(*file.read(failure), contentOf(file.path()).toStdString());
    QCOMPARE(failure, std::string());
    const service::AuditReading reading = wire::readAudit(file.path());
    QVERIFY(reading.problem.isEmpty() && !reading.isMissing);
    QCOMPARE(reading.trail.chain.linkedCount, std::uint64_t(1));
    QVERIFY(wire::readAudit(folder.filePath(u"other"_qs)).isMissing);
    QVERIFY(!AuditFile(folder.path()).read(failure));
    QVERIFY2(failure.find("not a regular file") != std::string::npos, failure.c_str());
}

void TestAuditFile::theUsualPlaceIsInTheUsersData()
{
    QVERIFY(AuditFile::defaultPath().endsWith(u"/lockscope/audit.jsonl"_qs));
    QVERIFY(QDir::isAbsolutePath(AuditFile::defaultPath()));
}

LOCKSCOPE_TEST(TestAuditFile, Core)

} // namespace lockscope::tst_audit_file

#include "tst_audit_file.moc"
