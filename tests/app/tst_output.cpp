#include "app/cli/output/output.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace lockscope::tst_output {

using lockscope::cli::Output;

namespace {

/// Both ends of a pipe, closed when it goes.
class Pipe {
public:
    Pipe()
    {
        if (::pipe(m_ends.data()) != 0) {
            qFatal("no pipe");
        }
    }
    ~Pipe()
    {
        closeReader();
        ::close(m_ends[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int reader() const { return m_ends[0]; }
    int writer() const { return m_ends[1]; }
    void closeReader()
    {
        if (m_ends[0] >= 0) {
            ::close(std::exchange(m_ends[0], -1));
        }
    }
    /// What has been written so far.
    QByteArray content()
    {
        QByteArray bytes(4096, '\0');
        ::fcntl(m_ends[0], F_SETFL, O_NONBLOCK);
        bytes.resize(std::max<ssize_t>(0, ::read(m_ends[0], bytes.data(), 4096)));
        return bytes;
    }

private:
    std::array<int, 2> m_ends{};
};

} // namespace

class TestOutput final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { ::signal(SIGPIPE, SIG_IGN); }
    void resultsAndDiagnosticsGoTheirOwnWays();
    void whatIsQuotedCannotCommandATerminal();
    void progressIsForTerminalsOnly();
    void aReaderThatLeavesIsNoFailure();
    void aFullDiskIsAFailure();
    void whatNobodyReadsIsDroppedWhenASignalComes();
    void aSignalDoesNotKeepAReaderFromReading();
};

void TestOutput::resultsAndDiagnosticsGoTheirOwnWays()
{
    Pipe results;
    Pipe diagnostics;
    Output output(results.writer(), diagnostics.writer());
    output.print("one\ntwo");
    output.note("seen");
    output.complain("it is gone");
    QCOMPARE(results.content(), QByteArray("one\ntwo"));
    QCOMPARE(diagnostics.content(), QByteArray("seen\nlockscope-cli: it is gone\n"));
    QVERIFY(!output.isBroken());
}

void TestOutput::whatIsQuotedCannotCommandATerminal()
{
    Pipe results;
    Pipe diagnostics;
    Output output(results.writer(), diagnostics.writer());
    output.print("a\x1b[2Jb\tc\n");
    output.note("seen \x1b]0;x\x07");
    output.complain("the member \"\x9b\" is unknown");
    QCOMPARE(results.content(), QByteArray("a\\x1b[2Jb\tc\n"));
    QCOMPARE(diagnostics.content(), QByteArray("seen \\x1b]0;x\\x07\n"
                                               "lockscope-cli: the member \"\\x9b\" is unknown\n"));
}

void TestOutput::progressIsForTerminalsOnly()
{
    Pipe results;
    Pipe diagnostics;
    Output output(results.writer(), diagnostics.writer());
    output.progress("scanning");
    output.note("done");
    QCOMPARE(diagnostics.content(), QByteArray("done\n"));
}

void TestOutput::aReaderThatLeavesIsNoFailure()
{
    Pipe results;
    Pipe diagnostics;
    Output output(results.writer(), diagnostics.writer());
    results.closeReader();
    output.print("too late");
    QVERIFY(output.isBroken());
    QVERIFY(output.isGivenUp());
}

void TestOutput::aFullDiskIsAFailure()
{
    Pipe diagnostics;
    const int full = ::open("/dev/full", O_WRONLY);
    QVERIFY(full >= 0);
    Output output(full, diagnostics.writer());
    output.print("no room");
    ::close(full);
    QVERIFY(output.isBroken());
    QVERIFY(!output.isGivenUp());
    QCOMPARE(output.brokenReason(), std::string("No space left on device"));
}

void TestOutput::whatNobodyReadsIsDroppedWhenASignalComes()
{
    Pipe results;
    Pipe diagnostics;
    Pipe signal;
    Output output(results.writer(), diagnostics.writer());
    output.setInterruption(signal.reader());
    std::jthread sender([&signal] {
        const char byte = 0;
        [[maybe_unused]] const ssize_t count = ::write(signal.writer(), &byte, 1);
    });
    output.print(std::string(1'000'000, 'x')); // more than any pipe holds: comes back nevertheless
    QVERIFY(output.isBroken());
    QVERIFY(output.isGivenUp());
}

void TestOutput::aSignalDoesNotKeepAReaderFromReading()
{
    Pipe results;
    Pipe diagnostics;
    Pipe signal;
    Output output(results.writer(), diagnostics.writer());
    output.setInterruption(signal.reader());
    const char byte = 0;
    QCOMPARE(::write(signal.writer(), &byte, 1), ssize_t(1));
    output.print("the report of what was interrupted");
    QCOMPARE(results.content(), QByteArray("the report of what was interrupted"));
    QVERIFY(!output.isBroken());
}

LOCKSCOPE_TEST(TestOutput, None)

} // namespace lockscope::tst_output

#include "tst_output.moc"
