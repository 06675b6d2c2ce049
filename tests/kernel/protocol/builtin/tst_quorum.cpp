#include "core/kernel/protocol/builtin/quorum.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_quorum {

using namespace lockscope::protocol;
using namespace lockscope::protocol::builtin;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Problem;

namespace {

const Instant kNow{1h};

Problem problemOfKind(Problem::Kind kind)
{
    Problem problem;
    problem.kind = kind;
    return problem;
}

Unavailable unreached(Problem::Kind kind = Problem::Kind::NotConnected)
{
    return Unavailable{problemOfKind(kind)};
}

Uncertain unanswered()
{
    return Uncertain{problemOfKind(Problem::Kind::ConnectionLost), std::nullopt};
}

} // namespace

class TestQuorum : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMajorityIsMoreThanHalf_data();
    void aMajorityIsMoreThanHalf();
    void answersAreCountedByKind();
    void whatStaysBehindOnAMajorityMayBeAHold();
    void whatStaysBehindOnFewerIsNone();
    void othersRefuseOnlyIfEnoughAnswered();
    void votesOfAllThatCameTooLateAreNobodysRefusal();
    void anExtensionEndsAtTheNewDeadline();
    void anExtensionIsNotLostWhileAMajorityMayStand();
    void aReleaseIsDoneOnceNoMajorityCanStand();
    void aReleaseOfWhatWasLostIsNone();
    void troubleThatMayPassIsReportedFirst();
};

void TestQuorum::aMajorityIsMoreThanHalf_data()
{
    QTest::addColumn<std::size_t>("nodeCount");
    QTest::addColumn<std::size_t>("majority");
    const std::size_t majorities[] = {1, 2, 2, 3, 3, 4, 4};
    for (std::size_t i = 0; i < std::size(majorities); ++i) {
        QTest::addRow("of %zu", i + 1) << i + 1 << majorities[i];
    }
}

void TestQuorum::aMajorityIsMoreThanHalf()
{
    QFETCH(const std::size_t, nodeCount);
    QFETCH(const std::size_t, majority);
    QCOMPARE(majorityOf(nodeCount), majority);
}

void TestQuorum::answersAreCountedByKind()
{
    const std::vector<AcquireOutcome> votes{Grant(), Refused(), Grant(), unanswered()};
    QCOMPARE(countOf<Boxed<Grant>>(votes), std::size_t{2});
    QCOMPARE(countOf<Refused>(votes), std::size_t{1});
    QCOMPARE(countOf<Unavailable>(votes), std::size_t{0});
}

void TestQuorum::whatStaysBehindOnAMajorityMayBeAHold()
{
    const std::vector<AcquireOutcome> votes{Grant(), unanswered(), Refused()};
    Grant possible;
    possible.token = "token";
    const auto outcome = afterWithdrawal(votes, 2, possible);
    QCOMPARE(std::get<Uncertain>(outcome).possible->token, Bytes("token"));
}

void TestQuorum::whatStaysBehindOnFewerIsNone()
{
    const std::vector<AcquireOutcome> votes{Grant(), unanswered(), Refused()};
    QCOMPARE(wordFor(afterWithdrawal(votes, 1, Grant())), std::string("refused"));
}

void TestQuorum::othersRefuseOnlyIfEnoughAnswered()
{
    const std::vector<AcquireOutcome> few{Refused(), unreached(), unreached()};
    QCOMPARE(wordFor(afterWithdrawal(few, 0, Grant())), std::string("unavailable"));
    const std::vector<AcquireOutcome> enough{Refused(), Grant(), unreached()};
    QCOMPARE(wordFor(afterWithdrawal(enough, 0, Grant())), std::string("refused"));
}

void TestQuorum::votesOfAllThatCameTooLateAreNobodysRefusal()
{
    const std::vector<AcquireOutcome> votes{Grant(), Grant(), Grant()};
    const auto outcome = afterWithdrawal(votes, 0, Grant());
    QCOMPARE(std::get<Unavailable>(outcome).problem->kind, Problem::Kind::ReplyTimedOut);
}

void TestQuorum::anExtensionEndsAtTheNewDeadline()
{
    const std::vector<RenewOutcome> votes{Renewed(), Renewed(), NotHeld()};
    const auto inTime = extension(votes, kNow + 1us, kNow);
    QCOMPARE(std::get<Renewed>(inTime).trustedUntil, std::optional(kNow + 1us));
    QCOMPARE(wordFor(extension(votes, kNow, kNow)), std::string("unavailable"));
}

void TestQuorum::anExtensionIsNotLostWhileAMajorityMayStand()
{
    const std::vector<RenewOutcome> open{Renewed(), NotHeld(), unreached()};
    QCOMPARE(wordFor(extension(open, kNow + 1s, kNow)), std::string("unavailable"));
    const std::vector<RenewOutcome> unknown{Renewed(), NotHeld(), unanswered()};
    QCOMPARE(wordFor(extension(unknown, kNow + 1s, kNow)), std::string("uncertain"));
    const std::vector<RenewOutcome> lost{Renewed(), NotHeld(), NotHeld{true}};
    QCOMPARE(wordFor(extension(lost, kNow + 1s, kNow)), std::string("another's"));
}

void TestQuorum::aReleaseIsDoneOnceNoMajorityCanStand()
{
    const std::vector<ReleaseOutcome> done{Released(), NotHeld(), unanswered()};
    QCOMPARE(wordFor(quorumRelease(done)), std::string("released"));
    const std::vector<ReleaseOutcome> open{Released(), unreached(), unanswered()};
    QCOMPARE(wordFor(quorumRelease(open)), std::string("uncertain"));
    const std::vector<ReleaseOutcome> unsent{Released(), unreached(), unreached()};
    QCOMPARE(wordFor(quorumRelease(unsent)), std::string("unavailable"));
}

void TestQuorum::aReleaseOfWhatWasLostIsNone()
{
    const std::vector<ReleaseOutcome> gone{Released(), NotHeld(), NotHeld()};
    QCOMPARE(wordFor(quorumRelease(gone)), std::string("gone"));
    const std::vector<ReleaseOutcome> taken{NotHeld(), NotHeld{true}, unanswered()};
    QCOMPARE(wordFor(quorumRelease(taken)), std::string("another's"));
}

void TestQuorum::troubleThatMayPassIsReportedFirst()
{
    const std::vector<AcquireOutcome> votes{unreached(Problem::Kind::NoPermission),
                                            unreached(Problem::Kind::Loading),
                                            unreached(Problem::Kind::NoPermission)};
    const auto outcome = afterWithdrawal(votes, 0, Grant());
    QCOMPARE(std::get<Unavailable>(outcome).problem->kind, Problem::Kind::Loading);
}

LOCKSCOPE_TEST(TestQuorum, Core)

} // namespace lockscope::tst_quorum

#include "tst_quorum.moc"
