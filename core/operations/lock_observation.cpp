#include "core/operations/lock_observation.h"

#include "core/kernel/inspect/server_questions.h"

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

namespace lockscope::operations {

using inspect::LockSnapshot;
using store::Problem;

namespace {

/// Leases are seconds: a hold that is shorter than this may be missed, which makes the others no
/// less true.
constexpr Duration kLookEvery = std::chrono::milliseconds(50);
constexpr Duration kAskEvery = std::chrono::seconds(1);

/// The locks of one server.
class Observer {
public:
    Observer(Servers& servers, Clock& clock, inspect::LockBook& book,
             inspect::FormatTablePtr formats, std::uint16_t server,
             std::vector<inspect::KeyGroup> groups)
        : m_server(server),
          m_store(servers.store(server)),
          m_clock(clock),
          m_book(book),
          m_groups(std::move(groups)),
          m_reader(m_store, clock, m_wallClock, inspect::ReadLimits(), std::move(formats))
    {
        m_book.setLive(m_server, true);
    }

    async::Task<bool> begin() { return inspect::adjustWallClock(m_store, m_clock, m_wallClock); }

    async::Task<Problem> look()
    {
        std::vector<inspect::KeyGroup> groups = m_groups;
        auto result = co_await m_reader.sight(m_server, std::move(groups));
        if (auto* const problem = std::get_if<Problem>(&result)) {
            co_return std::move(*problem);
        }
        for (LockSnapshot& snapshot : std::get<std::vector<LockSnapshot>>(result)) {
            snapshot.isPointedAt = true;
            m_book.see(snapshot, m_clock.now());
        }
        co_return Problem();
    }

    async::Task<Problem> ask()
    {
        return inspect::askAboutClients(m_store, m_clock, m_book, m_server);
    }

    std::uint16_t server() const { return m_server; }

private:
    std::uint16_t m_server;
    store::Store& m_store;
    Clock& m_clock;
    inspect::LockBook& m_book;
    std::vector<inspect::KeyGroup> m_groups;
    inspect::ServerWallClock m_wallClock;
    inspect::KeyReader m_reader;
};

} // namespace

async::Task<std::optional<std::pair<std::uint16_t, Problem>>> observeLocks(
    Servers& servers, Clock& clock, inspect::LockBook& book, inspect::FormatTablePtr formats,
    ObservedKeys keys, Duration span)
{
    std::vector<std::unique_ptr<Observer>> observers;
    for (std::uint16_t server = 0; server < keys.size(); ++server) {
        if (keys[server].empty()) {
            continue;
        }
        observers.push_back(std::make_unique<Observer>(servers, clock, book, formats, server,
                                                       std::move(keys[server])));
        static_cast<void>(co_await observers.back()->begin());
    }
    const Instant end = clock.now() + span;
    Instant askAt = clock.now();
    while (clock.now() < end) {
        const bool isAsking = clock.now() >= askAt;
        askAt = isAsking ? clock.now() + kAskEvery : askAt;
        for (const auto& observer : observers) {
            Problem problem = co_await observer->look();
            if (problem.kind == Problem::Kind::None && isAsking) {
                problem = co_await observer->ask();
            }
            if (problem.kind != Problem::Kind::None) {
                co_return std::pair(observer->server(), std::move(problem));
            }
        }
        book.tick(clock.now());
        static_cast<void>(book.takeDelta());
        co_await clock.wakeAt(std::min(end, clock.now() + kLookEvery));
    }
    co_return std::nullopt;
}

} // namespace lockscope::operations
