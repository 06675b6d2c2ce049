#include "core/kernel/inspect/watch/wait_rings.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

namespace lockscope::inspect {

namespace {

std::span<const Waiter> waitersOf(const LockRecord& lock)
{
    return lock.queue() ? std::span(*lock.queue()) : std::span<const Waiter>();
}

class Search {
public:
    Search(std::span<const LockPtr> locks, Instant waitingSince) : m_locks(locks)
    {
        std::map<std::pair<std::uint16_t, std::string_view>, std::vector<std::size_t>> waitedFor;
        for (std::size_t i = 0; i < locks.size(); ++i) {
            for (const Waiter& waiter : waitersOf(*locks[i])) {
                if (!waiter.isNew || waiter.since <= waitingSince) {
                    waitedFor[{locks[i]->id.server, waiter.owner}].push_back(i);
                }
            }
        }
        m_nodes.resize(locks.size());
        for (std::size_t i = 0; i < locks.size(); ++i) {
            for (const Holder& holder : locks[i]->holders) {
                const auto found = waitedFor.find({locks[i]->id.server, holder.owner});
                if (!holder.owner.empty() && found != waitedFor.end()) {
                    std::ranges::copy(found->second, std::back_inserter(m_nodes[i].next));
                }
            }
        }
    }

    std::vector<std::vector<LockPtr>> run()
    {
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (m_nodes[i].state == State::New) {
                follow(i);
            }
        }
        return std::move(m_rings);
    }

private:
    enum class State : std::uint8_t { New, OnPath, Done };
    struct Node {
        std::vector<std::size_t> next; // locks that its holders wait for
        std::size_t followed = 0;      // of these
        State state = State::New;
        bool isInRing = false;
    };

    /// Depth first, without recursion: a chain of waits may be long.
    void follow(std::size_t begin)
    {
        std::vector<std::size_t> path{begin};
        m_nodes[begin].state = State::OnPath;
        while (!path.empty()) {
            Node& node = m_nodes[path.back()];
            if (node.followed == node.next.size()) {
                node.state = State::Done;
                path.pop_back();
                continue;
            }
            const std::size_t next = node.next[node.followed++];
            if (m_nodes[next].state == State::OnPath) {
                addRing(std::ranges::find(path, next), path.end());
            } else if (m_nodes[next].state == State::New) {
                m_nodes[next].state = State::OnPath;
                path.push_back(next);
            }
        }
    }

    void addRing(std::vector<std::size_t>::const_iterator first,
                 std::vector<std::size_t>::const_iterator last)
    {
        if (std::any_of(first, last, [this](std::size_t i) { return m_nodes[i].isInRing; })) {
            return;
        }
        std::vector<LockPtr>& ring = m_rings.emplace_back();
        for (; first != last; ++first) {
            m_nodes[*first].isInRing = true;
            ring.push_back(m_locks[*first]);
        }
    }

    std::span<const LockPtr> m_locks;
    std::vector<Node> m_nodes; // one for each lock
    std::vector<std::vector<LockPtr>> m_rings;
};

} // namespace

std::vector<std::vector<LockPtr>> waitRings(std::span<const LockPtr> locks, Instant waitingSince)
{
    return Search(locks, waitingSince).run();
}

} // namespace lockscope::inspect
