#include "core/kernel/inspect/observation.h"

#include <algorithm>

namespace lockscope::inspect {

std::string_view nameOf(ValueType type)
{
    switch (type) {
    case ValueType::None: return "none";
    case ValueType::String: return "string";
    case ValueType::Hash: return "hash";
    case ValueType::List: return "list";
    case ValueType::Set: return "set";
    case ValueType::SortedSet: return "zset";
    case ValueType::Stream: return "stream";
    case ValueType::Other: break;
    }
    return "unknown";
}

bool LockSnapshot::exists() const
{
    return std::any_of(keys.begin(), keys.end(),
                       [](const Observation& key) { return key.exists(); });
}

const Observation* LockSnapshot::companion(std::string_view key) const
{
    const auto found = std::find_if(companions.begin(), companions.end(),
                                    [key](const Observation& seen) { return seen.key == key; });
    return found == companions.end() ? nullptr : &*found;
}

std::optional<int> LockSnapshot::listenersOf(std::string_view channel) const
{
    const auto found = std::ranges::find(channels, channel, &ChannelCount::channel);
    return found == channels.end() ? std::nullopt : std::optional(found->count);
}

} // namespace lockscope::inspect
