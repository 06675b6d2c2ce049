#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/models/formatting.h"
#include "ui/models/kept_protocols.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <variant>

namespace lockscope::tst_kept_protocols {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestKeptProtocols : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;

    static QString exampleText()
    {
        QFile file(testing::inSourceTree(u"resources/protocols/token-lock.json"_s));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QString withId(const QString& id)
    {
        return exampleText().replace(u"\"token-lock\""_s, u'"' + id + u'"');
    }
    static void add(ProtocolListModel& list, const QString& file, const QString& text)
    {
        auto read = protocol::readProtocol(text.toStdString());
        QVERIFY(std::holds_alternative<std::unique_ptr<protocol::LockProtocol>>(read));
        list.addOwn(std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read)), file, text);
    }
    QString write(const QString& name, const QString& text) const
    {
        QFile file(m_directory.filePath(name));
        const QByteArray bytes = text.toUtf8();
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
                   ? file.fileName()
                   : QString();
    }

private Q_SLOTS:
    void whatIsInNoFileComesBackWithItsText()
    {
        ProtocolListModel before;
        QVERIFY(keptProtocols(before).isEmpty()); // the built-in ones are there anyway
        add(before, {}, withId(u"mine"_s));
        ProtocolListModel after;
        addKept(after, keptProtocols(before));
        const ProtocolPtr mine = after.find(u"mine"_s);
        QVERIFY(mine != nullptr);
        QCOMPARE(after.textOf(*mine), withId(u"mine"_s));
        QCOMPARE(after.fileOf(*mine), QString());
    }

    void aFileIsReadAgain()
    {
        const QString path = write(u"mine.json"_s, withId(u"mine"_s));
        ProtocolListModel before;
        add(before, path, withId(u"mine"_s));
        const QList<KeptProtocol> kept = keptProtocols(before);
        write(u"mine.json"_s, withId(u"renamed"_s));
        ProtocolListModel after;
        addKept(after, kept);
        QVERIFY(after.find(u"mine"_s) == nullptr);
        QCOMPARE(after.fileOf(*after.find(u"renamed"_s)), path);
    }

    void aFileThatIsGoneOrBrokenIsLeftOut()
    {
        ProtocolListModel list;
        const int builtin = list.rowCount();
        addKept(list, {{u"/nowhere/mine.json"_s, withId(u"mine"_s)},
                       {write(u"broken.json"_s, u"{"_s), withId(u"other"_s)},
                       {{}, u"no protocol"_s}});
        QCOMPARE(list.rowCount(), builtin);
    }

    void onlyTheLatestAreKept()
    {
        ProtocolListModel list;
        for (int i = 0; i <= kKeptProtocolsMax; ++i) {
            add(list, {}, withId(u"mine-%1"_s.arg(i)));
        }
        const QList<KeptProtocol> kept = keptProtocols(list);
        QCOMPARE(kept.size(), kKeptProtocolsMax);
        QCOMPARE(kept.first().text, withId(u"mine-1"_s));
    }
};

LOCKSCOPE_TEST(TestKeptProtocols, Core)

} // namespace lockscope::tst_kept_protocols

#include "tst_kept_protocols.moc"
