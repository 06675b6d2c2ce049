#pragma once

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/store/script.h"
#include "core/kernel/world/world.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/reply_text.h"

#include <QByteArray>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// One line per violation: "double-grant B A", who did it and whom it concerns.
inline QByteArray textOf(const std::vector<world::Violation>& violations)
{
    QByteArray text;
    for (const world::Violation& violation : violations) {
        const std::string other = violation.other < 0 ? "-" : world::clientName(violation.other);
        text += QByteArray::fromStdString((text.isEmpty() ? "" : "; ")
                                          + std::string(idOf(violation.kind)) + ' '
                                          + world::clientName(violation.client) + ' ' + other);
    }
    return text;
}

/// Acquires at once for ten seconds, works for four, releases.
inline world::ClientPlan aRound(Duration startAt = {}, Duration work = std::chrono::seconds(4))
{
    using world::Act;
    world::ClientPlan plan;
    plan.startAt = startAt;
    plan.acts = {Act::acquire(std::chrono::seconds(10)), Act::work(work), Act::release()};
    return plan;
}

/// The plan with a mistake: the servers run the script without that line.
inline world::WorldPlan without(std::string_view line, const store::Script& script,
                                world::WorldPlan plan)
{
    std::string text(script.text);
    const std::size_t at = text.find(line);
    if (at == std::string::npos) {
        qFatal("the script has no such line: %s", std::string(line).c_str());
    }
    text.erase(at, line.size());
    plan.plantedScripts.emplace_back(script.digest, std::move(text));
    return plan;
}

inline world::WorldPlan planOf(std::vector<world::ClientPlan> clients)
{
    world::WorldPlan plan;
    plan.clients = std::move(clients);
    return plan;
}

/// Two clients that want the lock at once, and one kind of fault that may happen `countMax` times.
inline world::WorldPlan twoAtOnce(world::FaultKind fault = world::FaultKind::Interleaving,
                                  int countMax = 1)
{
    world::WorldPlan plan = planOf({aRound(), aRound()});
    if (fault != world::FaultKind::Interleaving) {
        plan.faults = world::FaultPlan::only(fault, std::chrono::seconds(10), countMax);
    }
    return plan;
}

/// One client, and one fault that may happen once.
inline world::WorldPlan alone(world::FaultKind fault)
{
    world::WorldPlan plan = planOf({aRound()});
    plan.faults = world::FaultPlan::only(fault, std::chrono::seconds(10));
    return plan;
}

/// A world that is directed in words, and what it sent to its servers.
class Stage : private world::Observer {
public:
    Stage(std::string_view protocol, world::WorldPlan plan)
        : Stage(*protocol::findProtocol(protocol), std::move(plan))
    {}
    Stage(const protocol::LockProtocol& protocol, world::WorldPlan plan)
        : m_plan(std::move(plan)),
          m_world(protocol, m_plan, m_lua)
    {
        m_world.observeWith(this);
    }

    world::World& world() { return m_world; }
    const world::WorldPlan& plan() const { return m_plan; }

    /// What may happen next: "serve A 0 c; serve B 0 c".
    QByteArray options()
    {
        QByteArray text;
        for (const world::Step& step : m_world.steps()) {
            text += (text.isEmpty() ? "" : "; ") + QByteArray::fromStdString(toText(step));
        }
        return text;
    }
    bool isOffered(std::string_view step)
    {
        const auto possible = m_world.steps();
        return std::ranges::any_of(possible,
                                   [step](const auto& one) { return toText(one) == step; });
    }
    /// False when one of the steps was not possible; those behind it are not tried.
    bool takeSteps(std::initializer_list<std::string_view> steps)
    {
        return std::ranges::all_of(steps, [this](std::string_view text) {
            const auto step = world::parseStep(text);
            return step && m_world.takeStep(*step);
        });
    }
    /// Goes on without any fault, always with the first thing that is possible; up to `until`, so
    /// long as that instant has not come.
    void goOn(Duration until = Duration::max())
    {
        while (true) {
            const auto possible = m_world.steps();
            const auto next = std::ranges::find_if(possible, [](const world::Step& step) {
                return step.kind != world::Step::Kind::Fault;
            });
            if (next == possible.end()
                || (next->kind == world::Step::Kind::Advance && m_world.elapsed() >= until)) {
                return;
            }
            m_world.takeStep(world::Step(*next));
        }
    }

    /// What the servers carried out: "A SET k 1 EX 10 NX +OK", in that order. Forgotten when taken.
    QByteArray served() { return std::exchange(m_served, {}); }
    QByteArray broken() const { return textOf(m_world.violations()); }

    /// Of the events of that kind: "B 12s" of the first.
    QByteArray first(trace::EventKind kind) const
    {
        for (const trace::Event& event : m_world.events()) {
            if (event.kind == kind) {
                return at(event);
            }
        }
        return "never";
    }
    /// Of all grants: "A 0s, B 12s".
    QByteArray grants() const
    {
        QByteArray text;
        for (const trace::Event& event : m_world.events()) {
            if (event.kind == trace::EventKind::Granted) {
                text += (text.isEmpty() ? "" : ", ") + at(event);
            }
        }
        return text;
    }

    /// What stands under the key, and nullptr for nothing.
    const sim::Entry* entry(std::string_view key, int node = 0) const
    {
        const auto entries = m_world.server(node).database().keys().entries();
        const auto found = std::ranges::find(entries, key, &sim::Entry::key);
        return found == entries.end() ? nullptr : &*found;
    }

private:
    static QByteArray at(const trace::Event& event)
    {
        const auto ms = toMs(event.at.time_since_epoch());
        return QByteArray::fromStdString(world::clientName(static_cast<int>(event.contender))) + ' '
               + QByteArray::number(static_cast<double>(ms) / 1000) + 's';
    }

    void served(const world::Request& request, const std::optional<store::Reply>& reply,
                bool isLate, bool isAnswerLost) override
    {
        std::string line = world::clientName(request.client) + ' ' + toText(request.command) + ' '
                           + (reply ? replyText(*reply) : "later");
        line += isLate ? " late" : "";
        line += isAnswerLost ? " unheard" : "";
        m_served += (m_served.isEmpty() ? "" : "; ") + QByteArray::fromStdString(line);
    }

    world::WorldPlan m_plan;
    sim::LuaEngine m_lua;
    world::World m_world;
    QByteArray m_served;
};

} // namespace lockscope::testing
