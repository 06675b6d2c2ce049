#include "core/kernel/search/story.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/wording.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace lockscope::search {

using trace::EventKind;
using world::clientName;
using world::FaultKind;
using world::Request;
using world::Step;
using world::World;
using world::WorldPlan;

namespace {

/// Writes the story while the run is carried out again.
class StoryWriter final : public world::Observer {
public:
    /// `end`: the story is over with it; null: with the run.
    StoryWriter(const WorldPlan& plan, const world::Violation* end) : m_plan(plan), m_end(end) {}

    void watch(const World& world) { m_world = &world; }
    /// `isCounted`: it adds to the length of the run; otherwise it goes on with the step before.
    void beginStep(int step, bool isCounted)
    {
        if (isCounted) {
            endStep();
            ++m_number;
            m_isNumberTold = false;
        }
        m_step = step;
    }
    /// A step of which there was nothing to tell is time that went on.
    void endStep()
    {
        if (!m_isNumberTold) {
            add(KernelText::tr("time goes on"));
        }
    }
    bool isOver() const { return m_isOver; }
    std::vector<StoryLine> takeLines() { return std::move(m_lines); }

    void timeWentOn(Instant from, Instant to) override
    {
        tellExpiries(from, to);
        tellReturns(to);
    }

    void served(const Request& request, const std::optional<store::Reply>& reply, bool isLate,
                bool isAnswerLost) override
    {
        const std::string sent = sentText(request, isLate);
        const std::string text = reply ? KernelText::tr("%1: %2", sent, answerText(*reply))
                                       : KernelText::tr("%1, and waits", sent);
        add(isAnswerLost
                ? KernelText::tr("%1; %2 never receives it", text, clientName(request.client))
                : text);
    }

    void faultHappened(const Step& step, const store::Command* concerned) override
    {
        if (step.fault == FaultKind::Pause) {
            m_returns.push_back({m_world->now() + m_plan.faults.of(FaultKind::Pause).amount,
                                 step.client});
        }
        add(faultText(step, concerned, m_plan));
    }

    void recorded(const trace::Event& event) override
    {
        const auto client = static_cast<int>(event.contender);
        if (client >= static_cast<int>(m_plan.clients.size())) {
            return;
        }
        const std::string name = clientName(client);
        const std::string key = m_plan.keyName(event.lock);
        switch (event.kind) {
        case EventKind::Granted:
            addTo(event.isRead ? KernelText::tr("%1 holds %2 as a reader", name, key)
                               : KernelText::tr("%1 holds %2", name, key));
            break;
        case EventKind::GaveUp: addTo(KernelText::tr("%1 gives up", name)); break;
        case EventKind::Uncertain:
            addTo(KernelText::tr("%1 does not know whether it holds %2", name, key));
            break;
        case EventKind::Releasing:
            if (isHandedOver(event)) {
                addTo(KernelText::tr("another task of %1 releases %2", name, key));
            }
            break;
        case EventKind::ReleaseRefused:
            if (isHandedOver(event)) {
                addTo(KernelText::tr("that task of %1 does not hold %2", name, key));
            }
            break;
        case EventKind::Lost:
            addTo(KernelText::tr("%1 learns that it has lost %2", name, key));
            break;
        default: break;
        }
    }

    void broke(const world::Violation& violation) override
    {
        if (m_isOver || m_end == nullptr || violation.promise != m_end->promise
            || violation.kind != m_end->kind) {
            return;
        }
        addLine({m_world->now(), m_step, describe(violation, m_plan.keyName(violation.lock)),
                 true});
        m_isOver = true;
    }

private:
    struct Return {
        Instant at;
        int client;
    };

    /// "A sends SET k 1 NX to server 2"
    std::string sentText(const Request& request, bool isLate) const
    {
        const std::string name = clientName(request.client);
        const int server = request.link.node + 1;
        const bool isOneOfMany = m_plan.nodeCount > 1;
        if (isLate) {
            const std::string command = commandNoun(request.command);
            return isOneOfMany ? KernelText::tr("the late %1 of %2 arrives at server %3", command,
                                                name, server)
                               : KernelText::tr("the late %1 of %2 arrives", command, name);
        }
        const std::string command = commandText(request.command);
        return isOneOfMany ? KernelText::tr("%1 sends %2 to server %3", name, command, server)
                           : KernelText::tr("%1 sends %2", name, command);
    }

    void add(std::string text) { addLine({m_world->now(), m_step, std::move(text), false}); }

    void addLine(StoryLine line)
    {
        if (m_isOver) {
            return;
        }
        line.number = std::exchange(m_isNumberTold, true) ? 0 : m_number;
        m_lines.push_back(std::move(line));
    }

    /// What follows at once from the line before.
    void addTo(const std::string& text)
    {
        if (m_isOver) {
            return;
        }
        const bool isSameStep = !m_lines.empty() && m_lines.back().step == m_step
                                && m_lines.back().at == m_world->now();
        if (isSameStep) {
            m_lines.back().text = KernelText::tr("%1. %2", m_lines.back().text, text);
        } else {
            add(text);
        }
    }

    void tellExpiries(Instant from, Instant to)
    {
        for (int node = 0; node < m_plan.nodeCount; ++node) {
            const std::int64_t toServerMs = sim::toEpochMs(m_world->serverTime(node));
            const std::int64_t fromMs = toServerMs - toMs(to - from);
            for (const sim::Entry& entry : m_world->server(node).database().keys().entries()) {
                const bool isOver = entry.isExpiredAt(toServerMs) && !entry.isExpiredAt(fromMs);
                if (isOver && isLock(entry.key)) {
                    std::string text = m_plan.nodeCount > 1
                                           ? KernelText::tr("%1 expires on server %2", entry.key,
                                                            node + 1)
                                           : KernelText::tr("%1 expires", entry.key);
                    const auto ago = std::chrono::milliseconds(toServerMs - entry.expiresAtMs);
                    addLine({to - ago, m_step, std::move(text), false});
                }
            }
        }
    }

    void tellReturns(Instant to)
    {
        std::erase_if(m_returns, [&](const Return& end) {
            if (end.at > to) {
                return false;
            }
            add(KernelText::tr("%1 resumes", clientName(end.client)));
            return true;
        });
    }

    bool isHandedOver(const trace::Event& event) const
    {
        return m_world->ledger().isHandedOver(static_cast<int>(event.contender), event.lock);
    }

    bool isLock(const Bytes& key) const
    {
        for (int lock = 0; lock < m_plan.keyCount(); ++lock) {
            if (key == m_plan.keyName(lock)) {
                return true;
            }
        }
        return false;
    }

    const WorldPlan& m_plan;
    const world::Violation* m_end;
    const World* m_world = nullptr;
    std::vector<StoryLine> m_lines;
    std::vector<Return> m_returns;
    int m_step = 0;
    int m_number = 0;
    bool m_isNumberTold = true; // by a line of that step
    bool m_isOver = false;
};

} // namespace

namespace {

/// Carries the run out once more, as far as the writer wants it.
std::vector<StoryLine> told(StoryWriter& writer, const protocol::LockProtocol& protocol,
                            const WorldPlan& plan, std::span<const Step> steps, sim::LuaEngine& lua)
{
    World world(protocol, plan, lua);
    writer.watch(world);
    world.observeWith(&writer);
    for (std::size_t i = 0; i < steps.size() && !writer.isOver(); ++i) {
        world.steps(); // what a step costs depends on what is possible beside it
        writer.beginStep(static_cast<int>(i), world.costOf(steps[i]) > 0);
        if (!world.takeStep(steps[i])) {
            break;
        }
    }
    if (!writer.isOver()) {
        writer.endStep();
    }
    return writer.takeLines();
}

} // namespace

std::vector<StoryLine> tellStory(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                                 const Finding& finding, sim::LuaEngine& lua)
{
    StoryWriter writer(plan, &finding.violation);
    std::vector<StoryLine> story = told(writer, protocol, plan, finding.steps, lua);
    if (!writer.isOver()) {
        const world::Violation& end = finding.violation;
        story.push_back({end.at, -1, describe(end, plan.keyName(end.lock)), true});
    }
    return story;
}

std::vector<StoryLine> tellRun(const protocol::LockProtocol& protocol, const WorldPlan& plan,
                               std::span<const Step> steps, sim::LuaEngine& lua)
{
    StoryWriter writer(plan, nullptr);
    return told(writer, protocol, plan, steps, lua);
}

std::vector<std::string> numbered(const std::vector<StoryLine>& story)
{
    std::vector<std::string> lines;
    for (const StoryLine& line : story) {
        const std::string number = line.number > 0 ? std::to_string(line.number) + '.' : "";
        std::array<char, 64> head{};
        const double seconds = static_cast<double>(line.at.time_since_epoch().count()) / 1e6;
        std::snprintf(head.data(), head.size(), "%3s %8.3f s  ", number.c_str(), seconds);
        lines.push_back(head.data() + line.text);
    }
    return lines;
}

void numberWhereMissing(std::vector<StoryLine>& story)
{
    const bool isNumbered = std::ranges::any_of(story, [](const StoryLine& line) {
        return line.number > 0;
    });
    int number = 0;
    for (StoryLine& line : story) {
        line.number = isNumbered ? line.number : ++number;
    }
}

int numberAt(const std::vector<StoryLine>& story, std::size_t line)
{
    for (std::size_t i = line + 1; i > 0; --i) {
        if (story.at(i - 1).number > 0) {
            return story[i - 1].number;
        }
    }
    return 0;
}

} // namespace lockscope::search
