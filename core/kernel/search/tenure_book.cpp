#include "search/tenure_book.h"

#include "base/content_hash.h"
#include "protocol/builtin/rw_steps.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <variant>

namespace lockscope::search {

using sim::Entry;
using trace::Standing;
using trace::Tenure;
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

/// The permits of a semaphore that are out, by the instants at which they run out. A key runs out
/// when the last of them does.
void addPermits(const World& world, trace::LockId lock, std::vector<Standing>& standings)
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
            standings.push_back({std::nullopt, lock, until, contentHashOf(permit.member)});
        }
    }
}

/// Of a lock in two keys: one for the writer, and one for all readers.
void addSides(const World& world, trace::LockId lock, std::vector<Standing>& standings)
{
    using namespace protocol::builtin;
    const Bytes& name = world.ledger().keyOf(lock);
    const auto add = [&](const Bytes& key, std::uint64_t hold) {
        if (const Entry* const entry = liveEntry(world, key)) {
            standings.push_back({std::nullopt, lock, whenItShows(world, entry->expiresAtMs), hold});
        }
    };
    add(readKeyOf(name), kReaders);
    add(writeKeyOf(name), kWriter);
}

} // namespace

void TenureBook::see(const World& world, std::optional<int> served)
{
    const std::vector<Standing> present = standingsIn(world, served);
    const auto endingOf = [&world, served](const Tenure& tenure) {
        const bool isOwn = served && tenure.holder == static_cast<trace::ContenderId>(*served);
        // Of several who share a key, whoever removed it was one of them as far as that tells.
        const bool isReleased = isOwn || (served && !tenure.holder);
        return trace::TenureFold::Ending{world.now(), isReleased ? trace::SpanEnd::Released
                                                                 : trace::SpanEnd::Forced};
    };
    m_fold.see(trace::TenureFold::LookTime::at(world.now()), present, endingOf);
}

std::vector<Standing> TenureBook::standingsIn(const World& world, std::optional<int> served)
{
    std::vector<Standing> standings;
    for (const world::Ledger::Standing& one : world.ledger().standings(world.now())) {
        const auto holder = static_cast<trace::ContenderId>(one.client);
        standings.push_back({holder, static_cast<trace::LockId>(one.lock), one.until, holder});
    }
    const bool hasPermits = world.plan().permits > 1;
    if (!hasPermits && !m_info.hasKeyPerSide()) {
        return standings;
    }
    for (int number = 0; number < world.ledger().lockCount(); ++number) {
        const auto lock = static_cast<trace::LockId>(number);
        if (hasPermits) {
            addPermits(world, lock, standings);
        } else {
            addSides(world, lock, standings);
        }
    }
    std::erase_if(m_writers, [&standings](const auto& entry) {
        return std::ranges::none_of(standings, [&entry](const Standing& standing) {
            return HoldKey(standing.lock, standing.hold) == entry.first;
        });
    });
    for (Standing& standing : standings) {
        const bool isShared = m_info.hasKeyPerSide() && standing.hold == kReaders;
        standing.holder = isShared ? std::nullopt
                                   : writerOf({standing.lock, standing.hold}, served);
    }
    return standings;
}

/// Whose request was carried out when the hold was seen for the first time.
std::optional<trace::ContenderId> TenureBook::writerOf(const HoldKey& hold,
                                                       std::optional<int> served)
{
    const std::optional<trace::ContenderId> writer =
        served ? std::optional(static_cast<trace::ContenderId>(*served)) : std::nullopt;
    return m_writers.try_emplace(hold, writer).first->second;
}

} // namespace lockscope::search
