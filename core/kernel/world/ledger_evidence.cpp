#include "core/kernel/world/ledger.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

// What stands on the servers, who wrote it, and what that says.
namespace lockscope::world {

using protocol::Promise;

namespace {

/// Elements are matched by this between two looks at a server: never by their place, because a
/// server gives a removed key's place to its last key (Keyspace::erase).
std::uint64_t idOf(int node, std::string_view key, std::string_view field)
{
    ContentHash hash;
    hash.add(node);
    hash.add(key);
    hash.add(field);
    return hash.value();
}

/// Without the expiry, which is judged apart: a renewal moves it and leaves the owner what it is.
std::uint64_t valueHashOf(const sim::Entry& entry)
{
    sim::Entry plain = entry;
    plain.expiresAtMs = sim::Entry::kNever;
    return plain.contentHash();
}

} // namespace

/// Companions, such as a queue of waiters or the second key of a read-write lock, carry the name of
/// their lock, so they are found without knowing the protocol.
/// The lock whose name the key contains; the longest, because "k1" is in "k10". -1: none.
int Ledger::lockOf(std::string_view key) const
{
    int found = -1;
    for (std::size_t lock = 0; lock < m_keys.size(); ++lock) {
        const bool isLonger = found < 0
                              || m_keys[lock].size()
                                     > m_keys[static_cast<std::size_t>(found)].size();
        if (isLonger && key.find(m_keys[lock]) != std::string_view::npos) {
            found = static_cast<int>(lock);
        }
    }
    return found;
}

/// What stands on the server in the eyes of its own clock, with expiries in the time of the world.
/// Expired keys are left out although Redis removes them only when it meets them: no command can
/// see them any more.
Ledger::Elements Ledger::elementsOf(int node, std::span<const sim::Entry> entries,
                                    const ServerClock& clock, Instant now) const
{
    Elements elements;
    elements.reserve(entries.size());
    const std::int64_t nowMs = sim::toEpochMs(clock.at(now));
    for (const sim::Entry& entry : entries) {
        const int lock = lockOf(entry.key);
        if (lock < 0 || entry.isExpiredAt(nowMs)) {
            continue;
        }
        Element element;
        element.node = node;
        element.lock = lock;
        element.isLockItself = entry.key == m_keys[static_cast<std::size_t>(lock)];
        element.expiresAt =
            entry.expiresAtMs == sim::Entry::kNever
                ? Instant::max()
                : clock.whenItShows(sim::ServerTime(std::chrono::milliseconds(entry.expiresAtMs)));
        // Shared and re-entrant locks keep a field per owner, so each field has its own writer.
        if (const auto* const hash = std::get_if<sim::HashValue>(&entry.value)) {
            for (const auto& [field, value] : hash->fields) {
                element.id = idOf(node, entry.key, field);
                element.value = contentHashOf(value);
                elements.push_back(element);
            }
            continue;
        }
        element.id = idOf(node, entry.key, {});
        const auto* const bytes = std::get_if<Bytes>(&entry.value);
        element.value = bytes != nullptr ? contentHashOf(*bytes) : valueHashOf(entry);
        elements.push_back(element);
    }
    return elements;
}

void Ledger::replaceElements(int node, Elements fresh)
{
    std::erase_if(m_elements, [node](const Element& element) { return element.node == node; });
    m_elements.insert(m_elements.end(), fresh.begin(), fresh.end());
}

/// Nothing is judged here: faults and operators keep no promises. What is still there keeps its
/// writer; what a fault brought back, as a failover may, has none.
void Ledger::nodeChanged(int node, std::span<const sim::Entry> entries, const ServerClock& clock,
                         Instant now)
{
    Elements fresh = elementsOf(node, entries, clock, now);
    for (Element& element : fresh) {
        const auto known = std::ranges::find(m_elements, element.id, &Element::id);
        element.writer = known != m_elements.end() ? known->writer : -1;
    }
    replaceElements(node, std::move(fresh));
    ++m_changeCount;
}

/// Judges one command by the elements of its server before and after it. Scripts and transactions
/// are one command, so what they do in between is not seen, as no other client of a real server
/// sees it.
std::optional<Ledger::Overwriting> Ledger::commandRan(int client, int node, Purpose purpose,
                                                      std::span<const sim::Entry> entries,
                                                      const ServerClock& clock, Instant now)
{
    Elements fresh = elementsOf(node, entries, clock, now);
    // Judged by what stood there before, so the elements are replaced last. Who wrote a thing
    // changes only with its value: a renewal does not make anything its own.
    const CommandEffect effect{client, purpose, fresh, now};
    for (Element& after : fresh) {
        const auto known = std::ranges::find(m_elements, after.id, &Element::id);
        const bool isLive = known != m_elements.end() && known->expiresAt >= now;
        const bool isSame = isLive && known->value == after.value;
        after.writer = isSame ? known->writer : client;
    }
    std::optional<Overwriting> overwriting;
    for (const Element& after : fresh) {
        const auto known = std::ranges::find(m_elements, after.id, &Element::id);
        if (known == m_elements.end() || known->expiresAt < now) {
            judgeCreation(effect, after);
        } else if (known->value != after.value || known->expiresAt != after.expiresAt) {
            if (const auto found = judgeChange(effect, *known, after)) {
                overwriting = found;
            }
        }
    }
    for (const Element& before : m_elements) {
        const bool isGone = before.node == node && before.expiresAt >= now
                            && std::ranges::find(fresh, before.id, &Element::id) == fresh.end();
        if (isGone) {
            judgeRemoval(effect, before);
        }
    }
    replaceElements(node, std::move(fresh));
    ++m_changeCount;
    return overwriting;
}

/// By the elements after the command: a renewal that found its own hold has a right to the expiry.
bool Ledger::ownsElement(int client, int lock, const Elements& elements) const
{
    return std::ranges::any_of(elements, [client, lock](const Element& element) {
        return element.lock == lock && element.writer == client;
    });
}

/// A renewal that makes a lock.
void Ledger::judgeCreation(const CommandEffect& effect, const Element& made)
{
    // While its lease lives, a holder may restore what a fault has removed.
    const bool isResurrected = effect.purpose == Purpose::Renew && made.isLockItself
                               && !isLiveHolder(effect.client, made.lock, effect.now);
    if (isResurrected) {
        note(Promise::OwnerOnlyRelease, ViolationKind::WrongExtension, made.lock, effect.client, -1,
             effect.now);
    }
}

/// The client that wrote an element and holds the lock by it is the victim of its removal.
bool Ledger::isTakenFrom(const CommandEffect& effect, const Element& before) const
{
    return before.writer >= 0 && before.writer != effect.client
           && isLiveHolder(before.writer, before.lock, effect.now);
}

void Ledger::judgeRemoval(const CommandEffect& effect, const Element& gone)
{
    // Only a release is held to that: an acquisition may clear away what dead clients left, such as
    // their places in Redisson's fair queue.
    if (effect.purpose == Purpose::Release && isTakenFrom(effect, gone)) {
        Belief& hold = beliefOf(gone.writer, gone.lock);
        hold.isRemoved = true;
        note(Promise::OwnerOnlyRelease, ViolationKind::WrongRelease, gone.lock, effect.client,
             gone.writer, effect.now, hold.since);
    }
}

std::optional<Ledger::Overwriting> Ledger::judgeChange(const CommandEffect& effect,
                                                       const Element& before, const Element& after)
{
    if (!isTakenFrom(effect, before) || !before.isLockItself) {
        return std::nullopt;
    }
    const int lock = before.lock;
    const Belief& self = beliefOf(effect.client, lock);
    const Belief& hold = beliefOf(before.writer, lock);
    const bool isOtherExpiry = after.expiresAt != before.expiresAt;
    const bool isOverwritten = (before.value != after.value || isOtherExpiry)
                               && !(self.isRead && hold.isRead);
    const bool isCutShort = isOtherExpiry && after.expiresAt < before.expiresAt
                            && after.expiresAt < hold.leaseEnd
                            && effect.purpose == Purpose::Acquire;
    // A shared lock has one expiry for all, so every owner of an element of it may move that.
    const bool isForeignRenewal = isOtherExpiry && effect.purpose == Purpose::Renew
                                  && !ownsElement(effect.client, lock, effect.outcome);
    if (isCutShort || isForeignRenewal) {
        note(Promise::OwnerOnlyRelease, ViolationKind::WrongExtension, lock, effect.client,
             before.writer, effect.now, hold.since);
    }
    const bool isTaken = effect.purpose == Purpose::Acquire
                             ? isOverwritten
                             : effect.purpose == Purpose::Renew && before.value != after.value;
    return isTaken && m_plan.permits == 1 ? std::optional(Overwriting{lock, before.writer})
                                          : std::nullopt;
}

std::vector<Ledger::NodeHold> Ledger::nodeHolds(Instant now) const
{
    std::vector<NodeHold> holds;
    for (const Element& element : m_elements) {
        if (!element.isLockItself || element.expiresAt <= now) {
            continue;
        }
        const auto known = std::ranges::find_if(holds, [&element](const NodeHold& hold) {
            return hold.node == element.node && hold.lock == element.lock
                   && hold.client == element.writer;
        });
        if (known == holds.end()) {
            holds.push_back({element.node, element.lock, element.writer, element.expiresAt});
        } else {
            known->until = std::max(known->until, element.expiresAt);
        }
    }
    return holds;
}

std::vector<Ledger::CurrentHold> Ledger::currentHolds(Instant now) const
{
    if (m_plan.permits > 1) {
        return {};
    }
    std::map<std::pair<int, int>, std::vector<Instant>> ends; // by lock and client, one per node
    for (const NodeHold& hold : nodeHolds(now)) {
        if (hold.client >= 0) {
            ends[{hold.lock, hold.client}].push_back(hold.until);
        }
    }
    // As for Redlock (redis.io, "Distributed Locks with Redis"): held is what a majority has.
    const auto majority = static_cast<std::size_t>(m_plan.nodeCount) / 2 + 1;
    std::vector<CurrentHold> currentHolds;
    for (auto& [whose, endsOnNodes] : ends) {
        if (endsOnNodes.size() < majority) {
            continue;
        }
        std::ranges::sort(endsOnNodes, std::greater<>());
        // From then on fewer servers than a majority have it.
        currentHolds.push_back({whose.second, whose.first, endsOnNodes[majority - 1]});
    }
    return currentHolds;
}

std::vector<Ledger::Waiter> Ledger::sleepers(const std::vector<bool>& isAsleep)
{
    std::vector<Waiter> sleepers;
    for (int client = 0; client < m_clientCount; ++client) {
        for (int lock = 0; lock < m_lockCount; ++lock) {
            Belief& belief = beliefOf(client, lock);
            if (belief.isWaiting && belief.isRefused
                && isAsleep[static_cast<std::size_t>(client)]) {
                sleepers.push_back({client, lock, belief.requestOrder});
            } else {
                belief.openSince.reset();
            }
        }
    }
    return sleepers;
}

bool Ledger::isLeftAlone(int lock, const std::vector<bool>& isAsleep) const
{
    for (int client = 0; client < m_clientCount; ++client) {
        const Belief& belief = beliefOf(client, lock);
        const bool isSleeping = belief.isRefused && isAsleep[static_cast<std::size_t>(client)];
        const bool isBusy = belief.isWaiting && !isSleeping;
        if (belief.isHeld() || belief.isGivingBack || isBusy) {
            return false;
        }
    }
    return true;
}

/// Nested holds may have been given a lease each (RReadWriteLock of Redisson adds them up).
void Ledger::mayStayClosed(int lock, Instant now, int holdCount)
{
    Instant& openBy = m_resources[static_cast<std::size_t>(lock)].openBy;
    openBy = std::max(openBy, now + std::max(1, holdCount) * m_leaseMax);
}

/// The end of the span is known before it begins, so a lost wake-up is found here and not when the
/// client wakes up.
void Ledger::slept(const Waiter& sleeper, std::optional<Instant> openFrom, Instant now,
                   Instant then)
{
    Belief& belief = beliefOf(sleeper.client, sleeper.lock);
    if (!openFrom || *openFrom >= then) {
        belief.openSince.reset();
        return;
    }
    if (!belief.openSince || *openFrom > now) {
        belief.openSince = std::max(now, *openFrom);
        countChance(Promise::NoLostWakeup);
    }
    if (then - *belief.openSince > m_plan.wakeUpMax) {
        note(Promise::NoLostWakeup, ViolationKind::LostWakeup, sleeper.lock, sleeper.client, -1,
             then, *belief.openSince);
    }
}

bool Ledger::isAnythingLeft(int lock, Instant now) const
{
    return std::ranges::any_of(m_elements, [lock, now](const Element& element) {
        return element.lock == lock && element.expiresAt >= now;
    });
}

std::uint64_t Ledger::contentHash() const
{
    ContentHash hash;
    for (const Belief& belief : m_beliefs) {
        hash.add(belief.depth);
        hash.add((belief.isRead ? 1 : 0) | (belief.isToldLost ? 2 : 0) | (belief.isRemoved ? 4 : 0)
                 | (belief.isWaiting ? 8 : 0) | (belief.isInside ? 16 : 0)
                 | (belief.isRefused ? 32 : 0));
        // What means something in one phase only is added in that phase: values that are left over
        // would tell states apart that go on alike.
        if (belief.isWaiting) {
            hash.add(belief.bypassCount);
            hash.add(belief.openSince.value_or(Instant::max()).time_since_epoch().count());
            hash.add(belief.harmed);
            if (belief.harmed >= 0) {
                hash.add(static_cast<int>(belief.harm));
            }
        }
        if (belief.depth > 0) {
            hash.add(belief.leaseEnd.time_since_epoch().count());
        }
        if (belief.isInside) {
            // Whether the value was written meanwhile is all that matters of it.
            hash.add(belief.valueSeen);
            hash.add(belief.fence);
        }
    }
    for (const Resource& resource : m_resources) {
        hash.add(resource.fenceSeen);
        hash.add(resource.fenceGranted);
        hash.add(resource.version);
        hash.add(resource.openBy.time_since_epoch().count());
    }
    // Values and expiries are in the hashes of the servers; who wrote them is known only here.
    UnorderedContentHash elements;
    for (const Element& element : m_elements) {
        ContentHash one(element.id);
        one.add(element.writer);
        elements.add(one.value());
    }
    hash.add(elements.value());
    return hash.value();
}

} // namespace lockscope::world
