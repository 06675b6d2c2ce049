#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/held_locks.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_held_locks {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using service::KeptLock;
using State = KeptLock::State;

class TestHeldLocks : public QObject {
    Q_OBJECT

    static constexpr Instant kNow{100h};

    static KeptLock held(quint64 id)
    {
        KeptLock lock;
        lock.id = id;
        lock.key = "job";
        lock.protocolId = "set-nx-px-token";
        lock.state = State::Held;
        lock.trustedUntil = kNow + 28400ms;
        lock.renewalCount = 2;
        return lock;
    }
    static AcquireDraft draft(const char* id)
    {
        const ProtocolPtr protocol(ProtocolPtr(), protocol::findProtocol(id));
        AcquireDraft draft = AcquireDraft::withDefaults(protocol);
        draft.key = u"job"_s;
        draft.servers = {store::Endpoint()};
        return draft;
    }

private Q_SLOTS:
    void aHeldLockTellsHowLongItLasts()
    {
        HeldLocksModel model([] { return kNow; });
        const QAbstractItemModelTester tester(&model);
        model.takeKeptLock(held(1));
        const auto text = [&model](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(text(HeldLocksModel::KeyColumn), u"job"_s);
        QCOMPARE(text(HeldLocksModel::StateColumn), u"held"_s);
        QCOMPARE(text(HeldLocksModel::LeftColumn), u"28.4 s"_s);
        QCOMPARE(text(HeldLocksModel::RenewalsColumn), u"2"_s);
    }

    void aLockStaysUntilItIsOver()
    {
        HeldLocksModel model([] { return kNow; });
        const QAbstractItemModelTester tester(&model);
        model.takeKeptLock(held(1));
        model.takeKeptLock(held(2));
        KeptLock lock = held(1);
        lock.state = State::Lost;
        model.takeKeptLock(lock);
        QCOMPARE(model.rowCount(), 2);
        lock.state = State::Released;
        model.takeKeptLock(lock);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.lockAt(0).id, 2ULL);
        lock.id = 9;
        lock.state = State::Refused; // never was in the list
        model.takeKeptLock(lock);
        QCOMPARE(model.rowCount(), 1);
    }

    void everyStateSaysWhatItMeans()
    {
        KeptLock lock = held(1);
        QVERIFY(textOf(lock, kNow).detail.contains(u"28.4 s"_s));
        QVERIFY(!textOf(lock, kNow).detail.contains(u"noticed at once"_s));
        lock.isWatched = true;
        QVERIFY(textOf(lock, kNow).detail.contains(u"noticed at once"_s));
        lock.trustedUntil.reset();
        QVERIFY(textOf(lock, kNow).detail.contains(u"No expiry"_s));
        lock.state = State::Lost;
        lock.loss = trace::LossReason::OtherOwner;
        QCOMPARE(textOf(lock, kNow).tone, KeptLockText::Tone::Bad);
        QVERIFY(textOf(lock, kNow).detail.contains(lossSentence(trace::LossReason::OtherOwner)));
        lock.state = State::Uncertain;
        const QString afterRelease = textOf(lock, kNow).detail;
        lock.isStillWanted = true;
        QVERIFY(textOf(lock, kNow).detail != afterRelease);
        QVERIFY(textOf(lock, kNow).detail.contains(u"Release it"_s));
        lock.state = State::Failed;
        lock.problem.kind = store::Problem::Kind::ReadOnlyMode;
        QCOMPARE(textOf(lock, kNow).detail, QString::fromStdString(store::explain(lock.problem)));
        lock.state = State::Released;
        lock.wasOtherOwner = true;
        QVERIFY(textOf(lock, kNow).detail.contains(u"nothing was removed"_s));
    }

    void aDraftBecomesAnOrder()
    {
        AcquireDraft typed = draft("set-nx-px-token");
        typed.key = u"a\\x00b"_s;
        typed.lease = u"9s"_s;
        typed.wait = u"1s"_s;
        const ParsedAcquire parsed = readAcquireDraft(typed);
        QVERIFY(parsed.isGood());
        QCOMPARE(parsed.order.request.key, Bytes("a\0b", 3));
        QCOMPARE(parsed.order.request.lease, Duration(9s));
        QCOMPARE(parsed.order.request.waitLimit, Duration(1s));
        QCOMPARE(parsed.order.renewal.period, Duration(3s));
        typed.isKeptRenewed = false;
        QVERIFY(!readAcquireDraft(typed).order.renewal.isOn());
    }

    void mistakesAreSaidAtTheirFields()
    {
        AcquireDraft typed = draft("set-nx-px-token");
        typed.key.clear();
        QVERIFY(!readAcquireDraft(typed).keyError.isEmpty());
        typed.key = u"\\xZZ"_s;
        QVERIFY(!readAcquireDraft(typed).keyError.isEmpty());
        typed.key = u"k"_s;
        typed.lease = u"0ms"_s;
        QVERIFY(!readAcquireDraft(typed).leaseError.isEmpty());
        typed.lease = u"1s"_s;
        typed.wait = u"soon"_s;
        QVERIFY(!readAcquireDraft(typed).waitError.isEmpty());
    }

    void aProtocolOfOneServerTakesTheFirst()
    {
        AcquireDraft typed = draft("set-nx-px-token");
        typed.servers = {store::Endpoint(), store::Endpoint()};
        QCOMPARE(readAcquireDraft(typed).order.servers.size(), std::size_t(1));
    }

    void renewalsComeBeforeTheLeaseIsOver()
    {
        const auto& redisson = protocol::findProtocol("redisson-lock")->info();
        QCOMPARE(renewalFor(redisson, 30s).period, redisson.defaults.renewal.period);
        QCOMPARE(renewalFor(redisson, 3s).period, Duration(1s));
        QVERIFY(!renewalFor(protocol::findProtocol("set-nx-ex")->info(), 30s).isOn());
    }
};

LOCKSCOPE_TEST(TestHeldLocks, Core)

} // namespace lockscope::tst_held_locks

#include "tst_held_locks.moc"
