#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/replicated_lock.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_replicated_lock {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using store::Reply;

namespace {

const ReplicatedLock& theProtocol()
{
    static const ReplicatedLock lock(std::shared_ptr<const LockProtocol>(
        std::shared_ptr<const void>(), &builtin::setNxPxToken()));
    return lock;
}

/// One try.
AcquireOutcome attemptWith(ContenderBench& bench)
{
    return bench.loop().run(theProtocol().attempt(bench.contender(), bench.request()));
}

} // namespace

class TestReplicatedLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGrantThatAReplicaHasIsOne()
    {
        ContenderBench bench(answering({{"SET", Reply::ofStatus("OK")},
                                        {"WAIT", Reply::ofInteger(1)}}));
        QVERIFY(isGranted(attemptWith(bench)));
        QCOMPARE(bench.store().asked().size(), 2U);
        QVERIFY(bench.store().asked().back().starts_with("WAIT 1 "));
    }

    void oneThatNoReplicaHasIsGivenBack()
    {
        ContenderBench bench(answering({{"SET", Reply::ofStatus("OK")},
                                        {"WAIT", Reply::ofInteger(0)},
                                        {"EVAL", Reply::ofInteger(1)}}));
        QVERIFY(std::holds_alternative<Refused>(attemptWith(bench)));
        QCOMPARE(bench.store().askedCount("EVAL"), 1U);
    }

    void whatIsNotGrantedNeedsNoReplica()
    {
        ContenderBench bench(answering({{"SET", Reply()}}));
        QVERIFY(std::holds_alternative<Refused>(attemptWith(bench)));
        QCOMPARE(bench.store().askedCount("WAIT"), 0U);
    }

    void renewalAndReleaseAreThoseOfTheLock()
    {
        ContenderBench bench(answering({{"SET", Reply::ofStatus("OK")},
                                        {"WAIT", Reply::ofInteger(2)},
                                        {"EVAL", Reply::ofInteger(1)}}));
        const Grant grant = takeGrant(attemptWith(bench));
        const auto renewed = bench.loop().run(theProtocol().renew(bench.contender(), grant));
        QVERIFY(std::holds_alternative<Renewed>(renewed));
        const auto released = bench.loop().run(theProtocol().release(bench.contender(), grant));
        QVERIFY(std::holds_alternative<Released>(released));
    }
};

LOCKSCOPE_TEST(TestReplicatedLock, Core)

} // namespace lockscope::tst_replicated_lock

#include "tst_replicated_lock.moc"
