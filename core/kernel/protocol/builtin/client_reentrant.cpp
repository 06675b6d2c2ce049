#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/token_steps.h"

#include <algorithm>
#include <map>
#include <utility>

// SET k token NX PX lease for the first entry of a task and compare-and-delete for the last; what
// is nested only counts in the client. Renewed by "extend, sleep one whole lease", and one switch
// turns off the renewals of all keys (lock-flaws 41, 101, 102).
namespace lockscope::protocol::builtin {

namespace {

using namespace std::chrono_literals;

constexpr Duration kLease = 30s;
constexpr int kRenewalsMax = 4;

/// What the client knows of a lock that one of its tasks holds.
struct Entry {
    int count = 1;
    Bytes token;
    std::optional<Instant> trustedUntil;
};

class HoldCounts final : public ClientMemory {
public:
    Entry* find(const Contender& self, const Bytes& key)
    {
        const auto found = m_entries.find(std::pair(self.identity().task, key));
        return found != m_entries.end() ? &found->second : nullptr;
    }
    void add(const Contender& self, const Grant& grant)
    {
        Entry& entry = m_entries[std::pair(self.identity().task, grant.request.key)];
        entry.token = grant.token;
        entry.trustedUntil = grant.trustedUntil;
    }
    /// Whether another task of the program took the lock with this grant.
    bool isOfAnother(const Contender& self, const Grant& grant) const
    {
        return std::ranges::any_of(m_entries, [&](const auto& entry) {
            const auto& [taskAndKey, hold] = entry;
            return taskAndKey.first != self.identity().task
                   && taskAndKey.second == grant.request.key && hold.token == grant.token;
        });
    }
    void remove(const Contender& self, const Bytes& key)
    {
        m_entries.erase(std::pair(self.identity().task, key));
    }

private:
    std::map<std::pair<std::uint64_t, Bytes>, Entry> m_entries; // by task and key
};

HoldCounts& countsOf(const Contender& self)
{
    return dynamic_cast<HoldCounts&>(self.memory());
}

class ClientReentrant final : public LockProtocol {
public:
    const ProtocolInfo& info() const override { return m_info; }

    async::Task<AcquireOutcome> attempt(Contender& self, LockRequest request) const override
    {
        if (Entry* const entry = countsOf(self).find(self, request.key)) {
            co_return enterAgain(*entry, request, self.now());
        }
        AcquireOutcome outcome = co_await takeWithToken(self, self.node(), std::move(request),
                                                        self.freshToken());
        if (const auto* const grant = grantOf(outcome)) {
            countsOf(self).add(self, *grant);
        }
        co_return outcome;
    }

    async::Task<RenewOutcome> renew(Contender& self, Grant grant) const override
    {
        RenewOutcome outcome = co_await renewWithToken(self, self.node(), grant);
        const auto* const renewed = std::get_if<Renewed>(&outcome);
        Entry* const entry = countsOf(self).find(self, grant.request.key);
        if (renewed != nullptr && entry != nullptr && entry->token == grant.token) {
            entry->trustedUntil = renewed->trustedUntil;
        }
        co_return outcome;
    }

    async::Task<ReleaseOutcome> release(Contender& self, Grant grant) const override
    {
        Entry* const entry = countsOf(self).find(self, grant.request.key);
        if (entry != nullptr && entry->count > 1) {
            --entry->count;
            co_return Released{entry->count};
        }
        if (countsOf(self).isOfAnother(self, grant)) {
            co_return NotHeld{true}; // the token is in the memory of the task that took the lock
        }
        countsOf(self).remove(self, grant.request.key); // before the server is asked
        co_return co_await releaseWithToken(self.node(), std::move(grant));
    }

    std::unique_ptr<ClientMemory> makeMemory() const override
    {
        return std::make_unique<HoldCounts>();
    }

private:
    const ProtocolInfo m_info = describe();

    /// Does not ask the server whether the lock is still there, and does not restart the lease.
    static Grant enterAgain(Entry& entry, LockRequest request, Instant now)
    {
        Grant grant;
        grant.request = std::move(request);
        grant.token = entry.token;
        grant.grantedAt = now;
        grant.trustedUntil = entry.trustedUntil;
        grant.holds = ++entry.count;
        return grant;
    }

    static Defaults asCirculated()
    {
        Defaults defaults;
        defaults.lease = kLease;
        defaults.retry.triesMax = 100;
        defaults.retry.countsBeforeTrying = true;
        defaults.renewal.period = kLease;
        defaults.renewal.isFirstAtOnce = true;
        defaults.renewal.countMax = kRenewalsMax;
        defaults.renewal.hurriesAfterError = false;
        defaults.renewal.tellsHolder = false;
        defaults.renewal.sharesOneSwitch = true;
        return defaults;
    }

    static ProtocolInfo describe()
    {
        ProtocolInfo info = descriptionOf("client-reentrant");
        info.needs = {{"acquire", ServerFeature::SetOptions},
                      {"renew", ServerFeature::Scripts},
                      {"release", ServerFeature::Scripts}};
        info.defaults = asCirculated();
        info.isReentrant = true;
        info.canRenew = true;
        return info;
    }
};

} // namespace

const LockProtocol& clientReentrant()
{
    static const ClientReentrant kProtocol;
    return kProtocol;
}

} // namespace lockscope::protocol::builtin
