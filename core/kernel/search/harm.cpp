#include "core/kernel/search/harm.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <array>

namespace lockscope::search {

using protocol::Promise;

namespace {

struct HarmInfo {
    Harm harm;
    std::string_view id;
    const char* name;
    const char* word;
};

constexpr std::array kInfos{
    HarmInfo{Harm::TwoHolders, "two-holders",
             QT_TRANSLATE_NOOP("KernelText", "two holders at once"),
             QT_TRANSLATE_NOOP("KernelText", "two")},
    HarmInfo{Harm::Stuck, "stuck", QT_TRANSLATE_NOOP("KernelText", "stuck for ever"),
             QT_TRANSLATE_NOOP("KernelText", "stuck")},
    HarmInfo{Harm::WrongRelease, "wrong-release",
             QT_TRANSLATE_NOOP("KernelText", "somebody else's lock removed or extended"),
             QT_TRANSLATE_NOOP("KernelText", "wrong")},
    HarmInfo{Harm::WrongCount, "wrong-count",
             QT_TRANSLATE_NOOP("KernelText", "wrong count, fence or lease"),
             QT_TRANSLATE_NOOP("KernelText", "count")},
    HarmInfo{Harm::Unfair, "unfair",
             QT_TRANSLATE_NOOP("KernelText", "waits without end, or unfairly"),
             QT_TRANSLATE_NOOP("KernelText", "unfair")},
};

const HarmInfo& infoOf(Harm harm)
{
    return kInfos.at(static_cast<std::size_t>(harm));
}

} // namespace

std::span<const Harm> allHarms()
{
    static constexpr std::array kHarms{Harm::TwoHolders, Harm::Stuck, Harm::WrongRelease,
                                       Harm::WrongCount, Harm::Unfair};
    return kHarms;
}

std::string_view idOf(Harm harm)
{
    return infoOf(harm).id;
}

std::optional<Harm> harmOfId(std::string_view id)
{
    const auto found = std::ranges::find(kInfos, id, &HarmInfo::id);
    return found == kInfos.end() ? std::nullopt : std::optional(found->harm);
}

std::string nameOf(Harm harm)
{
    return KernelText::lookUp(infoOf(harm).name);
}

std::string wordOf(Harm harm)
{
    return KernelText::lookUp(infoOf(harm).word);
}

Harm harmOf(Promise promise)
{
    switch (promise) {
    case Promise::MutualExclusion:
    case Promise::ReadWriteExclusion: return Harm::TwoHolders;
    case Promise::NoStuckLock: return Harm::Stuck;
    case Promise::OwnerOnlyRelease: return Harm::WrongRelease;
    case Promise::ReentryBalance:
    case Promise::FencingOrder:
    case Promise::LeaseHonesty: return Harm::WrongCount;
    case Promise::NoLostWakeup:
    case Promise::Progress:
    case Promise::Fairness:
    case Promise::PromiseCount: break;
    }
    return Harm::Unfair;
}

} // namespace lockscope::search
