#include "core/kernel/report/proof_json.h"

#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/conduct/telling.h"

#include <algorithm>
#include <utility>

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

Json errorsJson(const conduct::Proof& proof)
{
    Json errors = Json::array();
    for (const conduct::AnsweredError& error : proof.errors) {
        errors.push_back({{"word", idOf(error.word)},
                          {"text", error.text},
                          {"count", error.count}});
    }
    return errors;
}

Json singlesJson(const conduct::SingleRuns& singles)
{
    return {{"planned", singles.planned},
            {"played", singles.played},
            {"diverged", singles.diverged},
            {"failed", singles.failed},
            {"unplannedWorkloads", singles.unplannedWorkloads}};
}

std::string_view verdictOf(const conduct::Proof& proof)
{
    return !proof.bugs.empty()      ? "broken"
           : proof.hasSeenNothing() ? "not-played"
           : proof.isTooLittle()    ? "not-enough"
                                    : "not-found";
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

/// The numbers of runs, as a build server keeps them beside the verdict.
std::string propertiesXml(const conduct::Proof& proof)
{
    std::string text = "    <properties>\n";
    for (const auto& [name, value] :
         {std::pair("runs", proof.runCount), std::pair("planned", proof.singles.planned),
          std::pair("played", proof.singles.played), std::pair("diverged", proof.singles.diverged),
          std::pair("failed", proof.singles.failed)}) {
        text += "      <property name=\"" + std::string(name) + "\" value=\""
                + std::to_string(value) + "\"/>\n";
    }
    return text + "    </properties>\n";
}

} // namespace

Json proofJson(const conduct::Proof& proof, const conduct::AdapterTraits& traits,
               const std::string& realServer)
{
    return {{"verdict", verdictOf(proof)},
            {"renews", traits.isRenewed},
            {"realServer", realServer.empty() ? Json() : Json(realServer)},
            {"finds", findsJson(proof.bugs)},
            {"limits", findsJson(proof.limits)},
            {"ownEnd", ownEndJson(proof)},
            {"errors", errorsJson(proof)},
            {"coverage",
             {{"runs", proof.runCount},
              {"steps", std::max(proof.stepsCovered, 0)},
              {"complete", proof.isWhole},
              {"random", proof.randomCount},
              {"diverged", proof.divergedCount},
              {"failed", proof.troubleCount},
              {"single", singlesJson(proof.singles)}}}};
}

std::string proofJunit(const conduct::Proof& proof, const std::vector<std::string>& adapter)
{
    const bool isPlayed = !proof.hasSeenNothing();
    const std::string shortfall = escapedForXml(shortfallOf(proof));
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                       "  <testsuite name=\"lockscope prove\" tests=\""
                       + std::to_string(std::max<std::size_t>(proof.bugs.size(), 1))
                       + "\" failures=\"" + std::to_string(proof.bugs.size()) + "\" errors=\""
                       + (shortfall.empty() ? "0" : "1") + "\" skipped=\"" + (isPlayed ? "0" : "1")
                       + "\">\n" + propertiesXml(proof);
    const std::string begin = "    <testcase classname=\"" + escapedForXml(joined(adapter, " "))
                              + "\" name=\"";
    for (const conduct::Find& find : proof.bugs) {
        text += begin + std::string(idOf(find.breach.violation.promise))
                + "\">\n      <failure message=\"" + escapedForXml(describe(find)) + "\">"
                + escapedForXml(joined(search::numbered(tellFind(find)), "\n"))
                + "</failure>\n    </testcase>\n";
    }
    if (!isPlayed) {
        text += begin + "every promise\"><skipped message=\""
                + escapedForXml(KernelText::tr("no run came to what it was to do"))
                + "\"/></testcase>\n";
    } else if (!shortfall.empty()) {
        text += begin + "every promise\"><error message=\"" + shortfall + "\"/></testcase>\n";
    } else if (proof.bugs.empty()) {
        text += begin + "every promise\"/>\n";
    }
    return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace lockscope::report
