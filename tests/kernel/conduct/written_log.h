#pragma once

#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// The log of a run that never was, written entry by entry on a clock of its own. The keys of the
/// lock, of which there is one, are kept as a server would.
class WrittenLog {
public:
    using Word = conduct::Word;
    using Kind = conduct::LogEntry::Kind;
    using AnswerKind = conduct::Answer::Kind;

    explicit WrittenLog(Duration lease) : m_lease(lease) {}

    WrittenLog& pass(Duration span)
    {
        m_now += span;
        entry(Kind::Passed, -1);
        return *this;
    }
    /// Of the calls and answers that follow.
    WrittenLog& onThread(int thread)
    {
        m_thread = thread;
        return *this;
    }
    /// Of the commands that follow, from 0.
    WrittenLog& atServer(int server)
    {
        m_server = server;
        return *this;
    }
    WrittenLog& inAct(int act)
    {
        m_act = act;
        return *this;
    }

    WrittenLog& call(int process, Word word, bool isRead = false)
    {
        conduct::LogEntry& one = entry(Kind::Called, process);
        one.word = word;
        one.isRead = isRead;
        return *this;
    }
    WrittenLog& answer(int process, Word word, AnswerKind kind = AnswerKind::Yes,
                       bool isRead = false)
    {
        conduct::LogEntry& one = entry(Kind::Answered, process);
        one.word = word;
        one.isRead = isRead;
        one.answer.kind = kind;
        return *this;
    }

    /// The server carries out a command that makes, renews, removes or only looks at the keys.
    WrittenLog& make(int process)
    {
        conduct::LockEffect effect = made();
        effect.isMade = !m_keys.isThere;
        return executed(process,
                        store::Command("SET", "lock:1a", "token", "NX", "PX", toMs(m_lease)),
                        effect);
    }
    WrittenLog& makeForEver(int process)
    {
        conduct::LockEffect effect = made();
        effect.isMade = !m_keys.isThere;
        effect.isPermanent = true;
        return executed(process, store::Command("SETNX", "lock:1a", "token"), effect);
    }
    WrittenLog& renew(int process)
    {
        conduct::LockEffect effect = made();
        effect.isProlonged = true;
        return executed(process, store::Command("PEXPIRE", "lock:1a", toMs(m_lease)), effect);
    }
    /// Longer than a lease, as where extensions add up.
    WrittenLog& renewFor(int process, Duration span)
    {
        conduct::LockEffect effect = made();
        effect.isProlonged = true;
        effect.latestExpiryMs = toMs((m_now + span).time_since_epoch());
        return executed(process, store::Command("PEXPIRE", "lock:1a", toMs(span)), effect);
    }
    /// The keys end by themselves.
    WrittenLog& expire()
    {
        m_keys = {};
        return *this;
    }
    WrittenLog& remove(int process)
    {
        conduct::LockEffect effect;
        effect.isGone = m_keys.isThere;
        return executed(process, store::Command("DEL", "lock:1a"), effect);
    }
    WrittenLog& look(int process)
    {
        conduct::LockEffect effect = m_keys;
        effect.isMade = effect.isGone = effect.isProlonged = false;
        return executed(process, store::Command("GET", "lock:1a"), effect);
    }

    /// Any command, whose effect on the keys nobody asks for.
    WrittenLog& command(int process, store::Command command)
    {
        return executed(process, std::move(command), m_keys);
    }

    /// It takes the lock once more, or gives one of its holds back, without any effect on keys.
    WrittenLog& acquireAgain(int process)
    {
        return call(process, Word::Acquire).look(process).answer(process, Word::Acquire);
    }
    WrittenLog& releaseOnce(int process)
    {
        return call(process, Word::Release).look(process).answer(process, Word::Release);
    }
    /// An acquire that is answered with a number.
    WrittenLog& acquireWithFence(int process, std::int64_t fence)
    {
        acquire(process);
        m_log.entries.back().answer.fence = fence;
        return *this;
    }
    /// WAIT is answered with a number of replicas.
    WrittenLog& askReplicas(int process, int count)
    {
        conduct::LockEffect effect = m_keys;
        effect.isMade = effect.isGone = effect.isProlonged = false;
        executed(process, store::Command("WAIT", 1, 100), effect);
        m_log.entries.back().reply = store::Reply::ofInteger(count);
        return *this;
    }

    /// A request of this name comes, the first of its kind.
    WrittenLog& arrive(int process, const std::string& kind)
    {
        conduct::LogEntry& one = entry(Kind::Arrived, process);
        one.message = {process, kind, 1};
        one.command = store::Command(kind, "lock:1a");
        return *this;
    }

    /// From the question to the answer.
    WrittenLog& acquire(int process)
    {
        return call(process, Word::Acquire).make(process).answer(process, Word::Acquire);
    }
    WrittenLog& release(int process)
    {
        return call(process, Word::Release).remove(process).answer(process, Word::Release);
    }
    WrittenLog& acquireInVain(int process)
    {
        return call(process, Word::Acquire)
            .look(process)
            .answer(process, Word::Acquire, AnswerKind::No);
    }
    WrittenLog& held(int process, AnswerKind kind = AnswerKind::Yes)
    {
        return call(process, Word::Held).answer(process, Word::Held, kind);
    }

    WrittenLog& interfere(int process, int deviation = 0)
    {
        entry(Kind::Interfered, process).deviation = deviation;
        ++m_log.deviationsMet;
        return *this;
    }
    WrittenLog& letGo(int process, int deviation = 0)
    {
        entry(Kind::LetGo, process).deviation = deviation;
        return *this;
    }
    WrittenLog& end(int process)
    {
        entry(Kind::Ended, process);
        return *this;
    }
    WrittenLog& tellLoss(int process)
    {
        entry(Kind::LossTold, process);
        return *this;
    }
    WrittenLog& say(int process, const std::string& text)
    {
        entry(Kind::Said, process).text = text;
        return *this;
    }

    Instant now() const { return m_now; }
    const conduct::RunLog& log() const { return m_log; }
    conduct::RunLog& log() { return m_log; }
    const conduct::LogEntry& last() const { return m_log.entries.back(); }

private:
    conduct::LockEffect made() const
    {
        conduct::LockEffect effect;
        effect.isThere = true;
        effect.latestExpiryMs = toMs((m_now + m_lease).time_since_epoch());
        return effect;
    }
    conduct::LogEntry& entry(Kind kind, int process)
    {
        conduct::LogEntry& one = m_log.entries.emplace_back();
        one.kind = kind;
        one.at = m_now;
        one.act = m_act;
        one.process = process;
        one.thread = m_thread;
        one.lock = kind == Kind::Passed ? -1 : 0;
        return one;
    }
    WrittenLog& executed(int process, store::Command command, const conduct::LockEffect& effect)
    {
        conduct::LogEntry& one = entry(Kind::Executed, process);
        one.message = {process, conduct::messageKindOf(command), 1};
        for (std::size_t i = 0; i + 1 < m_log.entries.size(); ++i) {
            const conduct::LogEntry& earlier = m_log.entries[i];
            const bool isAlike = earlier.kind == Kind::Executed && earlier.process == process
                                 && earlier.message.kind == one.message.kind;
            one.message.occurrence += isAlike ? 1 : 0;
        }
        one.command = std::move(command);
        one.reply = store::Reply::ofInteger(1);
        one.effects = {effect};
        one.server = m_server;
        m_keys = effect;
        return *this;
    }

    Duration m_lease;
    Instant m_now{};
    int m_act = 0;
    int m_thread = 0;
    int m_server = 0;
    conduct::LockEffect m_keys;
    conduct::RunLog m_log;
};

/// Three processes and one lock, and no acts.
inline conduct::Workload emptyWorkload(Duration lease)
{
    conduct::Workload workload;
    workload.id = "written";
    workload.name = "a written one";
    workload.lease = lease;
    return workload;
}

} // namespace lockscope::testing
