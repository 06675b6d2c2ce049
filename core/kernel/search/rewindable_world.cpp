#include "core/kernel/search/rewindable_world.h"

namespace lockscope::search {

using world::Step;
using world::World;

RewindableWorld::RewindableWorld(const Setting& setting, Arena* arena)
    : m_setting(setting),
      m_arena(setting.imageBytesMax > 0 ? arena : nullptr)
{
    begin();
}

void RewindableWorld::begin()
{
    if (m_arena == nullptr) {
        m_current = &m_own.emplace(m_setting.protocol, m_setting.plan, m_setting.lua);
        return;
    }
    m_arena->clear();
    {
        const Arena::Scope inside(m_arena);
        m_current = new World(m_setting.protocol, m_setting.plan, m_setting.lua);
        m_current->steps(); // the clients start: no run has to do that again
    }
    m_images.emplace(*m_arena);
}

std::span<const Step> RewindableWorld::steps()
{
    const Arena::Scope inside(m_arena);
    return m_current->steps();
}

void RewindableWorld::takeKnownStep(const Step& step)
{
    const Arena::Scope inside(m_arena);
    m_current->takeKnownStep(step);
}

void RewindableWorld::conclude()
{
    const Arena::Scope inside(m_arena);
    m_current->conclude();
}

RewindableWorld::Image RewindableWorld::save()
{
    const bool hasRoom = m_images && m_images->byteCount() < m_setting.imageBytesMax
                         && !m_arena->hasOverflowed();
    return hasRoom ? m_images->save() : kNoImage;
}

void RewindableWorld::putBack(Image image)
{
    m_images->putBack(image);
}

void RewindableWorld::putBackToBeginning()
{
    if (m_images) {
        m_images->putBackFirst();
    } else {
        begin();
    }
}

} // namespace lockscope::search
