#include "core/kernel/inspect/lock_inspection.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/server_questions.h"
#include "core/kernel/inspect/watch/hold_tracking.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

/// The lock changes hands while we look: after so many attempts the last look has to do.
constexpr int kAttemptsMax = 5;

/// The answers to PEXPIRETIME and PTTL for a key that does not exist (-1: it never expires).
constexpr std::int64_t kNoKey = -2;

struct Expiries {
    std::vector<std::optional<std::int64_t>> atMs; // nullopt: never, or there is no key
    std::vector<bool> areThere;                    // the keys
    Duration rounding{0};
};
using ExpiriesResult = std::variant<Expiries, Problem>;

/// Redis before 7 has no PEXPIRETIME: then the instant is the server's time and what is left, both
/// rounded.
Expiries expiriesByPttl(std::span<const Outcome> outcomes)
{
    ServerWallClock wallClock;
    wallClock.adjust(*replyOf(outcomes.back()), Instant(), Instant());
    Expiries expiries;
    expiries.rounding = std::chrono::milliseconds(2);
    for (const Outcome& outcome : outcomes.first(outcomes.size() - 1)) {
        const std::int64_t left = replyOf(outcome)->integer().value_or(-1);
        expiries.atMs.push_back(left < 0
                                    ? std::nullopt
                                    : std::optional(toEpochMs(wallClock.at(Instant())) + left));
        expiries.areThere.push_back(left != kNoKey);
    }
    return expiries;
}

async::Task<ExpiriesResult> readExpiries(store::Store& store, std::vector<Bytes> keys)
{
    std::vector<Command> exact;
    std::vector<Command> rounded;
    for (const Bytes& key : keys) {
        exact.emplace_back("PEXPIRETIME", key);
        rounded.emplace_back("PTTL", key);
    }
    rounded.emplace_back("TIME");
    const std::vector<Outcome> outcomes = co_await store.submitAll(std::move(exact));
    Expiries expiries;
    for (const Outcome& outcome : outcomes) {
        const store::Reply* const reply = replyOf(outcome);
        if (reply == nullptr) {
            co_return *problemOf(outcome);
        }
        if (!reply->integer()) {
            const std::vector<Outcome> older = co_await store.submitAll(std::move(rounded));
            for (const Outcome& fallback : older) {
                if (std::optional<Problem> problem = problemOf(fallback)) {
                    co_return *problem; // an instant that is not known must not pass for "never"
                }
            }
            co_return expiriesByPttl(older);
        }
        const std::int64_t at = *reply->integer();
        expiries.atMs.push_back(at < 0 ? std::nullopt : std::optional(at));
        expiries.areThere.push_back(at != kNoKey);
    }
    co_return expiries;
}

/// The lock was neither renewed nor taken between the two looks, as far as the instants tell.
bool isSteady(const Expiries& before, const Expiries& after)
{
    const std::int64_t tolerance = toMs(std::max(before.rounding, after.rounding));
    const auto isNear = [tolerance](const auto& a, const auto& b) {
        return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= tolerance);
    };
    return before.areThere == after.areThere
           && std::equal(before.atMs.begin(), before.atMs.end(), after.atMs.begin(),
                         after.atMs.end(), isNear);
}

std::vector<KeyGroup> groupsThatMayBe(const Bytes& name, std::span<const Decoder> decoders)
{
    std::vector<KeyGroup> groups = {groupOf(name, builtinPairRules())};
    if (groups.front().keys != std::vector<Bytes>{name}) {
        groups.push_back({name, {name}});
    }
    for (const PairRule& rule : builtinPairRules()) {
        groups.push_back({name, {name + rule.readSuffix, name + rule.writeSuffix}});
    }
    std::ranges::move(groupsNamed(name, decoders), std::back_inserter(groups));
    return groups;
}

void markAsPointedAt(std::vector<LockSnapshot>& snapshots)
{
    for (LockSnapshot& snapshot : snapshots) {
        snapshot.isPointedAt = true;
    }
}

/// The first of the snapshots that a decoder recognises; otherwise the one of the key itself.
LockInspection bestOf(std::vector<LockSnapshot> snapshots, const Bytes& name,
                      FormatTablePtr formats)
{
    LockInspection best;
    best.formats = std::move(formats);
    for (LockSnapshot& snapshot : snapshots) {
        best.decodedLocks = recognised(snapshot, best.formats->recognisers());
        if (!best.decodedLocks.empty()) {
            best.snapshot = std::move(snapshot);
            return best;
        }
    }
    const auto plain = std::find_if(snapshots.begin(), snapshots.end(),
                                    [&name](const LockSnapshot& s) {
                                        return s.keys.size() == 1 && s.main().key == name;
                                    });
    best.snapshot = std::move(plain != snapshots.end() ? *plain : snapshots.front());
    return best;
}

std::vector<Bytes> keysOf(const LockSnapshot& snapshot)
{
    std::vector<Bytes> keys;
    for (const Observation& seen : snapshot.keys) {
        keys.push_back(seen.key);
    }
    return keys;
}

enum class Intent : std::uint8_t { Look, Release };

/// Asks the server to notice writes to these keys from now on, besides those that it already
/// watches for this connection.
async::Task<void> watchKeys(store::Store& store, std::vector<Bytes> keys,
                            LockInspection& inspection)
{
    Command watch("WATCH");
    for (Bytes& key : keys) {
        watch.append(std::move(key));
    }
    const std::uint64_t session = store.session();
    const Outcome outcome = co_await store.submit(std::move(watch));
    const bool isGuarded = !problemOf(outcome) && session == store.session();
    inspection.guarding = isGuarded ? LockInspection::Guarding::Guarded
                                    : LockInspection::Guarding::Refused;
    inspection.guard = isGuarded ? std::optional(KeyGuard{0, session}) : std::nullopt;
}

/// Reads the values again until the instants of expiry were the same before and after: only then do
/// they belong together. With Intent::Release the keys are watched before their values are read,
/// whatever was there before: a lock that was free a moment ago may be held by now.
async::Task<std::optional<Problem>> readSteadily(store::Store& store, KeyReader& reader,
                                                 Intent intent, LockInspection& inspection)
{
    const std::uint16_t server = inspection.snapshot.server;
    std::vector<Bytes> watched;
    for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
        const KeyGroup group{inspection.snapshot.name, keysOf(inspection.snapshot)};
        if (intent == Intent::Release && watched != group.keys) {
            co_await watchKeys(store, group.keys, inspection);
            watched = group.keys;
        }
        const ExpiriesResult before = co_await readExpiries(store, group.keys);
        std::vector<KeyGroup> groups(1, group);
        auto again = co_await reader.sight(server, std::move(groups));
        ExpiriesResult after = co_await readExpiries(store, group.keys);
        const std::array<const Problem*, 3> problems = {std::get_if<Problem>(&before),
                                                        std::get_if<Problem>(&again),
                                                        std::get_if<Problem>(&after)};
        for (const Problem* const problem : problems) {
            if (problem != nullptr) {
                co_return *problem;
            }
        }
        markAsPointedAt(std::get<std::vector<LockSnapshot>>(again));
        inspection.snapshot = std::move(std::get<std::vector<LockSnapshot>>(again).front());
        inspection.decodedLocks = recognised(inspection.snapshot,
                                             inspection.formats->recognisers());
        inspection.expiresAtMs = std::get<Expiries>(after).atMs;
        const bool isSameLock = keysOf(inspection.snapshot) == group.keys;
        if (isSameLock && isSteady(std::get<Expiries>(before), std::get<Expiries>(after))) {
            break;
        }
        if (!isSameLock) { // the value says that other keys belong to the lock
            inspection.expiresAtMs.assign(inspection.snapshot.keys.size(), std::nullopt);
            inspection.guarding = LockInspection::Guarding::NotAsked;
            inspection.guard.reset();
        }
    }
    co_return std::nullopt;
}

/// What an operator has to know before ending a hold that looks like any other: of one whose value
/// names no owner, or only the process that holds it.
std::string anonymityWarning(const LockInspection& inspection)
{
    const std::vector<Holder>& holders = inspection.decodedLocks.front().holders;
    const bool isNamed = !holders.empty() && !holders.front().owner.empty();
    const std::string why = isNamed
                                ? KernelText::tr("The owner may be the same for every hold of its "
                                                 "process.")
                                : KernelText::tr("The value names no owner.");
    switch (inspection.guarding) {
    case LockInspection::Guarding::NotAsked:
        return KernelText::tr("%1 The next hold may look exactly like this one.", why);
    case LockInspection::Guarding::Guarded:
        return KernelText::tr(
            "%1 The release succeeds only if the key has not been written to since this look; a "
            "write may be a renewal or another hold, which cannot be distinguished.",
            why);
    case LockInspection::Guarding::Refused: break;
    }
    const bool expires = std::ranges::any_of(inspection.expiresAtMs,
                                             [](const auto& at) { return at.has_value(); });
    return expires ? KernelText::tr("%1 This server does not let Lockscope detect writes (WATCH), "
                                    "so this hold and the next cannot be distinguished: a release "
                                    "is refused. Wait until the lock expires.",
                                    why)
                   : KernelText::tr("%1 This server does not let Lockscope detect writes (WATCH), "
                                    "so this hold and the next cannot be distinguished: a release "
                                    "is refused. Cap the TTL instead.",
                                    why);
}

/// Where the value may be of another format as well, whose clients wait for a message: it is sent,
/// too. A channel that no client listens to hears nothing.
void takeWakeUp(const LockInspection& inspection, ReleaseRecipe& recipe)
{
    for (const DecodedLock& other : inspection.decodedLocks) {
        const bool isWanted = recipe.script == ReleaseRecipe::Script::Plain
                              && recipe.channel.empty() && !other.waiterChannel.empty();
        if (!isWanted) {
            continue;
        }
        const Decoder* const decoder = inspection.formats->recognisers().decoderOf(other.format);
        ReleaseRecipe waking = decoder->release(inspection.snapshot, other, HolderChoice::all());
        const bool removesTheSame = waking.script == ReleaseRecipe::Script::Plain
                                    && waking.checks.size() == 1 && recipe.checks.size() == 1
                                    && waking.checks.front().key == recipe.checks.front().key;
        if (removesTheSame) {
            recipe.channel = std::move(waking.channel);
            recipe.payload = std::move(waking.payload);
            recipe.moreArguments = std::move(waking.moreArguments);
            recipe.sleep = waking.sleep;
        }
    }
}

/// How the best decoded lock is released as a lock of `format`; nullopt when there is none.
std::optional<ReleaseRecipe> recipeFor(const LockInspection& inspection, std::string_view format,
                                       HolderChoice choice)
{
    const Decoder* const decoder = inspection.decodedLocks.empty()
                                       ? nullptr
                                       : inspection.formats->recognisers().decoderOf(format);
    if (decoder == nullptr) {
        return std::nullopt;
    }
    ReleaseRecipe recipe = decoder->release(inspection.snapshot, inspection.decodedLocks.front(),
                                            choice);
    takeWakeUp(inspection, recipe);
    if (recipe.isAnonymous()) {
        recipe.warnings.insert(recipe.warnings.begin(), anonymityWarning(inspection));
    }
    return recipe;
}

std::optional<ReleaseRecipe> recipeFor(const LockInspection& inspection, HolderChoice choice)
{
    const bool isRead = !inspection.decodedLocks.empty();
    return recipeFor(inspection,
                     isRead ? inspection.decodedLocks.front().format : std::string_view(), choice);
}

/// Each hold that can be released and leaves others.
std::vector<HolderChoice> singleHolds(const LockInspection& inspection)
{
    if (inspection.decodedLocks.empty()) {
        return {};
    }
    const DecodedLock& decoded = inspection.decodedLocks.front();
    const Decoder* const decoder = inspection.formats->recognisers().decoderOf(decoded.format);
    std::vector<HolderChoice> choices;
    for (std::size_t i = 0; i < decoded.holders.size() && decoded.holders.size() > 1; ++i) {
        choices.push_back(HolderChoice::only(i));
    }
    const bool isCount = decoder != nullptr && decoder->countsHolders && decoded.holders.size() == 1
                         && decoded.holders.front().holds > 1;
    if (isCount) {
        choices.push_back(HolderChoice::oneHoldOf(0));
    }
    return choices;
}

async::Task<std::variant<LockInspection, Problem>> inspectFor(store::Store& store, Clock& clock,
                                                              std::uint16_t server, Bytes name,
                                                              FormatTablePtr formats, Intent intent)
{
    ServerWallClock wallClock;
    co_await adjustWallClock(store, clock, wallClock);
    KeyReader reader(store, clock, wallClock, ReadLimits(), formats);
    auto found = co_await reader.sight(server, groupsThatMayBe(name, formats->decoders()));
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        co_return *problem;
    }
    auto& snapshots = std::get<std::vector<LockSnapshot>>(found);
    markAsPointedAt(snapshots);
    LockInspection inspection = bestOf(std::move(snapshots), name, std::move(formats));
    const std::optional<Problem> problem = co_await readSteadily(store, reader, intent, inspection);
    if (problem) {
        co_return *problem;
    }
    co_return inspection;
}

} // namespace

LockPtr LockInspection::record() const
{
    if (decodedLocks.empty()) {
        return nullptr;
    }
    LockRecord record = recordOf(snapshot, decodedLocks.front());
    record.firstSeen = snapshot.main().seenAt;
    return makeShared<const LockRecord>(std::move(record));
}

bool LockInspection::isProven() const
{
    if (decodedLocks.empty() || decodedLocks.front().flags.has(Flag::ProbablyData)) {
        return false;
    }
    const auto isNamedLikeOne = [this](const Bytes& name) {
        return soundsLikeLock(name) || formats->namesLock(name);
    };
    return decodedLocks.front().confidence != Confidence::Low || isNamedLikeOne(snapshot.name)
           || std::ranges::any_of(snapshot.keys, isNamedLikeOne, &Observation::key);
}

const Treatment* LockInspection::misfit() const
{
    const Treatment* const decision = treatmentOf(snapshot, formats->recognisers());
    const bool isFulfilled = decision == nullptr || decision->isNoLock() || !snapshot.exists()
                             || (!decodedLocks.empty()
                                 && decodedLocks.front().format == decision->format);
    return isFulfilled ? nullptr : decision;
}

std::vector<std::string_view> LockInspection::fittingFormats() const
{
    std::vector<std::string_view> fitting;
    for (const DecodedLock& decoded : decodedLocks) {
        if (!formats->recognisers().decoderOf(decoded.format)->isLastResort) {
            fitting.push_back(decoded.format);
        }
    }
    return fitting;
}

async::Task<std::variant<LockInspection, Problem>> inspectLock(store::Store& store, Clock& clock,
                                                               std::uint16_t server, Bytes name,
                                                               FormatTablePtr formats)
{
    return inspectFor(store, clock, server, std::move(name), std::move(formats), Intent::Look);
}

async::Task<std::variant<LockInspection, Problem>> inspectToRelease(
    store::Store& store, Clock& clock, std::uint16_t server, Bytes name, FormatTablePtr formats)
{
    return inspectFor(store, clock, server, std::move(name), std::move(formats), Intent::Release);
}

std::optional<ReleasePlan> planFor(const LockInspection& inspection, ReleaseAction action,
                                   HolderChoice choice, Duration cap)
{
    std::optional<ReleaseRecipe> recipe = recipeFor(inspection, choice);
    if (!recipe || !recipe->isSupported || recipe->checks.empty()
        || (action == ReleaseAction::CapTtl && recipe->areKeysPermanent)) {
        return std::nullopt;
    }
    const bool isAnonymous = recipe->isAnonymous();
    std::vector<std::optional<std::int64_t>> expiries;
    for (const ReleaseRecipe::KeyCheck& check : recipe->checks) {
        std::optional<std::int64_t> expiry;
        for (std::size_t i = 0; i < inspection.snapshot.keys.size(); ++i) {
            if (inspection.snapshot.keys[i].key == check.key) {
                expiry = inspection.expiresAtMs[i];
            }
        }
        expiries.push_back(expiry);
    }
    const LockPtr record = inspection.record();
    ReleasePlan plan = makePlan(action, record, std::move(*recipe), std::move(expiries), cap);
    plan.holders = choice.of(record->holders);
    plan.ownerScope = inspection.decodedLocks.front().ownerScope.value_or(OwnerScope::Hold);
    plan.servers = {inspection.snapshot.server};
    if (!inspection.master.empty()) {
        plan.masters = {{inspection.snapshot.server, inspection.master}};
    }
    plan.formats = inspection.formats;
    plan.needsFormat = !inspection.isProven();
    if (isAnonymous) {
        plan.guard = inspection.guard;
    }
    return plan;
}

std::vector<ReleasePlan> plansForEach(const LockInspection& inspection)
{
    std::vector<ReleasePlan> plans;
    for (const HolderChoice choice : singleHolds(inspection)) {
        if (auto plan = planFor(inspection, ReleaseAction::Release, choice)) {
            plans.push_back(std::move(*plan));
        }
    }
    return plans;
}

std::vector<ReleasePlan> plansForEachHolder(const LockInspection& inspection)
{
    std::vector<ReleasePlan> plans = plansForEach(inspection);
    if (plans.empty()) {
        if (auto only = planFor(inspection, ReleaseAction::Release)) {
            plans.push_back(std::move(*only));
        }
    }
    return plans;
}

bool isAnyHoldAnonymous(const LockInspection& inspection)
{
    std::vector<ReleasePlan> plans = plansForEach(inspection);
    if (auto all = planFor(inspection, ReleaseAction::Release)) {
        plans.push_back(std::move(*all));
    }
    return std::ranges::any_of(plans,
                               [](const ReleasePlan& plan) { return plan.recipe.isAnonymous(); });
}

std::vector<std::string> releaseWarnings(const LockInspection& inspection, std::string_view format)
{
    const auto recipe = recipeFor(inspection, format, HolderChoice::all());
    return recipe ? recipe->warnings : std::vector<std::string>();
}

} // namespace lockscope::inspect
