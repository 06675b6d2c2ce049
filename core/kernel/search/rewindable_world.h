#pragma once

#include "core/kernel/base/arena_images.h"
#include "core/kernel/world/world.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace lockscope::search {

/// The world of a plan, which can be put back to where it was: by images of its memory, or where
/// there are none by a new world that takes the same steps (docs/decisions/0010). What happens in
/// it is the same either way.
class RewindableWorld {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const world::WorldPlan& plan;
        sim::LuaEngine& lua;
        std::size_t imageBytesMax = kImageBytesUsual; // 0: no images
    };
    static constexpr std::size_t kImageBytesUsual = std::size_t{32} << 20U;

    using Image = ArenaImages::Id;
    static constexpr Image kNoImage = std::numeric_limits<Image>::max();

    /// Stands at the beginning. The world lies in the arena; nullptr: no images. Several worlds may
    /// share an arena if each is put back to its beginning before it is used again.
    RewindableWorld(const Setting& setting, Arena* arena);
    RewindableWorld(const RewindableWorld&) = delete;
    RewindableWorld& operator=(const RewindableWorld&) = delete;

    const world::World& world() const { return *m_current; }
    // As of the world. What they return holds until the next call.
    std::span<const world::Step> steps();
    void takeKnownStep(const world::Step& step);
    void conclude();

    /// What the world is now; kNoImage when there is no room for it.
    Image save();
    void putBack(Image image);
    void putBackToBeginning();
    void forget(Image image) { m_images->forget(image); }

private:
    void begin();

    Setting m_setting;
    Arena* m_arena;
    std::optional<world::World> m_own; // where there are no images
    world::World* m_current = nullptr; // in the arena otherwise, where it is never destroyed
    std::optional<ArenaImages> m_images;
};

} // namespace lockscope::search
