#include "core/conduct/line_reader.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::tst_line_reader {

using conduct::LineReader;
using Lines = std::vector<std::string>;

namespace {

/// A pipe, what is written to it, and its reader.
class Pipe {
public:
    Pipe() { [[maybe_unused]] const int made = ::pipe2(m_ends.data(), O_CLOEXEC | O_NONBLOCK); }
    ~Pipe()
    {
        close();
        ::close(m_ends[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    /// Reads all the while, as far as the pipe has no room for it.
    Lines after(std::string_view text)
    {
        Lines lines;
        do {
            const ssize_t count = ::write(m_ends[1], text.data(), text.size());
            text.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
            const Lines more = m_reader.takeFrom(m_ends[0]);
            lines.insert(lines.end(), more.begin(), more.end());
        } while (!text.empty());
        return lines;
    }
    void close() { ::close(std::exchange(m_ends[1], -1)); }
    LineReader& reader() { return m_reader; }
    int file() const { return m_ends[0]; }

private:
    std::array<int, 2> m_ends{};
    LineReader m_reader;
};

} // namespace

class TestLineReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesComeWhole();
    void aLineWithoutEndIsCut();
    void theNextLineIsWholeAgain();
    void theEndIsKnown();
    void aQuoteIsShort();
};

void TestLineReader::linesComeWhole()
{
    Pipe pipe;
    QCOMPARE(pipe.after("one\ntwo\nth"), (Lines{"one", "two"}));
    QCOMPARE(pipe.after("ree\n\n"), (Lines{"three", ""}));
    QCOMPARE(pipe.after("a\xff\n"), (Lines{"a\\xff"}));
    QVERIFY(!pipe.reader().hasCutALine());
}

void TestLineReader::aLineWithoutEndIsCut()
{
    Pipe pipe;
    const Lines lines = pipe.after(std::string(5'000'000, 'x'));
    QCOMPARE(lines, (Lines{std::string(LineReader::kLineMax, 'x') + "…"}));
    QVERIFY(pipe.reader().hasCutALine());
}

void TestLineReader::theNextLineIsWholeAgain()
{
    Pipe pipe;
    const std::string most(LineReader::kLineMax, 'x');
    QCOMPARE(pipe.after(most + "\n"), (Lines{most}));
    QVERIFY(!pipe.reader().hasCutALine());
    QCOMPARE(pipe.after(most + "x\nnext\n"), (Lines{most + "…", "next"}));
    QVERIFY(pipe.reader().hasCutALine());
}

void TestLineReader::theEndIsKnown()
{
    Pipe pipe;
    pipe.after("one\n");
    QVERIFY(!pipe.reader().isClosed());
    pipe.close();
    QVERIFY(pipe.reader().takeFrom(pipe.file()).empty());
    QVERIFY(pipe.reader().isClosed());
}

void TestLineReader::aQuoteIsShort()
{
    QCOMPARE(conduct::shownLine("t0 yes"), std::string("t0 yes"));
    QCOMPARE(conduct::shownLine("\x1b[31mred"), std::string("\\x1b[31mred"));
    QVERIFY(conduct::shownLine(std::string(1'000, 'x')).size() < 300);
}

LOCKSCOPE_TEST(TestLineReader, Core)

} // namespace lockscope::tst_line_reader

#include "tst_line_reader.moc"
