// What is asked, and what the answers come to; the audited attempt is tst_holder_killer.

#include "core/kernel/inspect/client_kill.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_client_kill {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using store::Reply;

namespace {

const std::string kLine = "id=7 addr=10.0.0.7:51622 name=billing-worker-7 flags=N";

HolderClient client()
{
    return {{"10.0.0.7:51622", "billing-worker-7", "the token names the client", 7}, kLine};
}

struct Run {
    KillReport report;
    std::vector<std::string> asked;
};

Run killWith(std::vector<Reply> replies)
{
    VirtualLoop loop;
    ScriptedStore store(ScriptedStore::replies(std::move(replies)));
    Run run;
    run.report = loop.run(killClient(store, client()));
    run.asked = store.asked();
    return run;
}

} // namespace

class TestClientKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numberAndAddressAreComparedByTheServerToo();
    void whatIsStillListedIsNotProven();
    void anotherNameIsAnotherClient();
    void aServerThatDoesNotKnowTheQuestionRefuses();
};

void TestClientKill::numberAndAddressAreComparedByTheServerToo()
{
    const Run run = killWith({Reply::ofBulk(kLine + "\n"), Reply::ofInteger(1), Reply::ofBulk("")});
    QVERIFY(run.report.result == ReleaseResult::Released);
    QVERIFY(run.report.isProven);
    QCOMPARE(run.asked,
             (std::vector<std::string>{"CLIENT LIST ID 7", "CLIENT KILL ID 7 ADDR 10.0.0.7:51622",
                                       "CLIENT LIST ID 7"}));
    const Run gone = killWith({Reply::ofBulk(kLine + "\n"), Reply::ofInteger(0)});
    QVERIFY(gone.report.result == ReleaseResult::AlreadyGone);
}

void TestClientKill::whatIsStillListedIsNotProven()
{
    const Run run = killWith({Reply::ofBulk(kLine + "\n"), Reply::ofInteger(1),
                              Reply::ofBulk(kLine + "\n")});
    QVERIFY(run.report.result == ReleaseResult::Released);
    QVERIFY(!run.report.isProven);
}

void TestClientKill::anotherNameIsAnotherClient()
{
    const Run run = killWith({Reply::ofBulk("id=7 addr=10.0.0.7:51622 name=other flags=N\n")});
    QVERIFY(run.report.result == ReleaseResult::ChangedHands);
    QCOMPARE(run.asked.size(), std::size_t(1));
}

void TestClientKill::aServerThatDoesNotKnowTheQuestionRefuses()
{
    const Run run = killWith({Reply::ofError("ERR syntax error")});
    QVERIFY(run.report.result == ReleaseResult::Refused);
    QVERIFY(run.report.problem.kind == store::Problem::Kind::ServerRefused);
}

LOCKSCOPE_TEST(TestClientKill, None)

} // namespace lockscope::tst_client_kill

#include "tst_client_kill.moc"
