#pragma once

#include "core/kernel/store/reply.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace lockscope::conduct {

/// What a server sends as one piece, in RESP2 or RESP3. The requests of clients have the same form.
struct ReplyFrame {
    std::size_t size = 0; // in bytes
    bool isPush = false;  // comes without having been asked for (RESP3)
    store::Reply reply;   // what RESP3 alone knows as the nearest of RESP2: a map is an array
};

/// The first of these bytes; nullopt: more are needed. Throws a std::runtime_error for what is
/// neither. Source: the specification of RESP3 (redis.io, "Redis serialization protocol").
std::optional<ReplyFrame> firstFrameIn(std::string_view bytes);

} // namespace lockscope::conduct
