#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"

// cache.add(name, value, timeout) of Django as a lock, with its own Redis backend or django-redis:
// a string under `:<version>:<name>`, and the value pickled. Integers are not pickled by it, and no
// lock; py-cachify, whose locks are pickled as well, writes a pickled 1.
namespace lockscope::inspect::decoders {

namespace django_cache {

/// Of Python's pickle, protocols 4 and 5: the parts that one short text or True consists of.
constexpr char kProto = '\x80';
constexpr char kFrame = '\x95';
constexpr std::size_t kFrameSize = 9; // with the length of what follows
constexpr char kShortText = '\x8c';
constexpr std::string_view kTrue = "\x88.";
constexpr std::string_view kOne = "K\x01.";
constexpr std::string_view kEndOfText = "\x94."; // remembered, and the end

/// The text that was pickled, empty for True and 1; nullopt: something else.
std::optional<std::string_view> pickled(std::string_view value)
{
    if (value.size() < 4 || value[0] != kProto || value[1] < 4 || value[1] > 5) {
        return std::nullopt;
    }
    value.remove_prefix(2);
    if (value == kTrue || value == kOne) {
        return std::string_view();
    }
    if (value.front() == kFrame && value.size() > kFrameSize) {
        value.remove_prefix(kFrameSize);
    }
    if (value.size() < 2 || value[0] != kShortText) {
        return std::nullopt;
    }
    const std::size_t length = static_cast<unsigned char>(value[1]);
    value.remove_prefix(2);
    const bool isWhole = length > 0 && value.size() == length + kEndOfText.size()
                         && value.ends_with(kEndOfText);
    return isWhole ? std::optional(value.substr(0, length)) : std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::optional<std::string_view> text = key ? pickled(key->value) : std::nullopt;
    if (!text || !isNamedLikeLock(snapshot)) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.library = key->value.ends_with(kOne) ? "py-cachify" : "";
    // What is cached for ever is a setting more often than a lock.
    decoded.confidence = key->ttl ? Confidence::Medium : Confidence::Low;
    decoded.holders.emplace_back().owner = *text;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText", "the value was pickled by Python"));
    decoded.because.add(evidenceOfName(snapshot));
    return decoded;
}

std::string meaningOfPart(const LockSnapshot&, const Observation& key, const HashField&)
{
    const std::optional<std::string_view> text = pickled(key.value);
    if (!text) {
        return {};
    }
    return text->empty()
               ? KernelText::tr("Its value is a pickled True, which names no holder.")
               : KernelText::tr("Its value is a pickled text, which may name the holder: %1.",
                                nameInQuotes(*text));
}

} // namespace django_cache

const Decoder kDjangoCache{
    .id = "django-cache-add",
    .library = "Django",
    .title = "Django cache",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "A lock by cache.add() of Django or django-redis: the value is "
                                 "pickled, and anyone may delete it."),
    .read = django_cache::read,
    .release = blindRelease,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .part = django_cache::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
