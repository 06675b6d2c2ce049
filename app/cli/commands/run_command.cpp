#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/kept_lock_wording.h"
#include "app/cli/process/command_process.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/server_link.h"
#include "app/quoted_words.h"
#include "core/kernel/base/duration_text.h"
#include "core/wire/watch/redis_lock_keeper.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace lockscope::cli {

using service::KeptLock;
using State = KeptLock::State;

namespace {

std::string signalName(int signalNumber)
{
    const char* const name = ::sigabbrev_np(signalNumber);
    return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signalNumber);
}

/// One run of `run`: asks for the lock, starts the command, watches over both, gives the lock back.
class Guarding final : public QObject {
public:
    Guarding(const Context& context, const RunArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}, context.output),
          m_command(arguments.killAfter)
    {
        connectCommand();
        connect(&m_relay, &SignalRelay::received, this, &Guarding::takeSignal);
        connect(&m_keeper, &service::LockKeeper::changed, this, &Guarding::takeLock);
        const std::string warning = warningAbout(arguments.lock.protocol->info());
        if (!warning.empty()) {
            complain(warning);
        }
        m_id = m_keeper.acquire(orderFor(arguments.lock, context.endpoints));
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    void connectCommand()
    {
        connect(&m_command, &CommandProcess::waiting, this, &Guarding::tellOfWaiting);
        connect(&m_command, &CommandProcess::over, this, &Guarding::giveBack);
        connect(&m_command, &CommandProcess::killed, this,
                [this] { complain("The command did not terminate: SIGKILL."); });
        connect(&m_command, &CommandProcess::trustEnded, this, [this] {
            complain("no renewal of the lock was reported in time: the command gets SIGTERM, and "
                     "SIGKILL in "
                     + durationText(m_arguments.killAfter) + '.');
        });
    }

    void complain(const std::string& sentence) { m_context.output.complain(sentence); }
    std::string keyText() const { return escaped(m_arguments.lock.request.key); }

    void takeLock(const KeptLock& lock)
    {
        m_lock = lock;
        switch (lock.state) {
        case State::Connecting:
        case State::Waiting:
        case State::Releasing: return;
        case State::Held:
            if (m_command.isStarted()) {
                m_command.trustUntil(lock.trustedUntil);
            } else if (!m_exitCode) {
                startCommand();
            }
            return;
        case State::Lost: endCommand(); return;
        case State::Refused:
        case State::Failed:
        case State::Uncertain:
        case State::Released: break;
        }
        if (!m_wasGranted && !m_exitCode) {
            complain(refusalSentence(lock, m_arguments.lock.request.waitLimit)
                     + (lock.state == State::Refused ? ". " : " ")
                     + "The command was not started.");
            m_exitCode = exitCodeOfRefusal(lock);
        }
        if (lock.isOver()) {
            finish();
        } else {
            m_keeper.release(m_id); // perhaps ours: not left behind
        }
    }

    void startCommand()
    {
        m_wasGranted = true;
        CommandProcess::Variables variables{{"LOCKSCOPE_KEY", keyText()},
                                            {"LOCKSCOPE_TOKEN", escaped(m_lock.token)}};
        if (m_lock.fence) {
            variables.emplace_back("LOCKSCOPE_FENCE", std::to_string(*m_lock.fence));
        }
        const int error = m_command.start(m_arguments.command, variables, m_lock.trustedUntil);
        if (error != 0) {
            complain(app::inQuotes(m_arguments.command.front())
                     + " cannot be started: " + std::strerror(error));
            m_exitCode = error == ENOENT ? ExitNoSuchCommand : ExitCannotExecute;
            m_keeper.release(m_id);
        }
    }

    void takeSignal(int signalNumber)
    {
        if (!m_command.isStarted()) {
            stopWaiting(signalNumber);
        } else if (signalNumber == SIGUSR1 || signalNumber == SIGUSR2) {
            m_command.signalCommand(signalNumber);
        } else {
            m_command.signalGroup(signalNumber);
        }
    }

    void stopWaiting(int signalNumber)
    {
        if (!m_exitCode) {
            complain(signalName(signalNumber) + " came before " + keyText()
                     + " was acquired. The command was not started.");
            m_exitCode = ExitBySignal + signalNumber;
            m_keeper.release(m_id);
        }
    }

    /// The command has ended before what it started.
    void tellOfWaiting(const CommandProcess::Others& others)
    {
        complain("The command ended with " + std::to_string(m_command.exitCode().value_or(0))
                 + " and left " + processesText(others)
                 + " running. The lock is kept until the last of them has ended.");
    }

    void giveBack(const CommandProcess::Others& others)
    {
        if (others.count > 0) {
            complain(processesText(others)
                     + (m_isEnding ? " cannot be terminated and" : ", detached by the command,")
                     + " will continue without the lock.");
        }
        m_isReleasing = true;
        m_keeper.release(m_id);
    }

    /// "process 4711", "3 processes (one is 4711)"
    static std::string processesText(const CommandProcess::Others& others)
    {
        const std::string example = std::to_string(others.example);
        return others.count == 1
                   ? "process " + example
                   : std::to_string(others.count) + " processes (one is " + example + ')';
    }

    /// What runs without the lock must not go on.
    void endCommand()
    {
        const bool hasSomethingToEnd = m_command.isStarted() && !m_isReleasing && !m_isEnding;
        if (!hasSomethingToEnd) {
            return;
        }
        m_isEnding = true;
        m_loss = m_lock.loss;
        m_command.end(); // before anything that may have to wait for a reader of the output
        complain("the lock on " + keyText() + " is lost: " + lossOf(m_lock)
                 + ". The command gets SIGTERM, and SIGKILL in "
                 + durationText(m_arguments.killAfter) + '.');
    }

    static std::string lossOf(const KeptLock& lock)
    {
        return lossText(lock.loss.value_or(trace::LossReason::Gone));
    }

    /// The lock is given back, or as good as that: what is the news?
    void finish()
    {
        if (m_exitCode || !m_command.exitCode()) {
            m_end.complete(m_exitCode.value_or(ExitUnknown));
            return;
        }
        const std::string ofCommand = "The command ended with "
                                      + std::to_string(*m_command.exitCode());
        if (m_loss) {
            complain(ofCommand + ", after its lock was lost.");
            m_end.complete(m_lock.wasOtherOwner ? int(ExitChangedHands) : exitCodeOfLoss(*m_loss));
        } else if (m_lock.state == State::Released && m_lock.loss) {
            complain("the lock on " + keyText() + " was lost before the command ended: "
                     + lossOf(m_lock) + ". " + ofCommand + '.');
            m_end.complete(exitCodeOfLoss(*m_lock.loss));
        } else {
            if (m_lock.state != State::Released) {
                complain("the command ended while the lock was held, but "
                         + std::string(m_lock.state == State::Failed
                                           ? "the lock could not be released: "
                                           : "it is unknown whether the lock was released: ")
                         + store::explain(m_lock.problem));
            }
            m_end.complete(*m_command.exitCode());
        }
    }

    const Context& m_context;
    const RunArguments& m_arguments;
    SignalRelay m_relay;
    CommandProcess m_command;
    KeptLock m_lock; // its last known state
    quint64 m_id = 0;
    bool m_wasGranted = false;
    bool m_isEnding = false; // the command, because of the loss
    bool m_isReleasing = false;
    std::optional<trace::LossReason> m_loss; // while the command ran
    std::optional<int> m_exitCode;           // where it is not the command's
    async::Completer<int> m_end;
    wire::RedisLockKeeper m_keeper; // last: it tells this
};

constexpr CommandText kRunText{
    .name = "run",
    .operand = "-- COMMAND...",
    .usage = "--key KEY [options] -- COMMAND...",
    .summary = "hold a lock while a command runs",
    .details = R"(
Acquires the lock, runs the command, renews the lock meanwhile, and releases it however the
command ends. The command inherits the standard streams, and its environment contains
LOCKSCOPE_KEY, LOCKSCOPE_TOKEN and, if the protocol has one, LOCKSCOPE_FENCE. No shell
is used: write sh -c '...' for one.
SIGINT, SIGTERM, SIGHUP and SIGQUIT are forwarded to the process group of the command,
SIGUSR1 and SIGUSR2 only to the command.
If the lock is lost, which is noticed at once with Redis 6 or later, all processes of the
command get SIGTERM, and SIGKILL after --kill-after: nothing must run without the lock. The
same happens if lockscope-cli itself is killed. The lock is kept until the last process of
the command has ended. The man page describes the limits.

The exit code is that of the command (128+N if signal N ended it) if the lock was held to the
end. The command was not started: 7 another owner held the lock the whole time, 1 the server
was unusable, 5 the server refused, 6 unknown whether the lock was granted, 127 command not
found, 126 command not executable, 128+N signal N arrived while waiting. The lock was
lost: 3 another owner holds it, 4 it is gone or its lease expired, 1 the server was
unreachable for longer than the lease, 5 the server refused to renew it.
)",
    .examples = R"(
  # crontab on five machines: one of them runs the job, the others exit quietly with 7
  lockscope-cli run --url redis://cache-1 --key job:sync --lease 30s -- /opt/sync --all
  # a deployment waits for the previous one
  lockscope-cli run --key deploy:shop --wait 10m -- sh -c './migrate && ./restart'
  # three independent masters
  lockscope-cli run --url redis://a --url redis://b --url redis://c --key nightly -- ./job
)",
    .servers = ServerUse::NamedOrLocal,
};

class RunCommand final : public CommandWith<RunArguments> {
public:
    RunCommand() : CommandWith(kRunText) {}

    void declare(app::OptionSet& options) override
    {
        m_acquisition.declare(options);
        options.addDuration("kill-after", m_arguments.killAfter,
                            "If the lock is lost, the command gets SIGTERM, and SIGKILL after "
                            "this\ntime (10s).");
    }

    void complete(const Operands& operands) override
    {
        if (!operands.words.empty()) {
            throw app::ArgumentError{"write the command after \"--\": run --key KEY -- "
                                     + escaped(operands.first())};
        }
        if (operands.command.empty()) {
            throw app::ArgumentError{"run needs a command after \"--\": run --key KEY -- COMMAND"};
        }
        if (operands.command.front().empty()) {
            throw app::ArgumentError{"the name of the command is empty"};
        }
        m_arguments.command = operands.command;
        m_arguments.lock = m_acquisition.acquisition(operands);
        const protocol::ProtocolInfo& info = m_arguments.lock.protocol->info();
        if (info.hasExpiry && !info.canRenew && !m_acquisition.isRenewalTyped()) {
            throw app::ArgumentError{
                info.id
                + " cannot renew its lock: the command would be terminated at the end of the "
                  "lease. To accept this, use --renew off"};
        }
    }

    async::Task<int> run(Context context) override
    {
        Guarding one(context, m_arguments);
        const int code = co_await one.ended();
        co_return code;
    }

private:
    LockAcquisitionOptions m_acquisition;
};

} // namespace

std::unique_ptr<Command> runCommand()
{
    return std::make_unique<RunCommand>();
}

} // namespace lockscope::cli
