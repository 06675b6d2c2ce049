#pragma once

#include "core/kernel/trace/chronicle.h"

#include <string_view>

namespace lockscope::exports {

/// What a contender is about: "waiting", "holding", "paused", "down".
std::string_view wordOf(trace::Span::Kind kind);

/// Whether the span is about a lock; a pause or a crash concerns all locks.
inline bool isOfLock(const trace::Span& span)
{
    return span.kind == trace::Span::Kind::Waiting || span.kind == trace::Span::Kind::Holding;
}

} // namespace lockscope::exports
