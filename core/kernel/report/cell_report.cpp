#include "core/kernel/report/cell_report.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/violation.h"

#include <algorithm>
#include <utility>

namespace lockscope::report {

using search::PromiseResult;
using Found = PromiseResult::Status;
using Status = PromiseVerdict::Status;

namespace {

/// A search that a script ended has no promise that held: the rest of the protocol was not tried.
PromiseVerdict verdictOf(const CellReport& cell, const CellVerdict& cellVerdict)
{
    const PromiseResult& result = cellVerdict.result;
    PromiseVerdict verdict;
    verdict.promise = result.promise;
    verdict.isPromised = result.isPromised;
    verdict.chances = result.chances;
    switch (result.status) {
    case Found::Held:
        verdict.status = cell.isStopped() ? Status::NotExercised : Status::Held;
        break;
    case Found::NotExercised: verdict.status = Status::NotExercised; break;
    case Found::NotApplicable: verdict.status = Status::NotApplicable; break;
    case Found::Broken: {
        const world::Violation& violation = result.finding->violation;
        verdict.status = Status::Broken;
        verdict.kind = idOf(violation.kind);
        verdict.at = violation.at.time_since_epoch();
        verdict.summary = describe(violation, cellVerdict.plan.keyName(violation.lock));
        verdict.faults = world::faultsIn(result.finding->steps);
        break;
    }
    }
    return verdict;
}

} // namespace

bool isShownBefore(const CellVerdict& verdict, const CellVerdict* other)
{
    if (!verdict.isBroken() || other == nullptr) {
        return verdict.isBroken();
    }
    const PromiseResult& a = verdict.result;
    const PromiseResult& b = other->result;
    return a.isPromised != b.isPromised ? a.isPromised : a.finding->length < b.finding->length;
}

const CellVerdict* CellReport::headline() const
{
    const CellVerdict* best = nullptr;
    for (const CellVerdict& verdict : verdicts) {
        best = isShownBefore(verdict, best) ? &verdict : best;
    }
    return best;
}

bool CellReport::isPromiseBroken() const
{
    const CellVerdict* const first = headline();
    return first != nullptr && first->result.isPromised;
}

bool CellReport::isNeverEnded() const
{
    return coverage.cutRuns > 0 && coverage.endedRuns == 0 && headline() == nullptr;
}

bool CellReport::isNothingExercised() const
{
    return !verdicts.empty() && std::ranges::none_of(verdicts, [](const CellVerdict& verdict) {
        return verdict.isBroken() || verdict.result.status == Found::Held;
    });
}

std::string CellReport::faultName() const
{
    return fault ? std::string(idOf(*fault)) : "scenario";
}

const CellReport* headlineOf(std::span<const CellReport> cells)
{
    const CellReport* best = nullptr;
    for (const CellReport& cell : cells) {
        const CellVerdict* const first = cell.headline();
        if (first != nullptr
            && isShownBefore(*first, best != nullptr ? best->headline() : nullptr)) {
            best = &cell;
        }
    }
    return best;
}

std::vector<PromiseVerdict> verdictsOf(const CellReport& cell)
{
    std::vector<PromiseVerdict> verdicts;
    for (const CellVerdict& verdict : cell.verdicts) {
        verdicts.push_back(verdictOf(cell, verdict));
    }
    return verdicts;
}

std::vector<PromiseVerdict> verdictsOf(std::span<const CellReport> cells)
{
    std::vector<PromiseVerdict> verdicts;
    for (std::size_t i = 0; i < static_cast<std::size_t>(protocol::Promise::PromiseCount); ++i) {
        const CellVerdict* broken = nullptr;
        PromiseVerdict ofBroken;
        PromiseVerdict verdict;
        verdict.promise = static_cast<protocol::Promise>(i);
        bool isPromisedEverywhere = true;
        std::uint64_t chances = 0;
        for (const CellReport& cell : cells) {
            if (i >= cell.verdicts.size() || !cell.isSearched) {
                continue;
            }
            const CellVerdict& here = cell.verdicts[i];
            const PromiseVerdict told = verdictOf(cell, here);
            if (isShownBefore(here, broken)) {
                broken = &here;
                ofBroken = told;
            }
            // Held in one says more than not exercised in another, and that more than nothing.
            verdict.status = std::min(verdict.status, told.status);
            isPromisedEverywhere = isPromisedEverywhere && here.result.isPromised;
            chances += here.result.chances;
        }
        verdict.isPromised = isPromisedEverywhere && !cells.empty();
        if (broken != nullptr) {
            verdict = ofBroken;
        }
        verdict.chances = chances;
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

search::Coverage coverageOf(std::span<const CellReport> cells)
{
    search::Coverage coverage;
    coverage.isComplete = true;
    for (const CellReport& cell : cells) {
        if (cell.isApplicable) {
            coverage.add(cell.coverage);
            coverage.isComplete = coverage.isComplete && cell.coverage.isComplete;
        }
    }
    return coverage;
}

std::string untestedText(std::span<const CellReport> cells)
{
    if (coverageOf(cells).chances.isNeverGranted()) {
        const auto told = std::ranges::find_if(cells, [](const CellReport& cell) {
            return !cell.reasonNeverGranted.empty();
        });
        return told == cells.end() ? nothingTestedText()
                                   : nothingTestedText() + '\n' + told->reasonNeverGranted;
    }
    const bool isBroken = std::ranges::any_of(cells, &CellReport::isPromiseBroken);
    if (!isBroken && std::ranges::any_of(cells, &CellReport::isStopped)) {
        return scriptStoppedText() + '\n'
               + KernelText::tr("Real servers have no such limit; a lock needs far less.");
    }
    return {};
}

std::string neverEndedUnder(std::span<const CellReport> cells)
{
    std::string names;
    for (const CellReport& cell : cells) {
        if (cell.isNeverEnded()) {
            names += (names.empty() ? "" : ", ") + cell.faultName();
        }
    }
    return names;
}

std::vector<std::span<const CellReport>> rowsOf(std::span<const CellReport> cells)
{
    std::vector<std::span<const CellReport>> rows;
    while (!cells.empty()) {
        const auto end = std::ranges::find_if(cells, [&cells](const CellReport& cell) {
            return cell.protocol != cells.front().protocol;
        });
        rows.push_back(cells.first(static_cast<std::size_t>(end - cells.begin())));
        cells = cells.subspan(rows.back().size());
    }
    return rows;
}

std::vector<std::string> textsOf(const std::vector<search::StoryLine>& story)
{
    std::vector<std::string> texts;
    texts.reserve(story.size());
    for (const search::StoryLine& line : story) {
        texts.push_back(line.text);
    }
    return texts;
}

} // namespace lockscope::report
