#pragma once

#include "core/kernel/base/time.h"
#include "core/wire/program_words.h"

#include <QObject>
#include <QSocketNotifier>

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::cli {

/// A command in a process group of its own, with the standard streams of this process. In a
/// terminal that this process may read from, the command becomes the one in the foreground: it
/// reads what is typed and gets Ctrl+C.
///
/// A guard stands in between, see guardCommand(): nothing of the command outlives this process, and
/// nothing of it goes on when the lock was not said to be renewed.
class CommandProcess final : public QObject {
    Q_OBJECT
public:
    using Variables = wire::ProgramVariables;

    /// Processes that were there when the command was over, or keep it from being over.
    struct Others {
        int count = 0;
        pid_t example = 0;
    };

    /// `killAfter`: how long the command has between SIGTERM and SIGKILL.
    explicit CommandProcess(Duration killAfter, QObject* parent = nullptr);
    ~CommandProcess() override;

    /// Starts the program `words[0]`, looked up in PATH, with `variables` added to the environment
    /// and the secrets of this program taken away. 0, or the error number that kept it from being
    /// started. Called once.
    int start(const std::vector<std::string>& words, const Variables& variables,
              std::optional<Instant> trustedUntil = std::nullopt);

    /// The lock is good until then; nullopt: without limit.
    void trustUntil(std::optional<Instant> instant) const;

    /// To the whole process group; a stopped one goes on to receive it.
    void signalGroup(int signalNumber) const;
    /// To the command itself.
    void signalCommand(int signalNumber) const;
    /// SIGTERM to all descendants of the command, and SIGKILL later.
    void end() const;

    bool isStarted() const { return m_process > 0; }
    /// As a shell has it: the exit code, or 128 and the number of the signal; nullopt before its
    /// end.
    std::optional<int> exitCode() const { return m_exitCode; }
    /// The command and all its descendants have ended.
    bool isOver() const { return m_isOver; }

Q_SIGNALS:
    /// The command has ended before processes that it started.
    void waiting(const lockscope::cli::CommandProcess::Others& others);
    /// No renewal was reported in time: the guard ends the command.
    void trustEnded();
    /// SIGTERM was not enough.
    void killed();
    /// isOver() from now on. `others` go on: they detached themselves, or cannot be ended.
    void over(const lockscope::cli::CommandProcess::Others& others);

private:
    int startGuard(char* const* words, char* const* environment,
                   std::optional<Instant> trustedUntil);
    int hearOfStart();
    void takeNews();
    void replaceGuard();
    void giveTerminal() const;
    void takeTerminalBack() const;
    void stopWithCommand() const;

    Duration m_killAfter;
    pid_t m_guard = 0;
    pid_t m_process = 0;
    int m_link = -1;     // to the guard
    int m_terminal = -1; // open while it is ours to give
    std::optional<int> m_exitCode;
    bool m_isOver = false;
    std::unique_ptr<QSocketNotifier> m_news;
};

} // namespace lockscope::cli
