#include "audit_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <thread>
#include <vector>

using lockscope::wire::AuditFile;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
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
    void twoWritersDoNotMixTheirLines();
    void theUsualPlaceIsInTheUsersData();
};

void TestAuditFile::linesAreAppended()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(file.append(R"({"n":1})"), std::string());
    AuditFile again(folder.filePath(u"audit.jsonl"_qs));
    QCOMPARE(again.append(R"({"n":2})"), std::string());
    QCOMPARE(contentOf(file.path()), QByteArray("{\"n\":1}\n{\"n\":2}\n"));
}

void TestAuditFile::theFolderIsMade()
{
    const QTemporaryDir folder;
    AuditFile file(folder.filePath(u"a/b/audit.jsonl"_qs));
    QCOMPARE(file.append("{}"), std::string());
    QCOMPARE(contentOf(file.path()), QByteArray("{}\n"));
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
    QVERIFY(!file.append("{}").empty());
}

void TestAuditFile::aFolderThatCannotBeMadeSaysWhy()
{
    const QTemporaryDir folder;
    AuditFile obstacle(folder.filePath(u"file"_qs));
    QCOMPARE(obstacle.append("{}"), std::string());
    AuditFile file(folder.filePath(u"file/audit.jsonl"_qs));
    QVERIFY(file.append("{}").find("cannot be made") != std::string::npos);
}

void TestAuditFile::twoWritersDoNotMixTheirLines()
{
    constexpr int kLineCount = 300;
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"audit.jsonl"_qs);
    std::vector<std::jthread> writers;
    for (const char letter : {'a', 'b', 'c'}) {
        writers.emplace_back([path, letter] {
            AuditFile file(path);
            for (int i = 0; i < kLineCount; ++i) {
                file.append(std::string(200, letter));
            }
        });
    }
    writers.clear();
    const QList<QByteArray> lines = contentOf(path).split('\n');
    QCOMPARE(lines.size(), 3 * kLineCount + 1);
    for (const QByteArray& line : lines) {
        QVERIFY(line.isEmpty() || line == QByteArray(200, line.front()));
    }
}

void TestAuditFile::theUsualPlaceIsInTheUsersData()
{
    QVERIFY(AuditFile::defaultPath().endsWith(u"/lockscope/audit.jsonl"_qs));
    QVERIFY(QDir::isAbsolutePath(AuditFile::defaultPath()));
}

QTEST_GUILESS_MAIN(TestAuditFile)
#include "tst_audit_file.moc"
