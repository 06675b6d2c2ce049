#include "core/kernel/world/planned_life.h"

#include "core/kernel/protocol/attempts.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace lockscope::world {

using protocol::Hold;

namespace {

/// The latest hold of the lock in a list of holds that may be constant, as a reverse iterator.
template<class Holds>
auto latestOf(int key, Holds& holds)
{
    return std::find_if(holds.rbegin(), holds.rend(),
                        [key](const auto& hold) { return hold->grant().request.lock == key; });
}

} // namespace

protocol::LockRequest PlannedLife::requestFor(const Act& act) const
{
    const WorldPlan& plan = m_setting.plan;
    protocol::LockRequest request;
    request.key = m_setting.ledger.keyOf(act.key);
    request.lock = static_cast<trace::LockId>(act.key);
    request.mode = act.mode;
    request.lease = act.span;
    request.retry.interval = plan.retryPause;
    request.retry.triesMax = plan.triesMax;
    request.waitLimit = plan.waitMax > Duration(0) ? plan.waitMax : plan.retryPause * plan.triesMax;
    request.permits = plan.permits;
    request.areWritersPreferred = plan.areWritersPreferred;
    return request;
}

/// The act behind the Release that belongs to the Acquire.
std::size_t PlannedLife::behindRelease(std::size_t acquireIndex) const
{
    const std::vector<Act>& acts = m_setting.acts.acts;
    const int key = acts[acquireIndex].key;
    int depth = 0;
    for (std::size_t i = acquireIndex; i < acts.size(); ++i) {
        if (acts[i].key != key) {
            continue;
        }
        depth += acts[i].kind == Act::Kind::Acquire ? 1 : 0;
        if (acts[i].kind == Act::Kind::Release && --depth == 0) {
            return i + 1;
        }
    }
    return acts.size();
}

/// One coroutine for the whole life, so that a crash is the end of one task: holds and everything
/// else that the program knows are in its frame.
async::Task<void> PlannedLife::run()
{
    if (m_setting.acts.startAt > Duration(0) && !m_setting.isRestarted) {
        co_await m_self.sleepUntil(m_self.now() + m_setting.acts.startAt);
    }
    Holds holds;
    m_holds = &holds;
    Holds refused; // that another task could not give back: their renewals go on
    const std::vector<Act>& acts = m_setting.acts.acts;
    for (std::size_t i = 0; i < acts.size();) {
        const Act& act = acts[i];
        std::size_t next = i + 1;
        switch (act.kind) {
        case Act::Kind::Acquire: {
            const bool isGranted = co_await acquire(act, holds);
            if (!isGranted) {
                next = behindRelease(i);
            }
            break;
        }
        case Act::Kind::Work: co_await work(act.span, holds); break;
        case Act::Kind::Release:
            if (act.byAnotherTask) {
                co_await releaseByOther(act.key, holds, refused);
            } else {
                co_await release(act.key, holds);
            }
            break;
        case Act::Kind::Sleep: co_await m_self.sleepUntil(m_self.now() + act.span); break;
        }
        // A zombie: the worker stands still, while its holds go on renewing as tasks of their own.
        if (m_isHung) {
            co_await m_never.pass();
        }
        if (m_setting.acts.diesHolding && !holds.empty()) {
            break; // what it holds stays behind
        }
        i = next;
    }
    // All tasks are done, and the program lives: it goes on renewing what nobody gave back.
    if (!refused.empty()) {
        m_isHung = true;
        co_await m_never.pass();
    }
    m_holds = nullptr;
    m_isFinished = true;
}

const protocol::Grant* PlannedLife::grantOf(int key) const
{
    if (m_holds == nullptr) {
        return nullptr;
    }
    const auto latest = latestOf(key, *m_holds);
    return latest == m_holds->rend() ? nullptr : &(*latest)->grant();
}

std::optional<PlannedLife::Waiting> PlannedLife::waitingFor() const
{
    if (m_acquiring == nullptr) {
        return std::nullopt;
    }
    return Waiting{requestFor(*m_acquiring), m_rngBefore};
}

async::Task<bool> PlannedLife::acquire(const Act& act, Holds& holds)
{
    m_acquiring = &act;
    m_rngBefore = m_self.rng();
    auto outcome = co_await protocol::acquire(m_setting.protocol, m_self, requestFor(act));
    m_acquiring = nullptr;
    if (auto* const grant = protocol::grantOf(outcome)) {
        m_setting.ledger.granted(m_setting.client, *grant, m_setting.now);
        const protocol::Renewal renewal = act.isRenewed ? m_setting.plan.renewal
                                                        : protocol::Renewal{};
        holds.push_back(std::make_unique<Hold>(m_setting.protocol, m_self, std::move(*grant),
                                               renewal));
        co_return true;
    }
    if (const auto* const uncertain = std::get_if<protocol::Uncertain>(&outcome);
        uncertain != nullptr && uncertain->possible) {
        // It may be ours: no work is done under a lock like that, but it is given back.
        co_await giveBack(*uncertain->possible);
    }
    co_return false;
}

/// Apart from acquire(), whose frame is in every image of a world: it would be half as large again.
async::Task<void> PlannedLife::giveBack(const protocol::Grant& possible)
{
    m_isReleasing = true;
    protocol::Grant grant = possible;
    co_await m_setting.protocol.release(m_self, std::move(grant));
    m_isReleasing = false;
}

async::Task<void> PlannedLife::work(Duration span, Holds& holds)
{
    if (holds.empty()) {
        co_await m_self.sleepUntil(m_self.now() + span);
        co_return;
    }
    const int lock = holds.back()->grant().request.lock;
    // The work is that of the innermost hold. It ends when the outermost is lost, inside which all
    // others were taken.
    m_setting.ledger.enteredWork(m_setting.client, lock);
    co_await holds.front()->waitUntil(m_self.now() + span);
    if (m_isHung) {
        co_await m_never.pass();
    }
    m_setting.ledger.leftWork(m_setting.client, lock, m_setting.now);
}

/// Out of the list before the release: whatever becomes of it, the client relies on the hold no
/// more. Null when there is none.
std::unique_ptr<Hold> PlannedLife::takeLast(int key, Holds& holds)
{
    const auto last = latestOf(key, holds);
    if (last == holds.rend()) {
        return nullptr;
    }
    std::unique_ptr<Hold> hold = std::move(*last);
    holds.erase(std::next(last).base());
    return hold;
}

async::Task<void> PlannedLife::release(int key, Holds& holds)
{
    const std::unique_ptr<Hold> hold = takeLast(key, holds);
    if (hold == nullptr) {
        co_return;
    }
    m_isReleasing = true;
    co_await hold->release();
    m_isReleasing = false;
}

/// Apart from release(), whose frame is in images of worlds without such acts.
async::Task<void> PlannedLife::releaseByOther(int key, Holds& holds, Holds& refused)
{
    std::unique_ptr<Hold> hold = takeLast(key, holds);
    if (hold == nullptr) {
        co_return;
    }
    m_setting.ledger.handedOver(m_setting.client, key);
    m_isReleasing = true;
    const protocol::ReleaseOutcome outcome = co_await hold->releaseBy(*m_other);
    m_isReleasing = false;
    if (std::holds_alternative<protocol::NotHeld>(outcome) && hold->renewal().isOn()) {
        refused.push_back(std::move(hold));
    }
}

} // namespace lockscope::world
