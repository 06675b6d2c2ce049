#include "app/cli/session/prove_session.h"

#include "app/cli/output/lock_table.h"
#include "core/conduct/process_stage.h"
#include "core/kernel/conduct/adapter_trial.h"
#include "core/wire/loop_clock.h"

#include <chrono>
#include <csignal>
#include <utility>

namespace lockscope::cli {

using namespace std::chrono_literals;

namespace {

constexpr int kProgressMs = 200;
/// Of a process that waits: long enough to tell a lost wake-up from a slow one.
constexpr int kWaitInLeases = 3;

} // namespace

ProveSession::ProveSession(const Context& context, ProveOrder order)
    : m_context(context),
      m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output),
      m_order(std::move(order)),
      m_begin(context.clock.now())
{
    connect(&m_relay, &SignalRelay::received, this, [this](int signalNumber) {
        m_signal = signalNumber;
        m_isCancelled.store(true);
    });
    connect(&m_ticker, &QTimer::timeout, this, &ProveSession::showProgress);
    connect(&m_pool, &pool::WorkerPool::finished, this, [this] {
        m_ticker.stop();
        m_end.complete(true);
    });
    m_ticker.start(kProgressMs);
    m_pool.start({[this](sim::LuaEngine&) { prove(); }}, 1);
}

void ProveSession::prove()
{
    const Instant deadline = wire::LoopClock::present() + m_order.budget;
    conduct::ProofBounds bounds = m_order.bounds;
    bounds.goOn = [this, deadline] {
        return !m_isCancelled.load() && wire::LoopClock::present() < deadline;
    };
    conduct::ProofListener listener;
    listener.progressed = [this](const conduct::Proof& proof) {
        m_runCount.store(proof.runCount);
        m_bugCount.store(proof.bugs.size());
    };
    const Duration lease = m_order.adapter.lease;
    try {
        conduct::ProcessStage stage(m_order.adapter);
        const auto trial = conduct::tryAdapter(stage, stage.vocabulary(), lease, Duration(0));
        m_outcome.mistake = trial.mistake;
        m_outcome.traits = trial.traits;
        if (trial.mistake.empty()) {
            const Duration waitMax = lease > 0s ? Duration(lease * kWaitInLeases) : 6s;
            auto workloads = conduct::workloadsFor(trial.traits, lease, waitMax);
            std::erase_if(workloads, [this](const conduct::Workload& workload) {
                return !m_order.workload.empty() && workload.id != m_order.workload;
            });
            m_outcome.proof = conduct::prove(stage, workloads, bounds, listener);
        }
    } catch (const conduct::AdapterMistake& mistake) {
        m_outcome.mistake = mistake.what();
    }
}

void ProveSession::showProgress()
{
    const auto seconds = std::chrono::duration<double>(m_context.clock.now() - m_begin).count();
    const std::uint64_t runs = m_runCount.load();
    m_context.output.progress("proving · " + countText(runs) + " runs · "
                              + countText(static_cast<std::uint64_t>(static_cast<double>(runs)
                                                                     / std::max(seconds, 0.1)))
                              + "/s · " + countText(m_bugCount.load()) + " broken");
}

} // namespace lockscope::cli
