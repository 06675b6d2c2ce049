#include "tests/support/reply_agreement.h"

#include <QByteArray>

#include <algorithm>

namespace lockscope::testing {

using store::Command;
using store::Reply;

namespace {

/// Two clocks that are milliseconds apart, in seconds and in milliseconds.
bool areNearTimes(std::int64_t a, std::int64_t b)
{
    const std::int64_t apart = std::max(a, b) - std::min(a, b);
    const std::int64_t least = std::min(a, b);
    return (least >= 50 && apart <= 1) || (least >= 50'000 && apart <= 2000);
}

} // namespace

Allowance Allowance::of(const Command& command)
{
    Allowance allowance;
    for (const Bytes& word : command.words) {
        const QByteArray lower = QByteArray::fromStdString(word).toLower();
        const bool isAnything = lower == "exec" || lower == "evalsha";
        allowance.forTime = allowance.forTime || isAnything || lower.contains("ttl")
                            || lower.contains("expiretime");
        allowance.forOrder = allowance.forOrder || isAnything || lower == "keys" || lower == "scan"
                             || lower == "smembers" || lower == "channels"
                             || lower == "shardchannels";
    }
    return allowance;
}

bool agree(const Reply& a, const Reply& b, Allowance allowance)
{
    if (a == b) {
        return true;
    }
    if (const auto left = a.integer(), right = b.integer(); allowance.forTime && left && right) {
        return *left >= 0 && *right >= 0 && areNearTimes(*left, *right);
    }
    const Reply::Array* const left = a.array();
    const Reply::Array* const right = b.array();
    if (left == nullptr || right == nullptr || left->size() != right->size()) {
        return false;
    }
    const auto itemsAgree = [allowance](const Reply& x, const Reply& y) {
        return agree(x, y, allowance);
    };
    return std::ranges::equal(*left, *right, itemsAgree)
           || (allowance.forOrder
               && std::is_permutation(left->begin(), left->end(), right->begin(), itemsAgree));
}

} // namespace lockscope::testing
