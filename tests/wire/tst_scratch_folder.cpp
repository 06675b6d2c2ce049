#include "core/wire/scratch_folder.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

namespace lockscope::tst_scratch_folder {

using namespace Qt::StringLiterals;
using wire::ScratchFolder;

namespace {

void fill(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

} // namespace

class TestScratchFolder final : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<QTemporaryDir> m_parent;
    QByteArray m_before;

    QString makeFolder(const QString& name, const QByteArray& owner) const
    {
        const QString path = m_parent->filePath(name);
        const bool isMade = ::mkdir(qPrintable(path), S_IRWXU) == 0;
        if (isMade) {
            fill(path + u"/.owner"_s, owner);
        }
        return path;
    }

    /// A process that makes a folder, says its path, and is killed.
    static QString folderOfAKilledProcess()
    {
        int ends[2];
        if (::pipe(ends) != 0) {
            return {};
        }
        const pid_t process = ::fork();
        if (process == 0) {
            const ScratchFolder folder;
            fill(QFile::decodeName(folder.filePath("log").c_str()), "x");
            const std::string& path = folder.path();
            [[maybe_unused]] const ssize_t count = ::write(ends[1], path.data(), path.size());
            ::raise(SIGKILL);
        }
        ::close(ends[1]);
        QByteArray path(4096, '\0');
        path.resize(std::max<qsizetype>(::read(ends[0], path.data(), 4096), 0));
        ::close(ends[0]);
        ::waitpid(process, nullptr, 0);
        return QFile::decodeName(path);
    }

private Q_SLOTS:
    void init()
    {
        m_parent = std::make_unique<QTemporaryDir>();
        m_before = qgetenv("TMPDIR");
        qputenv("TMPDIR", QFile::encodeName(m_parent->path()));
    }

    void cleanup()
    {
        if (m_before.isNull()) {
            qunsetenv("TMPDIR");
        } else {
            qputenv("TMPDIR", m_before);
        }
    }

    void theFolderIsPrivateAndGoesWithTheObject()
    {
        QString path;
        {
            const ScratchFolder folder;
            path = QFile::decodeName(folder.path().c_str());
            QCOMPARE(QFileInfo(path).absolutePath(), m_parent->path());
            struct stat status {};
            QCOMPARE(::stat(folder.path().c_str(), &status), 0);
            QCOMPARE(status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO), mode_t(S_IRWXU));
            fill(QFile::decodeName(folder.filePath("log").c_str()), "x");
        }
        QVERIFY(!QFileInfo::exists(path));
    }

    void foldersOfLivingProcessesStay()
    {
        const ScratchFolder folder;
        ScratchFolder::removeAbandoned();
        QVERIFY(QFileInfo::exists(QFile::decodeName(folder.filePath(".owner").c_str())));
    }

    void foldersOfKilledProcessesAreRemoved()
    {
        const QString path = folderOfAKilledProcess();
        QVERIFY(QFileInfo::exists(path + u"/log"_s));
        ScratchFolder::removeAbandoned();
        QVERIFY(!QFileInfo::exists(path));
    }

    void linksAreNotFollowed()
    {
        const QTemporaryDir elsewhere;
        fill(elsewhere.filePath(u"precious"_s), "x");
        fill(elsewhere.filePath(u".owner"_s), "1");
        QVERIFY(QFile::link(elsewhere.path(), m_parent->filePath(u"lockscope-run-link"_s)));
        const QString abandoned = makeFolder(u"lockscope-run-old"_s, "1");
        QVERIFY(QFile::link(elsewhere.path(), abandoned + u"/link"_s));
        ScratchFolder::removeAbandoned();
        QVERIFY(!QFileInfo::exists(abandoned));
        QVERIFY(QFileInfo::exists(elsewhere.filePath(u"precious"_s)));
    }

    void otherFoldersStay()
    {
        const QString other = makeFolder(u"other-run-1"_s, "1");
        const QString isBeingMade = makeFolder(u"lockscope-run-new"_s, "");
        const QString isOpenToOthers = makeFolder(u"lockscope-run-open"_s, "1");
        QCOMPARE(::chmod(qPrintable(isOpenToOthers), S_IRWXU | S_IRWXO), 0);
        const QString hasNoOwner = m_parent->filePath(u"lockscope-run-bare"_s);
        QVERIFY(QDir().mkdir(hasNoOwner));
        ScratchFolder::removeAbandoned();
        for (const QString& path : {other, isBeingMade, isOpenToOthers, hasNoOwner}) {
            QVERIFY2(QFileInfo::exists(path), qPrintable(path));
        }
    }

    void withoutAParentThereIsNoFolder()
    {
        qputenv("TMPDIR", QFile::encodeName(m_parent->filePath(u"none"_s)));
        ScratchFolder::removeAbandoned();
        const ScratchFolder folder;
        QVERIFY(folder.path().empty() || folder.path().starts_with("/tmp/"));
    }
};

LOCKSCOPE_TEST(TestScratchFolder, Core)

} // namespace lockscope::tst_scratch_folder

#include "tst_scratch_folder.moc"
