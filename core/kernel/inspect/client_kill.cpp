#include "core/kernel/inspect/client_kill.h"

#include "core/kernel/inspect/client_directory.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

/// Of an outcome that is no useful answer.
Problem problemIn(const Outcome& outcome, std::string_view command)
{
    const store::Reply* const reply = replyOf(outcome);
    if (reply != nullptr && reply->error() != nullptr) {
        return store::problemOfServerError(reply->error()->text, command);
    }
    Problem problem = problemOf(outcome).value_or(Problem());
    if (problem.kind == Problem::Kind::None) {
        problem.kind = Problem::Kind::ProtocolBroken;
    }
    return problem;
}

/// The line of the client with this number; empty: it is not among them.
std::string lineOf(std::string_view list, std::uint64_t id)
{
    const std::string begin = "id=" + std::to_string(id) + ' ';
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find('\n', at), list.size());
        const std::string_view line = list.substr(at, end - at);
        if (line.starts_with(begin)) {
            return std::string(line);
        }
        at = end + 1;
    }
    return {};
}

bool isStill(const ClientInfo& client, std::string_view line)
{
    const auto listed = parseClientList(line);
    return listed && listed->size() == 1 && listed->front().address == client.address
           && listed->front().name == client.name;
}

} // namespace

async::Task<ClientSearch> findClientOf(store::Store& store, Bytes owner)
{
    ClientSearch search;
    Command command("CLIENT", "LIST", "TYPE", "NORMAL");
    const Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    const std::string* const text = reply != nullptr ? reply->text() : nullptr;
    if (text == nullptr) {
        search.problem = problemIn(outcome, "CLIENT LIST");
        co_return search;
    }
    const auto clients = parseClientList(*text);
    if (!clients) {
        search.fitSeveral = true; // too many to tell
        co_return search;
    }
    const ClientDirectory directory(*clients);
    const auto found = directory.find(owner);
    search.fitSeveral = found == nullptr && directory.hasAnyFor(owner);
    if (found != nullptr && found->id != 0) {
        search.client = HolderClient{*found, lineOf(*text, found->id)};
    }
    co_return search;
}

async::Task<KillReport> killClient(store::Store& store, HolderClient client)
{
    KillReport report;
    const std::string id = std::to_string(client.info.id);
    Command look("CLIENT", "LIST", "ID", id);
    const Outcome seen = co_await store.submit(look);
    const store::Reply* const list = replyOf(seen);
    if (list == nullptr || list->text() == nullptr) {
        report.result = ReleaseResult::Refused;
        report.problem = problemIn(seen, "CLIENT LIST");
        co_return report;
    }
    const std::string line = lineOf(*list->text(), client.info.id);
    if (line.empty() || !isStill(client.info, line)) {
        report.result = line.empty() ? ReleaseResult::AlreadyGone : ReleaseResult::ChangedHands;
        co_return report;
    }
    Command kill("CLIENT", "KILL", "ID", id, "ADDR", client.info.address);
    const Outcome killed = co_await store.submit(std::move(kill));
    const store::Reply* const answer = replyOf(killed);
    if (answer == nullptr || !answer->integer()) {
        const bool wasSent = std::holds_alternative<store::Unknown>(killed);
        report.result = wasSent ? ReleaseResult::Unknown : ReleaseResult::Refused;
        report.problem = problemIn(killed, "CLIENT KILL");
        co_return report;
    }
    if (*answer->integer() == 0) {
        report.result = ReleaseResult::AlreadyGone;
        co_return report;
    }
    report.result = ReleaseResult::Released;
    const Outcome after = co_await store.submit(std::move(look));
    const store::Reply* const rest = replyOf(after);
    report.isProven = rest != nullptr && rest->text() != nullptr
                      && lineOf(*rest->text(), client.info.id).empty();
    co_return report;
}

} // namespace lockscope::inspect
