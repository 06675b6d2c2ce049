#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/soak/disasters.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Whatever happens to servers and to the way to them, in any order: once they agree who is the
// master, the table is true within two seconds.
namespace lockscope::tst_topology_chaos {

using namespace lockscope::testing;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;
/// The promise is two seconds; a machine that is busy with other tests, and sanitizers, get more.
constexpr int kLimitMs = 8'000;
/// Each connection is a process that has to be started, and some follow from others.
constexpr int kLimitOverWayMs = 15'000;
/// Nobody waits for requests to time out.
constexpr auto kRequestTimeout = std::chrono::minutes(1);
constexpr int kUsualRounds = 4;

int roundCount()
{
    const int count = qEnvironmentVariableIntValue("LOCKSCOPE_SOAK_ROUNDS");
    return count > 0 ? count : kUsualRounds;
}

/// Locks are taken, handed over, renewed and released meanwhile; not every command is carried out.
void useLocks(Topology& topology, Rng& rng)
{
    for (int i = 0; i < kChaosLockCount; ++i) {
        const Bytes name = chaosLock(static_cast<int>(rng.below(kChaosLockCount)));
        switch (rng.below(4)) {
        case 0: topology.send(Command("DEL", name)); break;
        case 1: topology.send(Command("PEXPIRE", name, 900'000)); break;
        default:
            topology.send(Command("SET", name, "owner-" + std::to_string(rng.below(1000)), "PX",
                                  600'000));
        }
    }
}

/// The table has exactly these rows, and stands for them.
bool isTrue(LiveWatch& watch, const std::map<Bytes, Bytes>& truth)
{
    return watch.isOnline() && watch.rowCount() == truth.size()
           && std::ranges::all_of(truth, [&watch](const auto& lock) {
                  const inspect::LockPtr row = watch.row(lock.first);
                  return row && row->isConfirmed && watch.ownerOf(lock.first) == lock.second;
              });
}

/// Returns the locks that the table shows wrongly, a line each.
std::string difference(LiveWatch& watch, const std::map<Bytes, Bytes>& truth)
{
    std::string text = watch.isOnline() ? "online" : "not online: ";
    text += watch.isOnline() ? std::string() : store::explain(watch.status().problem);
    for (const auto& [name, owner] : truth) {
        const inspect::LockPtr row = watch.row(name);
        if (!row || !row->isConfirmed || watch.ownerOf(name) != owner) {
            text.append("\n").append(name).append(" is held by ").append(owner);
            text.append(", shown as ").append(watch.ownerOf(name));
            text.append(row && !row->isConfirmed ? ", not confirmed" : "");
        }
    }
    for (const auto& [id, row] : watch.rows()) {
        text += truth.contains(id.name) ? std::string() : '\n' + id.name + " is free, and shown";
    }
    return text;
}

/// Each of them once before any comes again.
class Deck {
public:
    Deck(const std::vector<Disaster>& all, Rng& rng) : m_all(all), m_rng(rng) {}

    const Disaster& next()
    {
        if (m_left.empty()) {
            for (const Disaster& disaster : m_all) {
                m_left.push_back(&disaster);
            }
        }
        std::swap(m_left[m_rng.below(m_left.size())], m_left.back());
        const Disaster& drawn = *m_left.back();
        m_left.pop_back();
        return drawn;
    }

private:
    const std::vector<Disaster>& m_all;
    Rng& m_rng;
    std::vector<const Disaster*> m_left;
};

void liveThrough(Topology& topology, const std::vector<Disaster>& disasters, WeakWay* way)
{
    RandomInput input;
    qInfo("%s", input.recipe().c_str());
    topology.settle();
    store::Endpoint endpoint = way != nullptr ? way->over(topology.endpoint())
                                              : topology.endpoint();
    endpoint.requestTimeout = kRequestTimeout;
    const int limitMs = way != nullptr ? kLimitOverWayMs : kLimitMs;
    LiveWatch watch({endpoint});
    QVERIFY(QTest::qWaitFor([&] { return isTrue(watch, topology.truth()); }, kPatienceMs));
    Deck deck(disasters, input.rng());
    for (int round = 0; round < roundCount(); ++round) {
        const Disaster& disaster = deck.next();
        useLocks(topology, input.rng());
        disaster.strike({topology, way, input.rng()});
        topology.settle();
        useLocks(topology, input.rng());
        const std::map<Bytes, Bytes> truth = topology.truth();
        QElapsedTimer timer;
        timer.start();
        const bool isRight = QTest::qWaitFor([&] { return isTrue(watch, truth); }, kPatienceMs);
        const std::string story = std::string(disaster.name) + ", round " + std::to_string(round)
                                  + ", " + std::to_string(timer.elapsed())
                                  + " ms: " + input.recipe();
        qInfo("%s", story.c_str());
        QVERIFY2(isRight && timer.elapsed() < limitMs,
                 (story + '\n' + difference(watch, truth)).c_str());
        if (way != nullptr) {
            way->mend();
        }
    }
}

} // namespace

class TestTopologyChaos : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void sentinels() { liveThrough(*sentinelTopology(), disastersOfServers(), nullptr); }
    void cluster() { liveThrough(*clusterTopology(), disastersOfServers(), nullptr); }
    void sentinelsBehindABadNetwork() { liveThroughBadNetworks(*sentinelTopology()); }
    void clusterBehindABadNetwork() { liveThroughBadNetworks(*clusterTopology()); }

private:
    static void liveThroughBadNetworks(Topology& topology)
    {
        if (!WeakWay::canBeMade()) {
            QSKIP("python3 is not installed");
        }
        WeakWay way;
        liveThrough(topology, disastersOfNetworks(), &way);
    }
};

LOCKSCOPE_TEST(TestTopologyChaos, Core)

} // namespace lockscope::tst_topology_chaos

#include "tst_topology_chaos.moc"
