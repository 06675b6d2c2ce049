// Any stream of replies gives the same replies and the same end, however it is cut.

#include "core/wire/connection/codec.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

using namespace lockscope;

namespace {

struct Reading {
    std::vector<store::Reply> replies;
    bool isBroken = false;
};

Reading readInPieces(std::string_view stream, std::size_t pieceSize)
{
    Reading reading;
    wire::ReplyReader reader;
    for (std::size_t at = 0; at < stream.size(); at += pieceSize) {
        reader.feed(stream.substr(at, pieceSize));
        while (std::optional<store::Reply> reply = reader.next()) {
            reading.replies.push_back(std::move(*reply));
        }
    }
    reading.isBroken = !reader.error().empty();
    return reading;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view stream(reinterpret_cast<const char*>(data), size);
    const Reading whole = readInPieces(stream, size + 1);
    for (const std::size_t pieceSize : {std::size_t(1), std::size_t(7)}) {
        const Reading pieces = readInPieces(stream, pieceSize);
        if (pieces.replies != whole.replies || pieces.isBroken != whole.isBroken) {
            std::abort();
        }
    }
    return 0;
}
