#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <malloc.h>
#include <string>
#include <vector>

// What a book and the table of the window take for each of very many locks: they share a record.

namespace lockscope::tst_lock_memory {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestLockMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aLockTakesSoMuch_data();
    void aLockTakesSoMuch();
    void lookingAgainTakesNoMore();
};

namespace {

constexpr int kLocks = 2'000;

std::size_t bytesInUse()
{
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

Bytes nameOf(int index)
{
    return "lock:idle:" + std::to_string(100'000 + index); // a byte too long to stand in place
}

Bytes tokenOf(int index)
{
    return "5f0c9a41-77aa-4c1e-9f00-" + std::to_string(100'000'000'000 + index);
}

Observation tokenAt(int index, Instant at)
{
    return stringKey(nameOf(index), tokenOf(index), kStart + 1h - at, at);
}

Observation redissonAt(int index, Instant at)
{
    return hashKey(nameOf(index), tokenOf(index) + ":1", 1, kStart + 1h - at, at);
}

using Look = std::function<Observation(int, Instant)>;

/// A book, and who keeps the rows that it tells of.
struct Watch {
    LockBookBench bench;
    std::vector<LockPtr> rows = std::vector<LockPtr>(kLocks);

    void lookAtAll(const Look& look, Instant at)
    {
        for (int i = 0; i < kLocks; ++i) {
            bench.see(look(i, at));
            take();
        }
        take();
    }
    void take()
    {
        for (const LockChange& change : bench.book.takeDelta().changes) {
            rows[std::stoul(change.lock->id.name.substr(10)) - 100'000] = change.lock;
        }
    }
};

} // namespace

void TestLockMemory::initTestCase()
{
    const std::size_t before = bytesInUse();
    const std::vector<char> some(1'000'000);
    if (bytesInUse() < before + some.size()) {
        QSKIP("this allocator, a sanitizer's for example, does not say what is in use");
    }
}

void TestLockMemory::aLockTakesSoMuch_data()
{
    QTest::addColumn<Look>("look");
    QTest::newRow("token") << Look(tokenAt);
    QTest::newRow("redisson") << Look(redissonAt);
}

void TestLockMemory::aLockTakesSoMuch()
{
    QFETCH(Look, look);
    Watch watch;
    watch.bench.see(look(0, kStart)); // what is made once
    const std::size_t before = bytesInUse();
    watch.lookAtAll(look, kStart);
    const std::size_t bytes = (bytesInUse() - before) / kLocks;
    QCOMPARE(watch.bench.book.rowCount(), std::size_t(kLocks));
    QVERIFY2(bytes <= 420, (std::to_string(bytes) + " bytes").c_str());
}

/// Each look measures the end a little better or worse. That is no news, and if the book kept
/// another record than the others have, there would be two of each.
void TestLockMemory::lookingAgainTakesNoMore()
{
    Watch watch;
    watch.lookAtAll(tokenAt, kStart);
    const std::size_t before = bytesInUse();
    watch.lookAtAll(
        [](int index, Instant at) {
            Observation seen = tokenAt(index, at);
            seen.ttl = *seen.ttl - 3ms;
            return seen;
        },
        kStart + 10min);
    const std::size_t after = bytesInUse();
    QVERIFY2(after < before + before / 50,
             (std::to_string(before) + " bytes, then " + std::to_string(after)).c_str());
    for (const LockPtr& row : watch.bench.book.rows()) {
        QVERIFY(row == watch.rows[std::stoul(row->id.name.substr(10)) - 100'000]);
    }
}

LOCKSCOPE_TEST(TestLockMemory, Core)

} // namespace lockscope::tst_lock_memory

#include "tst_lock_memory.moc"
