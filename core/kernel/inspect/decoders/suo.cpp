#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <bit>
#include <cmath>

// The gem suo 0.4 (Ruby), a semaphore in one string: MessagePack of an array with an element for
// each hold, which is an array of the epoch seconds at which it was taken and a token in base64. No
// expiry while it is held; who finds an old hold removes it. A release writes the array without the
// hold.
namespace lockscope::inspect::decoders {

namespace suo {

constexpr std::chrono::days kPlausible(366);
constexpr std::size_t kMostHolds = 1024;

/// What stands at the beginning of some MessagePack is taken off it.
class Packed {
public:
    explicit Packed(std::string_view bytes) : m_bytes(bytes) {}

    std::string_view rest() const { return m_bytes; }

    /// The number of elements of an array.
    std::optional<std::size_t> takeArray()
    {
        const std::optional<unsigned char> head = takeByte();
        if (head && (*head & 0xf0) == 0x90) {
            return *head & 0x0f;
        }
        return head == 0xdc ? takeSize(2) : std::nullopt;
    }

    std::optional<double> takeDouble()
    {
        if (takeByte() != 0xcb || m_bytes.size() < sizeof(std::uint64_t)) {
            return std::nullopt;
        }
        return std::bit_cast<double>(takeBigEndian(sizeof(std::uint64_t)));
    }

    /// A text, or bytes.
    std::optional<std::string_view> takeText()
    {
        const std::optional<unsigned char> head = takeByte();
        std::optional<std::size_t> size;
        if (head && (*head & 0xe0) == 0xa0) {
            size = *head & 0x1f;
        } else if (head && (*head == 0xd9 || *head == 0xc4)) {
            size = takeSize(1);
        }
        if (!size || *size > m_bytes.size()) {
            return std::nullopt;
        }
        const std::string_view text = m_bytes.substr(0, *size);
        m_bytes.remove_prefix(*size);
        return text;
    }

private:
    std::optional<unsigned char> takeByte()
    {
        return m_bytes.empty() ? std::nullopt
                               : std::optional(static_cast<unsigned char>(takeBigEndian(1)));
    }
    std::optional<std::size_t> takeSize(std::size_t bytes)
    {
        return m_bytes.size() < bytes ? std::nullopt : std::optional(takeBigEndian(bytes));
    }
    std::uint64_t takeBigEndian(std::size_t bytes)
    {
        std::uint64_t number = 0;
        for (const char c : m_bytes.substr(0, bytes)) {
            number = number << 8U | static_cast<unsigned char>(c);
        }
        m_bytes.remove_prefix(bytes);
        return number;
    }

    std::string_view m_bytes;
};

struct Hold {
    std::string_view token;
    WallTime takenAt{};
    std::string_view packed; // the element as it stands there
};

std::optional<Hold> takeHold(Packed& bytes)
{
    const std::string_view before = bytes.rest();
    if (bytes.takeArray() != std::size_t(2)) {
        return std::nullopt;
    }
    const std::optional<double> seconds = bytes.takeDouble();
    const std::optional<std::string_view> token = bytes.takeText();
    constexpr double kLatest = 1e11; // what is beyond is no time, and may be no number
    if (!seconds || !token || token->empty() || !(*seconds > 0 && *seconds < kLatest)) {
        return std::nullopt;
    }
    return Hold{*token, wallTimeOfMs(static_cast<std::int64_t>(std::floor(*seconds * 1000))),
                before.substr(0, before.size() - bytes.rest().size())};
}

/// Empty: it is something else, or free.
std::vector<Hold> holdsOf(const Observation& key)
{
    Packed bytes(key.value);
    const std::optional<std::size_t> count = bytes.takeArray();
    std::vector<Hold> holds;
    for (std::size_t i = 0; i < count.value_or(0) && i < kMostHolds; ++i) {
        const std::optional<Hold> hold = takeHold(bytes);
        if (!hold || !isNear(hold->takenAt, key.serverTime, kPlausible)) {
            return {};
        }
        holds.push_back(*hold);
    }
    return bytes.rest().empty() ? holds : std::vector<Hold>();
}

Bytes packed(const std::vector<Hold>& holds)
{
    constexpr std::size_t kSmall = 16;
    Bytes bytes;
    if (holds.size() < kSmall) {
        bytes += static_cast<char>(0x90 | holds.size());
    } else {
        bytes += '\xdc';
        bytes += static_cast<char>(holds.size() >> 8U);
        bytes += static_cast<char>(holds.size() & 0xffU);
    }
    for (const Hold& hold : holds) {
        bytes += hold.packed;
    }
    return bytes;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleString(snapshot);
    const std::vector<Hold> holds = key != nullptr ? holdsOf(*key) : std::vector<Hold>();
    if (holds.empty()) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.mode = holds.size() > 1 ? Mode::Semaphore : Mode::Exclusive;
    for (const Hold& hold : holds) {
        Holder& holder = decoded.holders.emplace_back();
        holder.owner = Bytes(hold.token);
        holder.mode = decoded.mode;
        holder.setAcquiredAt(hold.takenAt);
    }
    if (holds.size() == 1) {
        decoded.acquiredAt = holds.front().takenAt;
    }
    decoded.isPermanent = true; // an old hold goes when the next client comes
    decoded.because.add(
        QT_TRANSLATE_NOOP("KernelText", "the value is MessagePack: an array of times and tokens"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "its times are close to the server's clock"));
    return decoded;
}

/// The whole value is compared: it has the tokens and the times of all holds.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice choice)
{
    const std::vector<Holder> ending = choice.of(decoded.holders);
    std::vector<Hold> staying = holdsOf(snapshot.main());
    std::erase_if(staying, [&ending](const Hold& hold) {
        return std::ranges::find(ending, hold.token, &Holder::owner) != ending.end();
    });
    ReleaseRecipe recipe;
    recipe.checks.push_back(valueCheck(snapshot.main(), false));
    if (!staying.empty()) {
        recipe.script = ReleaseRecipe::Script::Composed;
        recipe.steps = {{.kind = ReleaseRecipe::Step::Kind::SetValue, .value = packed(staying)}};
    }
    return recipe;
}

} // namespace suo

const Decoder kSuo{
    .id = "suo",
    .library = "suo",
    .title = "suo",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The semaphore of the gem suo (Ruby): one string with the time "
                                 "and the token of each hold, in MessagePack."),
    .read = suo::read,
    .release = suo::release,
};

} // namespace lockscope::inspect::decoders
