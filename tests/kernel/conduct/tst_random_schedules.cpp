#include "core/kernel/conduct/random_schedules.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tst_random_schedules {

using conduct::Deviation;
using conduct::Interference;
using conduct::Leap;
using conduct::RandomSchedules;

namespace {

constexpr int kRuns = 3000;
constexpr std::uint64_t kSeed = 7;

Deviation delay(const std::string& message, int untilAct, Leap leap = Leap::None)
{
    return {Interference::DelayRequest, {0, message, 1, 0}, 0, untilAct, leap};
}

/// One request can be delayed in nine ways, two others in one each; besides there are other faults.
std::vector<Deviation> candidates()
{
    std::vector<Deviation> all;
    for (int end = 1; end < 10; ++end) {
        all.push_back(delay("SET", end));
    }
    all.push_back(delay("GET", 3));
    all.push_back(delay("DEL", 3));
    all.push_back(delay("DEL", 3, Leap::AtBegin));
    for (int act = 0; act < 4; ++act) {
        all.push_back({Interference::KillIdle, {1, {}, 0, 0}, act, act, Leap::None});
        all.push_back({Interference::PassTime, {}, act, act, Leap::None});
    }
    return all;
}

} // namespace

class TestRandomSchedules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsDrawnFitsTogether();
    void someKindsAreLeftOut();
    void eachRequestHasTheSameChance();
    void withoutRequestsOnlyKindsAreDrawn();
    void fromOneNothingIsDrawn();
};

void TestRandomSchedules::whatIsDrawnFitsTogether()
{
    const RandomSchedules schedules(candidates());
    Rng rng(kSeed);
    std::set<std::size_t> counts;
    for (int run = 0; run < kRuns; ++run) {
        const auto drawn = schedules.draw(4, rng);
        counts.insert(drawn.size());
        for (std::size_t a = 0; a < drawn.size(); ++a) {
            for (std::size_t b = a + 1; b < drawn.size(); ++b) {
                QVERIFY2(areApart(drawn[a], drawn[b]), toText(drawn[a]).c_str());
            }
        }
    }
    QVERIFY(counts.contains(2) && counts.contains(4));
    QVERIFY(*counts.rbegin() <= 4);
}

void TestRandomSchedules::someKindsAreLeftOut()
{
    const RandomSchedules schedules(candidates());
    Rng rng(kSeed);
    std::map<std::set<Interference>, int> seen;
    for (int run = 0; run < kRuns; ++run) {
        std::set<Interference> kinds;
        for (const Deviation& one : schedules.drawKinds(4, rng)) {
            kinds.insert(one.kind);
        }
        ++seen[kinds];
    }
    const std::set<Interference> onlyDeaths{Interference::KillIdle};
    const std::set<Interference> all{Interference::DelayRequest, Interference::KillIdle,
                                     Interference::PassTime};
    QVERIFY(seen[onlyDeaths] > kRuns / 20);
    QVERIFY(seen[all] > kRuns / 20);
}

/// The one with nine ways to be delayed does not crowd out the others.
void TestRandomSchedules::eachRequestHasTheSameChance()
{
    const RandomSchedules schedules(candidates());
    Rng rng(kSeed);
    std::map<std::string, int> counts;
    for (int run = 0; run < kRuns; ++run) {
        for (const Deviation& one : schedules.drawOrder(2, rng)) {
            QCOMPARE(one.kind, Interference::DelayRequest);
            QVERIFY(one.leap == Leap::None);
            ++counts[one.message.kind];
        }
    }
    QCOMPARE(counts.size(), std::size_t(3));
    for (const auto& [message, count] : counts) {
        QVERIFY2(count > kRuns * 2 / 3 * 9 / 10 && count < kRuns * 2 / 3 * 11 / 10,
                 (message + ' ' + std::to_string(count)).c_str());
    }
}

void TestRandomSchedules::withoutRequestsOnlyKindsAreDrawn()
{
    auto few = candidates();
    std::erase_if(few, [](const Deviation& one) { return one.kind == Interference::DelayRequest; });
    const RandomSchedules schedules(few);
    Rng rng(kSeed);
    bool isAnyDrawn = false;
    for (int run = 0; run < 100; ++run) {
        isAnyDrawn = !schedules.draw(3, rng).empty() || isAnyDrawn;
    }
    QVERIFY(isAnyDrawn);
}

void TestRandomSchedules::fromOneNothingIsDrawn()
{
    QVERIFY(!RandomSchedules({}).hasAny());
    QVERIFY(!RandomSchedules({delay("SET", 1)}).hasAny());
    QVERIFY(RandomSchedules(candidates()).hasAny());
}

LOCKSCOPE_TEST(TestRandomSchedules, None)

} // namespace lockscope::tst_random_schedules

#include "tst_random_schedules.moc"
