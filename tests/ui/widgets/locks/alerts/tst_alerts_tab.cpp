#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_notifier.h"
#include "ui/widgets/locks/alerts/alert_desk.h"
#include "ui/widgets/locks/alerts/alerts_tab.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

namespace lockscope::tst_alerts_tab {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::AlertRule;

namespace {

struct Rig {
    Settings settings;
    int changes = 0;
    test::ScriptedLockMonitor monitor;
    test::ScriptedAlertHooks hooks;
    test::ScriptedNotifier notifier;
    models::ActivityModel activity{[](Instant) { return WallTime(); }};
    models::LockTableModel locks{[this] { return monitor.now(); }};
    AlertDesk desk{{monitor, hooks, notifier, activity, locks, [](Instant) { return WallTime(); },
                    [] { return QString(); }},
                   nullptr};
    std::unique_ptr<AlertsTab> tab;

    explicit Rig(const QList<AlertRule>& alerts = {}, const QString& obstacle = {})
    {
        settings.alerts = alerts;
        notifier.setObstacle(obstacle);
        tab = std::make_unique<AlertsTab>(
            settings,
            AlertsTab::Alerts{
                notifier, [this](const QString& name, Duration span) { desk.snooze(name, span); },
                [this](const QString& name) { return desk.snoozeLeft(name); }},
            inspect::KnownTexts(), [this] { ++changes; });
        tab->show();
    }
    template<class Widget>
    Widget* find(const QString& name) const
    {
        return tab->findChild<Widget*>(name);
    }
    void type(const QString& field, const QString& text) const
    {
        auto* const edit = find<QLineEdit>(field);
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QString mistake() const { return find<QLabel>(u"alertMistake"_s)->text(); }
};

} // namespace

class TestAlertsTab : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anAlertIsWrittenFieldByField()
    {
        Rig rig;
        QVERIFY(!rig.find<QLineEdit>(u"alertName"_s)->isEnabled());
        rig.find<QPushButton>(u"addEntry"_s)->click();
        rig.type(u"alertName"_s, u"queue"_s);
        rig.type(u"alertFilter"_s, u"waiters>5"_s);
        rig.type(u"alertSpan"_s, u"45s"_s);
        rig.type(u"alertPause"_s, u"5m"_s);
        rig.find<QCheckBox>(u"alertNotifies"_s)->click();
        rig.find<QCheckBox>(u"alertBeeps"_s)->click();
        rig.type(u"alertCommand"_s, u"sh -c true"_s);
        rig.type(u"alertWebhook"_s, u"https://hooks.example"_s);
        AlertRule wanted{u"queue"_s, u"waiters>5"_s};
        wanted.span = 45s;
        wanted.pause = 5min;
        wanted.notifies = false;
        wanted.beeps = true;
        wanted.command = u"sh -c true"_s;
        wanted.webhook = u"https://hooks.example"_s;
        QCOMPARE(rig.settings.alerts, QList<AlertRule>{wanted});
        QCOMPARE(rig.mistake(), QString());
        QCOMPARE(rig.find<QListWidget>(u"orderedEntries"_s)->item(0)->text(),
                 u"queue · waiters>5 for 45.0 s"_s);
        QCOMPARE(rig.changes, 9);
    }

    void whatIsWrongIsSaidWhileTyping()
    {
        Rig rig({AlertRule{u"a"_s, u"key:a"_s}});
        rig.find<QLineEdit>(u"alertWebhook"_s)->setText(u"hooks"_s);
        QVERIFY2(rig.mistake().contains(u"https"_s), qPrintable(rig.mistake()));
        rig.find<QLineEdit>(u"alertWebhook"_s)->clear();
        rig.find<QLineEdit>(u"alertFilter"_s)->setText(u"onwer:x"_s);
        QVERIFY(rig.mistake().contains(u"onwer"_s));
        rig.find<QLineEdit>(u"alertFilter"_s)->setText(u"key:a"_s);
        rig.type(u"alertSpan"_s, u"soon"_s);
        QVERIFY(!rig.mistake().isEmpty());
        QCOMPARE(rig.settings.alerts[0].span, Duration(30s)); // not taken
        QCOMPARE(rig.changes, 0);
    }

    void aDesktopWithoutATrayIsNamed()
    {
        const Rig rig({AlertRule{u"a"_s, u"key:a"_s}}, u"No tray here."_s);
        QCOMPARE(rig.find<QLabel>(u"alertObstacle"_s)->text(), u"No tray here."_s);
    }

    void aSnoozeLastsAnHourOrUntilItIsEnded()
    {
        const Rig rig({AlertRule{u"a"_s, u"key:a"_s}});
        auto* const snooze = rig.find<QPushButton>(u"alertSnooze"_s);
        snooze->click();
        QCOMPARE(rig.desk.snoozeLeft(u"a"_s), AlertsTab::kSnooze);
        QVERIFY2(snooze->text().startsWith(u"End the snooze"_s), qPrintable(snooze->text()));
        snooze->click();
        QCOMPARE(rig.desk.snoozeLeft(u"a"_s), Duration(0));
        QCOMPARE(rig.changes, 0); // it is none of the settings
    }
};

LOCKSCOPE_TEST(TestAlertsTab, Widgets)

} // namespace lockscope::tst_alerts_tab

#include "tst_alerts_tab.moc"
