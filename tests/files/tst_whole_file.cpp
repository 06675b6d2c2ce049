// Folders, devices, rights and full disks: what reading and writing a file says of them.

#include "core/files/whole_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/size_limit.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <variant>

namespace lockscope::tst_whole_file {

using namespace lockscope::files;
using namespace Qt::StringLiterals;

namespace {

/// The content, or the reason in brackets.
std::string shown(const std::variant<std::string, Unreadable>& read)
{
    const auto* const failure = std::get_if<Unreadable>(&read);
    return failure != nullptr ? '[' + failure->reason + ']' : std::get<std::string>(read);
}

std::string read(const std::string& path)
{
    return shown(readWhole(path, kMegabyte));
}

mode_t permissionsOf(const std::string& path)
{
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
}

} // namespace

class TestWholeFile : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string pathOf(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    /// Everything that stands in the folder, hidden files too.
    QStringList names() const
    {
        return QDir(m_folder.path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private Q_SLOTS:
    void init() { m_folder = QTemporaryDir(); }

    void whatWasWrittenIsRead();
    void whatCannotBeReadSaysWhy_data();
    void whatCannotBeReadSaysWhy();
    void aFileWithoutRightsSaysSo();
    void onlyTheBeginningIsRead();
    void aWordIsFoundAcrossPieces();
    void aFullDiskLeavesTheOldFile();
    void aFullDeviceSaysSo();
    void whatCannotBeWrittenSaysWhy();
    void aProtectedFileStays();
    void aLinkStaysALink();
    void aLinkToNothingMakesItsFile();
    void permissionsStay();
    void anOpenStandardOutputIsNotReplaced();
    void aNameMayBeAsLongAsNamesCanBe();
    void theRestOfAKilledProcessIsNoObstacle();
};

void TestWholeFile::whatWasWrittenIsRead()
{
    const std::string path = pathOf(u"a"_s);
    const std::string large(300'000, 'x');
    for (const std::string& content : {std::string("one"), std::string(), large}) {
        QCOMPARE(writeWhole(path, content), std::string());
        QVERIFY(read(path) == content);
        QCOMPARE(names(), QStringList{u"a"_s});
    }
}

void TestWholeFile::whatCannotBeReadSaysWhy_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("said");
    QTest::newRow("folder") << u"/"_s << u"[Is a directory]"_s;
    QTest::newRow("missing") << u"/nowhere"_s << u"[No such file or directory]"_s;
    QTest::newRow("empty name") << QString() << u"[No such file or directory]"_s;
    QTest::newRow("below a file") << u"/dev/null/x"_s << u"[Not a directory]"_s;
    QTest::newRow("without end") << u"/dev/zero"_s << u"[larger than 1 MB]"_s;
    QTest::newRow("another process's memory") << u"/proc/self/mem"_s << u"[Input/output error]"_s;
    QTest::newRow("empty") << u"/dev/null"_s << QString();
}

void TestWholeFile::whatCannotBeReadSaysWhy()
{
    QFETCH(const QString, path);
    QTEST(QString::fromStdString(read(path.toStdString())), "said");
}

void TestWholeFile::aFileWithoutRightsSaysSo()
{
    if (::geteuid() == 0) {
        QSKIP("root may read every file");
    }
    const std::string path = pathOf(u"secret"_s);
    QCOMPARE(writeWhole(path, "x"), std::string());
    QCOMPARE(::chmod(path.c_str(), 0), 0);
    QCOMPARE(read(path), std::string("[Permission denied]"));
}

void TestWholeFile::onlyTheBeginningIsRead()
{
    const std::string path = pathOf(u"a"_s);
    QCOMPARE(writeWhole(path, "password\nmore"), std::string());
    QCOMPARE(shown(readBeginning(path, 8)), std::string("password"));
    QCOMPARE(shown(readBeginning(path, 100)), std::string("password\nmore"));
    QCOMPARE(shown(readBeginning("/dev/zero", 2)), std::string(2, '\0'));
    QCOMPARE(shown(readBeginning("/", 2)), std::string("[Is a directory]"));
}

void TestWholeFile::aWordIsFoundAcrossPieces()
{
    const std::string path = pathOf(u"a"_s);
    for (const std::size_t before : {0, 65'533, 65'536, 200'000}) {
        QCOMPARE(writeWhole(path, std::string(before, '.') + "word..."), std::string());
        QVERIFY(fileHas(path, "word"));
        QVERIFY(!fileHas(path, "words"));
    }
    QVERIFY(!fileHas("/", "word"));
    QVERIFY(!fileHas("/nowhere", "word"));
}

void TestWholeFile::aFullDiskLeavesTheOldFile()
{
    const std::string path = pathOf(u"a"_s);
    QCOMPARE(writeWhole(path, "decisions"), std::string());
    for (const rlim_t room : {0, 3}) { // the second is a disk that fills up meanwhile
        std::string reason;
        {
            const testing::SizeLimit limit(room);
            reason = writeWhole(path, "more decisions");
        }
        QCOMPARE(reason, std::string("File too large"));
        QCOMPARE(read(path), std::string("decisions"));
        QCOMPARE(names(), QStringList{u"a"_s});
    }
}

void TestWholeFile::aFullDeviceSaysSo()
{
    QCOMPARE(writeWhole("/dev/full", "x"), std::string("No space left on device"));
    QCOMPARE(writeWhole("/dev/null", "x"), std::string());
}

void TestWholeFile::whatCannotBeWrittenSaysWhy()
{
    QCOMPARE(writeWhole(m_folder.path().toStdString(), "x"), std::string("Is a directory"));
    QCOMPARE(writeWhole(pathOf(u"no/a"_s), "x"), std::string("No such file or directory"));
    QCOMPARE(writeWhole("/dev/null/a", "x"), std::string("Not a directory"));
    QCOMPARE(writeWhole({}, "x"), std::string("No such file or directory"));
    QCOMPARE(names(), QStringList());
}

void TestWholeFile::aProtectedFileStays()
{
    if (::geteuid() == 0) {
        QSKIP("root may write every file");
    }
    const std::string path = pathOf(u"a"_s);
    QCOMPARE(writeWhole(path, "old"), std::string());
    QCOMPARE(::chmod(path.c_str(), 0400), 0);
    QCOMPARE(writeWhole(path, "new"), std::string("Permission denied"));
    QCOMPARE(read(path), std::string("old"));
}

void TestWholeFile::aLinkStaysALink()
{
    const std::string path = pathOf(u"a"_s);
    const std::string link = pathOf(u"link"_s);
    QCOMPARE(writeWhole(path, "old"), std::string());
    QCOMPARE(::symlink("a", link.c_str()), 0);
    QCOMPARE(writeWhole(link, "new"), std::string());
    QCOMPARE(read(path), std::string("new"));
    QVERIFY(QFileInfo(m_folder.filePath(u"link"_s)).isSymLink());
}

void TestWholeFile::aLinkToNothingMakesItsFile()
{
    const std::string link = pathOf(u"link"_s);
    QCOMPARE(::symlink("a", link.c_str()), 0);
    QCOMPARE(writeWhole(link, "new"), std::string());
    QCOMPARE(read(pathOf(u"a"_s)), std::string("new"));
}

void TestWholeFile::permissionsStay()
{
    const std::string path = pathOf(u"a"_s);
    const mode_t before = ::umask(027);
    const std::string reason = writeWhole(path, "new");
    ::umask(before);
    QCOMPARE(reason, std::string());
    QCOMPARE(permissionsOf(path), mode_t{0640});
    QCOMPARE(::chmod(path.c_str(), 0604), 0);
    QCOMPARE(writeWhole(path, "newer"), std::string());
    QCOMPARE(permissionsOf(path), mode_t{0604});
}

/// --save /dev/stdout, with standard output in a file.
void TestWholeFile::anOpenStandardOutputIsNotReplaced()
{
    QFile file(m_folder.filePath(u"a"_s));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const std::string path = "/proc/self/fd/" + std::to_string(file.handle());
    QCOMPARE(writeWhole(path, "saved"), std::string());
    QCOMPARE(file.readAll(), QByteArray("saved"));
}

void TestWholeFile::aNameMayBeAsLongAsNamesCanBe()
{
    const QString name(255, u'n');
    QCOMPARE(writeWhole(pathOf(name), "x"), std::string());
    QCOMPARE(names(), QStringList{name});
}

void TestWholeFile::theRestOfAKilledProcessIsNoObstacle()
{
    const QString rest = u".lockscope-%1-0"_s.arg(::getpid());
    QFile left(m_folder.filePath(rest));
    QVERIFY(left.open(QIODevice::WriteOnly));
    QCOMPARE(writeWhole(pathOf(u"a"_s), "x"), std::string());
    QCOMPARE(read(pathOf(u"a"_s)), std::string("x"));
}

LOCKSCOPE_TEST(TestWholeFile, Core)

} // namespace lockscope::tst_whole_file

#include "tst_whole_file.moc"
