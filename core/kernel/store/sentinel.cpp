#include "core/kernel/store/sentinel.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/whole_number.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

namespace lockscope::store {

namespace {

/// Of a list of names and values, as Sentinels describe a master; empty when it is not there.
std::string valueIn(const Reply& description, std::string_view name)
{
    const Reply::Array* const parts = description.array();
    for (std::size_t i = 0; parts != nullptr && i + 1 < parts->size(); i += 2) {
        const std::string* const field = (*parts)[i].text();
        const std::string* const value = (*parts)[i + 1].text();
        if (field != nullptr && value != nullptr && *field == name) {
            return *value;
        }
    }
    return {};
}

/// {"10.0.0.5", "6379"}
std::optional<HostPort> addressIn(const Reply& reply)
{
    const Reply::Array* const parts = reply.array();
    if (parts == nullptr || parts->size() != 2) {
        return std::nullopt;
    }
    const std::string* const host = parts->front().text();
    const std::string* const port = parts->back().text();
    if (host == nullptr || host->empty() || port == nullptr) {
        return std::nullopt;
    }
    const auto number = wholeNumberIn<std::uint16_t>(*port);
    return number ? std::optional(HostPort{*host, *number}) : std::nullopt;
}

bool isAboutPassword(const Problem& problem)
{
    return problem.kind == Problem::Kind::PasswordWrong
           || problem.kind == Problem::Kind::PasswordNeeded;
}

/// Short, as it stands in a list: the words of the system, where there are any.
std::string reasonOf(const Problem& problem)
{
    const bool isServer = problem.kind == Problem::Kind::ServerRefused
                          && problem.detail.find("unknown command") != std::string::npos;
    return isServer                 ? KernelText::tr("this is not a Sentinel")
           : problem.detail.empty() ? explain(problem)
                                    : problem.detail;
}

std::string reasonsOf(std::span<const SentinelAnswer> answers)
{
    std::string reasons;
    for (const SentinelAnswer& answer : answers) {
        reasons += reasons.empty() ? "" : "; ";
        reasons += hostPortText(answer.sentinel) + ": " + reasonOf(answer.problem);
    }
    return reasons;
}

/// Why no answer names a master. What could be mended at once comes first.
Problem problemOfAnswers(const SentinelSet& sentinels, std::span<const SentinelAnswer> answers)
{
    std::set<std::string> names;
    bool isNameUnknown = false;
    for (const SentinelAnswer& answer : answers) {
        isNameUnknown = isNameUnknown || answer.problem.kind == Problem::Kind::None;
        names.insert(answer.knownNames.begin(), answer.knownNames.end());
    }
    if (isNameUnknown) {
        std::string known;
        for (const std::string& name : names) {
            known += (known.empty() ? "" : ", ") + name;
        }
        return {Problem::Kind::NoSuchMaster, sentinels.masterName, {}, known};
    }
    const auto findProblem = [answers](const auto& isMeant) {
        const auto found = std::ranges::find_if(answers, [&isMeant](const SentinelAnswer& a) {
            return isMeant(a.problem);
        });
        return found != answers.end() ? &*found : nullptr;
    };
    if (const SentinelAnswer* const refusing = findProblem(isAboutPassword)) {
        return {Problem::Kind::SentinelPassword,
                hostPortText(refusing->sentinel) + ": " + refusing->problem.detail,
                {},
                {}};
    }
    const SentinelAnswer* const forbidding = findProblem([](const Problem& problem) {
        return problem.kind == Problem::Kind::NoPermission;
    });
    return forbidding != nullptr ? forbidding->problem
                                 : Problem{Problem::Kind::NoSentinel, reasonsOf(answers), {}, {}};
}

/// How many say the same.
std::ptrdiff_t supportOf(const SentinelAnswer& answer, std::span<const SentinelAnswer> answers)
{
    return std::ranges::count_if(answers, [&answer](const SentinelAnswer& other) {
        return other.master == answer.master && other.epoch == answer.epoch;
    });
}

} // namespace

std::vector<Command> questionsAboutMaster(const std::string& masterName)
{
    std::vector<Command> questions;
    questions.emplace_back("SENTINEL", "get-master-addr-by-name", masterName);
    questions.emplace_back("SENTINEL", "master", masterName);
    return questions;
}

SentinelAnswer sentinelAnswerOf(const HostPort& sentinel, std::span<const Outcome> outcomes)
{
    SentinelAnswer answer;
    answer.sentinel = sentinel;
    if (const auto problem = problemOf(outcomes.front())) {
        answer.problem = *problem;
        return answer;
    }
    answer.master = addressIn(*replyOf(outcomes.front()));
    // Where only the first question is allowed, or the name is unknown, there is an error.
    const Reply* const description = replyOf(outcomes.back());
    if (answer.master && description != nullptr) {
        const std::string epoch = valueIn(*description, "config-epoch");
        answer.epoch = wholeNumberIn<std::int64_t>(epoch).value_or(-1);
    }
    return answer;
}

std::vector<std::string> masterNamesOf(const Outcome& outcome)
{
    std::vector<std::string> names;
    const Reply* const reply = replyOf(outcome);
    const Reply::Array* const masters = reply != nullptr ? reply->array() : nullptr;
    for (std::size_t i = 0; masters != nullptr && i < masters->size(); ++i) {
        if (std::string name = valueIn((*masters)[i], "name"); !name.empty()) {
            names.push_back(std::move(name));
        }
    }
    return names;
}

std::variant<MasterLocation, Problem> masterOf(const SentinelSet& sentinels,
                                               std::span<const SentinelAnswer> answers,
                                               const std::optional<MasterLocation>& known)
{
    const SentinelAnswer* newest = nullptr;
    std::ptrdiff_t support = 0;
    for (const SentinelAnswer& answer : answers) {
        const std::ptrdiff_t supportOfThis = supportOf(answer, answers);
        const bool isBetter = newest == nullptr || answer.epoch > newest->epoch
                              || (answer.epoch == newest->epoch && supportOfThis > support);
        if (answer.master && isBetter) {
            newest = &answer;
            support = supportOfThis;
        }
    }
    if (newest == nullptr) {
        return problemOfAnswers(sentinels, answers);
    }
    const bool isNews = !known || newest->epoch > known->epoch;
    if (!isNews && 2 * support <= std::ssize(sentinels.hosts)) {
        return *known;
    }
    return MasterLocation{*newest->master, newest->epoch, newest->sentinel};
}

Problem problemWithMaster(const Problem& problem, const MasterLocation& master)
{
    const bool isUnreachable = problem.kind == Problem::Kind::HostNotFound
                               || problem.kind == Problem::Kind::ConnectionRefused
                               || problem.kind == Problem::Kind::ConnectTimedOut;
    if (!isUnreachable && problem.kind != Problem::Kind::MasterChanging) {
        return problem;
    }
    const std::string who = KernelText::tr("%1 according to the Sentinel at %2",
                                           hostPortText(master.address),
                                           hostPortText(master.sentinel));
    return {isUnreachable ? Problem::Kind::MasterUnreachable : problem.kind,
            problem.detail.empty() ? who : who + ": " + problem.detail,
            {},
            {}};
}

} // namespace lockscope::store
