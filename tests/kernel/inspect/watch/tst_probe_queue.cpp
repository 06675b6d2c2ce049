#include "core/kernel/inspect/watch/probe_queue.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace lockscope::tst_probe_queue {

using namespace std::chrono_literals;

namespace {

struct Entry {
    std::optional<Instant> plannedProbe;
    std::size_t probeSlot = 0;
};

using Queue = inspect::ProbeQueue<Entry>;

} // namespace

class TestProbeQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEarliestComesFirst();
    void whatIsNotThereMayBeRemoved();
    void entriesLeaveFromTheMiddle();
};

void TestProbeQueue::theEarliestComesFirst()
{
    Queue queue;
    QCOMPARE(queue.first(), nullptr);
    std::array<Entry, 3> entries;
    queue.add(entries[0], Instant(2s));
    queue.add(entries[1], Instant(1s));
    queue.add(entries[2], Instant(3s));
    QCOMPARE(queue.first(), &entries[1]);
    queue.remove(entries[1]);
    QVERIFY(!entries[1].plannedProbe);
    QCOMPARE(queue.first(), &entries[0]);
}

void TestProbeQueue::whatIsNotThereMayBeRemoved()
{
    Queue queue;
    Entry there;
    Entry other;
    queue.add(there, Instant(1s));
    queue.remove(other);
    QCOMPARE(queue.first(), &there);
}

void TestProbeQueue::entriesLeaveFromTheMiddle()
{
    testing::RandomInput input;
    Rng& rng = input.rng();
    Queue queue;
    std::array<Entry, 200> entries;
    for (int step = 0; step < 20'000; ++step) {
        Entry& entry = entries[rng.next() % entries.size()];
        if (entry.plannedProbe) {
            queue.remove(entry);
        } else {
            queue.add(entry, Instant(std::chrono::seconds(rng.next() % 50)));
        }
        std::optional<Instant> earliest;
        for (const Entry& one : entries) {
            if (one.plannedProbe && (!earliest || *one.plannedProbe < *earliest)) {
                earliest = one.plannedProbe;
            }
        }
        QCOMPARE(queue.first() == nullptr, !earliest.has_value());
        QVERIFY2(queue.first() == nullptr || queue.first()->plannedProbe == earliest,
                 input.recipe().c_str());
    }
}

LOCKSCOPE_TEST(TestProbeQueue, Core)

} // namespace lockscope::tst_probe_queue

#include "tst_probe_queue.moc"
