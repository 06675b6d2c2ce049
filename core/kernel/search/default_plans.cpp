#include "core/kernel/search/default_plans.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lockscope::search {

using namespace std::chrono_literals;
using protocol::Mode;
using protocol::ProtocolInfo;
using protocol::ServerFeature;
using world::Act;
using world::ClientPlan;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;

namespace {

constexpr Duration kLease = 10s;
constexpr Duration kWork = 4s;
constexpr Duration kLongerWork = 6s;   // so that one is done while the other works
constexpr Duration kBehindLease = 12s; // a lease is over then, and a pause is not
constexpr Duration kBeyondLease = 16s; // longer than a lease, by more than a pause of the retries
constexpr Duration kBeyondLoss = 24s;  // longer than a pause, by more than a round of another
// A lease that begins between two full seconds also ends between two: a protocol that counts in
// full seconds ends it too early.
constexpr Duration kPartOfSecond = 700ms;
constexpr Duration kJustInLease = 9800ms;
constexpr Duration kJustBeforeEnd = 10200ms;
constexpr int kNodeCount = 3;      // of protocols that need a majority
constexpr int kFaultsTogether = 3; // of all kinds in one run

bool needs(const ProtocolInfo& info, ServerFeature feature)
{
    return std::ranges::any_of(info.needs,
                               [feature](const auto& need) { return need.feature == feature; });
}

/// With the renewals that the protocol has by default, in the proportion to the lease that it has
/// them.
protocol::Renewal renewalFor(const ProtocolInfo& info)
{
    protocol::Renewal renewal = info.defaults.renewalFor(kLease);
    if (renewal.isOn()) {
        const Duration period = std::max(renewal.period, Duration(1s));
        renewal.period = std::chrono::floor<std::chrono::seconds>(period);
    }
    return renewal;
}

/// Acquires, works, releases.
std::vector<Act> round(Duration work, Act acquire)
{
    return {acquire, Act::work(work), Act::release(acquire.key)};
}

std::vector<Act> round(Duration work = kWork)
{
    return round(work, Act::acquire(kLease));
}

ClientPlan client(Duration startAt, std::vector<Act> acts)
{
    ClientPlan plan;
    plan.startAt = startAt;
    plan.acts = std::move(acts);
    return plan;
}

std::vector<Act> repeated(const std::vector<Act>& acts, int count)
{
    std::vector<Act> all;
    for (int i = 0; i < count; ++i) {
        all.insert(all.end(), acts.begin(), acts.end());
    }
    return all;
}

/// Collects the shapes that make sense for one protocol and one fault.
class Shapes {
public:
    Shapes(const ProtocolInfo& info, FaultKind fault) : m_info(info), m_fault(fault)
    {
        m_base.renewal = renewalFor(info);
        m_base.nodeCount = needs(info, ServerFeature::SeveralMasters) ? kNodeCount : 1;
        m_base.permits = info.hasPermits ? 2 : 1;
        if (m_base.nodeCount > 1) {
            m_base.triesMax = 3; // every try asks several servers: runs get long
        } else if (needs(info, ServerFeature::PubSub) || needs(info, ServerFeature::BlockingPop)) {
            // Waiters that are woken try as often as they are, within the time that others poll.
            m_base.waitMax = m_base.retryPause * m_base.triesMax;
            m_base.triesMax = 1'000'000;
        }
    }

    std::vector<WorldPlan> all()
    {
        if (m_info.hasModes) {
            addReadersAndWriters();
        } else {
            addExclusive();
        }
        if (m_info.isReentrant && !m_info.hasModes) {
            addNested();
        }
        if (m_base.nodeCount > 1) {
            addOutOfReach();
        }
        return std::move(m_plans);
    }

    std::vector<WorldPlan> misusing(FaultKind misuse)
    {
        if (misuse == FaultKind::SharedIdentity) {
            addTwins();
        } else if (misuse == FaultKind::HandedOver) {
            addHandedOver();
        } else {
            addMixedLeases();
        }
        return std::move(m_plans);
    }

private:
    /// For plans that find mistakes in the order of steps: a fault adds nothing to them.
    bool isWithoutFault() const { return m_fault == FaultKind::Interleaving; }

    WorldPlan& add(std::string name, std::vector<ClientPlan> clients)
    {
        WorldPlan plan = m_base;
        plan.name = std::move(name);
        plan.clients = std::move(clients);
        m_plans.push_back(std::move(plan));
        return m_plans.back();
    }

    void addExclusive()
    {
        if (m_info.hasPermits) {
            add(QT_TRANSLATE_NOOP("KernelText", "three for two permits"),
                {client(0s, round()), client(0s, round()), client(0s, round())});
            add(QT_TRANSLATE_NOOP("KernelText", "a third behind the lease"),
                {client(0s, round()), client(0s, round(kBehindLease)),
                 client(kBehindLease, round())});
            add(QT_TRANSLATE_NOOP("KernelText", "two more behind the lease"),
                {client(0s, round()), client(kBehindLease, round()),
                 client(kBehindLease, round())});
            add(QT_TRANSLATE_NOOP("KernelText", "a third while two work beyond the lease"),
                {client(0s, round(kBeyondLease)), client(0s, round(kBeyondLease)),
                 client(8s, round())});
            if (isWithoutFault()) {
                addLatePermits();
            }
        }
        add(QT_TRANSLATE_NOOP("KernelText", "two at once"),
            {client(0s, round()), client(0s, round(kLongerWork))});
        add(QT_TRANSLATE_NOOP("KernelText", "one behind the other's lease"),
            {client(0s, round()), client(kBehindLease, round())});
        if (m_base.nodeCount == 1) {
            add(QT_TRANSLATE_NOOP("KernelText", "three in turn"),
                {client(0s, round()), client(kBehindLease, round()),
                 client(kBehindLease + kWork - 500ms, round())});
            add(QT_TRANSLATE_NOOP("KernelText", "two behind a third's lease"),
                {client(0s, round()), client(kBehindLease, round()),
                 client(kBehindLease, round(kLongerWork))});
        }
        addTwoRounds(Act::acquire(kLease));
        if (isWithoutFault()) {
            add(QT_TRANSLATE_NOOP("KernelText", "just before the end of a lease"),
                {client(kPartOfSecond, round(kJustInLease, Act::acquire(kLease).unrenewed())),
                 client(kJustBeforeEnd, round())});
            add(QT_TRANSLATE_NOOP("KernelText", "again and again"),
                {client(0s, repeated(round(1s), 6)), client(500ms, round(1s))});
        }
        if (isWithoutFault() && m_base.waitMax > Duration(0)) {
            addWaiters();
        }
        add(QT_TRANSLATE_NOOP("KernelText", "work beyond the lease"),
            {client(0s, round(kBeyondLease)), client(kBehindLease, round())});
        if (m_base.renewal.isOn() && (isWithoutFault() || m_fault == FaultKind::Pause)) {
            // A holder that overlooked its loss is still working when the third client comes.
            add(QT_TRANSLATE_NOOP("KernelText", "work beyond a loss"),
                {client(0s, round(kBeyondLoss)), client(kBehindLease, round()),
                 client(kBehindLease + kWork + 1s, round())});
        }
    }

    /// Waiters that are woken may be woken in the wrong order, or be gone when it is their turn.
    void addWaiters()
    {
        add(QT_TRANSLATE_NOOP("KernelText", "three at once"),
            {client(0s, round()), client(0s, round(1s)), client(0s, round(1s))});
        // The holder leaves in the instant in which the other one gives up, and tries once more.
        std::vector<Act> impatient = round(1s);
        impatient.push_back(Act::sleep(1s));
        const std::vector<Act> again = round(1s);
        impatient.insert(impatient.end(), again.begin(), again.end());
        const Act longAcquire = Act::acquire(m_base.waitMax + kLease).unrenewed();
        add(QT_TRANSLATE_NOOP("KernelText", "a waiter that gives up"),
            {client(0s, round(m_base.waitMax, longAcquire)), client(0s, std::move(impatient)),
             client(2s, round(1s))});
    }

    /// Plans in which permits expire one by one, those of a dead client among them.
    void addLatePermits()
    {
        const std::vector<Act> unrenewed = round(kJustInLease, Act::acquire(kLease).unrenewed());
        add(QT_TRANSLATE_NOOP("KernelText", "a third just before the end of two leases"),
            {client(kPartOfSecond, unrenewed), client(kPartOfSecond, unrenewed),
             client(kJustBeforeEnd, round(1s))});
        ClientPlan dying = client(0s, round());
        dying.diesHolding = true;
        add(QT_TRANSLATE_NOOP("KernelText", "three after a dead holder"),
            {std::move(dying), client(kLease - 1s, round()), client(kLease + 500ms, round(1s)),
             client(kLease + 500ms, round(1s))});
    }

    void addTwoRounds(const Act& acquire)
    {
        std::vector<Act> twice = round(kWork, acquire);
        twice.push_back(Act::sleep(8s));
        const std::vector<Act> second = round(kWork, acquire);
        twice.insert(twice.end(), second.begin(), second.end());
        add(QT_TRANSLATE_NOOP("KernelText", "two rounds"),
            {client(0s, std::move(twice)), client(15s, round(kWork, acquire))});
    }

    /// A re-entrant lock counts. What goes wrong with the count shows only when a hold is left
    /// while another one of the same client goes on.
    void addNested()
    {
        add(QT_TRANSLATE_NOOP("KernelText", "nested"),
            {client(0s, {Act::acquire(kLease), Act::acquire(kLease), Act::work(1s), Act::release(),
                         Act::work(kWork), Act::release()}),
             client(2s, round())});
        if (m_base.renewal.isOn()) {
            add(QT_TRANSLATE_NOOP("KernelText", "nested beyond a renewal"),
                {client(0s, {Act::acquire(kLease), Act::acquire(kLease),
                             Act::work(m_base.renewal.period + 1s), Act::release(),
                             Act::work(kWork), Act::release()}),
                 client(2s, round())});
        }
        std::vector<Act> acts{Act::acquire(kLease, 0), Act::acquire(kLease, 1), Act::work(1s),
                              Act::release(0),         Act::work(kBeyondLease), Act::release(1)};
        add(QT_TRANSLATE_NOOP("KernelText", "two locks"),
            {client(0s, std::move(acts)),
             client(kBehindLease, round(kWork, Act::acquire(kLease, 1)))});
    }

    Act usualAcquire() const { return m_info.hasModes ? write() : Act::acquire(kLease); }

    void addTwins()
    {
        ClientPlan twin = client(0s, round(kWork, usualAcquire()));
        twin.sharesIdentityWith = 0;
        add(QT_TRANSLATE_NOOP("KernelText", "two tasks with one identity"),
            {client(0s, round(kWork, usualAcquire())), std::move(twin)});
    }

    /// Shorter than a renewal period: the next renewal comes too late.
    void addMixedLeases()
    {
        Act inner = usualAcquire().unrenewed();
        inner.span = 2s;
        add(QT_TRANSLATE_NOOP("KernelText", "nested with a shorter lease"),
            {client(0s, {usualAcquire(), inner, Act::work(kWork), Act::release(), Act::release()}),
             client(2500ms, round(kWork, usualAcquire()))});
    }

    void addHandedOver()
    {
        add(QT_TRANSLATE_NOOP("KernelText", "released by another task"),
            {client(0s, {usualAcquire(), Act::work(kWork), Act::release().fromAnotherTask()}),
             client(2s, round(kWork, usualAcquire()))});
    }

    /// A majority that is no more than one: then every further loss of a server matters, which with
    /// all servers in reach takes two faults.
    void addOutOfReach()
    {
        // The first client holds the lock by the fewest servers that will do.
        add(QT_TRANSLATE_NOOP("KernelText", "a server out of reach"),
            {client(0s, round()), client(0s, round())})
            .unreachable = {{0, kNodeCount - 1}};
        add(QT_TRANSLATE_NOOP("KernelText", "a server out of reach, one behind the other"),
            {client(0s, round()), client(1s, round())})
            .unreachable = {{0, kNodeCount - 1}};
        add(QT_TRANSLATE_NOOP("KernelText", "a server out of reach, three in turn"),
            {client(0s, round()), client(kBehindLease, round()),
             client(kBehindLease + 1s, round())})
            .unreachable = {{0, kNodeCount - 1}};
    }

    static Act read(Duration lease = kLease) { return Act::acquire(lease).as(Mode::Read); }
    static Act write(Duration lease = kLease) { return Act::acquire(lease).as(Mode::Write); }

    void addReadersAndWriters()
    {
        add(QT_TRANSLATE_NOOP("KernelText", "two writers"),
            {client(0s, round(kWork, write())), client(0s, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "a writer behind the other's lease"),
            {client(0s, round(kWork, write())), client(kBehindLease, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "a reader and a writer"),
            {client(0s, round(kWork, read())), client(0s, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "a writer behind a reader's lease"),
            {client(0s, round(kWork, read())), client(kBehindLease, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "two readers and a writer"),
            {client(0s, round(6s, read())), client(1s, round(1s, read())),
             client(3s, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "readers with different leases"),
            {client(0s, round(8s, read())), client(1s, round(1s, read(2s))),
             client(kWork, round(kWork, write()))});
        if (isWithoutFault() || m_fault == FaultKind::Crash) {
            add(QT_TRANSLATE_NOOP("KernelText", "a reader renews a shorter lease"),
                {client(0s, round(9s, read().unrenewed())), client(1s, round(kWork, read(kWork))),
                 client(8500ms, round(kWork, write()))});
        }
        add(QT_TRANSLATE_NOOP("KernelText", "a reader behind the other's lease, and a writer"),
            {client(0s, round(kWork, read())), client(kBehindLease, round(kWork, read())),
             client(15500ms, round(kWork, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "three writers in turn"),
            {client(0s, round(kWork, write())), client(kBehindLease, round(kWork, write())),
             client(15500ms, round(kWork, write()))});
        addTwoRounds(write());
        // Some locks of this kind believe in a read for no longer than a second.
        add(QT_TRANSLATE_NOOP("KernelText", "readers within a second"),
            {client(0s, round(900ms, read())), client(100ms, round(100ms, read())),
             client(300ms, round(1s, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "readers a second apart"),
            {client(900ms, round(900ms, read())), client(2s, round(900ms, read())),
             client(2100ms, round(1s, write()))});
        add(QT_TRANSLATE_NOOP("KernelText", "writers within a second"),
            {client(0s, round(2s, write())), client(100ms, round(1s, write()))});
        if (isWithoutFault()) {
            std::vector<Act> reading = round(2s, read());
            reading.push_back(Act::sleep(1s));
            add(QT_TRANSLATE_NOOP("KernelText", "a relay of readers"),
                {client(0s, repeated(reading, 4)), client(1500ms, repeated(reading, 4)),
                 client(1s, round(1s, write()))});
        }
        if (m_info.isReentrant) {
            addNestedWriters();
        }
    }

    void addNestedWriters()
    {
        add(QT_TRANSLATE_NOOP("KernelText", "nested writes"),
            {client(0s, {write(), write(), Act::work(1s), Act::release(), Act::work(kWork),
                         Act::release()}),
             client(2s, round(kWork, write()))});
    }

    const ProtocolInfo& m_info;
    FaultKind m_fault;
    WorldPlan m_base;
    std::vector<WorldPlan> m_plans;
};

} // namespace

bool isApplicable(FaultKind fault, const ProtocolInfo& info)
{
    const auto concerns = infoOf(fault).concerns;
    return concerns == nullptr || concerns(info);
}

std::vector<WorldPlan> defaultShapes(const ProtocolInfo& info)
{
    return Shapes(info, FaultKind::Interleaving).all();
}

namespace {

/// A client that keeps its identity from round to round is hurt by a late release of the round
/// before; some such releases take an acquisition that is late as well.
void addTwoLateMessages(std::vector<WorldPlan>& plans, FaultKind fault)
{
    const auto twoRounds = std::ranges::find(plans, "two rounds", &WorldPlan::name);
    if (twoRounds != plans.end()) {
        WorldPlan plan = *twoRounds;
        plan.name = QT_TRANSLATE_NOOP("KernelText", "two rounds, two late messages");
        plan.faults = FaultPlan::only(fault, kLease, 2);
        plans.push_back(std::move(plan));
    }
}

} // namespace

std::vector<WorldPlan> defaultPlans(const ProtocolInfo& info, FaultKind fault)
{
    if (isMisuse(fault)) {
        return isApplicable(fault, info) ? Shapes(info, fault).misusing(fault)
                                         : std::vector<WorldPlan>();
    }
    std::vector<WorldPlan> plans = Shapes(info, fault).all();
    if (fault == FaultKind::Interleaving) {
        return plans;
    }
    for (WorldPlan& plan : plans) {
        plan.faults = FaultPlan::only(fault, kLease);
    }
    if (fault == FaultKind::MessageDelay && !needs(info, ServerFeature::SeveralMasters)) {
        addTwoLateMessages(plans, fault);
    }
    return plans;
}

std::vector<WorldPlan> withClients(std::vector<WorldPlan> plans, int clientCount)
{
    if (clientCount == 0) {
        return plans;
    }
    const auto count = static_cast<std::size_t>(clientCount);
    std::erase_if(plans, [count](const WorldPlan& plan) { return plan.clients.size() > count; });
    for (WorldPlan& plan : plans) {
        const world::ClientPlan last = plan.clients.back();
        plan.clients.resize(count, last);
    }
    return plans;
}

std::vector<WorldPlan> plansFor(const ProtocolInfo& info, FaultKind fault, int clientCount)
{
    return isApplicable(fault, info) ? withClients(defaultPlans(info, fault), clientCount)
                                     : std::vector<WorldPlan>();
}

FaultPlan faultsTogether(const ProtocolInfo& info, std::span<const FaultKind> faults,
                         Duration lease)
{
    FaultPlan plan;
    plan.totalMax = 0;
    for (const FaultKind fault : faults) {
        if (fault != FaultKind::Interleaving && !isMisuse(fault) && isApplicable(fault, info)) {
            plan.add(fault, lease);
        }
    }
    plan.totalMax = std::min(plan.totalMax, kFaultsTogether);
    return plan;
}

} // namespace lockscope::search
