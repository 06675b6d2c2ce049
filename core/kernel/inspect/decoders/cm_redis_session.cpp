#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"
#include "core/kernel/inspect/decoders/token_shapes.h"

#include <algorithm>
#include <limits>

// Cm_RedisSession 2.1 (Magento, OpenMage): a hash `sess_<id>` that is the session itself. `lock`
// counts: 1 is held, more is held and attempts besides, 0 is free. `pid` names host and process of
// the holder, `wait` counts the requests that wait, `req` is the address that was asked for.
namespace lockscope::inspect::decoders {

namespace cm_redis_session {

using Step = ReleaseRecipe::Step;

constexpr std::string_view kPrefix = "sess_";

const HashField* fieldOf(const Observation& key, std::string_view name)
{
    const auto found = std::ranges::find(key.fields, name, &HashField::name);
    return found == key.fields.end() ? nullptr : &*found;
}

std::optional<std::int64_t> countOf(const Observation& key, std::string_view name)
{
    const HashField* const field = fieldOf(key, name);
    return field ? decimalOf(field->value) : std::nullopt;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    if (key == nullptr || !key->key.starts_with(kPrefix)) {
        return std::nullopt;
    }
    const HashField* const pid = fieldOf(*key, "pid");
    const bool hasProcess = pid && pid->value.find('|') != Bytes::npos;
    if (!hasProcess || countOf(*key, "lock").value_or(0) < 1) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.holders.emplace_back().owner = pid->value;
    const std::optional<std::int64_t> waiting = countOf(*key, "wait");
    if (waiting && *waiting <= std::numeric_limits<int>::max()) {
        decoded.waiters = static_cast<int>(*waiting);
        decoded.waiterSource = WaiterSource::Value;
    }
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its sessions"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "its field lock is a count, and pid names a process"));
    return decoded;
}

/// The key is the session: only its mark is taken away.
ReleaseRecipe release(const LockSnapshot& snapshot, const DecodedLock& decoded, HolderChoice)
{
    ReleaseRecipe recipe;
    ReleaseRecipe::KeyCheck check = ownersCheck(snapshot.main(), {});
    check.fields = {"pid"};
    check.fieldValues = {decoded.holders.front().owner};
    check.comparesExpiry = true; // the next request of the process has the same owner
    recipe.checks.push_back(std::move(check));
    recipe.script = ReleaseRecipe::Script::Composed;
    recipe.steps = {{.kind = Step::Kind::SetField, .name = "lock", .value = "0"}};
    recipe.warnings = {
        KernelText::tr("The key is the session itself and stays: only its lock is set to 0. If the "
                       "request is still running, its changes to the session are lost.")};
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    const HashField* const request = fieldOf(snapshot.main(), "req");
    return request ? std::vector<Fact>{{QT_TRANSLATE_NOOP("KernelText", "request"),
                                        escaped(request->value)}}
                   : std::vector<Fact>();
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("The session itself, a hash; the lock is a part of it.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    if (part.name == "lock") {
        return KernelText::tr("The field lock counts: 1 is held, more is held and attempts "
                              "besides, 0 is free. It is %1.",
                              escaped(part.value));
    }
    if (part.name == "pid") {
        return KernelText::tr("The field pid is host and process of the request that holds it: "
                              "%1.",
                              nameInQuotes(part.value));
    }
    if (part.name == "wait") {
        return KernelText::tr("The field wait counts the requests that wait: %1.",
                              escaped(part.value));
    }
    if (part.name == "req") {
        return KernelText::tr("The field req is the address that the holder was asked for: %1.",
                              nameInQuotes(part.value));
    }
    return KernelText::tr("The field %1 belongs to the session, not to the lock.",
                          nameInQuotes(part.name));
}

} // namespace cm_redis_session

const Decoder kCmRedisSession{
    .id = "cm-redis-session",
    .library = "Cm_RedisSession",
    .title = "Cm_RedisSession",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of a session of Magento or OpenMage: fields of the hash "
                                 "that is the session."),
    .read = cm_redis_session::read,
    .release = cm_redis_session::release,
    .facts = cm_redis_session::facts,
    .ownerScope = OwnerScope::Process,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "A request that has waited long enough, as configured, breaks the lock."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No message wakes the requests that wait: they look again and again."),
            .key = cm_redis_session::meaningOfKey,
            .part = cm_redis_session::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
