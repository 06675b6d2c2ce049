#pragma once

#include "core/kernel/base/arena.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockscope {

/// What was in an arena at several times, to be put back. The first image is kept whole. The others
/// are kept as what differs from it, line by line: one behind the other, so that putting an image
/// back reads memory from front to back.
class ArenaImages {
public:
    using Id = std::uint32_t;

    /// `arena` outlives the images. What is in it now is the first of them.
    explicit ArenaImages(Arena& arena);

    Id save();
    void putBack(Id id) const;
    void putBackFirst() const;
    /// Its number may be used again.
    void forget(Id id);

    /// Taken by all images except the first.
    std::size_t byteCount() const { return m_byteCount; }

private:
    static constexpr std::size_t kLineSize = 64; // of a processor's cache
    static constexpr std::size_t kLinesPerMask = 64;

    using Mask = std::uint64_t; // of lines: a bit for each that is kept

    struct Image {
        std::size_t size = 0; // of the arena then, in bytes
        std::size_t byteCount = 0;
        std::unique_ptr<std::byte[]> content; // masks, and behind them the lines
    };

    static std::size_t lineCountOf(std::size_t size);
    static std::size_t maskCountOf(std::size_t size);
    std::size_t findDifferences(std::span<const std::byte> bytes);

    Arena& m_arena;
    std::vector<std::byte> m_first; // filled up to whole lines
    std::vector<Image> m_images;    // by Id
    std::vector<Id> m_unused;
    std::vector<Mask> m_masks; // of the image that is being made
    std::size_t m_byteCount = 0;
};

} // namespace lockscope
