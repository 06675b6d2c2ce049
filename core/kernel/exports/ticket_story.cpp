#include "core/kernel/exports/ticket_story.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

namespace lockscope::exports {

using protocol::ProtocolInfo;
using report::CellReport;
using report::CellVerdict;
using report::PromiseVerdict;
using report::RunFile;
using search::StoryLine;
using world::FaultKind;
using Status = PromiseVerdict::Status;

namespace {

/// So that nothing in the text means anything to Markdown.
std::string plain(std::string_view text)
{
    static constexpr std::string_view kMarks = "\\`*_<>[]|#~";
    std::string escaped;
    for (const char c : text) {
        if (kMarks.find(c) != std::string_view::npos) {
            escaped += '\\';
        }
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

std::string seconds(Duration duration)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3f s", static_cast<double>(duration.count()) / 1e6);
    return text.data();
}

std::string titleOf(const ProtocolInfo& info, const std::vector<PromiseVerdict>& verdicts)
{
    const auto broken = std::ranges::find(verdicts, Status::Broken, &PromiseVerdict::status);
    if (broken != verdicts.end()) {
        return KernelText::tr("%1: %2 is broken", info.id, idOf(broken->promise));
    }
    const bool isAnyHeld = std::ranges::find(verdicts, Status::Held, &PromiseVerdict::status)
                           != verdicts.end();
    return isAnyHeld || verdicts.empty() ? KernelText::tr("%1: no violation", info.id)
                                         : KernelText::tr("%1: nothing was tested", info.id);
}

/// Titles of runs begin with the protocol and a comma, in any language; it is said before.
std::string withoutProtocol(std::string_view title, const ProtocolInfo& info)
{
    for (const std::string_view comma : {", ", "，"}) {
        const std::string head = info.id + std::string(comma);
        if (title.starts_with(head)) {
            return std::string(title.substr(head.size()));
        }
    }
    return std::string(title);
}

/// "pause: a client stands still …", every kind once.
std::vector<std::string> faultTexts(const std::vector<world::Step>& steps)
{
    std::vector<std::string> faults;
    for (const FaultKind kind : world::faultsIn(steps)) {
        faults.push_back(std::string(idOf(kind)) + ": " + infoOf(kind).description());
    }
    return faults;
}

std::string coverageText(const search::Coverage& coverage)
{
    return coverage.isComplete
               ? KernelText::tr("%1 schedules were explored, up to %2 steps long: all runs within "
                                "the plans.",
                                coverage.schedules, coverage.longest)
               : KernelText::tr("%1 schedules were explored, up to %2 steps long: the bound was "
                                "reached before all runs were explored.",
                                coverage.schedules, coverage.longest);
}

std::string verdictText(const PromiseVerdict& verdict)
{
    const std::string_view id = idOf(verdict.promise);
    const std::string promised = verdict.isPromised ? KernelText::tr("promised")
                                                    : KernelText::tr("not promised");
    if (verdict.status == Status::Held) {
        return KernelText::tr("`%1`: held within the bound (%2)", id, promised);
    }
    if (verdict.status == Status::NotExercised) {
        return KernelText::tr("`%1`: not exercised (%2)", id, promised);
    }
    const std::string text = verdict.at
                                 ? KernelText::tr("`%1`: **broken at %2** (%3, %4)", id,
                                                  seconds(*verdict.at), promised, verdict.kind)
                                 : KernelText::tr("`%1`: **broken** (%2, %3)", id, promised,
                                                  verdict.kind);
    return verdict.summary.empty() ? text : text + ": " + plain(verdict.summary);
}

std::string headText(std::string_view head)
{
    return "\n## " + std::string(head) + "\n\n";
}

std::string listText(std::string_view head, const std::vector<std::string>& items)
{
    if (items.empty()) {
        return {};
    }
    std::string text = headText(head);
    for (const std::string& item : items) {
        text += "- " + item + '\n';
    }
    return text;
}

std::vector<std::string> plainAll(std::vector<std::string> texts)
{
    std::ranges::transform(texts, texts.begin(), plain);
    return texts;
}

std::string verdictsText(const std::vector<PromiseVerdict>& verdicts)
{
    std::vector<std::string> lines;
    for (const PromiseVerdict& verdict : verdicts) {
        if (verdict.status != Status::NotApplicable) {
            lines.push_back(verdictText(verdict));
        }
    }
    return listText(KernelText::tr("Verdict"), lines);
}

std::string storyText(const std::vector<StoryLine>& story)
{
    std::string text = story.empty() ? std::string() : headText(KernelText::tr("Story"));
    for (const StoryLine& line : story) {
        const std::string sentence = plain(line.text);
        text += (line.number > 0 ? std::to_string(line.number) + ". " : "   ")
                + seconds(line.at.time_since_epoch()) + ": "
                + (line.isViolation ? "**" + sentence + "**" : sentence) + '\n';
    }
    return text;
}

} // namespace

std::vector<std::string> assumptionsOf(const ProtocolInfo& info,
                                       const std::vector<PromiseVerdict>& verdicts)
{
    std::vector<std::string> assumptions;
    for (const protocol::Claim& claim : info.claims) {
        const bool isConcerned = std::ranges::any_of(verdicts, [&claim](const auto& verdict) {
            return verdict.promise == claim.promise && verdict.status <= Status::Broken;
        });
        if (isConcerned && !claim.assuming.empty()) {
            assumptions.push_back(KernelText::tr("The protocol promises %1 as long as %2.",
                                                 idOf(claim.promise),
                                                 KernelText::lookUp(claim.assuming)));
        }
    }
    return assumptions;
}

Ticket ticketOf(const ProtocolInfo& info, const CellVerdict& verdict, std::string command,
                const std::optional<search::Coverage>& coverage)
{
    CellReport cell;
    cell.verdicts.push_back(verdict);
    Ticket ticket;
    ticket.verdicts = verdictsOf(cell);
    ticket.title = titleOf(info, ticket.verdicts);
    ticket.protocol = info.id + ": " + info.title;
    ticket.command = std::move(command);
    ticket.assumptions = assumptionsOf(info, ticket.verdicts);
    if (verdict.isBroken()) {
        ticket.run = KernelText::tr("plan \"%1\"", KernelText::lookUp(verdict.plan.name));
        ticket.faults = faultTexts(verdict.result.finding->steps);
        ticket.story = verdict.story;
    }
    if (coverage) {
        ticket.assumptions.push_back(coverageText(*coverage));
    }
    return ticket;
}

Ticket ticketOf(const RunFile& run)
{
    const ProtocolInfo& info = run.protocol.info();
    Ticket ticket;
    ticket.verdicts = run.promises;
    ticket.title = titleOf(info, run.promises);
    ticket.protocol = info.id + ": " + info.title;
    ticket.run = withoutProtocol(run.labels.title, info);
    ticket.faults = run.faults;
    ticket.story = run.story;
    ticket.command = run.command;
    ticket.assumptions = run.assumptions;
    return ticket;
}

std::string ticketStory(const Ticket& ticket)
{
    std::string text = "# " + plain(ticket.title) + "\n\n"
                       + KernelText::tr("Protocol %1", plain(ticket.protocol));
    text += ticket.run.empty() ? "\n" : "; " + plain(ticket.run) + '\n';
    text += verdictsText(ticket.verdicts);
    text += listText(KernelText::tr("What goes wrong"), plainAll(ticket.faults));
    text += storyText(ticket.story);
    if (!ticket.command.empty()) {
        text += headText(KernelText::tr("Reproduce")) + "```sh\n" + ticket.command + "\n```\n";
    }
    return text + listText(KernelText::tr("Assumptions and bound"), plainAll(ticket.assumptions));
}

} // namespace lockscope::exports
