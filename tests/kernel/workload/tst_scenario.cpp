#include "core/kernel/workload/scenario.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

namespace lockscope::tst_scenario {

using namespace lockscope::workload;
using namespace std::chrono_literals;

class TestScenario : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theProtocolsDefaultsAreTaken();
    void keysAreNumbered();
    void aPauseOutlivesTheLeaseUnlessToldOtherwise();
    void kindsHaveIds();
    void whatTheProtocolCannotDoIsSaid_data();
    void whatTheProtocolCannotDoIsSaid();
};

void TestScenario::theProtocolsDefaultsAreTaken()
{
    protocol::ProtocolInfo info;
    info.defaults.lease = 5s;
    info.defaults.renewal.period = 3s;
    info.defaults.retry.interval = 70ms;
    const Scenario scenario = Scenario::withDefaults(info);
    QCOMPARE(scenario.lease, 5s);
    QCOMPARE(scenario.renewal.period, 3s);
    QCOMPARE(scenario.retry.interval, 70ms);
}

void TestScenario::keysAreNumbered()
{
    Scenario scenario;
    scenario.keyPrefix = "lock:x";
    QCOMPARE(scenario.keyAt(3), Bytes("lock:x:3"));
}

void TestScenario::aPauseOutlivesTheLeaseUnlessToldOtherwise()
{
    Scenario scenario;
    scenario.lease = 10s;
    QCOMPARE(scenario.pauseLength(), 15s);
    scenario.pauseFor = 2s;
    QCOMPARE(scenario.pauseLength(), 2s);
}

void TestScenario::kindsHaveIds()
{
    for (const auto kind :
         {Scenario::Kind::Contention, Scenario::Kind::HotStandby, Scenario::Kind::Draw}) {
        QCOMPARE(scenarioKindOf(idOf(kind)), std::optional(kind));
    }
    QVERIFY(!scenarioKindOf("lottery").has_value());
}

void TestScenario::whatTheProtocolCannotDoIsSaid_data()
{
    using Change = std::function<void(Scenario&)>;
    QTest::addColumn<Change>("change");
    QTest::addColumn<std::size_t>("complaintCount");
    const auto row = [](const char* name, std::size_t count, Change change) {
        QTest::newRow(name) << std::move(change) << count;
    };
    row("nothing wrong", 0, [](Scenario&) {});
    row("no contender", 1, [](Scenario& s) { s.contenderCount = 0; });
    row("no key", 1, [](Scenario& s) { s.keyCount = 0; });
    row("too many keys", 1, [](Scenario& s) { s.keyCount = 10'001; });
    row("no lease", 1, [](Scenario& s) { s.lease = 0ms; });
    row("readers", 1, [](Scenario& s) { s.readShare = 0.5; });
    row("reentry", 1, [](Scenario& s) { s.reentryDepth = 2; });
    row("permits", 1, [](Scenario& s) { s.permits = 3; });
    row("renewal", 1, [](Scenario& s) { s.renewal.period = 1s; });
    row("a probability above one", 1, [](Scenario& s) { s.crashProbability = 1.5; });
    row("several", 2, [](Scenario& s) {
        s.permits = 0;
        s.reentryDepth = 0;
    });
}

void TestScenario::whatTheProtocolCannotDoIsSaid()
{
    QFETCH(const std::function<void(Scenario&)>, change);
    QFETCH(const std::size_t, complaintCount);
    Scenario scenario;
    change(scenario);
    const auto complaints = complaintsAbout(scenario, protocol::ProtocolInfo());
    QVERIFY2(complaints.size() >= complaintCount && (complaintCount > 0 || complaints.empty()),
             complaints.empty() ? "no complaint" : complaints.front().c_str());
}

LOCKSCOPE_TEST(TestScenario, Core)

} // namespace lockscope::tst_scenario

#include "tst_scenario.moc"
