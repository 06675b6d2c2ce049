#include "core/kernel/base/arena_images.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lockscope {

namespace {

/// Half of the time of save() goes here.
bool areEqual(const std::byte* a, const std::byte* b)
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
    m_masks.assign((lineCount + kLinesPerMask - 1) / kLinesPerMask, {0, ~Mask{0}});
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
bool ArenaImages::differsFromFirst(std::span<const std::byte> bytes, std::size_t line) const
{
    const std::size_t at = line * kLineSize;
    return at >= m_first.size() || !areEqual(bytes.data() + at, m_first.data() + at);
}

/// Of the lines that are read: tells those that differ from the first image, or are not in it, from
/// those that do not. Returns how many differ.
std::size_t ArenaImages::findDifferences(std::span<const std::byte> bytes)
{
    markUnread(lineCountOf(bytes.size()));
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_masks.size(); ++i) {
        Mask kept = 0;
        for (Mask read = m_masks[i].asInFirst; read != 0; read &= read - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(read));
            kept |= Mask{differsFromFirst(bytes, i * kLinesPerMask + bit)} << bit;
        }
        m_masks[i].asInFirst &= ~kept;
        m_masks[i].kept = kept;
        count += static_cast<std::size_t>(std::popcount(kept));
    }
    return count;
}

ArenaImages::Id ArenaImages::save()
{
    const auto bytes = m_arena.bytes();
    const std::size_t keptCount = findDifferences(bytes);
    const Id id = unusedId();
    Image& image = m_images[id];
    image.maskCount = m_masks.size();
    const std::size_t maskSize = m_masks.size() * sizeof(Masks);
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
    return id;
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

void ArenaImages::putBack(Id id) const
{
    const Image& image = m_images[id];
    std::byte* to = m_arena.bytes().data();
    const std::byte* first = m_first.data();
    const std::byte* masksAt = image.content.get();
    const std::byte* in = masksAt + image.maskCount * sizeof(Masks);
    for (std::size_t i = 0; i < image.maskCount; ++i) {
        Masks masks;
        std::memcpy(&masks, masksAt + i * sizeof(Masks), sizeof(masks));
        for (Mask mask = masks.kept; mask != 0; mask &= mask - 1) {
            const std::size_t at = placeOfLowest(mask);
            std::memcpy(to + at, in, kLineSize);
            in += kLineSize;
        }
        for (Mask mask = masks.asInFirst; mask != 0; mask &= mask - 1) {
            const std::size_t at = placeOfLowest(mask);
            std::memcpy(to + at, first + at, kLineSize);
        }
        to += kLinesPerMask * kLineSize;
        first += kLinesPerMask * kLineSize;
    }
}

void ArenaImages::putBackFirst() const
{
    std::memcpy(m_arena.bytes().data(), m_first.data(), m_first.size());
}

void ArenaImages::forget(Id id)
{
    m_byteCount -= m_images[id].byteCount;
    m_unused.push_back(id);
}

} // namespace lockscope
