#include "core/kernel/report/protocol_json.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

namespace lockscope::report {

using protocol::Claim;
using protocol::Need;
using protocol::ProtocolInfo;
using protocol::Renewal;
using protocol::Retry;

namespace {

Json promiseIds(const ProtocolInfo& info)
{
    Json ids = Json::array();
    for (const Claim& claim : info.claims) {
        ids.push_back(protocol::idOf(claim.promise));
    }
    return ids;
}

Json assumptions(const ProtocolInfo& info)
{
    Json all = Json::object();
    for (const Claim& claim : info.claims) {
        if (!claim.assuming.empty()) {
            all[std::string(protocol::idOf(claim.promise))] = claim.assuming;
        }
    }
    return all;
}

Json needs(const ProtocolInfo& info)
{
    Json all = Json::array();
    for (const Need& need : info.needs) {
        all.push_back(Json{{"step", need.step}, {"feature", protocol::idOf(need.feature)}});
    }
    return all;
}

Json defaults(const ProtocolInfo& info)
{
    const Renewal& renewal = info.defaults.renewal;
    return Json{{"leaseMs", info.hasExpiry ? Json(toMs(info.defaults.lease)) : Json(nullptr)},
                {"retryMs", toMs(info.defaults.retry.interval)},
                {"renewMs", renewal.isOn() ? Json(toMs(renewal.period)) : Json(nullptr)}};
}

} // namespace

Json protocolJson(const ProtocolInfo& info)
{
    Json json{{"id", info.id}, {"title", info.title}};
    json["promises"] = promiseIds(info);
    json["keys"] = protocol::idOf(info.keys);
    json["assumptions"] = assumptions(info);
    json["summary"] = info.summary;
    json["flaw"] = info.flaw.empty() ? Json(nullptr) : Json(info.flaw);
    json["imitates"] = info.imitates.empty() ? Json(nullptr) : Json(info.imitates);
    json["needs"] = needs(info);
    json["defaults"] = defaults(info);
    json["modes"] = info.hasModes ? Json::array({"read", "write"}) : Json::array({"exclusive"});
    json["reentrant"] = info.isReentrant;
    json["permits"] = info.hasPermits;
    json["fence"] = info.hasFence;
    json["renewable"] = info.canRenew;
    json["expires"] = info.hasExpiry;
    return json;
}

std::string renewalText(const Renewal& renewal)
{
    if (!renewal.isOn()) {
        return KernelText::tr("never");
    }
    std::string text = KernelText::tr("every %1", durationText(renewal.period));
    text += renewal.isFirstAtOnce ? KernelText::tr(", the first immediately") : "";
    text += renewal.countMax ? KernelText::tr(", at most %1 times", *renewal.countMax) : "";
    return text;
}

std::string retryText(const Retry& retry)
{
    std::string text = retry.kind == Retry::Kind::Fixed
                           ? KernelText::tr("every %1", durationText(retry.interval))
                           : KernelText::tr("%1, doubling up to %2", durationText(retry.interval),
                                            durationText(retry.intervalMax));
    if (retry.jitter > Duration(0)) {
        text += KernelText::tr(" and up to %1 at random", durationText(retry.jitter));
    }
    text += retry.triesMax ? KernelText::tr(", %1 tries", *retry.triesMax) : "";
    return text;
}

} // namespace lockscope::report
