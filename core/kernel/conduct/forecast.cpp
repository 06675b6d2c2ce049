#include "core/kernel/conduct/forecast.h"

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lockscope::conduct {

using sim::ServerTime;

namespace {

/// Between two requests, so that the later one of two leases ends later.
constexpr Duration kStep = std::chrono::milliseconds(1);

/// A command of the natural run.
struct Request {
    const LogEntry* entry = nullptr;
    bool isByItself = false; // sent while none of its process's calls goes on

    int process() const { return entry->process; }
    int act() const { return entry->act; }
};

std::vector<Request> requestsOf(const RunLog& natural, int firstFinalAct)
{
    std::vector<Request> requests;
    std::map<int, int> callCounts; // that go on, by process
    for (const LogEntry& entry : natural.entries) {
        if (entry.act >= firstFinalAct) {
            break;
        }
        switch (entry.kind) {
        case LogEntry::Kind::Called: ++callCounts[entry.process]; break;
        case LogEntry::Kind::Answered: --callCounts[entry.process]; break;
        case LogEntry::Kind::Ended: callCounts[entry.process] = 0; break;
        case LogEntry::Kind::Executed:
            requests.push_back({&entry, callCounts[entry.process] == 0});
            break;
        default: break;
        }
    }
    return requests;
}

/// What a request did to a key.
struct KeyChange {
    enum class Kind : std::uint8_t { Made, Ended, Prolonged };

    std::string request; // its kind
    Bytes key;
    Kind kind = Kind::Made;
    bool isOfAnother = false; // another process made the key

    auto operator<=>(const KeyChange&) const = default;
};

/// What is left of a run.
struct Trace {
    std::set<KeyChange> changes;
    std::set<const LogEntry*> makers; // requests that made a key
    std::set<Bytes> permanentKeys;    // without an expiry, at the end
};

/// One server, and who made its keys.
class PaperServer {
public:
    explicit PaperServer(sim::SimServer server) : m_server(std::move(server)) {}

    /// Whether it made a key.
    bool carryOut(const LogEntry& request, ServerTime now, std::set<KeyChange>& changes)
    {
        m_server.removeExpired(now);
        m_server.endWaits(now);
        const Keys before = keys();
        std::erase_if(m_makers,
                      [&before](const auto& maker) { return !before.contains(maker.first); });
        m_server.run(sessionOf(request.process), request.command, now);
        m_server.takeDeliveries();
        return note(before, request, changes);
    }

    void stopReplication() { m_replicated = m_server.database().keys(); }
    void failOver()
    {
        if (m_replicated) {
            m_server.database().keys() = *std::exchange(m_replicated, std::nullopt);
        }
    }

    void addPermanentKeys(std::set<Bytes>& found) const
    {
        for (const auto& [key, expiresAtMs] : keys()) {
            if (expiresAtMs == sim::Entry::kNever) {
                found.insert(key);
            }
        }
    }

private:
    using Keys = std::map<Bytes, std::int64_t>; // when they expire

    Keys keys() const
    {
        Keys found;
        for (const sim::Entry& entry : m_server.database().keys().entries()) {
            found.emplace(entry.key, entry.expiresAtMs);
        }
        return found;
    }

    /// One connection of each process; another one, where it waits for a key.
    sim::SessionId sessionOf(int process)
    {
        const auto known = m_sessions.find(process);
        if (known != m_sessions.end() && !m_server.isWaiting(known->second)) {
            return known->second;
        }
        if (known != m_sessions.end()) {
            m_server.disconnect(known->second);
        }
        return m_sessions.insert_or_assign(process, m_server.connect()).first->second;
    }

    bool note(const Keys& before, const LogEntry& request, std::set<KeyChange>& changes)
    {
        const Keys after = keys();
        bool isAnyMade = false;
        const auto add = [&](const Bytes& key, KeyChange::Kind kind) {
            const auto maker = m_makers.find(key);
            changes.insert({request.message.kind, key, kind,
                            maker != m_makers.end() && maker->second != request.process});
        };
        for (const auto& [key, expiresAtMs] : before) {
            const auto now = after.find(key);
            if (now == after.end()) {
                add(key, KeyChange::Kind::Ended);
                m_makers.erase(key);
            } else if (now->second > expiresAtMs) {
                add(key, KeyChange::Kind::Prolonged);
            }
        }
        for (const auto& [key, expiresAtMs] : after) {
            if (!before.contains(key)) {
                add(key, KeyChange::Kind::Made);
                m_makers[key] = request.process;
                isAnyMade = true;
            }
        }
        return isAnyMade;
    }

    sim::SimServer m_server;
    std::map<int, sim::SessionId> m_sessions; // by process
    std::map<Bytes, int> m_makers;
    std::optional<sim::Keyspace> m_replicated; // since replication stopped
};

/// One run, with one deviation or without.
class PaperRun {
public:
    /// `natural`: the trace without a deviation, where there is one.
    PaperRun(const Workload& workload, const std::vector<Request>& requests, ServerTime begin,
             const sim::SimServer& fresh, const Trace& natural, const Deviation* deviation)
        : m_workload(workload),
          m_requests(requests),
          m_begin(begin),
          m_servers(static_cast<std::size_t>(workload.serverCount), PaperServer(fresh)),
          m_natural(natural),
          m_deviation(deviation),
          m_withoutHoldUntil(static_cast<std::size_t>(workload.processCount), -1)
    {}

    Trace play()
    {
        for (const Request& request : m_requests) {
            goOnTo(request.act());
            m_at = std::max(m_at, request.entry->at);
            meet(request);
        }
        goOnTo(m_workload.firstFinalAct);
        for (const PaperServer& server : m_servers) {
            server.addPermanentKeys(m_trace.permanentKeys);
        }
        return std::move(m_trace);
    }

private:
    enum class Fate : std::uint8_t { AsEver, Late, Never };

    bool isHit(const Request& request) const
    {
        return m_deviation != nullptr && !m_isBegun && isAtMessage(m_deviation->kind)
               && request.entry->message == m_deviation->message;
    }

    void meet(const Request& request)
    {
        if (isHit(request)) {
            strike(request);
            return;
        }
        switch (fateOf(request)) {
        case Fate::AsEver: carryOut(request); return;
        case Fate::Late: m_late.push_back(request); return;
        case Fate::Never: loseHold(request); return;
        }
    }

    Fate fateOf(const Request& request) const
    {
        const bool isOfHit = m_isBegun && !isOfServer(m_deviation->kind)
                             && request.process() == m_deviation->message.process;
        const bool isOfLateCall = isOfHit && m_isOngoing && m_hit && !m_hit->isByItself
                                  && !request.isByItself && request.act() == m_hit->act();
        if (isOfLateCall) {
            return Fate::Late;
        }
        if (request.act() <= m_withoutHoldUntil[static_cast<std::size_t>(request.process())]) {
            return Fate::Never;
        }
        return isOfHit ? fateOfHit(request) : Fate::AsEver;
    }

    /// Of the process that the deviation is about.
    Fate fateOfHit(const Request& request) const
    {
        if (isDeath(m_deviation->kind)) {
            return Fate::Never;
        }
        if (!m_isOngoing) {
            const bool isBehindError = !request.isByItself && request.act() == m_failedAct;
            return isBehindError ? Fate::Never : Fate::AsEver;
        }
        if (!m_hit) { // it stands still, or is cut off
            const bool isLate = request.isByItself && m_deviation->kind == Interference::Pause;
            return isLate ? Fate::Late : Fate::Never;
        }
        // A late renewal holds up the next one, a late call the calls behind it.
        const bool isHeldUp = request.isByItself == m_hit->isByItself
                              && (!request.isByItself
                                  || request.entry->message.kind == m_hit->entry->message.kind);
        return isHeldUp ? Fate::Never : Fate::AsEver;
    }

    void strike(const Request& request)
    {
        const Interference kind = m_deviation->kind;
        m_isBegun = true;
        m_hit = request;
        if (isOfServer(kind)) {
            serverOf(request).stopReplication();
        }
        if (isOfServer(kind) || isBehindRequest(kind)) {
            carryOut(request);
        } else if (kind == Interference::DelayRequest) {
            m_late.push_back(request);
        }
        if (!lasts(kind) && !request.isByItself && !isOfServer(kind)) {
            m_failedAct = request.act(); // the call ends with an error
        }
        if (!isOfServer(kind)) {
            loseHold(request);
        }
        begin();
    }

    void begin()
    {
        m_isOngoing = lasts(m_deviation->kind);
        if (m_deviation->leap == Leap::AtBegin || m_deviation->kind == Interference::PassTime) {
            m_leap += m_workload.muchTime();
        }
    }

    /// What was not granted is neither renewed nor given back.
    void loseHold(const Request& request)
    {
        if (isOfAcquire(request)) {
            const auto process = static_cast<std::size_t>(request.process());
            m_withoutHoldUntil[process] = actBeforeNextAcquire(request);
        }
    }

    bool isOfAcquire(const Request& request) const
    {
        const Act& act = m_workload.acts[static_cast<std::size_t>(request.act())];
        return !request.isByItself && act.kind == Act::Kind::Call && act.word == Word::Acquire;
    }

    int actBeforeNextAcquire(const Request& request) const
    {
        int act = request.act() + 1;
        for (; act < m_workload.firstFinalAct; ++act) {
            const Act& next = m_workload.acts[static_cast<std::size_t>(act)];
            if (next.process == request.process() && next.word == Word::Acquire) {
                break;
            }
        }
        return act - 1;
    }

    void goOnTo(int act)
    {
        if (m_deviation == nullptr) {
            return;
        }
        if (!m_isBegun && !isAtMessage(m_deviation->kind) && m_deviation->act <= act) {
            m_isBegun = true;
            begin();
        }
        if (m_isOngoing && m_deviation->untilAct < act) {
            end();
        }
    }

    void end()
    {
        m_isOngoing = false;
        if (m_deviation->leap == Leap::AtEnd) {
            m_leap += m_workload.muchTime();
        }
        for (const Request& request : m_late) {
            carryOut(request);
        }
        if (m_deviation->kind == Interference::FailOver && m_hit) {
            serverOf(*m_hit).failOver();
        }
    }

    PaperServer& serverOf(const Request& request)
    {
        return m_servers[static_cast<std::size_t>(request.entry->server)];
    }

    void carryOut(const Request& request)
    {
        m_leap += kStep;
        const bool hasMade = serverOf(request).carryOut(*request.entry,
                                                        m_begin + m_at.time_since_epoch() + m_leap,
                                                        m_trace.changes);
        if (hasMade) {
            m_trace.makers.insert(request.entry);
        } else if (m_natural.makers.contains(request.entry)) {
            loseHold(request);
        }
    }

    const Workload& m_workload;
    const std::vector<Request>& m_requests;
    ServerTime m_begin;
    std::vector<PaperServer> m_servers;
    const Trace& m_natural;
    const Deviation* m_deviation;
    bool m_isBegun = false;
    bool m_isOngoing = false;
    std::optional<Request> m_hit;
    int m_failedAct = -1;                // of the process that is hit
    std::vector<int> m_withoutHoldUntil; // acts, by process
    std::vector<Request> m_late;
    Instant m_at{};
    Duration m_leap{0};
    Trace m_trace;
};

} // namespace

class Forecast::Paper {
public:
    Paper(const Workload& workload, const RunLog& natural, const std::vector<Bytes>& scripts)
        : m_workload(workload),
          m_requests(requestsOf(natural, workload.firstFinalAct)),
          m_begin(natural.begin)
    {
        const sim::SessionId session = m_fresh.connect();
        for (const Bytes& script : scripts) {
            m_fresh.run(session, store::Command("SCRIPT", "LOAD", script), m_begin);
        }
        m_fresh.disconnect(session);
        m_natural = traceOf(nullptr);
    }

    bool showsHarm(const Deviation& deviation) const
    {
        const Trace trace = traceOf(&deviation);
        const bool isOdd = std::ranges::any_of(trace.changes, [this](const KeyChange& change) {
            return (change.isOfAnother || change.kind == KeyChange::Kind::Made)
                   && !m_natural.changes.contains(change);
        });
        return isOdd
               || (m_workload.hasLease()
                   && !std::ranges::includes(m_natural.permanentKeys, trace.permanentKeys));
    }

private:
    Trace traceOf(const Deviation* deviation) const
    {
        return PaperRun(m_workload, m_requests, m_begin, m_fresh, m_natural, deviation).play();
    }

    const Workload& m_workload;
    std::vector<Request> m_requests;
    ServerTime m_begin;
    sim::LuaEngine m_lua;
    sim::SimServer m_fresh{m_lua};
    Trace m_natural;
};

Forecast::Forecast(const Workload& workload, const RunLog& natural,
                   const std::vector<Bytes>& scripts)
    : m_paper(std::make_unique<const Paper>(workload, natural, scripts))
{}

Forecast::~Forecast() = default;

bool Forecast::showsHarm(const Deviation& deviation) const
{
    return m_paper->showsHarm(deviation);
}

} // namespace lockscope::conduct
