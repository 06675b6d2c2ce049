#pragma once

#include "core/conduct/process_stage.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockscope::conduct {

/// Plays several runs at the same time, each on a thread with processes, a server and a clock of
/// its own. Used by one thread, which plays, too.
class StageTeam final : public Stage {
public:
    StageTeam(AdapterSetting setting, int width);
    /// Runs that go on are waited for.
    ~StageTeam() override;
    StageTeam(const StageTeam&) = delete;
    StageTeam& operator=(const StageTeam&) = delete;

    /// What the adapter says that it understands. Throws an AdapterMistake.
    Vocabulary vocabulary();
    /// On this thread. Throws an AdapterMistake, too.
    RunLog play(const Workload& workload, std::span<const Deviation> deviations) override;
    /// A mistake of the adapter, or what keeps it from being started, is the trouble of its run:
    /// the others go on, and who comes next has new processes.
    std::vector<RunLog> playAll(std::span<const Play> plays) override;
    std::vector<Bytes> scripts() const override { return m_setting.scripts->scriptsFrom(0); }
    int width() const override { return m_width; }

private:
    using OwnStage = std::optional<ProcessStage>;

    void help();
    void playSome(OwnStage& stage);
    RunLog played(OwnStage& stage, const Play& play) const;
    ProcessStage& ready(OwnStage& stage) const;

    AdapterSetting m_setting;
    int m_width;
    OwnStage m_own;

    std::mutex m_mutex;
    std::condition_variable m_begun;
    std::condition_variable m_done;
    // Guarded by the mutex.
    std::span<const Play> m_plays; // of this round
    std::vector<RunLog>* m_logs = nullptr;
    std::size_t m_next = 0; // of m_plays
    std::uint64_t m_round = 0;
    int m_helping = 0; // threads
    bool m_isEnding = false;

    std::vector<std::thread> m_helpers; // started when there is more than one run
};

} // namespace lockscope::conduct
