#include "core/kernel/inspect/decoders/redisson_names.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>

namespace lockscope::inspect::decoders {

namespace {

constexpr std::string_view kWriterSuffix = ":write";
constexpr std::size_t kTransactionSize = 32; // a UUID without hyphens

/// Without the transaction that may stand behind it.
std::string_view withoutTransaction(std::string_view owner)
{
    const std::size_t colon = owner.rfind(':');
    const bool hasTransaction = colon != std::string_view::npos
                                && isHex(owner.substr(colon + 1), kTransactionSize);
    return hasTransaction ? owner.substr(0, colon) : owner;
}

} // namespace

Bytes tagOfRedisson(const Bytes& name)
{
    const bool hasTag = name.find('{') != Bytes::npos;
    return hasTag ? name : "{" + name + "}";
}

Bytes channelOfRedisson(std::string_view kind, const Bytes& name)
{
    return Bytes(kind) + ":" + tagOfRedisson(name);
}

std::vector<Bytes> namesOfRedissonTag(std::string_view tag)
{
    std::vector<Bytes> names;
    if (tag.find('{') != std::string_view::npos) {
        names.emplace_back(tag);
    }
    if (tag.size() > 2 && tag.starts_with('{') && tag.ends_with('}')) {
        const std::string_view name = tag.substr(1, tag.size() - 2);
        if (name.find('{') == std::string_view::npos) {
            names.emplace_back(name);
        }
    }
    return names;
}

bool isNodeRedissonOwner(std::string_view owner)
{
    constexpr std::size_t kUuidSize = 36;
    return owner.size() == 2 * kUuidSize + 1 && owner[kUuidSize] == ':'
           && isUuid4(owner.substr(0, kUuidSize)) && isUuid4(owner.substr(kUuidSize + 1));
}

bool isRedissonOwner(std::string_view owner)
{
    return isUuidAndThread(withoutTransaction(owner)) || isNodeRedissonOwner(owner);
}

bool isRedissonWriter(std::string_view owner)
{
    owner = withoutTransaction(owner);
    if (!owner.ends_with(kWriterSuffix)) {
        return false;
    }
    owner.remove_suffix(kWriterSuffix.size());
    return isUuidAndThread(owner);
}

std::string redissonThreadText(std::string_view owner)
{
    const std::string_view client = owner.substr(0, owner.find(':'));
    std::string_view thread = owner.substr(std::min(client.size() + 1, owner.size()));
    thread = thread.substr(0, thread.find(':'));
    return KernelText::tr("thread %1 of the Redisson client %2", escaped(thread), escaped(client));
}

std::optional<std::int64_t> redissonCountOf(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<std::int64_t> count = key ? decimalOf(key->value) : std::nullopt;
    return count && *count <= std::numeric_limits<std::int32_t>::max() ? count : std::nullopt;
}

Bytes redissonPermitsNameOf(const Bytes& semaphore)
{
    return tagOfRedisson(semaphore) + ":timeout";
}

} // namespace lockscope::inspect::decoders
