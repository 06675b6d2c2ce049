#include "core/kernel/inspect/watch/read_order.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_read_order {

using namespace std::chrono_literals;
using inspect::LockSnapshot;
using inspect::Observation;
using inspect::ReadOrder;

namespace {

LockSnapshot seenAt(Duration time, const std::vector<Bytes>& keys = {"a:lock"})
{
    LockSnapshot snapshot{0, keys.front(), {}, false};
    for (const Bytes& key : keys) {
        Observation& seen = snapshot.keys.emplace_back();
        seen.key = key;
        seen.seenAt = Instant(time);
    }
    return snapshot;
}

} // namespace

class TestReadOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEarlierLookIsOutdated()
    {
        ReadOrder order;
        QVERIFY(!order.isOutdated(seenAt(1s)));
        order.note(seenAt(2s));
        QVERIFY(order.isOutdated(seenAt(1s)));
        QVERIFY(!order.isOutdated(seenAt(2s)));
        QVERIFY(!order.isOutdated(seenAt(1s, {"b:lock"})));
    }

    void oneKeyOfSeveralIsEnough()
    {
        ReadOrder order;
        order.note(seenAt(2s, {"b:lock"}));
        QVERIFY(order.isOutdated(seenAt(1s, {"a:lock", "b:lock"})));
    }

    void whatNoLookCanBeOlderThanIsForgotten()
    {
        ReadOrder order;
        order.note(seenAt(2s));
        order.note(seenAt(2s + 1h, {"b:lock"}));
        QVERIFY(!order.isOutdated(seenAt(1s)));
        QVERIFY(order.isOutdated(seenAt(2s, {"b:lock"})));
    }
};

LOCKSCOPE_TEST(TestReadOrder, None)

} // namespace lockscope::tst_read_order

#include "tst_read_order.moc"
