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
    case Promise::ReadWriteExclusion: return translated("a writer alone, or readers");
    case Promise::OwnerOnlyRelease: return translated("only the owner releases");
    case Promise::NoStuckLock: return translated("a crash blocks nobody for ever");
    case Promise::ReentryBalance: return translated("holds are counted");
    case Promise::NoLostWakeup: return translated("no release is missed");
    case Promise::FencingOrder: return translated("growing fences");
    case Promise::LeaseHonesty: return translated("the holder knows until when");
    case Promise::Progress: return translated("somebody always gets on");
    case Promise::Fairness: return translated("nobody is passed over for ever");
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
    return promises.isEmpty() ? translated("Promises nothing.")
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
