#include "core/operations/survey.h"

#include "core/kernel/async/when_all.h"
#include "core/kernel/inspect/limit_problems.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/server_questions.h"
#include "core/kernel/inspect/subscriber_counts.h"
#include "core/kernel/inspect/watch/budget_pace.h"
#include "core/kernel/store/metered_store.h"

#include <numeric>
#include <utility>

namespace lockscope::operations {

using inspect::LockPtr;
using inspect::SweepEnd;
using store::Problem;

namespace {

/// A Redlock is taken server by server. What still looks split after this is split.
constexpr Duration kSplitPause = std::chrono::milliseconds(1050);

bool looksSplit(const LockPtr& row)
{
    return row->quorum().total > 0 && (row->quorum().isMinority() || row->holders.size() > 1);
}

} // namespace

class Survey::OfServer final : private inspect::SweepSink {
public:
    OfServer(async::Executor& executor, Clock& clock, store::Store& store, std::uint16_t server,
             store::Budget budget, inspect::LockBook& book, const SurveyOptions& options,
             std::function<void()> progressed)
        : m_clock(clock),
          m_store(executor, store),
          m_server(server),
          m_isDeep(options.isDeep),
          m_book(book),
          m_progressed(std::move(progressed)),
          m_names(options.patterns, options.formats),
          m_reader(m_store, clock, m_wallClock, inspect::ReadLimits(), options.formats),
          m_pace(m_store, clock, budget),
          m_sweep(executor, m_store, clock, m_reader, m_names, *this, &m_pace)
    {}

    async::Task<Problem> run()
    {
        co_await inspect::adjustWallClock(m_store, m_clock, m_wallClock);
        inspect::SweepOptions options;
        options.server = m_server;
        options.isDeep = m_isDeep;
        end = co_await m_sweep.run(options);
        findings.addLongNames(end.longNameCount);
        if (end.problem.kind != Problem::Kind::None) {
            co_return end.problem;
        }
        if (m_book.isFull()) {
            co_return inspect::tooManyLocks();
        }
        Problem problem = co_await lookAtWaitedFor();
        if (problem.kind == Problem::Kind::None) {
            problem = co_await inspect::askAboutClients(m_store, m_clock, m_book, m_server);
        }
        co_return problem;
    }

    /// The locks whose names say nothing, but whose waiters listen to a channel that does.
    async::Task<Problem> lookAtWaitedFor()
    {
        std::vector<inspect::KeyGroup> groups;
        const auto names = co_await inspect::namesWaitedFor(m_store);
        for (const Bytes& name : names.value_or(std::vector<Bytes>())) {
            if (!m_book.knowsKey(m_server, name)) {
                groups.push_back({name, {name}});
            }
        }
        Problem problem = co_await lookAgain(std::move(groups));
        co_return problem;
    }

    async::Task<Problem> lookAgain(std::vector<inspect::KeyGroup> groups)
    {
        auto result = co_await m_reader.sight(m_server, std::move(groups));
        if (auto* const problem = std::get_if<Problem>(&result)) {
            co_return std::move(*problem);
        }
        sighted(std::move(std::get<std::vector<inspect::LockSnapshot>>(result)));
        co_return Problem();
    }

    SweepEnd end; // so far
    inspect::SweepFindings findings;

private:
    void sighted(std::vector<inspect::LockSnapshot> snapshots) override
    {
        const Instant now = m_clock.now();
        for (inspect::LockSnapshot& snapshot : snapshots) {
            m_names.markIfNamed(snapshot);
            const bool isLock = m_book.see(snapshot, now);
            findings.addSnapshot(snapshot, isLock);
        }
    }

    void progressed(std::uint64_t scanned, std::uint64_t total) override
    {
        end.scanned = scanned;
        end.total = total;
        m_progressed();
    }

    Clock& m_clock;
    store::MeteredStore m_store;
    std::uint16_t m_server;
    bool m_isDeep;
    inspect::LockBook& m_book;
    std::function<void()> m_progressed;
    inspect::NameRules m_names;
    inspect::ServerWallClock m_wallClock;
    inspect::KeyReader m_reader;
    inspect::BudgetPace m_pace;
    inspect::Sweep m_sweep;
};

Survey::Survey(async::Executor& executor, Clock& clock, Servers& servers, inspect::LockBook& book,
               SurveyOptions options, std::function<void()> progressed)
    : m_executor(executor),
      m_clock(clock),
      m_all(servers),
      m_book(book)
{
    for (std::size_t i = 0; i < servers.count(); ++i) {
        m_servers.push_back(std::make_unique<OfServer>(executor, clock, servers.store(i),
                                                       static_cast<std::uint16_t>(i),
                                                       servers.endpoint(i).budget, book, options,
                                                       progressed));
        m_asked.push_back(static_cast<std::uint16_t>(i));
    }
}

Survey::~Survey() = default;

void Survey::leaveOut(std::span<const std::uint16_t> unreachable)
{
    for (const std::uint16_t server : unreachable) {
        std::erase(m_asked, server);
    }
}

void Survey::takeTopologies()
{
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        if (store::ClusterTopologyPtr topology = m_all.topology(server)) {
            m_book.setTopology(server, std::move(topology), m_clock.now());
        }
    }
}

async::Task<std::optional<Survey::Failure>> Survey::run()
{
    std::vector<async::Task<Problem>> tasks;
    tasks.reserve(m_asked.size());
    for (const std::uint16_t server : m_asked) {
        tasks.push_back(m_servers[server]->run());
    }
    const auto problems = co_await async::whenAll(m_executor, std::move(tasks));
    takeTopologies(); // known by now, and as new as can be
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const std::uint16_t server = m_asked[i];
        if (problems[i].kind != Problem::Kind::None) {
            co_return Failure{server, problems[i], m_servers[server]->end};
        }
        m_book.setSwept(server, m_clock.now());
    }
    auto failure = co_await confirmSplits();
    co_return failure;
}

/// Looks again at Redlock rows that may only have been caught in the moment of being taken.
async::Task<std::optional<Survey::Failure>> Survey::confirmSplits()
{
    std::vector<inspect::KeyGroup> groups;
    for (const LockPtr& row : m_book.rows()) {
        if (looksSplit(row)) {
            groups.push_back({row->id.name, {row->id.name}});
        }
    }
    if (groups.empty()) {
        co_return std::nullopt;
    }
    co_await m_clock.wakeAt(m_clock.now() + kSplitPause);
    for (const std::uint16_t server : m_asked) {
        const Problem problem = co_await m_servers[server]->lookAgain(groups);
        if (problem.kind != Problem::Kind::None) {
            co_return Failure{server, problem, std::nullopt};
        }
    }
    m_book.tick(m_clock.now());
    co_return std::nullopt;
}

const inspect::SweepFindings& Survey::findings(std::size_t server) const
{
    return m_servers[server]->findings;
}

std::uint64_t Survey::scanned() const
{
    return std::accumulate(m_servers.begin(), m_servers.end(), std::uint64_t(0),
                           [](std::uint64_t sum, const auto& s) { return sum + s->end.scanned; });
}

std::uint64_t Survey::total() const
{
    return std::accumulate(m_servers.begin(), m_servers.end(), std::uint64_t(0),
                           [](std::uint64_t sum, const auto& s) { return sum + s->end.total; });
}

} // namespace lockscope::operations
