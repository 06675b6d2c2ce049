#include "core/kernel/report/exact_statistics.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <initializer_list>

namespace lockscope::tst_exact_statistics {

using namespace std::chrono_literals;
using trace::Histogram;
using trace::RunStatistics;

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
    QTest::addColumn<std::string>("bars");
    QTest::addColumn<int>("maxUs");
    QTest::newRow("no base64") << std::string("***") << 0;
    QTest::newRow("an index without a count") << std::string("BAAA") << 2;
    QTest::newRow("an empty bar") << std::string("BAA=") << 2;
    QTest::newRow("not in order") << std::string("BAICAg==") << 2;
    QTest::newRow("a maximum elsewhere") << std::string("BAI=") << 3;
    QTest::newRow("a maximum of nothing") << std::string() << 3;
}

void TestExactStatistics::brokenBarsAreRefused()
{
    QFETCH(const std::string, bars);
    QFETCH(const int, maxUs);
    nlohmann::json json = written({});
    json["statistics"]["wait"] = {{"bars", bars}, {"maxUs", maxUs}};
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, readBack(json));
}

LOCKSCOPE_TEST(TestExactStatistics, None)

} // namespace lockscope::tst_exact_statistics

#include "tst_exact_statistics.moc"
