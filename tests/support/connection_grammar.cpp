#include "tests/support/connection_grammar.h"

#include <algorithm>

namespace lockscope::testing {

using store::Command;

namespace {

// Words of one letter stand for something drawn at random: K key, V value, C channel, P pattern,
// T a time-out in seconds that does not end before the test.
constexpr std::string_view kWrites[] = {
    "rpush K V",
    "rpush K V V",
    "lpush K V V V",
    "lmove K K left right",
    "rpoplpush K K",
    "rename K K",
    "set K V",
    "sadd K V",
    "zadd K 1 V",
    "zadd K 2 V 1 V",
    "del K",
    "del K K",
    "incr K",
    "lpop K",
    "lset K 0 V",
    "linsert K before a V",
    "pexpireat K 1",
    "flushall",
    "get K",
    "eval return(redis.call('rpush',KEYS[1],'x','y')) 1 K",
    "eval redis.call('del',KEYS[1]);return(redis.call('zadd',KEYS[1],1,'x')) 1 K",
};

constexpr std::string_view kTransactions[] = {
    "multi",    "multi",     "exec",        "exec",      "exec",        "discard",
    "watch K",  "watch K K", "watch K K K", "unwatch",   "rpush K V",   "set K V",
    "get K",    "incr K",    "del K",       "nonsense",  "get",         "blpop K 0",
    "wait 0 0", "wait x 0",  "wait 0 x",    "wait 0 -5", "publish C V", "lmove K K left left",
};

constexpr std::string_view kWatches[] = {
    "watch K", "watch K", "watch K K", "multi",   "multi",
    "exec",    "exec",    "get K",     "set K V", "del K",
};

constexpr std::string_view kPops[] = {
    "blpop K 0",
    "blpop K K T",
    "brpop K K K T",
    "brpop K 0",
    "bzpopmin K T",
    "bzpopmax K K 0",
    "brpoplpush K K T",
    "blmove K K left right 0",
    "blmove K K right right T",
    "blmove K K up right 0",
    "blpop K x",
    "blpop K -1",
    "brpoplpush K K x",
    "blmove K K left left -1",
    "bzpopmin K x",
};

constexpr std::string_view kBriefPops[] = {
    "blpop K 0.001",
    "brpop K K 0.001",
    "bzpopmin K 0.001",
    "brpoplpush K K 0.001",
    "blmove K K left right 0.001",
    "wait 1 1",
};

constexpr std::string_view kBriefLeases[] = {"set K V px 10", "pexpire K 10", "psetex K 10 V"};

constexpr std::string_view kSubscriptions[] = {
    "subscribe C", "subscribe C C",   "psubscribe P",   "psubscribe P P", "unsubscribe C",
    "unsubscribe", "unsubscribe C C", "punsubscribe P", "punsubscribe",   "ping",
    "ping V",      "get K",           "ssubscribe C",   "ssubscribe C C", "sunsubscribe C",
    "reset",       "client getname",
};

constexpr std::string_view kMessages[] = {
    "publish C V",
    "publish C V",
    "publish V V",
    "pubsub numsub C C",
    "pubsub shardnumsub C C",
    "pubsub numpat",
    "spublish C V",
    "eval return(redis.call('publish',KEYS[1],'x')) 1 C",
};

/// What a sequence may be about.
constexpr std::uint64_t kWaiting = 0;
constexpr std::uint64_t kMessaging = 1;
constexpr std::uint64_t kWatching = 2;
constexpr std::uint64_t kSubjectCount = 4;

constexpr std::string_view kKeys[] = {"k1", "k2", "k3"};
constexpr std::string_view kValues[] = {"a", "b", "1", "", "c1"};
constexpr std::string_view kChannels[] = {"c1", "c2", "d1"};
constexpr std::string_view kPatterns[] = {"c*", "c[12]", "?1", "*", "c1", "\\c2", "[^c]1", "d"};
constexpr std::string_view kTimeouts[] = {"500", "1000.5", "0", "86400"};

template<class Pool>
Bytes oneOf(Rng& rng, const Pool& pool)
{
    return Bytes(pool[rng.below(std::size(pool))]);
}

} // namespace

std::string toText(const ConnectionStep& step)
{
    std::string text = std::to_string(step.connection) + ":";
    for (const Command& command : step.commands) {
        text += " " + store::toText(command) + (&command == &step.commands.back() ? "" : ",");
    }
    switch (step.kind) {
    case ConnectionStep::Kind::BriefWait: return text + " (waits)";
    case ConnectionStep::Kind::BriefLease: return text + " (expires)";
    case ConnectionStep::Kind::Disconnect: return text + " leaves";
    default: return text;
    }
}

ConnectionGrammar::ConnectionGrammar(Rng rng, std::int64_t baseMs)
    : m_rng(rng),
      m_commands(m_rng.split(), baseMs),
      m_subject(m_rng.below(kSubjectCount))
{}

Bytes ConnectionGrammar::word(std::string_view symbol)
{
    if (symbol.size() != 1) {
        return Bytes(symbol);
    }
    switch (symbol[0]) {
    case 'K': return oneOf(m_rng, kKeys);
    case 'V': return oneOf(m_rng, kValues);
    case 'C': return oneOf(m_rng, kChannels);
    case 'P': return oneOf(m_rng, kPatterns);
    case 'T': return oneOf(m_rng, kTimeouts);
    default: return Bytes(symbol);
    }
}

Command ConnectionGrammar::fromForm(std::string_view form)
{
    Command command;
    while (!form.empty()) {
        const std::size_t space = std::min(form.find(' '), form.size());
        command.append(word(form.substr(0, space)));
        form.remove_prefix(std::min(space + 1, form.size()));
    }
    return command;
}

ConnectionGrammar::Forms ConnectionGrammar::formsFor(std::size_t connection)
{
    const bool mayWait = connection > 0;
    const std::uint64_t subject = m_rng.below(3) == 0 ? m_rng.below(kSubjectCount) : m_subject;
    const bool isOther = m_rng.below(2) == 0;
    switch (subject) {
    case kWaiting: return mayWait ? Forms(kPops) : Forms(kWrites);
    case kMessaging: return mayWait && !isOther ? Forms(kSubscriptions) : Forms(kMessages);
    case kWatching: return isOther ? Forms(kWrites) : Forms(kWatches);
    default: return isOther ? Forms(kWrites) : Forms(kTransactions);
    }
}

/// Often a connection watches the key, before its lease ends or after that, and runs a transaction.
ConnectionStep ConnectionGrammar::briefLease(std::size_t connection)
{
    ConnectionStep step{connection, ConnectionStep::Kind::BriefLease, {}};
    step.commands.push_back(fromForm(oneOf(m_rng, kBriefLeases)));
    const Command watch("watch", step.commands.front().words[1]);
    const std::uint64_t plan = m_rng.below(3);
    if (plan > 0) {
        m_plan = {{connection, ConnectionStep::Kind::Commands, {Command("exec")}},
                  {connection, ConnectionStep::Kind::Commands, {Command("multi")}}};
    }
    if (plan == 1) {
        step.commands.push_back(watch);
    } else if (plan == 2) {
        m_plan.push_back({connection, ConnectionStep::Kind::Commands, {watch}});
    }
    return step;
}

ConnectionStep ConnectionGrammar::next()
{
    using enum ConnectionStep::Kind;
    if (!m_plan.empty() && m_rng.below(2) == 0) {
        ConnectionStep step = std::move(m_plan.back());
        m_plan.pop_back();
        return step;
    }
    const std::size_t connection = m_rng.below(kConnectionCount);
    const std::uint64_t kind = m_rng.below(100);
    if (kind < 4) {
        return {connection, Disconnect, {}};
    }
    if (kind < 5) {
        return {connection, BriefWait, {fromForm(oneOf(m_rng, kBriefPops))}};
    }
    if (kind < (m_subject == kWatching ? 10 : 6)) {
        return briefLease(connection);
    }
    if (kind < 20) {
        return {connection, Commands, {m_commands.next()}};
    }
    const Forms forms = formsFor(connection);
    return {connection, Commands, {fromForm(forms[m_rng.below(forms.size())])}};
}

} // namespace lockscope::testing
