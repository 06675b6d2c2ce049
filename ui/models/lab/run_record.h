#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/run_file.h"
#include "core/service/live_runner.h"
#include "core/service/search_runner.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace lockscope::models {

/// A run as the laboratory shows it: what was seen, as it is saved, and how it is drawn.
struct RunRecord {
    std::shared_ptr<const report::RunFile> run; // nullptr: there is none
    /// Of a run that goes on: all of it, to be written. `run` has no events then.
    std::function<report::RunFile()> whole;
    std::shared_ptr<const trace::Chronicle> chronicle; // nullptr: there is nothing to draw
    /// The same by the order of its steps; nullptr where they are not known.
    std::shared_ptr<const trace::Chronicle> inSteps = nullptr;
    TimelineNames names;

    int contenderCount() const { return run ? static_cast<int>(run->labels.contenders.size()) : 0; }
};

RunRecord recordOf(report::RunFile run);

/// What contenders and locks are called there.
TimelineNames namesIn(trace::RunLabels labels);

/// Of a promise that a search broke: the run is taken once more and looked at. `command`: what does
/// it again; may be empty.
RunRecord recordOf(const report::SavedProtocol& protocol, const report::CellVerdict& verdict,
                   const QString& command);

/// Some run of the task in which nothing is said to break: the first of random ones, or the one in
/// which always the first client goes first. Empty when there is no plan.
RunRecord sampleOf(const report::SavedProtocol& protocol, const search::SearchTask& task,
                   const QString& command);

/// Whether a file holds a scenario rather than a run: its name says so, or what is in it.
bool isScenarioFile(const QString& path);

/// A run of a file.
struct OpenedRun {
    report::RunFile run;
    std::optional<report::CounterexampleFile> example; // of which it is the replay
};

/// The run in a file, or why there is none, in a sentence. A counterexample is replayed. Reads and
/// replays before it returns.
std::variant<OpenedRun, QString> openedRun(const QString& path);

} // namespace lockscope::models
