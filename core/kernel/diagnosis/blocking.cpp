#include "core/kernel/diagnosis/blocking.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/watch/wait_rings.h"
#include "core/kernel/report/held_wording.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace lockscope::diagnosis {

using inspect::LockPtr;
using inspect::LockRecord;
using inspect::Waiter;
using report::Json;

namespace {

bool hasNamedWaiters(const LockRecord& lock)
{
    return lock.queue() && !lock.queue()->empty();
}

/// An owner on its server: the same token elsewhere is somebody else.
using OwnerKey = std::pair<std::uint16_t, Bytes>;

/// The locks that somebody waits for by name, by those who hold them and by those who wait.
class Graph {
public:
    Graph(std::span<const LockPtr> locks, Instant now) : m_now(now)
    {
        for (const LockPtr& lock : locks) {
            if (!hasNamedWaiters(*lock)) {
                continue;
            }
            m_locks.push_back(lock);
            for (const inspect::Holder& holder : lock->holders) {
                m_heldBy[{lock->id.server, holder.owner}].push_back(lock);
            }
            for (const Waiter& waiter : *lock->queue()) {
                m_waiting.insert({lock->id.server, waiter.owner});
            }
        }
    }

    std::vector<BlockingLock> roots()
    {
        std::vector<BlockingLock> roots;
        for (const LockPtr& lock : m_locks) {
            if (!isHolderWaiting(*lock)) {
                roots.push_back(treeOf(lock));
            }
        }
        std::ranges::sort(roots, std::greater(), &BlockingLock::waited);
        return roots;
    }

private:
    bool isHolderWaiting(const LockRecord& lock) const
    {
        return std::ranges::any_of(lock.holders, [&](const inspect::Holder& holder) {
            return m_waiting.contains({lock.id.server, holder.owner});
        });
    }

    const std::vector<LockPtr>& heldBy(std::uint16_t server, const Bytes& owner) const
    {
        static const std::vector<LockPtr> kNone;
        const auto entry = m_heldBy.find({server, owner});
        return entry != m_heldBy.end() ? entry->second : kNone;
    }

    BlockingLock treeOf(const LockPtr& lock)
    {
        m_reached.insert(lock.get());
        BlockingLock node{lock, {}, 0, Duration(0), false};
        for (const Waiter& waiter : *lock->queue()) {
            BlockedOwner blocked{waiter.owner, m_now - waiter.since, !waiter.isNew, {}};
            ++node.waiterCount;
            node.waited += blocked.waited;
            node.hasWaitedLonger = node.hasWaitedLonger || blocked.hasWaitedLonger;
            for (const LockPtr& held : heldBy(lock->id.server, waiter.owner)) {
                if (!m_reached.contains(held.get())) {
                    blocked.holds.push_back(treeOf(held));
                    node.waiterCount += blocked.holds.back().waiterCount;
                    node.waited += blocked.holds.back().waited;
                    node.hasWaitedLonger = node.hasWaitedLonger
                                           || blocked.holds.back().hasWaitedLonger;
                }
            }
            node.waiters.push_back(std::move(blocked));
        }
        return node;
    }

    Instant m_now;
    std::vector<LockPtr> m_locks;
    std::map<OwnerKey, std::vector<LockPtr>> m_heldBy;
    std::set<OwnerKey> m_waiting;
    std::set<const LockRecord*> m_reached;
};

std::string ownerText(const inspect::Holder& holder)
{
    std::string text = holder.owner.empty() ? KernelText::tr("an unnamed owner")
                                            : escaped(holder.owner);
    if (holder.client()) {
        text += " (" + escaped(holder.client()->address)
                + (holder.client()->name.empty() ? "" : ' ' + escaped(holder.client()->name)) + ')';
    }
    return text;
}

std::string holdersText(const LockRecord& lock)
{
    std::string text;
    for (const inspect::Holder& holder : lock.holders) {
        text += (text.empty() ? "" : ", ") + ownerText(holder);
    }
    return text;
}

/// Of a waiter, or of all behind a lock.
template<class Waiting>
std::string waitedText(const Waiting& waiting)
{
    return (waiting.hasWaitedLonger ? "≥ " : "") + durationText(waiting.waited);
}

class ForestWriter {
public:
    explicit ForestWriter(Instant now) : m_now(now) {}

    void write(const BlockingLock& node, std::size_t depth)
    {
        const LockRecord& lock = *node.lock;
        const std::string age = report::ageText(m_now - lock.firstSeen);
        add(depth, KernelText::tr("%1: held by %2 for %3; %4 wait behind it, %5 together",
                                  escaped(lock.id.name), holdersText(lock),
                                  (lock.isTakenWhileWatching ? "" : "≥ ") + age, node.waiterCount,
                                  waitedText(node)));
        for (const BlockedOwner& waiter : node.waiters) {
            const std::string waited = waitedText(waiter);
            add(depth + 1,
                waiter.holds.empty()
                    ? KernelText::tr("%1 waits for %2", escaped(waiter.owner), waited)
                    : KernelText::tr("%1 waits for %2, and holds", escaped(waiter.owner), waited));
            for (const BlockingLock& held : waiter.holds) {
                write(held, depth + 2);
            }
        }
    }

    void add(std::size_t depth, const std::string& line)
    {
        text += std::string(depth * 2, ' ') + line + '\n';
    }

    std::string text;

private:
    Instant m_now;
};

Json nodeJson(const BlockingLock& node)
{
    Json waiters = Json::array();
    for (const BlockedOwner& waiter : node.waiters) {
        Json holds = Json::array();
        for (const BlockingLock& held : waiter.holds) {
            holds.push_back(nodeJson(held));
        }
        waiters.push_back(Json{{"owner", escaped(waiter.owner)},
                               {"waitedMs", toMs(waiter.waited)},
                               {"atLeast", waiter.hasWaitedLonger},
                               {"holds", std::move(holds)}});
    }
    Json owners = Json::array();
    for (const inspect::Holder& holder : node.lock->holders) {
        owners.push_back(escaped(holder.owner));
    }
    return Json{{"key", escaped(node.lock->id.name)}, {"owners", std::move(owners)},
                {"waiterCount", node.waiterCount},    {"waitedMs", toMs(node.waited)},
                {"atLeast", node.hasWaitedLonger},    {"waiters", std::move(waiters)}};
}

std::vector<std::string> namesOf(const std::vector<LockPtr>& ring)
{
    std::vector<std::string> names;
    names.reserve(ring.size());
    for (const LockPtr& lock : ring) {
        names.push_back(escaped(lock->id.name));
    }
    return names;
}

} // namespace

BlockingForest blockingForestOf(std::span<const LockPtr> locks, Instant now)
{
    Graph graph(locks, now);
    BlockingForest forest;
    forest.roots = graph.roots();
    forest.deadlocks = inspect::waitRings(locks);
    forest.uncountedLocks =
        static_cast<std::size_t>(std::ranges::count_if(locks, [](const LockPtr& lock) {
            return lock->waiters.value_or(0) > 0 && !hasNamedWaiters(*lock);
        }));
    return forest;
}

std::string forestRemark(const BlockingForest& forest)
{
    std::string remark = forest.isEmpty()
                             ? KernelText::tr("Nobody is known by name to wait for a lock.")
                             : std::string();
    if (forest.uncountedLocks > 0) {
        remark += (remark.empty() ? "" : "\n")
                  + KernelText::tr("Locks with waiters whose names no server knows: %1.",
                                   forest.uncountedLocks);
    }
    return remark;
}

std::string forestText(const BlockingForest& forest, Instant now)
{
    ForestWriter writer(now);
    for (const std::vector<LockPtr>& ring : forest.deadlocks) {
        writer.add(0, KernelText::tr("Deadlock: each holder waits for the next lock."));
        for (const LockPtr& lock : ring) {
            writer.add(1, KernelText::tr("%1: held by %2", escaped(lock->id.name),
                                         holdersText(*lock)));
        }
    }
    for (const BlockingLock& root : forest.roots) {
        writer.write(root, 0);
    }
    if (const std::string remark = forestRemark(forest); !remark.empty()) {
        writer.add(0, remark);
    }
    return writer.text;
}

Json forestJson(const BlockingForest& forest)
{
    Json roots = Json::array();
    for (const BlockingLock& root : forest.roots) {
        roots.push_back(nodeJson(root));
    }
    Json deadlocks = Json::array();
    for (const std::vector<LockPtr>& ring : forest.deadlocks) {
        deadlocks.push_back(namesOf(ring));
    }
    return Json{{"roots", std::move(roots)},
                {"deadlocks", std::move(deadlocks)},
                {"locksWithUnnamedWaiters", forest.uncountedLocks}};
}

} // namespace lockscope::diagnosis
