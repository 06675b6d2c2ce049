#include "app/cli/session/server_survey.h"

#include "app/cli/session/own_formats.h"
#include "core/operations/lock_observation.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

ServerSurvey::ServerSurvey(const Context& context, Duration watchFor)
    : m_context(context),
      m_watchFor(watchFor),
      m_names(serverNames(context.endpoints)),
      m_formats(formatsOfUser(context.output)),
      m_book(context.endpoints, m_formats),
      m_links(context),
      m_survey(context.executor, context.clock, m_links.servers(), m_book, {false, {}, m_formats},
               [] {})
{}

async::Task<bool> ServerSurvey::run()
{
    const bool isOpen = co_await m_links.open(ServerLinks::Absence::OfSome);
    if (!isOpen) {
        m_problem = m_links.problem();
        co_return false;
    }
    m_isOfSet = m_links.isSet();
    if (!store::mayVoteTogether(m_links.infos())) {
        m_book.keepApart(m_context.clock.now());
    }
    m_survey.leaveOut(m_links.unreachable());
    auto failure = co_await m_survey.run();
    if (failure) {
        co_return fail(failure->server, std::move(failure->problem));
    }
    if (m_watchFor == Duration(0)) {
        co_return true;
    }
    const bool isWatched = co_await watch();
    co_return isWatched;
}

async::Task<bool> ServerSurvey::watch()
{
    operations::ObservedKeys keys;
    for (std::uint16_t server = 0; server < m_links.count(); ++server) {
        keys.push_back(m_book.groups(server));
        keys.back().resize(std::min(keys.back().size(), kWatchedLocksMax));
    }
    auto lost = co_await operations::observeLocks(m_links.servers(), m_context.clock, m_book,
                                                  m_formats, std::move(keys), m_watchFor);
    co_return lost ? fail(lost->first, std::move(lost->second)) : true;
}

bool ServerSurvey::fail(std::size_t server, store::Problem problem)
{
    m_problem = std::move(problem);
    m_context.output.complain(m_names[server] + ": " + store::explain(m_problem));
    return false;
}

} // namespace lockscope::cli
