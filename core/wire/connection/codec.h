#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::wire {

/// Appends the command in the form in which it goes to the server (an array of bulk strings).
void appendEncoded(std::string& out, const store::Command& command);

/// Cuts a stream of bytes into RESP2 replies. Works with any cut: bytes are fed as they come. After
/// an error the stream has lost its frame; nothing more comes out.
///
/// Takes no more memory than store::limits allow, whatever the server announces or sends: nothing
/// is allocated before its bytes are there, long strings in arrays are read past
/// (store::Oversized), and what remains too much is an error.
class ReplyReader {
public:
    void feed(std::string_view bytes);

    /// The next complete reply, or nullopt when more bytes are needed or the stream is broken.
    std::optional<store::Reply> next();

    /// What the reply that next() gave last takes in memory, about.
    std::size_t lastReplyBytes() const { return m_lastReplyBytes; }

    /// What is wrong with the stream; empty while nothing is.
    const std::string& error() const { return m_error; }
    /// Nothing is wrong with the stream but that it is too much: error() names the limit.
    bool isOverLimit() const { return m_isOverLimit; }

private:
    struct OpenArray {
        std::size_t count = 0;
        store::Reply::Array items; // those that are complete
    };
    struct OpenString {
        std::uint64_t size = 0;
        std::uint64_t missing = 0;
        std::size_t keptMax = 0;
        Bytes bytes; // the first of them, at most keptMax
    };

    // True when they got on, false when they need more bytes or the stream broke.
    bool takeLine();
    bool takeHeader(char type, std::string_view digits);
    bool takeString();

    bool openString(std::int64_t size);
    bool openArray(std::int64_t count);
    bool finish(store::Reply&& item, std::size_t byteCount);
    void closeFullArrays();
    bool fail(std::string error);
    bool failByLimit(std::string error);

    std::string_view unread() const { return std::string_view(m_input).substr(m_readCount); }

    std::string m_input;
    std::size_t m_readCount = 0;     // of m_input
    std::vector<OpenArray> m_arrays; // the outermost first
    std::optional<OpenString> m_string;
    std::optional<store::Reply> m_finished; // complete, and no part of an array
    std::size_t m_replyBytes = 0;           // of the reply under construction
    std::size_t m_lastReplyBytes = 0;
    std::string m_error;
    bool m_isOverLimit = false;
};

} // namespace lockscope::wire
