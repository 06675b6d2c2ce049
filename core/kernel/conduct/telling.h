#pragma once

#include "core/kernel/conduct/proof.h"
#include "core/kernel/search/story.h"

#include <string>
#include <vector>

namespace lockscope::conduct {

/// What was broken, in one sentence without a full stop.
std::string describe(const Breach& breach, const Workload& workload);
inline std::string describe(const Find& find)
{
    return describe(find.breach, find.workload);
}

/// The run in plain words up to the breach, in the form of all stories. Numbered are the
/// deviations: everything else happens by itself.
std::vector<search::StoryLine> tellFind(const Find& find);

/// "A ended by itself (A's answer to SET is lost)", without a full stop and without its last words.
std::string describe(const OwnEnd& end);

/// "213 of 310 runs with a single deviation were played. 3 of them did not meet their message.".
std::string describe(const SingleRuns& singles);
/// Why a search that found nothing says nothing, in whole sentences. Empty: it says something.
std::string shortfallOf(const Proof& proof);

/// "A answered extend 3 times with an error although nothing was done to it: ERR unknown command".
std::string describe(const AnsweredError& error);

/// "acquire, release; it renews its lock by itself".
std::string describe(const AdapterTraits& traits);

} // namespace lockscope::conduct
