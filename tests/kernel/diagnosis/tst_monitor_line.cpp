#include "core/kernel/diagnosis/monitor_line.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_monitor_line {

using namespace lockscope::diagnosis;
using namespace std::string_literals;

class TestMonitorLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheServerWritesIsRead_data();
    void whatTheServerWritesIsRead();
    void everythingElseIsNoLine_data();
    void everythingElseIsNoLine();
    void garbageIsNoHarm();
};

void TestMonitorLine::whatTheServerWritesIsRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<MonitorLine>("line");
    const auto row = [](const char* name, const std::string& text, const MonitorLine& line) {
        QTest::newRow(name) << text << line;
    };
    row("TCP", R"(1339518083.107412 [0 127.0.0.1:60866] "get" "k")",
        {0, "127.0.0.1:60866", {"get", "k"}});
    row("IPv6", R"(1.5 [12 [::1]:60866] "set" "] \"x" "")",
        {12, "[::1]:60866", {"set", "] \"x", ""}});
    row("script", R"(1.5 [0 lua] "del" "k")", {0, "lua", {"del", "k"}});
    row("unix socket", R"(1.5 [0 unix:/run/r.sock] "ping")", {0, "unix:/run/r.sock", {"ping"}});
    row("bytes", R"(1.5 [0 c] "\x00\xff\n\r\t\a\b\\\"")", {0, "c", {"\0\xff\n\r\t\a\b\\\""s}});
}

void TestMonitorLine::whatTheServerWritesIsRead()
{
    QFETCH(const std::string, text);
    QFETCH(const MonitorLine, line);
    const auto read = readMonitorLine(text);
    QVERIFY(read.has_value());
    QCOMPARE(read->client, line.client);
    QCOMPARE(read->words, line.words);
    QCOMPARE(read->database, line.database);
}

void TestMonitorLine::everythingElseIsNoLine_data()
{
    QTest::addColumn<std::string>("text");
    for (const char* text : {"", "OK", "1.5", "1.5 [0 c]", "1.5 [c] \"get\"", "1.5 [x c] \"get\"",
                             "x [0 c] \"get\"", "1.5 [0 c] \"get", "1.5 [0 c] \"get\" k"}) {
        QTest::newRow(text) << std::string(text);
    }
}

void TestMonitorLine::everythingElseIsNoLine()
{
    QFETCH(const std::string, text);
    QVERIFY(!readMonitorLine(text));
}

void TestMonitorLine::garbageIsNoHarm()
{
    testing::RandomInput input;
    const std::string whole = R"(1339518083.107412 [0 127.0.0.1:60866] "set" "\x0a\\" "nx")";
    for (int i = 0; i < 5000; ++i) {
        std::string text = whole.substr(0, input.rng().below(whole.size() + 1));
        if (!text.empty()) {
            text[input.rng().below(text.size())] = static_cast<char>(input.rng().below(256));
        }
        readMonitorLine(text);
    }
}

LOCKSCOPE_TEST(TestMonitorLine, Core)

} // namespace lockscope::tst_monitor_line

#include "tst_monitor_line.moc"
