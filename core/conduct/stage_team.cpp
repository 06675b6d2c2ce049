#include "core/conduct/stage_team.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lockscope::conduct {

StageTeam::StageTeam(AdapterSetting setting, int width)
    : m_setting(std::move(setting)),
      m_width(std::max(width, 1))
{}

StageTeam::~StageTeam()
{
    {
        const std::lock_guard guard(m_mutex);
        m_isEnding = true;
    }
    m_begun.notify_all();
    for (std::thread& helper : m_helpers) {
        helper.join();
    }
}

ProcessStage& StageTeam::ready(OwnStage& stage) const
{
    return stage ? *stage : stage.emplace(m_setting);
}

Vocabulary StageTeam::vocabulary()
{
    return ready(m_own).vocabulary();
}

RunLog StageTeam::play(const Workload& workload, std::span<const Deviation> deviations)
{
    return ready(m_own).play(workload, deviations);
}

RunLog StageTeam::played(OwnStage& stage, const Play& play) const
{
    try {
        return ready(stage).play(*play.workload, play.deviations);
    } catch (const std::runtime_error& problem) { // an AdapterMistake, a lack of files or processes
        stage.reset();
        RunLog log;
        log.trouble = problem.what();
        return log;
    }
}

std::vector<RunLog> StageTeam::playAll(std::span<const Play> plays)
{
    std::vector<RunLog> logs(plays.size());
    {
        const std::lock_guard guard(m_mutex);
        m_plays = plays;
        m_logs = &logs;
        m_next = 0;
        ++m_round;
    }
    const auto useful = std::min(static_cast<std::size_t>(m_width), plays.size());
    while (m_helpers.size() + 1 < useful) {
        m_helpers.emplace_back([this] { help(); });
    }
    m_begun.notify_all();
    playSome(m_own);
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_helping == 0; });
    m_plays = {};
    m_next = 0;
    return logs;
}

/// The life of a helper. Its processes end with its thread.
void StageTeam::help()
{
    OwnStage stage;
    std::uint64_t seen = 0;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_begun.wait(lock, [&] { return m_isEnding || m_round != seen; });
        if (m_isEnding) {
            return;
        }
        seen = m_round;
        ++m_helping;
        lock.unlock();
        playSome(stage);
        lock.lock();
        --m_helping;
        m_done.notify_all();
    }
}

/// Until every run of the round has begun.
void StageTeam::playSome(OwnStage& stage)
{
    for (;;) {
        std::size_t index = 0;
        Play next;
        {
            const std::lock_guard guard(m_mutex);
            if (m_next >= m_plays.size()) {
                return;
            }
            index = m_next++;
            next = m_plays[index];
        }
        RunLog log = played(stage, next);
        const std::lock_guard guard(m_mutex);
        (*m_logs)[index] = std::move(log);
    }
}

} // namespace lockscope::conduct
