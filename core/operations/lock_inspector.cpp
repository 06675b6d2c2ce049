#include "core/operations/lock_inspector.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/watch/hold_tracking.h"
#include "core/kernel/inspect/watch/sweep_findings.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::operations {

using inspect::LockId;
using inspect::LockInspection;
using store::Problem;

namespace {

/// The details of a lock are read again at each of its changes; its server changes less often.
constexpr Duration kFactsLast = std::chrono::seconds(5);

} // namespace

bool InspectedLock::exists() const
{
    return std::ranges::any_of(inspections,
                               [](const LockInspection& e) { return e.snapshot.exists(); });
}

std::vector<std::uint16_t> InspectedLock::unasked() const
{
    std::vector<std::uint16_t> servers;
    for (const Failure& failure : failures) {
        servers.push_back(failure.first);
    }
    return servers;
}

std::optional<InspectedLock::Failure> InspectedLock::obstacle(
    std::span<const std::uint16_t> dispensable) const
{
    const auto failure = std::ranges::find_if(failures, [dispensable](const Failure& entry) {
        return std::ranges::find(dispensable, entry.first) == dispensable.end();
    });
    if (failure != failures.end()) {
        return *failure;
    }
    for (const LockInspection& inspection : inspections) {
        if (auto problem = inspect::problemOfReading(inspection.snapshot)) {
            return Failure(inspection.snapshot.server, std::move(*problem));
        }
    }
    return std::nullopt;
}

std::vector<std::uint16_t> LockInspector::serversOf(const LockId& id) const
{
    if (id.server != LockId::kWholeSet) {
        return id.server < m_servers.count() ? std::vector{id.server}
                                             : std::vector<std::uint16_t>();
    }
    std::vector<std::uint16_t> all(m_servers.count());
    std::iota(all.begin(), all.end(), std::uint16_t(0));
    return all;
}

async::Task<InspectedLock> LockInspector::inspectLock(LockId id, Purpose purpose)
{
    InspectedLock inspected;
    for (const std::uint16_t server : serversOf(id)) {
        Answer answer = co_await inspectOn(server, id.name, purpose);
        if (auto* const inspection = std::get_if<LockInspection>(&answer)) {
            inspected.inspections.push_back(std::move(*inspection));
        } else {
            inspected.failures.emplace_back(server, std::get<Problem>(std::move(answer)));
        }
    }
    co_return inspected;
}

async::Task<LockDetails> LockInspector::explain(LockId id, Purpose purpose)
{
    const bool isOfSet = id.server == LockId::kWholeSet;
    InspectedLock inspected = co_await inspectLock(id, purpose);
    const bool isRead = !inspected.inspections.empty();
    LockDetails details;
    if (isRead) {
        details = detailsOf(std::move(inspected.inspections), isOfSet ? m_servers.count() : 1);
    } else if (inspected.failures.empty()) {
        details.problem = {Problem::Kind::NotConnected, {}, {}, {}};
    } else {
        details.problem = inspected.failures.back().second;
    }
    if (isRead) {
        place(details, id.server);
        details.serverFacts = co_await factsOfServers(std::move(id), inspected.unasked());
        diagnosis::addFacts(details.nodes, details.serverFacts);
    }
    for (const auto& [server, problem] : inspected.failures) {
        details.unasked.push_back(server);
        if (server < details.nodes.size()) {
            details.nodes[server].problem = problem;
        }
        if (details.problem.kind == Problem::Kind::None) {
            details.warnings.push_back(KernelText::tr("%1 could not be asked: %2",
                                                      store::serverName(m_servers.endpoint(server)),
                                                      store::explain(problem)));
        }
    }
    co_return details;
}

/// In a cluster: says on which node the lock is.
void LockInspector::place(LockDetails& details, std::uint16_t server)
{
    const auto topology = server < m_servers.count() ? m_servers.topology(server) : nullptr;
    if (topology && details.lock) {
        inspect::LockRecord placed = *details.lock;
        placed.place = inspect::placeIn(*topology, placed);
        details.lock = makeShared<const inspect::LockRecord>(std::move(placed));
    }
}

async::Task<std::vector<diagnosis::ServerFacts>> LockInspector::factsOfServers(
    LockId id, std::vector<std::uint16_t> unasked)
{
    std::vector<diagnosis::ServerFacts> facts;
    for (const std::uint16_t server : serversOf(id)) {
        store::Store* const store = m_servers.storeOf(server, id.name);
        if (store == nullptr || std::ranges::find(unasked, server) != unasked.end()) {
            continue;
        }
        const Instant now = m_clock.now();
        std::pair<std::uint16_t, std::string> place(server, m_servers.node(server, id.name));
        const auto known = m_facts.find(place);
        if (known != m_facts.end() && now - known->second.at < kFactsLast) {
            facts.push_back(known->second.facts);
            continue;
        }
        facts.push_back(co_await diagnosis::askServerFacts(*store, m_clock, server));
        m_facts[std::move(place)] = KnownFacts{facts.back(), now};
    }
    co_return facts;
}

async::Task<LockInspector::Answer> LockInspector::inspectOn(std::uint16_t server, Bytes name,
                                                            Purpose purpose)
{
    co_await m_servers.store(server).whenSettled();
    std::variant<WritePlace, Problem> found;
    std::get<WritePlace>(found).store = m_masters.storeOf(server, {});
    if (purpose != Purpose::Look) {
        found = co_await m_masters.find(server);
    }
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        co_return *problem;
    }
    const WritePlace place = std::get<WritePlace>(std::move(found));
    Answer answer = co_await inspect::inspectLock(*place.store, m_clock, server, name, m_formats);
    const auto* const seen = std::get_if<LockInspection>(&answer);
    if (seen != nullptr && purpose == Purpose::Release && inspect::isAnyHoldAnonymous(*seen)) {
        answer = co_await m_guards.inspect(server, place.master, std::move(name), m_formats);
    }
    if (auto* const inspection = std::get_if<LockInspection>(&answer)) {
        inspection->master = place.master;
    }
    co_return answer;
}

} // namespace lockscope::operations
