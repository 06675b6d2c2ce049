#include "core/conduct/key_watch.h"

#include "core/kernel/sim/sim_database.h"

#include <algorithm>

namespace lockscope::conduct {

namespace {

/// What is there never ends: a counter of fencing numbers, which is kept beside the lock, or a lock
/// without a lease.
bool hasOnlyWhatStays(const LockEffect& keys)
{
    return keys.isThere && keys.latestExpiryMs == 0;
}

} // namespace

int KeyWatch::lockNamedIn(const store::Command& command) const
{
    for (const Bytes& word : command.words) {
        for (std::size_t lock = 0; lock < lockCount(); ++lock) {
            if (isOf(lock, word)) {
                return static_cast<int>(lock);
            }
        }
    }
    return -1;
}

KeyWatch::Look KeyWatch::look(sim::ServerTime now) const
{
    Look all;
    for (int server = 0; server < m_server->serverCount(); ++server) {
        LockKeys& locks = all.emplace_back(lockCount());
        for (std::size_t lock = 0; lock < locks.size(); ++lock) {
            locks[lock].lock = static_cast<int>(lock);
        }
        for (const Backend::Key& key : m_server->keys(server, now)) {
            for (std::size_t lock = 0; lock < locks.size(); ++lock) {
                if (!isOf(lock, key.name)) {
                    continue;
                }
                LockEffect& keys = locks[lock];
                keys.isThere = true;
                keys.isPermanent = keys.isPermanent || !key.expiresAtMs;
                const std::int64_t end = key.expiresAtMs.value_or(m_beginMs) - m_beginMs;
                keys.latestExpiryMs = std::max(keys.latestExpiryMs, end);
            }
        }
    }
    return all;
}

std::vector<LockEffect> KeyWatch::changesAt(int server, const Look& before,
                                            sim::ServerTime now) const
{
    const Look current = look(now);
    const LockKeys& old = before[static_cast<std::size_t>(server)];
    std::vector<LockEffect> effects = current[static_cast<std::size_t>(server)];
    for (std::size_t lock = 0; lock < effects.size(); ++lock) {
        LockEffect& effect = effects[lock];
        const LockEffect& former = old[lock];
        const bool isLonger = effect.latestExpiryMs > former.latestExpiryMs;
        effect.isMade = effect.isThere && !former.isThere;
        effect.isGone = !effect.isThere && former.isThere;
        if (effect.isThere && former.isThere) {
            effect.isMade = isLonger && hasOnlyWhatStays(former);
            effect.isGone = !hasOnlyWhatStays(former) && hasOnlyWhatStays(effect);
            effect.isProlonged = isLonger && !effect.isMade;
        }
        for (const LockKeys& elsewhere : current) {
            const LockEffect& other = elsewhere[lock];
            effect.isThere = effect.isThere || other.isThere;
            effect.isPermanent = effect.isPermanent || other.isPermanent;
            effect.latestExpiryMs = std::max(effect.latestExpiryMs, other.latestExpiryMs);
        }
    }
    return effects;
}

} // namespace lockscope::conduct
