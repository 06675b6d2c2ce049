#include "core/kernel/conduct/lease_end.h"
#include "tests/kernel/conduct/written_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>

namespace lockscope::tst_lease_end {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Breach;
using conduct::wasGrantedLater;
using conduct::Workload;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;
constexpr int kProbe = 9; // the act

/// B is refused although no client holds the lock.
WrittenLog refused()
{
    WrittenLog log(2s);
    log.acquire(kA).end(kA).pass(3s).acquireInVain(kB);
    return log;
}

Breach breachIn(const WrittenLog& log)
{
    Breach breach;
    breach.violation.client = kB;
    breach.entry = log.log().entries.size() - 1;
    return breach;
}

Workload workload()
{
    Workload some = emptyWorkload(2s);
    some.firstProbe = kProbe;
    return some;
}

} // namespace

class TestLeaseEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRefusalIsNoGrant();
    void theRefusedClientMayGetItLater();
    void anyClientMayGetItInAProbe();
};

void TestLeaseEnd::aRefusalIsNoGrant()
{
    WrittenLog log = refused();
    const Breach breach = breachIn(log);
    QVERIFY(!wasGrantedLater(breach, log.log(), workload()));
    log.inAct(kProbe).pass(4s).acquireInVain(kB);
    QVERIFY(!wasGrantedLater(breach, log.log(), workload()));
}

void TestLeaseEnd::theRefusedClientMayGetItLater()
{
    WrittenLog log = refused();
    const Breach breach = breachIn(log);
    log.pass(4s).acquire(kB);
    QVERIFY(wasGrantedLater(breach, log.log(), workload()));
    QVERIFY(!wasGrantedLater(breachIn(log.acquireInVain(kB)), log.log(), workload())); // before it
}

/// Before the probes another client may be granted a lock that is its own all the same.
void TestLeaseEnd::anyClientMayGetItInAProbe()
{
    WrittenLog log = refused();
    const Breach breach = breachIn(log);
    log.pass(4s).acquire(kC);
    QVERIFY(!wasGrantedLater(breach, log.log(), workload()));
    WrittenLog probed = refused();
    probed.inAct(kProbe).pass(4s).acquire(kC);
    QVERIFY(wasGrantedLater(breach, probed.log(), workload()));
}

LOCKSCOPE_TEST(TestLeaseEnd, None)

} // namespace lockscope::tst_lease_end

#include "tst_lease_end.moc"
