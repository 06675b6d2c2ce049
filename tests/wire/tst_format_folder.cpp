#include "core/wire/format_folder.h"
#include "tests/support/size_limit.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_format_folder {

using namespace Qt::StringLiterals;
using wire::FormatFolder;

namespace {

const QByteArray kAcme = R"({"id": "acme", "library": "Acme", "summary": "A job of Acme.",
  "keys": ["acme:job:*"], "values": ["{text}"], "confidence": "high"})";

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

} // namespace

/// With the real watcher of the file system.
class TestFormatFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_config = std::make_unique<QTemporaryDir>();
        m_folder = std::make_unique<FormatFolder>(m_config->path() + u"/lockscope"_s);
        m_folder->start();
        m_changes = std::make_unique<QSignalSpy>(m_folder.get(), &FormatFolder::changed);
    }

    void aFileCountsAsSoonAsItIsThere()
    {
        QVERIFY(!knows("acme"));
        write(m_folder->folder() + u"/acme.json"_s, kAcme);
        QVERIFY(m_changes->wait());
        QVERIFY(knows("acme"));
        write(m_folder->folder() + u"/acme.json"_s, QByteArray(kAcme).replace("acme\"", "acm2\""));
        QVERIFY(m_changes->wait());
        QVERIFY(knows("acm2") && !knows("acme"));
        QVERIFY(QFile::remove(m_folder->folder() + u"/acme.json"_s));
        QVERIFY(m_changes->wait());
        QVERIFY(!knows("acm2"));
    }

    void aMistakeIsAProblemUntilItIsMended()
    {
        const QString path = m_folder->folder() + u"/acme.json"_s;
        write(path, "{");
        QVERIFY(m_changes->wait());
        QCOMPARE(m_folder->problems().size(), 1U);
        QCOMPARE(m_folder->problems().front().path, path.toStdString());
        write(path, kAcme);
        QVERIFY(m_changes->wait());
        QVERIFY(m_folder->problems().empty());
        QVERIFY(knows("acme"));
    }

    void treatmentsAreRememberedAndReadByOthers()
    {
        QCOMPARE(m_folder->setTreatments({{"a:*", ""}, {"b:*", "token"}}), QString());
        QCOMPARE(m_changes->size(), 1);
        QVERIFY(m_folder->formats()->isNoLock("a:1"));
        FormatFolder other(m_config->path() + u"/lockscope"_s);
        other.start();
        QVERIFY(other.formats()->isNoLock("a:1"));
        QVERIFY(other.formats()->namesLock("b:1"));
    }

    void aFullDiskKeepsEarlierTreatments()
    {
        QCOMPARE(m_folder->setTreatments({{"a:*", ""}}), QString());
        QString failure;
        {
            const testing::SizeLimit limit(0);
            failure = m_folder->setTreatments({{"a:*", ""}, {"b:*", "token"}});
        }
        QVERIFY2(failure.endsWith(u"treat-as.json: File too large"_s), qPrintable(failure));
        FormatFolder other(m_config->path() + u"/lockscope"_s);
        other.start();
        QVERIFY(other.formats()->isNoLock("a:1"));
        QVERIFY(!other.formats()->namesLock("b:1"));
    }

    void ownersCountAsSoonAsTheyAreNamed()
    {
        const QString path = m_config->path() + u"/lockscope/owners.json"_s;
        QVERIFY(m_folder->owners()->isEmpty());
        write(path, R"({"names": {"w3": "billing"}})");
        QVERIFY(m_changes->wait());
        QCOMPARE(m_folder->owners()->find("w3")->who, std::string("billing"));
        write(path, R"({"names": ["w3"]})");
        QVERIFY(m_changes->wait());
        QVERIFY(m_folder->owners()->isEmpty());
        QCOMPARE(m_folder->problems().size(), 1U);
        QCOMPARE(m_folder->problems().front().path, path.toStdString());
        QVERIFY(QFile::remove(path));
        QVERIFY(m_changes->wait());
        QVERIFY(m_folder->problems().empty());
    }

    void aFileWithAMistakeIsNotWrittenOver()
    {
        const QString path = m_config->path() + u"/lockscope/treat-as.json"_s;
        write(path, "{ my notes");
        QVERIFY(m_changes->wait());
        QVERIFY(!m_folder->setTreatments({{"a:*", ""}}).isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{ my notes"));
    }

private:
    bool knows(std::string_view format) const
    {
        return m_folder->formats()->recognisers().decoderOf(format) != nullptr;
    }

    std::unique_ptr<QTemporaryDir> m_config;
    std::unique_ptr<FormatFolder> m_folder;
    std::unique_ptr<QSignalSpy> m_changes;
};

LOCKSCOPE_TEST(TestFormatFolder, Core)

} // namespace lockscope::tst_format_folder

#include "tst_format_folder.moc"
