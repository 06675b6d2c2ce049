#pragma once

#include "store/command.h"
#include "store/reply.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::wire {

/// Appends the command in the form in which it goes to the server (an array of bulk strings).
void appendEncoded(std::string& out, const store::Command& command);

/// Cuts a stream of bytes into RESP2 replies. Works with any cut: bytes are fed as they come. After
/// an error the stream has lost its frame; nothing more comes out.
class ReplyReader {
public:
    ReplyReader();
    ~ReplyReader();
    ReplyReader(ReplyReader&&) noexcept;
    ReplyReader& operator=(ReplyReader&&) noexcept;

    void feed(std::string_view bytes);

    /// The next complete reply, or nullopt when more bytes are needed or the stream is broken.
    std::optional<store::Reply> next();

    /// What is wrong with the stream; empty while nothing is.
    const std::string& error() const { return m_error; }

private:
    struct Reader;
    std::unique_ptr<Reader> m_reader;
    std::string m_error;
};

} // namespace lockscope::wire
