#pragma once

#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"

#include <optional>
#include <string>

namespace lockscope::lint {

/// What a step came to.
struct TrialAnswer {
    std::optional<protocol::Meaning> meaning; // nullopt: an answer without one, or an error
    bool isError = false;
    std::string text; // of the answer
    /// Which request answered so: "check" of its step, or its own script.
    bool isOfCheck = false;

    bool means(protocol::Meaning wanted) const { return meaning == wanted; }
    bool isUnlisted() const { return !meaning && !isError; }
};

/// A simulated server on which a few clients try the steps of a lock, one after the other, with
/// nothing going wrong. All clocks show the same.
class StepTrial {
public:
    /// Any of several clients that want the lock; each has its token and its identity.
    enum class Client : std::uint8_t { A, B, C };

    /// Both outlive the trial.
    StepTrial(const protocol::OwnLockPlan& plan, sim::LuaEngine& lua);

    /// With the check of the step, if it has one: what did not pass ends it.
    TrialAnswer acquire(Client client);
    TrialAnswer renew(Client client); // there has to be such a step
    TrialAnswer release(Client client);

    /// The script of a step alone, as after a check that passed before.
    TrialAnswer runAlone(const protocol::OwnStep& step, Client client);

    void wait(Duration span) { m_now += span; }
    Duration lease() const { return m_plan.info.defaults.lease; }

    /// The first key of an acquisition, which is the lock itself; others may be a queue or a fence.
    Bytes lockKey() const { return filled(m_plan.acquire.keys.front(), fillingFor(Client::A)); }
    /// What is there now; expired keys are not.
    const sim::Keyspace& keys();
    /// How many messages were published on the wake-up channel so far.
    int wakeUpCount();

private:
    protocol::Filling fillingFor(Client client) const;
    TrialAnswer run(const std::optional<protocol::OwnStep>& check, const protocol::OwnStep& step,
                    Client client);

    const protocol::OwnLockPlan& m_plan;
    sim::SimServer m_server;
    sim::SessionId m_session;
    sim::SessionId m_listener;
    sim::ServerTime m_now;
    int m_wakeUpCount = 0;
};

} // namespace lockscope::lint
