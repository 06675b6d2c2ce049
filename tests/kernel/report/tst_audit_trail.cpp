// The chain of the audit file: whatever is done to its lines afterwards is found, and said.

#include "core/kernel/report/audit_chain.h"
#include "core/kernel/report/audit_trail.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_audit_trail {

using namespace lockscope::report;

namespace {

std::string sha256(std::string_view bytes)
{
    const QByteArrayView view(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

using Lines = std::vector<std::string>;

std::string fileOf(const Lines& lines)
{
    std::string file;
    for (const std::string& line : lines) {
        file += line + '\n';
    }
    return file;
}

/// What the file is after this line was written to it.
void append(std::string& file, std::string_view line)
{
    const std::size_t from = lastLinked(file, true).value_or(0);
    const AuditLink link = nextLink(std::string_view(file).substr(from), sha256);
    file += (file.empty() || file.ends_with('\n') ? "" : "\n") + linked(line, link) + '\n';
}

std::string lineOf(int attempt, const std::string& event)
{
    Json line{{"time", "2026-11-19T13:50:02.123Z"},
              {"event", event},
              {"attempt", "a" + std::to_string(attempt)},
              {"user", "ada"},
              {"sudoUser", nullptr},
              {"host", "ops-1"},
              {"program", "t 1"},
              {"process", 7},
              {"server", "h:1"},
              {"db", 0},
              {"key", "order:" + std::to_string(attempt)},
              {"named", nullptr},
              {"holders", Json::array({Json{{"owner", "A"}, {"holds", 1}}})},
              {"action", "release"},
              {"reason", "stuck"}};
    if (event == "outcome") {
        line["outcome"] = "released";
        line["detail"] = nullptr;
    }
    return line.dump();
}

/// The lines of a file with some attempts.
Lines attempts(int count)
{
    std::string file;
    for (int i = 0; i < count; ++i) {
        append(file, lineOf(i, "intent"));
        append(file, lineOf(i, "outcome"));
    }
    Lines lines;
    for (std::size_t at = 0; at < file.size();) {
        const std::size_t end = file.find('\n', at);
        lines.push_back(file.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

AuditTrail read(const std::string& file)
{
    return readAuditTrail(file, sha256);
}

} // namespace

class TestAuditTrail : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesCarryTheirNumberAndTheHashOfTheOneBefore();
    void whatWasWrittenIsIntact();
    void anyChangedByteIsFound();
    void aRemovedLineIsFound();
    void anExchangeOfLinesIsFound();
    void anInsertedLineIsFound();
    void aRemovedEndIsFoundByAHashThatWasKept();
    void oldLinesAreSealedWhenTheChainBegins();
    void aTornLineIsSaidAndSealed();
    void aLineWithoutALinkBreaksTheChain();
    void attemptsAreMadeOfTheirLines();
    void filtersChoose();
    void timesAreRead_data();
    void timesAreRead();
    void csvAndJsonHaveTheSameMembers();
};

void TestAuditTrail::linesCarryTheirNumberAndTheHashOfTheOneBefore()
{
    QCOMPARE(linked("{}", {1, "ab"}), std::string("{\"number\":1,\"previous\":\"ab\"}"));
    QCOMPARE(linked("{\"a\":{}}", {2, "ab"}),
             std::string("{\"a\":{},\"number\":2,\"previous\":\"ab\"}"));
    std::string file;
    append(file, "{}");
    const std::string first = file.substr(0, file.size() - 1);
    QCOMPARE(*linkOf(Json::parse(first)), (AuditLink{1, sha256("")}));
    append(file, "{}");
    const std::string second = file.substr(first.size() + 1);
    QCOMPARE(*linkOf(Json::parse(second)), (AuditLink{2, sha256(first)}));
    QCOMPARE(*lastLinked(file, true), first.size() + 1);
    QCOMPARE(lastLinked(second, false), std::optional<std::size_t>()); // it may be an end
}

void TestAuditTrail::whatWasWrittenIsIntact()
{
    const AuditTrail trail = read(fileOf(attempts(3)));
    QVERIFY(trail.chain.isIntact());
    QCOMPARE(trail.chain.linkedCount, std::uint64_t(6));
    QCOMPARE(trail.chain.firstLinked, std::uint64_t(1));
    QCOMPARE(trail.chain.head(), sha256(attempts(3).back()));
    QCOMPARE(chainSentence(trail.chain), std::string("Intact: 6 lines, each as it was written."));
    QCOMPARE(chainSentence(read("").chain), std::string("The file is empty."));
}

void TestAuditTrail::anyChangedByteIsFound()
{
    testing::RandomInput input;
    const std::string file = fileOf(attempts(4));
    const std::size_t lastLine = file.rfind('\n', file.size() - 2);
    for (int i = 0; i < 300; ++i) {
        std::string changed = file;
        const std::size_t at = input.rng().below(lastLine); // the last line has no witness yet
        const char other = static_cast<char>('a' + input.rng().below(26));
        changed[at] = changed[at] == other ? '#' : other;
        const AuditTrail trail = read(changed);
        QVERIFY2(!trail.chain.isIntact(), input.recipe(changed).c_str());
    }
}

void TestAuditTrail::aRemovedLineIsFound()
{
    const Lines whole = attempts(4);
    for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
        Lines lines = whole;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        const AuditTrail trail = read(fileOf(lines));
        QCOMPARE(trail.chain.brokenAt, std::uint64_t(i + 1));
        QCOMPARE(trail.chain.fault, "Its number is " + std::to_string(i + 2) + " instead of "
                                        + std::to_string(i + 1)
                                        + ": lines were removed, inserted or moved.");
    }
}

void TestAuditTrail::anExchangeOfLinesIsFound()
{
    const Lines whole = attempts(4);
    for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
        Lines lines = whole;
        std::swap(lines[i], lines[i + 1]);
        QCOMPARE(read(fileOf(lines)).chain.brokenAt, std::uint64_t(i + 1));
    }
}

void TestAuditTrail::anInsertedLineIsFound()
{
    const Lines whole = attempts(2);
    for (std::size_t i = 1; i < whole.size(); ++i) {
        Lines lines = whole;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), whole[i]);
        QCOMPARE(read(fileOf(lines)).chain.brokenAt, std::uint64_t(i + 2)); // the copy comes first
    }
}

void TestAuditTrail::aRemovedEndIsFoundByAHashThatWasKept()
{
    Lines lines = attempts(3);
    const std::string head = read(fileOf(lines)).chain.head();
    QCOMPARE(*read(fileOf(attempts(5))).chain.linesSince(head), std::uint64_t(4));
    const AuditTrail same = read(fileOf(lines));
    QCOMPARE(expectedHashSentence(same.chain, head),
             std::string("The last line has the expected hash."));
    lines.pop_back();
    const AuditTrail shorter = read(fileOf(lines));
    QVERIFY(shorter.chain.isIntact()); // which is why the hash has to be kept
    QVERIFY(!shorter.chain.linesSince(head));
    QVERIFY(expectedHashSentence(shorter.chain, head).starts_with("No line has the expected hash"));
}

void TestAuditTrail::oldLinesAreSealedWhenTheChainBegins()
{
    std::string file = lineOf(0, "intent") + '\n' + lineOf(0, "outcome") + '\n';
    const AuditTrail old = read(file);
    QVERIFY(old.chain.isIntact());
    QVERIFY(chainSentence(old.chain).starts_with("Not verifiable"));
    append(file, lineOf(1, "intent"));
    append(file, lineOf(1, "outcome"));
    const AuditTrail trail = read(file);
    QVERIFY(trail.chain.isIntact());
    QCOMPARE(trail.chain.firstLinked, std::uint64_t(3));
    QVERIFY(chainSentence(trail.chain).find("Lines 1 to 2 are older") != std::string::npos);
    file[20] = '#';
    QCOMPARE(read(file).chain.brokenAt, std::uint64_t(3));
    QVERIFY(read(file).chain.fault.find("before the chain") != std::string::npos);
}

void TestAuditTrail::aTornLineIsSaidAndSealed()
{
    std::string file = fileOf(attempts(1));
    file += "{\"torn\":\"ha";
    QCOMPARE(read(file).chain.torn, std::vector<std::uint64_t>{3});
    QVERIFY(read(file).chain.isIntact());
    append(file, lineOf(2, "intent"));
    append(file, lineOf(2, "outcome"));
    const AuditTrail trail = read(file);
    QVERIFY2(trail.chain.isIntact(), trail.chain.fault.c_str());
    QVERIFY(chainSentence(trail.chain).find("Line 3 cannot be read") != std::string::npos);
    file[file.find("torn")] = '#';
    QCOMPARE(read(file).chain.brokenAt, std::uint64_t(4));
}

void TestAuditTrail::aLineWithoutALinkBreaksTheChain()
{
    std::string file = fileOf(attempts(1));
    file += lineOf(1, "intent") + '\n';
    const AuditTrail trail = read(file);
    QCOMPARE(trail.chain.brokenAt, std::uint64_t(3));
    QVERIFY(trail.chain.fault.find("not part of the chain") != std::string::npos);
    QCOMPARE(trail.records.size(), std::size_t(2)); // it is shown all the same
}

void TestAuditTrail::attemptsAreMadeOfTheirLines()
{
    std::string file = fileOf(attempts(1));
    append(file, lineOf(7, "intent"));
    const AuditTrail trail = read(file);
    QCOMPARE(trail.records.size(), std::size_t(2));
    const AuditRecord& whole = trail.records.front();
    QCOMPARE(whole.outcome, std::string("released"));
    QCOMPARE(whole.key, std::string("order:0"));
    QCOMPARE(whole.owners, std::string("A"));
    QCOMPARE(whole.user, std::string("ada"));
    QCOMPARE(whole.intentLine, std::uint64_t(1));
    QCOMPARE(whole.outcomeLine, std::uint64_t(2));
    QCOMPARE(whole.outcomeText, std::string_view(attempts(1).back()));
    QCOMPARE(trail.records.back().outcome, std::string(kInterruptedOutcome));
    QCOMPARE(trail.records.back().outcomeLine, std::uint64_t(0));
}

void TestAuditTrail::filtersChoose()
{
    const AuditTrail trail = read(fileOf(attempts(1)));
    const AuditRecord& record = trail.records.front();
    const auto accepts = [&record](AuditFilter filter) { return filter.accepts(record); };
    QVERIFY(accepts({}));
    QVERIFY(accepts({.key = "order:*"}) && !accepts({.key = "order"}));
    QVERIFY(accepts({.server = "h"}) && !accepts({.server = "other"}));
    QVERIFY(accepts({.outcome = "released"}) && !accepts({.outcome = "refused"}));
    QVERIFY(accepts({.words = "STUCK order"}) && !accepts({.words = "stuck elsewhere"}));
    AuditFilter since;
    since.since = wallTimeOfText("2026-11-19T13:50:02.123Z");
    QVERIFY(accepts(since));
    since.since = *since.since + std::chrono::milliseconds(1);
    QVERIFY(!accepts(since));
}

void TestAuditTrail::timesAreRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("time"); // empty: it is none
    const auto row = [](const char* text, const char* time) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(time);
    };
    row("2026-11-26", "2026-11-26T00:00:00.000Z");
    row("2026-11-26T14:03", "2026-11-26T14:03:00.000Z");
    row("2026-11-26 14:03", "2026-11-26T14:03:00.000Z");
    row("2026-11-26T14:03:22Z", "2026-11-26T14:03:22.000Z");
    row("2026-11-26T14:03:22.123Z", "2026-11-26T14:03:22.123Z");
    row("", "");
    row("2026", "");
    row("2h", "");
    row("2026-13-01", "");
    row("2026-02-30", "");
    row("2026-11-26T", "");
    row("2026-11-26T14", "");
    row("2026-11-26T25:00", "");
    row("2026-11-26T14:03:22.1", "");
    row("2026-11-26T14:03x", "");
    row("abcd-11-26", "");
}

void TestAuditTrail::timesAreRead()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, time);
    const std::optional<WallTime> read = wallTimeOfText(text.toStdString());
    QCOMPARE(read ? isoTime(*read) : std::string(), time.toStdString());
}

void TestAuditTrail::csvAndJsonHaveTheSameMembers()
{
    const AuditTrail trail = read(fileOf(attempts(1)));
    const std::vector<const AuditRecord*> records{&trail.records.front()};
    std::string names;
    const Json json = auditRecordJson(trail.records.front());
    for (const auto& member : json.items()) {
        names += (names.empty() ? "" : ",") + member.key();
    }
    const std::string csv = auditCsv(records);
    QVERIFY2(csv.starts_with(names + "\r\n"), csv.c_str());
    QCOMPARE(csv.substr(names.size() + 2),
             std::string("2026-11-19T13:50:02.123Z,a0,h:1,0,order:0,release,A,released,,stuck,ada,"
                         "ops-1,t 1,7,1,2\r\n"));
    QCOMPARE(Json::parse(auditJson(records)).dump(), Json::array({json}).dump());
}

LOCKSCOPE_TEST(TestAuditTrail, Core)

} // namespace lockscope::tst_audit_trail

#include "tst_audit_trail.moc"
