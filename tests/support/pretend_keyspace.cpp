#include "tests/support/pretend_keyspace.h"

#include <algorithm>
#include <stdexcept>

namespace lockscope::testing {

using store::Command;
using store::Reply;

namespace {

const Reply kWrongType =
    Reply::ofError("WRONGTYPE Operation against a key holding the wrong kind of value");

std::string_view typeReadBy(std::string_view commandName)
{
    switch (commandName.front()) {
    case 'Z': return "zset";
    case 'L': return "list";
    case 'S': return "set";
    default: return "hash";
    }
}

std::optional<Instant> endOf(std::optional<Duration> ttl, Instant now)
{
    return ttl ? std::optional(now + *ttl) : std::nullopt;
}

} // namespace

void PretendKeyspace::setString(const Bytes& key, Bytes value, std::optional<Duration> ttl)
{
    m_keys[key] = {"string", std::move(value), {}, endOf(ttl, m_clock.now())};
}

void PretendKeyspace::setHash(const Bytes& key, Fields fields, std::optional<Duration> ttl)
{
    m_keys[key] = {"hash", {}, std::move(fields), endOf(ttl, m_clock.now())};
}

void PretendKeyspace::setSortedSet(const Bytes& key, Fields membersAndScores,
                                   std::optional<Duration> ttl)
{
    m_keys[key] = {"zset", {}, std::move(membersAndScores), endOf(ttl, m_clock.now())};
}

void PretendKeyspace::setNames(const Bytes& key, std::string typeName,
                               const std::vector<Bytes>& items)
{
    Fields fields;
    for (const Bytes& item : items) {
        fields.emplace_back(item, Bytes());
    }
    m_keys[key] = {std::move(typeName), {}, std::move(fields), std::nullopt};
}

void PretendKeyspace::setList(const Bytes& key, const std::vector<Bytes>& items)
{
    setNames(key, "list", items);
}

void PretendKeyspace::setSet(const Bytes& key, const std::vector<Bytes>& members)
{
    setNames(key, "set", members);
}

void PretendKeyspace::setOther(const Bytes& key, std::string typeName)
{
    m_keys[key] = {std::move(typeName), {}, {}, std::nullopt};
}

void PretendKeyspace::put(const inspect::Observation& seen)
{
    using inspect::ValueType;
    Fields fields;
    std::vector<Bytes> items;
    for (const inspect::HashField& field : seen.fields) {
        fields.emplace_back(field.name, field.value);
        items.push_back(field.name);
    }
    switch (seen.type) {
    case ValueType::String: setString(seen.key, seen.value); break;
    case ValueType::Hash: setHash(seen.key, std::move(fields)); break;
    case ValueType::SortedSet: setSortedSet(seen.key, std::move(fields)); break;
    case ValueType::List: setList(seen.key, items); break;
    case ValueType::Set: setSet(seen.key, items); break;
    default: return;
    }
    expire(seen.key, seen.ttl);
}

void PretendKeyspace::expire(const Bytes& key, std::optional<Duration> ttl)
{
    m_keys.at(key).expiresAt = endOf(ttl, m_clock.now());
}

void PretendKeyspace::refuse(std::string_view beginning, std::string errorText)
{
    if (errorText.empty()) {
        m_refusals.erase(std::string(beginning));
    } else {
        m_refusals[std::string(beginning)] = std::move(errorText);
    }
}

store::Outcome PretendKeyspace::answer(const Command& command)
{
    const std::string text = toText(command);
    for (const auto& [beginning, errorText] : m_refusals) {
        if (text.starts_with(beginning)) {
            return Reply::ofError(errorText);
        }
    }
    return reply(command);
}

const PretendKeyspace::Entry* PretendKeyspace::find(const Bytes& key)
{
    const auto entry = m_keys.find(key);
    if (entry == m_keys.end()) {
        return nullptr;
    }
    if (entry->second.expiresAt && *entry->second.expiresAt <= m_clock.now()) {
        m_keys.erase(entry);
        return nullptr;
    }
    return &entry->second;
}

Reply PretendKeyspace::reply(const Command& command)
{
    const std::string& name = command.words.front();
    if (name == "SCAN") {
        return scan(command);
    }
    if (name == "DBSIZE") {
        return Reply::ofInteger(static_cast<std::int64_t>(m_keys.size()));
    }
    if (name == "TIME") {
        return time();
    }
    if (name == "INFO") {
        return Reply::ofBulk("role:master\r\n");
    }
    if (name == "PUBSUB") {
        return replyAboutChannels(command);
    }
    if (name == "CLIENT") {
        return Reply::ofBulk(m_clientList);
    }
    return replyAboutKey(name, command);
}

Reply PretendKeyspace::replyAboutKey(const std::string& name, const Command& command)
{
    const bool isMemory = name == "MEMORY";
    const Bytes& key = command.words.at(isMemory ? 2 : 1);
    const Entry* const entry = find(key);
    if (name == "TYPE") {
        return Reply::ofStatus(entry != nullptr ? entry->type : "none");
    }
    if (name == "PTTL") {
        return timeLeft(entry);
    }
    if (name == "PEXPIRETIME") {
        const std::int64_t left = *timeLeft(entry).integer();
        return Reply::ofInteger(left < 0 ? left : toEpochMs(m_clock.wallNow()) + left);
    }
    if (name == "GETRANGE" || name == "STRLEN") {
        if (entry != nullptr && entry->type != "string") {
            return kWrongType;
        }
        const Bytes value = entry != nullptr ? entry->value : Bytes();
        if (name == "STRLEN") {
            return Reply::ofInteger(static_cast<std::int64_t>(value.size()));
        }
        return Reply::ofBulk(value.substr(0, std::stoul(command.words.at(3)) + 1));
    }
    return replyAboutFields(isMemory ? "MEMORY USAGE" : name, key, entry);
}

Reply PretendKeyspace::replyAboutFields(const std::string& name, const Bytes& key,
                                        const Entry* entry)
{
    static const Fields kNoFields;
    const Fields& fields = entry != nullptr ? entry->fields : kNoFields;
    if (name == "MEMORY USAGE") {
        if (entry == nullptr) {
            return Reply();
        }
        std::size_t bytes = key.size() + entry->value.size();
        for (const auto& [field, value] : fields) {
            bytes += field.size() + value.size();
        }
        const auto pretended = m_memory.find(key);
        return Reply::ofInteger(pretended != m_memory.end() ? pretended->second
                                                            : static_cast<std::int64_t>(bytes));
    }
    if (entry != nullptr && entry->type != typeReadBy(name)) {
        return kWrongType;
    }
    if (name == "HLEN" || name == "ZCARD" || name == "LLEN" || name == "SCARD") {
        const auto pretended = m_fieldCounts.find(key);
        return Reply::ofInteger(pretended != m_fieldCounts.end()
                                    ? pretended->second
                                    : static_cast<std::int64_t>(fields.size()));
    }
    if (name == "HGETALL" || name == "ZRANGE" || name == "LRANGE" || name == "SMEMBERS") {
        Reply::Array items;
        for (const auto& [field, value] : fields) {
            items.push_back(Reply::ofBulk(field));
            if (name == "HGETALL" || name == "ZRANGE") {
                items.push_back(Reply::ofBulk(value));
            }
        }
        return Reply::ofArray(std::move(items));
    }
    throw std::logic_error("the pretended server does not know " + name);
}

Reply PretendKeyspace::scan(const Command& command)
{
    const std::size_t begin = std::stoul(command.words.at(1));
    const std::size_t count = std::stoul(command.words.at(3));
    std::vector<Bytes> names;
    for (const auto& [name, entry] : m_keys) {
        names.push_back(name);
    }
    const std::size_t end = std::min(begin + count, names.size());
    Reply::Array page;
    for (std::size_t i = begin; i < end; ++i) {
        page.push_back(Reply::ofBulk(names[i]));
    }
    const std::string cursor = end < names.size() ? std::to_string(end) : "0";
    return Reply::ofArray({Reply::ofBulk(cursor), Reply::ofArray(std::move(page))});
}

Reply PretendKeyspace::timeLeft(const Entry* entry) const
{
    if (entry == nullptr) {
        return Reply::ofInteger(-2);
    }
    return Reply::ofInteger(entry->expiresAt ? toMs(*entry->expiresAt - m_clock.now()) : -1);
}

namespace {

using Listeners = std::map<Bytes, std::int64_t>;

Reply countsOf(const Command& command, const Listeners& listeners)
{
    Reply::Array items;
    for (std::size_t i = 2; i < command.words.size(); ++i) {
        const auto count = listeners.find(command.words[i]);
        items.push_back(Reply::ofBulk(command.words[i]));
        items.push_back(Reply::ofInteger(count != listeners.end() ? count->second : 0));
    }
    return Reply::ofArray(std::move(items));
}

/// The patterns that are asked for end with a star.
Reply channelsOf(const Command& command, const Listeners& listeners)
{
    Bytes prefix = command.words.at(2);
    prefix.pop_back();
    Reply::Array items;
    for (const auto& [channel, count] : listeners) {
        if (count > 0 && channel.starts_with(prefix)) {
            items.push_back(Reply::ofBulk(channel));
        }
    }
    return Reply::ofArray(std::move(items));
}

} // namespace

Reply PretendKeyspace::replyAboutChannels(const Command& command) const
{
    const Bytes& question = command.words.at(1);
    if (question == "NUMPAT") {
        return Reply::ofInteger(m_patternCount);
    }
    const bool isAboutSlots = question.starts_with("SHARD");
    if (isAboutSlots && m_slotSubscribers.empty()) {
        return Reply::ofError("ERR unknown subcommand '" + question + "'. Try PUBSUB HELP.");
    }
    const Listeners& listeners = isAboutSlots ? m_slotSubscribers : m_subscribers;
    return question.ends_with("CHANNELS") ? channelsOf(command, listeners)
                                          : countsOf(command, listeners);
}

Reply PretendKeyspace::time() const
{
    const std::int64_t ms = toEpochMs(m_clock.wallNow());
    return Reply::ofArray({Reply::ofBulk(std::to_string(ms / 1000)),
                           Reply::ofBulk(std::to_string(ms % 1000 * 1000))});
}

} // namespace lockscope::testing
