#include "core/kernel/base/arena.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

// The analyzer takes the memory of an arena, which `operator new` hands out here, for that of the
// system, and sizes that are above kFineMax for 0.
// NOLINTBEGIN(clang-analyzer-unix.Malloc,clang-analyzer-core.UndefinedBinaryOperatorResult)
namespace lockscope {

namespace {

constexpr std::size_t kAlignment = 16;
/// A block begins with the number of its size class: GCC 12 gives the frames of coroutines back
/// without their size.
constexpr std::size_t kBlockHead = 8;
/// In a block that was given back: where the next one of its class begins.
constexpr std::size_t kNextFree = sizeof(std::uint32_t);
/// The first with a whole line of a processor's cache in it, wherever it lies.
constexpr std::size_t kFirstLargeClass = 9; // 144 bytes
/// Up to here there is a class for every size that can differ; above, eight for each doubling.
constexpr std::size_t kFineMax = 1024;
constexpr std::size_t kFineClassCount = kFineMax / kAlignment + 1;
constexpr std::size_t kClassesPerDoubling = 8;
constexpr std::size_t kDoublingCount = 13; // as large as a slot
constexpr std::size_t kClassCount = kFineClassCount + kClassesPerDoubling * kDoublingCount;
/// Of memory that the system hands out as it is written to. A world takes a thousandth of a slot.
constexpr std::size_t kSlotSize = std::size_t{8} << 20U;
constexpr std::size_t kSlotCount = 64;
constexpr std::size_t kRegionSize = kSlotSize * kSlotCount;
constexpr std::size_t kPageSize = 4096;

/// Of a block, head included. Rounds up.
std::size_t classOf(std::size_t size)
{
    if (size <= kFineMax) {
        return (size + kAlignment - 1) / kAlignment;
    }
    const auto doubling = static_cast<std::size_t>(std::bit_width((size - 1) / kFineMax)) - 1;
    const std::size_t step = (kFineMax << doubling) / kClassesPerDoubling;
    const std::size_t place = (size - (kFineMax << doubling) + step - 1) / step;
    return kFineClassCount + doubling * kClassesPerDoubling + place - 1;
}

std::size_t sizeOfClass(std::size_t index)
{
    if (index < kFineClassCount) {
        return index * kAlignment;
    }
    const std::size_t coarse = index - kFineClassCount;
    const std::size_t doubling = coarse / kClassesPerDoubling;
    const std::size_t step = (kFineMax << doubling) / kClassesPerDoubling;
    return (kFineMax << doubling) + (coarse % kClassesPerDoubling + 1) * step;
}

// Read by every `operator delete`, and written once, before the first arena is given out.
constinit std::atomic<std::uintptr_t> regionBegin = 0;
constinit std::atomic<std::size_t> regionSize = 0;

constinit thread_local Arena* currentArena = nullptr;

/// The memory of all arenas of the program, never given back. Slots may be taken on any thread.
class Region {
public:
    Region()
    {
        if (Arena::kIsInBuild) {
            m_memory = static_cast<std::byte*>(std::aligned_alloc(kPageSize, kRegionSize));
        }
        if (m_memory != nullptr) {
            regionBegin.store(reinterpret_cast<std::uintptr_t>(m_memory));
            regionSize.store(kRegionSize);
        }
    }

    std::byte* takeSlot()
    {
        for (std::size_t slot = 0; slot < kSlotCount && m_memory != nullptr; ++slot) {
            if (!m_areTaken[slot].exchange(true)) {
                return m_memory + slot * kSlotSize; // the first: it is in the cache
            }
        }
        return nullptr;
    }
    void giveBack(const std::byte* slot)
    {
        m_areTaken[static_cast<std::size_t>(slot - m_memory) / kSlotSize].store(false);
    }

private:
    std::byte* m_memory = nullptr;
    std::array<std::atomic<bool>, kSlotCount> m_areTaken{};
};

Region& region()
{
    static Region kRegion;
    return kRegion;
}

} // namespace

struct Arena::Books {
    std::uint32_t end = 0; // behind the last block, from the beginning of the slot
    bool hasOverflowed = false;
    std::array<std::uint32_t, kClassCount> firstFree{}; // by class; 0: none

    std::byte* at(std::size_t offset) { return reinterpret_cast<std::byte*>(this) + offset; }
};

std::unique_ptr<Arena> Arena::take()
{
    const Scope outside(nullptr);
    std::byte* const slot = region().takeSlot();
    if (slot == nullptr) {
        return nullptr;
    }
    std::unique_ptr<Arena> arena(new Arena(new (slot) Books));
    if (!arena->isServed()) {
        return nullptr;
    }
    arena->clear();
    return arena;
}

/// Not where something else in the program has taken `operator new` for itself.
bool Arena::isServed()
{
    const Scope inside(this);
    void* const block = ::operator new(1);
    const bool isOurs = owns(block);
    ::operator delete(block);
    return isOurs;
}

Arena::Arena(Books* books) : m_books(books)
{
    clear();
}

Arena::~Arena()
{
    region().giveBack(m_books->at(0));
}

Arena* Arena::current()
{
    return currentArena;
}

Arena::Scope::Scope(Arena* arena) : m_before(currentArena)
{
    currentArena = arena;
}

Arena::Scope::~Scope()
{
    currentArena = m_before;
}

void Arena::clear()
{
    *m_books = {};
    // Blocks begin so that what is behind their heads is aligned.
    m_books->end = (sizeof(Books) + kAlignment - 1) / kAlignment * kAlignment + kBlockHead;
}

std::span<std::byte> Arena::bytes() const
{
    return {m_books->at(0), m_books->end};
}

bool Arena::hasOverflowed() const
{
    return m_books->hasOverflowed;
}

void Arena::findUnread(std::vector<Range>& ranges) const
{
    ranges.clear();
    for (std::size_t index = kFirstLargeClass; index < kClassCount; ++index) {
        std::uint32_t begin = m_books->firstFree[index];
        while (begin != 0) {
            ranges.push_back({begin + kBlockHead + kNextFree, begin + sizeOfClass(index)});
            std::memcpy(&begin, m_books->at(begin + kBlockHead), sizeof(begin));
        }
    }
}

/// Nearly always a block of the size has been given back before. A part of `operator new`, which is
/// the only one that asks.
[[gnu::always_inline]] inline void* Arena::allocate(std::size_t size) noexcept
{
    if (size <= kFineMax - kBlockHead) {
        std::uint32_t& firstFree = m_books->firstFree[classOf(size + kBlockHead)];
        if (firstFree != 0) {
            std::byte* const block = m_books->at(firstFree) + kBlockHead;
            firstFree = *reinterpret_cast<std::uint32_t*>(block);
            return block;
        }
    }
    return allocateAnew(size);
}

void* Arena::allocateAnew(std::size_t size) noexcept
{
    Books& books = *m_books;
    const std::size_t index = classOf(size + kBlockHead);
    if (size >= kSlotSize / 2 || index >= kClassCount) {
        books.hasOverflowed = true;
        return nullptr;
    }
    if (const std::uint32_t free = books.firstFree[index]; free != 0) {
        std::byte* const block = books.at(free);
        books.firstFree[index] = *reinterpret_cast<std::uint32_t*>(block + kBlockHead);
        return block + kBlockHead;
    }
    const std::size_t blockSize = sizeOfClass(index);
    if (books.end + blockSize > kSlotSize) {
        books.hasOverflowed = true;
        return nullptr;
    }
    std::byte* const block = books.at(books.end);
    books.end += static_cast<std::uint32_t>(blockSize);
    *reinterpret_cast<std::uint64_t*>(block) = index;
    return block + kBlockHead;
}

bool Arena::owns(const void* block) noexcept
{
    return reinterpret_cast<std::uintptr_t>(block) - regionBegin.load(std::memory_order_relaxed)
           < regionSize.load(std::memory_order_relaxed);
}

void Arena::free(void* block) noexcept
{
    Books& books = *m_books;
    std::byte* const begin = static_cast<std::byte*>(block) - kBlockHead;
    const auto offset = static_cast<std::size_t>(begin - books.at(0));
    if (offset >= kSlotSize) {
        return; // another arena's
    }
    const auto index = static_cast<std::size_t>(*reinterpret_cast<std::uint64_t*>(begin));
    *static_cast<std::uint32_t*>(block) = books.firstFree[index];
    books.firstFree[index] = static_cast<std::uint32_t>(offset);
}

} // namespace lockscope

#ifdef LOCKSCOPE_WORLD_IMAGES

namespace {

void* allocateAsUsual(std::size_t size)
{
    while (true) {
        if (void* const block = std::malloc(size != 0 ? size : 1)) {
            return block;
        }
        if (const std::new_handler handler = std::get_new_handler()) {
            handler();
        } else {
            throw std::bad_alloc();
        }
    }
}

void freeBlock(void* block) noexcept
{
    using lockscope::Arena;
    if (!Arena::owns(block)) {
        std::free(block);
    } else if (Arena* const arena = Arena::current()) {
        arena->free(block);
    }
}

} // namespace

// For the whole program. An allocator that is linked to it may bring all forms of its own, so none
// is left out but those for types with an alignment of their own, which worlds have none of.
void* operator new(std::size_t size)
{
    if (lockscope::Arena* const arena = lockscope::Arena::current()) {
        if (void* const block = arena->allocate(size)) {
            return block;
        }
    }
    return allocateAsUsual(size);
}

void* operator new[](std::size_t size)
{
    return ::operator new(size);
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept
{
    return ::operator new(size, tag);
}

void operator delete(void* block) noexcept
{
    freeBlock(block);
}

void operator delete[](void* block) noexcept
{
    freeBlock(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    freeBlock(block);
}

void operator delete[](void* block, std::size_t) noexcept
{
    freeBlock(block);
}

void operator delete(void* block, const std::nothrow_t&) noexcept
{
    freeBlock(block);
}

void operator delete[](void* block, const std::nothrow_t&) noexcept
{
    freeBlock(block);
}

#endif

// NOLINTEND(clang-analyzer-unix.Malloc,clang-analyzer-core.UndefinedBinaryOperatorResult)
