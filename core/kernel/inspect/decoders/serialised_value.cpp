#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

// A lock by what caches offer for it, "write unless it exists": Cache::add() of Laravel and others
// in PHP, cache.write(…, unless_exist: true) of Rails 5 to 7.0. The value is serialised by the
// language, so the owner is inside it, or a constant. Django's is a decoder of its own.
namespace lockscope::inspect::decoders {

namespace serialised_value {

/// What was written: an owner, or nothing that names one.
struct Written {
    std::string_view owner;
    std::string_view library;
};

/// Of serialize(): s:5:"app-1"; b:1; i:1;
std::optional<std::string_view> ownerOfPhp(std::string_view value)
{
    if (value == "b:1;" || value == "i:1;") {
        return std::string_view();
    }
    constexpr std::string_view kText = "s:";
    const std::size_t colon = value.find(':', kText.size());
    if (!value.starts_with(kText) || colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> size = decimalOf(value.substr(kText.size(),
                                                                    colon - kText.size()));
    const std::string_view quoted = value.substr(colon + 1);
    const bool isWhole = size && *size > 0 && quoted.size() == static_cast<std::size_t>(*size) + 3
                         && quoted.front() == '"' && quoted.ends_with("\";");
    return isWhole ? std::optional(quoted.substr(1, quoted.size() - 3)) : std::nullopt;
}

/// Of Marshal, an entry of ActiveSupport's cache: what follows the name of its first member.
std::optional<std::string_view> ownerOfRails(std::string_view value)
{
    constexpr std::string_view kEntry = "\x04\x08o: ActiveSupport::Cache::Entry";
    constexpr std::string_view kMember = "@value";
    constexpr unsigned kShortest = 5; // of small numbers, each is written with so much added
    constexpr unsigned kLongest = 127;
    const std::size_t at = value.find(kMember);
    if (!value.starts_with(kEntry) || at == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view rest = value.substr(at + kMember.size());
    if (rest.starts_with('T') || rest.starts_with("i\x06")) {
        return std::string_view();
    }
    rest.remove_prefix(rest.starts_with('I') ? 1 : 0);
    if (rest.size() < 2 || rest.front() != '"') {
        return std::nullopt;
    }
    const unsigned size = static_cast<unsigned char>(rest[1]);
    const bool isShort = size > kShortest && size <= kLongest
                         && rest.size() >= 2 + size - kShortest;
    return isShort ? std::optional(rest.substr(2, size - kShortest)) : std::nullopt;
}

std::optional<Written> writtenIn(const Observation& key)
{
    if (const auto owner = ownerOfPhp(key.value)) {
        const bool isLaravel = key.key.find("framework/schedule-") != Bytes::npos
                               || key.key.find("laravel") != Bytes::npos;
        return Written{*owner, isLaravel ? "Laravel" : ""};
    }
    if (const auto owner = ownerOfRails(key.value)) {
        return Written{*owner, "Rails"};
    }
    return std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<Written> written = key ? writtenIn(*key) : std::nullopt;
    if (!written || !isNamedLikeLock(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.library = written->library;
    decoded.confidence = key->ttl ? Confidence::Medium : Confidence::Low;
    decoded.holders.emplace_back().owner = written->owner;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the value was serialised by a cache"));
    decoded.because.add(evidenceOfName(snapshot));
    return decoded;
}

} // namespace serialised_value

const Decoder kSerialisedValue{
    .id = "cache-add",
    .library = "",
    .title = QT_TRANSLATE_NOOP("KernelText", "Cache entry"),
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "A lock by an entry that a cache of PHP or Rails writes unless it "
                                 "exists: the value is serialised, and anyone may delete it."),
    .read = serialised_value::read,
    .release = blindRelease, // a text may name a process, which takes it again
};

} // namespace lockscope::inspect::decoders
