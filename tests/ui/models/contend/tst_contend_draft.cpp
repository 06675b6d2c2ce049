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
    static bool applies(ContendField field, const char* id, Kind kind = Kind::Contention)
    {
        return appliesTo(field, usual(id, kind), info(id), {});
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
        draft.setText(ContendField::Contenders, u"200"_s);
        draft.setText(ContendField::Think, u"5ms..20ms"_s);
        draft.setText(ContendField::Lease, u"2s"_s);
        draft.setText(ContendField::Renewal, u"500ms"_s);
        draft.setText(ContendField::CrashShare, u"0.5%"_s);
        draft.setText(ContendField::PauseShare, u"5"_s);
        draft.setText(ContendField::PauseLength, u"3s"_s);
        draft.setText(ContendField::RetryKind, u"exponential"_s);
        draft.setText(ContendField::RetryTries, u"7"_s);
        draft.setText(ContendField::Seed, u"42"_s);
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
        QTest::addColumn<ContendField>("field");
        QTest::addColumn<QString>("text");
        QTest::newRow("no contenders") << ContendField::Contenders << u"0"_s;
        QTest::newRow("words") << ContendField::Keys << u"many"_s;
        QTest::newRow("half a distribution") << ContendField::Think << u"5ms.."_s;
        QTest::newRow("no unit") << ContendField::Lease << u"10"_s;
        QTest::newRow("too short") << ContendField::Duration << u"1ms"_s;
        QTest::newRow("too much") << ContendField::CrashShare << u"101%"_s;
        QTest::newRow("no time and not off") << ContendField::Renewal << u"on"_s;
        QTest::newRow("negative") << ContendField::Seed << u"-1"_s;
        QTest::newRow("empty") << ContendField::Hold << QString();
    }
    void whatCannotBeReadIsSaidAtItsField()
    {
        QFETCH(ContendField, field);
        QFETCH(QString, text);
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText(field, text);
        const ParsedDraft parsed = readDraft(draft, info("set-nx-px-token"), {});
        QCOMPARE(parsed.complaints.size(), std::size_t(1));
        QVERIFY(!parsed.complaintAt(field).isEmpty());
    }

    void whatDoesNotApplyIsNeitherAskedForNorRead()
    {
        QVERIFY(!applies(ContendField::ReadShare, "set-nx-px-token"));
        QVERIFY(!applies(ContendField::ReentryDepth, "set-nx-px-token"));
        QVERIFY(applies(ContendField::ReentryDepth, "redisson-lock"));
        QVERIFY(!applies(ContendField::Lease, "setnx-no-expiry"));
        QVERIFY(!applies(ContendField::Think, "set-nx-px-token", Kind::HotStandby));
        QVERIFY(!applies(ContendField::Hold, "set-nx-px-token", Kind::Draw));
        QVERIFY(!applies(ContendField::Renewal, "set-nx-ex"));
        ContendDraft draft = usual("set-nx-px-token");
        draft.setText(ContendField::ReadShare, u"nonsense"_s);
        QVERIFY(readDraft(draft, info("set-nx-px-token"), {}).complaints.empty());
    }

    void thePauseLengthIsAskedForOnceSomebodyPauses()
    {
        ContendDraft draft = usual("set-nx-ex");
        QVERIFY(!appliesTo(ContendField::PauseLength, draft, info("set-nx-ex"), {}));
        draft.setText(ContendField::PauseShare, u"1%"_s);
        QVERIFY(appliesTo(ContendField::PauseLength, draft, info("set-nx-ex"), {}));
    }

    void defaultsFollowTheProtocolAndWhatWasTypedStays()
    {
        const ContendDraft before = usual("set-nx-px-token");
        const ContendDraft after = usual("lua-token-heartbeat");
        QVERIFY(before.text(ContendField::Lease) != after.text(ContendField::Lease));
        ContendDraft draft = before;
        draft.setText(ContendField::Contenders, u"77"_s);
        draft.adoptDefaults(before, after);
        QCOMPARE(draft.text(ContendField::Lease), after.text(ContendField::Lease));
        QCOMPARE(draft.text(ContendField::Contenders), u"77"_s);
    }
};

LOCKSCOPE_TEST(TestContendDraft, Core)

} // namespace lockscope::tst_contend_draft

#include "tst_contend_draft.moc"
