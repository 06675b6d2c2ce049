#pragma once

#include "core/kernel/store/endpoint.h"
#include "tests/kernel/text_in_failures.h"

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <string>

namespace lockscope::testing {

using Json = nlohmann::json;

/// What a call of lockscope-cli came to.
struct CliResult {
    int exitCode = -1; // -1: it did not end by itself
    QByteArray output;
    QByteArray diagnostics;

    Json json() const { return Json::parse(output.toStdString()); }
};

/// The program lockscope-cli, run by a test with a home of its own.
class CliProcess {
public:
    CliProcess();
    ~CliProcess();

    /// Sets a variable of its environment.
    void setVariable(const char* name, const QString& value);
    QString auditFile() const;
    /// The lines of the audit file so far.
    QList<Json> auditLines() const;

    void start(const QStringList& arguments);
    /// Runs the event loop of the test until it has ended.
    CliResult waitForEnd();
    CliResult run(const QStringList& arguments)
    {
        start(arguments);
        return waitForEnd();
    }

    /// For commands that go on: what has been printed so far, as JSON objects.
    QList<Json> lines();
    QByteArray diagnostics();

    void interrupt();
    void terminate() { m_process.terminate(); }
    QProcess& process() { return m_process; }

private:
    QTemporaryDir m_home;
    QProcess m_process;
    QByteArray m_output;
    QByteArray m_diagnostics;
};

/// A pipe for standard output whose reading end the test holds, to close it at a moment of its
/// choice.
class OutputPipe {
public:
    OutputPipe();
    ~OutputPipe();
    OutputPipe(const OutputPipe&) = delete;
    OutputPipe& operator=(const OutputPipe&) = delete;

    /// Before the process is started.
    void attachTo(QProcess& process);
    /// What has been written so far.
    QByteArray content();
    /// The next writer has to wait.
    bool isFull() const;
    void closeReader();

private:
    int m_reader = -1;
    int m_writer = -1;
    QByteArray m_content;
};

/// The value as text, for comparisons that fail with something to read.
inline std::string text(const Json& value)
{
    return value.dump();
}

/// The words of a call, which stand between spaces.
QStringList words(const char* text);

/// "--url", "unix:///…"
QStringList urlOption(const store::Endpoint& endpoint);

} // namespace lockscope::testing
