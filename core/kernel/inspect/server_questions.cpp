#include "core/kernel/inspect/server_questions.h"

#include "core/kernel/inspect/client_directory.h"
#include "core/kernel/inspect/subscriber_counts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

/// Of an answer that is none, or an error.
Answered answeredBy(const Outcome& outcome)
{
    const bool isRefused = replyOf(outcome) != nullptr;
    return {isRefused ? Problem() : problemOf(outcome).value_or(Problem()), isRefused, {}};
}

} // namespace

async::Task<bool> adjustWallClock(store::Store& store, Clock& clock, ServerWallClock& wallClock)
{
    const Instant askedAt = clock.now();
    wallClock.assume(clock.wallNow(), askedAt);
    Command command("TIME");
    const Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    if (reply != nullptr) {
        wallClock.adjust(*reply, askedAt, clock.now());
    }
    co_return reply != nullptr;
}

async::Task<Answered> countWaiters(store::Store& store, Clock& clock, LockBook& book,
                                   std::uint16_t server,
                                   std::optional<std::vector<Bytes>> waitedFor)
{
    const auto locks = waitedFor ? book.waiterChannels(server, *waitedFor)
                                 : book.waiterChannels(server);
    std::vector<Bytes> channels;
    std::ranges::transform(locks, std::back_inserter(channels),
                           [](const auto& lock) { return lock.second; });
    const SubscriberCounts answer = co_await countSubscribers(store, std::move(channels));
    if (answer.failure) {
        co_return answeredBy(*answer.failure);
    }
    for (std::size_t i = 0; i < locks.size(); ++i) {
        book.setWaiters(locks[i].first, answer.counts[i], clock.now());
    }
    co_return Answered();
}

async::Task<Answered> listClients(store::Store& store, Clock& clock, LockBook& book,
                                  std::uint16_t server)
{
    Command command("CLIENT", "LIST", "TYPE", "NORMAL");
    const Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    if (!isUseful(reply)) {
        co_return answeredBy(outcome);
    }
    Answered answered;
    const std::string* const text = reply->text();
    if (const auto clients = text != nullptr ? parseClientList(*text) : std::nullopt) {
        book.setClients(server, ClientDirectory(*clients), clock.now());
        answered.clientCount = clients->size();
    }
    co_return answered;
}

async::Task<Problem> askAboutClients(store::Store& store, Clock& clock, LockBook& book,
                                     std::uint16_t server)
{
    std::optional<std::vector<Bytes>> notKnown;
    Answered answered = co_await countWaiters(store, clock, book, server, std::move(notKnown));
    if (answered.problem.kind == Problem::Kind::None) {
        answered = co_await listClients(store, clock, book, server);
    }
    co_return answered.problem;
}

} // namespace lockscope::inspect
