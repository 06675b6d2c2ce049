#include "app/cli/output/lint_text.h"

#include "app/cli/output/lock_table.h"

namespace lockscope::cli {

using lint::Lint;
using lint::LintFinding;
using lint::Proof;
using report::CellReport;

namespace {

/// "my-lock.json:12:5: the release deletes the lock whoever holds it (uncompared-release)", as
/// editors find it.
std::string headOf(const LintFinding& finding, const std::string& fileName)
{
    const lint::Suspect& suspect = finding.suspect;
    std::string text = fileName + ':' + std::to_string(finding.place.line) + ':'
                       + std::to_string(finding.place.column) + ": " + sentenceFor(suspect.pattern);
    text += suspect.detail.empty() ? "" : ": " + suspect.detail;
    return text + " (" + std::string(idOf(suspect.pattern)) + ")\n  " + remedyFor(suspect.pattern)
           + '\n';
}

std::string storyOf(const Proof& proof)
{
    std::string text = "  " + proofText(proof) + '\n';
    for (const std::string& line : search::numbered(proof.verdict->story)) {
        text += "   " + line + '\n';
    }
    return text;
}

std::string provedSection(const LintArguments& arguments, const Lint& lint)
{
    std::string text;
    for (const LintFinding& finding : lint.findings) {
        if (finding.proof) {
            text += '\n' + headOf(finding, arguments.fileName) + storyOf(*finding.proof);
        }
    }
    return text.empty() ? text : "\nProved\n" + text;
}

std::string suspectedSection(const LintArguments& arguments, const Lint& lint)
{
    std::string text;
    for (const LintFinding& finding : lint.findings) {
        if (!finding.proof) {
            text += '\n' + headOf(finding, arguments.fileName);
        }
    }
    return text.empty() ? text : "\nSuspected, not proved\n" + text;
}

std::string othersSection(const Lint& lint)
{
    std::string text;
    for (const Proof& proof : lint.otherBreaks) {
        text += '\n' + storyOf(proof);
    }
    return text.empty() ? text : "\nAlso broken, perhaps as a consequence\n" + text;
}

std::string coverageText(std::span<const CellReport> cells)
{
    const search::Coverage coverage = report::coverageOf(cells);
    std::uint64_t faultCount = 0;
    for (const CellReport& cell : cells) {
        faultCount += cell.isApplicable && cell.fault != world::FaultKind::Interleaving ? 1 : 0;
    }
    return counted(coverage.schedules, "schedule", "schedules") + " and "
           + counted(coverage.states, "state", "states") + " under "
           + counted(faultCount, "kind of fault", "kinds of fault") + ": "
           + (coverage.isComplete ? "all runs within the plans were explored"
                                  : "the bound was reached before all runs were explored")
           + ".\n";
}

} // namespace

std::string lintText(const LintArguments& arguments, const Lint& lint,
                     std::span<const CellReport> cells)
{
    const protocol::ProtocolInfo& info = arguments.plan.info;
    std::string text = info.id + ": " + info.title + '\n' + coverageText(cells);
    if (const std::string untested = report::untestedText(cells); !untested.empty()) {
        text += untested + '\n';
    }
    if (lint.isClean()) {
        return text + "Nothing suspicious was found.\n";
    }
    return text + provedSection(arguments, lint) + othersSection(lint)
           + suspectedSection(arguments, lint);
}

} // namespace lockscope::cli
