// P10: runs of a real client under `lockscope-cli prove`, warm, with the virtual clock: redis-py's
// lock as tests/prove has it, the natural order of three processes that hand a lock on. First on
// one core, then on all of them.

#include "core/conduct/clock_library.h"
#include "core/conduct/stage_team.h"
#include "core/kernel/conduct/adapter_trial.h"
#include "core/pool/worker_pool.h"
#include "core/wire/loop_clock.h"

#include <QProcess>
#include <QString>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr Duration kLease = 2s;
constexpr int kWarmRuns = 40; // for each process
constexpr Duration kMeasured = 5s;
constexpr int kRounds = 5;

/// Installs the library where that was not done yet.
std::string adapterLine()
{
    QProcess process;
    process.start(QStringLiteral("python3"),
                  {QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/prove/environments.py"),
                   QStringLiteral("command"), QStringLiteral("redis-py-8.1.0"),
                   QStringLiteral("redis_py")});
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    return process.waitForFinished(-1) && process.exitCode() == 0
               ? process.readAllStandardOutput().trimmed().toStdString()
               : std::string();
}

double runsPerSecond(conduct::StageTeam& team, const conduct::Workload& workload)
{
    const std::vector<conduct::Play> some(static_cast<std::size_t>(team.width()) * kWarmRuns / 4,
                                          conduct::Play{&workload, {}});
    std::size_t count = 0;
    const Instant begin = wire::LoopClock::present();
    Instant now = begin;
    for (; now < begin + kMeasured; now = wire::LoopClock::present()) {
        for (const conduct::RunLog& log : team.playAll(some)) {
            if (!log.trouble.empty()) {
                throw std::runtime_error(log.trouble);
            }
            ++count;
        }
    }
    return static_cast<double>(count) / std::chrono::duration<double>(now - begin).count();
}

void measure(const conduct::AdapterSetting& setting, int width)
{
    conduct::StageTeam team(setting, width);
    const auto trial = conduct::tryAdapter(team, team.vocabulary(), {.lease = kLease});
    if (!trial.mistake.empty()) {
        throw std::runtime_error(trial.mistake);
    }
    const conduct::Workload workload =
        conduct::workloadsFor(trial.traits, {.lease = kLease}).front();
    team.playAll(std::vector<conduct::Play>(static_cast<std::size_t>(width) * kWarmRuns,
                                            {&workload, {}}));
    std::printf("P10 runs of redis-py, %zu acts and three processes each, on %d core%s:",
                workload.acts.size(), width, width == 1 ? "" : "s");
    for (int round = 0; round < kRounds; ++round) {
        std::printf(" %.0f", runsPerSecond(team, workload));
    }
    std::printf(" runs/s (goal >= %d)\n", 200 * width);
}

} // namespace

int main()
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    conduct::AdapterSetting setting;
    setting.lease = kLease;
    setting.clockLibrary = conduct::clockLibrary();
    const std::string line = adapterLine();
    if (line.empty()) {
        std::fprintf(stderr, "bench_prove: redis-py cannot be installed\n");
        return 1;
    }
    setting.words = {"/bin/sh", "-c", "exec " + line};
    try {
        measure(setting, 1);
        measure(setting, pool::WorkerPool::coreCount());
    } catch (const std::runtime_error& problem) {
        std::fprintf(stderr, "bench_prove: %s\n", problem.what());
        return 1;
    }
    return 0;
}
