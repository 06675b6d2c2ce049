#include "tests/support/scripted_store.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace lockscope::testing {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

const Problem kLost{Problem::Kind::ConnectionLost, "the script broke the link", {}, {}};

} // namespace

ScriptedStore::Script ScriptedStore::replies(std::vector<store::Reply> inOrder)
{
    auto left = std::make_shared<std::deque<store::Reply>>(inOrder.begin(), inOrder.end());
    return [left](const Command& command) -> Outcome {
        if (left->empty()) {
            throw std::logic_error("nobody expected " + toText(command));
        }
        store::Reply next = std::move(left->front());
        left->pop_front();
        return next;
    };
}

async::Pending<Outcome> ScriptedStore::submit(Command command)
{
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    std::vector<Command> commands(1, std::move(command));
    takeRequest({std::move(commands), [completer](std::vector<Outcome> outcomes) mutable {
                     completer.complete(std::move(outcomes.front()));
                 }});
    return pending;
}

async::Pending<std::vector<Outcome>> ScriptedStore::submitAll(std::vector<Command> commands)
{
    async::Completer<std::vector<Outcome>> completer;
    auto pending = completer.pending();
    takeRequest({std::move(commands), [completer](std::vector<Outcome> outcomes) mutable {
                     completer.complete(std::move(outcomes));
                 }});
    return pending;
}

void ScriptedStore::takeRequest(Held request)
{
    for (const Command& command : request.commands) {
        m_asked.push_back(toText(command));
    }
    m_held.push_back(std::move(request));
    if (!m_isHeld || m_isBroken) {
        answerOne();
    }
}

Outcome ScriptedStore::outcomeOf(const Command& command)
{
    return m_isBroken ? Outcome(store::Unreachable{kLost}) : m_script(command);
}

void ScriptedStore::answerOne()
{
    if (m_held.empty()) {
        return;
    }
    const Held request = std::move(m_held.front());
    m_held.pop_front();
    std::vector<Outcome> outcomes;
    for (const Command& command : request.commands) {
        outcomes.push_back(outcomeOf(command));
    }
    request.complete(std::move(outcomes));
}

void ScriptedStore::answerAll()
{
    m_isHeld = false;
    while (!m_held.empty()) {
        answerOne();
    }
}

void ScriptedStore::breakLink()
{
    m_isBroken = true;
    for (const Held& request : std::exchange(m_held, {})) {
        request.complete(std::vector<Outcome>(request.commands.size(), store::Unknown{kLost}));
    }
}

std::size_t ScriptedStore::askedCount(std::string_view beginning) const
{
    return static_cast<std::size_t>(std::count_if(m_asked.begin(), m_asked.end(),
                                                  [beginning](const std::string& text) {
                                                      return text.starts_with(beginning);
                                                  }));
}

} // namespace lockscope::testing
