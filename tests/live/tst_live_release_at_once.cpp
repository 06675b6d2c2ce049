#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace lockscope::tst_live_release_at_once {

using namespace lockscope::testing;

namespace {

constexpr int kPatienceMs = 30'000;

} // namespace

class TestLiveReleaseAtOnce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void moreFlagsThanTheDeskGuardsMayBeInspectedAtOnce();
};

void TestLiveReleaseAtOnce::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

/// The guards of the first ones make room for those of the last ones while their answers are still
/// under way.
void TestLiveReleaseAtOnce::moreFlagsThanTheDeskGuardsMayBeInspectedAtOnce()
{
    constexpr int kFlags = static_cast<int>(operations::kGuardedHoldsMax) + 8;
    LiveServer server;
    LiveDesk desk({server.endpoint()});
    std::vector<quint64> requests;
    for (int i = 0; i < kFlags; ++i) {
        const Bytes name = "flag:" + std::to_string(i) + ":lock";
        server.client()("SET", name, "1");
        requests.push_back(desk.desk().inspectToRelease({0, name}));
    }
    const auto isAnswered = [&desk](quint64 request) { return desk.details(request) != nullptr; };
    QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(requests, isAnswered), kPatienceMs);
    for (const quint64 request : requests) {
        QVERIFY(desk.details(request)->release.has_value());
    }
    // Those whose guards had to make room are not released.
    int releasedCount = 0;
    for (const quint64 request : requests) {
        const inspect::ReleasePlan plan = *desk.details(request)->release;
        const quint64 execution = desk.desk().execute(plan, {});
        QTRY_VERIFY_WITH_TIMEOUT(desk.report(execution) != nullptr, kPatienceMs);
        const bool isReleased = desk.report(execution)->result == inspect::ReleaseResult::Released;
        QVERIFY(isReleased || desk.report(execution)->result == inspect::ReleaseResult::Refused);
        const bool isThere = server.client()("EXISTS", plan.lock->id.name).integer() == 1;
        QCOMPARE(isThere, !isReleased);
        releasedCount += isReleased ? 1 : 0;
    }
    QVERIFY(releasedCount > 0 && releasedCount < kFlags);
}

LOCKSCOPE_TEST(TestLiveReleaseAtOnce, Core)

} // namespace lockscope::tst_live_release_at_once

#include "tst_live_release_at_once.moc"
