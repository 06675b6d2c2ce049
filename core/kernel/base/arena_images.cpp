#include "core/kernel/base/arena_images.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lockscope {

namespace {

/// An image takes at most one in so many of the lines of its base.
constexpr std::size_t kWorthABase = 2;

/// Half of the time of save() goes here.
inline bool areEqual(const std::byte* a, const std::byte* b)
{
    // Both compilers make vector instructions of it.
    using Part [[gnu::vector_size(16)]] = std::uint64_t;
    Part left[4];
    Part right[4];
    std::memcpy(left, a, sizeof(left));
    std::memcpy(right, b, sizeof(right));
    const Part difference = (left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2])
                            | (left[3] ^ right[3]);
    return (difference[0] | difference[1]) == 0;
}

} // namespace

std::size_t ArenaImages::lineCountOf(std::size_t size)
{
    return (size + kLineSize - 1) / kLineSize;
}

/// In bytes, from the first line of the mask on.
std::size_t ArenaImages::placeOfLowest(Mask mask)
{
    return static_cast<std::size_t>(std::countr_zero(mask)) * kLineSize;
}

ArenaImages::ArenaImages(Arena& arena) : m_arena(arena)
{
    const auto bytes = arena.bytes();
    m_first.resize(lineCountOf(bytes.size()) * kLineSize);
    std::memcpy(m_first.data(), bytes.data(), bytes.size());
}

/// Every line is marked as one that is read, but for those that lie in unread memory as a whole.
void ArenaImages::markUnread(std::size_t lineCount)
{
    m_masks.assign((lineCount + kLinesPerMask - 1) / kLinesPerMask, {0, ~Mask{0}, 0});
    if (const std::size_t rest = lineCount % kLinesPerMask; rest != 0) {
        m_masks.back().asInFirst = (Mask{1} << rest) - 1;
    }
    m_arena.findUnread(m_unread);
    for (const Arena::Range& range : m_unread) {
        const std::size_t end = range.end / kLineSize;
        for (std::size_t line = lineCountOf(range.begin); line < end; ++line) {
            m_masks[line / kLinesPerMask].asInFirst &= ~(Mask{1} << line % kLinesPerMask);
        }
    }
}

/// The last line may reach beyond what was taken: an arena has room for whole lines, and what is in
/// the rest of it does not matter.
inline bool ArenaImages::differsFromFirst(std::span<const std::byte> bytes, std::size_t line) const
{
    const std::size_t at = line * kLineSize;
    return at >= m_first.size() || !areEqual(bytes.data() + at, m_first.data() + at);
}

/// Of the lines that are read: tells those that differ from the first image, or are not in it, from
/// those that do not.
ArenaImages::Masks ArenaImages::compare(std::span<const std::byte> bytes,
                                        std::size_t maskIndex) const
{
    Masks masks;
    for (Mask read = m_masks[maskIndex].asInFirst; read != 0; read &= read - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(read));
        masks.kept |= Mask{differsFromFirst(bytes, maskIndex * kLinesPerMask + bit)} << bit;
    }
    masks.asInFirst = m_masks[maskIndex].asInFirst & ~masks.kept;
    return masks;
}

/// Returns how many lines are to be kept.
std::size_t ArenaImages::findDifferences(std::span<const std::byte> bytes)
{
    markUnread(lineCountOf(bytes.size()));
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_masks.size(); ++i) {
        m_masks[i] = compare(bytes, i);
        count += static_cast<std::size_t>(std::popcount(m_masks[i].kept));
    }
    return count;
}

/// The same, of an image with a base.
std::size_t ArenaImages::findDifferences(std::span<const std::byte> bytes, const Image& base)
{
    markUnread(lineCountOf(bytes.size()));
    std::size_t count = 0;
    const std::byte* line = base.lines();
    for (std::size_t i = 0; i < m_masks.size(); ++i) {
        const Mask theirs = i < base.maskCount ? base.masksAt(i).kept : 0;
        const Mask read = m_masks[i].asInFirst;
        const std::byte* const at = bytes.data() + i * kLinesPerMask * kLineSize;
        Mask asInBase = 0;
        for (Mask mask = theirs; mask != 0; mask &= mask - 1) {
            const Mask lowest = mask & (0 - mask);
            const bool isSame = (read & lowest) != 0 && areEqual(at + placeOfLowest(mask), line);
            asInBase |= isSame ? lowest : 0;
            line += kLineSize;
        }
        m_masks[i].asInFirst &= ~theirs;
        m_masks[i] = compare(bytes, i);
        m_masks[i].asInBase = asInBase;
        m_masks[i].kept |= read & theirs & ~asInBase;
        count += static_cast<std::size_t>(std::popcount(m_masks[i].kept));
    }
    return count;
}

ArenaImages::Masks ArenaImages::Image::masksAt(std::size_t index) const
{
    Masks masks;
    std::memcpy(&masks, content.get() + index * sizeof(Masks), sizeof(masks));
    return masks;
}

ArenaImages::Id ArenaImages::save()
{
    const auto bytes = m_arena.bytes();
    std::size_t keptCount = 0;
    bool hasBase = m_base != kNone;
    if (hasBase) {
        keptCount = findDifferences(bytes, m_images[m_base]);
        hasBase = keptCount * kWorthABase <= m_images[m_base].keptCount;
    }
    if (!hasBase) {
        keptCount = findDifferences(bytes);
    }
    const Id id = unusedId();
    fill(m_images[id], bytes, keptCount);
    if (hasBase) {
        m_images[id].base = m_base;
        ++m_images[m_base].userCount;
    } else {
        goBackTo(id);
    }
    return id;
}

void ArenaImages::fill(Image& image, std::span<const std::byte> bytes, std::size_t keptCount)
{
    const std::size_t maskSize = m_masks.size() * sizeof(Masks);
    image.maskCount = m_masks.size();
    image.keptCount = keptCount;
    image.byteCount = maskSize + keptCount * kLineSize;
    if (image.roomFor < image.byteCount) {
        image.content.reset();
        image.content = std::make_unique_for_overwrite<std::byte[]>(image.byteCount);
        image.roomFor = image.byteCount;
    }
    std::memcpy(image.content.get(), m_masks.data(), maskSize);
    std::byte* out = image.content.get() + maskSize;
    for (std::size_t i = 0; i < m_masks.size(); ++i) {
        for (Mask mask = m_masks[i].kept; mask != 0; mask &= mask - 1) {
            const auto line = i * kLinesPerMask + static_cast<std::size_t>(std::countr_zero(mask));
            std::memcpy(out, bytes.data() + line * kLineSize, kLineSize);
            out += kLineSize;
        }
    }
    m_byteCount += image.byteCount;
}

/// The latest that was forgotten: what it was kept in is still in the cache.
ArenaImages::Id ArenaImages::unusedId()
{
    if (m_unused.empty()) {
        m_images.emplace_back();
        return static_cast<Id>(m_images.size() - 1);
    }
    const Id id = m_unused.back();
    m_unused.pop_back();
    return id;
}

void ArenaImages::putBack(Id id)
{
    const Image& image = m_images[id];
    const Image* const base = image.base != kNone ? &m_images[image.base] : nullptr;
    std::byte* to = m_arena.bytes().data();
    const std::byte* first = m_first.data();
    const std::byte* in = image.lines();
    const std::byte* inBase = base != nullptr ? base->lines() : nullptr;
    for (std::size_t i = 0; i < image.maskCount; ++i) {
        const Masks masks = image.masksAt(i);
        for (Mask mask = masks.kept; mask != 0; mask &= mask - 1) {
            std::memcpy(to + placeOfLowest(mask), in, kLineSize);
            in += kLineSize;
        }
        for (Mask mask = masks.asInFirst; mask != 0; mask &= mask - 1) {
            const std::size_t at = placeOfLowest(mask);
            std::memcpy(to + at, first + at, kLineSize);
        }
        const Mask theirs = base != nullptr && i < base->maskCount ? base->masksAt(i).kept : 0;
        for (Mask mask = theirs; mask != 0; mask &= mask - 1) {
            if ((masks.asInBase & mask & (0 - mask)) != 0) {
                std::memcpy(to + placeOfLowest(mask), inBase, kLineSize);
            }
            inBase += kLineSize;
        }
        to += kLinesPerMask * kLineSize;
        first += kLinesPerMask * kLineSize;
    }
    goBackTo(image.base != kNone ? image.base : id);
}

void ArenaImages::putBackFirst()
{
    std::memcpy(m_arena.bytes().data(), m_first.data(), m_first.size());
    goBackTo(kNone);
}

/// As long as the memory goes back to an image, that is kept: the next one may be based on it.
void ArenaImages::goBackTo(Id base)
{
    if (base == m_base) {
        return;
    }
    if (base != kNone) {
        ++m_images[base].userCount;
    }
    if (const Id before = std::exchange(m_base, base); before != kNone) {
        release(before);
    }
}

void ArenaImages::release(Id base)
{
    if (--m_images[base].userCount == 0 && !m_images[base].isWanted) {
        drop(base);
    }
}

void ArenaImages::forget(Id id)
{
    m_images[id].isWanted = false;
    if (m_images[id].userCount == 0) {
        drop(id);
    }
}

void ArenaImages::drop(Id id)
{
    Image& image = m_images[id];
    m_byteCount -= image.byteCount;
    image.isWanted = true; // whose number it will be
    m_unused.push_back(id);
    if (const Id base = std::exchange(image.base, kNone); base != kNone) {
        release(base);
    }
}

} // namespace lockscope
