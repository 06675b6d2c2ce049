#include "core/operations/metrics/server_metrics.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_server_metrics {

using namespace lockscope::inspect;
using namespace lockscope::metrics;
using namespace std::chrono_literals;

namespace {

/// One server, followed from its connection on.
struct Bench {
    Instant now{1000s};
    NamedLocks named;
    bool areDataWanted = false;
    ServerMetrics metrics;

    explicit Bench(std::vector<std::string> patterns = {}, ServerLabels labels = {"s:1", 0, ""})
        : named(std::move(patterns)),
          metrics(
              3, std::move(labels),
              [this](const LockRecord& record, Instant) {
                  return areDataWanted || !record.flags.has(Flag::ProbablyData);
              },
              named)
    {}

    void connectAndSweep()
    {
        metrics.setUp(true);
        metrics.takeSweep(now, 0);
    }

    void change(ChangeKind kind, const LockRecord& record)
    {
        LockDelta delta;
        delta.changes.push_back({kind, makeShared<const LockRecord>(record), now});
        metrics.takeDelta(delta, now);
    }

    /// The samples of the family, as they are written.
    QStringList samples(const char* family) const
    {
        std::vector<MetricFamily> all = familiesOf({&metrics}, named, "1.2", now);
        std::erase_if(all, [&](const MetricFamily& one) { return one.name != family; });
        QStringList lines = QString::fromStdString(textOf(all, Exposition::OpenMetrics))
                                .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        lines.removeIf([](const QString& line) { return line.startsWith(QLatin1Char('#')); });
        return lines;
    }
    /// The value of the only sample with this text in it; "none" without one.
    QString value(const char* family, const char* label = "") const
    {
        const QStringList found = samples(family).filter(QString::fromUtf8(label));
        return found.size() == 1 ? found.front().section(QLatin1Char(' '), -1)
               : found.isEmpty() ? QStringLiteral("none")
                                 : found.join(QLatin1Char('\n'));
    }
};

/// The names of all samples there may be.
QSet<QString> sampleNames()
{
    Bench bench;
    std::vector<MetricFamily> all = familiesOf({}, bench.named, "1", bench.now);
    for (MetricFamily& family : all) {
        family.samples = {{{}, 1}};
    }
    const QString text = QString::fromStdString(textOf(all, Exposition::PrometheusText));
    QSet<QString> names;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (!line.startsWith(QLatin1Char('#'))) {
            names.insert(line.section(QLatin1Char(' '), 0, 0));
        }
    }
    return names;
}

/// Whatever the file calls by such a name.
QSet<QString> namesIn(const QString& path)
{
    QFile file(testing::inSourceTree(path));
    const QString text = QString::fromUtf8(file.open(QIODevice::ReadOnly) ? file.readAll()
                                                                          : QByteArray());
    static const QRegularExpression kName(QStringLiteral("\\blockscope_[a-z_]+"));
    QSet<QString> names;
    for (auto match = kName.globalMatch(text); match.hasNext();) {
        names.insert(match.next().captured());
    }
    return names;
}

LockRecord token(const char* name, Instant since)
{
    LockRecord record;
    record.id.name = name;
    record.setFormat("token");
    record.confidence = Confidence::High;
    record.holders.push_back({"owner", Mode::Exclusive, 1, {}, {}});
    record.firstSeen = since;
    record.isTakenWhileWatching = true;
    record.expiresAt = since + 60s;
    return record;
}

} // namespace

class TestServerMetrics final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void beforeAnythingIsKnownTheServerIsDown();
    void numbersWaitForACompleteLook();
    void aLostServerHasNoNumbers();
    void aSilentServerHasNoNumbersUntilItAnswers();
    void aForgottenWatchClaimsNothing();
    void locksAreCountedByFormatAndState();
    void seriesOfAFormatGoOn();
    void flagsAreCountedWhereTheyAreCauseForAlarm();
    void theOldestHoldIsMeasured();
    void waitersAreCountedWhereTheyAreKnown();
    void changesAreCounted();
    void whatWasThereDidNotAppear();
    void dataIsNoLock();
    void costAddsUp();
    void keysThatWereNotReadAreCounted();
    void namesAreOnlyThoseAskedFor();
    void whatIsLeftOutIsCounted();
    void everySampleNamesItsServer();
    void severalServersShareFamilies();
    void noSeriesIsWrittenTwice();
    void thePageDescribesEveryMetric();
    void alertsAndDashboardUseWhatThereIs_data();
    void alertsAndDashboardUseWhatThereIs();
};

void TestServerMetrics::beforeAnythingIsKnownTheServerIsDown()
{
    const Bench bench;
    const std::vector<MetricFamily> all = familiesOf({&bench.metrics}, bench.named, "1.2",
                                                     bench.now);
    QStringList families;
    for (const MetricFamily& family : all) {
        if (!family.samples.empty()) {
            families.append(QString::fromUtf8(family.name.data(),
                                              static_cast<qsizetype>(family.name.size())));
        }
    }
    QCOMPARE(families, QStringList({QStringLiteral("lockscope_build"),
                                    QStringLiteral("lockscope_server_up")}));
    QCOMPARE(bench.value("lockscope_server_up"), QStringLiteral("0"));
}

void TestServerMetrics::numbersWaitForACompleteLook()
{
    Bench bench;
    bench.metrics.setUp(true);
    bench.change(ChangeKind::Appeared, token("lock:a", bench.now));
    QCOMPARE(bench.value("lockscope_server_up"), QStringLiteral("1"));
    QCOMPARE(bench.samples("lockscope_locks"), QStringList());
    QCOMPARE(bench.samples("lockscope_sweep_age_seconds"), QStringList());
    bench.metrics.takeSweep(bench.now, 0);
    bench.now += 5s;
    QCOMPARE(bench.value("lockscope_locks", "state=\"held\""), QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_sweep_age_seconds"), QStringLiteral("5"));
}

void TestServerMetrics::aLostServerHasNoNumbers()
{
    Bench bench;
    bench.connectAndSweep();
    LockRecord record = token("lock:a", bench.now);
    bench.change(ChangeKind::Appeared, record);
    bench.metrics.takeCost({4, 2, 0.5, 3ms});
    bench.metrics.setLost();
    record.isConfirmed = false;
    bench.change(ChangeKind::Changed, record);
    bench.now += 7s;
    QCOMPARE(bench.value("lockscope_server_up"), QStringLiteral("0"));
    for (const char* const family :
         {"lockscope_locks", "lockscope_suspicious_locks", "lockscope_oldest_hold_seconds",
          "lockscope_waiters", "lockscope_uncounted_locks", "lockscope_unread_keys",
          "lockscope_core_share_ratio", "lockscope_slowest_call_seconds"}) {
        QCOMPARE(bench.samples(family), QStringList());
    }
    QCOMPARE(bench.value("lockscope_unconfirmed_locks"), QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_sweep_age_seconds"), QStringLiteral("7"));
    QCOMPARE(bench.value("lockscope_commands"), QStringLiteral("4"));
    bench.metrics.setUp(true); // but not everything was looked at yet
    QCOMPARE(bench.samples("lockscope_locks"), QStringList());
    bench.metrics.takeSweep(bench.now, 0);
    QVERIFY(!bench.samples("lockscope_locks").isEmpty());
}

void TestServerMetrics::aSilentServerHasNoNumbersUntilItAnswers()
{
    Bench bench;
    bench.connectAndSweep();
    bench.change(ChangeKind::Appeared, token("lock:a", bench.now));
    bench.metrics.setUp(false);
    QCOMPARE(bench.samples("lockscope_locks"), QStringList());
    bench.metrics.setUp(true);
    QCOMPARE(bench.value("lockscope_locks", "state=\"held\""), QStringLiteral("1"));
}

void TestServerMetrics::aForgottenWatchClaimsNothing()
{
    Bench bench;
    bench.connectAndSweep();
    bench.change(ChangeKind::Appeared, token("lock:a", bench.now));
    bench.metrics.forgetLocks();
    QCOMPARE(bench.samples("lockscope_unconfirmed_locks"), QStringList());
    QCOMPARE(bench.value("lockscope_changes", "change=\"appeared\""), QStringLiteral("1"));
    bench.connectAndSweep();
    QCOMPARE(bench.value("lockscope_unconfirmed_locks"), QStringLiteral("0"));
    QCOMPARE(bench.value("lockscope_locks", "state=\"held\""), QStringLiteral("0"));
}

void TestServerMetrics::locksAreCountedByFormatAndState()
{
    Bench bench;
    bench.connectAndSweep();
    LockRecord record = token("lock:a", bench.now);
    bench.change(ChangeKind::Appeared, record);
    record.id.name = "lock:b";
    record.waiters = 2;
    bench.change(ChangeKind::Appeared, record);
    record.id.name = "lock:c";
    bench.change(ChangeKind::Appeared, record);
    record.id.name = "lock:d";
    record.setFormat("flag");
    record.expiresAt.reset();
    record.flags.add(Flag::NoExpiry);
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.value("lockscope_locks", "format=\"token\",state=\"held\""),
             QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_locks", "format=\"token\",state=\"contended\""),
             QStringLiteral("2"));
    QCOMPARE(bench.value("lockscope_locks", "format=\"flag\",state=\"suspicious\""),
             QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_locks", "format=\"flag\",state=\"held\""), QStringLiteral("0"));
}

void TestServerMetrics::seriesOfAFormatGoOn()
{
    Bench bench;
    bench.connectAndSweep();
    const LockRecord record = token("lock:a", bench.now);
    bench.change(ChangeKind::Appeared, record);
    bench.change(ChangeKind::Released, record);
    QCOMPARE(bench.value("lockscope_locks", "state=\"held\""), QStringLiteral("0"));
}

void TestServerMetrics::flagsAreCountedWhereTheyAreCauseForAlarm()
{
    Bench bench;
    bench.connectAndSweep();
    LockRecord record = token("lock:a", bench.now);
    record.flags.add(Flag::NoExpiry);
    record.flags.add(Flag::HolderGone);
    bench.change(ChangeKind::Appeared, record);
    record.id.name = "lock:b";
    record.flags.remove(Flag::HolderGone);
    record.isNewHold = true; // only held, not stuck
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.value("lockscope_suspicious_locks", "\"no-expiry\""), QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_suspicious_locks", "\"holder-gone\""), QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_suspicious_locks", "\"stale\""), QStringLiteral("0"));
    QCOMPARE(bench.value("lockscope_suspicious_locks", "\"minority\""), QStringLiteral("none"));
    QCOMPARE(bench.value("lockscope_suspicious_locks", "\"probably-data\""),
             QStringLiteral("none"));
}

void TestServerMetrics::theOldestHoldIsMeasured()
{
    Bench bench;
    bench.connectAndSweep();
    QCOMPARE(bench.samples("lockscope_oldest_hold_seconds"), QStringList());
    bench.change(ChangeKind::Appeared, token("lock:a", bench.now - 90s));
    bench.change(ChangeKind::Appeared, token("lock:b", bench.now - 1s));
    bench.now += 500ms;
    QCOMPARE(bench.value("lockscope_oldest_hold_seconds"), QStringLiteral("90.5"));
}

void TestServerMetrics::waitersAreCountedWhereTheyAreKnown()
{
    Bench bench;
    bench.connectAndSweep();
    QCOMPARE(bench.value("lockscope_waiters"), QStringLiteral("0"));
    LockRecord record = token("lock:a", bench.now);
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.value("lockscope_waiters"), QStringLiteral("none"));
    QCOMPARE(bench.value("lockscope_uncounted_locks"), QStringLiteral("1"));
    record.id.name = "lock:b";
    record.waiters = 5;
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.value("lockscope_waiters"), QStringLiteral("5"));
    QCOMPARE(bench.value("lockscope_uncounted_locks"), QStringLiteral("1"));
}

void TestServerMetrics::changesAreCounted()
{
    Bench bench;
    bench.connectAndSweep();
    const LockRecord record = token("lock:a", bench.now);
    for (const ChangeKind kind : {ChangeKind::Appeared, ChangeKind::Renewed, ChangeKind::Renewed,
                                  ChangeKind::Expired, ChangeKind::Appeared, ChangeKind::Released,
                                  ChangeKind::Appeared, ChangeKind::Unwatched}) {
        bench.change(kind, record);
    }
    QCOMPARE(bench.value("lockscope_changes", "\"appeared\""), QStringLiteral("3"));
    QCOMPARE(bench.value("lockscope_changes", "\"changed\""), QStringLiteral("0"));
    QCOMPARE(bench.value("lockscope_changes", "\"renewed\""), QStringLiteral("2"));
    QCOMPARE(bench.value("lockscope_changes", "\"released\""), QStringLiteral("1"));
    QCOMPARE(bench.value("lockscope_changes", "\"expired\""), QStringLiteral("1"));
    QCOMPARE(bench.samples("lockscope_changes").size(), 5);
}

void TestServerMetrics::whatWasThereDidNotAppear()
{
    Bench bench;
    bench.metrics.setUp(true);
    LockRecord record = token("lock:a", bench.now);
    record.isTakenWhileWatching = false;
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.value("lockscope_changes", "\"appeared\""), QStringLiteral("0"));
}

void TestServerMetrics::dataIsNoLock()
{
    Bench bench({"*"});
    bench.connectAndSweep();
    LockRecord record = token("lock:a", bench.now);
    record.flags.add(Flag::ProbablyData);
    bench.change(ChangeKind::Appeared, record);
    QCOMPARE(bench.samples("lockscope_locks"), QStringList());
    QCOMPARE(bench.samples("lockscope_lock_held_seconds"), QStringList());
    QCOMPARE(bench.value("lockscope_changes", "\"appeared\""), QStringLiteral("0"));
    record.flags.remove(Flag::ProbablyData); // it turned out to be one
    bench.change(ChangeKind::Changed, record);
    QCOMPARE(bench.value("lockscope_locks", "\"held\""), QStringLiteral("1"));
    QCOMPARE(bench.samples("lockscope_lock_held_seconds").size(), 1);
}

void TestServerMetrics::costAddsUp()
{
    Bench bench;
    bench.connectAndSweep();
    bench.metrics.takeCost({10, 3, 0.01, 2ms});
    bench.metrics.takeCost({5, 0, 0.25, 1ms});
    QCOMPARE(bench.value("lockscope_commands"), QStringLiteral("15"));
    QCOMPARE(bench.value("lockscope_key_messages"), QStringLiteral("3"));
    QCOMPARE(bench.value("lockscope_core_share_ratio"), QStringLiteral("0.25"));
    QCOMPARE(bench.value("lockscope_slowest_call_seconds"), QStringLiteral("0.001"));
}

void TestServerMetrics::keysThatWereNotReadAreCounted()
{
    Bench bench;
    bench.metrics.setUp(true);
    bench.metrics.takeSweep(bench.now, 13);
    QCOMPARE(bench.value("lockscope_unread_keys"), QStringLiteral("13"));
    bench.metrics.takeSweep(bench.now, 0);
    QCOMPARE(bench.value("lockscope_unread_keys"), QStringLiteral("0"));
}

void TestServerMetrics::namesAreOnlyThoseAskedFor()
{
    Bench bench({"job:*"});
    bench.connectAndSweep();
    LockRecord record = token("job:\"a\"\n\xff", bench.now);
    bench.change(ChangeKind::Appeared, record);
    bench.change(ChangeKind::Appeared, token("lock:b", bench.now));
    bench.now += 10s;
    QCOMPARE(bench.samples("lockscope_lock_held_seconds"),
             QStringList(QStringLiteral("lockscope_lock_held_seconds{server=\"s:1\",db=\"0\","
                                        "key=\"job:\\\"a\\\"\\\\x0a\\\\xff\"} 10")));
    QCOMPARE(bench.value("lockscope_lock_ttl_seconds"), QStringLiteral("50"));
    QCOMPARE(bench.value("lockscope_lock_waiters"), QStringLiteral("none"));
    record.waiters = 1;
    record.expiresAt.reset();
    bench.change(ChangeKind::Changed, record);
    QCOMPARE(bench.value("lockscope_lock_ttl_seconds"), QStringLiteral("none"));
    QCOMPARE(bench.value("lockscope_lock_waiters"), QStringLiteral("1"));
    bench.change(ChangeKind::Released, record);
    QCOMPARE(bench.value("lockscope_lock_held_seconds"), QStringLiteral("none"));
}

void TestServerMetrics::whatIsLeftOutIsCounted()
{
    Bench bench({"*"});
    bench.connectAndSweep();
    for (std::size_t i = 0; i < NamedLocks::kNamesMax + 2; ++i) {
        bench.change(ChangeKind::Appeared, token(std::to_string(i).c_str(), bench.now));
    }
    QCOMPARE(bench.samples("lockscope_lock_held_seconds").size(),
             static_cast<qsizetype>(NamedLocks::kNamesMax));
    QCOMPARE(bench.value("lockscope_metric_keys_left_out"), QStringLiteral("2"));
    QCOMPARE(Bench().value("lockscope_metric_keys_left_out"), QStringLiteral("none"));
}

void TestServerMetrics::everySampleNamesItsServer()
{
    Bench bench({}, {"10.0.0.5:6379", 2, "production"});
    bench.connectAndSweep();
    QCOMPARE(bench.samples("lockscope_server_up"),
             QStringList(QStringLiteral("lockscope_server_up{server=\"10.0.0.5:6379\",db=\"2\","
                                        "environment=\"production\"} 1")));
}

void TestServerMetrics::severalServersShareFamilies()
{
    NamedLocks named({"*"});
    const auto isWanted = [](const LockRecord&, Instant) { return true; };
    ServerMetrics a(0, {"a:1", 0, {}}, isWanted, named);
    ServerMetrics b(1, {"b:1", 0, {}}, isWanted, named);
    const Instant now{100s};
    LockDelta delta;
    delta.changes.push_back({ChangeKind::Appeared,
                             makeShared<const LockRecord>(token("lock:a", now)), now});
    for (ServerMetrics* const one : {&a, &b}) {
        one->setUp(true);
        one->takeSweep(now, 0);
        one->takeDelta(delta, now);
    }
    b.setLost();
    const std::string text = textOf(familiesOf({&a, &b}, named, "1.2", now),
                                    Exposition::OpenMetrics);
    const QString all = QString::fromStdString(text);
    QCOMPARE(all.count(QStringLiteral("# TYPE lockscope_server_up gauge\n")), 1);
    QVERIFY(all.contains(QStringLiteral("lockscope_server_up{server=\"a:1\",db=\"0\"} 1\n"
                                        "lockscope_server_up{server=\"b:1\",db=\"0\"} 0\n")));
    QVERIFY(all.contains(QStringLiteral("lockscope_locks{server=\"a:1\"")));
    QVERIFY(!all.contains(QStringLiteral("lockscope_locks{server=\"b:1\"")));
}

void TestServerMetrics::noSeriesIsWrittenTwice()
{
    Bench bench({"*"});
    bench.connectAndSweep();
    bench.metrics.takeCost({10, 3, 0.01, 2ms});
    bench.change(ChangeKind::Appeared, token("lock:a", bench.now));
    bench.change(ChangeKind::Appeared, token("lock:b", bench.now));
    std::vector<std::string> series;
    for (const MetricFamily& family : familiesOf({&bench.metrics}, bench.named, "1", bench.now)) {
        for (const Sample& sample : family.samples) {
            std::string text(family.name);
            for (const auto& [name, value] : sample.labels) {
                text += ',' + std::string(name) + '=' + value;
            }
            series.push_back(text);
        }
    }
    QVERIFY(series.size() > 20);
    std::ranges::sort(series);
    const auto twin = std::ranges::adjacent_find(series);
    QVERIFY2(twin == series.end(), twin == series.end() ? "" : twin->c_str());
}

void TestServerMetrics::thePageDescribesEveryMetric()
{
    QCOMPARE(namesIn(QStringLiteral("docs/fleet.md")), sampleNames());
}

void TestServerMetrics::alertsAndDashboardUseWhatThereIs_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("alerts") << QStringLiteral("resources/monitoring/lockscope-alerts.yml");
    QTest::newRow("dashboard") << QStringLiteral("resources/monitoring/lockscope-dashboard.json");
}

void TestServerMetrics::alertsAndDashboardUseWhatThereIs()
{
    QFETCH(const QString, path);
    const QSet<QString> used = namesIn(path);
    QVERIFY(used.size() > 5);
    QCOMPARE(used - sampleNames(), QSet<QString>());
}

LOCKSCOPE_TEST(TestServerMetrics, Core)

} // namespace lockscope::tst_server_metrics

#include "tst_server_metrics.moc"
