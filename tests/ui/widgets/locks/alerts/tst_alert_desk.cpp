#include "tests/support/model_probe.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_notifier.h"
#include "ui/widgets/locks/alerts/alert_desk.h"

#include <QTest>

namespace lockscope::tst_alert_desk {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using models::ActivityKind;
using models::AlertRule;
using test::MadeLock;

namespace {

AlertRule queueAlert()
{
    AlertRule rule{u"queue"_s, u"waiters>5"_s};
    rule.span = 30s;
    return rule;
}

struct Rig {
    test::ScriptedLockMonitor monitor;
    test::ScriptedAlertHooks hooks;
    test::ScriptedNotifier notifier;
    QString place;
    models::ActivityModel activity{[](Instant instant) {
        return WallTime(
            std::chrono::duration_cast<std::chrono::milliseconds>(instant.time_since_epoch()));
    }};
    models::LockTableModel locks{[this] { return monitor.now(); }};
    AlertDesk desk{{monitor, hooks, notifier, activity, locks,
                    [](Instant) { return wallTimeOfMs(1'795'185'067'000); },
                    [this] { return place; }},
                   nullptr};

    explicit Rig(const AlertRule& rule)
    {
        locks.setServers({"10.0.0.5:6379"}, 2);
        desk.open({store::Endpoint()});
        desk.setAlerts({rule});
    }
    void see(const std::string& key, int waiters)
    {
        monitor.change(ChangeKind::Changed, MadeLock(key).waiters(waiters).record());
    }
    QStringList lines() const
    {
        return test::columnTexts(activity, models::ActivityModel::TextColumn);
    }
};

} // namespace

class TestAlertDesk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anAlertGoesToAllItsChannels()
    {
        AlertRule rule = queueAlert();
        rule.beeps = true;
        rule.command = u"/bin/echo \"a b\""_s;
        rule.webhook = u"https://hooks.example/x"_s;
        Rig rig(rule);
        rig.see("order:1", 9);
        rig.monitor.advance(29s);
        QVERIFY(rig.lines().isEmpty());
        rig.monitor.advance(1s);
        QTRY_COMPARE(rig.lines(), QStringList{u"queue: waiters>5 for 30.0 s"_s});
        QCOMPARE(rig.activity.entryAt(0).kind, ActivityKind::Alert);
        QCOMPARE(rig.activity.entryAt(0).lock->name, "order:1");
        QCOMPARE(rig.notifier.told(),
                 QStringList{u"queue: order:1\nqueue: waiters>5 for 30.0 s"_s});
        QCOMPARE(rig.notifier.beepCount(), 1);
        QCOMPARE(rig.hooks.runs.size(), std::size_t(1));
        QCOMPARE(rig.hooks.runs[0].words, (QStringList{u"/bin/echo"_s, u"a b"_s}));
        QCOMPARE(rig.hooks.runs[0].variables[u"LOCKSCOPE_KEY"_s], u"order:1"_s);
        QCOMPARE(rig.hooks.runs[0].variables[u"LOCKSCOPE_SERVER"_s], u"10.0.0.5:6379"_s);
        QCOMPARE(rig.hooks.posts.size(), std::size_t(1));
        QCOMPARE(rig.hooks.posts[0].url, QUrl(u"https://hooks.example/x"_s));
        QVERIFY(rig.hooks.posts[0].json.contains("\"db\":2"));
        rig.see("order:1", 0);
        QTRY_COMPARE(rig.lines().size(), 2);
        QCOMPARE(rig.lines()[1], u"queue is over: waiters>5 for 30.0 s"_s);
        QCOMPARE(rig.hooks.posts.size(), std::size_t(1)); // an end is only written down
    }

    void withoutChannelsItIsOnlyWrittenDown()
    {
        AlertRule rule = queueAlert();
        rule.notifies = false;
        Rig rig(rule);
        rig.see("a", 9);
        rig.monitor.advance(30s);
        QTRY_COMPARE(rig.lines().size(), 1);
        QVERIFY(rig.notifier.told().isEmpty());
        QVERIFY(rig.hooks.runs.empty() && rig.hooks.posts.empty());
    }

    void manyAtOnceAreOneNotificationAndFewCalls()
    {
        AlertRule rule = queueAlert();
        rule.command = u"/bin/echo"_s;
        Rig rig(rule);
        for (int i = 0; i < 20; ++i) {
            rig.see(std::to_string(i), 9);
        }
        rig.monitor.advance(30s);
        QTRY_COMPARE(rig.lines().size(), 21);
        QCOMPARE(rig.notifier.told().size(), 1);
        QVERIFY(rig.notifier.told()[0].contains(u"and 19 more"_s));
        QCOMPARE(rig.hooks.runs.size(), AlertDesk::kPassedOnAtMost);
        QVERIFY(rig.lines().constLast().startsWith(u"15 more locks"_s));
    }

    void aHookThatFailsIsAProblem()
    {
        AlertRule rule = queueAlert();
        rule.command = u"/bin/false"_s;
        Rig rig(rule);
        Q_EMIT rig.hooks.failed(u"queue"_s, {service::HookFailure::Kind::ExitStatus, 3});
        QVERIFY(rig.lines().isEmpty()); // another server called it
        rig.see("order:1", 9);
        rig.monitor.advance(30s);
        QTRY_COMPARE(rig.hooks.runs.size(), std::size_t(1));
        Q_EMIT rig.hooks.failed(u"queue"_s, {service::HookFailure::Kind::ExitStatus, 3});
        QCOMPARE(rig.lines().constLast(), u"The command exited with status 3."_s);
        QCOMPARE(rig.activity.entryAt(1).kind, ActivityKind::Problem);
        QCOMPARE(rig.activity.entryAt(1).place, u"queue"_s);
    }

    void whereThereAreSeveralServersTheNotificationNamesIt()
    {
        AlertRule rule = queueAlert();
        rule.notifies = true;
        Rig rig(rule);
        rig.place = u"staging"_s;
        rig.see("order:1", 9);
        rig.monitor.advance(30s);
        QTRY_COMPARE(rig.notifier.told().size(), 1);
        QVERIFY(rig.notifier.told().constFirst().startsWith(u"queue · staging: order:1"_s));
    }

    void aSnoozeIsCountedDownAndTakenBack()
    {
        Rig rig(queueAlert());
        rig.desk.snooze(u"queue"_s, 1h);
        rig.see("a", 9);
        rig.monitor.advance(40min);
        QCOMPARE(rig.desk.snoozeLeft(u"queue"_s), Duration(20min));
        QVERIFY(rig.notifier.told().isEmpty());
        rig.desk.snooze(u"queue"_s, Duration(0));
        QCOMPARE(rig.desk.snoozeLeft(u"queue"_s), Duration(0));
        QTRY_COMPARE(rig.notifier.told().size(), 1);
    }

    void aServerThatIsLeftFiresNoMore()
    {
        Rig rig(queueAlert());
        rig.see("a", 9);
        rig.desk.open({});
        rig.see("b", 9);
        rig.monitor.advance(1h);
        QTRY_COMPARE(rig.lines().size(), 1);
        QCOMPARE(rig.activity.entryAt(0).lock->name, "b");
    }
};

LOCKSCOPE_TEST(TestAlertDesk, Widgets)

} // namespace lockscope::tst_alert_desk

#include "tst_alert_desk.moc"
