#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockscope {

/// Memory for a group of objects that refer only to each other and to what outlives them. All bytes
/// of the group lie together, so they can be copied away and put back at the same addresses,
/// suspended coroutines included: then everything is as it was, without a constructor or destructor
/// of any of the objects (ArenaImages).
///
/// While a Scope makes an arena current on a thread, `operator new` takes from it. Memory of an
/// arena may be given back anywhere; outside a Scope of that arena nothing happens, because an
/// image that is put back may need it again. So what leaves the group is copied, and nothing that
/// the group shares with others has a count of its users.
///
/// Belongs to one thread at a time. There are none in builds with sanitizers, which keep books of
/// their own about every allocation: see LOCKSCOPE_WORLD_IMAGES in CMakeLists.txt.
class Arena {
public:
#ifdef LOCKSCOPE_WORLD_IMAGES
    static constexpr bool kIsInBuild = true;
#else
    static constexpr bool kIsInBuild = false;
#endif

    /// nullptr: there are none in this build, or all are in use.
    static std::unique_ptr<Arena> take();
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// Where this thread allocates; nullptr: as usual.
    static Arena* current();

    /// Makes an arena current, or none.
    class Scope {
    public:
        explicit Scope(Arena* arena);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Arena* m_before;
    };

    /// Forgets everything that was taken. Nothing is destroyed.
    void clear();
    /// From the first byte to the last that was taken since clear(), its own books included.
    std::span<std::byte> bytes() const;
    /// Something did not fit any more and lies elsewhere: an image would not be whole.
    bool hasOverflowed() const;

    /// Part of bytes().
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0; // behind the last byte
    };
    /// What nobody reads before it is written to: the blocks that were given back, but for what the
    /// arena itself keeps in them. Small blocks are left out. In the order of nothing.
    void findUnread(std::vector<Range>& ranges) const;

    /// What `operator new` and `operator delete` do. nullptr: it is full.
    void* allocate(std::size_t size) noexcept;
    static bool owns(const void* block) noexcept;
    void free(void* block) noexcept;

private:
    struct Books;

    explicit Arena(Books* books);
    bool isServed();
    void* allocateAnew(std::size_t size) noexcept;

    Books* m_books; // they stand at the beginning of the memory, so an image contains them
};

} // namespace lockscope
