#include "core/kernel/inspect/watch/lock_watcher.h"
#include "core/kernel/store/metered_store.h"
#include "tests/kernel/inspect/capture.h"
#include "tests/support/test_program.h"
#include "tests/support/watcher_bench.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <string>

Q_DECLARE_METATYPE(lockscope::testing::Capture)

// A lock of any format may be there after the ends that it states: of a permit, of a lease that the
// next client takes over. The watch must not ask for it again and again.
namespace lockscope::tst_overdue_locks {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// The watch of a server with the keys of a capture, at the instant when it was taken.
class Bench {
public:
    explicit Bench(const LockSnapshot& snapshot, store::Budget budget = {}) : m_snapshot(snapshot)
    {
        m_loop.clock().setWallOrigin(snapshot.main().serverTime
                                     - std::chrono::duration_cast<std::chrono::milliseconds>(
                                         m_loop.now().time_since_epoch()));
        for (const auto* const keys : {&snapshot.keys, &snapshot.companions}) {
            for (const Observation& key : *keys) {
                m_keyspace.put(key);
            }
        }
        m_settings.hasPush = true;
        m_settings.isDeep = true; // the names of some captures say nothing
        m_settings.budget = budget;
    }

    PretendKeyspace& keyspace() { return m_keyspace; }
    LockBook& book() { return m_book; }

    void watch()
    {
        m_watcher = std::make_unique<LockWatcher>(m_loop.executor(), m_loop.clock(), m_store,
                                                  m_book, m_notes, m_settings);
        m_loop.settle();
    }

    /// No key runs out any more. Time passes until all the ends that the rows state are over.
    void outliveTheEnds()
    {
        for (const auto* const keys : {&m_snapshot.keys, &m_snapshot.companions}) {
            for (const Observation& key : *keys) {
                Observation lasting = key;
                lasting.ttl.reset();
                m_keyspace.put(lasting);
            }
        }
        m_loop.advance(1ms);
        for (const LockPtr& row : m_book.rows()) {
            for (const Holder& holder : row->holders) {
                if (holder.expiresAt && *holder.expiresAt > m_loop.now()) {
                    m_loop.advance(*holder.expiresAt - m_loop.now());
                }
            }
        }
    }

    std::uint64_t commandsWithin(Duration span)
    {
        const std::uint64_t before = m_store.usage().commandCount;
        m_loop.advance(span);
        return m_store.usage().commandCount - before;
    }

private:
    const LockSnapshot& m_snapshot;
    VirtualLoop m_loop;
    PretendKeyspace m_keyspace{m_loop.clock()};
    ScriptedStore m_server{
        [this](const store::Command& command) { return m_keyspace.answer(command); }};
    store::MeteredStore m_store{m_loop.executor(), m_server};
    LockBook m_book{1};
    WatchNotes m_notes;
    WatchSettings m_settings;
    std::unique_ptr<LockWatcher> m_watcher;
};

/// Redisson's permits, of which the only one that is taken has ended.
LockSnapshot endedPermit(const Bytes& name)
{
    Observation count = stringKey(name, "2", std::nullopt);
    LockSnapshot snapshot = of(std::move(count));
    Observation permits = hashKey("{" + name + "}:timeout",
                                  {{Bytes(32, 'a'), std::to_string(toEpochMs(kServerTime) - 1000)}},
                                  std::nullopt);
    permits.type = ValueType::SortedSet;
    snapshot.companions = {std::move(permits)};
    return snapshot;
}

} // namespace

class TestOverdueLocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockAfterItsEndIsSeldomLookedAt_data();
    void aLockAfterItsEndIsSeldomLookedAt();
    void theBudgetCoversLooksAtEndedLocks();
    void aLockThatMovesAgainIsFollowedAtOnce();
};

void TestOverdueLocks::aLockAfterItsEndIsSeldomLookedAt_data()
{
    QTest::addColumn<Capture>("capture");
    for (const Capture& capture : allCaptures()) {
        if (!capture.expected.empty()) {
            QTest::newRow(capture.path.toUtf8().constData()) << capture;
        }
    }
}

void TestOverdueLocks::aLockAfterItsEndIsSeldomLookedAt()
{
    QFETCH(const Capture, capture);
    LockSnapshot nothing = capture.snapshot;
    for (Observation& key : nothing.keys) {
        key.type = ValueType::None;
    }
    nothing.companions.clear();
    Bench idle(nothing);
    idle.watch();
    const std::uint64_t idleCount = idle.commandsWithin(20s);

    Bench bench(capture.snapshot);
    bench.watch();
    bench.outliveTheEnds();
    const std::uint64_t count = bench.commandsWithin(20s);
    // Some fifteen looks in pauses that grow, of a few commands each.
    QVERIFY2(count <= idleCount + 250,
             (std::to_string(count) + " commands, " + std::to_string(idleCount) + " without it")
                 .c_str());
    // And hardly any more from then on.
    const std::uint64_t later = bench.commandsWithin(60s);
    QVERIFY2(later <= idleCount * 3 + 100, std::to_string(later).c_str());
}

void TestOverdueLocks::theBudgetCoversLooksAtEndedLocks()
{
    store::Budget budget;
    budget.commandsPerSecond = 50;
    const LockSnapshot one = endedPermit("sem:lock");
    Bench bench(one, budget);
    for (int i = 0; i < 50; ++i) {
        const LockSnapshot more = endedPermit("sem:lock:" + std::to_string(i));
        bench.keyspace().put(more.main());
        bench.keyspace().put(more.companions.front());
    }
    bench.watch();
    QVERIFY(bench.commandsWithin(1s) < 100); // one piece and what it takes to begin
    const std::uint64_t count = bench.commandsWithin(60s);
    QVERIFY2(count <= 60 * 55, std::to_string(count).c_str());
    QCOMPARE(bench.book().rowCount(), std::size_t(51));
}

/// The pauses begin again with each end that is in the future.
void TestOverdueLocks::aLockThatMovesAgainIsFollowedAtOnce()
{
    WatcherBench bench;
    bench.keyspace.setString("order:lock", kAlice, 5s);
    bench.watch();
    bench.keyspace.expire("order:lock", 5060ms); // no renewal: the end was measured too early
    bench.loop.advance(5s + 50ms);
    QVERIFY(bench.row("order:lock") != nullptr);
    bench.loop.advance(30ms);
    QVERIFY(bench.row("order:lock") == nullptr);
}

LOCKSCOPE_TEST(TestOverdueLocks, Core)

} // namespace lockscope::tst_overdue_locks

#include "tst_overdue_locks.moc"
