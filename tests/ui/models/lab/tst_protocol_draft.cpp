#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/protocol_draft.h"

#include <QFile>
#include <QTest>

namespace lockscope::tst_protocol_draft {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

namespace {

QString exampleText(const QString& name)
{
    QFile file(testing::inSourceTree(u"resources/protocols/"_s + name + u".json"_s));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestProtocolDraft : public QObject {
    Q_OBJECT

    sim::LuaEngine m_lua;

    ParsedProtocol readWith(ProtocolPart part, const QString& text)
    {
        ProtocolDraft draft = ProtocolDraft::of(exampleText(u"counted-lock"_s));
        draft.setText(part, text);
        return readProtocolDraft(draft, m_lua);
    }

private Q_SLOTS:
    void aCheckIsShownLikeAStep()
    {
        const ProtocolDraft draft = ProtocolDraft::of(exampleText(u"copies/exists-then-set"_s));
        QVERIFY(
            draft.text(ProtocolPart::AcquireMapping)
                .startsWith(
                    u"\"check\": {\n  \"script\": \"return redis.call('exists', KEYS[1])\",\n"
                    "  \"keys\": [\"{key}\"],\n  \"passed\": [0],\n  \"refused\": [1]\n},\n"_s));
    }

    void everyExampleComesBackAsItWas_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"token-lock", "counted-lock", "lease-lock", "broken/get-then-del",
                                 "broken/forgets-the-count"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    void everyExampleComesBackAsItWas()
    {
        QFETCH(QString, name);
        const QString text = exampleText(name);
        const auto parsed = readProtocolDraft(ProtocolDraft::of(text), m_lua);
        QVERIFY(parsed.complaints.empty());
        QVERIFY(parsed.protocol != nullptr);
        const ProtocolDraft again = ProtocolDraft::of(parsed.fileText);
        for (std::size_t i = 0; i < kProtocolPartCount; ++i) {
            const auto part = static_cast<ProtocolPart>(i);
            QCOMPARE(again.text(part), ProtocolDraft::of(text).text(part));
        }
        QVERIFY(!again.text(ProtocolPart::AcquireScript).isEmpty());
        QVERIFY(ProtocolDraft::of(u"{}"_s).text(ProtocolPart::Id).isEmpty());
    }

    void theCompilerSaysTheLine()
    {
        const auto parsed = readWith(ProtocolPart::RenewScript,
                                     u"local a = 1\nif a then\n  return = 2\nend"_s);
        const ProtocolComplaint* const complaint = parsed.complaintAt(ProtocolPart::RenewScript);
        QVERIFY(complaint != nullptr);
        QCOMPARE(complaint->line, 3);
        QVERIFY2(complaint->text.startsWith(u"unexpected symbol"_s), qPrintable(complaint->text));
        QVERIFY(parsed.protocol == nullptr);
    }

    void mistakesAreFoundInTheirParts_data()
    {
        QTest::addColumn<int>("part");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        const auto add = [](const char* name, ProtocolPart part, const QString& text, int line) {
            QTest::newRow(name) << static_cast<int>(part) << text << line;
        };
        add("no id", ProtocolPart::Id, {}, 1);
        add("a taken id", ProtocolPart::Id, u"redlock"_s, 1);
        add("no title", ProtocolPart::Title, {}, 1);
        add("no summary", ProtocolPart::Summary, {}, 1);
        add("an unknown setting", ProtocolPart::Settings, u"\"lease\": \"9s\",\n\"lese\": 1"_s, 2);
        add("settings that are no JSON", ProtocolPart::Settings, u"\"lease\": \"9s\"\n\"a\": 1"_s,
            2);
        add("no script", ProtocolPart::AcquireScript, {}, 1);
        add("an unknown blank", ProtocolPart::ReleaseMapping,
            u"\"keys\": [\"{key}\"],\n\"args\": [\"{tokn}\"],\n\"released\": [0]"_s, 2);
        add("no answers", ProtocolPart::AcquireMapping, u"\"keys\": [\"{key}\"]"_s, 1);
        add("nothing at all", ProtocolPart::ReleaseMapping, {}, 1);
    }

    void mistakesAreFoundInTheirParts()
    {
        QFETCH(int, part);
        QFETCH(QString, text);
        QFETCH(int, line);
        const auto parsed = readWith(static_cast<ProtocolPart>(part), text);
        const ProtocolComplaint* const complaint =
            parsed.complaintAt(static_cast<ProtocolPart>(part));
        QVERIFY(complaint != nullptr);
        QCOMPARE(complaint->line, line);
        QVERIFY(!complaint->text.isEmpty());
    }

    void quotesAndUmlautsSurvive()
    {
        const auto parsed = readWith(ProtocolPart::Title, u"Ein \"Schloß\" \\ mit {Klammern}"_s);
        QVERIFY(parsed.protocol != nullptr);
        QCOMPARE(parsed.protocol->info().title,
                 u"Ein \"Schloß\" \\ mit {Klammern}"_s.toStdString());
    }

    void withoutRenewalThereIsNoStep()
    {
        ProtocolDraft draft = ProtocolDraft::of(exampleText(u"token-lock"_s));
        QVERIFY(draft.text(ProtocolPart::RenewScript).isEmpty());
        draft.setText(ProtocolPart::RenewScript, u"return 1"_s);
        const auto parsed = readProtocolDraft(draft, m_lua);
        QVERIFY(parsed.complaintAt(ProtocolPart::RenewMapping) != nullptr);
    }
};

LOCKSCOPE_TEST(TestProtocolDraft, None)

} // namespace lockscope::tst_protocol_draft

#include "tst_protocol_draft.moc"
