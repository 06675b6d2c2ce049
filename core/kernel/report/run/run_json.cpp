#include "core/kernel/report/run/run_json.h"

#include "core/kernel/protocol/promise.h"
#include "core/kernel/report/json_text.h"

#include <cmath>

namespace lockscope::report {

using trace::Histogram;
using trace::RunStatistics;
using Status = PromiseVerdict::Status;

namespace {

/// Milliseconds with up to three places: as exact as the clock.
double inMs(Duration duration)
{
    return static_cast<double>(duration.count()) / 1000.0;
}

/// Three places are enough for a rate.
double rounded(double value)
{
    return std::round(value * 1000.0) / 1000.0;
}

/// null when nothing was measured.
Json percentiles(const Histogram& histogram)
{
    if (histogram.count() == 0) {
        return Json{{"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}, {"max", nullptr}};
    }
    return Json{{"p50", inMs(histogram.quantile(0.50))},
                {"p95", inMs(histogram.quantile(0.95))},
                {"p99", inMs(histogram.quantile(0.99))},
                {"max", inMs(histogram.max())}};
}

Json predictionJson(const contention::Prediction& prediction)
{
    return Json{{"serverLoad", rounded(prediction.serverLoad)},
                {"clientLoad", rounded(prediction.driverLoad)},
                {"stats", statisticsJson(prediction.statistics)}};
}

} // namespace

Json promiseJson(const PromiseVerdict& verdict)
{
    Json json{{"id", protocol::idOf(verdict.promise)}, {"status", idOf(verdict.status)}};
    if (verdict.status == Status::Broken) {
        json["kind"] = verdict.kind;
    }
    json["promised"] = verdict.isPromised;
    json["chances"] = verdict.chances;
    if (verdict.status == Status::Broken) {
        json["atMs"] = verdict.at ? Json(toMs(*verdict.at)) : Json(nullptr);
        json["summary"] = verdict.summary;
    }
    if (verdict.faults) {
        json["after"] = Json::array();
        for (const world::FaultKind fault : *verdict.faults) {
            json["after"].push_back(idOf(fault));
        }
    }
    return json;
}

Json turningPointJson(const search::TurningPoint& turn)
{
    return Json{{"line", turn.line},
                {"samples", turn.sampleCount},
                {"brokenBefore", turn.brokenCountBefore}};
}

Json statisticsJson(const RunStatistics& statistics)
{
    Json json{{"acquisitions", statistics.acquisitions},
              {"acquisitionsPerSecond", rounded(statistics.acquisitionsPerSecond())},
              {"waitMs", percentiles(statistics.wait)}};
    const bool areCommandsCounted = statistics.commands > 0 && statistics.acquisitions > 0;
    json["commandsPerAcquisition"] = areCommandsCounted
                                         ? Json(rounded(statistics.commandsPerAcquisition()))
                                         : Json(nullptr);
    json["jainFairness"] = statistics.acquisitions > 0 ? Json(rounded(statistics.jainFairness()))
                                                       : Json(nullptr);
    json["overlaps"] = statistics.overlaps;
    json["wrongReleases"] = statistics.wrongReleases;
    json["elapsedMs"] = toMs(statistics.elapsed);
    json["requests"] = statistics.requests;
    json["gaveUp"] = statistics.gaveUp;
    json["withdrew"] = statistics.withdrew;
    json["neverGranted"] = statistics.neverGranted;
    json["errors"] = statistics.errors;
    json["unavailable"] = statistics.unavailable;
    json["uncertain"] = statistics.uncertain;
    json["triesPerAcquisition"] = rounded(statistics.triesPerAcquisition());
    json["renewals"] = statistics.renewals;
    json["losses"] = statistics.losses;
    json["crashes"] = statistics.crashes;
    json["pauses"] = statistics.pauses;
    json["lateReleases"] = statistics.lateReleases;
    json["releasesBehindGrants"] = statistics.releasesBehindGrants;
    json["rejectedEffects"] = statistics.rejectedEffects;
    json["longestBypass"] = statistics.longestBypass;
    json["holdMs"] = percentiles(statistics.hold);
    json["takeoverMs"] = percentiles(statistics.takeover);
    return json;
}

Json runJson(const RunReport& report)
{
    Json json{{"protocol", report.protocol}, {"mode", report.mode}, {"seed", report.seed}};
    json["schedules"] = valueOrNull(report.schedules);
    json["states"] = valueOrNull(report.states);
    json["boundReached"] = report.isBoundReached;
    json["virtualMs"] = report.virtualTime ? Json(toMs(*report.virtualTime)) : Json(nullptr);
    json["promises"] = Json::array();
    for (const PromiseVerdict& verdict : report.promises) {
        json["promises"].push_back(promiseJson(verdict));
    }
    if (!report.untested.empty()) {
        json["untested"] = report.untested;
    }
    if (!report.serverError.empty()) {
        json["serverError"] = report.serverError;
    }
    json["story"] = report.story;
    json["file"] = report.file.empty() ? Json(nullptr) : Json(report.file);
    json["stats"] = statisticsJson(report.statistics);
    if (report.prediction) {
        json["prediction"] = predictionJson(*report.prediction);
    }
    return json;
}

} // namespace lockscope::report
