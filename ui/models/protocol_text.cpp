#include "protocol_text.h"

#include "formatting.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using protocol::Promise;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("ProtocolText", text);
}

} // namespace

QString promiseText(Promise promise)
{
    switch (promise) {
    case Promise::MutualExclusion: return translated("one holder at a time");
    case Promise::ReadWriteExclusion: return translated("one writer or several readers at a time");
    case Promise::OwnerOnlyRelease: return translated("only the owner can release");
    case Promise::NoStuckLock: return translated("a crash does not block others forever");
    case Promise::ReentryBalance: return translated("reentrant holds are counted");
    case Promise::NoLostWakeup: return translated("waiters are always woken");
    case Promise::FencingOrder: return translated("fencing tokens increase");
    case Promise::LeaseHonesty: return translated("the holder knows when its lease ends");
    case Promise::Progress: return translated("some waiter always makes progress");
    case Promise::Fairness: return translated("no waiter starves");
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
    return promises.isEmpty() ? translated("Makes no promises.")
                              : translated("Promises: %1").arg(promises.join(u" · "_s));
}

QString promisesInFull(const protocol::ProtocolInfo& info)
{
    QStringList lines;
    for (const protocol::Claim& claim : info.claims) {
        const QString promise = promiseText(claim.promise);
        lines += claim.assuming.empty()
                     ? promise
                     : translated("* %1, if %2").arg(promise, toQString(claim.assuming));
    }
    return lines.join(u'\n');
}

} // namespace lockscope::models
