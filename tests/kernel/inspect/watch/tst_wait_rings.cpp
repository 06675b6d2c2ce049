#include "core/kernel/inspect/watch/wait_rings.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_wait_rings {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestWaitRings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoThatWaitForEachOther();
    void whoWaitsForARingIsNotInIt();
    void aChainIsNoRing();
    void ownersOfOtherServersAreOthers();
    void aWaitOfAMomentDoesNotCount();
    void aVeryLongChainIsFollowed();
};

namespace {

LockPtr lockOf(Bytes name, Bytes owner, const std::vector<Bytes>& waiting, std::uint16_t server = 0)
{
    LockRecord record;
    record.id = {server, std::move(name)};
    record.holders.resize(1);
    record.holders.front().owner = std::move(owner);
    auto queue = std::make_shared<WaitQueue>();
    for (const Bytes& waiter : waiting) {
        queue->push_back({waiter, kStart, true});
    }
    record.seldom->queue = std::move(queue);
    return makeShared<const LockRecord>(std::move(record));
}

std::vector<std::string> ringsOf(const std::vector<LockPtr>& locks,
                                 Instant waitingSince = Instant::max())
{
    std::vector<std::string> texts;
    for (const std::vector<LockPtr>& ring : waitRings(locks, waitingSince)) {
        std::string& text = texts.emplace_back();
        for (const LockPtr& lock : ring) {
            text += lock->id.name;
        }
    }
    return texts;
}

using Texts = std::vector<std::string>;

} // namespace

void TestWaitRings::twoThatWaitForEachOther()
{
    QCOMPARE(ringsOf({lockOf("a", "A", {"B"}), lockOf("b", "B", {"A"})}), (Texts{"ab"}));
    QCOMPARE(ringsOf({lockOf("a", "A", {"A"})}), (Texts{"a"}));
}

void TestWaitRings::whoWaitsForARingIsNotInIt()
{
    QCOMPARE(ringsOf({lockOf("d", "D", {"E"}), lockOf("a", "A", {"B", "D"}),
                      lockOf("b", "B", {"C"}), lockOf("c", "C", {"A"}), lockOf("x", "X", {"Y"}),
                      lockOf("y", "Y", {"X"})}),
             (Texts{"acb", "xy"}));
}

void TestWaitRings::aChainIsNoRing()
{
    QCOMPARE(ringsOf({lockOf("a", "A", {"B"}), lockOf("b", "B", {"C"}), lockOf("c", "C", {})}),
             Texts());
}

void TestWaitRings::ownersOfOtherServersAreOthers()
{
    QCOMPARE(ringsOf({lockOf("a", "A", {"B"}), lockOf("b", "B", {"A"}, 1)}), Texts());
}

void TestWaitRings::aWaitOfAMomentDoesNotCount()
{
    const std::vector<LockPtr> locks = {lockOf("a", "A", {"B"}), lockOf("b", "B", {"A"})};
    QCOMPARE(ringsOf(locks, kStart - 1ms), Texts());
    QCOMPARE(ringsOf(locks, kStart), (Texts{"ab"}));
}

void TestWaitRings::aVeryLongChainIsFollowed()
{
    constexpr int kLength = 50'000;
    std::vector<LockPtr> locks;
    for (int i = 0; i < kLength; ++i) {
        locks.push_back(lockOf(std::to_string(i) + ' ', std::to_string(i),
                               {std::to_string((i + 1) % kLength)}));
    }
    QCOMPARE(waitRings(locks).size(), std::size_t(1));
    QCOMPARE(waitRings(locks).front().size(), std::size_t(kLength));
}

LOCKSCOPE_TEST(TestWaitRings, Core)

} // namespace lockscope::tst_wait_rings

#include "tst_wait_rings.moc"
