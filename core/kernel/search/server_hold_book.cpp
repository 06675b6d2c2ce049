#include "core/kernel/search/server_hold_book.h"

#include "core/kernel/base/content_hash.h"
#include "core/kernel/protocol/builtin/rw_steps.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <variant>

namespace lockscope::search {

using sim::Entry;
using trace::CurrentHold;
using trace::ServerHold;
using world::World;

namespace {

// Two keys that are no tokens: a lock has one hold of each kind.
constexpr std::uint64_t kReaders = 0;
constexpr std::uint64_t kWriter = 1;

/// All of these protocols use one server.
constexpr int kNode = 0;

Instant whenItShows(const World& world, std::int64_t epochMs)
{
    return epochMs == Entry::kNever
               ? Instant::max()
               : world.whenServerShows(kNode, sim::ServerTime(std::chrono::milliseconds(epochMs)));
}

/// A key that has not expired; nullptr: it is not there.
const Entry* liveEntry(const World& world, std::string_view key)
{
    const auto entries = world.server(kNode).database().keys().entries();
    const auto found = std::ranges::find(entries, key, &Entry::key);
    const bool isLive = found != entries.end()
                        && !found->isExpiredAt(sim::toEpochMs(world.serverTime(kNode)));
    return isLive ? &*found : nullptr;
}

/// What each of several servers has: a majority may come together of different ones.
void addNodes(const World& world, std::vector<CurrentHold>& currentHolds)
{
    for (const world::Ledger::NodeHold& one : world.ledger().nodeHolds(world.now())) {
        CurrentHold hold;
        hold.holder = one.client < 0 ? std::nullopt
                                     : std::optional(static_cast<trace::ContenderId>(one.client));
        hold.lock = static_cast<trace::LockId>(one.lock);
        hold.until = one.until;
        hold.hold = static_cast<std::uint64_t>(one.client) + 1;
        hold.node = one.node;
        currentHolds.push_back(hold);
    }
}

/// The permits of a semaphore that are out, by the instants at which they run out. A key runs out
/// when the last of them does.
void addPermits(const World& world, trace::LockId lock, std::vector<CurrentHold>& currentHolds)
{
    const Entry* const entry = liveEntry(world, world.ledger().keyOf(lock));
    const auto* const permits = entry == nullptr ? nullptr
                                                 : std::get_if<sim::SortedSetValue>(&entry->value);
    if (permits == nullptr) {
        return;
    }
    for (const sim::ScoredMember& permit : permits->members) {
        const Instant until = whenItShows(world, static_cast<std::int64_t>(permit.score));
        if (until > world.now()) {
            currentHolds.push_back({std::nullopt, lock, until, contentHashOf(permit.member)});
        }
    }
}

/// Of a lock in two keys: one for the writer, and one for all readers.
void addSides(const World& world, trace::LockId lock, std::vector<CurrentHold>& currentHolds)
{
    using namespace protocol::builtin;
    const Bytes& name = world.ledger().keyOf(lock);
    const auto add = [&](const Bytes& key, std::uint64_t hold) {
        if (const Entry* const entry = liveEntry(world, key)) {
            currentHolds.push_back({std::nullopt, lock, whenItShows(world, entry->expiresAtMs),
                                    hold});
        }
    };
    add(readKeyOf(name), kReaders);
    add(writeKeyOf(name), kWriter);
}

} // namespace

void ServerHoldBook::see(const World& world, std::optional<int> served, std::uint32_t step)
{
    const std::vector<CurrentHold> present = currentHoldsIn(world, served);
    const auto endingOf = [&world, served](const ServerHold& serverHold) {
        const bool isOwn = served && serverHold.holder == static_cast<trace::ContenderId>(*served);
        // Of several who share a key, the client that removed it was one of them as far as known.
        const bool isReleased = isOwn || (served && !serverHold.holder);
        return trace::ServerHoldFold::Ending{world.now(), isReleased ? trace::SpanEnd::Released
                                                                     : trace::SpanEnd::Forced};
    };
    m_fold.see(trace::ServerHoldFold::LookTime::at(world.now(), step), present, endingOf);
}

/// The ledger knows holds that are one element each. Where one key stands for several holders, or
/// one side of a lock, it cannot tell whose hold it is; there the requests of the steps have to.
std::vector<CurrentHold> ServerHoldBook::currentHoldsIn(const World& world,
                                                        std::optional<int> served)
{
    std::vector<CurrentHold> currentHolds;
    for (const world::Ledger::CurrentHold& one : world.ledger().currentHolds(world.now())) {
        const auto holder = static_cast<trace::ContenderId>(one.client);
        currentHolds.push_back({holder, static_cast<trace::LockId>(one.lock), one.until, holder});
    }
    if (world.plan().nodeCount > 1) {
        addNodes(world, currentHolds);
        return currentHolds;
    }
    const bool hasPermits = world.plan().permits > 1;
    if (!hasPermits && !m_info.hasKeyPerSide()) {
        return currentHolds;
    }
    for (int number = 0; number < world.ledger().lockCount(); ++number) {
        const auto lock = static_cast<trace::LockId>(number);
        if (hasPermits) {
            addPermits(world, lock, currentHolds);
        } else {
            addSides(world, lock, currentHolds);
        }
    }
    // Before new ones are looked at: a token that comes back later is another hold with its own
    // writer.
    std::erase_if(m_writers, [&currentHolds](const auto& entry) {
        return std::ranges::none_of(currentHolds, [&entry](const CurrentHold& currentHold) {
            return HoldKey(currentHold.lock, currentHold.hold) == entry.first;
        });
    });
    for (CurrentHold& currentHold : currentHolds) {
        const bool isShared = m_info.hasKeyPerSide() && currentHold.hold == kReaders;
        currentHold.holder = isShared ? std::nullopt
                                      : writerOf({currentHold.lock, currentHold.hold}, served);
    }
    return currentHolds;
}

/// Whose request was carried out when the hold was seen for the first time.
std::optional<trace::ContenderId> ServerHoldBook::writerOf(const HoldKey& hold,
                                                           std::optional<int> served)
{
    const std::optional<trace::ContenderId> writer =
        served ? std::optional(static_cast<trace::ContenderId>(*served)) : std::nullopt;
    return m_writers.try_emplace(hold, writer).first->second;
}

} // namespace lockscope::search
