#include "app/cli/output/plan_text.h"

#include "core/kernel/report/release_call.h"
#include "core/kernel/report/release_steps.h"
#include "core/kernel/report/wording.h"

#include <utility>

namespace lockscope::cli {

namespace {

constexpr std::string_view kOwnFormat =
    "A format of your own can describe it, in a file in ~/.config/lockscope/formats.";

std::string indented(std::string_view text, std::string_view indent)
{
    std::string lines(indent);
    for (const char c : text) {
        lines += c;
        if (c == '\n') {
            lines += indent;
        }
    }
    return lines + '\n';
}

/// A script is easier to read in lines than as one word of its command.
std::string commandText(const store::Command& command, const std::string& indent)
{
    if (command.words.size() < 2 || command.words[1].find('\n') == Bytes::npos) {
        return indented(store::toText(command), indent + "  ");
    }
    std::vector<Bytes> words = command.words;
    const Bytes script = std::exchange(words[1], "SCRIPT");
    return indented(store::toText(store::Command(std::move(words))), indent + "  ") + indent
           + "where SCRIPT is\n" + indented(script, indent + "  ");
}

/// The server that would be written to.
std::string placeText(const inspect::ReleasePlan& plan, const std::vector<std::string>& serverNames)
{
    const std::uint16_t server = plan.servers.front();
    const std::string master = plan.masterOf(server);
    return master.empty() ? serverNames[server]
                          : escaped(master) + ", the master of " + serverNames[server];
}

} // namespace

std::string planText(const inspect::ReleasePlan& plan, std::string_view indent)
{
    const std::string margin(indent);
    std::string text;
    int number = 0;
    for (const std::string& step : report::releaseSteps(plan)) {
        text.append(indent).append("  ").append(std::to_string(++number)).append(". ");
        text.append(step).append("\n");
    }
    return text + margin + "The command:\n" + commandText(plan.command, margin);
}

std::string dryRunText(std::span<const inspect::ReleasePlan> plans,
                       const std::vector<std::string>& serverNames)
{
    std::string text;
    for (const inspect::ReleasePlan& plan : plans) {
        text += "Would do on " + placeText(plan, serverNames)
                + ", in one script (nothing was sent):\n" + planText(plan, {});
        if (const std::string ended = report::endedSentence(plan); !ended.empty()) {
            text += "Ends: " + ended + '\n';
        }
        for (const std::string& warning : plan.recipe.warnings) {
            text += "Note: " + warning + '\n';
        }
        if (plan.action == inspect::ReleaseAction::Tombstone) {
            text += "Note: " + report::tombstonePriceSentence(plan) + '\n';
        }
    }
    return text;
}

report::Json dryRunJson(std::span<const inspect::ReleasePlan> plans,
                        const std::vector<std::string>& serverNames)
{
    report::Json all = report::Json::array();
    for (const inspect::ReleasePlan& plan : plans) {
        auto json = serverJson({&plan, 1}, plan.servers.front(), serverNames);
        json.update(report::planJson(plan));
        all.push_back(std::move(json));
    }
    return {{"dryRun", true}, {"plans", std::move(all)}};
}

std::vector<std::string> mastersText(std::span<const inspect::ReleasePlan> plans,
                                     const std::vector<std::string>& serverNames)
{
    std::vector<std::string> sentences;
    for (const inspect::ReleasePlan& plan : plans) {
        for (const auto& [server, master] : plan.masters) {
            sentences.push_back("sending the release to " + escaped(master) + ", the master of "
                                + serverNames[server]);
        }
    }
    return sentences;
}

report::Json serverJson(std::span<const inspect::ReleasePlan> plans, std::uint16_t server,
                        const std::vector<std::string>& serverNames)
{
    report::Json json{{"server", serverNames[server]}};
    for (const inspect::ReleasePlan& plan : plans) {
        if (const std::string master = plan.masterOf(server); !master.empty()) {
            json["master"] = escaped(master);
        }
    }
    return json;
}

std::string unsupportedReason(const operations::InspectedLock& inspected)
{
    for (const inspect::LockInspection& inspection : inspected.inspections) {
        if (inspection.decodedLocks.empty()) {
            continue;
        }
        const inspect::DecodedLock& decoded = inspection.decodedLocks.front();
        std::string sentence = "The format " + std::string(decoded.format)
                               + " cannot be released safely.";
        for (const std::string& warning : inspect::releaseWarnings(inspection, decoded.format)) {
            sentence.append(1, ' ').append(warning);
        }
        if (const std::string misfit = misfitSentence(inspected); !misfit.empty()) {
            sentence.append(1, ' ').append(misfit);
        }
        return sentence;
    }
    return "No known format fits its value, so it is not known how it is released. "
           + std::string(kOwnFormat);
}

std::string misfitSentence(const operations::InspectedLock& inspected)
{
    for (const inspect::LockInspection& inspection : inspected.inspections) {
        if (const inspect::Treatment* const decision = inspection.misfit()) {
            return misfitSentence(*decision, inspection.fittingFormats());
        }
    }
    return {};
}

std::string misfitSentence(const inspect::Treatment& decision,
                           const std::vector<std::string_view>& fitting)
{
    std::string sentence = "It is to be treated as " + decision.format
                           + ", but its value does not fit that format.";
    if (fitting.empty()) {
        return sentence + " No other format fits it either. " + std::string(kOwnFormat);
    }
    std::string names;
    for (const std::string_view format : fitting) {
        names += (names.empty() ? "" : ", ") + std::string(format);
    }
    return sentence + " What fits it: " + names + '.';
}

std::string unprovenSentence(const inspect::ReleasePlan& plan,
                             const std::vector<store::Endpoint>& endpoints)
{
    return escaped(plan.lock->id.name)
           + " is not known to be a lock: neither its name nor its value shows it, so it is "
             "probably data. If you know that it is a lock: "
           + report::releaseCommandLine(endpoints, plan);
}

} // namespace lockscope::cli
