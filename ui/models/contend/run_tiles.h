#pragma once

#include "core/kernel/contention/prediction.h"
#include "core/service/live_runner.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// How loudly a number speaks.
enum class TileTone { Plain, Good, Warning, Bad };

/// One number of a live run with what it means.
struct RunTile {
    QString id;      // stable, for looking a tile up: "overlaps"
    QString title;   // "Overlaps"
    QString value;   // "0"
    QString detail;  // a few words below it; may be empty
    QString meaning; // one or two sentences: how to read it
    TileTone tone = TileTone::Plain;

    friend bool operator==(const RunTile&, const RunTile&) = default;
};

/// The numbers of a run, those that the protocol and the kind of scenario have, in the order to
/// read them. Before anything has happened they are all there and say so.
std::vector<RunTile> tilesOf(const workload::LiveRunProgress& progress,
                             const workload::Scenario& scenario,
                             const protocol::ProtocolInfo& info);

/// What can be predicted of a run, and how busy server and clients would be.
std::vector<RunTile> tilesOf(const contention::Prediction& prediction,
                             const workload::Scenario& scenario,
                             const protocol::ProtocolInfo& info);

/// Says in the measured tiles what was predicted for the same run.
void addPredicted(std::vector<RunTile>& measured, const std::vector<RunTile>& predicted);

/// The middle of the waits with p95, and their tail with the longest.
std::vector<RunTile> waitTiles(const trace::Histogram& wait);
/// Jain's index and its word.
RunTile fairnessTile(const trace::RunStatistics& statistics, int contenderCount);
/// Loud unless there was none.
RunTile overlapTile(std::uint64_t overlaps);
RunTile wrongReleaseTile(std::uint64_t wrongReleases);

/// Whether contenders were never granted anything although everybody could have been several times.
bool isAnyStarved(const trace::RunStatistics& statistics, int contenderCount);

/// "even", "uneven", "starving"; what Jain's index says in a word. "too few to tell" while there
/// were too few grants for a fair share.
QString fairnessWord(const trace::RunStatistics& statistics, int contenderCount);

/// The numbers as lines of text, to paste into a ticket.
QString tilesAsText(const std::vector<RunTile>& tiles);

} // namespace lockscope::models
