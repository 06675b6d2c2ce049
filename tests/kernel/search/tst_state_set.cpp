#include "core/kernel/search/state_set.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

namespace lockscope::tst_state_set {

using namespace lockscope::testing;
using search::StateSet;

class TestStateSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStateIsNewOnce();
    void aShorterWayIsNewAgain();
    void zeroIsAStateLikeAnyOther();
    void itRemembersAsAMapDoes();
};

void TestStateSet::aStateIsNewOnce()
{
    StateSet states;
    QCOMPARE(states.size(), std::size_t{0});
    QVERIFY(states.reach(7, 3));
    QVERIFY(!states.reach(7, 3));
    QVERIFY(!states.reach(7, 4));
    QVERIFY(states.reach(8, 4));
    QCOMPARE(states.size(), std::size_t{2});
}

void TestStateSet::aShorterWayIsNewAgain()
{
    StateSet states;
    QVERIFY(states.reach(7, 3));
    QVERIFY(states.reach(7, 2));
    QVERIFY(!states.reach(7, 2));
    QVERIFY(!states.reach(7, 3));
    QCOMPARE(states.size(), std::size_t{1});
}

void TestStateSet::zeroIsAStateLikeAnyOther()
{
    StateSet states;
    QVERIFY(states.reach(0, 1));
    QVERIFY(!states.reach(0, 1));
    QCOMPARE(states.size(), std::size_t{1});
}

void TestStateSet::itRemembersAsAMapDoes()
{
    RandomInput input;
    StateSet states;
    std::map<std::uint64_t, int> known;
    for (int i = 0; i < 30'000; ++i) {
        // Many that share a place in the table, and many that come again.
        const std::uint64_t hash = (input.rng().below(6000) + 1) << (i % 2 == 0 ? 0 : 20);
        const int cost = static_cast<int>(input.rng().below(40));
        const auto before = known.find(hash);
        const bool isNew = before == known.end() || cost < before->second;
        QVERIFY2(states.reach(hash, cost) == isNew, input.recipe().c_str());
        if (isNew) {
            known[hash] = cost;
        }
        QVERIFY2(states.size() == known.size(), input.recipe().c_str());
    }
}

LOCKSCOPE_TEST(TestStateSet, Core)

} // namespace lockscope::tst_state_set

#include "tst_state_set.moc"
