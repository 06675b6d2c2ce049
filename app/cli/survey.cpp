#include "cli/survey.h"

#include "inspect/client_directory.h"
#include "inspect/limit_problems.h"
#include "inspect/subscriber_counts.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

/// The link's problem; a server that only refuses this one command is none.
Problem linkProblemOf(const Outcome& outcome)
{
    return store::replyOf(outcome) != nullptr ? Problem() : problemOf(outcome).value_or(Problem());
}

} // namespace

Survey::Survey(const Context& context, std::uint16_t server, store::Store& store,
               inspect::LockBook& book, const Selection& selection, Progress progress)
    : m_context(context),
      m_server(server),
      m_store(store),
      m_book(book),
      m_selection(selection),
      m_progress(std::move(progress)),
      m_names(selection.patterns),
      m_reader(store, context.clock, m_calendar),
      m_sweep(context.executor, store, context.clock, m_reader, m_names, *this)
{}

async::Task<inspect::SweepEnd> Survey::run()
{
    co_await adjustCalendar();
    inspect::SweepOptions options;
    options.server = m_server;
    options.isDeep = m_selection.isDeep;
    inspect::SweepEnd end = co_await m_sweep.run(options);
    m_findings.addLongNames(end.longNameCount);
    if (end.problem.kind == Problem::Kind::None && m_book.isFull()) {
        end.problem = inspect::tooManyLocks();
    }
    if (end.problem.kind == Problem::Kind::None) {
        end.problem = co_await askAboutCompany();
    }
    co_return end;
}

async::Task<Problem> Survey::askAboutCompany()
{
    Problem problem = co_await countWaiters();
    if (problem.kind == Problem::Kind::None) {
        problem = co_await listClients();
    }
    co_return problem;
}

async::Task<void> Survey::adjustCalendar()
{
    const Instant askedAt = m_context.clock.now();
    m_calendar.assume(m_context.clock.wallNow(), askedAt);
    Command command("TIME");
    const Outcome outcome = co_await m_store.submit(std::move(command));
    if (const store::Reply* const reply = store::replyOf(outcome)) {
        m_calendar.adjust(*reply, askedAt, m_context.clock.now());
    }
}

async::Task<Problem> Survey::countWaiters()
{
    const auto channels = m_book.waiterChannels(m_server);
    for (std::size_t at = 0; at < channels.size(); at += inspect::kChannelsPerCommand) {
        const std::size_t end = std::min(at + inspect::kChannelsPerCommand, channels.size());
        Command command("PUBSUB", "NUMSUB");
        for (std::size_t i = at; i < end; ++i) {
            command.append(channels[i].second);
        }
        const Outcome outcome = co_await m_store.submit(std::move(command));
        const store::Reply* const reply = store::replyOf(outcome);
        if (reply == nullptr || reply->isError()) {
            co_return linkProblemOf(outcome);
        }
        const auto counts = inspect::subscriberCountsOf(*reply, end - at);
        for (std::size_t i = at; i < end; ++i) {
            m_book.setWaiters(channels[i].first, counts[i - at], m_context.clock.now());
        }
    }
    co_return Problem();
}

async::Task<Problem> Survey::listClients()
{
    Command command("CLIENT", "LIST", "TYPE", "NORMAL");
    const Outcome outcome = co_await m_store.submit(std::move(command));
    const store::Reply* const reply = store::replyOf(outcome);
    if (reply == nullptr || reply->isError()) {
        co_return linkProblemOf(outcome);
    }
    const std::string* const text = reply->text();
    if (const auto clients = text != nullptr ? inspect::parseClientList(*text) : std::nullopt) {
        m_book.setClients(m_server, inspect::ClientDirectory(*clients), m_context.clock.now());
    }
    co_return Problem();
}

async::Task<Problem> Survey::lookAgain(std::vector<inspect::KeyGroup> groups)
{
    auto result = co_await m_reader.sight(m_server, std::move(groups));
    if (auto* const problem = std::get_if<Problem>(&result)) {
        co_return std::move(*problem);
    }
    sighted(std::move(std::get<std::vector<inspect::Sighting>>(result)));
    co_return Problem();
}

void Survey::sighted(std::vector<inspect::Sighting> sightings)
{
    const Instant now = m_context.clock.now();
    for (inspect::Sighting& sighting : sightings) {
        m_names.markIfNamed(sighting);
        const bool isLock = m_book.see(sighting, now);
        m_findings.take(sighting, isLock);
    }
}

void Survey::progressed(std::uint64_t scanned, std::uint64_t total)
{
    m_scanned = scanned;
    m_total = total;
    m_progress();
}

} // namespace lockscope::cli
