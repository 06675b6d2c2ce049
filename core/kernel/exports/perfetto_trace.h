#pragma once

#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_labels.h"

#include <string>

namespace lockscope::exports {

/// The chronicle as a trace in the JSON format that Perfetto and chrome://tracing open. Times are
/// microseconds since the origin of the labels.
///
/// An acquisition is one nestable async event with the phases waiting and holding in it, all under
/// one id. What servers say, and where beliefs overlap, are processes of their own. Commands are
/// slices of one microsecond, because arrows need something to begin and end at.
std::string perfettoTrace(const trace::Chronicle& chronicle, const trace::RunLabels& labels);

} // namespace lockscope::exports
