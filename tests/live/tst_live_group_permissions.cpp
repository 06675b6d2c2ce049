#include "core/operations/access_rules.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/connection_attempt.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/plain_client.h"
#include "tests/support/live/sentinel_group.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

// What `acl` prints for clusters and Sentinels, held to the program.
namespace lockscope::tst_live_group_permissions {

using namespace lockscope::testing;
using operations::Access;
using service::LinkStatus;
using store::Command;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 60'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

using Ask = std::function<store::Reply(const Command&)>;

/// A user with these rules and no other.
void makeUser(const Ask& ask, const std::vector<std::string>& rules)
{
    Command command("ACL", "SETUSER", "somebody", "reset", "on", ">password");
    for (const std::string& rule : rules) {
        command.append(rule);
    }
    const store::Reply reply = ask(command);
    QVERIFY2(!reply.isError(), reply.isError() ? reply.error()->text.c_str() : "");
}

/// What was refused to this user, by the server's own account.
std::string refusals(const Ask& ask)
{
    std::string all;
    const store::Reply log = ask(Command("ACL", "LOG"));
    for (const store::Reply& entry : *log.array()) {
        const store::Reply::Array& fields = *entry.array();
        for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
            all += *fields[i].text() == "object" ? *fields[i + 1].text() + ' ' : "";
        }
    }
    return all;
}

Ask asking(ClusterGroup& group, std::size_t node)
{
    return [&group, node](const Command& command) { return group.ask(node, command); };
}

std::vector<std::string> rulesFor(ClusterGroup& group, const Access& access)
{
    const store::Reply info = group.ask(0, Command("INFO", "server"));
    const store::ServerInfo known = store::serverInfoOf(store::Outcome(info));
    return operations::accessRules(access, operations::serverVersionOf(known.version).value());
}

Endpoint endpointFor(ClusterGroup& group, const std::vector<std::string>& rules)
{
    for (std::size_t i = 0; i < group.nodeCount(); ++i) {
        makeUser(asking(group, i), rules);
    }
    Endpoint endpoint = group.endpoint();
    endpoint.user = "somebody";
    endpoint.password = "password";
    return endpoint;
}

std::string refusalsOfAll(ClusterGroup& group)
{
    std::string all;
    for (std::size_t i = 0; i < group.nodeCount(); ++i) {
        all += refusals(asking(group, i));
    }
    return all;
}

} // namespace

class TestLiveGroupPermissions final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whoMayWatchAClusterSeesKeysThatMove();
    void whoMayReleaseInAClusterReleasesKeysThatMove();
    void clustersNeedRulesOfTheirOwn();
    void sentinelsAreAskedWithTheirRules();
};

void TestLiveGroupPermissions::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveGroupPermissions::whoMayWatchAClusterSeesKeysThatMove()
{
    ClusterGroup group(ClusterGroup::Replicas::None);
    const std::string moving = group.lockOn(0);
    const std::uint16_t slot = store::slotOf(moving);
    group.ask(0, Command("SET", moving, kAlice, "PX", 600'000));
    group.openSlot(slot, 0, 1);
    group.ask(2, Command("SET", group.lockOn(2), kAlice, "PX", 600'000));
    group.moveKey(moving, 0, 1); // the slot is still that of node 0, which says ASK
    LiveWatch watch({endpointFor(group, rulesFor(group, {.isInCluster = true}))});
    QTRY_VERIFY_WITH_TIMEOUT(watch.isOnline() && watch.rowCount() == 2, kPatienceMs);
    QVERIFY(watch.status().live == LinkStatus::Live::Push);
    QVERIFY(watch.row(moving)->isConfirmed);
    group.closeSlot(slot, 0, 1);
    group.ask(1, Command("SET", moving, kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf(moving) == kBob, kPatienceMs);
    QCOMPARE(refusalsOfAll(group), std::string());
}

void TestLiveGroupPermissions::whoMayReleaseInAClusterReleasesKeysThatMove()
{
    ClusterGroup group(ClusterGroup::Replicas::None);
    const std::string moving = group.lockOn(0);
    group.ask(0, Command("SET", moving, kAlice, "PX", 600'000));
    group.openSlot(store::slotOf(moving), 0, 1);
    group.moveKey(moving, 0, 1);
    const Access access{.releases = true, .isInCluster = true};
    LiveDesk desk({endpointFor(group, rulesFor(group, access))});
    const quint64 inspection = desk.desk().inspectToRelease({0, moving});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QVERIFY(desk.details(inspection)->release.has_value());
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QCOMPARE(desk.report(release)->result, inspect::ReleaseResult::Released);
    QVERIFY(!group.hasKey(1, moving));
    QCOMPARE(refusalsOfAll(group), std::string());
}

void TestLiveGroupPermissions::clustersNeedRulesOfTheirOwn()
{
    ClusterGroup group(ClusterGroup::Replicas::None);
    LiveWatch watch({endpointFor(group, rulesFor(group, Access{}))});
    QTRY_COMPARE_WITH_TIMEOUT(watch.status().problem.kind, Problem::Kind::NoPermission,
                              kPatienceMs);
    QCOMPARE(watch.status().problem.rule, std::string("+cluster|nodes"));
}

void TestLiveGroupPermissions::sentinelsAreAskedWithTheirRules()
{
    SentinelGroup group;
    const auto ask = [&group](const Command& command) { return group.askSentinel(0, command); };
    makeUser(ask, operations::sentinelRules());
    Endpoint endpoint = group.endpoint();
    endpoint.sentinels.hosts = {endpoint.sentinels.hosts.front()}; // whose user this is
    endpoint.sentinels.user = "somebody";
    endpoint.sentinelPassword = "password";
    QCOMPARE(attemptToConnect(endpoint).kind, Problem::Kind::None);
    Endpoint misspelt = endpoint; // the masters that there are are listed then
    misspelt.sentinels.masterName = "elsewhere";
    QCOMPARE(attemptToConnect(misspelt).kind, Problem::Kind::NoSuchMaster);
    QCOMPARE(refusals(ask), std::string());
}

LOCKSCOPE_TEST(TestLiveGroupPermissions, Core)

} // namespace lockscope::tst_live_group_permissions

#include "tst_live_group_permissions.moc"
