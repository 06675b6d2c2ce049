#include "inspect/lock_watcher.h"
#include "kernel/text_in_failures.h"
#include "support/pretend_keyspace.h"
#include "support/scripted_store.h"
#include "support/virtual_loop.h"

#include <QTest>

#include <algorithm>
#include <memory>

using namespace lockscope;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

struct Observer final : WatchObserver {
    int sweepsDone = 0;
    std::shared_ptr<const SweepFindings> findings;

    void bookChanged() override {}
    void sweepProgressed(std::uint16_t, std::uint64_t, std::uint64_t, bool isDone, bool) override
    {
        sweepsDone += isDone ? 1 : 0;
    }
    void sweepFound(std::uint16_t, std::shared_ptr<const SweepFindings> found) override
    {
        findings = std::move(found);
    }
    void limited(std::uint16_t, const store::Problem&) override {}
};

/// A watcher of a pretended server that says what changes.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const Command& command) { return keyspace.answer(command); }};
    LockBook book{1};
    Observer observer;
    std::unique_ptr<LockWatcher> watcher;

    void watch()
    {
        WatchSettings settings;
        settings.hasPush = true;
        watcher = std::make_unique<LockWatcher>(loop.executor(), loop.clock(), store, book,
                                                observer, std::move(settings));
        loop.settle();
    }

    void push(const Bytes& key)
    {
        watcher->keyChanged(key);
        loop.settle();
    }

    LockPtr row(const Bytes& name) const
    {
        const std::vector<LockPtr> rows = book.rows();
        const auto found = std::ranges::find_if(rows, [&](const LockPtr& row) {
            return row->id.name == name;
        });
        return found != rows.end() ? *found : nullptr;
    }
};

} // namespace

class TestWatchFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherNamesMayBeCalledLocksOnTheWay();
    void keysThatCannotBeReadAreToldOfWhateverTheReason_data();
    void keysThatCannotBeReadAreToldOfWhateverTheReason();
};

void TestWatchFindings::otherNamesMayBeCalledLocksOnTheWay()
{
    Bench bench;
    bench.keyspace.setString("job:sync", "started by hand", {});
    bench.watch();
    QVERIFY(bench.row("job:sync") == nullptr);
    bench.watcher->setPatterns({"job:*"});
    bench.loop.settle();
    QVERIFY(bench.row("job:sync") != nullptr);
    QCOMPARE(bench.row("job:sync")->format, std::string_view("named-key"));
    bench.keyspace.setString("job:other", "1", 30s);
    bench.push("job:other");
    QVERIFY(bench.row("job:other") != nullptr);
    bench.watcher->setPatterns({});
    bench.loop.settle();
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
}

void TestWatchFindings::keysThatCannotBeReadAreToldOfWhateverTheReason_data()
{
    QTest::addColumn<QByteArray>("error");
    for (const char* const error :
         {"MOVED 7186 10.0.0.7:7001", "ASK 7186 10.0.0.7:7001", "TRYAGAIN Multiple keys request",
          "MISCONF Redis is configured to save RDB snapshots", "ERR unknown command 'TYPE'",
          "ERR the proxy has no backend for this key"}) {
        QTest::newRow(error) << QByteArray(error);
    }
}

void TestWatchFindings::keysThatCannotBeReadAreToldOfWhateverTheReason()
{
    QFETCH(const QByteArray, error);
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    bench.keyspace.setString("other:lock", kBob, 30s);
    bench.keyspace.refuse("TYPE order:lock", error.toStdString());
    bench.watch();
    QCOMPARE(bench.observer.sweepsDone, 1);
    QVERIFY(bench.observer.findings != nullptr);
    QCOMPARE(bench.observer.findings->unreadCount(), std::uint64_t(1));
    QCOMPARE(bench.observer.findings->unread().front().example, Bytes("order:lock"));
    bench.keyspace.refuse("TYPE order:lock", {});
    bench.watcher->resweep(false);
    bench.loop.settle();
    QVERIFY(bench.observer.findings->isComplete());
}

QTEST_APPLESS_MAIN(TestWatchFindings)
#include "tst_watch_findings.moc"
