#include "core/kernel/exports/span_words.h"

namespace lockscope::exports {

std::string_view wordOf(trace::Span::Kind kind)
{
    switch (kind) {
    case trace::Span::Kind::Waiting: return "waiting";
    case trace::Span::Kind::Holding: return "holding";
    case trace::Span::Kind::Paused: return "paused";
    case trace::Span::Kind::Down: return "down";
    }
    return {};
}

} // namespace lockscope::exports
