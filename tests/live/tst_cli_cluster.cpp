#include "core/kernel/store/server_info.h"
#include "tests/live/cli_process.h"
#include "tests/support/live/cluster_group.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace lockscope::tst_cli_cluster {

using namespace lockscope::testing;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

} // namespace

/// lockscope-cli and a cluster of three masters without replicas. Each case leaves it as it was,
/// apart from the last ones.
class TestCliCluster final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanupTestCase() { m_group.reset(); }
    void theLocksOfAllMastersAreListedOnce();
    void nothingIsMissedWhileSlotsMove();
    void nodeAndSlotCanBeAskedFor();
    void oneNodeThatAnswersIsEnough();
    void aLockIsShownWhereverItIs();
    void eachNodeIsAskedAboutItself();
    void theNodeOfTheKeyIsListenedTo();
    void aReleaseReachesTheNodeOfTheKey();
    void aReleaseFollowsAKeyThatMoves();
    void aLockWithoutOwnerTokenIsReleased();
    void aNodeAloneNamesTheWhole();
    void aServerThatIsNoClusterIsNamed();
    void whereNoNodeAnswersEachIsNamed();
    void locksAreTakenOnTheNodeOfTheirKey();
    void keysInDifferentSlotsAreRefused();
    void whatIsNotBuiltIsRefused();
    void slotsWithoutOwnerAreUnknown();
    void aMasterThatIsGoneIsNamed();

private:
    void take(const std::string& key, const Bytes& owner) const;
    static CliResult list(const QString& url);
    CliResult release(const std::string& key, const Bytes& owner) const;
    /// The slot goes to the next master, with its keys.
    void moveSlot(std::uint16_t slot, const std::vector<std::string>& keys) const;
    /// How often scripts ran on each node.
    std::vector<int> scriptCounts() const;

    std::unique_ptr<ClusterGroup> m_group;
    std::vector<std::string> m_locks; // one on each node
};

void TestCliCluster::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    m_group = std::make_unique<ClusterGroup>(ClusterGroup::Replicas::None,
                                             words("--cluster-require-full-coverage no"));
}

void TestCliCluster::init()
{
    m_locks.clear();
    for (std::size_t i = 0; i < m_group->nodeCount(); ++i) {
        m_locks.push_back(m_group->lockOn(i));
        take(m_locks.back(), kAlice);
        m_group->ask(i, Command("CONFIG", "RESETSTAT"));
    }
}

void TestCliCluster::take(const std::string& key, const Bytes& owner) const
{
    const store::Reply reply = m_group->askOwner(Command("SET", key, owner, "PX", 600'000));
    QCOMPARE(reply, store::Reply::ofStatus("OK"));
}

CliResult TestCliCluster::list(const QString& url)
{
    CliProcess cli;
    return cli.run(words("list --format json --url") << url);
}

CliResult TestCliCluster::release(const std::string& key, const Bytes& owner) const
{
    CliProcess cli;
    return cli.run(words("release --owner")
                   << QString::fromStdString(owner) << QString::fromStdString(key) << u"--url"_qs
                   << m_group->url());
}

std::vector<int> TestCliCluster::scriptCounts() const
{
    std::vector<int> counts;
    for (std::size_t i = 0; i < m_group->nodeCount(); ++i) {
        const store::Outcome statistics = m_group->ask(i, Command("INFO", "commandstats"));
        counts.push_back(int(store::callCountOf(statistics, [](std::string_view name) {
                                 return name == "eval" || name == "evalsha";
                             }).value_or(0)));
    }
    return counts;
}

void TestCliCluster::theLocksOfAllMastersAreListedOnce()
{
    const CliResult result = list(m_group->url());
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    const Json locks = result.json();
    QCOMPARE(locks.size(), std::size_t(3));
    for (const Json& lock : locks) {
        const auto key = lock["key"].get<std::string>();
        const auto node = std::size_t(std::ranges::find(m_locks, key) - m_locks.begin());
        QVERIFY(node < m_locks.size());
        QCOMPARE(lock["node"].get<std::string>(), m_group->nodeName(node));
        QCOMPARE(lock["slot"].get<int>(), int(store::slotOf(key)));
        QCOMPARE(lock["server"].get<std::string>(), "cluster@" + m_group->nodeName(0));
    }
    QVERIFY2(result.diagnostics.contains("scanned 3 of 3 keys, 3 locks"),
             result.diagnostics.constData());
}

void TestCliCluster::moveSlot(std::uint16_t slot, const std::vector<std::string>& keys) const
{
    const std::size_t source = m_group->masterOf(slot).value();
    const std::size_t target = (source + 1) % m_group->nodeCount();
    m_group->openSlot(slot, source, target);
    for (const std::string& key : keys) {
        m_group->moveKey(key, source, target);
    }
    m_group->closeSlot(slot, source, target);
    m_group->waitForMaster(slot, source);
}

void TestCliCluster::nothingIsMissedWhileSlotsMove()
{
    constexpr int kSlotCount = 3;
    constexpr int kLocksInEach = 20;
    constexpr int kLists = 5;
    // Resharding moves a slot once. One that goes round for as long as the list takes may escape
    // it.
    constexpr int kMovesMax = kSlotCount;
    std::map<std::uint16_t, std::vector<std::string>> keys; // by slot
    std::set<std::string> all(m_locks.begin(), m_locks.end());
    for (int i = 0; i < kSlotCount * kLocksInEach; ++i) {
        const std::string tag = "{moving" + std::to_string(i % kSlotCount) + "}:";
        const std::string key = tag + std::to_string(i) + ":lock";
        take(key, kAlice);
        keys[store::slotOf(key)].push_back(key);
        all.insert(key);
    }
    std::map<std::uint16_t, std::size_t> homes;
    for (const auto& [slot, moved] : keys) {
        homes[slot] = m_group->masterOf(slot).value();
    }
    auto next = keys.begin();
    for (int i = 0; i < kLists; ++i) {
        CliProcess cli;
        cli.start(words("list --format json --url") << m_group->url());
        int moves = 0;
        const auto hasEndedMeanwhile = [&] {
            if (moves++ < kMovesMax) {
                moveSlot(next->first, next->second);
                next = std::next(next) == keys.end() ? keys.begin() : std::next(next);
            }
            return cli.process().state() == QProcess::NotRunning;
        };
        QVERIFY(QTest::qWaitFor(hasEndedMeanwhile, kPatienceMs));
        const CliResult result = cli.waitForEnd();
        QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
        std::set<std::string> listed;
        for (const Json& lock : result.json()) {
            QVERIFY2(listed.insert(lock["key"].get<std::string>()).second,
                     "a lock is listed twice");
        }
        QVERIFY(listed == all);
    }
    for (const auto& [slot, moved] : keys) {
        const std::size_t home = homes[slot];
        while (m_group->masterOf(slot) != home) {
            moveSlot(slot, moved);
        }
        for (const std::string& key : moved) {
            m_group->askOwner(Command("DEL", key));
        }
    }
}

void TestCliCluster::nodeAndSlotCanBeAskedFor()
{
    CliProcess cli;
    const QString slot = QString::number(store::slotOf(m_locks[1]));
    const CliResult bySlot = cli.run(words("list --filter")
                                     << u"slot:"_qs + slot << u"--url"_qs << m_group->url());
    QVERIFY2(bySlot.output.contains("NODE") && bySlot.output.contains("SLOT"),
             bySlot.output.constData());
    QVERIFY(bySlot.output.contains(QByteArray::fromStdString(m_locks[1])));
    QVERIFY(!bySlot.output.contains(QByteArray::fromStdString(m_locks[2] + ' ')));
    const CliResult byNode = cli.run(words("list --format json --filter")
                                     << u"node:"_qs + QString::fromStdString(m_group->nodeName(2))
                                     << u"--url"_qs << m_group->url());
    QCOMPARE(byNode.json().size(), std::size_t(1));
    QCOMPARE(byNode.json()[0]["key"].get<std::string>(), m_locks[2]);
}

void TestCliCluster::oneNodeThatAnswersIsEnough()
{
    const CliResult result = list(
        u"redis+cluster://127.0.0.1:1,%1"_qs.arg(QString::fromStdString(m_group->nodeName(2))));
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QCOMPARE(result.json().size(), std::size_t(3));
}

void TestCliCluster::aLockIsShownWhereverItIs()
{
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        CliProcess cli;
        const CliResult result = cli.run(words("show --format json")
                                         << QString::fromStdString(m_locks[i]) << u"--url"_qs
                                         << m_group->url());
        QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
        QVERIFY2(result.output.contains(QByteArray::fromStdString(m_group->nodeName(i))),
                 result.output.constData());
    }
}

/// One of them may throw locks away; all write nothing to their disks.
void TestCliCluster::eachNodeIsAskedAboutItself()
{
    m_group->ask(1,
                 Command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb"));
    CliProcess doctor;
    const Json findings =
        doctor.run(words("doctor --format json --url") << m_group->url()).json()["findings"];
    std::map<std::string, std::string> nodes;
    for (const Json& finding : findings) {
        nodes[finding["id"].get<std::string>()] = text(finding["nodes"]);
    }
    QCOMPARE(nodes["evicts-keys"], text(Json{m_group->nodeName(1)}));
    QCOMPARE(nodes["forgets-on-restart"].size(),
             text(Json{m_group->nodeName(0), m_group->nodeName(1), m_group->nodeName(2)}).size());
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        CliProcess show;
        const CliResult lock = show.run(words("show --format json")
                                        << QString::fromStdString(m_locks[i]) << u"--url"_qs
                                        << m_group->url());
        const Json reasons = lock.json()["diagnosis"]["reasons"];
        QCOMPARE(reasons.size(), std::size_t(i == 1 ? 1 : 0));
        QVERIFY(reasons.empty() || reasons[0]["id"] == "eviction");
    }
    m_group->ask(1, Command("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "0"));
}

/// MONITOR is what a connection to that node did last.
void TestCliCluster::theNodeOfTheKeyIsListenedTo()
{
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        CliProcess cli;
        cli.start(words("who --for 60s --format json --max-bytes 4000")
                  << QString::fromStdString(m_locks[i]) << u"--url"_qs << m_group->url());
        const auto isListenedTo = [&](std::size_t node) {
            const store::Reply clients = m_group->ask(node, Command("CLIENT", "LIST"));
            return clients.text()->find("cmd=monitor") != Bytes::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isListenedTo(i), kPatienceMs);
        for (std::size_t other = 0; other < m_locks.size(); ++other) {
            QCOMPARE(isListenedTo(other), other == i);
        }
        m_group->askOwner(Command("SET", m_locks[i], kAlice, "XX", "PX", 600'000));
        m_group->ask(i, Command("SET", "{" + m_locks[i] + "}x", Bytes(4000, 'x'), "PX", 1));
        const CliResult result = cli.waitForEnd();
        QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
        const Json clients = result.json()["clients"];
        QCOMPARE(clients.empty(), false);
        QCOMPARE(text(clients[0]["owners"]), "[\"" + kAlice + "\"]");
    }
}

void TestCliCluster::aReleaseReachesTheNodeOfTheKey()
{
    const CliResult result = release(m_locks[1], kAlice);
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QVERIFY(!m_group->hasKey(1, m_locks[1]));
    const std::vector<int> counts = scriptCounts();
    QCOMPARE(counts[0], 0);
    QVERIFY(counts[1] > 0);
    QCOMPARE(counts[2], 0);
    QVERIFY(m_group->hasKey(0, m_locks[0]) && m_group->hasKey(2, m_locks[2]));
    QCOMPARE(release(m_locks[2], kBob).exitCode, 3);
    QVERIFY(m_group->hasKey(2, m_locks[2]));
}

/// Before, while and after its slot is moved, a lock is listed and released once, where it is.
void TestCliCluster::aReleaseFollowsAKeyThatMoves()
{
    const std::string staying = m_locks[0];
    const std::string moving = "{" + staying + "}:lock";
    const std::uint16_t slot = store::slotOf(staying);
    QCOMPARE(store::slotOf(moving), slot);
    take(moving, kBob);
    m_group->openSlot(slot, 0, 2);
    m_group->moveKey(moving, 0, 2);
    QVERIFY(!m_group->hasKey(0, moving) && m_group->hasKey(2, moving));
    QCOMPARE(list(m_group->url()).json().size(), std::size_t(4));
    QCOMPARE(release(staying, kAlice).exitCode, 0);
    QVERIFY(!m_group->hasKey(0, staying));
    const CliResult released = release(moving, kBob); // by ASK
    QVERIFY2(released.exitCode == 0, released.diagnostics.constData());
    QVERIFY(!m_group->hasKey(2, moving));
    m_group->closeSlot(slot, 0, 2);
    QCOMPARE(m_group->waitForMaster(slot, 0), std::size_t(2));
    take(staying, kBob);
    QCOMPARE(release(staying, kBob).exitCode, 0);
    QVERIFY(!m_group->hasKey(2, staying));
    m_group->openSlot(slot, 2, 0);
    m_group->closeSlot(slot, 2, 0);
    m_group->waitForMaster(slot, 2);
}

/// Such a release watches the key on a connection of its own.
void TestCliCluster::aLockWithoutOwnerTokenIsReleased()
{
    m_group->askOwner(Command("SET", m_locks[1], "1", "PX", 600'000));
    CliProcess cli;
    const CliResult result = cli.run(words("release --owner 1")
                                     << QString::fromStdString(m_locks[1]) << u"--url"_qs
                                     << m_group->url());
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
    QVERIFY(!m_group->hasKey(1, m_locks[1]));
}

void TestCliCluster::aNodeAloneNamesTheWhole()
{
    const QString node = QString::fromStdString(m_group->nodeName(1));
    const CliResult alone = list(u"redis://"_qs + node);
    QVERIFY2(alone.diagnostics.contains(
                 QByteArray("For all of them use redis+cluster://").append(node.toUtf8())),
             alone.diagnostics.constData());
    QCOMPARE(alone.json().size(), std::size_t(1));
    QVERIFY(!alone.json()[0].contains("slot"));
    QCOMPARE(list(u"redis+cluster://"_qs + node).json().size(), std::size_t(3));
}

void TestCliCluster::aServerThatIsNoClusterIsNamed()
{
    const LiveServer server(LiveServer::Listen::LoopbackPort);
    const QString address = QString::fromStdString(store::serverName(server.endpoint()));
    const CliResult result = list(u"redis+cluster://"_qs + address);
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("This server is not a node of a cluster"),
             result.diagnostics.constData());
}

void TestCliCluster::whereNoNodeAnswersEachIsNamed()
{
    const CliResult result = list(u"redis+cluster://127.0.0.1:1,no-such-host.invalid"_qs);
    QCOMPARE(result.exitCode, 1);
    for (const QByteArray& part :
         {QByteArray("No node of the cluster could be asked"), QByteArray("127.0.0.1:1: "),
          QByteArray("no-such-host.invalid:6379: ")}) {
        QVERIFY2(result.diagnostics.contains(part), result.diagnostics.constData());
    }
}

void TestCliCluster::whatIsNotBuiltIsRefused()
{
    CliProcess cli;
    const CliResult result = cli.run(words("contend --protocol set-nx-ex --for 100ms --url")
                                     << m_group->url());
    QVERIFY(result.exitCode != 0);
    QVERIFY2(result.diagnostics.contains("not possible with a cluster"),
             result.diagnostics.constData());
}

/// With a message between its clients, and without.
void TestCliCluster::locksAreTakenOnTheNodeOfTheirKey()
{
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        const std::string key = m_group->lockOn(i, 5000);
        CliProcess cli;
        cli.start(words(i == 0 ? "acquire --protocol redisson-lock --hold 1m --url"
                               : "acquire --hold 1m --url")
                  << m_group->url() << u"--key"_qs << QString::fromStdString(key));
        QTRY_VERIFY_WITH_TIMEOUT(m_group->hasKey(i, key), 30'000);
        cli.interrupt();
        const CliResult result = cli.waitForEnd();
        QVERIFY2(!m_group->hasKey(i, key), result.diagnostics.constData());
    }
    CliProcess cli;
    const CliResult result = cli.run(words("run --key")
                                     << QString::fromStdString(m_locks[0] + ":2") << u"--url"_qs
                                     << m_group->url() << u"--"_qs << u"true"_qs);
    QVERIFY2(result.exitCode == 0, result.diagnostics.constData());
}

void TestCliCluster::keysInDifferentSlotsAreRefused()
{
    const auto acquire = [this](const QString& key) {
        CliProcess cli;
        return cli.run(words("acquire --protocol rw-two-keys --hold 10ms --url")
                       << m_group->url() << u"--key"_qs << key);
    };
    const CliResult apart = acquire(u"job:apart"_qs);
    QVERIFY(apart.exitCode != 0);
    QVERIFY2(apart.diagnostics.contains("has to be in braces"), apart.diagnostics.constData());
    const CliResult together = acquire(u"{job:apart}"_qs);
    QVERIFY2(together.exitCode == 0, together.diagnostics.constData());
}

void TestCliCluster::slotsWithoutOwnerAreUnknown()
{
    const std::uint16_t slot = store::slotOf(m_locks[2]);
    m_group->ask(2, Command("CLUSTER", "DELSLOTS", int(slot)));
    const CliResult listed = list(m_group->url());
    QCOMPARE(listed.exitCode, 1);
    QCOMPARE(listed.json().size(), std::size_t(2));
    QVERIFY2(listed.diagnostics.contains(QByteArray::fromStdString("locks in them are unknown. ("
                                                                   + std::to_string(slot) + ')')),
             listed.diagnostics.constData());
    const CliResult released = release(m_locks[2], kAlice);
    QCOMPARE(released.exitCode, 1);
    QVERIFY(m_group->hasKey(2, m_locks[2]));
    m_group->ask(2, Command("CLUSTER", "ADDSLOTS", int(slot)));
    QCOMPARE(list(m_group->url()).json().size(), std::size_t(3));
}

void TestCliCluster::aMasterThatIsGoneIsNamed()
{
    m_group->kill(2);
    const CliResult result = list(m_group->url());
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.diagnostics.contains("A master of the cluster cannot be reached"),
             result.diagnostics.constData());
    QVERIFY(result.diagnostics.contains(QByteArray::fromStdString(m_group->nodeName(2))));
    const CliResult released = release(m_locks[2], kAlice);
    QCOMPARE(released.exitCode, 1);
    const CliResult other = release(m_locks[0], kAlice);
    QVERIFY2(other.exitCode == 0, other.diagnostics.constData());
}

LOCKSCOPE_TEST(TestCliCluster, Core)

} // namespace lockscope::tst_cli_cluster

#include "tst_cli_cluster.moc"
