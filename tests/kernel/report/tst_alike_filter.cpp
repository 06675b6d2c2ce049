#include "core/kernel/report/alike_filter.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_alike_filter {

using namespace lockscope::report;
using namespace std::chrono_literals;
using namespace std::string_literals;
using test::MadeLock;

namespace {

constexpr Instant kNow(2h);

std::string alike(LockColumn column, const MadeLock& lock)
{
    return alikeFilter(lockField(column), {lock.record(), "cache-1:6379", 0, kNow});
}

} // namespace

class TestAlikeFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cellsBecomeTerms()
    {
        const MadeLock lock = MadeLock("a (b)")
                                  .owner("x:1")
                                  .waiters(3)
                                  .flag(inspect::Flag::NoExpiry)
                                  .firstSeen(kNow - 61min - 30s);
        QCOMPARE(alike(KeyColumn, lock), "key=\"a (b)\""s);
        QCOMPARE(alike(OwnerColumn, lock), "owner=x:1"s);
        QCOMPARE(alike(ModeColumn, lock), "mode:exclusive"s);
        QCOMPARE(alike(ConfidenceColumn, lock), "confidence:high"s);
        QCOMPARE(alike(HoldsColumn, lock), "holds=1"s);
        QCOMPARE(alike(WaitersColumn, lock), "waiters=3"s);
        QCOMPARE(alike(ServerColumn, lock), "server=cache-1:6379"s);
        QCOMPARE(alike(WhyColumn, lock), "flag:no-expiry"s);
        QCOMPARE(alike(ExpiresColumn, lock), "ttl:never"s);
        QCOMPARE(alike(HeldColumn, lock), "held>=61m"s);
    }

    void timesAreRoundedSoThatTheLockStaysIn()
    {
        const MadeLock lock = MadeLock("k").expires(kNow + 28400ms).firstSeen(kNow - 28400ms);
        QCOMPARE(alike(ExpiresColumn, lock), "ttl<=29s"s);
        QCOMPARE(alike(HeldColumn, lock), "held>=28s"s);
        QCOMPARE(alike(ExpiresColumn, MadeLock("k").expires(kNow + 10min + 1s)), "ttl<=11m"s);
    }

    void whatIsUnknownIsNotAskedFor()
    {
        const MadeLock lock("k");
        QCOMPARE(alike(WaitersColumn, lock), ""s);
        QCOMPARE(alike(WhyColumn, lock), "flag:none"s);
        QCOMPARE(alike(OwnerColumn, MadeLock("k").owner("")), ""s);
    }

    void everyTermFindsItsLock()
    {
        const MadeLock lock = MadeLock("a \"b\" \x01\\")
                                  .owner("an \\owner\\")
                                  .waiters(0)
                                  .expires(kNow + 3s)
                                  .firstSeen(kNow - 1500ms);
        const std::vector<std::string> servers{"cache-1:6379"};
        for (int column = 0; column < ColumnCount; ++column) {
            const std::string term = alike(static_cast<LockColumn>(column), lock);
            const auto filter = inspect::LockFilter::parse(term, lockFilterFields());
            QVERIFY2(std::holds_alternative<inspect::LockFilter>(filter), term.c_str());
            QVERIFY2(std::get<inspect::LockFilter>(filter).matches(lock.record(), {kNow, servers}),
                     term.c_str());
        }
    }
};

LOCKSCOPE_TEST(TestAlikeFilter, Core)

} // namespace lockscope::tst_alike_filter

#include "tst_alike_filter.moc"
