#include "core/kernel/inspect/lock_record.h"

#include "core/kernel/inspect/reason.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lockscope::inspect {

namespace {

constexpr auto kFlagCount = static_cast<std::size_t>(Flag::FlagCount);

/// Nothing new does not need a place of its own.
template<class Seldom, class Value>
void setSeldom(Boxed<Seldom>& seldom, Value Seldom::*member, Value value)
{
    if (seldom || value != Value()) {
        (*seldom).*member = std::move(value);
    }
}

} // namespace

void Holder::setAcquiredAt(OptionalWallTime at)
{
    setSeldom(seldom, &Seldom::acquiredAt, at);
}

void Holder::setClient(std::shared_ptr<const ClientInfo> client)
{
    setSeldom(seldom, &Seldom::client, std::move(client));
}

void Holder::setTie(std::shared_ptr<const OwnerTie> tie)
{
    setSeldom(seldom, &Seldom::tie, std::move(tie));
}

const Evidence& LockRecord::evidence() const
{
    static const Evidence kNone;
    return kind ? kind->evidence : kNone;
}

void LockRecord::setFormat(std::string_view format)
{
    kind = makeShared<const LockKind>(LockKind{format, library(), evidence()});
}

void LockRecord::setLibrary(std::string_view library)
{
    kind = makeShared<const LockKind>(LockKind{format(), library, evidence()});
}

void LockRecord::addEvidence(const char* sentence)
{
    LockKind changed{format(), library(), evidence()};
    changed.evidence.add(sentence);
    kind = makeShared<const LockKind>(changed);
}

void LockRecord::setAcquiredAt(OptionalWallTime at)
{
    setSeldom(seldom, &Seldom::acquiredAt, at);
}

void LockRecord::setWaitersAtMost(std::optional<int> count)
{
    setSeldom(seldom, &Seldom::waitersAtMost, count);
}

void LockRecord::setDeadlock(std::shared_ptr<const std::vector<Bytes>> names)
{
    if (names) {
        flags.add(Flag::Deadlock);
    } else {
        flags.remove(Flag::Deadlock);
    }
    setSeldom(seldom, &Seldom::deadlock, std::move(names));
}

void LockRecord::setHistory(std::shared_ptr<const HoldHistory> history)
{
    setSeldom(seldom, &Seldom::history, std::move(history));
}

bool isCountedByChannel(WaiterSource source)
{
    return source == WaiterSource::Channel || source == WaiterSource::SomeOnChannel;
}

bool isCountedApart(WaiterSource source)
{
    return isCountedByChannel(source) || source == WaiterSource::BlockedList;
}

std::optional<int> waitersAmong(WaiterSource source, std::optional<int> listeners)
{
    const bool isCertain = source == WaiterSource::Channel || listeners.value_or(0) > 0;
    return isCountedByChannel(source) && isCertain ? listeners : std::nullopt;
}

std::uint32_t LockRecord::holds() const
{
    std::uint32_t sum = 0;
    for (const Holder& holder : holders) {
        sum += holder.holds;
    }
    return sum;
}

std::size_t LockRecord::tiedCount() const
{
    std::size_t count = 0;
    for (const Holder& holder : holders) {
        count += holder.tie() ? holder.tie()->names.size() - 1 : 0;
    }
    return count;
}

std::vector<Bytes> OwnerTie::namesBeside(std::string_view name) const
{
    std::vector<Bytes> others = names;
    std::erase(others, name);
    return others;
}

std::vector<Bytes> LockRecord::keys() const
{
    return otherKeys().empty() ? std::vector<Bytes>{id.name} : otherKeys();
}

std::string_view idOf(Flag flag)
{
    return infoOf(flag).id;
}

std::optional<Flag> flagOfId(std::string_view id)
{
    const std::span<const ReasonInfo> reasons = allReasons().first(kFlagCount);
    const auto found = std::ranges::find(reasons, id, &ReasonInfo::id);
    return found != reasons.end() ? flagOf(found->reason) : std::nullopt;
}

std::string_view idOf(Mode mode)
{
    switch (mode) {
    case Mode::Exclusive: return "exclusive";
    case Mode::Read: return "read";
    case Mode::Write: return "write";
    case Mode::Semaphore: return "semaphore";
    }
    return {};
}

std::string_view idOf(Confidence confidence)
{
    switch (confidence) {
    case Confidence::Low: return "low";
    case Confidence::Medium: return "medium";
    case Confidence::High: return "high";
    }
    return {};
}

std::string_view idOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Appeared: return "appeared";
    case ChangeKind::Changed: return "changed";
    case ChangeKind::Renewed: return "renewed";
    case ChangeKind::Released: return "released";
    case ChangeKind::Expired: return "expired";
    case ChangeKind::Unwatched: return "unwatched";
    }
    return {};
}

bool isEnding(ChangeKind kind)
{
    return kind == ChangeKind::Released || kind == ChangeKind::Expired
           || kind == ChangeKind::Unwatched;
}

int severityOf(Flag flag)
{
    return infoOf(flag).severity;
}

int severityOf(FlagSet flags)
{
    int severity = 0;
    for (std::size_t i = 0; i < kFlagCount; ++i) {
        const auto flag = static_cast<Flag>(i);
        severity = std::max(severity, flags.has(flag) ? severityOf(flag) : 0);
    }
    return severity;
}

int severityOf(Flag flag, const LockRecord& record)
{
    if (record.flags.has(Flag::ProbablyData)) {
        return 0;
    }
    const int usual = severityOf(flag);
    if (flag != Flag::NoExpiry) {
        return usual;
    }
    return record.isNewHold ? 0 : record.confidence == Confidence::Low ? 1 : usual;
}

int severityOf(const LockRecord& record)
{
    int severity = 0;
    for (std::size_t i = 0; i < kFlagCount; ++i) {
        const auto flag = static_cast<Flag>(i);
        severity = std::max(severity, record.flags.has(flag) ? severityOf(flag, record) : 0);
    }
    return severity;
}

QuorumState quorumStateOf(const LockRecord& record)
{
    if (record.quorum().isMajority()) {
        return QuorumState::Majority;
    }
    if (record.quorum().isUndecided()) {
        return QuorumState::Unknown;
    }
    return record.holders.size() > 1 ? QuorumState::Split : QuorumState::Minority;
}

std::string_view idOf(QuorumState state)
{
    switch (state) {
    case QuorumState::Majority: return "majority";
    case QuorumState::Split: return "split";
    case QuorumState::Minority: return "minority";
    case QuorumState::Unknown: break;
    }
    return "unknown";
}

LockState stateOf(const LockRecord& record)
{
    if (severityOf(record) > 0) {
        return LockState::Suspicious;
    }
    if (!record.isConfirmed || record.quorum().isUndecided()) {
        return LockState::Unconfirmed;
    }
    if (record.waiters.value_or(0) > 0) {
        return LockState::Contended;
    }
    return record.mode == Mode::Read && record.holders.size() > 1 ? LockState::ReadShared
                                                                  : LockState::Held;
}

std::string_view idOf(LockState state)
{
    switch (state) {
    case LockState::Suspicious: return "suspicious";
    case LockState::Unconfirmed: return "unconfirmed";
    case LockState::Contended: return "contended";
    case LockState::ReadShared: return "shared";
    case LockState::Held: return "held";
    case LockState::StateCount: break;
    }
    return {};
}

} // namespace lockscope::inspect
