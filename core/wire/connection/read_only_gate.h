#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lockscope::wire {

/// True for commands that are known to change no data: the only ones that a read-only connection
/// sends. An explicit list, because an unknown command must be refused. EVAL is not
/// on it.
bool isReadCommand(const store::Command& command);

/// Which commands a read-only connection sends: those on our own list, as far as the server itself
/// flags them as reading: what it calls a write is not sent, whatever its name. (A command that it
/// does not know it refuses itself.) Until the server has told its flags, and where it does not,
/// since asking may be forbidden, our list counts alone.
class ReadOnlyGate {
public:
    /// COMMAND INFO of all commands on our list that look at data.
    static store::Command question();

    /// Takes the answer to the question. False: it tells no flags.
    bool takeFlags(const store::Outcome& answer);
    void forgetFlags() { m_writing.reset(); }
    bool knowsFlags() const { return m_writing.has_value(); }

    bool passes(const store::Command& command) const;

private:
    using Names = std::set<std::string, std::less<>>;
    std::optional<Names> m_writing; // in capitals, "MEMORY USAGE"
};

} // namespace lockscope::wire
