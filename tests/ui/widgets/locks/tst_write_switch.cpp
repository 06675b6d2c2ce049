#include "tests/support/manual_clock.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/locks/write_switch.h"

#include <QAction>
#include <QTest>

namespace lockscope::tst_write_switch {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

struct Rig {
    testing::ManualClock clock;
    WritePermit permit{[this] { return clock.now(); }, true};
    QAction action{nullptr};
    QWidget window;
    test::ScriptedPrompter prompter;
    WriteSwitch toggle{{permit, action, [] { return u"10.0.0.5:6379/0"_s; }, prompter, window},
                       nullptr};

    void open(const std::string& environment)
    {
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.environment = environment;
        permit.open({endpoint});
        toggle.showState();
    }
};

} // namespace

class TestWriteSwitch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAServerThereIsNothingToAllow()
    {
        const Rig rig;
        QVERIFY(!rig.action.isEnabled());
    }

    void anOrdinaryServerIsTurnedAtOnce()
    {
        Rig rig;
        rig.open({});
        QCOMPARE(rig.action.text(), u"Ma&ke read-only"_s);
        rig.action.trigger();
        QVERIFY(!rig.permit.mayWrite());
        QCOMPARE(rig.action.text(), u"Allow &writes"_s);
        rig.action.trigger();
        QVERIFY(rig.permit.mayWrite());
        QVERIFY(rig.prompter.asked().empty());
        QCOMPARE(rig.toggle.limitText(), QString());
    }

    void productionIsAskedAboutAndCountedDown()
    {
        Rig rig;
        rig.open("production");
        QCOMPARE(rig.action.text(), u"Allow &writes for 10 minutes…"_s);
        rig.action.trigger(); // declined
        QCOMPARE(rig.prompter.asked().size(), std::size_t(1));
        QVERIFY(rig.prompter.asked()[0].text.contains(u"10.0.0.5"_s));
        QVERIFY(!rig.permit.mayWrite());
        rig.prompter.willAnswer(Answer::Accepted);
        rig.action.trigger();
        QTRY_VERIFY(rig.permit.mayWrite());
        QCOMPARE(rig.toggle.limitText(), u"writes allowed 10:00"_s);
        rig.clock.moveBy(9min + 55s);
        QTRY_COMPARE(rig.toggle.limitText(), u"writes allowed 0:05"_s);
        rig.clock.moveBy(6s);
        QTRY_VERIFY(!rig.permit.mayWrite());
        QCOMPARE(rig.toggle.limitText(), QString());
    }
};

LOCKSCOPE_TEST(TestWriteSwitch, Widgets)

} // namespace lockscope::tst_write_switch

#include "tst_write_switch.moc"
