#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::cli {

/// A command in a process group of its own, with the standard streams of this process. In a
/// terminal that this process may read from, the command becomes the one in the foreground: it
/// reads what is typed and gets Ctrl+C.
///
/// The system ends the command with SIGTERM when this process dies without a word. Whoever makes
/// one blocks SIGCHLD, and calls reap() when it comes.
class CommandProcess {
public:
    using Variables = std::vector<std::pair<std::string, std::string>>;

    CommandProcess();
    ~CommandProcess();
    CommandProcess(const CommandProcess&) = delete;
    CommandProcess& operator=(const CommandProcess&) = delete;

    /// Starts the program `words[0]`, looked up in PATH, with `variables` added to the environment.
    /// 0, or the error number that kept it from being started. Called once.
    int start(const std::vector<std::string>& words, const Variables& variables);

    /// To the whole process group; a stopped one goes on to receive it.
    void signalGroup(int signalNumber) const;
    /// To the command itself.
    void signalCommand(int signalNumber);

    /// Takes note of what became of the command and its descendants.
    void reap();

    bool isStarted() const { return m_process > 0; }
    /// As a shell has it: the exit code, or 128 and the number of the signal; nullopt before its
    /// end.
    std::optional<int> exitCode() const { return m_exitCode; }
    /// Nobody of the process group is left, descendants included.
    bool isGroupGone() const { return m_isGroupGone; }

private:
    [[noreturn]] void becomeCommand(char* const* words, char* const* environment, pid_t parent,
                                    int reportFile) const;
    void giveTerminal() const;
    void takeTerminalBack() const;
    void stopWithCommand() const;

    pid_t m_process = 0;
    int m_terminal = -1; // open while it is ours to give
    std::optional<int> m_exitCode;
    bool m_isGroupGone = false;
};

} // namespace lockscope::cli
