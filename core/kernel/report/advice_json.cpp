#include "core/kernel/report/advice_json.h"

namespace lockscope::report {

namespace {

/// The ids of several values of one kind.
template<class Values>
Json idsOf(const Values& values)
{
    Json ids = Json::array();
    for (const auto value : values) {
        ids.push_back(idOf(value));
    }
    return ids;
}

Json breachJson(const Breach& breach)
{
    return Json{{"harm", search::idOf(breach.harm)},
                {"fault", breach.cell->faultName()},
                {"promise", protocol::idOf(breach.verdict->result.promise)},
                {"length", breach.verdict->result.finding->length},
                {"plan", breach.verdict->plan.name},
                {"summary", breachText(breach)},
                {"story", textsOf(breach.verdict->story)}};
}

std::int64_t microseconds(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

Json costJson(const AdviceCost& cost)
{
    return Json{{"commandsPerAcquisition", cost.commands},
                {"waitP50Us", microseconds(cost.waitMedian)},
                {"waitP99Us", microseconds(cost.waitLongest)}};
}

Json breachesJson(const std::vector<Breach>& breaches)
{
    Json json = Json::array();
    for (const Breach& breach : breaches) {
        json.push_back(breachJson(breach));
    }
    return json;
}

Json protocolAdviceJson(const ProtocolAdvice& advice, const std::optional<AdviceCost>& cost)
{
    Json json{{"protocol", advice.protocol},
              {"standing", idOf(advice.standing)},
              {"misfits", idsOf(advice.misfits)},
              {"untested", idsOf(advice.untested)},
              {"alsoHappens", idsOf(advice.others)},
              {"libraries", advice.libraries},
              {"servers", advice.serversNeeded},
              {"fenced", advice.isFenced},
              {"cost", cost ? costJson(*cost) : Json(nullptr)}};
    json["breaks"] = breachesJson(advice.breaches);
    json["hazards"] = breachesJson(advice.hazards);
    return json;
}

Json questionJson(const AdviceQuestion& question)
{
    return Json{{"never", idsOf(question.never)},  {"despite", idsOf(question.despite)},
                {"servers", question.serverCount}, {"reentrant", question.isReentrant},
                {"readers", question.hasReaders},  {"permits", question.hasPermits},
                {"libraries", question.languages}};
}

} // namespace

Json adviceJson(const AdviceQuestion& question, const Advice& advice,
                std::span<const std::optional<AdviceCost>> costs)
{
    Json json{{"question", questionJson(question)}};
    json["protocols"] = Json::array();
    for (std::size_t i = 0; i < advice.protocols.size(); ++i) {
        json["protocols"].push_back(protocolAdviceJson(advice.protocols[i], costs[i]));
    }
    json["additions"] = Json::array();
    for (const Addition& addition : advice.additions) {
        const Json besides = addition.besides ? Json(idOf(*addition.besides)) : Json(nullptr);
        json["additions"].push_back(Json{{"kind", idOf(addition.kind)},
                                         {"besides", besides},
                                         {"protocol", addition.protocol},
                                         {"servers", addition.serverCount},
                                         {"faults", idsOf(addition.faults)},
                                         {"text", additionText(addition)}});
    }
    return json;
}

} // namespace lockscope::report
