#include "core/conduct/proof_conductor.h"

#include "core/conduct/clock_library.h"
#include "core/conduct/server/real_backend.h"
#include "core/conduct/stage_team.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/conduct/adapter_trial.h"
#include "core/wire/loop_clock.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace lockscope::conduct {

using namespace std::chrono_literals;
using service::ProofProgress;
using Phase = ProofProgress::Phase;

namespace {

constexpr auto kTick = 200ms;
/// Finds are replayed even if the time is over by then, but for at most as long as the search
/// itself, and no longer than this; the same again on a real server.
constexpr Duration kReplayingMax = 30s;
/// Of a process that waits: long enough to tell a lost wake-up from a slow one.
constexpr int kWaitInLeases = 3;
constexpr Duration kWaitWithoutLease = 6s;
constexpr int kRunsPerCoreInRealTime = 4;

/// Throws an AdapterMistake where a library that it needs is not there.
AdapterSetting settingOf(const service::ProofOrder& order)
{
    AdapterSetting setting;
    setting.words = order.words;
    setting.lease = order.lease;
    setting.doesClockFlow = order.clock == ClientClock::Flowing;
    setting.isProgram = order.isProgram;
    setting.serverCount = order.serverCount;
    setting.replicaCount = order.replicaCount;
    if (order.usesRealServer) {
        setting.realServer = realServerProgram();
        if (setting.realServer.empty()) {
            throw AdapterMistake(KernelText::tr("it cannot be run against a real server, as there "
                                                "is no redis-server in PATH"));
        }
    }
    if (order.clock != ClientClock::Real) {
        setting.clockLibrary = clockLibrary();
        if (setting.clockLibrary.empty()) {
            throw AdapterMistake(KernelText::tr("its clock cannot be moved, as "
                                                "liblockscope-vclock.so is not where it was "
                                                "installed; use the real clock"));
        }
    }
    return setting;
}

Surroundings surroundingsOf(const service::ProofOrder& order)
{
    Surroundings surroundings;
    surroundings.lease = order.lease;
    surroundings.waitMax = order.lease > Duration(0) ? Duration(order.lease * kWaitInLeases)
                                                     : kWaitWithoutLease;
    surroundings.processCount = order.processCount;
    surroundings.serverCount = order.serverCount;
    surroundings.replicaCount = order.replicaCount;
    surroundings.isTimeFree = order.clock != ClientClock::Real;
    return surroundings;
}

/// Clients with a clock of their own spend most of a run waiting for it.
int widthOf(const service::ProofOrder& order)
{
    const int cores = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
    const int usual = order.clock == ClientClock::Real ? cores * kRunsPerCoreInRealTime : cores;
    return order.threadCount > 0 ? order.threadCount : usual;
}

} // namespace

ProofConductor::ProofConductor(const Clock& clock, QObject* parent)
    : ProofRunner(parent),
      m_clock(clock)
{
    m_ticker.setInterval(kTick);
    connect(&m_ticker, &QTimer::timeout, this, &ProofConductor::look);
}

ProofConductor::~ProofConductor()
{
    join();
}

void ProofConductor::join()
{
    m_isCancelled = true;
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void ProofConductor::start(const service::ProofOrder& order)
{
    join();
    m_order = order;
    m_outcome = {};
    m_progress = {};
    m_progress.phase = Phase::Trying;
    m_isCancelled = false;
    m_isSearching = false;
    m_runCount = 0;
    m_bugCount = 0;
    m_begin = m_clock.now();
    m_thread = std::thread([this, number = ++m_number] { conduct(number); });
    m_ticker.start();
    Q_EMIT progressed(m_progress);
}

void ProofConductor::cancel()
{
    if (m_progress.isUnderWay()) {
        m_isCancelled = true;
        m_progress.isStopping = true;
        look();
    }
}

/// On the thread of its own.
void ProofConductor::conduct(std::uint64_t number)
{
    try {
        search(number);
    } catch (const RunEnded&) {
        // The run was ended while a process was started.
        if (!m_isCancelled.load()) {
            m_outcome.mistake =
                KernelText::tr("it did not print a line \"ready …\" within the time "
                               "for the search; if it needs longer to start, set a "
                               "longer budget");
        }
    } catch (const std::runtime_error& problem) { // an AdapterMistake, a lack of files or processes
        m_outcome.mistake = problem.what();
    }
    tellOwner(number, [this] { finish(); });
}

/// From the thread of its own.
void ProofConductor::tellOwner(std::uint64_t number, std::function<void()> news)
{
    const auto tell = [this, number, news = std::move(news)] {
        if (number == m_number) { // no other one was started meanwhile
            news();
        }
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

bool ProofConductor::isBefore(Instant end) const
{
    return !m_isCancelled.load() && wire::LoopClock::present() < end;
}

/// The processes keep to the same ends as the search, even in the middle of a run.
void ProofConductor::search(std::uint64_t number)
{
    const Duration replaying = std::min(m_order.budget, kReplayingMax);
    const Instant deadline = wire::LoopClock::present() + m_order.budget;
    std::atomic<bool> isReplaying = false;
    AdapterSetting setting = settingOf(m_order);
    setting.mayGoOn = [&] { return isBefore(isReplaying ? deadline + replaying : deadline); };
    StageTeam team(setting, widthOf(m_order));
    const Surroundings surroundings = surroundingsOf(m_order);
    const auto trial = m_order.isProgram ? tryProgram(team, surroundings)
                                         : tryAdapter(team, team.vocabulary(), surroundings);
    m_outcome.traits = trial.traits;
    if (!isBefore(deadline)) {
        return; // in the middle of the trial, as a rule: nothing is known
    }
    m_outcome.mistake = trial.mistake;
    if (!trial.mistake.empty()) {
        return;
    }
    m_isSearching = true;
    auto workloads = m_order.isProgram ? std::vector{programsWorkload(surroundings)}
                                       : workloadsFor(trial.traits, surroundings);
    std::erase_if(workloads, [this](const Workload& workload) {
        return !m_order.workload.empty() && workload.id != m_order.workload;
    });
    ProofBounds bounds = m_order.bounds;
    bounds.goOn = [&] {
        isReplaying = false;
        return isBefore(deadline);
    };
    bounds.mayReplay = [&] {
        isReplaying = true;
        return isBefore(deadline + replaying);
    };
    ProofListener listener;
    listener.progressed = [this](const Proof& proof) {
        m_runCount = proof.runCount;
        m_bugCount = proof.bugs.size();
    };
    listener.found = [this, number](const Find& find) {
        tellOwner(number, [this, find] { Q_EMIT found(find); });
    };
    m_outcome.proof = prove(team, workloads, bounds, listener);
    if (!m_outcome.proof.bugs.empty() && !m_isCancelled.load()) {
        setting.mayGoOn = [this, end = wire::LoopClock::present() + replaying] {
            return isBefore(end);
        };
        checkOnRealServer(std::move(setting));
    }
}

/// What was found with a simulated server has to show with a real one as well: it was not the
/// simulation's doing then.
void ProofConductor::checkOnRealServer(AdapterSetting setting)
{
    setting.realServer = realServerProgram();
    if (m_order.usesRealServer || m_order.replicaCount > 0 || setting.realServer.empty()) {
        return;
    }
    try {
        StageTeam team(setting, widthOf(m_order));
        checkForReal(team, m_outcome.proof, m_order.bounds.replays, setting.mayGoOn);
        m_outcome.realServer = RealBackend(setting.realServer).version();
    } catch (const std::runtime_error&) { // it does not start: nothing is said of it
        m_outcome.realServer.clear();
    }
}

void ProofConductor::look()
{
    if (!m_progress.isUnderWay()) {
        return;
    }
    m_progress.phase = m_isSearching ? Phase::Searching : Phase::Trying;
    m_progress.elapsed = m_clock.now() - m_begin;
    m_progress.runCount = m_runCount;
    m_progress.bugCount = m_bugCount;
    const double seconds = std::chrono::duration<double>(m_progress.elapsed).count();
    m_progress.runsPerSecond = static_cast<std::uint64_t>(static_cast<double>(m_progress.runCount)
                                                          / std::max(seconds, 0.1));
    Q_EMIT progressed(m_progress);
}

void ProofConductor::finish()
{
    if (!m_progress.isUnderWay()) {
        return;
    }
    const bool wasCancelled = m_isCancelled;
    join();
    m_ticker.stop();
    look(); // the last figures
    m_progress.phase = wasCancelled ? Phase::Cancelled : Phase::Finished;
    m_progress.isStopping = false;
    Q_EMIT progressed(m_progress);
}

} // namespace lockscope::conduct
