#include "core/kernel/inspect/watch/usual_length.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_usual_length {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// A book that has watched so many holds of a second. The next one begins at the end.
struct Holds {
    LockBookBench bench;
    Instant now = kStart;
    Bytes owner = kAlice;

    explicit Holds(int count, Duration lease = 1h)
    {
        for (int i = 0; i <= count; ++i) {
            owner.replace(0, 2, std::to_string(10 + i));
            bench.seeToken(owner, lease, now);
            if (i < count) {
                bench.see(missing("order:lock", now + 1s));
                now += 2s;
            }
        }
    }
    bool isFlagged(Flag flag) const { return bench.row()->flags.has(flag); }
};

} // namespace

class TestUsualLength : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fiveHoldsTellWhatIsUsual();
    void aHoldFarLongerThanUsualIsAWarning();
    void renewalsInTimeAreNoSilence();
    void renewalsAreNoWarningWhileOthersTookAsLong();
};

void TestUsualLength::fiveHoldsTellWhatIsUsual()
{
    QVERIFY(!usualLengthOf(*Holds(4).bench.row()));
    QVERIFY(usualLengthOf(*Holds(5).bench.row()) == Duration(1s));
    QVERIFY(!overdueFrom(*Holds(4).bench.row()));
}

void TestUsualLength::aHoldFarLongerThanUsualIsAWarning()
{
    Holds holds(6);
    holds.bench.book.tick(holds.now + 8s);
    QVERIFY(!holds.isFlagged(Flag::SilentPastUsual));
    holds.bench.book.tick(holds.now + 9s);
    QVERIFY(holds.isFlagged(Flag::SilentPastUsual));
    QCOMPARE(severityOf(*holds.bench.row()), 1);
    holds.bench.see(missing("order:lock", holds.now + 10s));
    holds.bench.seeToken(kBob, 1h, holds.now + 11s);
    QVERIFY(!holds.isFlagged(Flag::SilentPastUsual));
}

void TestUsualLength::renewalsInTimeAreNoSilence()
{
    Holds holds(6, 30s);
    Instant now = holds.now;
    for (int i = 1; i <= 4; ++i) {
        now = holds.now + i * 10s;
        holds.bench.seeToken(holds.owner, 30s, now);
        holds.bench.book.tick(now + 9s);
        QVERIFY(i == 1 || !holds.isFlagged(Flag::SilentPastUsual));
    }
    holds.bench.book.tick(now + 29s); // two renewals are missing
    QVERIFY(holds.isFlagged(Flag::SilentPastUsual));
    holds.bench.seeToken(holds.owner, 30s, now + 29s + 500ms);
    QVERIFY(!holds.isFlagged(Flag::SilentPastUsual));
}

void TestUsualLength::renewalsAreNoWarningWhileOthersTookAsLong()
{
    LockBookBench bench;
    Instant now = kStart;
    Bytes owner = kAlice;
    for (int i = 0; i < 6; ++i) {
        owner.replace(0, 2, std::to_string(10 + i));
        for (int renewal = 0; renewal <= 12; ++renewal) { // two minutes
            bench.seeToken(owner, 30s, now);
            now += 10s;
        }
        QCOMPARE(bench.row()->flags.has(Flag::RenewedForever), i < 5);
        bench.see(missing("order:lock", now));
        now += 1s;
    }
}

LOCKSCOPE_TEST(TestUsualLength, Core)

} // namespace lockscope::tst_usual_length

#include "tst_usual_length.moc"
