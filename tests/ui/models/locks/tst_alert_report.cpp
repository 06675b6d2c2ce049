#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/alert_report.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace lockscope::tst_alert_report {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using service::HookFailure;
using test::MadeLock;

namespace {

AlertEvent eventOf(const inspect::LockPtr& lock)
{
    AlertRule rule{u"queue %2"_s, u"waiters>5"_s};
    return {AlertEvent::Kind::Fired, rule, lock, Instant(1h), Instant(1h + 30s)};
}

AlertContext context()
{
    return {u"10.0.0.5:6379"_s, 3, wallTimeOfMs(1'795'185'067'000)};
}

} // namespace

class TestAlertReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCommandIsCutIntoWordsAndHasToBeThere()
    {
        QCOMPARE(std::get<QStringList>(typedCommand(u" sh -c \"exit 0\" "_s)),
                 (QStringList{u"sh"_s, u"-c"_s, u"exit 0"_s}));
        QCOMPARE(std::get<QStringList>(typedCommand(u"  "_s)), QStringList());
        QVERIFY(std::get<QString>(typedCommand(u"no-such-program -x"_s))
                    .contains(u"no-such-program"_s));
    }

    void aWebhookIsAnAddressWithoutSecrets()
    {
        QCOMPARE(std::get<QUrl>(typedWebhook(u" https://hooks.example/a?b=c "_s)),
                 QUrl(u"https://hooks.example/a?b=c"_s));
        QVERIFY(!std::get<QUrl>(typedWebhook({})).isValid());
        for (const QString& bad :
             {u"hooks.example"_s, u"ftp://hooks.example"_s, u"https://"_s,
              u"https://me:secret@hooks.example/"_s, u"file:///etc/passwd"_s}) {
            QVERIFY2(std::holds_alternative<QString>(typedWebhook(bad)), qPrintable(bad));
        }
    }

    void theFirstMistakeIsNamed()
    {
        AlertRule rule{u"a"_s, u"waiters>5"_s};
        QCOMPARE(mistakeOf(rule), QString());
        rule.webhook = u"nonsense"_s;
        QVERIFY(mistakeOf(rule).contains(u"https"_s));
        rule.filter = u"onwer:x"_s;
        QVERIFY(mistakeOf(rule).contains(u"onwer"_s));
    }

    void textsSayWhatAndForHowLong()
    {
        AlertEvent event = eventOf(MadeLock("a").ptr());
        QCOMPARE(alertText(event), u"queue %2: waiters>5 for 30.0 s"_s);
        event.kind = AlertEvent::Kind::Ended;
        QCOMPARE(alertText(event), u"queue %2 is over: waiters>5 for 30.0 s"_s);
        QCOMPARE(alertedLocks({event}), u"a"_s);
        QCOMPARE(alertedLocks({event, event, event}), u"a and 2 more"_s);
    }

    void variablesAndJsonHoldTheLock()
    {
        const auto lock = MadeLock("or\nder:\xff").owner("me").waiters(7).ptr();
        const auto variables = alertVariables(eventOf(lock), context());
        QCOMPARE(variables[u"LOCKSCOPE_ALERT"_s], u"queue %2"_s);
        QCOMPARE(variables[u"LOCKSCOPE_KEY"_s], u"or\\x0ader:\\xff"_s);
        QCOMPARE(variables[u"LOCKSCOPE_OWNER"_s], u"me"_s);
        QCOMPARE(variables[u"LOCKSCOPE_WAITERS"_s], u"7"_s);
        QCOMPARE(variables[u"LOCKSCOPE_MATCHED_MS"_s], u"30000"_s);
        QCOMPARE(variables[u"LOCKSCOPE_SERVER"_s], u"10.0.0.5:6379"_s);
        const auto json = nlohmann::json::parse(alertJson(eventOf(lock), context()).toStdString());
        QCOMPARE(json["alert"].get<std::string>(), std::string("queue %2"));
        QCOMPARE(json["matchedForMs"].get<int>(), 30000);
        QCOMPARE(json["lock"]["key"].get<std::string>(), std::string("or\\x0ader:\\xff"));
        QCOMPARE(json["lock"]["waiters"]["count"].get<int>(), 7);
        QCOMPARE(json["at"].get<std::string>().substr(0, 4), std::string("2026"));
    }

    void everyFailureHasASentence()
    {
        using Kind = HookFailure::Kind;
        for (const Kind kind : {Kind::NotStarted, Kind::Crashed, Kind::ExitStatus, Kind::NotSent,
                                Kind::HttpStatus, Kind::TimedOut, Kind::TooMany}) {
            QVERIFY(!hookFailureText({kind, 1, u"x"_s}).isEmpty());
        }
        QVERIFY(hookFailureText({Kind::ExitStatus, 3}).contains(u"3"_s));
        QVERIFY(hookFailureText({Kind::NotSent, 0, u"refused"_s}).contains(u"refused"_s));
    }
};

LOCKSCOPE_TEST(TestAlertReport, Core)

} // namespace lockscope::tst_alert_report

#include "tst_alert_report.moc"
