#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/exact_statistics.h"
#include "core/kernel/report/saved_search.h"
#include "core/kernel/search/default_plans.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_saved_search {

using report::Json;
using search::Exploration;
using search::RandomResult;
using world::FaultKind;
using Parsed = nlohmann::json;

namespace {

struct Subject {
    const protocol::LockProtocol& protocol = *protocol::findProtocol("setnx-then-expire");
    std::vector<world::WorldPlan> plans = search::plansFor(protocol.info(), FaultKind::Crash);
    sim::LuaEngine lua{};
};

/// As a file has it.
Parsed written(const Json& json)
{
    return Parsed::parse(json.dump());
}

} // namespace

class TestSavedSearch final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anExplorationComesBack();
    void randomRunsComeBack();
    void whatCannotBeIsRefused();
};

void TestSavedSearch::anExplorationComesBack()
{
    Subject subject;
    search::Bounds bounds;
    bounds.schedulesMax = 300;
    bounds.preemptionsMax = 1;
    const Exploration exploration =
        search::Explorer(
            {subject.protocol, subject.plans.front(), subject.lua, bounds, std::nullopt, true, {}})
            .run();
    QVERIFY(!exploration.findings.empty());
    const Exploration read = report::readExploration(written(report::savedExploration(exploration)),
                                                     subject.plans.front());
    QVERIFY(read.coverage.chances == exploration.coverage.chances);
    QCOMPARE(read.coverage.arePreemptionsLeftOut, exploration.coverage.arePreemptionsLeftOut);
    QCOMPARE(read.findings.size(), exploration.findings.size());
    for (std::size_t i = 0; i < read.findings.size(); ++i) {
        QVERIFY(read.findings[i].violation == exploration.findings[i].violation);
        QVERIFY(read.findings[i].steps == exploration.findings[i].steps);
    }
    QCOMPARE(report::savedExploration(read).dump(), report::savedExploration(exploration).dump());
}

void TestSavedSearch::randomRunsComeBack()
{
    Subject subject;
    search::RandomSetting setting{subject.protocol, subject.plans, subject.lua};
    setting.runCount = 60;
    const RandomResult result = searchRandomly(setting);
    QVERIFY(!result.found.empty() && result.statistics.wait.count() > 0);
    const RandomResult read = report::readRandomResult(written(report::savedRandomResult(result)),
                                                       subject.plans);
    QCOMPARE(read.found.front().seed, result.found.front().seed);
    QCOMPARE(read.priorityRuns.counts, result.priorityRuns.counts);
    QVERIFY(report::exactStatisticsJson(read.statistics)
            == report::exactStatisticsJson(result.statistics));
    QCOMPARE(report::savedRandomResult(read).dump(), report::savedRandomResult(result).dump());
}

void TestSavedSearch::whatCannotBeIsRefused()
{
    Subject subject;
    search::RandomSetting setting{subject.protocol, subject.plans, subject.lua};
    setting.runCount = 60;
    Parsed json = written(report::savedRandomResult(searchRandomly(setting)));
    const auto refuses = [&subject](const Parsed& changed) {
        try {
            report::readRandomResult(changed, subject.plans);
        } catch (const report::Unreadable&) {
            return true;
        }
        return false;
    };
    QVERIFY(!refuses(json));
    Parsed changed = json;
    changed["found"][0]["plan"] = subject.plans.size();
    QVERIFY(refuses(changed));
    changed = json;
    changed["found"][0]["violation"]["client"] = 99;
    QVERIFY(refuses(changed));
    changed = json;
    changed["coverage"]["chances"].push_back(1);
    QVERIFY(refuses(changed));
    changed = json;
    changed["found"][0]["steps"][0] = "jump";
    QVERIFY(refuses(changed));
}

LOCKSCOPE_TEST(TestSavedSearch, Core)

} // namespace lockscope::tst_saved_search

#include "tst_saved_search.moc"
