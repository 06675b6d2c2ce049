#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/key_answers.h"
#include "core/kernel/inspect/key_reader.h"

#include <iterator>
#include <utility>

// The part of the KeyReader that reads what stands beside locks.
namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

Observation companionToRead(const LockSnapshot& snapshot, CompanionKey key)
{
    Observation seen;
    seen.key = std::move(key.key);
    seen.type = key.type;
    seen.seenAt = snapshot.main().seenAt;
    seen.serverTime = snapshot.main().serverTime;
    return seen;
}

/// A companion that is about to be read, and which answer tells whether it exists.
struct Bystander {
    LockSnapshot* snapshot = nullptr;
    Observation seen;
    std::size_t length = 0; // index of the answer to its own length, or of the one before it
    bool isTimed = false;   // the next answer is the time that it has left
};

/// Puts into their snapshots what exists or may not be read, and the first of several where nothing
/// is, so that it is known to have been looked for.
void keepWhatExists(std::vector<Bystander> bystanders, const std::vector<Outcome>& answers)
{
    for (std::size_t i = 0; i < bystanders.size(); ++i) {
        Bystander& each = bystanders[i];
        const bool isFirst = i == 0 || bystanders[i - 1].length != each.length;
        const Reply& length = *replyOf(answers[each.length]);
        const bool exists = length.integer().value_or(0) > 0;
        if (!isFirst && !exists) {
            continue;
        }
        if (!length.integer()) {
            refuse(each.seen, lengthCommandOf(each.seen.type), length);
        } else if (!exists) {
            each.seen.type = ValueType::None;
        } else if (each.isTimed) {
            takeTimeLeft(*replyOf(answers[each.length + 1]), each.seen);
        }
        each.snapshot->companions.push_back(std::move(each.seen));
    }
}

/// A group of keys that the only key of a snapshot may belong to.
struct Family {
    LockSnapshot* snapshot = nullptr;
    KeyGroup group;
};

/// Makes the snapshot one of the whole group, if that is a lock. The first group that is one
/// counts.
void joinFamily(Family& family, std::span<Observation> seen, const Recognisers& recognisers)
{
    LockSnapshot& snapshot = *family.snapshot;
    if (snapshot.keys.size() != 1) {
        return;
    }
    LockSnapshot whole{snapshot.server, std::move(family.group.name), {}};
    whole.keys.assign(std::make_move_iterator(seen.begin()), std::make_move_iterator(seen.end()));
    if (!decode(whole, recognisers).empty()) {
        snapshot = std::move(whole);
    }
}

} // namespace

/// Hardly any key has siblings, so this mostly asks nothing.
async::Task<std::optional<Problem>> KeyReader::readSiblings(std::vector<LockSnapshot>& snapshots)
{
    std::vector<Family> families;
    std::vector<Bytes> keys;
    for (LockSnapshot& snapshot : snapshots) {
        if (snapshot.keys.size() != 1) {
            continue;
        }
        for (KeyGroup& group : groupsOfSeen(snapshot.main(), m_formats->decoders())) {
            keys.insert(keys.end(), group.keys.begin(), group.keys.end());
            families.push_back({&snapshot, std::move(group)});
        }
    }
    if (families.empty()) {
        co_return std::nullopt;
    }
    Result result = co_await read(std::move(keys));
    if (const auto* const problem = std::get_if<Problem>(&result)) {
        co_return *problem;
    }
    std::span<Observation> seen(std::get<std::vector<Observation>>(result));
    for (Family& family : families) {
        joinFamily(family, seen.first(family.group.keys.size()), m_formats->recognisers());
        seen = seen.subspan(family.group.keys.size());
    }
    co_return std::nullopt;
}

/// Few locks have companions, and of most of those nothing exists: those that go with another one
/// are only asked about where that exists.
async::Task<std::optional<Problem>> KeyReader::readCompanions(std::vector<LockSnapshot>& snapshots)
{
    std::vector<Bystander> bystanders;
    std::vector<Command> commands;
    for (LockSnapshot& snapshot : snapshots) {
        std::size_t before = 0;
        for (CompanionKey& key : companionsOf(snapshot, m_formats->decoders())) {
            const bool isAsked = !key.isWithPrevious;
            const bool isTimed = isAsked && key.isTimed;
            Observation seen = companionToRead(snapshot, std::move(key));
            before = isAsked ? commands.size() : before;
            if (isAsked) {
                commands.push_back(lengthOf(seen));
            }
            if (isTimed) {
                commands.emplace_back("PTTL", seen.key);
            }
            bystanders.push_back({&snapshot, std::move(seen), before, isTimed});
        }
    }
    if (bystanders.empty()) {
        co_return std::nullopt;
    }
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(commands));
    if (auto problem = batchProblemIn(outcomes)) {
        co_return problem;
    }
    keepWhatExists(std::move(bystanders), outcomes);
    std::vector<Observation*> existing;
    for (LockSnapshot& snapshot : snapshots) {
        for (Observation& companion : snapshot.companions) {
            if (companion.exists() && companion.unreadable.empty()) {
                existing.push_back(&companion);
            }
        }
    }
    if (existing.empty()) {
        co_return std::nullopt;
    }
    co_return co_await readCollections(std::move(existing));
}

} // namespace lockscope::inspect
