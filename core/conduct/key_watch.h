#pragma once

#include "core/conduct/resp_server.h"
#include "core/kernel/conduct/run_log.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// The keys of the locks of a run, as its servers have them. The server outlives it.
class KeyWatch {
public:
    /// By lock; whether anything was made, removed or prolonged is not known yet.
    using LockKeys = std::vector<LockEffect>;
    /// By server.
    using Look = std::vector<LockKeys>;

    KeyWatch() = default;
    /// The names that clients are given: companions and channels are named after them. None: there
    /// is one lock, and every key is one of its. `beginMs`: of the run, by the server's clock.
    KeyWatch(const RespServer& server, std::vector<std::string> names, std::int64_t beginMs)
        : m_server(&server),
          m_names(std::move(names)),
          m_beginMs(beginMs)
    {}

    /// The lock that the command names; -1: none.
    int lockNamedIn(const store::Command& command) const;
    Look look(sim::ServerTime now) const;
    /// What changed on a server since it was looked at; what there is counts on all of them. Beside
    /// what never ends, such as a counter of fencing numbers, a key that ends is made and gone.
    std::vector<LockEffect> changesAt(int server, const Look& before, sim::ServerTime now) const;

private:
    std::size_t lockCount() const { return m_names.empty() ? 1 : m_names.size(); }
    bool isOf(std::size_t lock, const Bytes& text) const
    {
        return m_names.empty() || text.find(m_names[lock]) != Bytes::npos;
    }

    const RespServer* m_server = nullptr;
    std::vector<std::string> m_names;
    std::int64_t m_beginMs = 0;
};

} // namespace lockscope::conduct
