#include "ui/models/lab/simulated_workload.h"

#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <cmath>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using protocol::Mode;
using workload::Distribution;
using world::Act;
using world::ClientPlan;
using world::WorldPlan;

namespace {

Duration drawn(const Distribution& distribution, Rng& rng)
{
    return std::chrono::floor<std::chrono::milliseconds>(distribution.draw(rng));
}

/// Of `share` of all numbers, evenly among them.
bool isOfShare(int number, double share)
{
    return std::floor((number + 1) * share) > std::floor(number * share);
}

/// Draws the rounds of all clients, one after the other.
class Rounds {
public:
    Rounds(const SimulatedWorkload& workload, std::uint64_t seed)
        : m_workload(workload),
          m_rng(seed)
    {}

    ClientPlan client(int number)
    {
        ClientPlan client;
        client.startAt = m_workload.stagger * number;
        for (int round = 0; round < m_workload.roundCount; ++round) {
            if (round > 0 && m_workload.think != Distribution()) {
                client.acts.push_back(Act::sleep(drawn(m_workload.think, m_rng)));
            }
            addRound(client.acts);
        }
        return client;
    }

private:
    void addRound(std::vector<Act>& acts)
    {
        const auto keyCount = static_cast<std::uint64_t>(m_workload.keyCount);
        const int key = keyCount > 1 ? static_cast<int>(m_rng.below(keyCount)) : 0;
        const Act acquire = Act::acquire(m_workload.lease, key).as(mode());
        const auto depth = static_cast<std::size_t>(m_workload.reentryDepth);
        acts.insert(acts.end(), depth, acquire);
        acts.push_back(Act::work(drawn(m_workload.hold, m_rng)));
        acts.insert(acts.end(), depth, Act::release(key));
    }

    Mode mode()
    {
        if (!m_workload.readShare) {
            return Mode::Exclusive;
        }
        return isOfShare(m_roundCount++, *m_workload.readShare) ? Mode::Read : Mode::Write;
    }

    const SimulatedWorkload& m_workload;
    Rng m_rng;
    int m_roundCount = 0;
};

/// What can be seen of a workload in what its clients do; whether they do nothing else is another
/// question.
class Signs {
public:
    explicit Signs(const std::vector<ClientPlan>& clients)
    {
        m_workload.clientCount = static_cast<int>(clients.size());
        m_workload.stagger = clients.size() > 1 ? clients[1].startAt - clients[0].startAt
                                                : Duration(0);
        for (const ClientPlan& client : clients) {
            std::ranges::for_each(client.acts, [this](const Act& act) { note(act); });
        }
    }

    SimulatedWorkload workload()
    {
        m_workload.roundCount = m_workCount / m_workload.clientCount;
        m_workload.reentryDepth = m_workCount > 0 ? m_acquireCount / m_workCount : 0;
        if (m_readCount + m_writeCount > 0) {
            m_workload.readShare = static_cast<double>(m_readCount) / (m_readCount + m_writeCount);
        }
        return m_workload;
    }

private:
    void note(const Act& act)
    {
        m_workload.keyCount = std::max(m_workload.keyCount, act.key + 1);
        switch (act.kind) {
        case Act::Kind::Acquire:
            ++m_acquireCount;
            m_workload.lease = act.span;
            m_readCount += act.mode == Mode::Read ? 1 : 0;
            m_writeCount += act.mode == Mode::Write ? 1 : 0;
            break;
        case Act::Kind::Work:
            ++m_workCount;
            m_workload.hold = Distribution::constant(act.span);
            break;
        case Act::Kind::Sleep: m_workload.think = Distribution::constant(act.span); break;
        case Act::Kind::Release: break;
        }
    }

    SimulatedWorkload m_workload;
    int m_workCount = 0;
    int m_acquireCount = 0;
    int m_readCount = 0;
    int m_writeCount = 0;
};

QString modeWord(Mode mode)
{
    switch (mode) {
    case Mode::Read: return UiText::tr(" for reading");
    case Mode::Write: return UiText::tr(" for writing");
    case Mode::Exclusive: break;
    }
    return {};
}

QString actText(const Act& act, const WorldPlan& plan)
{
    const QString key = toQString(plan.keyName(act.key));
    switch (act.kind) {
    case Act::Kind::Acquire:
        return UiText::tr("takes %1%2 for %3").arg(key, modeWord(act.mode), spanWord(act.span))
               + (act.isRenewed ? QString() : UiText::tr(" without renewals"));
    case Act::Kind::Work: return UiText::tr("works %1").arg(spanWord(act.span));
    case Act::Kind::Release:
        return (act.byAnotherTask ? UiText::tr("releases %1 from another task")
                                  : UiText::tr("releases %1"))
            .arg(key);
    case Act::Kind::Sleep: return UiText::tr("sleeps %1").arg(spanWord(act.span));
    }
    return {};
}

QString clientLine(const WorldPlan& plan, int number)
{
    const ClientPlan& client = plan.clients[static_cast<std::size_t>(number)];
    QStringList parts;
    for (const Act& act : client.acts) {
        parts += actText(act, plan);
    }
    QString line = UiText::tr("%1, from %2: %3")
                       .arg(toQString(world::clientName(number)), spanWord(client.startAt),
                            listed(parts));
    if (client.sharesIdentityWith) {
        line += UiText::tr("; with the identity of %1")
                    .arg(toQString(world::clientName(*client.sharesIdentityWith)));
    }
    return client.diesHolding ? line + UiText::tr("; crashes as soon as it holds a lock") : line;
}

} // namespace

std::vector<ClientPlan> clientsOf(const SimulatedWorkload& workload, std::uint64_t seed)
{
    Rounds rounds(workload, seed);
    std::vector<ClientPlan> clients;
    clients.reserve(static_cast<std::size_t>(workload.clientCount));
    for (int i = 0; i < workload.clientCount; ++i) {
        clients.push_back(rounds.client(i));
    }
    return clients;
}

std::optional<SimulatedWorkload> workloadOf(const std::vector<ClientPlan>& clients,
                                            std::uint64_t seed)
{
    if (clients.empty()) {
        return std::nullopt;
    }
    SimulatedWorkload workload = Signs(clients).workload();
    const bool isOne = workload.roundCount > 0 && workload.reentryDepth > 0
                       && workload.stagger >= Duration(0) && clientsOf(workload, seed) == clients;
    return isOne ? std::optional(workload) : std::nullopt;
}

QStringList clientLines(const WorldPlan& plan)
{
    QStringList lines;
    for (int i = 0; i < static_cast<int>(plan.clients.size()); ++i) {
        lines += clientLine(plan, i);
    }
    return lines;
}

} // namespace lockscope::models
