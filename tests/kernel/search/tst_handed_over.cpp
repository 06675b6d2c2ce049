#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/promise_terms.h"
#include "core/kernel/search/story.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tst_handed_over {

using protocol::Condition;
using protocol::Promise;
using search::PromiseResult;
using search::SearchReport;
using world::FaultKind;
using world::ViolationKind;

namespace {

/// Whose release names the owner that calls it, and whose watchdog goes on as long as the program.
const std::set<std::string> kStuck{"redisson-lock", "redisson-fair", "redisson-read-write",
                                   "reentrant-hash"};

SearchReport searchCell(std::string_view protocol, FaultKind fault)
{
    static sim::LuaEngine lua;
    const protocol::LockProtocol& lock = *protocol::findProtocol(protocol);
    const auto plans = search::defaultPlans(lock.info(), fault);
    return search::searchPlans(lock, plans, lua, search::Bounds{2'000});
}

bool isBroken(const PromiseResult& result)
{
    return result.status == PromiseResult::Status::Broken;
}

} // namespace

class TestHandedOver final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyLockHasAPlan();
    void onlyTheOwnerMayRelease_data();
    void onlyTheOwnerMayRelease();
    void aLockWithoutRenewalsRunsOut();
    void theStoryTellsWhoReleases();
};

void TestHandedOver::everyLockHasAPlan()
{
    for (const auto* const protocol : protocol::builtinProtocols()) {
        const auto plans = search::defaultPlans(protocol->info(), FaultKind::HandedOver);
        QCOMPARE(plans.size(), std::size_t(1));
        QVERIFY(plans[0].clients[0].handsOver() && !plans[0].clients[1].handsOver());
        QVERIFY(search::conditionsBrokenBy(plans[0]).intersects(Condition::OwnRelease));
    }
}

void TestHandedOver::onlyTheOwnerMayRelease_data()
{
    QTest::addColumn<bool>("isStuck");
    for (const auto* const protocol : protocol::builtinProtocols()) {
        const std::string& id = protocol->info().id;
        QTest::addRow("%s", id.c_str()) << kStuck.contains(id);
    }
}

/// Who compares the owner refuses the other task, and the watchdog keeps the lock for ever. Who
/// compares a token, or nothing, is content with what was passed along. Nothing else comes of it.
void TestHandedOver::onlyTheOwnerMayRelease()
{
    QFETCH(const bool, isStuck);
    const char* const id = QTest::currentDataTag();
    const SearchReport report = searchCell(id, FaultKind::HandedOver);
    const SearchReport plain = searchCell(id, FaultKind::Interleaving);
    for (const PromiseResult& result : report.promises) {
        const bool isNew = isBroken(result) && !isBroken(plain.of(result.promise));
        QVERIFY2(isNew == (isStuck && result.promise == Promise::NoStuckLock),
                 idOf(result.promise).data());
    }
    if (isStuck) {
        const PromiseResult& stuck = report.of(Promise::NoStuckLock);
        QVERIFY(stuck.finding->violation.kind == ViolationKind::ZombieRenewal);
        QVERIFY(!stuck.isPromised);
    }
}

void TestHandedOver::aLockWithoutRenewalsRunsOut()
{
    const protocol::LockProtocol& lock = *protocol::findProtocol("redisson-lock");
    auto plans = search::defaultPlans(lock.info(), FaultKind::HandedOver);
    plans[0].renewal = {};
    sim::LuaEngine lua;
    const SearchReport report = search::searchPlans(lock, plans, lua, search::Bounds{2'000});
    QVERIFY(std::ranges::none_of(report.promises, isBroken));
    QVERIFY(report.of(Promise::NoStuckLock).chances > 0);
}

void TestHandedOver::theStoryTellsWhoReleases()
{
    const protocol::LockProtocol& lock = *protocol::findProtocol("redisson-lock");
    const SearchReport report = searchCell("redisson-lock", FaultKind::HandedOver);
    const auto plans = search::defaultPlans(lock.info(), FaultKind::HandedOver);
    sim::LuaEngine lua;
    const auto& stuck = report.of(Promise::NoStuckLock);
    std::string all;
    for (const auto& line : search::tellStory(lock, plans[0], *stuck.finding, lua)) {
        all += line.text + '\n';
    }
    const QByteArray story = QByteArray::fromStdString(all);
    QVERIFY2(story.contains("another task of A releases k"), story.constData());
    QVERIFY2(story.contains("that task of A does not hold k"), story.constData());
    QVERIFY2(story.endsWith("k is renewed forever by A, which no longer works\n"),
             story.constData());
}

LOCKSCOPE_TEST(TestHandedOver, None)

} // namespace lockscope::tst_handed_over

#include "tst_handed_over.moc"
