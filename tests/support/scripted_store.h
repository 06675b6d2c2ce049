#pragma once

#include "core/kernel/store/store.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// A server that says what the test wants it to say, and remembers what it was asked.
class ScriptedStore final : public store::Store {
public:
    using Script = std::function<store::Outcome(const store::Command&)>;

    /// Called for each command, in order, at the moment at which the server gets to it.
    explicit ScriptedStore(Script script) : m_script(std::move(script)) {}

    /// These replies, one after the other. Asking for more than there are throws.
    static Script replies(std::vector<store::Reply> inOrder);

    async::Pending<store::Outcome> submit(store::Command command) override;
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override;

    /// What whenSettled() ends with, each time; without it with nothing in the way.
    void settleWith(std::function<store::Problem()> obstacle) { m_obstacle = std::move(obstacle); }
    async::Task<store::Problem> whenSettled() override
    {
        co_return m_obstacle ? m_obstacle() : store::Problem();
    }

    /// The commands so far, as they would be typed. Those of a batch count one by one.
    const std::vector<std::string>& asked() const { return m_asked; }
    /// How many of them begin with this.
    std::size_t askedCount(std::string_view beginning) const;
    void forgetAsked() { m_asked.clear(); }

    /// The server gets to nothing until answerOne() or answerAll().
    void hold() { m_isHeld = true; }
    /// The oldest request, or batch of requests, is answered. Does nothing when there is none.
    void answerOne();
    /// Everything is answered, and from now on at once.
    void answerAll();
    std::size_t heldCount() const { return m_held.size(); }

    /// What is held becomes Unknown; what is asked from now on is Unreachable.
    void breakLink();

private:
    struct Held {
        std::vector<store::Command> commands;
        std::function<void(std::vector<store::Outcome>)> complete;
    };

    void takeRequest(Held request);
    store::Outcome outcomeOf(const store::Command& command);

    Script m_script;
    std::function<store::Problem()> m_obstacle;
    std::vector<std::string> m_asked;
    std::deque<Held> m_held;
    bool m_isHeld = false;
    bool m_isBroken = false;
};

} // namespace lockscope::testing
