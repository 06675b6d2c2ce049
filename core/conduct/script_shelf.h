#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/store/command.h"

#include <cstddef>
#include <mutex>
#include <set>
#include <vector>

namespace lockscope::conduct {

/// The scripts that the clients of a search have sent so far, of all its servers together. Each run
/// begins with all of them: otherwise the same schedule would meet other messages on a server to
/// which its clients have not sent a script yet, or which an earlier run made forget them. Used by
/// any thread.
class ScriptShelf {
public:
    /// Together, in bytes. Further scripts are not kept: their runs differ from each other, as said
    /// above.
    static constexpr std::size_t kSizeMax = std::size_t{16} << 20U;

    /// Keeps what EVAL and SCRIPT LOAD say, and nothing of other commands.
    void keep(const store::Command& command);
    /// In the order in which they came, without the first `count`.
    std::vector<Bytes> scriptsFrom(std::size_t count) const;

private:
    mutable std::mutex m_mutex;
    std::vector<Bytes> m_scripts;
    std::set<Bytes> m_known;
    std::size_t m_size = 0;
};

} // namespace lockscope::conduct
