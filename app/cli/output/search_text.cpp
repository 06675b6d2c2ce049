#include "app/cli/output/search_text.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/world/fault_info.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace lockscope::cli {

using report::CellReport;
using report::CellVerdict;
using report::PromiseVerdict;
using Status = PromiseVerdict::Status;

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string_view endOf(const search::Coverage& coverage)
{
    if (coverage.isScriptStopped) {
        return "the search ended at a script that takes too many steps";
    }
    if (coverage.arePreemptionsLeftOut) {
        return "runs with more preemptions were skipped";
    }
    if (coverage.cutRuns > 0) {
        return "not all runs were followed to their end";
    }
    return coverage.isComplete ? "all runs within the plans were explored"
                               : "the bound was reached before all runs were explored";
}

/// Not a single one is usual, so what there is of them is said.
std::string errorsText(const search::Coverage& coverage)
{
    const std::uint64_t errors = coverage.chances.errors;
    return errors == 0 ? std::string()
                       : ", " + counted(errors, "answer was an error", "answers were errors");
}

/// ", 3 of them cut"
std::string cutText(const search::Coverage& coverage)
{
    return coverage.cutRuns == 0 ? std::string()
                                 : ", " + countText(coverage.cutRuns) + " of them cut";
}

std::string coverageText(const search::Coverage& coverage)
{
    return counted(coverage.schedules, "schedule", "schedules") + cutText(coverage) + ", "
           + counted(coverage.states, "state", "states") + ", deepest "
           + counted(static_cast<std::uint64_t>(coverage.longest), "step", "steps") + ", "
           + durationText(coverage.virtualTime)
           + " of virtual time: " + std::string(endOf(coverage)) + errorsText(coverage);
}

/// A line per promise that there is anything to say about.
std::string verdictTable(const CellReport& cell)
{
    const std::vector<PromiseVerdict> verdicts = verdictsOf(cell);
    Lines lines;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const PromiseVerdict& verdict = verdicts[i];
        if (verdict.status == Status::NotApplicable) {
            continue;
        }
        std::vector<std::string> line{"  " + std::string(idOf(verdict.promise))};
        const char* const promised = verdict.isPromised ? "promised" : "not promised";
        if (verdict.status == Status::Held) {
            line.insert(line.end(),
                        {"held", promised,
                         counted(verdict.chances, "chance", "chances") + " to break it"});
        } else if (verdict.status == Status::NotExercised) {
            line.insert(line.end(), {"not exercised", promised,
                                     cell.isStopped() ? "a script was stopped before it was judged"
                                                      : "no run had a chance to break it"});
        } else {
            const CellVerdict& broken = cell.verdicts[i];
            line.insert(line.end(),
                        {"broken in " + std::to_string(broken.result.finding->length) + " steps",
                         promised,
                         verdict.summary + " (" + std::string(verdict.kind) + "), plan \""
                             + broken.plan.name + '"'
                             + (broken.seed ? ", seed " + std::to_string(*broken.seed) : "")});
        }
        lines.push_back(std::move(line));
    }
    return alignedColumns(lines);
}

std::string cellSection(const CellReport& cell)
{
    std::string text = cell.faultName();
    if (cell.fault) {
        text += ": " + infoOf(*cell.fault).description();
    }
    text += '\n';
    if (!cell.isApplicable) {
        return text + "  has no effect on this protocol\n";
    }
    if (!cell.isSearched) {
        return text + "  not searched\n";
    }
    return text + "  " + coverageText(cell.coverage) + '\n' + verdictTable(cell);
}

/// "read-write-exclusion, fencing-order"
std::string notApplicableText(std::span<const CellReport> cells)
{
    std::string names;
    for (const PromiseVerdict& verdict : report::verdictsOf(cells)) {
        if (verdict.status == Status::NotApplicable) {
            names += (names.empty() ? "" : ", ") + std::string(idOf(verdict.promise));
        }
    }
    return names.empty() ? names : "Not applicable: " + names + ".\n";
}

std::string subjectText(const SearchSubject& subject)
{
    const protocol::ProtocolInfo& info = subject.protocol.info();
    std::string text = info.id + ": " + info.title;
    if (subject.scenario) {
        text += ", scenario \"" + subject.scenario->name + '"';
    }
    return text + '\n';
}

/// Empty: some run came to its end wherever nothing broke. `cutAt`: the bound on steps.
std::string neverEndedText(std::span<const CellReport> cells, std::string_view cutAt)
{
    const std::string names = report::neverEndedUnder(cells);
    return names.empty() ? names
                         : "No run came to its end (" + names
                               + "): too little was tried to say that nothing breaks.\n"
                                 "Runs are cut at "
                               + std::string(cutAt) + ", and at the horizon of the scenario.\n";
}

std::string endText(std::span<const CellReport> cells, const SearchSubject& subject,
                    std::string_view cutAt)
{
    const std::string text = headlineText(cells);
    if (const std::string untested = report::untestedText(cells); !untested.empty()) {
        return text + (text.empty() ? "" : "\n") + untested + '\n';
    }
    const std::string neverEnded = neverEndedText(cells, cutAt);
    if (text.empty()) {
        return neverEnded.empty() ? "No violation found.\n" : neverEnded;
    }
    const std::string where = subject.saveFile.empty()
                                  ? "\nUse --save FILE to save it for lockscope-cli replay FILE.\n"
                                  : "\nSaved: lockscope-cli replay " + subject.saveFile
                                        + " replays it.\n";
    return text + where + (neverEnded.empty() ? "" : "\n") + neverEnded;
}

std::string statisticsText(const trace::RunStatistics& statistics)
{
    std::array<char, 32> fairness{};
    std::snprintf(fairness.data(), fairness.size(), "%.2f", statistics.jainFairness());
    Lines lines;
    lines.push_back({"  acquisitions", countText(statistics.acquisitions)});
    lines.push_back({"  gave up", countText(statistics.gaveUp)});
    lines.push_back({"  crashes", countText(statistics.crashes)});
    lines.push_back({"  wait", "p50 " + durationText(statistics.wait.quantile(0.5)),
                     "p99 " + durationText(statistics.wait.quantile(0.99)),
                     "max " + durationText(statistics.wait.max())});
    lines.push_back({"  fairness", std::string("Jain ") + fairness.data()});
    return alignedColumns(lines);
}

/// "Up to 20,000 schedules per plan, of up to 2 preemptions each.\n"
std::string boundText(const search::Bounds& bounds)
{
    std::string text = "Up to " + countText(bounds.schedulesMax) + " schedules per plan";
    if (bounds.preemptionsMax) {
        text += ", of up to "
                + counted(static_cast<std::uint64_t>(*bounds.preemptionsMax), "preemption",
                          "preemptions")
                + " each";
    }
    return text + ".\n";
}

/// Rounded down: it is a bound from below.
std::string percentText(double share)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f %%", std::floor(share * 1000) / 10);
    return text.data();
}

std::string priorityText(const search::PriorityChance& chance)
{
    const auto stepCount = std::to_string(chance.stepCount);
    return "Random priorities: a violation that takes at most " + std::to_string(chance.depth)
           + " ordering constraints between clients, apart from faults, within the first "
           + stepCount + " steps of any plan,\nis found with a probability of at least "
           + percentText(chance.together) + ": " + counted(chance.runCount, "run", "runs")
           + " per plan, each with 1 in " + std::to_string(chance.threadCount) + " x " + stepCount
           + "^" + std::to_string(chance.depth - 1) + ".\nThe longest of these runs took "
           + counted(static_cast<std::uint64_t>(chance.longest), "step", "steps") + ".\n";
}

/// "under pause", which was asked for, even where the run does without; of a scenario and of random
/// runs "after: crash, pause", which is what the run has.
std::string circumstances(const CellReport& cell, const CellVerdict& verdict)
{
    const auto promise = static_cast<std::size_t>(verdict.result.promise);
    return cell.fault ? "under " + cell.faultName() : circumstancesOf(verdictsOf(cell)[promise]);
}

/// The faults of the folded columns, a line for each column; empty if there are none.
std::string foldedText(std::span<const report::MatrixColumn> columns)
{
    std::string text;
    for (const report::MatrixColumn& column : columns) {
        if (!column.isFolded()) {
            continue;
        }
        text += (text.empty()
                     ? "\nA group shows the worst of its faults; --unfold shows them all.\n"
                     : "")
                + idOf(column) + ": ";
        for (const world::FaultKind fault : column.faults) {
            text += (fault == column.faults.front() ? "" : ", ") + std::string(idOf(fault));
        }
        text += '\n';
    }
    return text;
}

} // namespace

std::string headlineText(std::span<const CellReport> cells)
{
    const CellReport* const cell = report::headlineOf(cells);
    if (cell == nullptr) {
        return {};
    }
    const CellVerdict& verdict = *cell->headline();
    std::string text = "The shortest way to break ";
    text += verdict.result.isPromised ? "a promise: " : "something that is not promised: ";
    text += std::string(idOf(verdict.result.promise)) + ' ' + circumstances(*cell, verdict) + ", ";
    text += std::to_string(verdict.result.finding->length) + " steps, plan \"" + verdict.plan.name
            + "\"\n";
    for (const std::string& line : search::numbered(verdict.story)) {
        text += " " + line + '\n';
    }
    return text;
}

std::string exploreText(const ExploreArguments& arguments, std::span<const CellReport> cells)
{
    const SearchSubject& subject = arguments.subject;
    std::string text = subjectText(subject) + boundText(arguments.bounds) + notApplicableText(cells)
                       + '\n';
    for (const CellReport& cell : cells) {
        text += cellSection(cell) + '\n';
    }
    return text
           + endText(cells, subject,
                     countText(static_cast<std::uint64_t>(arguments.bounds.lengthMax))
                         + " steps (--max-steps)");
}

std::string simulateText(const SimulateArguments& arguments, const CellReport& cell)
{
    const SearchSubject& subject = arguments.subject;
    std::string text = subjectText(subject);
    text += counted(cell.coverage.schedules, "run", "runs") + " from seed "
            + std::to_string(arguments.seed) + ", "
            + counted(cell.coverage.commands, "command", "commands") + ", "
            + durationText(cell.coverage.virtualTime) + " of virtual time\n";
    if (cell.statistics) {
        text += statisticsText(*cell.statistics);
    }
    if (cell.priorities) {
        text += priorityText(*cell.priorities);
    }
    return text + '\n' + verdictTable(cell) + '\n'
           + endText(std::span(&cell, 1), subject, countText(search::kRandomLengthMax) + " steps");
}

std::string matrixText(std::span<const CellReport> cells, const report::MatrixLook& look,
                       std::optional<Duration> elapsed)
{
    const report::MatrixTable table = report::matrixTable(cells, look);
    Lines lines{table.head};
    for (const report::MatrixSection& section : table.sections) {
        lines.insert(lines.end(), {{}, {nameOf(section.group)}});
        for (const report::TextRow& row : section.rows) {
            lines.push_back(row);
            lines.back().front().insert(0, "  ");
        }
    }
    std::string text = alignedColumns(lines) + '\n' + report::matrixLegend(look.never)
                       + foldedText(columnsOf(cells, look));
    const search::Coverage coverage = report::coverageOf(cells);
    return text + '\n' + counted(coverage.schedules, "schedule", "schedules") + " of "
           + counted(cells.size(), "cell", "cells")
           + (elapsed ? " in " + durationText(*elapsed) : std::string()) + ".\n";
}

} // namespace lockscope::cli
