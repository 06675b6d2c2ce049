#include "core/kernel/report/exact_statistics.h"
#include "core/kernel/report/run/typed_column.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <initializer_list>
#include <vector>

namespace lockscope::tst_exact_statistics {

using namespace std::chrono_literals;
using trace::Histogram;
using trace::RunStatistics;
using Bars = std::vector<std::int64_t>;

namespace {

RunStatistics someStatistics()
{
    RunStatistics statistics;
    statistics.elapsed = 12s;
    statistics.requests = 7;
    statistics.commands = std::uint64_t{1} << 40;
    statistics.longestBypass = 3;
    statistics.acquisitionsOf = {4, 0, 3};
    for (const Duration wait : std::initializer_list<Duration>{0us, 5us, 5us, 1234us, 99s, 100h}) {
        statistics.wait.add(wait);
    }
    statistics.hold.add(77us, 1'000'000);
    return statistics;
}

report::Json written(const RunStatistics& statistics)
{
    return {{"statistics", report::exactStatisticsJson(statistics)}};
}

RunStatistics readBack(const nlohmann::json& root)
{
    const protocol::FileSection file(root, "", {"statistics"});
    return report::readExactStatistics(file, "statistics");
}

bool areSame(const Histogram& a, const Histogram& b)
{
    for (std::size_t i = 0; i < Histogram::kBarCount; ++i) {
        if (a.barAt(i).count != b.barAt(i).count) {
            return false;
        }
    }
    return a.count() == b.count() && a.max() == b.max();
}

} // namespace

class TestExactStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLost();
    void anEmptyRunIsOneToo();
    void brokenBarsAreRefused_data();
    void brokenBarsAreRefused();
};

void TestExactStatistics::nothingIsLost()
{
    const RunStatistics statistics = someStatistics();
    const report::Json json = written(statistics);
    const RunStatistics again = readBack(json);
    QVERIFY(again.elapsed == statistics.elapsed);
    QCOMPARE(again.requests, statistics.requests);
    QCOMPARE(again.commands, statistics.commands);
    QCOMPARE(again.longestBypass, statistics.longestBypass);
    QVERIFY(again.acquisitionsOf == statistics.acquisitionsOf);
    QVERIFY(areSame(again.wait, statistics.wait));
    QVERIFY(areSame(again.hold, statistics.hold));
    QCOMPARE(written(again).dump(), json.dump());
}

void TestExactStatistics::anEmptyRunIsOneToo()
{
    const report::Json json = written({});
    QCOMPARE(written(readBack(json)).dump(), json.dump());
}

void TestExactStatistics::brokenBarsAreRefused_data()
{
    QTest::addColumn<Bars>("bars");
    QTest::addColumn<int>("maxUs");
    QTest::newRow("an index without a count") << Bars{2} << 2;
    QTest::newRow("an empty bar") << Bars{2, 0} << 2;
    QTest::newRow("not in order") << Bars{2, 1, 1, 1} << 2;
    QTest::newRow("a maximum elsewhere") << Bars{2, 1} << 3;
    QTest::newRow("a maximum of nothing") << Bars{} << 3;
}

void TestExactStatistics::brokenBarsAreRefused()
{
    QFETCH(const Bars, bars);
    QFETCH(const int, maxUs);
    nlohmann::json json = written({});
    json["statistics"]["wait"] = {{"bars", report::typedColumn(bars)}, {"maxUs", maxUs}};
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, readBack(json));
}

LOCKSCOPE_TEST(TestExactStatistics, None)

} // namespace lockscope::tst_exact_statistics

#include "tst_exact_statistics.moc"
