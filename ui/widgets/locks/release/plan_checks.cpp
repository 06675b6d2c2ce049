#include "ui/widgets/locks/release/plan_checks.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using inspect::HoldChange;

QString unknownText(const operations::LockDetails& details)
{
    if (details.unasked.empty()) {
        return {};
    }
    QStringList sentences{
        UiText::tr("The servers that answer do not have the lock, but other servers may have it.")};
    for (const std::string& warning : details.warnings) {
        sentences += models::toQString(warning);
    }
    return sentences.join(u' ');
}

QString releaseObstacle(const operations::LockDetails& details)
{
    if (details.lock == nullptr) {
        const QString unknown = unknownText(details);
        return unknown.isEmpty()
                   ? UiText::tr("The lock no longer exists; there is nothing to release.")
                   : unknown;
    }
    if (!details.release || !details.release->recipe.isSupported) {
        const bool isExplained = details.release && !details.release->recipe.warnings.empty();
        return isExplained ? models::toQString(details.release->recipe.warnings.front())
                           : UiText::tr("Locks of this format cannot be released safely.");
    }
    return {};
}

QString capObstacle(const operations::LockDetails& details)
{
    if (details.lock == nullptr) {
        const QString unknown = unknownText(details);
        return unknown.isEmpty() ? UiText::tr("The lock no longer exists.") : unknown;
    }
    return details.capTtl ? QString()
                          : UiText::tr("This lock already has an expiry, or the TTL of its format "
                                       "cannot be capped safely.");
}

std::optional<inspect::KeyGuard> guardOf(const operations::LockDetails& details)
{
    for (const std::optional<inspect::ReleasePlan>* const plan :
         {&details.release, &details.capTtl}) {
        if (*plan && (*plan)->guard) {
            return (*plan)->guard;
        }
    }
    const auto guarded = std::ranges::find_if(details.releaseOne,
                                              [](const inspect::ReleasePlan& plan) {
                                                  return plan.guard.has_value();
                                              });
    return guarded != details.releaseOne.end() ? guarded->guard : std::nullopt;
}

QString changeSentence(HoldChange became)
{
    switch (became) {
    case HoldChange::Same: return {};
    case HoldChange::Released:
        return UiText::tr("The hold you selected was released in the meantime.");
    case HoldChange::Expired: return UiText::tr("The hold you selected expired in the meantime.");
    case HoldChange::Taken:
        return UiText::tr("The hold you selected has ended, and the lock was acquired again.");
    case HoldChange::HolderLeft: return UiText::tr("A holder you selected no longer has the lock.");
    case HoldChange::Moved:
        return UiText::tr(
            "The expiry changed in the meantime: the lock was renewed, or released and acquired "
            "again. These two cases cannot be distinguished.");
    }
    return {};
}

inspect::ReleasePlan withTies(inspect::ReleasePlan plan, const inspect::LockPtr& watched)
{
    if (watched != nullptr) {
        for (inspect::Holder& holder : plan.holders) {
            const auto known = std::ranges::find(watched->holders, holder.owner,
                                                 &inspect::Holder::owner);
            holder.setTie(known != watched->holders.end() ? known->tie() : nullptr);
        }
    }
    return plan;
}

std::optional<inspect::ReleasePlan> cappedPlan(const inspect::ReleasePlan& offer,
                                               const QString& time)
{
    const auto cap = report::parseDuration(time.trimmed().toStdString());
    if (!cap || *cap <= Duration::zero()) {
        return std::nullopt;
    }
    inspect::ReleasePlan plan = offer; // all of it: where it runs, and what guards it
    plan.cap = *cap;
    plan.command =
        inspect::makePlan(offer.action, offer.lock, offer.recipe, offer.expiresAtMs, *cap).command;
    return plan;
}

Masters mastersOf(const operations::LockDetails& details)
{
    return details.release  ? details.release->masters
           : details.capTtl ? details.capTtl->masters
                            : Masters();
}

bool isReasonNeeded(const inspect::LockId& id, const FactContext& context, const Masters& masters)
{
    const std::size_t server = id.server == inspect::LockId::kWholeSet ? 0 : id.server;
    return (server < context.endpoints.size() && store::isProduction(context.endpoints[server]))
           || std::ranges::any_of(masters, [&context](const auto& entry) {
                  return context.masterOf
                         && store::isProduction(context.masterOf(entry.first, entry.second));
              });
}

QString destinationText(const Masters& masters, const FactContext& context)
{
    QStringList sentences;
    for (const auto& [server, address] : masters) {
        QString master = models::bytesText(address);
        const std::string environment = context.masterOf
                                            ? context.masterOf(server, address).environment
                                            : std::string();
        if (!environment.empty()) {
            master += u" · "_s + models::bytesText(environment);
        }
        sentences += UiText::tr("It is sent to %1, the master of %2.")
                         .arg(master, serverTextOf({server, {}}, context.endpoints));
    }
    sentences.removeDuplicates();
    return sentences.join(u'\n');
}

} // namespace lockscope::widgets
