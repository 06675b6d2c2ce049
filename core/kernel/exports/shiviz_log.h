#pragma once

#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_labels.h"

#include <string>

namespace lockscope::exports {

/// The chronicle as a log that ShiViz opens: the first line is the regular expression that reads
/// the others, the second one is empty (there is one execution), and then there is a line per event
/// with its time in microseconds, its host, its vector clock and what happened.
///
/// Contenders and servers are hosts. A clock takes in that of a message when the message is carried
/// out, and that of the server when the answer is heard. Without messages nothing connects the
/// hosts; a line that ShiViz skips says so.
std::string shivizLog(const trace::Chronicle& chronicle, const trace::RunLabels& labels);

} // namespace lockscope::exports
