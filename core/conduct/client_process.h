#pragma once

#include "core/conduct/line_reader.h"
#include "core/conduct/rest.h"
#include "core/kernel/base/time.h"
#include "core/wire/scratch_folder.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// A client program under control: its standard streams are ours, it has a process group and a
/// folder for temporary files of its own, and nothing of it outlives this object or this program,
/// however that ends. Used by one thread.
class ClientProcess {
public:
    struct Setting {
        std::vector<std::string> words;                             // looked up in PATH
        std::vector<std::pair<std::string, std::string>> variables; // beside our environment
        /// Of a file that it may write lines to at any time, see takeMarks(); empty: none.
        std::string markVariable = {};
    };

    /// Starts it. Throws a std::system_error when that fails.
    explicit ClientProcess(const Setting& setting);
    ~ClientProcess();
    ClientProcess(const ClientProcess&) = delete;
    ClientProcess& operator=(const ClientProcess&) = delete;

    pid_t id() const { return m_process; }
    int outputFile() const { return m_output.file; }
    int errorFile() const { return m_errors.file; }

    /// One line to its standard input. Where it is gone, or has not read for long, nothing happens.
    void say(std::string_view line) const;
    /// Whole lines that it wrote since the last call, see LineReader; the second of the two for
    /// standard error.
    std::vector<std::string> takeLines() { return m_output.reader.takeFrom(m_output.file); }
    std::vector<std::string> takeErrorLines() { return m_errors.reader.takeFrom(m_errors.file); }
    std::vector<std::string> takeMarks() { return m_marks.reader.takeFrom(m_marks.file); }
    /// A line of its standard output was too long, and was cut.
    bool hasCutALine() const { return m_output.reader.hasCutALine(); }

    /// SIGSTOP; returns when all its threads stand still.
    void stop();
    void goOn();
    bool isStopped() const { return m_isStopped; }
    /// What it has worked so far, all its threads together, without its children.
    Duration workTime() const;
    /// See RestProbe.
    bool isAtRest() { return m_probe->isAtRest(); }
    /// SIGKILL for everything that belongs to it; returns when it is gone.
    void kill();
    /// It has ended, by itself or not.
    bool isGone();
    /// It writes nothing more: it has ended, as a rule.
    bool isSilent() const { return m_output.reader.isClosed(); }

private:
    struct Stream {
        int file = -1;
        LineReader reader;
    };

    std::string markPath() const { return m_folder.filePath("section"); }
    void openMarks();

    wire::ScratchFolder m_folder;
    pid_t m_guard = 0;
    pid_t m_process = 0;
    int m_input = -1;
    int m_link = -1; // the guard ends everything when it is closed
    Stream m_output;
    Stream m_errors;
    Stream m_marks;
    std::unique_ptr<RestProbe> m_probe;
    bool m_isStopped = false;
    bool m_isGone = false;
};

} // namespace lockscope::conduct
