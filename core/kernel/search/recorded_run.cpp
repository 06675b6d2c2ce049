#include "search/recorded_run.h"

#include "search/wording.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::search {

using store::Reply;
using trace::Message;
using trace::SpanEnd;
using trace::Tenure;
using world::Ledger;
using world::LinkAddress;
using world::LinkRole;
using world::Step;
using world::World;

namespace {

/// Runs that go on for ever, as those with a zombie do, are drawn for so many steps more.
constexpr int kFurtherStepsMax = 200;

/// Follows who stands in the locks on the servers, step by step.
class TenureBook {
public:
    void see(const World& world, const Step& step)
    {
        const std::vector<Ledger::Standing> present = world.ledger().standings(world.now());
        std::erase_if(m_open, [&](const Open& open) {
            const bool isThere = std::ranges::any_of(present, [&open](const auto& standing) {
                return isSame(open, standing);
            });
            if (!isThere) {
                close(open, world.now(), step);
            }
            return !isThere;
        });
        for (const Ledger::Standing& standing : present) {
            const auto known = std::ranges::find_if(m_open, [&standing](const Open& open) {
                return isSame(open, standing);
            });
            if (known != m_open.end()) {
                known->until = standing.until;
                continue;
            }
            m_open.push_back({tenureOf(standing, world.now()), standing.until});
        }
    }

    std::vector<Tenure> finished(Instant end)
    {
        for (Open& open : m_open) {
            open.tenure.to = end;
            m_tenures.push_back(open.tenure);
        }
        std::ranges::stable_sort(m_tenures, {}, &Tenure::from);
        return std::move(m_tenures);
    }

private:
    struct Open {
        Tenure tenure;
        Instant until{};
    };

    static bool isSame(const Open& open, const Ledger::Standing& standing)
    {
        return static_cast<int>(open.tenure.holder) == standing.client
               && static_cast<int>(open.tenure.lock) == standing.lock;
    }

    static Tenure tenureOf(const Ledger::Standing& standing, Instant now)
    {
        return {now, now, static_cast<trace::ContenderId>(standing.client),
                static_cast<trace::LockId>(standing.lock), SpanEnd::Open};
    }

    void close(const Open& open, Instant now, const Step& step)
    {
        Tenure tenure = open.tenure;
        tenure.to = std::min(now, open.until);
        const bool isOwn = step.kind == Step::Kind::Serve
                           && step.client == static_cast<int>(tenure.holder);
        tenure.end = open.until <= now ? SpanEnd::Expired
                     : isOwn           ? SpanEnd::Released
                                       : SpanEnd::Forced;
        m_tenures.push_back(tenure);
    }

    std::vector<Open> m_open;
    std::vector<Tenure> m_tenures;
};

/// Listens to what clients and servers say to each other. The network of a world is instant, but
/// who stands still hears an answer only when it goes on.
class MessageBook final : public world::Observer {
public:
    explicit MessageBook(const World& world) : m_world(world) {}

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
    TenureBook book;
    MessageBook messages(world);
    world.observeWith(&messages);
    RecordedRun run;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!world.take(steps[i])) {
            run.impossibleStep = i;
            break;
        }
        book.see(world, steps[i]);
        run.stepTimes.push_back(world.now());
    }
    for (int further = 0; further < kFurtherStepsMax && !run.impossibleStep; ++further) {
        const std::optional<Step> step = harmlessStep(world);
        if (!step) {
            break;
        }
        world.takeKnown(*step);
        book.see(world, *step);
    }
    run.chronicle = chronicleOf(world.events(), world.now(), plan.permits);
    run.chronicle.tenures = book.finished(world.now());
    run.chronicle.messages = messages.finished();
    run.events = world.events();
    run.violations = world.violations();
    return run;
}

} // namespace lockscope::search
