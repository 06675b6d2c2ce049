#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/inspect/watch/lock_watcher.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/support/watcher_bench.h"

#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_watch_findings {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = WatcherBench;

} // namespace

class TestWatchFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherNamesMayBeCalledLocksOnTheWay();
    void otherFormatsMayBeRecognisedOnTheWay();
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
    QCOMPARE(bench.row("job:sync")->format(), std::string_view("named-key"));
    bench.keyspace.setString("job:other", "1", 30s);
    bench.push("job:other");
    QVERIFY(bench.row("job:other") != nullptr);
    bench.watcher->setPatterns({});
    bench.loop.settle();
    QCOMPARE(bench.book.rowCount(), std::size_t(0));
}

void TestWatchFindings::otherFormatsMayBeRecognisedOnTheWay()
{
    Bench bench;
    bench.keyspace.setString("acme:job:1", "host-1/4711", 30s);
    bench.watch();
    QVERIFY(bench.row("acme:job:1") == nullptr);
    const OwnFile acme{"acme.json", R"({"id": "acme", "library": "Acme", "summary": "A job.",
        "keys": ["acme:job:*"], "values": ["{text}/{digits}"], "confidence": "high"})"};
    std::vector<OwnFileProblem> problems;
    const FormatTablePtr formats = tableOf(std::span(&acme, 1), {}, nullptr, problems);
    const auto recognise = [&bench](const FormatTablePtr& table) {
        bench.book.setFormats(table, bench.loop.clock().now());
        bench.watcher->setFormats(table);
        bench.loop.settle();
    };
    recognise(formats);
    QVERIFY(bench.row("acme:job:1") != nullptr);
    QCOMPARE(bench.row("acme:job:1")->format(), std::string_view("acme"));
    QVERIFY(!bench.row("acme:job:1")->isTakenWhileWatching);
    bench.news();
    recognise(tableOf({}, {}, formats, problems));
    QCOMPARE(bench.news(), std::vector<std::string>{"unwatched acme:job:1"});
    bench.push("acme:job:1");
    QVERIFY(bench.row("acme:job:1") == nullptr);
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

LOCKSCOPE_TEST(TestWatchFindings, None)

} // namespace lockscope::tst_watch_findings

#include "tst_watch_findings.moc"
