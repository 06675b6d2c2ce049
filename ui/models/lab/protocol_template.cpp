#include "ui/models/lab/protocol_template.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/catalogue.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/models/user_files.h"

#include <QFile>

#include <algorithm>
#include <array>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using protocol::ProtocolInfo;
using protocol::ServerFeature;

namespace {

/// What the files of the examples say of themselves, and a copy that says more than its original:
/// for the translators, who do not see those files.
[[maybe_unused]] constexpr std::array kTextsOfFiles{
    QT_TRANSLATE_NOOP("KernelText", "A token lock of your own"),
    QT_TRANSLATE_NOOP("KernelText",
                      "Takes the key with a fresh token and an expiry, tells how long the hold in "
                      "the way lasts, and deletes the key only while it holds the token."),
    QT_TRANSLATE_NOOP("KernelText", "A reentrant lock with a heartbeat"),
    QT_TRANSLATE_NOOP("KernelText", "A hash counts the holds of its owner; the heartbeat begins "
                                    "the lease anew every third of it, and ends with the hold."),
    QT_TRANSLATE_NOOP("KernelText", "A short lease with a heartbeat"),
    QT_TRANSLATE_NOOP("KernelText",
                      "Takes the key with a fresh token for five seconds and renews it every two; "
                      "the key is deleted only while it holds the token."),
    QT_TRANSLATE_NOOP("KernelText", "A token lock that wakes its waiters"),
    QT_TRANSLATE_NOOP("KernelText",
                      "A token lock whose release publishes on a channel of the lock; a client "
                      "that is refused listens there, and tries again when it hears something, or "
                      "when the hold in its way runs out."),
    QT_TRANSLATE_NOOP("KernelText", "A token lock in two keys"),
    QT_TRANSLATE_NOOP("KernelText", "A token lock with a second key that counts the grants: the "
                                    "number is a fence, which the protected resource compares."),
    QT_TRANSLATE_NOOP("KernelText",
                      "A hash counts the holds of its owner; a watchdog renews every 10 s of a 30 "
                      "s lease; waiters sleep until the unlock is published. Without the latch by "
                      "which Redisson repeats an unlock."),
};

QString resourceOf(const QString& name)
{
    return u":/protocols/"_s + name + u".json"_s;
}

bool needs(const ProtocolInfo& info, ServerFeature feature)
{
    return std::ranges::any_of(info.needs,
                               [feature](const auto& need) { return need.feature == feature; });
}

QString whyNot(const ProtocolInfo& info)
{
    if (info.keys == protocol::KeyUse::OnePerServer) {
        return UiText::tr("It needs several servers, and a protocol file has one.");
    }
    if (info.hasModes) {
        return UiText::tr("It has readers and writers, and the steps of a file have one mode.");
    }
    if (needs(info, ServerFeature::BlockingPop)) {
        return UiText::tr("Its waiters block on a list, and those of a file poll or listen.");
    }
    return UiText::tr("Its clients decide or remember something between two commands, and the "
                      "steps of a file do not.");
}

ProtocolTemplate copyOf(const ProtocolInfo& info)
{
    ProtocolTemplate copy;
    copy.name = toQString(info.id);
    copy.isBuiltin = true;
    const QString resource = resourceOf(u"copies/"_s + copy.name);
    if (QFile::exists(resource)) {
        copy.resource = resource;
    } else {
        copy.reason = whyNot(info);
    }
    return copy;
}

} // namespace

std::vector<ProtocolTemplate> protocolTemplates()
{
    std::vector<ProtocolTemplate> all;
    for (const QString& name : {u"token-lock"_s, u"counted-lock"_s, u"lease-lock"_s,
                                u"wake-up-lock"_s, u"fenced-lock"_s}) {
        all.push_back({name, resourceOf(name)});
    }
    for (const protocol::LockProtocol* const builtin : protocol::builtinProtocols()) {
        all.push_back(copyOf(builtin->info()));
    }
    return all;
}

ProtocolDraft draftOfCopy(const ProtocolTemplate& original)
{
    const ReadFile file = readFile(original.resource, 0);
    if (!file.isRead()) {
        return {};
    }
    ProtocolDraft draft = ProtocolDraft::of(QString::fromUtf8(file.content));
    if (draft.text(ProtocolPart::Id) == u"token-lock"_s) {
        // It is the beginning of most locks, and its own name says nothing of them.
        draft.setText(ProtocolPart::Id, u"my-lock"_s);
    }
    for (const ProtocolPart part : {ProtocolPart::Title, ProtocolPart::Summary}) {
        draft.setText(part, toQString(KernelText::lookUp(draft.text(part).toStdString())));
    }
    return draft;
}

} // namespace lockscope::models
