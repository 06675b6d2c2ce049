#include "app/cli/session/search_session.h"

#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"

#include <csignal>
#include <utility>

namespace lockscope::cli {

using service::SearchProgress;
using Phase = SearchProgress::Phase;

namespace {

/// "searching · 12,345 schedules · 98,765/s · 5,432 states · deepest 31 · 12 of 96"
std::string searchProgressLine(const SearchProgress& progress)
{
    const search::Coverage& coverage = progress.coverage;
    std::string line = progress.phase == Phase::Telling ? "telling" : "searching";
    line += " · " + countText(coverage.schedules) + " schedules";
    line += " · " + countText(progress.schedulesPerSecond) + "/s";
    line += " · " + countText(coverage.states) + " states";
    line += " · deepest " + std::to_string(coverage.longest);
    return line + " · " + countText(progress.doneCount) + " of " + countText(progress.partCount);
}

} // namespace

SearchSession::SearchSession(const Context& context)
    : m_context(context),
      m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output),
      m_pool(context.clock)
{
    connect(&m_relay, &SignalRelay::received, this, [this](int signalNumber) {
        m_signal = signalNumber;
        m_pool.cancel();
    });
    connect(&m_pool, &service::SearchRunner::progressed, this, &SearchSession::takeProgress);
}

SearchSession::SearchSession(const Context& context, const service::SearchOrder& order)
    : SearchSession(context, order, std::vector<pool::PartResult>())
{}

SearchSession::SearchSession(const Context& context, const service::SearchOrder& order,
                             const pool::Shard& shard)
    : SearchSession(context)
{
    m_isShard = true;
    m_pool.startShard(order, shard);
}

SearchSession::SearchSession(const Context& context, const service::SearchOrder& order,
                             std::vector<pool::PartResult> known)
    : SearchSession(context)
{
    if (known.empty()) {
        m_pool.start(order);
    } else {
        m_pool.startTelling(order, std::move(known));
    }
}

int SearchSession::interruptCode() const
{
    return ExitBySignal + m_signal;
}

void SearchSession::takeProgress(const SearchProgress& progress)
{
    if (!progress.isOver()) {
        m_context.output.progress(searchProgressLine(progress));
        return;
    }
    if (progress.phase == Phase::Cancelled) {
        m_context.output.complain(m_isShard ? "interrupted: part of a shard cannot be merged, so "
                                              "nothing is printed"
                                            : "interrupted: the results so far follow");
    }
    m_end.complete(progress.phase == Phase::Finished);
}

} // namespace lockscope::cli
