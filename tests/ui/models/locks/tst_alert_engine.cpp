#include "core/kernel/base/rng.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/alert_engine.h"

#include <QStringList>
#include <QTest>

#include <map>

namespace lockscope::tst_alert_engine {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockPtr;
using test::MadeLock;

namespace {

AlertRule queueAlert()
{
    AlertRule rule{u"queue"_s, u"waiters>5"_s};
    rule.span = 30s;
    rule.pause = 10min;
    return rule;
}

LockPtr lockWith(int waiters, const std::string& key = "a")
{
    return MadeLock(key).waiters(waiters).ptr();
}

/// Time is what the test says it is.
struct Fixture {
    Instant now{1h};
    AlertEngine engine;
    QStringList log;

    explicit Fixture(const QList<AlertRule>& rules = {queueAlert()})
    {
        engine.setAlerts(rules, now);
    }

    void see(const LockPtr& lock, ChangeKind kind = ChangeKind::Changed)
    {
        engine.apply(test::deltaOf(kind, {lock}, now), now);
    }
    /// What happens until then, a look a second: "fired a queue +30s".
    QStringList wait(Duration duration)
    {
        log.clear();
        const Instant end = now + duration;
        while (now < end) {
            now = std::min(end, now + 1s);
            look();
        }
        return log;
    }
    QStringList look()
    {
        for (const AlertEvent& event : engine.look(now)) {
            const auto seconds =
                std::chrono::duration_cast<std::chrono::seconds>(event.at - event.since).count();
            const QString what = event.kind == AlertEvent::Kind::Fired ? u"fired"_s : u"ended"_s;
            log += u"%1 %2 %3 +%4s"_s
                       .arg(what, QString::fromStdString(event.lock->id.name), event.rule.name)
                       .arg(seconds);
        }
        return log;
    }
};

} // namespace

class TestAlertEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLockThatMatchesForTheSpanFiresOnce()
    {
        Fixture f;
        f.see(lockWith(9));
        QCOMPARE(f.wait(29s), QStringList());
        QCOMPARE(f.wait(1s), QStringList{u"fired a queue +30s"_s});
        f.see(lockWith(12)); // it matches on
        QCOMPARE(f.wait(1h), QStringList());
    }

    void aBreakBeginsAnew()
    {
        Fixture f;
        f.see(lockWith(9));
        f.wait(20s);
        f.see(lockWith(5));
        f.wait(1s);
        f.see(lockWith(6));
        QCOMPARE(f.wait(29s), QStringList());
        QCOMPARE(f.wait(1s), QStringList{u"fired a queue +30s"_s});
    }

    void theEndIsToldOfWhatFired()
    {
        Fixture f;
        f.see(lockWith(9));
        f.see(lockWith(9, "b"));
        f.see(lockWith(1, "b")); // never fired
        f.wait(40s);
        f.see(lockWith(2));
        QCOMPARE(f.wait(1s), QStringList{u"ended a queue +40s"_s});
        f.wait(1h);
        f.see(lockWith(9));
        f.wait(31s);
        f.see(lockWith(9), ChangeKind::Released);
        QCOMPARE(f.wait(1s), QStringList{u"ended a queue +31s"_s});
    }

    void withoutASpanItFiresAtTheNextLook()
    {
        AlertRule rule = queueAlert();
        rule.span = Duration(0);
        Fixture f({rule});
        f.see(lockWith(9));
        QCOMPARE(f.look(), QStringList{u"fired a queue +0s"_s});
    }

    void theSameLockFiresNoMoreOftenThanThePause()
    {
        Fixture f;
        f.see(lockWith(9));
        QCOMPARE(f.wait(30s).size(), 1);
        f.see(lockWith(0));
        f.wait(1s);
        f.see(lockWith(9));
        f.see(lockWith(9, "b"));
        QCOMPARE(f.wait(30s), QStringList{u"fired b queue +30s"_s}); // another lock may
        QCOMPARE(f.wait(9min + 28s), QStringList());
        QCOMPARE(f.wait(1s), QStringList{u"fired a queue +599s"_s}); // it matches even now
    }

    void aSnoozeHoldsBackUntilItIsOver()
    {
        Fixture f;
        f.engine.snooze(u"queue"_s, f.now + 1h, f.now);
        QCOMPARE(f.engine.snoozedUntil(u"queue"_s, f.now), std::optional(f.now + 1h));
        f.see(lockWith(9));
        QCOMPARE(f.wait(30min), QStringList());
        f.see(lockWith(9, "b"));
        f.see(lockWith(0, "b"));
        QCOMPARE(f.wait(29min + 59s), QStringList());
        QCOMPARE(f.wait(1s), QStringList{u"fired a queue +3600s"_s});
        QCOMPARE(f.engine.snoozedUntil(u"queue"_s, f.now), std::nullopt);
    }

    void aSnoozeThatIsTakenBackFiresAtOnce()
    {
        Fixture f;
        f.engine.snooze(u"queue"_s, f.now + 1h, f.now);
        f.see(lockWith(9));
        QCOMPARE(f.wait(1min), QStringList());
        f.engine.snooze(u"queue"_s, f.now, f.now);
        QCOMPARE(f.look(), QStringList{u"fired a queue +60s"_s});
    }

    void whatIsNotConfirmedIsNotJudged()
    {
        Fixture f;
        f.see(lockWith(9));
        f.wait(20s);
        f.see(MadeLock("a").waiters(9).unconfirmed().ptr());
        QCOMPARE(f.wait(5min), QStringList());
        f.see(lockWith(9));
        QCOMPARE(f.wait(2s), QStringList{u"fired a queue +321s"_s});
        f.see(MadeLock("a").waiters(0).unconfirmed().ptr());
        QCOMPARE(f.wait(5min), QStringList()); // not ended either
    }

    void timeAloneMakesALockMatch()
    {
        AlertRule rule{u"old"_s, u"held>10m"_s};
        rule.span = 5s;
        Fixture f({rule});
        f.see(MadeLock("a").firstSeen(f.now).takenWhileWatching().ptr());
        QCOMPARE(f.wait(10min + 5s), QStringList());
        QCOMPARE(f.wait(2s), QStringList{u"fired a old +5s"_s});
    }

    void everyLockHasItsTurnWhenTimePasses()
    {
        AlertRule rule{u"old"_s, u"held>10m"_s};
        rule.span = Duration(0);
        Fixture f({rule});
        const auto count = static_cast<int>(AlertEngine::kLocksPerLook) * 2 + 10;
        for (int i = 0; i < count; ++i) {
            f.see(MadeLock(std::to_string(i)).firstSeen(f.now).takenWhileWatching().ptr());
        }
        f.now += 11min;
        f.look();
        QCOMPARE(f.log.size(), static_cast<qsizetype>(AlertEngine::kLocksPerLook));
        QCOMPARE(f.wait(3s).size(), count - static_cast<qsizetype>(AlertEngine::kLocksPerLook));
    }

    void whatIsOffOrCannotBeReadNeverFires()
    {
        AlertRule off = queueAlert();
        off.isEnabled = false;
        AlertRule mistaken = queueAlert();
        mistaken.filter = u"onwer:x"_s;
        Fixture f({off, mistaken});
        QVERIFY(!f.engine.hasAlerts());
        f.see(lockWith(9));
        QCOMPARE(f.wait(1h), QStringList());
    }

    void anAlertThatIsWrittenLaterKnowsTheLocks()
    {
        Fixture f(QList<AlertRule>{});
        f.see(lockWith(9));
        f.wait(1min);
        f.engine.setAlerts({queueAlert()}, f.now);
        QCOMPARE(f.wait(30s), QStringList{u"fired a queue +30s"_s});
    }

    void anotherChannelDoesNotBeginAnew()
    {
        Fixture f;
        f.see(lockWith(9));
        f.wait(20s);
        AlertRule louder = queueAlert();
        louder.beeps = true;
        f.engine.setAlerts({AlertRule{u"other"_s, u"key:z"_s}, louder}, f.now);
        QCOMPARE(f.wait(10s), QStringList{u"fired a queue +30s"_s});
        AlertRule slower = queueAlert();
        slower.span = 1min;
        f.engine.setAlerts({slower}, f.now);
        QCOMPARE(f.wait(1min), QStringList{u"fired a queue +60s"_s});
    }

    void anotherServerIsNoNews()
    {
        Fixture f;
        f.see(lockWith(9));
        f.wait(31s);
        f.engine.forgetLocks();
        QCOMPARE(f.wait(1h), QStringList());
        f.see(lockWith(9));
        QCOMPARE(f.wait(30s), QStringList{u"fired a queue +30s"_s}); // its own pause
    }

    /// Compared with the definition, written down as one loop over the seconds.
    void anyHistoryFiresAsDefined()
    {
        Rng rng(test::announcedSeed(11));
        Fixture f;
        struct Truth {
            std::optional<Instant> since;
            std::optional<Instant> firedAt;
            bool hasFired = false;
        };
        std::map<std::string, Truth> truths;
        for (int second = 0; second < 5000; ++second) {
            QStringList wanted;
            for (int i = 0; i < 3; ++i) {
                if (rng.below(40) != 0) {
                    continue;
                }
                const std::string key(1, static_cast<char>('a' + i));
                const bool matches = rng.below(3) != 0;
                f.see(lockWith(matches ? 9 : 0, key));
                Truth& truth = truths[key];
                if (matches && !truth.since) {
                    truth.since = f.now;
                } else if (!matches && truth.since) {
                    if (truth.hasFired) {
                        wanted += u"ended "_s + QString::fromStdString(key);
                    }
                    truth.since.reset();
                    truth.hasFired = false;
                }
            }
            f.now += 1s;
            for (auto& [key, truth] : truths) {
                const bool mayFire = !truth.firedAt || f.now - *truth.firedAt >= 10min;
                if (truth.since && !truth.hasFired && f.now - *truth.since >= 30s && mayFire) {
                    truth.hasFired = true;
                    truth.firedAt = f.now;
                    wanted += u"fired "_s + QString::fromStdString(key);
                }
            }
            f.log.clear();
            QStringList got;
            for (const QString& line : f.look()) {
                got += line.section(u' ', 0, 1);
            }
            wanted.sort();
            got.sort();
            QCOMPARE(got, wanted);
        }
    }
};

LOCKSCOPE_TEST(TestAlertEngine, Core)

} // namespace lockscope::tst_alert_engine

#include "tst_alert_engine.moc"
