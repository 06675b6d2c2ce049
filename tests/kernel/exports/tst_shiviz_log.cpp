// The log as ShiViz reads it: by the regular expression in its first line.

#include "core/kernel/exports/shiviz_log.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>

namespace lockscope::tst_shiviz_log {

using namespace std::chrono_literals;
using trace::Message;
using trace::Span;
using trace::SpanEnd;

namespace {

struct Line {
    std::int64_t at = 0;
    std::string host;
    std::map<std::string, std::uint64_t> clock;
    std::string event;
};

/// What ShiViz makes of it: it anchors the expression to whole lines and skips what does not match.
std::vector<Line> linesOf(const std::string& log)
{
    const QString text = QString::fromStdString(log);
    const QRegularExpression parser(u'^' + text.section(u'\n', 0, 0) + u'$',
                                    QRegularExpression::MultilineOption);
    std::vector<Line> lines;
    auto matches = parser.globalMatch(text.section(u'\n', 2));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const auto word = [&match](const char* name) {
            return match.captured(QString::fromLatin1(name)).toStdString();
        };
        lines.push_back({match.captured(QStringLiteral("timestamp")).toLongLong(), word("host"),
                         nlohmann::json::parse(word("clock")), word("event")});
    }
    return lines;
}

bool isBefore(const Line& a, const Line& b)
{
    return std::ranges::all_of(a.clock, [&b](const auto& entry) {
        const auto known = b.clock.find(entry.first);
        return known != b.clock.end() && entry.second <= known->second;
    });
}

const Line* find(const std::vector<Line>& lines, const std::string& event)
{
    const auto found = std::ranges::find_if(lines, [&event](const Line& line) {
        return line.event.find(event) != std::string::npos;
    });
    return found == lines.end() ? nullptr : &*found;
}

Message said(trace::ContenderId who, const char* text, std::uint32_t order)
{
    Message message;
    message.appliedAt = Instant();
    message.contender = who;
    message.text = text;
    message.sentOrder = order;
    return message;
}

} // namespace

class TestShivizLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clocksCountEveryHostsOwnEvents();
    void commandsConnectTheHosts();
    void theOrderOnTheServerIsTheOrderOfTheClocks();
    void aPushComesFromItsServer();
    void withoutMessagesThatIsSaid();
    void namesAreMadeFit();
};

void TestShivizLog::clocksCountEveryHostsOwnEvents()
{
    const report::RunFile run = testing::recordedExample();
    const auto lines = linesOf(exports::shivizLog(run.chronicle(), run.labels));
    QVERIFY(lines.size() > 10);
    std::map<std::string, Line> latest;
    for (const Line& line : lines) {
        const auto before = latest.find(line.host);
        QCOMPARE(line.clock.at(line.host),
                 before == latest.end() ? 1U : before->second.clock.at(line.host) + 1);
        QVERIFY(before == latest.end()
                || (isBefore(before->second, line) && before->second.at <= line.at));
        latest[line.host] = line;
    }
    QVERIFY(latest.contains("A") && latest.contains("B") && latest.contains("server_1"));
}

void TestShivizLog::commandsConnectTheHosts()
{
    const report::RunFile run = testing::recordedExample();
    const auto lines = linesOf(exports::shivizLog(run.chronicle(), run.labels));
    const Line* const sent = find(lines, "sends SET ");
    const Line* const applied = find(lines, "carries out SET ");
    const Line* const heard = find(lines, "hears SET ");
    const Line* const held = find(lines, "holds k");
    QVERIFY(sent != nullptr && applied != nullptr && heard != nullptr && held != nullptr);
    QCOMPARE(applied->host, std::string("server_1"));
    QVERIFY(isBefore(*sent, *applied) && !isBefore(*applied, *sent));
    QVERIFY(isBefore(*applied, *heard) && isBefore(*heard, *held));
    const Line* const wanted = find(lines, "requests k");
    QVERIFY(wanted != nullptr && isBefore(*wanted, *sent));
    const Line* const paused = find(lines, "pauses"); // when it had been granted
    QVERIFY(paused != nullptr && isBefore(*heard, *paused));
}

void TestShivizLog::theOrderOnTheServerIsTheOrderOfTheClocks()
{
    // All in one instant: A asks first, and B's command is carried out first.
    trace::Chronicle chronicle;
    chronicle.messages = {said(0, "SET k a", 0), said(1, "SET k b", 1)};
    chronicle.messages[0].appliedOrder = 3;
    chronicle.messages[1].appliedOrder = 2;
    const auto lines = linesOf(exports::shivizLog(chronicle, {}));
    QCOMPARE(lines.size(), 4U);
    const Line* const first = find(lines, "carries out SET k b");
    const Line* const second = find(lines, "carries out SET k a");
    QVERIFY(first != nullptr && second != nullptr && isBefore(*first, *second));
    const Line* const asked = find(lines, "sends SET k a");
    QVERIFY(!isBefore(*asked, *first) && !isBefore(*first, *asked));
}

void TestShivizLog::aPushComesFromItsServer()
{
    trace::Chronicle chronicle;
    Message push = said(0, "hears (message, k, 0)", 0);
    push.isPush = true;
    push.answeredAt = Instant(1us);
    chronicle.messages = {push};
    const auto lines = linesOf(exports::shivizLog(chronicle, {}));
    QCOMPARE(lines.size(), 2U);
    QCOMPARE(lines[0].host, std::string("server_1"));
    QCOMPARE(lines[1].host, std::string("contender_0"));
    QVERIFY(isBefore(lines[0], lines[1]));
}

void TestShivizLog::withoutMessagesThatIsSaid()
{
    trace::Chronicle chronicle;
    chronicle.spans = {{Instant(1us), Instant(2us), 0, 0, Span::Kind::Holding, SpanEnd::Released},
                       {Instant(1us), Instant(2us), 1, 0, Span::Kind::Holding, SpanEnd::Open}};
    const std::string log = exports::shivizLog(chronicle, {});
    QVERIFY2(log.find("\n\n# No messages were recorded") != std::string::npos, log.c_str());
    const auto lines = linesOf(log);
    QCOMPARE(lines.size(), 3U);
    QVERIFY(std::ranges::all_of(lines, [](const Line& line) { return line.clock.size() == 1; }));
    const report::RunFile run = testing::recordedExample();
    QVERIFY(exports::shivizLog(run.chronicle(), run.labels).find("# No") == std::string::npos);
}

void TestShivizLog::namesAreMadeFit()
{
    trace::Chronicle chronicle;
    chronicle.messages = {said(0, "SET k\n1", 0), said(1, "GET k", 1)};
    const auto lines = linesOf(
        exports::shivizLog(chronicle, {"", {"a } \"b", "a___.b"}, {}, {"a____b"}, Instant()}));
    QCOMPARE(lines.size(), 4U);
    QCOMPARE(lines[0].host, std::string("a____b"));
    QCOMPARE(lines[0].event, std::string("sends SET k\\x0a1 to a____b_2"));
}

LOCKSCOPE_TEST(TestShivizLog, None)

} // namespace lockscope::tst_shiviz_log

#include "tst_shiviz_log.moc"
