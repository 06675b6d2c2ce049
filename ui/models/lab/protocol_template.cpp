#include "ui/models/lab/protocol_template.h"

#include "core/kernel/protocol/catalogue.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QFile>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using protocol::ProtocolInfo;
using protocol::ServerFeature;

namespace {

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

QString textOfCopy(const ProtocolTemplate& original)
{
    QFile file(original.resource);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    // The first example is the beginning of most locks, and its own name says nothing of them.
    return QString::fromUtf8(file.readAll()).replace(u"\"token-lock\""_s, u"\"my-lock\""_s);
}

} // namespace lockscope::models
