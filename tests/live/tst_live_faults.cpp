#include "core/wire/watch/redis_monitor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/live/weak_line.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <functional>
#include <map>

namespace lockscope::tst_live_faults {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::LinkStatus;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 30'000;
/// The promise is two seconds; a machine that is busy with other tests, and sanitizers, get more.
constexpr int kLimitMs = 8'000;
constexpr int kLockCount = 20;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

Bytes lockName(int number)
{
    return "lock:" + std::to_string(number);
}

const QStringList kDurable = {u"--appendonly"_qs, u"yes"_qs, u"--appendfsync"_qs, u"no"_qs};
const QStringList kDebuggable = {u"--enable-debug-command"_qs, u"yes"_qs};
const QStringList kSoonBusy = {u"--busy-reply-threshold"_qs, u"100"_qs};

/// A server with locks, a watch of it, and what a fault needs beside them.
class Scene {
public:
    explicit Scene(const QStringList& arguments)
        : m_server(LiveServer::Listen::UnixSocket, arguments),
          m_line(m_server.endpoint())
    {
        for (int i = 0; i < kLockCount; ++i) {
            client()("SET", lockName(i), kAlice, "PX", 600'000);
        }
    }

    LiveServer& server() { return m_server; }
    PlainClient& client() { return m_server.client(); }
    WeakLine& line() { return m_line; }
    LiveWatch& watch() { return *m_watch; }
    LiveServer& other()
    {
        if (!m_other) {
            m_other = std::make_unique<LiveServer>(LiveServer::Listen::LoopbackPort);
        }
        return *m_other;
    }

    void beginWatching(Endpoint endpoint)
    {
        m_watch = std::make_unique<LiveWatch>(std::vector{std::move(endpoint)});
    }
    /// By a user who may watch, except for what `rule` takes away.
    void beginWatchingWithout(const char* rule)
    {
        client()("ACL", "SETUSER", "watcher", "on", ">secret", "~*", "&*", "+@all", rule);
        Endpoint endpoint = m_server.endpoint();
        endpoint.user = "watcher";
        endpoint.password = "secret";
        beginWatching(endpoint);
    }

    /// What the window has to show: who holds what.
    std::map<Bytes, Bytes> truth()
    {
        std::map<Bytes, Bytes> locks;
        const store::Reply names = client()("KEYS", "*lock*");
        for (const store::Reply& name : *names.array()) {
            const store::Reply value = client()("GET", *name.text());
            if (value.text() != nullptr) {
                locks[*name.text()] = *value.text();
            }
        }
        return locks;
    }
    /// It shows exactly that, and stands for it.
    bool isRight()
    {
        if (!m_watch->isOnline() || m_watch->sweepCount() == 0) {
            return false;
        }
        std::map<Bytes, Bytes> shown;
        for (const auto& [id, lock] : m_watch->rows()) {
            if (!lock->isConfirmed) {
                return false;
            }
            shown[id.name] = lock->holders.front().owner;
        }
        return shown == truth();
    }
    bool isUncertain()
    {
        const inspect::LockPtr row = m_watch->row(lockName(0));
        return !m_watch->isOnline() && (row == nullptr || !row->isConfirmed);
    }

    bool wait(const std::function<bool()>& condition) const
    {
        return QTest::qWaitFor(condition, kPatienceMs);
    }
    /// The fault has begun; waits until the window admits that it knows nothing any more.
    bool waitUntilNoticed()
    {
        m_begun.start();
        const bool isNoticed = wait([this] { return isUncertain(); });
        m_noticedAfterMs = m_begun.elapsed();
        return isNoticed;
    }
    /// The fault is over now.
    void mended() { m_mended.start(); }
    qint64 sinceMended() const { return m_mended.elapsed(); }
    qint64 noticedAfterMs() const { return m_noticedAfterMs; }

private:
    LiveServer m_server;
    std::unique_ptr<LiveServer> m_other;
    WeakLine m_line;
    QElapsedTimer m_begun;
    QElapsedTimer m_mended;
    qint64 m_noticedAfterMs = -1; // -1: there is nothing to notice
    std::unique_ptr<LiveWatch> m_watch;
};

/// Other clients use the locks: one is passed on, one is released, one is taken.
void useLocks(Scene& scene)
{
    scene.client()("SET", lockName(0), kBob, "PX", 600'000);
    scene.client()("DEL", lockName(1));
    scene.client()("SET", "order:lock", kBob, "PX", 600'000);
}

struct Fault {
    const char* name;
    QStringList arguments;
    std::function<void(Scene&)> watch; // empty: the usual watch
    /// Breaks something, waits for what has to come of it, mends it and says so. False: something
    /// did not come.
    std::function<bool(Scene&)> happen;
};

void watchByTheLine(Scene& scene)
{
    scene.beginWatching(scene.line().endpoint());
}

bool changeAtOnce(Scene& scene, const std::function<void(PlainClient&)>& change)
{
    change(scene.client());
    useLocks(scene);
    scene.mended();
    return true;
}

bool restart(Scene& scene)
{
    scene.server().kill();
    const bool isNoticed = scene.waitUntilNoticed();
    scene.server().restart();
    useLocks(scene);
    scene.mended();
    return isNoticed;
}

bool stayDown(Scene& scene)
{
    scene.server().kill();
    const bool isNoticed = scene.waitUntilNoticed();
    const bool isLong = scene.wait([&] { return scene.watch().status().attempt >= 8; });
    scene.server().restart();
    useLocks(scene);
    scene.mended();
    return isNoticed && isLong;
}

bool freeze(Scene& scene)
{
    scene.server().process().freeze();
    const bool isNoticed = scene.waitUntilNoticed();
    scene.server().process().thaw();
    useLocks(scene);
    scene.mended();
    return isNoticed;
}

bool sleepInside(Scene& scene)
{
    PlainClient sleeper(scene.server().endpoint());
    sleeper.send(store::Command("DEBUG", "SLEEP", "2.5"));
    const bool isNoticed = scene.waitUntilNoticed();
    const bool isAwake = sleeper.listen(kPatienceMs).has_value();
    useLocks(scene);
    scene.mended();
    return isNoticed && isAwake;
}

bool runAScriptForTooLong(Scene& scene)
{
    PlainClient culprit(scene.server().endpoint());
    culprit.send(store::Command("EVAL", "while true do end", 0));
    const bool isNoticed = scene.waitUntilNoticed();
    const bool isBusy = scene.wait([&] {
        return scene.watch().status().problem.detail.starts_with("BUSY");
    });
    scene.client()("SCRIPT", "KILL");
    const bool isOver = culprit.listen(kPatienceMs).has_value();
    useLocks(scene);
    scene.mended();
    return isNoticed && isBusy && isOver;
}

bool pauseClients(Scene& scene)
{
    PlainClient waiting(scene.server().endpoint());
    scene.client()("CLIENT", "PAUSE", 2500, "ALL");
    const bool isNoticed = scene.waitUntilNoticed();
    waiting.send(store::Command("PING"));
    const bool isOver = waiting.listen(kPatienceMs).has_value();
    useLocks(scene);
    scene.mended();
    return isNoticed && isOver;
}

bool leaveNoRoom(Scene& scene)
{
    scene.client()("CONFIG", "SET", "maxclients", 1);
    scene.client()("CLIENT", "KILL", "TYPE", "pubsub");
    scene.client()("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const bool isNoticed = scene.waitUntilNoticed();
    const bool isLong = scene.wait([&] { return scene.watch().status().attempt >= 6; });
    useLocks(scene);
    scene.client()("CONFIG", "SET", "maxclients", 100);
    scene.mended();
    return isNoticed && isLong;
}

bool takeRightsAway(Scene& scene)
{
    scene.client()("ACL", "SETUSER", "watcher", "-getrange", "-pttl", "-type");
    useLocks(scene);
    const bool isNoticed = scene.wait([&] {
        return scene.watch().status().problem.kind == Problem::Kind::NoPermission;
    });
    scene.client()("ACL", "SETUSER", "watcher", "+@all");
    scene.mended();
    return isNoticed;
}

bool switchEventsOff(Scene& scene)
{
    const bool hasEvents = scene.watch().status().live == LinkStatus::Live::KeyspaceEvents;
    scene.client()("CONFIG", "SET", "notify-keyspace-events", "");
    useLocks(scene);
    scene.mended();
    return hasEvents;
}

bool flood(Scene& scene)
{
    // More news than are wanted: tracking is narrowed to the names that are known.
    const auto isNarrowed = [&] { return scene.watch().status().isNarrow; };
    for (int i = 0; i < 20; ++i) {
        scene.client()("EVAL", "for i = 1, 3000 do redis.call('SET', 'noise:' .. i, i) end", 0);
        if (QTest::qWaitFor(isNarrowed, 1200)) {
            break;
        }
    }
    const bool wasNarrowed = isNarrowed();
    // After the look at everything that follows the change: only the end of the flood can show it.
    const bool isSettled = scene.wait([&] { return scene.isRight(); });
    scene.client()("SET", "zebra:lock", kBob, "PX", 600'000);
    useLocks(scene);
    scene.mended();
    return wasNarrowed && isSettled;
}

bool overflowTheNews(Scene& scene)
{
    const int before = scene.watch().sweepCount();
    scene.client()("CONFIG", "SET", "client-output-buffer-limit", "pubsub 20kb 20kb 1");
    scene.server().client()("EVAL", "for i = 1, 20000 do redis.call('SET', 'noise:' .. i, i) end",
                            0);
    useLocks(scene);
    scene.mended();
    return scene.wait([&] { return scene.watch().sweepCount() > before; });
}

bool loseConnections(Scene& scene, std::initializer_list<const char*> types)
{
    for (const char* const type : types) {
        scene.client()("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
    }
    useLocks(scene);
    scene.mended();
    return true;
}

bool cutTheLine(Scene& scene)
{
    scene.line().cut();
    useLocks(scene);
    const bool isNoticed = scene.waitUntilNoticed();
    scene.line().mend();
    scene.mended();
    return isNoticed;
}

bool slowTheLine(Scene& scene)
{
    scene.line().delay(300);
    useLocks(scene);
    // Slow is not dead: it goes on as it is.
    const std::size_t before = scene.line().connectionCount();
    const bool isSeen = scene.wait([&] { return scene.watch().ownerOf("order:lock") == kBob; });
    scene.client()("DEL", "order:lock");
    scene.line().delay(0);
    scene.mended();
    return isSeen && scene.line().connectionCount() <= before + 2;
}

bool follow(Scene& scene)
{
    scene.other().client()("SET", "elsewhere:lock", kBob, "PX", 600'000);
    const Endpoint master = scene.other().endpoint();
    scene.client()("REPLICAOF", master.host, master.port);
    const bool isSynced = scene.wait([&] {
        const store::Reply info = scene.client()("INFO", "replication");
        return info.text()->find("master_link_status:up") != std::string::npos;
    });
    scene.mended();
    return isSynced;
}

bool promote(Scene& scene)
{
    const bool isReplica = follow(scene) && scene.wait([&] {
        return scene.watch().status().info.role == store::ServerInfo::Role::Replica;
    });
    scene.client()("REPLICAOF", "NO", "ONE");
    useLocks(scene);
    scene.mended();
    return isReplica && scene.wait([&] {
        return scene.watch().status().info.role == store::ServerInfo::Role::Master;
    });
}

bool expireManyAtOnce(Scene& scene)
{
    for (int i = 0; i < kLockCount; ++i) {
        scene.client()("PEXPIRE", lockName(i), 300);
    }
    const bool isOver = scene.wait([&] { return scene.truth().empty(); });
    scene.mended();
    return isOver;
}

bool evict(Scene& scene)
{
    scene.client()("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
    scene.client()("CONFIG", "SET", "maxmemory", "1mb");
    scene.client()("SET", "straw", std::string(100'000, 'x'));
    scene.client()("CONFIG", "SET", "maxmemory", 0);
    useLocks(scene);
    scene.mended();
    return true;
}

bool copyAndRestore(Scene& scene)
{
    const store::Reply dump = scene.client()("DUMP", lockName(2));
    scene.client()("RESTORE", "restored:lock", 600'000, *dump.text());
    scene.mended();
    return true;
}

/// A change at one stroke, as a whole database of it.
std::function<bool(Scene&)> at(std::initializer_list<store::Command> commands)
{
    return [all = std::vector<store::Command>(commands)](Scene& scene) {
        return changeAtOnce(scene, [&all](PlainClient& client) {
            for (const store::Command& command : all) {
                client.ask(command);
            }
        });
    };
}

std::function<void(Scene&)> without(const char* rule)
{
    return [rule](Scene& scene) { scene.beginWatchingWithout(rule); };
}

void watchByEvents(Scene& scene)
{
    scene.client()("CONFIG", "SET", "notify-keyspace-events", "KA");
    scene.beginWatchingWithout("-client|tracking");
}

std::function<bool(Scene&)> forget(std::initializer_list<std::size_t> connections)
{
    return [indexes = std::vector<std::size_t>(connections)](Scene& scene) {
        for (const std::size_t index : indexes) {
            scene.line().forget(index);
        }
        useLocks(scene);
        scene.mended();
        return true;
    };
}

using store::Command;

std::vector<Fault> faults()
{
    const auto kill = [](std::initializer_list<const char*> types) {
        return [types = std::vector<const char*>(types)](Scene& scene) {
            bool isDone = true;
            for (const char* const type : types) {
                isDone = loseConnections(scene, {type});
            }
            return isDone;
        };
    };
    return {
        {"restart, data kept", kDurable, {}, restart},
        {"restart, data gone", {}, {}, restart},
        {"down until the eighth attempt", {}, {}, stayDown},
        {"process stopped (SIGSTOP)", {}, {}, freeze},
        {"server asleep (DEBUG SLEEP)", kDebuggable, {}, sleepInside},
        {"script for ever (BUSY)", kSoonBusy, {}, runAScriptForTooLong},
        {"CLIENT PAUSE", {}, {}, pauseClients},
        {"maxclients", {}, {}, leaveNoRoom},
        {"data connection killed", {}, {}, kill({"normal"})},
        {"news connection killed", {}, {}, kill({"pubsub"})},
        {"both connections killed", {}, {}, kill({"pubsub", "normal"})},
        {"news connection half-open", {}, watchByTheLine, forget({1})},
        {"data connection half-open", {}, watchByTheLine, forget({0})},
        {"both connections half-open", {}, watchByTheLine, forget({0, 1})},
        {"line cut, old connections lost", {}, watchByTheLine, cutTheLine},
        {"slow line (600 ms)", {}, watchByTheLine, slowTheLine},
        {"news overflow their buffer", {}, {}, overflowTheNews},
        {"tracking narrowed, new prefix", {}, {}, flood},
        {"password changed", {}, {}, at({Command("CONFIG", "SET", "requirepass", "new")})},
        {"rights taken and given back", {}, without("+@all"), takeRightsAway},
        {"tracking refused", {}, without("-client|tracking"), at({})},
        {"channels refused", {}, without("resetchannels"), at({})},
        {"keyspace events switched off", {}, watchByEvents, switchEventsOff},
        {"FLUSHALL", {}, {}, at({Command("FLUSHALL")})},
        {"FLUSHDB ASYNC", {}, {}, at({Command("FLUSHDB", "ASYNC")})},
        {"SWAPDB", {}, {}, at({Command("SWAPDB", 0, 1)})},
        {"SWAPDB there and back",
         {},
         {},
         at({Command("SWAPDB", 0, 1), Command("SET", "between:lock", kBob),
             Command("SWAPDB", 0, 1)})},
        {"MOVE to another database", {}, {}, at({Command("MOVE", lockName(3), 1)})},
        {"RENAME", {}, {}, at({Command("RENAME", lockName(3), "renamed:lock")})},
        {"COPY", {}, {}, at({Command("COPY", lockName(3), lockName(4), "REPLACE")})},
        {"RESTORE", {}, {}, copyAndRestore},
        {"DEBUG RELOAD", kDebuggable, {}, at({Command("DEBUG", "RELOAD")})},
        {"twenty expire at once", {}, {}, expireManyAtOnce},
        {"eviction", {}, {}, evict},
        {"becomes a replica", {}, {}, follow},
        {"replica promoted", {}, {}, promote},
    };
}

} // namespace

/// Whatever happens to a server or to the line: soon after it is over, the window shows what is,
/// and while it lasts, the window claims nothing. Prints what was measured; docs/testing.md has it.
class TestLiveFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theWindowIsRightSoonAfter_data();
    void theWindowIsRightSoonAfter();
};

void TestLiveFaults::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveFaults::theWindowIsRightSoonAfter_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Fault> all = faults();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i].name) << static_cast<int>(i);
    }
}

void TestLiveFaults::theWindowIsRightSoonAfter()
{
    QFETCH(const int, index);
    const Fault fault = faults()[static_cast<std::size_t>(index)];
    Scene scene(fault.arguments);
    if (fault.watch) {
        fault.watch(scene);
    } else {
        scene.beginWatching(scene.server().endpoint());
    }
    QVERIFY(scene.wait([&] { return scene.isRight(); }));
    QVERIFY(fault.happen(scene));
    QVERIFY(QTest::qWaitFor([&] { return scene.isRight(); }, kPatienceMs));
    const qint64 rightAfterMs = scene.sinceMended();
    const QString noticed = scene.noticedAfterMs() < 0
                                ? u"-"_qs
                                : QString::number(scene.noticedAfterMs()) + u" ms"_qs;
    qInfo().noquote()
        << u"| %1 | %2 | %3 ms |"_qs.arg(QString::fromUtf8(fault.name), noticed).arg(rightAfterMs);
    QVERIFY2(rightAfterMs < kLimitMs, qPrintable(QString::number(rightAfterMs)));
    QVERIFY2(scene.noticedAfterMs() < kLimitMs, qPrintable(noticed));
}

LOCKSCOPE_TEST(TestLiveFaults, Core)

} // namespace lockscope::tst_live_faults

#include "tst_live_faults.moc"
