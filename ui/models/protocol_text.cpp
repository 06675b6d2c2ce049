#include "ui/models/protocol_text.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using protocol::Promise;

QString promiseText(Promise promise)
{
    switch (promise) {
    case Promise::MutualExclusion: return UiText::tr("one holder at a time");
    case Promise::ReadWriteExclusion: return UiText::tr("one writer or several readers at a time");
    case Promise::OwnerOnlyRelease: return UiText::tr("only the owner can release");
    case Promise::NoStuckLock: return UiText::tr("a crash does not block others forever");
    case Promise::ReentryBalance: return UiText::tr("reentrant holds are counted");
    case Promise::NoLostWakeup: return UiText::tr("waiters are always woken");
    case Promise::FencingOrder: return UiText::tr("fencing tokens increase");
    case Promise::LeaseHonesty: return UiText::tr("the holder knows when its lease ends");
    case Promise::Progress: return UiText::tr("some waiter always makes progress");
    case Promise::Fairness: return UiText::tr("no waiter starves");
    case Promise::PromiseCount: break;
    }
    return {};
}

QString promisesLine(const protocol::ProtocolInfo& info)
{
    QStringList promises;
    for (const protocol::Claim& claim : info.claims) {
        promises += promiseText(claim.promise) + (claim.assuming.empty() ? QString() : u"*"_s);
    }
    return promises.isEmpty() ? UiText::tr("Makes no promises.")
                              : UiText::tr("Promises: %1").arg(promises.join(u" · "_s));
}

QString promisesInFull(const protocol::ProtocolInfo& info)
{
    QStringList lines;
    for (const protocol::Claim& claim : info.claims) {
        const QString promise = promiseText(claim.promise);
        lines += claim.assuming.empty()
                     ? promise
                     : UiText::tr("* %1, if %2").arg(promise, toQString(claim.assuming));
    }
    return lines.join(u'\n');
}

} // namespace lockscope::models
