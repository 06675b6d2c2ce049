// P5: lock and unlock pairs on a real server, 50 connections. Beside it, on the same server in the
// same run, redis-benchmark with the same command and the same script by EVALSHA: the floor.

#include "core/kernel/protocol/catalogue.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/run/private_server.h"
#include "core/wire/run/redis_live_runner.h"
#include "protocol_scripts.h"
#include "tests/bench/rivals/rival.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStringList>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;
using workload::LiveRunProgress;

namespace {

constexpr int kConnections = 50;
constexpr int kKeys = 5000;
constexpr int kFloorRequests = 150'000;
constexpr int kFloorKeys = 1'500'000; // hardly one is drawn twice, so that nearly every lock is
                                      // free
constexpr Duration kRunFor = 5s;
constexpr double kGoal = 0.9;

QString text(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

/// Requests per second of one command, as redis-benchmark measures it.
double benchmarked(const store::Endpoint& server, const QStringList& command)
{
    QProcess benchmark;
    const QStringList options = {QStringLiteral("-h"),   QStringLiteral("127.0.0.1"),
                                 QStringLiteral("-p"),   QString::number(server.port),
                                 QStringLiteral("-c"),   QString::number(kConnections),
                                 QStringLiteral("-n"),   QString::number(kFloorRequests),
                                 QStringLiteral("-r"),   QString::number(kFloorKeys),
                                 QStringLiteral("--csv")};
    benchmark.start(QStringLiteral("redis-benchmark"), options + command);
    benchmark.waitForFinished(120'000);
    // "test","rps",… and a line of numbers.
    const QStringList lines = QString::fromUtf8(benchmark.readAllStandardOutput())
                                  .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.isEmpty()) {
        return 0;
    }
    const QStringList cells = lines.last().split(QStringLiteral("\",\""));
    return cells.size() > 1 ? cells.at(1).toDouble() : 0;
}

QStringList scriptCall(const store::Script& script, const QStringList& keysAndArguments)
{
    QStringList command = {QStringLiteral("EVALSHA"), text(script.digest)};
    return command + keysAndArguments;
}

QString answerOf(const store::Endpoint& server, const QStringList& command)
{
    QProcess client;
    client.start(QStringLiteral("redis-cli"),
                 QStringList{QStringLiteral("-p"), QString::number(server.port)} + command);
    client.waitForFinished();
    return QString::fromUtf8(client.readAllStandardOutput()).trimmed();
}

int keyCount(const store::Endpoint& server)
{
    return answerOf(server, {QStringLiteral("DBSIZE")}).toInt();
}

bool loadScript(const store::Endpoint& server, const store::Script& script)
{
    return answerOf(server, {QStringLiteral("SCRIPT"), QStringLiteral("LOAD"), text(script.text)})
           == text(script.digest);
}

double pairsPerSecond(double locksPerSecond, double unlocksPerSecond)
{
    return locksPerSecond > 0 && unlocksPerSecond > 0
               ? 1 / (1 / locksPerSecond + 1 / unlocksPerSecond)
               : 0;
}

/// Locks every key that an unlock may draw. Its keys are numbered as redis-benchmark numbers them.
void lockAll(const store::Endpoint& server, const QString& token)
{
    const QString script = QStringLiteral(
        "for i = tonumber(ARGV[1]), ARGV[2] - 1 do "
        "redis.call('SET', string.format('lock:floor:%012d', i), ARGV[3], 'PX', 300000) end");
    constexpr int kStep = 100'000;
    for (int first = 0; first < kFloorKeys; first += kStep) {
        answerOf(server, {QStringLiteral("EVAL"), script, QStringLiteral("0"),
                          QString::number(first), QString::number(first + kStep), token});
    }
}

/// The same work as ours: locks that are free, and unlocks that find theirs.
double floorOfToken(const store::Endpoint& server)
{
    loadScript(server, protocol::scripts::kDeleteIfEqual);
    const QString key = QStringLiteral("lock:floor:__rand_int__");
    const QString token = QStringLiteral("5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60");
    const double lock = benchmarked(server,
                                    {QStringLiteral("SET"), key, token, QStringLiteral("NX"),
                                     QStringLiteral("PX"), QStringLiteral("30000")});
    const int granted = keyCount(server);
    lockAll(server, token);
    const double unlock = benchmarked(server, scriptCall(protocol::scripts::kDeleteIfEqual,
                                                         {QStringLiteral("1"), key, token}));
    std::printf("    of %d locks of the floor %d were free, of as many unlocks %d found theirs\n",
                kFloorRequests, granted, kFloorKeys - keyCount(server));
    answerOf(server, {QStringLiteral("FLUSHALL")});
    return pairsPerSecond(lock, unlock);
}

/// Acquisitions (each with its release) per second of the whole engine: contenders, event log,
/// statistics and resource included.
trace::RunStatistics ours(const store::Endpoint& server, std::string_view protocolId,
                          int contenderCount, int threadCount, int connectionCount = 0)
{
    const protocol::LockProtocol* const found = protocol::findProtocol(protocolId);
    workload::LiveRunOrder order;
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.servers = {server};
    order.threadCount = threadCount;
    order.scenario = workload::Scenario::withDefaults(found->info());
    order.scenario.contenderCount = contenderCount;
    order.scenario.connectionCount = connectionCount;
    order.scenario.keyCount = kKeys;
    order.scenario.think = workload::Distribution::constant(0ms);
    order.scenario.hold = workload::Distribution::constant(0ms);
    order.scenario.renewal = {};
    order.scenario.retry.interval = 1ms;
    order.scenario.duration = kRunFor;
    wire::RedisLiveRunner runner;
    QObject::connect(&runner, &service::LiveRunner::progressed, &runner,
                     [](const LiveRunProgress& progress) {
                         if (progress.phase == LiveRunProgress::Phase::Finished
                             || progress.phase == LiveRunProgress::Phase::Failed) {
                             QCoreApplication::quit();
                         }
                     });
    runner.start(order);
    QCoreApplication::exec();
    return runner.progress().statistics;
}

void printRow(const char* what, double pairs, double floor)
{
    std::printf("%-44s %10.0f pairs/s", what, pairs);
    if (floor > 0) {
        std::printf("   %.2f x floor", pairs / floor);
    }
    std::printf("\n");
    std::fflush(stdout);
}

double ratesOfOurs(const store::Endpoint& server, double floor)
{
    const auto one = ours(server, "set-nx-px-token", kConnections, 1);
    printRow("lockscope, 1 thread", one.acquisitionsPerSecond(), floor);
    const auto two = ours(server, "set-nx-px-token", kConnections, 2);
    printRow("lockscope, 2 threads", two.acquisitionsPerSecond(), floor);
    std::printf("    tries per acquisition %.2f, commands per acquisition %.2f, overlaps %llu\n",
                two.triesPerAcquisition(), two.commandsPerAcquisition(),
                static_cast<unsigned long long>(two.overlaps));
    const auto many = ours(server, "set-nx-px-token", 1000, 2);
    printRow("lockscope, 1,000 contenders, 2 threads", many.acquisitionsPerSecond(), floor);
    return std::max(one.acquisitionsPerSecond(), two.acquisitionsPerSecond());
}

/// As most drivers have it, contenders share connections (contend --connections): what several of
/// them ask for travels together. The floor is the same, with a connection for each of its clients.
void ratesOfShared(const store::Endpoint& server, double floor)
{
    struct Load {
        int contenders;
        int connections;
        int threads;
    };
    constexpr Load kLoads[] = {
        {kConnections, 1, 1}, {kConnections, 2, 2}, {kConnections, 8, 2}, {1000, 16, 2}};
    for (const Load& load : kLoads) {
        const auto shared = ours(server, "set-nx-px-token", load.contenders, load.threads,
                                 load.connections);
        const std::string what = "lockscope, " + std::to_string(load.contenders)
                                 + " contenders share " + std::to_string(load.connections);
        printRow(what.c_str(), shared.acquisitionsPerSecond(), floor);
    }
}

/// Other people's libraries, each with its own idea of a lock; Redisson's is in our catalogue too.
void ratesOfRivals(const store::Endpoint& server, double floor)
{
    const bench::RivalLoad load{kConnections, kKeys, static_cast<int>(kRunFor / 1s)};
    for (const bench::Rival& rival : bench::rivals(kConnections)) {
        const QByteArray name = rival.name.toUtf8();
        if (!rival.isInstalled) {
            std::printf("%-44s not installed\n", name.constData());
        } else if (const auto rate = bench::pairsPerSecond(rival, server, load)) {
            printRow(name.constData(), *rate, floor);
        } else {
            std::printf("%-44s failed\n", name.constData());
        }
    }
    const auto same = ours(server, "redisson-lock", kConnections, 2);
    printRow("lockscope's redisson-lock, 2 threads", same.acquisitionsPerSecond(), floor);
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    wire::PrivateServer server(wire::PrivateServer::Listen::LoopbackPort);
    server.start();
    if (!server.waitUntilReady()) {
        std::fprintf(stderr, "bench_locks: redis-server does not start\n");
        return 1;
    }
    std::printf("lock + unlock pairs, %d connections, %d keys, %s\n", kConnections, kKeys,
                "SET NX PX with a token and compare-and-delete by EVALSHA");
    const double floor = floorOfToken(server.endpoint());
    printRow("redis-benchmark (floor)", floor, 0);
    const double best = ratesOfOurs(server.endpoint(), floor);
    std::printf("goal: >= %.2f x floor: %s\n", kGoal, best >= kGoal * floor ? "met" : "MISSED");
    ratesOfShared(server.endpoint(), floor);
    ratesOfRivals(server.endpoint(), floor);
    return 0;
}
