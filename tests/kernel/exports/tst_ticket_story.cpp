#include "core/kernel/exports/ticket_story.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_ticket_story {

namespace {

bool isIn(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestTicketStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTicketHasEverythingInIt();
    void aCellVerdictMakesATicket();
    void theProtocolIsSaidOnceInEveryLanguage();
    void whatHeldHasNoStory();
};

void TestTicketStory::aTicketHasEverythingInIt()
{
    const std::string text = exports::ticketStory(exports::ticketOf(testing::recordedExample()));
    QVERIFY2(text.starts_with("# set-nx-px-token: mutual-exclusion is broken\n\nProtocol "),
             text.c_str());
    QVERIFY2(isIn(text, "- `mutual-exclusion`: **broken at 10.001 s** (promised, double-belief): "
                        "A and B both hold k\n"),
             text.c_str());
    QVERIFY2(isIn(text, "with a token; plan \"two at once\"\n"), text.c_str());
    QVERIFY(isIn(text, "- `progress`: held within the bound (not promised)\n"));
    QVERIFY(isIn(text, "## What goes wrong\n\n- pause: a client stands still\n"));
    QVERIFY(isIn(text, "1. 0.000 s: A sends SET k \\*1\\* NX: OK\n"
                       "2. 10.000 s: **A and B both hold k**\n"));
    QVERIFY(isIn(text, "```sh\nlockscope-cli replay 'my run.json'\n```\n"));
    QVERIFY(text.ends_with("- The protocol promises it as long as nobody is late.\n"));
}

void TestTicketStory::aCellVerdictMakesATicket()
{
    report::CellVerdict verdict;
    verdict.result.status = search::PromiseResult::Status::Broken;
    verdict.result.isPromised = true;
    search::Finding finding;
    finding.violation.at = Instant(std::chrono::seconds(3));
    finding.violation.other = 1;
    const auto pause = world::Step::ofFault(world::FaultKind::Pause, 0, 0);
    finding.steps = {pause, pause, world::Step()};
    verdict.result.finding = finding;
    verdict.plan.name = "two";
    verdict.story = {{Instant(), 0, "A stands still", false}};
    search::Coverage coverage;
    coverage.schedules = 12;
    const auto& info = protocol::findProtocol("set-nx-px-token")->info();
    const exports::Ticket ticket = exports::ticketOf(info, verdict, "again", coverage);
    QCOMPARE(ticket.title, std::string("set-nx-px-token: mutual-exclusion is broken"));
    QCOMPARE(ticket.faults.size(), 1U);
    QVERIFY(ticket.faults.front().starts_with("pause: "));
    QVERIFY(ticket.assumptions.size() >= 2); // what the claim assumes, and the bound
    QVERIFY(ticket.assumptions.back().starts_with("12 schedules were explored"));
    QVERIFY(isIn(exports::ticketStory(ticket), "; plan \"two\"\n"));
}

void TestTicketStory::theProtocolIsSaidOnceInEveryLanguage()
{
    report::RunFile run = testing::recordedExample();
    run.labels.title = "set-nx-px-token，方案“two at once”"; // as a Chinese window names it
    QCOMPARE(exports::ticketOf(run).run, std::string("方案“two at once”"));
    run.labels.title = "set-nx-px-tokens, another";
    QCOMPARE(exports::ticketOf(run).run, run.labels.title);
}

void TestTicketStory::whatHeldHasNoStory()
{
    report::CellVerdict verdict;
    verdict.result.status = search::PromiseResult::Status::Held;
    const auto& info = protocol::findProtocol("redlock")->info();
    const std::string text = exports::ticketStory(exports::ticketOf(info, verdict, {}));
    QVERIFY2(text.starts_with("# redlock: no violation\n"), text.c_str());
    QVERIFY(!isIn(text, "## Story") && !isIn(text, "```"));
}

LOCKSCOPE_TEST(TestTicketStory, None)

} // namespace lockscope::tst_ticket_story

#include "tst_ticket_story.moc"
