#include "ui/models/locks/acquire_draft.h"

#include "core/kernel/base/duration_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr Duration kUsualWait = 10s;
constexpr int kPermitsMax = 100'000;

/// Reads a time of at least `least`; what is wrong with it, or nothing.
QString readTime(const QString& text, Duration least, Duration& value)
{
    const auto typed = lockscope::parseDuration(text.trimmed().toStdString());
    if (!typed) {
        return UiText::tr("Use a form such as 250ms, 10s or 5m.");
    }
    if (*typed < least) {
        return UiText::tr("At least %1.").arg(toQString(lockscope::durationWord(least)));
    }
    value = *typed;
    return {};
}

QString readKey(const QString& text, Bytes& key)
{
    if (text.isEmpty()) {
        return UiText::tr("Enter a key.");
    }
    const auto bytes = unescaped(text.toStdString());
    if (!bytes) {
        return UiText::tr("\\x must be followed by two hexadecimal digits.");
    }
    key = *bytes;
    return {};
}

QString readPermits(const QString& text, int& permits)
{
    bool isNumber = false;
    const int typed = text.trimmed().toInt(&isNumber);
    if (!isNumber || typed < 1 || typed > kPermitsMax) {
        return UiText::tr("Enter a whole number of at least 1.");
    }
    permits = typed;
    return {};
}

} // namespace

AcquireDraft AcquireDraft::withDefaults(ProtocolPtr protocol)
{
    AcquireDraft draft;
    const protocol::ProtocolInfo& info = protocol->info();
    draft.lease = toQString(lockscope::durationWord(info.defaults.lease));
    draft.wait = toQString(lockscope::durationWord(kUsualWait));
    draft.permits = u"1"_s;
    draft.isKeptRenewed = info.canRenew;
    draft.protocol = std::move(protocol);
    return draft;
}

ParsedAcquire readAcquireDraft(const AcquireDraft& draft)
{
    ParsedAcquire parsed;
    const protocol::ProtocolInfo& info = draft.protocol->info();
    service::KeepOrder& order = parsed.order;
    order.protocol = draft.protocol;
    order.servers = draft.servers;
    if (info.keys != protocol::KeyUse::OnePerServer && order.servers.size() > 1) {
        order.servers.resize(1);
    }
    order.request = protocol::LockRequest::withDefaults(info, {});
    parsed.keyError = readKey(draft.key, order.request.key);
    if (info.hasExpiry) {
        parsed.leaseError = readTime(draft.lease, 1ms, order.request.lease);
    }
    parsed.waitError = readTime(draft.wait, 0ms, order.request.waitLimit);
    if (info.hasPermits) {
        parsed.permitsError = readPermits(draft.permits, order.request.permits);
    }
    order.request.mode = info.hasModes ? draft.mode : protocol::Mode::Exclusive;
    if (draft.isKeptRenewed) {
        order.renewal = renewalFor(info, order.request.lease);
    }
    return parsed;
}

protocol::Renewal renewalFor(const protocol::ProtocolInfo& info, Duration lease)
{
    protocol::Renewal renewal = info.defaults.renewal;
    if (!info.canRenew) {
        renewal.period = Duration(0);
    } else if (!renewal.isOn() || renewal.period >= lease) {
        renewal.period = std::max<Duration>(lease / 3, 1ms);
    }
    return renewal;
}

} // namespace lockscope::models
