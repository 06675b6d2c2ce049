#include "core/kernel/diagnosis/hygiene_text.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/wording.h"

#include <string_view>
#include <utility>

namespace lockscope::diagnosis {

using report::Json;

namespace {

std::vector<std::string> namesOf(const std::vector<std::uint16_t>& servers,
                                 std::span<const std::string> serverNames)
{
    std::vector<std::string> names;
    for (const std::uint16_t server : servers) {
        if (server < serverNames.size()) {
            names.push_back(serverNames[server]);
        }
    }
    return names;
}

std::vector<std::string> escapedNodes(const WeaknessFinding& finding)
{
    std::vector<std::string> nodes;
    for (const std::string& node : finding.nodes) {
        nodes.push_back(escaped(node));
    }
    return nodes;
}

/// Where it was found: nodes say more than their cluster, and a single server goes without saying.
std::string placeText(const WeaknessFinding& finding, std::span<const std::string> serverNames)
{
    const std::vector<std::string> nodes = escapedNodes(finding);
    const std::vector<std::string> names = nodes.empty() ? namesOf(finding.servers, serverNames)
                                                         : nodes;
    const bool isSaid = !names.empty() && (!nodes.empty() || serverNames.size() > 1);
    return isSaid ? " (" + report::listText(names, names.size()) + ')' : std::string();
}

std::vector<std::string> printable(const std::vector<Bytes>& keys)
{
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const Bytes& key : keys) {
        names.push_back(escaped(key));
    }
    return names;
}

std::string line(std::string_view label, const std::string& text)
{
    return text.empty() ? std::string() : "   " + std::string(label) + text + '\n';
}

} // namespace

std::string hygieneText(const Hygiene& hygiene, bool isOfSet,
                        std::span<const std::string> serverNames)
{
    std::string text;
    if (hygiene.findings.empty()) {
        text = hygiene.open.empty()
                   ? KernelText::tr("Nothing was found that will hurt the locks.")
                   : KernelText::tr("Nothing was found that will hurt the locks, as far as is "
                                    "known.");
        text += '\n';
    }
    int number = 0;
    for (const WeaknessFinding& finding : hygiene.findings) {
        const WeaknessInfo& info = infoOf(finding.weakness);
        text += text.empty() ? "" : "\n";
        text += std::to_string(++number) + ". " + KernelText::lookUp(info.title);
        text += placeText(finding, serverNames) + '\n';
        text += line("", finding.evidence);
        text += line("", printable(finding.examples).empty()
                             ? std::string()
                             : KernelText::tr("Such as %1.",
                                              report::listText(printable(finding.examples),
                                                               finding.examples.size())));
        text += line("", KernelText::lookUp(info.harm));
        text += line("", KernelText::lookUp(info.remedy));
        text += line("$ ", storyCall(finding.weakness, isOfSet));
    }
    for (const OpenWeakness& open : hygiene.open) {
        text += "- "
                + KernelText::tr("Not known: %1. %2",
                                 KernelText::lookUp(infoOf(open.weakness).title), open.why)
                + '\n';
    }
    return text;
}

Json hygieneJson(const Hygiene& hygiene, bool isOfSet, std::span<const std::string> serverNames)
{
    Json findings = Json::array();
    for (const WeaknessFinding& finding : hygiene.findings) {
        const WeaknessInfo& info = infoOf(finding.weakness);
        const std::string story = storyCall(finding.weakness, isOfSet);
        findings.push_back(Json{{"id", info.id},
                                {"severity", finding.severity},
                                {"title", info.title},
                                {"servers", namesOf(finding.servers, serverNames)},
                                {"nodes", escapedNodes(finding)},
                                {"evidence", finding.evidence},
                                {"examples", printable(finding.examples)},
                                {"harm", info.harm},
                                {"remedy", info.remedy},
                                {"story", story.empty() ? Json(nullptr) : Json(story)}});
    }
    Json notKnown = Json::array();
    for (const OpenWeakness& open : hygiene.open) {
        const WeaknessInfo& info = infoOf(open.weakness);
        notKnown.push_back(Json{{"id", info.id}, {"title", info.title}, {"why", open.why}});
    }
    return Json{{"findings", std::move(findings)}, {"notKnown", std::move(notKnown)}};
}

} // namespace lockscope::diagnosis
