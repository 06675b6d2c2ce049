#include "core/kernel/workload/contender_life.h"

#include "core/kernel/async/yield.h"
#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/error_reply.h"

#include <utility>

namespace lockscope::workload {

using protocol::Hold;
using protocol::Mode;
using trace::EventKind;

namespace {

/// How long to wait for something that only a bell can end.
constexpr Duration kForEver = std::chrono::days(365);

} // namespace

std::string_view idOf(Activity activity)
{
    switch (activity) {
    case Activity::Thinking: return "thinking";
    case Activity::Waiting: return "waiting";
    case Activity::Holding: return "holding";
    case Activity::Paused: return "paused";
    case Activity::Parked: return "parked";
    case Activity::Crashed: return "crashed";
    case Activity::Finished: return "finished";
    }
    return "unknown";
}

ContenderLife::ContenderLife(Setting setting, protocol::Contender& self)
    : m_setting(setting),
      m_self(self),
      m_since(self.now())
{}

async::Task<LifeEnd> ContenderLife::run()
{
    LifeEnd end = LifeEnd::Finished;
    switch (m_setting.scenario.kind) {
    case Scenario::Kind::Contention: end = co_await contend(); break;
    case Scenario::Kind::HotStandby: end = co_await standBy(); break;
    case Scenario::Kind::Draw: end = co_await draw(); break;
    }
    setActivity(end == LifeEnd::Crashed ? Activity::Crashed : Activity::Finished);
    co_return end;
}

void ContenderLife::finish()
{
    m_isFinishing = true;
    m_setting.process.resume();
    m_self.interrupt();
}

void ContenderLife::park()
{
    m_isParked = true;
    m_setting.process.resume();
    m_self.interrupt();
}

void ContenderLife::unpark()
{
    m_isParked = false;
    m_self.bell().open();
}

void ContenderLife::setActivity(Activity activity)
{
    m_activity = activity;
    m_since = m_self.now();
}

bool ContenderLife::happens(double probability)
{
    return probability > 0 && m_self.rng().fraction() < probability;
}

/// Not of a server that is away: that says nothing about the lock.
void ContenderLife::noteRefusal(const store::Problem& problem)
{
    const bool isAnswer = problem.kind == store::Problem::Kind::ProtocolBroken
                          || protocol::isErrorReply(problem);
    if (isAnswer && !m_refusal) {
        m_refusal = problem;
    }
}

protocol::LockRequest ContenderLife::nextRequest()
{
    const Scenario& scenario = m_setting.scenario;
    const auto keyIndex = m_self.rng().below(static_cast<std::uint64_t>(scenario.keyCount));
    protocol::LockRequest request = scenario.requestFor(static_cast<int>(keyIndex));
    if (m_setting.protocol.info().hasModes) {
        request.mode = happens(scenario.readShare) ? Mode::Read : Mode::Write;
    }
    return request;
}

async::Task<void> ContenderLife::waitWhileParked()
{
    while (m_isParked && !m_isFinishing) {
        setActivity(Activity::Parked);
        co_await m_self.waitForBell(m_self.now() + kForEver);
    }
    if (!m_isFinishing) {
        m_self.clearInterruption();
    }
}

async::Task<LifeEnd> ContenderLife::contend()
{
    const Scenario& scenario = m_setting.scenario;
    while (true) {
        co_await waitWhileParked();
        setActivity(Activity::Thinking);
        co_await m_self.sleepUntil(m_self.now() + scenario.think.draw(m_self.rng()));
        // Without thinking nothing above suspends; the others want their turn.
        co_await async::yield();
        if (m_isFinishing) {
            co_return LifeEnd::Finished;
        }
        m_request = nextRequest();
        Holds holds;
        const bool isGranted = co_await acquireWithin(holds);
        if (!isGranted) {
            continue;
        }
        co_await work(holds, scenario.hold.draw(m_self.rng()));
        if (happens(scenario.crashProbability) && !m_isFinishing && !m_isParked) {
            m_self.record(EventKind::Crashed, m_request);
            co_return LifeEnd::Crashed;
        }
        co_await releaseAll(holds);
    }
}

async::Task<LifeEnd> ContenderLife::standBy()
{
    const Scenario& scenario = m_setting.scenario;
    while (true) {
        co_await waitWhileParked();
        if (m_isFinishing) {
            co_return LifeEnd::Finished;
        }
        m_request = nextRequest();
        m_request.waitLimit = Duration(0); // a poll
        Holds holds;
        const bool isGranted = co_await acquireInto(holds);
        if (isGranted) {
            co_await work(holds, scenario.hold.draw(m_self.rng()));
            if (!m_isFinishing && !m_isParked) {
                m_self.record(EventKind::Crashed, m_request);
                co_return LifeEnd::Crashed;
            }
            co_await releaseAll(holds);
        }
        setActivity(Activity::Thinking);
        const Duration pause = scenario.retry.pauseAfter(1, m_self.rng());
        co_await m_self.sleepUntil(m_self.now() + pause);
        co_await async::yield();
    }
}

async::Task<LifeEnd> ContenderLife::draw()
{
    m_request = nextRequest();
    m_request.waitLimit = Duration(0);
    setActivity(Activity::Waiting);
    const auto outcome = co_await protocol::acquire(m_setting.protocol, m_self, m_request);
    if (protocol::isGranted(outcome)) {
        const SharedPage::Visit visit = m_setting.page.enter(m_request.lock, false, std::nullopt);
        m_self.record(EventKind::Entered, m_request, visit.conflictCount);
    }
    co_return LifeEnd::Finished; // what was won is never given back
}

async::Task<bool> ContenderLife::acquireInto(Holds& holds)
{
    setActivity(Activity::Waiting);
    auto outcome = co_await protocol::acquire(m_setting.protocol, m_self, m_request);
    if (auto* const grant = protocol::grantOf(outcome)) {
        holds.push_back(std::make_unique<Hold>(m_setting.protocol, m_self, std::move(*grant),
                                               m_setting.scenario.renewal));
        setActivity(Activity::Holding);
        co_return true;
    }
    if (const auto* const unavailable = std::get_if<protocol::Unavailable>(&outcome)) {
        noteRefusal(*unavailable->problem);
    }
    const auto* const uncertain = std::get_if<protocol::Uncertain>(&outcome);
    if (uncertain != nullptr) {
        noteRefusal(*uncertain->problem);
    }
    if (uncertain != nullptr && uncertain->possible) {
        // It may be ours. No work is done under a lock like that, but it is not left behind either.
        co_await m_setting.protocol.release(m_self, *uncertain->possible);
    }
    co_return false;
}

async::Task<bool> ContenderLife::acquireWithin(Holds& holds)
{
    for (int depth = 0; depth < m_setting.scenario.reentryDepth; ++depth) {
        const bool isGranted = co_await acquireInto(holds);
        if (!isGranted) {
            co_await releaseAll(holds);
            co_return false;
        }
    }
    co_return true;
}

async::Task<void> ContenderLife::work(Holds& holds, Duration span)
{
    const bool isRead = m_request.mode == Mode::Read;
    const SharedPage::Visit visit = m_setting.page.enter(m_request.lock, isRead,
                                                         holds.front()->grant().fence);
    m_self.record(EventKind::Entered, m_request, visit.conflictCount);
    if (visit.isRejected) {
        m_self.record(EventKind::EffectRejected, m_request,
                      holds.front()->grant().fence.value_or(0));
    }
    if (happens(m_setting.scenario.pauseProbability)) {
        co_await standStill();
    }
    co_await holds.front()->waitUntil(m_self.now() + span);
    m_setting.page.leave(m_request.lock, isRead);
    m_self.record(EventKind::Left, m_request);
}

async::Task<void> ContenderLife::standStill()
{
    const Duration span = m_setting.scenario.pauseLength();
    m_self.record(EventKind::Paused, m_request, span.count());
    setActivity(Activity::Paused);
    m_setting.process.pauseFor(span);
    co_await async::yield(); // and here everything stands still
    m_self.record(EventKind::Resumed, m_request);
    setActivity(Activity::Holding);
}

async::Task<void> ContenderLife::releaseAll(Holds& holds)
{
    while (!holds.empty()) {
        co_await holds.back()->release();
        if (const auto& error = holds.back()->errorReply()) {
            noteRefusal(*error);
        }
        holds.pop_back();
    }
}

} // namespace lockscope::workload
