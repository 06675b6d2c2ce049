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
constexpr int kFlags = 40;

/// Flags without expiry, all of them inspected at once.
std::vector<inspect::ReleasePlan> plansOfFlags(LiveServer& server, LiveDesk& desk)
{
    std::vector<quint64> requests;
    for (int i = 0; i < kFlags; ++i) {
        const Bytes name = "flag:" + std::to_string(i) + ":lock";
        server.client()("SET", name, "1");
        requests.push_back(desk.desk().inspectToRelease({0, name}));
    }
    const auto isAnswered = [&desk](quint64 request) { return desk.details(request) != nullptr; };
    const bool areAnswered =
        QTest::qWaitFor([&] { return std::ranges::all_of(requests, isAnswered); }, kPatienceMs);
    std::vector<inspect::ReleasePlan> plans;
    for (const quint64 request : areAnswered ? requests : std::vector<quint64>()) {
        plans.push_back(desk.details(request)->release.value());
    }
    return plans;
}

inspect::ReleaseReport executed(LiveDesk& desk, const inspect::ReleasePlan& plan)
{
    const quint64 execution = desk.desk().execute(plan, {});
    const bool isAnswered = QTest::qWaitFor([&] { return desk.report(execution) != nullptr; },
                                            kPatienceMs);
    return isAnswered ? *desk.report(execution) : inspect::ReleaseReport();
}

} // namespace

class TestLiveReleaseAtOnce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void moreFlagsThanThereAreConnectionsAreReleased();
    void ofManyFlagsThoseThatWereTakenAgainStay();
};

void TestLiveReleaseAtOnce::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

/// Some of them share a connection, from which they are moved to one of their own.
void TestLiveReleaseAtOnce::moreFlagsThanThereAreConnectionsAreReleased()
{
    LiveServer server;
    LiveDesk desk({server.endpoint()});
    const std::vector<inspect::ReleasePlan> plans = plansOfFlags(server, desk);
    QCOMPARE(plans.size(), std::size_t(kFlags));
    const std::string clients = *server.client()("CLIENT", "LIST").text();
    QVERIFY(std::ranges::count(clients, '\n') < kFlags);
    for (const inspect::ReleasePlan& plan : plans) {
        const inspect::ReleaseReport report = executed(desk, plan);
        QVERIFY2(report.result == inspect::ReleaseResult::Released, report.ownReason.c_str());
        QCOMPARE(server.client()("EXISTS", plan.lock->id.name).integer(), 0);
    }
}

/// Nothing tells the holds of before from those of now but the writes in between.
void TestLiveReleaseAtOnce::ofManyFlagsThoseThatWereTakenAgainStay()
{
    LiveServer server;
    LiveDesk desk({server.endpoint()});
    const std::vector<inspect::ReleasePlan> plans = plansOfFlags(server, desk);
    QCOMPARE(plans.size(), std::size_t(kFlags));
    const auto isTakenAgain = [](std::size_t i) { return i % 8 == 3; };
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (isTakenAgain(i)) {
            server.client()("DEL", plans[i].lock->id.name);
            server.client()("SETNX", plans[i].lock->id.name, "1");
        }
    }
    int releasedCount = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const inspect::ReleaseReport report = executed(desk, plans[i]);
        const bool isReleased = report.result == inspect::ReleaseResult::Released;
        QVERIFY(!isReleased || !isTakenAgain(i));
        const bool isThere = server.client()("EXISTS", plans[i].lock->id.name).integer() == 1;
        QCOMPARE(isThere, !isReleased);
        releasedCount += isReleased ? 1 : 0;
    }
    QVERIFY(releasedCount >= kFlags / 2);
}

LOCKSCOPE_TEST(TestLiveReleaseAtOnce, Core)

} // namespace lockscope::tst_live_release_at_once

#include "tst_live_release_at_once.moc"
