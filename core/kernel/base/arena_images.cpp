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

std::size_t ArenaImages::maskCountOf(std::size_t size)
{
    return (lineCountOf(size) + kLinesPerMask - 1) / kLinesPerMask;
}

ArenaImages::ArenaImages(Arena& arena) : m_arena(arena)
{
    const auto bytes = arena.bytes();
    m_first.resize(lineCountOf(bytes.size()) * kLineSize);
    std::memcpy(m_first.data(), bytes.data(), bytes.size());
}

/// Of all lines of the arena: bits for those that differ from the first image, or are not in it.
/// The last line may reach beyond what was taken: an arena has room for whole lines, and what is in
/// the rest of it does not matter.
std::size_t ArenaImages::findDifferences(std::span<const std::byte> bytes)
{
    const std::size_t lineCount = lineCountOf(bytes.size());
    const std::size_t sharedCount = std::min(lineCount, m_first.size() / kLineSize);
    m_masks.assign(maskCountOf(bytes.size()), 0);
    for (std::size_t line = 0; line < sharedCount; ++line) {
        const std::size_t at = line * kLineSize;
        const bool isKept = !areEqual(bytes.data() + at, m_first.data() + at);
        m_masks[line / kLinesPerMask] |= Mask{isKept} << line % kLinesPerMask;
    }
    for (std::size_t line = sharedCount; line < lineCount; ++line) {
        m_masks[line / kLinesPerMask] |= Mask{1} << line % kLinesPerMask;
    }
    std::size_t count = 0;
    for (const Mask mask : m_masks) {
        count += static_cast<std::size_t>(std::popcount(mask));
    }
    return count;
}

ArenaImages::Id ArenaImages::save()
{
    const auto bytes = m_arena.bytes();
    const std::size_t keptCount = findDifferences(bytes);
    const std::size_t maskSize = m_masks.size() * sizeof(Mask);
    Image image;
    image.size = bytes.size();
    image.byteCount = maskSize + keptCount * kLineSize;
    image.content = std::make_unique_for_overwrite<std::byte[]>(image.byteCount);
    std::memcpy(image.content.get(), m_masks.data(), maskSize);
    std::byte* out = image.content.get() + maskSize;
    for (std::size_t i = 0; i < m_masks.size(); ++i) {
        for (Mask mask = m_masks[i]; mask != 0; mask &= mask - 1) {
            const auto line = i * kLinesPerMask + static_cast<std::size_t>(std::countr_zero(mask));
            std::memcpy(out, bytes.data() + line * kLineSize, kLineSize);
            out += kLineSize;
        }
    }
    m_byteCount += image.byteCount;
    if (m_unused.empty()) {
        m_images.push_back(std::move(image));
        return static_cast<Id>(m_images.size() - 1);
    }
    const Id id = m_unused.back();
    m_unused.pop_back();
    m_images[id] = std::move(image);
    return id;
}

void ArenaImages::putBack(Id id) const
{
    const Image& image = m_images[id];
    std::byte* const to = m_arena.bytes().data();
    const std::size_t lineCount = lineCountOf(image.size);
    const std::byte* const masks = image.content.get();
    const std::byte* in = masks + maskCountOf(image.size) * sizeof(Mask);
    for (std::size_t first = 0; first < lineCount; first += kLinesPerMask) {
        Mask mask = 0;
        std::memcpy(&mask, masks + first / kLinesPerMask * sizeof(Mask), sizeof(mask));
        const std::size_t count = std::min(kLinesPerMask, lineCount - first);
        for (std::size_t i = 0; i < count; ++i) {
            const bool isKept = (mask >> i & 1U) != 0;
            const std::size_t place = (first + i) * kLineSize;
            std::memcpy(to + place, isKept ? in : m_first.data() + place, kLineSize);
            in += isKept ? kLineSize : 0;
        }
    }
}

void ArenaImages::putBackFirst() const
{
    std::memcpy(m_arena.bytes().data(), m_first.data(), m_first.size());
}

void ArenaImages::forget(Id id)
{
    m_byteCount -= m_images[id].byteCount;
    m_images[id] = {};
    m_unused.push_back(id);
}

} // namespace lockscope
