#include "tests/support/test_program.h"
#include "ui/models/lab/lab_form_state.h"

#include <QTest>

namespace lockscope::tst_lab_form_state {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestLabFormState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack()
    {
        LabFormState state;
        state.protocol = u"redlock"_s;
        state.isOwnScenario = true;
        state.scenario = {{{u"lease"_s, u"soon"_s}, {u"hold"_s, QString()}}, u"{\"a\":1}"_s, true};
        state.scenarioFile = u"/home/a/\"one\".scenario.json"_s;
        state.savedScenario = u"{\n}\n"_s;
        state.faults = {{world::FaultKind::Pause, {true, {u"17s"_s, u"2"_s}}},
                        {world::FaultKind::Crash, {false, {}}}};
        state.clientCount = 5;
        state.schedulesMax = 12'000;
        state.runCount = 7;
        EditedProtocol edited;
        edited.file = u"/home/a/mine.json"_s;
        edited.typed.setText(ProtocolPart::AcquireScript, u"return 1\n-- 锁"_s);
        edited.saved.setText(ProtocolPart::Id, u"mine"_s);
        state.edited = {edited, {}};
        QVERIFY(LabFormState::of(state.text()) == state);
    }

    void whatCannotBeUnderstoodIsAsAtFirst()
    {
        for (const QByteArray& text :
             {QByteArray(), QByteArray("[]"), QByteArray("{\"protocol\":"),
              QByteArray(R"({"protocol":3,"faults":{"no-such":{}},"edited":7,"clients":"x"})")}) {
            QVERIFY2(LabFormState::of(text) == LabFormState(), text.constData());
        }
    }
};

LOCKSCOPE_TEST(TestLabFormState, Core)

} // namespace lockscope::tst_lab_form_state

#include "tst_lab_form_state.moc"
