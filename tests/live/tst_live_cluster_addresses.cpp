#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/test_certificates.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

// Clusters whose nodes announce names, and clusters with TLS.
namespace lockscope::tst_live_cluster_addresses {

using namespace lockscope::testing;
using namespace Qt::StringLiterals;
using store::Command;
using store::Endpoint;

namespace {

constexpr int kPatienceMs = 60'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

QStringList announcing(const QString& name)
{
    return {u"--cluster-announce-hostname"_s, name, u"--cluster-preferred-endpoint-type"_s,
            u"hostname"_s};
}

/// The same nodes by the name that they are known by.
Endpoint byName(Endpoint endpoint)
{
    for (store::HostPort& seed : endpoint.clusterSeeds) {
        seed.host = "localhost";
    }
    return endpoint;
}

/// One lock on each master.
std::vector<std::string> takeLocks(ClusterGroup& group)
{
    std::vector<std::string> locks;
    for (std::size_t i = 0; i < ClusterGroup::kMasterCount; ++i) {
        locks.push_back(group.lockOn(i));
        group.ask(i, Command("SET", locks.back(), kAlice, "PX", 600'000));
    }
    return locks;
}

bool areAllThere(LiveWatch& watch)
{
    return watch.isOnline() && watch.rowCount() == ClusterGroup::kMasterCount
           && watch.status().live == service::LinkStatus::Live::Push
           && watch.status().problem.kind == store::Problem::Kind::None;
}

bool isOn(LiveWatch& watch, const std::string& key, const std::string& host)
{
    const inspect::LockPtr row = watch.row(key);
    return row && row->isConfirmed && row->place && row->place->node.starts_with(host + ':');
}

} // namespace

class TestLiveClusterAddresses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void namesAreFollowed();
    void namesThatLeadNowhereAreNot();
    void certificatesMayBeForNamesOnly();
    void certificatesMayBeForAddresses();

private:
    /// The first lock moves to another master while it is watched, and is released on the way.
    static void moveAndRelease(ClusterGroup& group, LiveWatch& watch, const Endpoint& endpoint,
                               const std::string& key);
};

void TestLiveClusterAddresses::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveClusterAddresses::moveAndRelease(ClusterGroup& group, LiveWatch& watch,
                                              const Endpoint& endpoint, const std::string& key)
{
    LiveDesk desk({endpoint});
    const quint64 inspection = desk.desk().inspectToRelease({0, key});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    group.openSlot(store::slotOf(key), 0, 1);
    group.moveKey(key, 0, 1); // node 0 answers ASK from now on
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QCOMPARE(desk.report(release)->result, inspect::ReleaseResult::Released);
    QVERIFY(!group.hasKey(1, key));
    group.closeSlot(store::slotOf(key), 0, 1);
    group.ask(1, Command("SET", key, kBob, "PX", 600'000));
    QTRY_VERIFY_WITH_TIMEOUT(watch.ownerOf(key) == kBob && areAllThere(watch), kPatienceMs);
}

void TestLiveClusterAddresses::namesAreFollowed()
{
    ClusterGroup group(ClusterGroup::Replicas::None, announcing(u"localhost"_s));
    const std::vector<std::string> locks = takeLocks(group);
    LiveWatch byAddress({group.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllThere(byAddress) && isOn(byAddress, locks[2], "127.0.0.1"),
                             kPatienceMs);
    LiveWatch watch({byName(group.endpoint())});
    QTRY_VERIFY_WITH_TIMEOUT(areAllThere(watch) && isOn(watch, locks[2], "localhost"), kPatienceMs);
    moveAndRelease(group, watch, byName(group.endpoint()), locks[0]);
}

void TestLiveClusterAddresses::namesThatLeadNowhereAreNot()
{
    ClusterGroup group(ClusterGroup::Replicas::None, announcing(u"nowhere.invalid"_s));
    const std::vector<std::string> locks = takeLocks(group);
    Endpoint endpoint = byName(group.endpoint());
    endpoint.clusterSeeds.resize(1); // the others are known by what they announce alone
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(areAllThere(watch), kPatienceMs);
    moveAndRelease(group, watch, endpoint, locks[0]);
}

void TestLiveClusterAddresses::certificatesMayBeForNamesOnly()
{
    if (!TestCertificates::canBeMade()) {
        QSKIP("openssl is not installed");
    }
    TestCertificates certificates;
    certificates.makeAuthority(u"ours"_s);
    certificates.issue(u"node"_s, u"ours"_s, u"DNS:localhost"_s);
    ClusterGroup group(ClusterGroup::Replicas::None, announcing(u"localhost"_s),
                       ClusterGroup::TlsFiles{certificates.certificate(u"node"_s),
                                              certificates.key(u"node"_s),
                                              certificates.certificate(u"ours"_s)});
    const std::vector<std::string> locks = takeLocks(group);
    Endpoint endpoint = byName(group.endpoint());
    endpoint.clusterSeeds.resize(1);
    LiveWatch watch({endpoint});
    QTRY_VERIFY_WITH_TIMEOUT(areAllThere(watch) && isOn(watch, locks[1], "localhost"), kPatienceMs);
    moveAndRelease(group, watch, endpoint, locks[0]);
}

void TestLiveClusterAddresses::certificatesMayBeForAddresses()
{
    if (!TestCertificates::canBeMade()) {
        QSKIP("openssl is not installed");
    }
    TestCertificates certificates;
    certificates.makeAuthority(u"ours"_s);
    certificates.issue(u"node"_s, u"ours"_s, u"IP:127.0.0.1"_s);
    // The name that they announce is none that the certificate has.
    ClusterGroup group(ClusterGroup::Replicas::None, announcing(u"localhost"_s),
                       ClusterGroup::TlsFiles{certificates.certificate(u"node"_s),
                                              certificates.key(u"node"_s),
                                              certificates.certificate(u"ours"_s)});
    const std::vector<std::string> locks = takeLocks(group);
    LiveWatch watch({group.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(areAllThere(watch), kPatienceMs);
    moveAndRelease(group, watch, group.endpoint(), locks[0]);
}

LOCKSCOPE_TEST(TestLiveClusterAddresses, Core)

} // namespace lockscope::tst_live_cluster_addresses

#include "tst_live_cluster_addresses.moc"
