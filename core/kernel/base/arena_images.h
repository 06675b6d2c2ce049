#pragma once

#include "core/kernel/base/arena.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace lockscope {

/// What was in an arena at several times, to be put back. The first image is kept whole. The others
/// are kept as what differs from it, line by line: one behind the other, so that putting an image
/// back reads memory from front to back. An image that has most of that in common with the one that
/// its memory goes back to is kept as what differs from both: of the images of a search, nearly
/// all. Lines in which nobody reads are in no image, and are left as they are.
class ArenaImages {
public:
    using Id = std::uint32_t;

    /// `arena` outlives the images. What is in it now is the first of them.
    explicit ArenaImages(Arena& arena);

    Id save();
    void putBack(Id id);
    void putBackFirst();
    /// Its number may be used again.
    void forget(Id id);

    /// Taken by all images except the first.
    std::size_t byteCount() const { return m_byteCount; }

private:
    static constexpr std::size_t kLineSize = 64; // of a processor's cache
    static constexpr std::size_t kLinesPerMask = 64;

    using Mask = std::uint64_t; // of lines: a bit for each
    /// Of as many lines as a mask has. Those in none are not read.
    struct Masks {
        Mask kept = 0;
        Mask asInFirst = 0;
        Mask asInBase = 0;
    };

    struct Image {
        std::size_t maskCount = 0;
        std::size_t keptCount = 0; // lines
        std::size_t byteCount = 0;
        std::size_t roomFor = 0; // bytes of content; as many as the image before it took, or more
        std::unique_ptr<std::byte[]> content; // Masks, and behind them the lines
        Id base = kNone;                      // which has none itself
        std::uint32_t userCount = 0;          // images of which it is the base, and the memory
        bool isWanted = true;                 // false: forgotten, but in use

        Masks masksAt(std::size_t index) const;
        const std::byte* lines() const { return content.get() + maskCount * sizeof(Masks); }
    };
    static constexpr Id kNone = std::numeric_limits<Id>::max();

    static std::size_t lineCountOf(std::size_t size);
    static std::size_t placeOfLowest(Mask mask);
    void markUnread(std::size_t lineCount);
    Id unusedId();
    std::size_t findDifferences(std::span<const std::byte> bytes);
    std::size_t findDifferences(std::span<const std::byte> bytes, const Image& base);
    Masks compare(std::span<const std::byte> bytes, std::size_t maskIndex) const;
    void fill(Image& image, std::span<const std::byte> bytes, std::size_t keptCount);
    void goBackTo(Id base);
    void release(Id base);
    void drop(Id id);
    bool differsFromFirst(std::span<const std::byte> bytes, std::size_t line) const;

    Arena& m_arena;
    std::vector<std::byte> m_first; // filled up to whole lines
    std::vector<Image> m_images;    // by Id
    std::vector<Id> m_unused;
    std::vector<Masks> m_masks; // of the image that is being made
    std::vector<Arena::Range> m_unread;
    Id m_base = kNone; // that the memory goes back to: it differs little from it
    std::size_t m_byteCount = 0;
};

} // namespace lockscope
