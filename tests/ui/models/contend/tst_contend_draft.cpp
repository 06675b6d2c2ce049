#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"
#include "ui/models/contend/contend_draft.h"

#include <QTest>

namespace lockscope::tst_contend_draft {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Kind = workload::Scenario::Kind;

class TestContendDraft : public QObject {
    Q_OBJECT

    static const protocol::ProtocolInfo& info(const char* id)
    {
        return protocol::findProtocol(id)->info();
    }
    static ContendDraft usual(const char* id, Kind kind = Kind::Contention)
    {
        return ContendDraft::withDefaults(info(id), kind);
    }
    static bool applies(std::string_view field, const char* id, Kind kind = Kind::Contention)
    {
        return readDraft(usual(id, kind), info(id), {}).fields.contains(field);
    }

private Q_SLOTS:
    void theDefaultsOfEveryProtocolCanRun()
    {
        for (const protocol::LockProtocol* protocol : protocol::builtinProtocols()) {
            for (const Kind kind : {Kind::Contention, Kind::HotStandby, Kind::Draw}) {
                const auto draft = ContendDraft::withDefaults(protocol->info(), kind);
                const ParsedDraft parsed = readDraft(draft, protocol->info(), {});
                QVERIFY2(parsed.complaints.empty(), protocol->info().id.c_str());
                QCOMPARE(parsed.scenario.kind, kind);
            }
        }
    }

    void whatIsTypedIsRead()
    {
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText("clients", u"200"_s);
        draft.setText("think", u"5ms..20ms"_s);
        draft.setText("lease", u"2s"_s);
        draft.setText("renew", u"500ms"_s);
        draft.setText("crash", u"0.5%"_s);
        draft.setText("pause", u"5%"_s);
        draft.setText("pause-for", u"3s"_s);
        draft.setText("retry", u"10ms"_s);
        draft.setText("retry-max", u"1s"_s);
        draft.setText("tries", u"7"_s);
        draft.setText("seed", u"42"_s);
        const ParsedDraft parsed = readDraft(draft, info("set-nx-px-token"), {});
        QVERIFY(parsed.complaints.empty());
        const workload::Scenario& scenario = parsed.scenario;
        QCOMPARE(scenario.contenderCount, 200);
        QCOMPARE(scenario.think, workload::Distribution::uniform(5ms, 20ms));
        QCOMPARE(scenario.lease, Duration(2s));
        QCOMPARE(scenario.renewal.period, Duration(500ms));
        QCOMPARE(scenario.crashProbability, 0.005);
        QCOMPARE(scenario.pauseProbability, 0.05);
        QCOMPARE(scenario.pauseFor, Duration(3s));
        QCOMPARE(scenario.retry.kind, protocol::Retry::Kind::Exponential);
        QCOMPARE(scenario.retry.triesMax, std::optional(7));
        QCOMPARE(scenario.seed, std::uint64_t(42));
    }

    void whatCannotBeReadIsSaidAtItsField_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("no contenders") << QByteArray("clients") << u"0"_s;
        QTest::newRow("words") << QByteArray("keys") << u"many"_s;
        QTest::newRow("half a distribution") << QByteArray("think") << u"5ms.."_s;
        QTest::newRow("no unit") << QByteArray("lease") << u"10"_s;
        QTest::newRow("too short") << QByteArray("for") << u"0.1ms"_s;
        QTest::newRow("too much") << QByteArray("crash") << u"101%"_s;
        QTest::newRow("no time and not off") << QByteArray("renew") << u"on"_s;
        QTest::newRow("negative") << QByteArray("seed") << u"-1"_s;
        QTest::newRow("empty") << QByteArray("hold") << QString();
    }
    void whatCannotBeReadIsSaidAtItsField()
    {
        QFETCH(const QByteArray, field);
        QFETCH(QString, text);
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText(field.toStdString(), text);
        const ParsedDraft parsed = readDraft(draft, info("set-nx-px-token"), {});
        QCOMPARE(parsed.complaints.size(), std::size_t(1));
        QVERIFY(!parsed.complaintAt(field.toStdString()).isEmpty());
    }

    void anEmptyFieldMayHaveAMeaning()
    {
        ContendDraft draft = usual("set-nx-px-token");
        QCOMPARE(draft.text("pause-for"), QString());
        draft.setText("retry", u"70ms"_s);
        draft.setText("retry-max", {});
        draft.setText("tries", {});
        const ParsedDraft parsed = readDraft(draft, info("set-nx-px-token"), {});
        QVERIFY(parsed.complaints.empty());
        QCOMPARE(parsed.scenario.retry.kind, protocol::Retry::Kind::Fixed);
        QCOMPARE(parsed.scenario.retry.interval, Duration(70ms));
        QVERIFY(!parsed.scenario.retry.triesMax);
    }

    void whatIsWrongIsASentence()
    {
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText("keys", u"many"_s);
        draft.setText("lease", {});
        const ParsedDraft parsed = readDraft(draft, info("set-nx-px-token"), {});
        QCOMPARE(parsed.complaintAt("keys"), u"“many” is not a number between 1 and 10000."_s);
        QCOMPARE(parsed.complaintAt("lease"),
                 u"An empty field is not a duration; write 250ms, 10s, 5m, 2h or 1d."_s);
    }

    void whatDoesNotApplyIsNeitherAskedForNorRead()
    {
        QVERIFY(!applies("read-share", "set-nx-px-token"));
        QVERIFY(!applies("depth", "set-nx-px-token"));
        QVERIFY(applies("depth", "redisson-lock"));
        QVERIFY(!applies("lease", "setnx-no-expiry"));
        QVERIFY(!applies("think", "set-nx-px-token", Kind::HotStandby));
        QVERIFY(!applies("hold", "set-nx-px-token", Kind::Draw));
        QVERIFY(!applies("renew", "set-nx-ex"));
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText("read-share", u"nonsense"_s);
        QVERIFY(readDraft(draft, info("set-nx-px-token"), {}).complaints.empty());
    }

    void thePauseLengthIsAskedForOnceSomebodyPauses()
    {
        ContendDraft draft = usual("set-nx-ex");
        QVERIFY(!readDraft(draft, info("set-nx-ex"), {}).fields.contains("pause-for"));
        draft.setText("pause", u"1%"_s);
        QVERIFY(readDraft(draft, info("set-nx-ex"), {}).fields.contains("pause-for"));
    }

    void defaultsFollowTheProtocolAndWhatWasTypedStays()
    {
        const ContendDraft before = usual("set-nx-px-token");
        const ContendDraft after = usual("lua-token-heartbeat");
        QVERIFY(before.text("lease") != after.text("lease"));
        ContendDraft draft = before;
        draft.setText("clients", u"77"_s);
        draft.adoptDefaults(before, after);
        QCOMPARE(draft.text("lease"), after.text("lease"));
        QCOMPARE(draft.text("clients"), u"77"_s);
    }

    void whatIsNotAsUsualIsKept()
    {
        const ContendDraft untouched = usual("redlock");
        ContendDraft draft = untouched;
        QVERIFY(draft.editsOf(untouched).empty());
        draft.setText("clients", u"many"_s);
        draft.setText(kThreadsField, {});
        const KeptTexts edits = draft.editsOf(untouched);
        QVERIFY(edits == (KeptTexts{{u"clients"_s, u"many"_s}, {u"threads"_s, QString()}}));
        ContendDraft again = untouched;
        again.apply(edits);
        QVERIFY(again.editsOf(untouched) == edits);
        again.apply({{u"no-such-field"_s, u"1"_s}});
        QVERIFY(again.editsOf(untouched) == edits);
    }
};

LOCKSCOPE_TEST(TestContendDraft, Core)

} // namespace lockscope::tst_contend_draft

#include "tst_contend_draft.moc"
