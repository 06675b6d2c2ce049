#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/acquire/hand_locks.h"

#include <QTest>

namespace lockscope::tst_hand_lock_journal {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using service::KeptLock;
using State = KeptLock::State;

class TestHandLockJournal : public QObject {
    Q_OBJECT

    /// A keeper, and what the journal makes of what it tells.
    struct Bench {
        test::ScriptedLockKeeper keeper;
        models::ActivityModel activity{[](Instant) { return WallTime(); }};
        widgets::HandLockJournal journal{keeper,
                                         [this]() -> models::ActivityModel& { return activity; },
                                         [] { return wallTimeOfMs(5000); }};

        void tell(State state) { tell(lock(state)); }
        void tell(KeptLock lock) { keeper.tell(std::move(lock)); }
        KeptLock lock(State state) const
        {
            KeptLock lock;
            lock.id = 1;
            lock.state = state;
            lock.key = "job";
            lock.protocolId = "set-nx-px-token";
            lock.server = "127.0.0.1:6379";
            lock.token = "5f0c";
            lock.trustedUntil = keeper.now() + 30s;
            return lock;
        }
        QStringList lines() const
        {
            QStringList lines;
            for (int row = 0; row < activity.rowCount(); ++row) {
                lines += activity.entryAt(row).place + u" "_s + activity.entryAt(row).text;
            }
            return lines;
        }
    };

private Q_SLOTS:
    void whatBecomesOfALockIsWritten()
    {
        Bench bench;
        for (const State state :
             {State::Connecting, State::Waiting, State::Held, State::Releasing, State::Released}) {
            bench.tell(state);
        }
        QCOMPARE(bench.lines(),
                 (QStringList{u"job held with set-nx-px-token on 127.0.0.1:6379, token 5f0c"_s,
                              u"job released"_s}));
        QCOMPARE(bench.activity.entryAt(0).kind, models::ActivityKind::OurLock);
        QVERIFY(bench.activity.entryAt(0).at == wallTimeOfMs(5000));
    }

    void renewalsAreNoNews()
    {
        Bench bench;
        KeptLock lock = bench.lock(State::Held);
        bench.tell(lock);
        lock.renewalCount = 1;
        bench.tell(lock);
        QCOMPARE(bench.lines().size(), 1);
    }

    void aLossSaysWhy()
    {
        Bench bench;
        KeptLock lock = bench.lock(State::Lost);
        lock.loss = trace::LossReason::OtherOwner;
        bench.tell(lock);
        QVERIFY2(bench.lines().front().startsWith(u"job lost: Another owner holds the lock."_s),
                 qPrintable(bench.lines().front()));
    }

    void theSameNumberMayComeAgainAfterTheEnd()
    {
        Bench bench;
        bench.tell(State::Refused);
        bench.tell(State::Refused);
        QCOMPARE(bench.lines().size(), 2);
    }
};

LOCKSCOPE_TEST(TestHandLockJournal, Widgets)

} // namespace lockscope::tst_hand_lock_journal

#include "tst_hand_lock_journal.moc"
