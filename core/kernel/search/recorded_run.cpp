#include "core/kernel/search/recorded_run.h"

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

/// Listens to what clients and servers say to each other. The network of a world is instant, but
/// a paused client hears an answer only when it goes on.
class MessageRecorder final : public world::Observer {
public:
    explicit MessageRecorder(const World& world) : m_world(world) {}

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
            entry.message.appliedAt = m_world.now();
            entry.message.appliedOrder = m_order++;
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
        Entry& entry = add(client, link.node, "hears " + answerText(reply));
        entry.message.isPush = true;
        entry.message.appliedAt = m_world.now();
        entry.message.appliedOrder = m_order++;
        hear(entry.message);
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
    };
    using Wire = std::tuple<int, int, LinkRole>; // client, node, role

    Entry& add(int client, int node, std::string text)
    {
        Entry entry;
        entry.message.sentAt = m_world.now();
        entry.message.sentOrder = m_order++;
        entry.message.contender = static_cast<trace::ContenderId>(client);
        entry.message.node = node;
        entry.message.text = std::move(text);
        return m_entries.emplace_back(std::move(entry));
    }

    void answer(Entry& entry, const Reply& reply)
    {
        hear(entry.message);
        entry.answer = ": " + answerText(reply);
    }

    /// The world hands an answer over at once and lets a paused client react later. In a drawing
    /// the message arrives when the client can notice it.
    void hear(Message& message)
    {
        const auto paused = m_pausedUntil.find(message.contender);
        const bool hasPaused = paused != m_pausedUntil.end();
        message.answeredAt = hasPaused ? std::max(m_world.now(), paused->second) : m_world.now();
        message.answeredOrder = m_order++;
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
    std::vector<Entry> m_entries;
    std::map<std::uint32_t, std::size_t> m_entryOf; // by the number of the request
    std::map<Wire, std::uint32_t> m_waiting;        // carried out, and answered later
    std::map<trace::ContenderId, Instant> m_pausedUntil;
    std::optional<int> m_served;
    std::uint32_t m_order = 0;
};

/// The first step that is no fault.
std::optional<Step> harmlessStep(World& world)
{
    const std::span<const Step> steps = world.steps();
    const auto found = std::ranges::find_if(steps, [](const Step& step) {
        return step.kind != Step::Kind::Fault;
    });
    return found == steps.end() ? std::nullopt : std::optional(*found);
}

} // namespace

RecordedRun recordRun(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                      std::span<const Step> steps, sim::LuaEngine& lua)
{
    World world(protocol, plan, lua);
    ServerHoldBook serverHolds(protocol.info());
    MessageRecorder messages(world);
    world.observeWith(&messages);
    RecordedRun run;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!world.takeStep(steps[i])) {
            run.impossibleStep = i;
            break;
        }
        // After each step and not at the end: a hold that came and went between two looks would be
        // missed, and by whom it was ended is known only from the request of the step.
        serverHolds.see(world, messages.takeServed());
        run.stepTimes.push_back(world.now());
    }
    // A counterexample ends at its violation. What follows without another fault shows how the
    // holds end, and whether the harm lasts.
    for (int further = 0; further < kFurtherStepsMax && !run.impossibleStep; ++further) {
        const std::optional<Step> step = harmlessStep(world);
        if (!step) {
            break;
        }
        world.takeKnownStep(*step);
        serverHolds.see(world, messages.takeServed());
    }
    run.chronicle = chronicleOf(world.events(), world.now(), plan.permits);
    run.chronicle.serverHolds = serverHolds.serverHolds();
    run.chronicle.messages = messages.finished();
    run.events = world.events();
    run.violations = world.violations();
    run.chances = world.chances();
    return run;
}

} // namespace lockscope::search
