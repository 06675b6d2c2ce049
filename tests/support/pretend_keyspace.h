#pragma once

#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// As much of a Redis database as looking at locks needs: the answers of a ScriptedStore. Keys run
/// out by the clock of the test. The wall clock of this server is the clock's.
class PretendKeyspace {
public:
    using Fields = std::vector<std::pair<Bytes, Bytes>>;

    explicit PretendKeyspace(const Clock& clock) : m_clock(clock) {}

    void setString(const Bytes& key, Bytes value, std::optional<Duration> ttl = std::nullopt);
    void setHash(const Bytes& key, Fields fields, std::optional<Duration> ttl = std::nullopt);
    void setSortedSet(const Bytes& key, Fields membersAndScores,
                      std::optional<Duration> ttl = std::nullopt);
    void setList(const Bytes& key, const std::vector<Bytes>& items);
    void setSet(const Bytes& key, const std::vector<Bytes>& members);
    /// A key of a type that is only ever asked for its name: "list", "stream".
    void setOther(const Bytes& key, std::string typeName);
    /// A key with its value and its time to live, as a capture has it.
    void put(const inspect::Observation& seen);
    void expire(const Bytes& key, std::optional<Duration> ttl);
    void remove(const Bytes& key) { m_keys.erase(key); }
    void clear() { m_keys.clear(); }

    /// What MEMORY USAGE says of the key instead of adding up.
    void pretendMemory(const Bytes& key, std::int64_t bytes) { m_memory[key] = bytes; }
    /// What HLEN says of the key instead of counting.
    void pretendFieldCount(const Bytes& key, std::int64_t count) { m_fieldCounts[key] = count; }

    void setSubscribers(const Bytes& channel, std::int64_t count)
    {
        m_subscribers[channel] = count;
    }
    /// Those who listen on the channel of a cluster slot. Without any, the server has none.
    void setSlotSubscribers(const Bytes& channel, std::int64_t count)
    {
        m_slotSubscribers[channel] = count;
    }
    void setPatternCount(std::int64_t count) { m_patternCount = count; }
    void setClientList(std::string lines) { m_clientList = std::move(lines); }

    /// Commands that begin so are answered with this error; an empty text allows them again.
    void refuse(std::string_view beginning, std::string errorText);

    store::Outcome answer(const store::Command& command);

private:
    void setNames(const Bytes& key, std::string typeName, const std::vector<Bytes>& items);
    struct Entry {
        std::string type;
        Bytes value;
        Fields fields;
        std::optional<Instant> expiresAt;
    };

    const Entry* find(const Bytes& key);
    store::Reply reply(const store::Command& command);
    store::Reply replyAboutKey(const std::string& name, const store::Command& command);
    store::Reply replyAboutFields(const std::string& name, const Bytes& key, const Entry* entry);
    store::Reply scan(const store::Command& command);
    store::Reply timeLeft(const Entry* entry) const;
    store::Reply replyAboutChannels(const store::Command& command) const;
    store::Reply time() const;

    const Clock& m_clock;
    std::map<Bytes, Entry> m_keys;
    std::map<Bytes, std::int64_t> m_memory;
    std::map<Bytes, std::int64_t> m_fieldCounts;
    std::map<Bytes, std::int64_t> m_subscribers;
    std::map<Bytes, std::int64_t> m_slotSubscribers;
    std::int64_t m_patternCount = 0;
    std::map<std::string, std::string, std::less<>> m_refusals;
    std::string m_clientList;
};

} // namespace lockscope::testing
