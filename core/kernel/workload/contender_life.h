#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/protocol/hold.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/workload/process.h"
#include "core/kernel/workload/scenario.h"
#include "core/kernel/workload/shared_page.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::workload {

/// What a contender is doing, for display.
enum class Activity : std::uint8_t {
    Thinking,
    Waiting,
    Holding,
    Paused,
    Parked,
    Crashed,
    Finished
};

std::string_view idOf(Activity activity);

/// How a life ended.
enum class LifeEnd : std::uint8_t {
    Finished, // the run told it to stop, or there is nothing left to do; everything was released
    Crashed,  // it forgot everything and released nothing: its holds are left on the server
};

/// One contender's part of a scenario: thinks, acquires, holds, goes wrong as often as the scenario
/// says, releases. Everything that happens is in the event log.
///
/// Runs on the executor of its process; all that is referred to outlives it.
class ContenderLife {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const Scenario& scenario;
        SharedPage& page;
        Process& process;
    };

    ContenderLife(Setting setting, protocol::Contender& self);

    /// Runs until finish() or a crash. Called once.
    async::Task<LifeEnd> run();

    /// Stops waiting, releases what is held, and ends.
    void finish();
    /// The same, but instead of ending waits for unpark().
    void park();
    void unpark();

    Activity activity() const { return m_activity; }
    /// The key it waits for or holds; meaningful while Waiting, Holding or Paused.
    trace::LockId lock() const { return m_request.lock; }
    Instant since() const { return m_since; }

    /// The first answer by which no lock can be had: an error of the server, or one that the
    /// protocol does not know.
    const std::optional<store::Problem>& refusal() const { return m_refusal; }

private:
    using Holds = std::vector<std::unique_ptr<protocol::Hold>>;

    async::Task<LifeEnd> contend();
    async::Task<LifeEnd> standBy();
    async::Task<LifeEnd> draw();
    async::Task<void> waitWhileParked();
    async::Task<bool> acquireInto(Holds& holds);
    async::Task<bool> acquireWithin(Holds& holds);
    async::Task<void> work(Holds& holds, Duration span);
    async::Task<void> standStill();
    async::Task<void> releaseAll(Holds& holds);
    void setActivity(Activity activity);
    void noteRefusal(const store::Problem& problem);
    protocol::LockRequest nextRequest();
    bool happens(double probability);

    Setting m_setting;
    protocol::Contender& m_self;
    protocol::LockRequest m_request;
    Activity m_activity = Activity::Thinking;
    Instant m_since;
    std::optional<store::Problem> m_refusal;
    bool m_isFinishing = false;
    bool m_isParked = false;
};

} // namespace lockscope::workload
