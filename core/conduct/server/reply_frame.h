#pragma once

#include "core/kernel/store/reply.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace lockscope::conduct {

/// What a server sends as one piece, in RESP2 or RESP3. The requests of clients have the same form.
struct ReplyFrame {
    std::size_t size = 0; // in bytes
    bool isPush = false;  // comes without having been asked for (RESP3)
    store::Reply reply;   // what RESP3 alone knows as the nearest of RESP2: a map is an array
};

/// Enough for what a real server answers.
constexpr std::size_t kFrameSizeMax = std::size_t{1} << 30U;

/// The first of these bytes; nullopt: more are needed. Throws a std::runtime_error for what is
/// neither. Source: the specification of RESP3 (redis.io, "Redis serialization protocol").
/// Throws a FrameTooLong as soon as it is clear that the frame has more than `sizeMax` bytes.
std::optional<ReplyFrame> firstFrameIn(std::string_view bytes, std::size_t sizeMax = kFrameSizeMax);

/// A frame is longer than its reader takes. Says so as a server does: "invalid bulk length".
class FrameTooLong : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace lockscope::conduct
