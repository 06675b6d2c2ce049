// P7: from the start of the program to the first painted table, and its memory when idle. The
// program itself says when the table was painted (logging category lockscope.startup); the time is
// taken here.

#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/run/private_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace lockscope;

namespace {

constexpr int kRounds = 5;
constexpr int kLocks = 200;
constexpr int kPatienceMs = 20'000;
constexpr int kIdleMs = 5000;
constexpr auto kPaintedWords = "first table painted";

async::Task<void> populate(store::Store& store, bool& isDone)
{
    std::vector<store::Command> commands;
    for (int i = 0; i < kLocks; ++i) {
        commands.emplace_back("SET", "lock:job:" + std::to_string(i),
                              "worker-" + std::to_string(i) + ":4711", "PX", 3'600'000);
    }
    co_await store.submitAll(std::move(commands));
    isDone = true;
    QCoreApplication::quit();
}

void fill(QCoreApplication& app, const store::Endpoint& endpoint)
{
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    wire::Connection connection(endpoint, executor, clock, Rng(1));
    bool isDone = false;
    async::BackgroundTask task;
    QObject::connect(&connection, &wire::Connection::stateChanged, &app, [&] {
        if (connection.state() == wire::Connection::State::Online) {
            task = async::BackgroundTask(executor, populate(connection, isDone));
        }
    });
    connection.open();
    QCoreApplication::exec();
}

/// A line of /proc/<pid>/smaps_rollup, in MB.
double memoryMb(qint64 processId, const QByteArray& name)
{
    QFile file(QStringLiteral("/proc/%1/smaps_rollup").arg(processId));
    if (!file.open(QIODevice::ReadOnly)) {
        return -1;
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(name) && line.indexOf(':') == name.size()) {
            return line.simplified().split(' ').at(1).toDouble() / 1024.0;
        }
    }
    return -1;
}

struct Measured {
    double startMs = 0;
    double residentMb = 0;
    double proportionalMb = 0;
};

Measured measureOnce(const QString& program, const QString& url, const QString& home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("QT_LOGGING_RULES"),
                       QStringLiteral("lockscope.startup.debug=true"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home);
    QProcess window;
    window.setProcessEnvironment(environment);
    window.setProcessChannelMode(QProcess::MergedChannels);
    QElapsedTimer timer;
    timer.start();
    window.start(program, {url});
    QByteArray output;
    while (!output.contains(kPaintedWords) && window.state() != QProcess::NotRunning
           && timer.elapsed() < kPatienceMs) {
        window.waitForReadyRead(kPatienceMs);
        output += window.readAll();
    }
    Measured measured;
    measured.startMs = output.contains(kPaintedWords)
                           ? static_cast<double>(timer.nsecsElapsed()) / 1e6
                           : -1;
    window.waitForFinished(kIdleMs); // it does not finish: this is the time in which it settles
    measured.residentMb = memoryMb(window.processId(), "Rss");
    measured.proportionalMb = memoryMb(window.processId(), "Pss");
    window.kill();
    window.waitForFinished();
    return measured;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    wire::PrivateServer server(wire::PrivateServer::Listen::LoopbackPort);
    server.start();
    if (!server.waitUntilReady()) {
        std::fprintf(stderr, "bench_startup: redis-server did not start\n");
        return 1;
    }
    fill(app, server.endpoint());
    const QTemporaryDir home;
    const QString program = QCoreApplication::applicationDirPath()
                            + QStringLiteral("/../../app/lockscope");
    const QString url = QString::fromStdString(store::toUrl(server.endpoint()));
    std::vector<double> starts;
    std::vector<double> resident;
    std::vector<double> proportional;
    for (int round = 0; round < kRounds; ++round) {
        const Measured measured = measureOnce(program, url, home.path());
        if (measured.startMs < 0) {
            std::fprintf(stderr, "bench_startup: the table was never painted\n");
            return 1;
        }
        starts.push_back(measured.startMs);
        resident.push_back(measured.residentMb);
        proportional.push_back(measured.proportionalMb);
    }
    std::printf("P7 start to first painted table: median %.0f ms (goal <= 300)\n", median(starts));
    std::printf(
        "P7 memory when idle with %d locks: %.0f MB resident, %.0f MB proportional (goal <= 80)\n",
        kLocks, median(resident), median(proportional));
    return 0;
}
