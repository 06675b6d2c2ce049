#include "core/kernel/search/recorded_run.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/server_hold_book.h"
#include "core/kernel/search/wording.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::search {

using store::Reply;
using trace::Message;
using world::LinkAddress;
using world::LinkRole;
using world::Step;
using world::World;

namespace {

/// Runs that never end, as those with a zombie, are drawn for so many steps more.
constexpr int kFurtherStepsMax = 200;

std::uint32_t numberOfLast(const trace::RunSteps& steps)
{
    return static_cast<std::uint32_t>(steps.times.size() - 1);
}

/// Listens to what clients and servers say to each other. The network of a world is instant, but
/// a paused client hears an answer only when it goes on.
class MessageRecorder final : public world::Observer {
public:
    /// `steps` are those taken so far.
    MessageRecorder(const World& world, const trace::RunSteps& steps)
        : m_world(world),
          m_steps(steps)
    {}

    /// For whom a server carried out something since the last call.
    std::optional<int> takeServed() { return std::exchange(m_served, std::nullopt); }

    /// An answer that its client would have heard later than the run goes was not heard in it.
    std::vector<Message> finished()
    {
        std::vector<Message> messages;
        messages.reserve(m_entries.size());
        for (Entry& entry : m_entries) {
            Message& message = entry.message;
            if (message.answeredAt > m_world.now()) {
                message.answeredAt.reset();
            }
            message.text += message.answeredAt ? entry.answer : "";
            message.answeredStep = message.answeredAt && entry.isHeardLater
                                       ? m_steps.stepAt(*message.answeredAt)
                                       : message.answeredStep;
            messages.push_back(std::move(message));
        }
        return messages;
    }

    void sent(const world::Request& request) override
    {
        m_entryOf[request.number] = m_entries.size();
        add(request.client, request.link.node, commandText(request.command));
    }

    /// Of a request that was copied, the first time counts.
    void served(const world::Request& request, const std::optional<Reply>& reply, bool isLate,
                bool isAnswerLost) override
    {
        m_served = request.client;
        Entry& entry = m_entries[m_entryOf.at(request.number)];
        if (!entry.message.appliedAt) {
            arrive(entry.message);
        }
        if (reply && !isLate && !isAnswerLost) {
            answer(entry, *reply);
        } else if (!reply && !isLate) {
            m_waiting[{request.client, request.link.node, request.link.role}] = request.number;
        }
    }

    void delivered(int client, LinkAddress link, const Reply& reply) override
    {
        const auto waiting = m_waiting.find({client, link.node, link.role});
        if (waiting != m_waiting.end()) {
            answer(m_entries[m_entryOf.at(waiting->second)], reply);
            m_waiting.erase(waiting);
            return;
        }
        Entry& entry = add(client, link.node, KernelText::tr("hears %1", answerText(reply)));
        entry.message.isPush = true;
        arrive(entry.message);
        hear(entry);
    }

    void recorded(const trace::Event& event) override
    {
        if (event.kind == trace::EventKind::Paused) {
            m_pausedUntil[event.contender] = m_world.now() + Duration(event.value);
        } else if (event.kind == trace::EventKind::Crashed) {
            forgetUnheard(event.contender);
        }
    }

private:
    struct Entry {
        Message message;
        std::string answer; // ": OK"
        bool isHeardLater = false;
    };
    using Wire = std::tuple<int, int, LinkRole>; // client, node, role

    Entry& add(int client, int node, std::string text)
    {
        Entry entry;
        entry.message.sentAt = m_world.now();
        entry.message.sentOrder = m_order++;
        entry.message.sentStep = numberOfLast(m_steps);
        entry.message.contender = static_cast<trace::ContenderId>(client);
        entry.message.node = node;
        entry.message.text = std::move(text);
        return m_entries.emplace_back(std::move(entry));
    }

    void answer(Entry& entry, const Reply& reply)
    {
        hear(entry);
        entry.answer = ": " + answerText(reply);
    }

    /// The world hands an answer over at once and lets a paused client react later. In a drawing
    /// the message arrives when the client can notice it.
    void hear(Entry& entry)
    {
        Message& message = entry.message;
        const auto paused = m_pausedUntil.find(message.contender);
        entry.isHeardLater = paused != m_pausedUntil.end() && paused->second > m_world.now();
        message.answeredAt = entry.isHeardLater ? paused->second : m_world.now();
        message.answeredOrder = m_order++;
        message.answeredStep = numberOfLast(m_steps);
    }

    void arrive(Message& message)
    {
        message.appliedAt = m_world.now();
        message.appliedOrder = m_order++;
        message.appliedStep = numberOfLast(m_steps);
    }

    void forgetUnheard(trace::ContenderId contender)
    {
        for (Entry& entry : m_entries) {
            Message& message = entry.message;
            if (message.contender == contender && message.answeredAt > m_world.now()) {
                message.answeredAt.reset();
            }
        }
    }

    const World& m_world;
    const trace::RunSteps& m_steps;
    std::vector<Entry> m_entries;
    std::map<std::uint32_t, std::size_t> m_entryOf; // by the number of the request
    std::map<Wire, std::uint32_t> m_waiting;        // carried out, and answered later
    std::map<trace::ContenderId, Instant> m_pausedUntil;
    std::optional<int> m_served;
    std::uint32_t m_order = 0;
};

/// Takes the steps of a run, numbers them as a story does, and writes down what they did.
class RunRecorder {
public:
    RunRecorder(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                sim::LuaEngine& lua)
        : m_world(protocol, plan, lua),
          m_serverHolds(protocol.info()),
          m_messages(m_world, m_steps),
          m_permits(plan.permits)
    {
        m_world.observeWith(&m_messages);
        m_steps.times.push_back(m_world.now());
        placeEvents();
    }

    /// False when the step is not possible.
    bool take(const Step& step)
    {
        m_world.steps(); // what a step costs depends on what is possible beside it
        const bool isNumbered = m_world.costOf(step) > 0;
        if (isNumbered) {
            m_steps.times.push_back(m_world.now());
        }
        if (!m_world.takeStep(step)) {
            m_steps.times.resize(m_steps.times.size() - (isNumbered ? 1 : 0));
            return false;
        }
        // After each step and not at the end: a hold that came and went between two looks would be
        // missed, and by whom it was ended is known only from the request of the step.
        m_serverHolds.see(m_world, m_messages.takeServed(), numberOfLast(m_steps));
        m_steps.times.back() = m_world.now();
        placeEvents();
        return true;
    }

    /// The first of the possible steps that is no fault.
    std::optional<Step> harmlessStep()
    {
        const std::span<const Step> steps = m_world.steps();
        const auto found = std::ranges::find_if(steps, [](const Step& step) {
            return step.kind != Step::Kind::Fault;
        });
        return found == steps.end() ? std::nullopt : std::optional(*found);
    }

    RecordedRun finished()
    {
        RecordedRun run;
        run.chronicle = chronicleOf(m_world.events(), m_world.now(), m_permits,
                                    trace::InstantOrder::AsRecorded);
        run.chronicle.serverHolds = m_serverHolds.serverHolds();
        run.chronicle.messages = m_messages.finished();
        run.events = m_world.events();
        run.violations = m_world.violations();
        run.chances = m_world.chances();
        run.steps = std::move(m_steps);
        return run;
    }

private:
    void placeEvents()
    {
        m_steps.eventSteps.resize(m_world.events().size(), numberOfLast(m_steps));
    }

    World m_world;
    trace::RunSteps m_steps;
    ServerHoldBook m_serverHolds;
    MessageRecorder m_messages;
    int m_permits;
};

} // namespace

RecordedRun recordRun(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                      std::span<const Step> steps, sim::LuaEngine& lua)
{
    RunRecorder recorder(protocol, plan, lua);
    std::optional<std::size_t> impossibleStep;
    for (std::size_t i = 0; i < steps.size() && !impossibleStep; ++i) {
        impossibleStep = recorder.take(steps[i]) ? std::nullopt : std::optional(i);
    }
    // A counterexample ends at its violation. What follows without another fault shows how the
    // holds end, and whether the harm lasts.
    for (int further = 0; further < kFurtherStepsMax && !impossibleStep; ++further) {
        const std::optional<Step> step = recorder.harmlessStep();
        if (!step || !recorder.take(*step)) {
            break;
        }
    }
    RecordedRun run = recorder.finished();
    run.impossibleStep = impossibleStep;
    return run;
}

} // namespace lockscope::search
