#include "core/kernel/lint/lint.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/lint/script_mistakes.h"

#include <algorithm>
#include <utility>

namespace lockscope::lint {

using report::CellReport;
using report::CellVerdict;

namespace {

bool proves(const Suspect& suspect, const CellReport& cell, const CellVerdict& verdict)
{
    return verdict.isBroken()
           && isProvedBy(suspect.pattern, verdict.result.finding->violation.kind, cell.fault);
}

std::optional<Proof> shortestProof(const Suspect& suspect, std::span<const CellReport> cells)
{
    std::optional<Proof> shortest;
    for (const CellReport& cell : cells) {
        for (const CellVerdict& verdict : cell.verdicts) {
            const Proof proof{&cell, &verdict};
            if (proves(suspect, cell, verdict)
                && (!shortest || proof.length() < shortest->length())) {
                shortest = proof;
            }
        }
    }
    return shortest;
}

protocol::TextPlace placeOf(const Suspect& suspect, const protocol::JsonPlaces& places,
                            std::string_view fileText)
{
    return places.of(suspect.scriptLine
                         ? pathOfScriptLine(fileText, suspect.path, *suspect.scriptLine)
                         : suspect.path);
}

bool isExplained(const std::vector<LintFinding>& findings, const CellReport& cell,
                 const CellVerdict& verdict)
{
    return std::ranges::any_of(findings, [&](const LintFinding& finding) {
        return proves(finding.suspect, cell, verdict);
    });
}

/// One per promise: the shortest.
std::vector<Proof> unexplainedBreaks(const std::vector<LintFinding>& findings,
                                     std::span<const CellReport> cells)
{
    std::vector<Proof> breaks;
    for (const CellReport& cell : cells) {
        for (const CellVerdict& verdict : cell.verdicts) {
            if (!verdict.isBroken() || !verdict.result.isPromised
                || isExplained(findings, cell, verdict)) {
                continue;
            }
            const Proof proof{&cell, &verdict};
            const auto same = std::ranges::find_if(breaks, [&verdict](const Proof& known) {
                return known.verdict->result.promise == verdict.result.promise;
            });
            if (same == breaks.end()) {
                breaks.push_back(proof);
            } else if (proof.length() < same->length()) {
                *same = proof;
            }
        }
    }
    return breaks;
}

bool comesBefore(const LintFinding& a, const LintFinding& b)
{
    if (!a.proof || !b.proof) {
        return a.proof.has_value() && !b.proof.has_value();
    }
    return a.proof->length() < b.proof->length();
}

} // namespace

Lint lintOf(const protocol::OwnLockPlan& plan, std::string_view fileText,
            std::span<const CellReport> cells, sim::LuaEngine& lua)
{
    const protocol::JsonPlaces places(fileText);
    Lint lint;
    for (Suspect& suspect : suspectsIn(plan, lua)) {
        LintFinding finding;
        finding.place = placeOf(suspect, places, fileText);
        finding.proof = shortestProof(suspect, cells);
        finding.suspect = std::move(suspect);
        lint.findings.push_back(std::move(finding));
    }
    std::ranges::stable_sort(lint.findings, comesBefore);
    lint.otherBreaks = unexplainedBreaks(lint.findings, cells);
    return lint;
}

std::string proofText(const Proof& proof)
{
    const world::Violation& violation = proof.verdict->result.finding->violation;
    return KernelText::tr("%1 breaks under %2, in %3 steps: %4",
                          protocol::idOf(proof.verdict->result.promise), proof.cell->faultName(),
                          proof.length(),
                          describe(violation, proof.verdict->plan.keyName(violation.lock)));
}

} // namespace lockscope::lint
