#include "core/kernel/report/proof_json.h"

#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/conduct/telling.h"

#include <algorithm>

namespace lockscope::report {

namespace {

Json findJson(const conduct::Find& find)
{
    Json deviations = Json::array();
    Json steps = Json::array();
    Json faults = Json::array();
    for (const conduct::Deviation& deviation : find.deviations) {
        deviations.push_back(describe(deviation));
        steps.push_back(toText(deviation));
        const Json fault = idOf(faultOf(deviation.kind));
        if (std::ranges::find(faults, fault) == faults.end()) {
            faults.push_back(fault);
        }
    }
    Json story = Json::array();
    for (const std::string& line : search::numbered(tellFind(find))) {
        story.push_back(line);
    }
    return {{"promise", idOf(find.breach.violation.promise)},
            {"kind", idOf(find.breach.violation.kind)},
            {"text", describe(find)},
            {"workload", find.workload.id},
            {"steps", find.stepCount()},
            {"deviations", std::move(deviations)},
            {"schedule", std::move(steps)},
            {"faults", std::move(faults)},
            {"replays", find.replayCount},
            {"replayed", find.replayHits},
            {"realReplays", find.realCount},
            {"realReplayed", find.realHits},
            {"story", std::move(story)}};
}

Json findsJson(const std::vector<conduct::Find>& finds)
{
    Json all = Json::array();
    for (const conduct::Find& find : finds) {
        all.push_back(findJson(find));
    }
    return all;
}

Json ownEndJson(const conduct::Proof& proof)
{
    if (!proof.ownEnd) {
        return {};
    }
    return {{"runs", proof.ownEndCount},
            {"text", describe(*proof.ownEnd)},
            {"output", proof.ownEnd->lastWords}};
}

std::string escapedForXml(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '&': escaped += "&amp;"; break;
        case '"': escaped += "&quot;"; break;
        default:
            // XML 1.0 has no other control characters.
            escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return escaped;
}

} // namespace

Json proofJson(const conduct::Proof& proof, const conduct::AdapterTraits& traits,
               const std::string& realServer)
{
    return {{"verdict", !proof.bugs.empty()      ? "broken"
                        : proof.hasSeenNothing() ? "not-played"
                                                 : "not-found"},
            {"renews", traits.isRenewed},
            {"realServer", realServer.empty() ? Json() : Json(realServer)},
            {"finds", findsJson(proof.bugs)},
            {"limits", findsJson(proof.limits)},
            {"ownEnd", ownEndJson(proof)},
            {"coverage",
             {{"runs", proof.runCount},
              {"steps", std::max(proof.stepsCovered, 0)},
              {"complete", proof.isWhole},
              {"random", proof.randomCount},
              {"diverged", proof.divergedCount},
              {"failed", proof.troubleCount}}}};
}

std::string proofJunit(const conduct::Proof& proof, const std::vector<std::string>& adapter)
{
    const std::string client = escapedForXml(joined(adapter, " "));
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                       "  <testsuite name=\"lockscope prove\" tests=\""
                       + std::to_string(std::max<std::size_t>(proof.bugs.size(), 1))
                       + "\" failures=\"" + std::to_string(proof.bugs.size()) + "\">\n";
    for (const conduct::Find& find : proof.bugs) {
        text += "    <testcase classname=\"" + client + "\" name=\""
                + std::string(idOf(find.breach.violation.promise))
                + "\">\n      <failure message=\"" + escapedForXml(describe(find)) + "\">"
                + escapedForXml(joined(search::numbered(tellFind(find)), "\n"))
                + "</failure>\n    </testcase>\n";
    }
    if (proof.bugs.empty()) {
        text += "    <testcase classname=\"" + client + "\" name=\"every promise\""
                + (proof.hasSeenNothing()
                       ? "><skipped message=\""
                             + escapedForXml(KernelText::tr("no run came to what it was to do"))
                             + "\"/></testcase>\n"
                       : std::string("/>\n"));
    }
    return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace lockscope::report
