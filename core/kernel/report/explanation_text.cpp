#include "core/kernel/report/explanation_text.h"

#include "core/kernel/base/kernel_text.h"

#include <utility>

namespace lockscope::report {

namespace {

using SectionEntry = ExplanationSection::Entry;

std::vector<SectionEntry> entriesOfText(const std::string& text)
{
    return text.empty() ? std::vector<SectionEntry>()
                        : std::vector<SectionEntry>{{{}, text, false}};
}

std::vector<SectionEntry> entriesOfKeys(const std::vector<Explanation::Key>& keys)
{
    std::vector<SectionEntry> entries;
    entries.reserve(keys.size());
    for (const Explanation::Key& key : keys) {
        entries.push_back({key.key, key.meaning, false});
    }
    return entries;
}

std::vector<SectionEntry> entriesOfSteps(const std::vector<ByHand>& steps)
{
    std::vector<SectionEntry> entries;
    entries.reserve(steps.size());
    for (const ByHand& step : steps) {
        entries.push_back({step.purpose, step.command, true});
    }
    return entries;
}

std::string lineOfEntry(const SectionEntry& entry)
{
    if (entry.isCommand) {
        return "  # " + entry.heading + "\n  " + entry.text + '\n';
    }
    return "  " + (entry.heading.empty() ? entry.text : entry.heading + ": " + entry.text) + '\n';
}

} // namespace

std::vector<ExplanationSection> sectionsOf(const Explanation& explanation)
{
    std::vector<ExplanationSection> sections = {
        {KernelText::tr("What its keys mean"), entriesOfKeys(explanation.keys)},
        {KernelText::tr("While its holder lives"), entriesOfText(explanation.whileHeld)},
        {KernelText::tr("If its holder dies now"), entriesOfText(explanation.ifHolderDies)},
        {KernelText::tr("How its waiters wake up"), entriesOfText(explanation.wakeUp)},
        {KernelText::tr("To look at it, at the prompt of redis-cli"),
         entriesOfSteps(explanation.inspect)},
        {KernelText::tr("To release it by hand, at the prompt of redis-cli. Between single "
                        "commands another client may take the lock; the last command leaves no "
                        "gap"),
         entriesOfSteps(explanation.release)},
    };
    std::erase_if(sections,
                  [](const ExplanationSection& section) { return section.entries.empty(); });
    return sections;
}

std::string explanationText(const Explanation& explanation)
{
    std::string text;
    for (const ExplanationSection& section : sectionsOf(explanation)) {
        text += section.title + '\n';
        for (const SectionEntry& entry : section.entries) {
            text += lineOfEntry(entry);
        }
    }
    return text;
}

} // namespace lockscope::report
