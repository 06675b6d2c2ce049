#include "core/kernel/inspect/key_answers.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

/// Most errors are about one key. These are about the server, and then nothing is known of any key:
/// a lock whose key a busy server does not tell about has not been released.
bool isAboutServer(const store::ServerError& error)
{
    static constexpr std::string_view kCodes[] = {"BUSY", "LOADING", "MASTERDOWN", "CLUSTERDOWN",
                                                  "NOAUTH"};
    return std::find(std::begin(kCodes), std::end(kCodes), error.code()) != std::end(kCodes);
}

} // namespace

std::string_view lengthCommandOf(ValueType type)
{
    switch (type) {
    case ValueType::String: return "STRLEN";
    case ValueType::Hash: return "HLEN";
    case ValueType::List: return "LLEN";
    case ValueType::Set: return "SCARD";
    default: return "ZCARD";
    }
}

std::string_view contentsCommandOf(ValueType type)
{
    switch (type) {
    case ValueType::String: return "GETRANGE";
    case ValueType::Hash: return "HGETALL";
    case ValueType::List: return "LRANGE";
    case ValueType::Set: return "SMEMBERS";
    default: return "ZRANGE";
    }
}

Command lengthOf(const Observation& seen)
{
    return Command(lengthCommandOf(seen.type), seen.key);
}

void refuse(Observation& seen, std::string_view command, const Reply& answer)
{
    const store::ServerError* const error = answer.error();
    seen.unreadable = error != nullptr ? error->text
                                       : KernelText::tr("the answer to %1 is invalid", command);
    seen.refusedCommand = command;
}

void takeTimeLeft(const Reply& ttl, Observation& seen)
{
    const std::optional<std::int64_t> left = ttl.integer();
    if (!left) {
        refuse(seen, "PTTL", ttl); // without it every lock would look as if it never ended
    } else if (*left == -2) {
        seen.type = ValueType::None; // it vanished after TYPE
    } else if (*left >= 0) {
        seen.ttl = std::chrono::milliseconds(*left);
    }
}

std::optional<Problem> batchProblem(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    const store::ServerError* const error = reply != nullptr ? reply->error() : nullptr;
    const bool concernsOneKey = reply != nullptr && (error == nullptr || !isAboutServer(*error));
    return concernsOneKey ? std::nullopt : problemOf(outcome);
}

std::optional<Problem> batchProblemIn(const std::vector<Outcome>& outcomes)
{
    for (const Outcome& outcome : outcomes) {
        if (auto problem = batchProblem(outcome)) {
            return problem;
        }
    }
    return std::nullopt;
}

} // namespace lockscope::inspect
