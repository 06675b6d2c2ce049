#include "core/kernel/diagnosis/diagnosis_text.h"

#include "core/kernel/base/kernel_text.h"

#include <string_view>
#include <utility>

namespace lockscope::diagnosis {

using inspect::infoOf;
using inspect::ReasonInfo;
using report::Json;

namespace {

std::string_view idOf(Risk risk)
{
    switch (risk) {
    case Risk::Low: return "low";
    case Risk::Medium: return "medium";
    case Risk::High: return "high";
    }
    return {};
}

/// As a heading.
std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    }
    return text;
}

} // namespace

std::string riskText(Risk risk)
{
    switch (risk) {
    case Risk::Low: return KernelText::tr("low");
    case Risk::Medium: return KernelText::tr("medium");
    case Risk::High: return KernelText::tr("high");
    }
    return {};
}

std::vector<FindingText> textsOf(const Diagnosis& diagnosis)
{
    std::vector<FindingText> texts;
    texts.reserve(diagnosis.findings.size());
    for (const Finding& finding : diagnosis.findings) {
        const ReasonInfo& info = infoOf(finding.reason);
        texts.push_back({capitalised(KernelText::lookUp(info.text)), finding.severity,
                         finding.evidence,
                         KernelText::tr("Risk of a false alarm: %1.", riskText(finding.risk)) + ' '
                             + KernelText::lookUp(info.doubt),
                         KernelText::lookUp(info.remedy)});
    }
    return texts;
}

std::vector<std::string> unknownTexts(const Diagnosis& diagnosis)
{
    std::vector<std::string> texts;
    texts.reserve(diagnosis.unknowns.size());
    for (const Unknown& unknown : diagnosis.unknowns) {
        texts.push_back(KernelText::tr("Not known %1: %2",
                                       KernelText::lookUp(infoOf(unknown.reason).unknown),
                                       unknown.why));
    }
    return texts;
}

std::string nothingFoundText(const Diagnosis& diagnosis)
{
    if (!diagnosis.findings.empty()) {
        return {};
    }
    return diagnosis.unknowns.empty()
               ? KernelText::tr("There is no sign that it is stuck.")
               : KernelText::tr("There is no sign that it is stuck, as far as is known.");
}

Json diagnosisJson(const Diagnosis& diagnosis)
{
    Json reasons = Json::array();
    for (const Finding& finding : diagnosis.findings) {
        const ReasonInfo& info = infoOf(finding.reason);
        reasons.push_back(Json{{"id", info.id},
                               {"title", info.text},
                               {"severity", finding.severity},
                               {"risk", idOf(finding.risk)},
                               {"evidence", finding.evidence},
                               {"doubt", info.doubt},
                               {"remedy", info.remedy},
                               {"hazard", info.isHazard}});
    }
    Json notKnown = Json::array();
    for (const Unknown& unknown : diagnosis.unknowns) {
        const ReasonInfo& info = infoOf(unknown.reason);
        notKnown.push_back(Json{{"reason", info.id}, {"what", info.unknown}, {"why", unknown.why}});
    }
    return Json{{"reasons", std::move(reasons)}, {"notKnown", std::move(notKnown)}};
}

} // namespace lockscope::diagnosis
