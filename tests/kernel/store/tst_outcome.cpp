#include "core/kernel/store/outcome.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_outcome {

using namespace lockscope::store;

class TestOutcome : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReplyThatIsNoErrorIsNoProblem();
    void aServerErrorIsClassified();
    void aBrokenLinkKeepsItsProblem();
    void onlyAReplyHasAReply();
};

void TestOutcome::aReplyThatIsNoErrorIsNoProblem()
{
    QCOMPARE(problemOf(Outcome(Reply::ofStatus("OK"))), std::nullopt);
    QCOMPARE(problemOf(Outcome(Reply())), std::nullopt);
    // An error inside of an array is the business of the code that reads the array.
    QCOMPARE(problemOf(Outcome(Reply::ofArray({Reply::ofError("ERR x")}))), std::nullopt);
}

void TestOutcome::aServerErrorIsClassified()
{
    const auto problem = problemOf(Outcome(Reply::ofError("NOAUTH Authentication required.")));
    QVERIFY(problem.has_value());
    QCOMPARE(problem->kind, Problem::Kind::PasswordNeeded);
}

void TestOutcome::aBrokenLinkKeepsItsProblem()
{
    const Problem refused{Problem::Kind::ConnectionRefused, "Connection refused", {}, {}};
    const Problem late{Problem::Kind::ReplyTimedOut, {}, {}, {}};
    QCOMPARE(problemOf(Outcome(Unreachable{refused})), std::optional(refused));
    QCOMPARE(problemOf(Outcome(Unknown{late})), std::optional(late));
}

void TestOutcome::onlyAReplyHasAReply()
{
    const Outcome answered(Reply::ofInteger(3));
    QVERIFY(replyOf(answered) != nullptr);
    QCOMPARE(replyOf(answered)->integer(), std::optional<std::int64_t>(3));
    QCOMPARE(replyOf(Outcome(Unknown{})), nullptr);
    QCOMPARE(replyOf(Outcome(Unreachable{})), nullptr);
}

LOCKSCOPE_TEST(TestOutcome, Core)

} // namespace lockscope::tst_outcome

#include "tst_outcome.moc"
