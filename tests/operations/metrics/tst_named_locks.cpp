#include "core/operations/metrics/named_locks.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_named_locks {

using metrics::NamedLocks;

class TestNamedLocks final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutPatternsNothingIsNamed();
    void patternsAreGlobs();
    void laterNamesAreLeftOutForGood();
    void whatIsSeenAgainIsLeftOutOnce();
};

void TestNamedLocks::withoutPatternsNothingIsNamed()
{
    NamedLocks named({});
    named.meet({0, "lock:a"}, true);
    QVERIFY(!named.isWanted());
    QVERIFY(!named.isAdmitted({0, "lock:a"}));
    QCOMPARE(named.leftOutCount(), std::uint64_t(0));
}

void TestNamedLocks::patternsAreGlobs()
{
    NamedLocks named({"job:*", "lock:[ab]"});
    for (const char* const name : {"job:sync", "lock:a", "lock:c", "JOB:sync"}) {
        named.meet({0, name}, true);
    }
    QVERIFY(named.isAdmitted({0, "job:sync"}));
    QVERIFY(named.isAdmitted({0, "lock:a"}));
    QVERIFY(!named.isAdmitted({1, "lock:a"})); // of another server
    QVERIFY(!named.isAdmitted({0, "lock:c"}));
    QVERIFY(!named.isAdmitted({0, "JOB:sync"}));
}

void TestNamedLocks::laterNamesAreLeftOutForGood()
{
    NamedLocks named({"*"}, 2);
    for (const char* const name : {"a", "b", "c", "a", "c"}) {
        named.meet({0, name}, true);
    }
    QVERIFY(named.isAdmitted({0, "a"}));
    QVERIFY(named.isAdmitted({0, "b"}));
    QVERIFY(!named.isAdmitted({0, "c"}));
    QCOMPARE(named.admittedCount(), std::size_t(2));
    QCOMPARE(named.leftOutCount(), std::uint64_t(2));
}

void TestNamedLocks::whatIsSeenAgainIsLeftOutOnce()
{
    NamedLocks named({"*"}, 0);
    named.meet({0, "a"}, true);
    named.meet({0, "a"}, false); // renewed
    QCOMPARE(named.leftOutCount(), std::uint64_t(1));
}

LOCKSCOPE_TEST(TestNamedLocks, Core)

} // namespace lockscope::tst_named_locks

#include "tst_named_locks.moc"
