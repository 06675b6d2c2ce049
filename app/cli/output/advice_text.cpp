#include "app/cli/output/advice_text.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/protocol/catalogue.h"

#include <array>
#include <cstdio>
#include <vector>

namespace lockscope::cli {

using report::Advice;
using report::AdviceCost;
using report::ProtocolAdvice;
using Standing = ProtocolAdvice::Standing;

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string joinedIds(const auto& values)
{
    std::string text;
    for (const auto value : values) {
        text += (text.empty() ? "" : ", ") + std::string(idOf(value));
    }
    return text;
}

/// "Never two-holders, stuck; despite crash, pause; 1 server"
std::string questionText(const report::AdviceQuestion& question)
{
    std::string text = "Never " + joinedIds(question.never) + "; despite "
                       + joinedIds(question.despite) + "; "
                       + counted(static_cast<std::uint64_t>(question.serverCount), "server",
                                 "servers");
    text += question.isReentrant ? "; reentrant" : "";
    text += question.hasReaders ? "; readers" : "";
    text += question.hasPermits ? "; permits" : "";
    return text + '\n';
}

std::string numberText(double number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", number);
    return text.data();
}

std::string librariesText(const ProtocolAdvice& advice)
{
    std::string text;
    for (const std::string& library : advice.libraries) {
        text += (text.empty() ? "" : ", ") + library;
    }
    return text.empty() ? "none known" : text;
}

std::vector<std::string> lineOf(const ProtocolAdvice& advice, const AdviceCost& cost)
{
    return {"  " + advice.protocol + (advice.standing == Standing::HeldSoFar ? " *" : ""),
            std::to_string(advice.serversNeeded),
            numberText(cost.commands),
            durationText(cost.waitMedian),
            durationText(cost.waitLongest),
            advice.others.empty() ? "-" : joinedIds(advice.others),
            librariesText(advice)};
}

/// What suits, with what it costs.
std::string suitingSection(const Advice& advice, std::span<const std::optional<AdviceCost>> costs)
{
    Lines lines{
        {"  PROTOCOL", "SERVERS", "COMMANDS", "WAIT P50", "P99", "ALSO HAPPENS", "LIBRARIES"}};
    bool isAnyBounded = false;
    for (std::size_t i = 0; i < advice.protocols.size(); ++i) {
        const ProtocolAdvice& one = advice.protocols[i];
        if (one.suits()) {
            lines.push_back(lineOf(one, *costs[i]));
            isAnyBounded = isAnyBounded || one.standing == Standing::HeldSoFar;
        }
    }
    if (lines.size() == 1) {
        return "\nNothing holds.\n";
    }
    return "\nHolds\n" + alignedColumns(lines)
           + (isAnyBounded ? "  * in the runs explored before the bound was reached\n" : "")
           + "  Commands of an acquisition with its release; waits of ten clients for one lock, "
             "predicted.\n";
}

std::string section(const char* title, const Advice& advice, Standing standing)
{
    Lines lines;
    for (const ProtocolAdvice& one : advice.protocols) {
        if (one.standing == standing) {
            lines.push_back({"  " + one.protocol, reasonText(one)});
        }
    }
    return lines.empty() ? std::string() : '\n' + std::string(title) + '\n' + alignedColumns(lines);
}

/// The call that tells the story of the first breach; of protocols whose files are not known here,
/// none.
std::string storyHint(const Advice& advice)
{
    for (const ProtocolAdvice& one : advice.protocols) {
        if (one.standing == Standing::Breaks && protocol::findProtocol(one.protocol) != nullptr) {
            return "\nThe story of one: lockscope-cli explore --protocol " + one.protocol
                   + " --faults " + one.breaches.front().cell->faultName() + '\n';
        }
    }
    return {};
}

std::string additionsSection(const Advice& advice)
{
    std::string text;
    for (const report::Addition& addition : advice.additions) {
        text += "  " + additionText(addition) + '\n';
    }
    return text.empty() ? text : "\nWhat would help\n" + text;
}

} // namespace

std::string adviceText(const report::AdviceQuestion& question, const Advice& advice,
                       std::span<const std::optional<AdviceCost>> costs)
{
    return questionText(question) + suitingSection(advice, costs) + additionsSection(advice)
           + section("No choice", advice, Standing::NoChoice)
           + section("Breaks", advice, Standing::Breaks)
           + section("Not tested", advice, Standing::Untested)
           + section("Does not fit", advice, Standing::Unfit) + storyHint(advice);
}

} // namespace lockscope::cli
