#include "app/cli/session/server_news.h"

#include <utility>

namespace lockscope::cli {

using service::LinkStatus;
using store::Problem;

namespace {

bool isWithoutHope(const LinkStatus& status)
{
    return status.state == LinkStatus::State::Waiting && status.nextAttempt == Instant::max();
}

std::string scopeOf(const LinkStatus& status)
{
    return status.isNarrow ? ". The server is busy: it reports changes only for names that "
                             "resemble known locks. Other keys are checked periodically."
                           : "";
}

std::string sentenceOf(const LinkStatus& status)
{
    const bool hasProblem = status.problem.kind != Problem::Kind::None;
    if (status.state == LinkStatus::State::Waiting) {
        return store::explain(status.problem)
               + (isWithoutHope(status) ? "" : " Retrying until it works.");
    }
    if (status.state == LinkStatus::State::Stalled) {
        return "state unknown: " + store::explain(status.problem);
    }
    if (status.state != LinkStatus::State::Online) {
        return {};
    }
    switch (status.live) {
    case LinkStatus::Live::None: return {};
    case LinkStatus::Live::Push:
        return hasProblem ? store::explain(status.problem) : "watching" + scopeOf(status);
    case LinkStatus::Live::KeyspaceEvents: return "watching with keyspace events" + scopeOf(status);
    case LinkStatus::Live::Polling: break;
    }
    return "the server does not report changes, so known locks are polled"
           + (hasProblem ? ". " + store::explain(status.problem) : std::string());
}

} // namespace

ServerNews::ServerNews(store::Endpoint endpoint, bool isDeep, Output& output)
    : m_endpoint(std::move(endpoint)),
      m_isDeep(isDeep),
      m_output(&output)
{}

void ServerNews::take(const LinkStatus& status)
{
    takeInfo(status.info);
    m_isHopeless = isWithoutHope(status);
    std::string sentence = sentenceOf(status);
    if (!sentence.empty() && !status.node.empty()) {
        sentence += " (master: " + status.node + ')';
    }
    if (sentence.empty() || sentence == m_reported) {
        return;
    }
    m_reported = std::move(sentence);
    complain(m_reported);
}

/// Says what kind of server it is, when that is not the usual one or not any more.
void ServerNews::takeInfo(store::ServerInfo info)
{
    info.commandsPerSecond = 0;
    info.masterSilentFor.reset(); // what counts on is no news
    if (info == m_info) {
        return;
    }
    const std::string before = store::explain(std::exchange(m_info, std::move(info)), m_endpoint);
    const std::string remark = store::explain(m_info, m_endpoint);
    if (remark != before) {
        complain(remark.empty() ? "This server is now a master." : remark);
    }
    const std::string effect = store::explainDeepLook(m_info);
    if (m_isDeep && !effect.empty()) {
        complain(effect);
    }
}

void ServerNews::take(const service::SweepProgress& progress)
{
    if (!progress.isDone || !progress.findings) {
        return;
    }
    const std::vector<std::string> sentences = inspect::unreadSentences(*progress.findings);
    const bool isNews = m_findings ? sentences != inspect::unreadSentences(*m_findings)
                                   : !sentences.empty();
    m_findings = progress.findings;
    if (!isNews) {
        return;
    }
    if (sentences.empty()) {
        complain("complete again");
    }
    for (const std::string& sentence : sentences) {
        complain("incomplete: " + sentence);
    }
}

void ServerNews::complain(const std::string& sentence) const
{
    m_output->complain(store::serverName(m_endpoint) + ": " + sentence);
}

std::vector<ServerNews> newsOf(const std::vector<store::Endpoint>& endpoints, bool isDeep,
                               Output& output)
{
    std::vector<ServerNews> news;
    news.reserve(endpoints.size());
    for (const store::Endpoint& endpoint : endpoints) {
        news.emplace_back(endpoint, isDeep, output);
    }
    return news;
}

} // namespace lockscope::cli
