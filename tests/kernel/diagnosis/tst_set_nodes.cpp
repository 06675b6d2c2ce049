#include "core/kernel/diagnosis/set_nodes.h"
#include "core/kernel/report/wording.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_set_nodes {

using namespace lockscope::diagnosis;
using namespace lockscope::inspect;
using namespace std::chrono_literals;
using Vote = SetNode::Vote;

namespace {

constexpr Instant kNow{1h};

SetNode voteOf(Vote vote)
{
    SetNode node;
    node.vote = vote;
    node.owner = "5f0c9a41";
    node.expiresAt = kNow + 28s;
    return node;
}

LockRecord rowWith(Quorum quorum, std::size_t ownerCount = 1)
{
    LockRecord row;
    row.seldom->quorum = quorum;
    row.holders.resize(ownerCount);
    return row;
}

} // namespace

class TestSetNodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyVoteIsSaid();
    void theClockIsSaidAsFarAsItIsKnown();
    void factsAreAddedToTheirServer();
    void theVotesAreSummedUp();
    void whatIsNotKnownIsNull();
};

void TestSetNodes::everyVoteIsSaid()
{
    QCOMPARE(nodeText(voteOf(Vote::SameOwner), kNow), std::string("5f0c9a41, expires in 28.0 s"));
    QCOMPARE(nodeText(voteOf(Vote::OtherOwner), kNow), std::string("5f0c9a41, expires in 28.0 s"));
    QCOMPARE(nodeText(voteOf(Vote::SameOwner), kNow + 3s),
             std::string("5f0c9a41, expires in 25.0 s"));
    SetNode forGood = voteOf(Vote::SameOwner);
    forGood.expiresAt.reset();
    QCOMPARE(nodeText(forGood, kNow), std::string("5f0c9a41, no expiry"));
    QCOMPARE(nodeText(voteOf(Vote::None), kNow), std::string("no such key"));
    QCOMPARE(nodeText(voteOf(Vote::OtherKey), kNow), std::string("a key that is no vote"));
    QCOMPARE(nodeText(voteOf(Vote::Unknown), kNow), std::string("unknown: no reply"));
    SetNode away = voteOf(Vote::Unknown);
    away.problem.kind = store::Problem::Kind::ConnectionRefused;
    QVERIFY2(nodeText(away, kNow).starts_with("unknown: "), nodeText(away, kNow).c_str());
    QVERIFY(nodeText(away, kNow) != "unknown: no reply");
}

void TestSetNodes::theClockIsSaidAsFarAsItIsKnown()
{
    SetNode node = voteOf(Vote::None);
    node.clockAhead = 1ms;
    node.clockUncertainty = 1200us;
    QCOMPARE(nodeText(node, kNow), std::string("no such key · clock agrees (± 1.2 ms)"));
    node.clockAhead = 31ms;
    node.replyTime = 400us;
    QCOMPARE(nodeText(node, kNow),
             std::string("no such key · clock 31.0 ms ahead (± 1.2 ms) · replied in 0.4 ms"));
    node.replyTime = 40us;
    QVERIFY(nodeText(node, kNow).ends_with("replied in < 0.1 ms"));
    node.replyTime = 400us;
    node.clockAhead = -2500ms;
    QCOMPARE(nodeText(node, kNow),
             std::string("no such key · clock 2.5 s behind (± 1.2 ms) · replied in 0.4 ms"));
}

void TestSetNodes::factsAreAddedToTheirServer()
{
    std::vector<SetNode> nodes(2);
    nodes[1].server = 1;
    ServerFacts facts;
    facts.server = 1;
    facts.clockAhead = 5ms;
    facts.clockUncertainty = 300us;
    facts.replyTime = 600us;
    addFacts(nodes, std::vector{facts});
    QVERIFY(!nodes[0].clockAhead && !nodes[0].replyTime);
    QVERIFY(nodes[1].clockAhead == Duration(5ms));
    QVERIFY(nodes[1].clockUncertainty == Duration(1300us)); // a millisecond cannot be told apart
    QVERIFY(nodes[1].replyTime == Duration(600us));
}

void TestSetNodes::theVotesAreSummedUp()
{
    QCOMPARE(votesText(rowWith({3, 5})), std::string("3 of 5 servers, a majority (3 are needed)"));
    QCOMPARE(votesText(rowWith({2, 5}, 2)),
             std::string("2 of 5 servers: split, nobody has a majority (3 are needed)"));
    QCOMPARE(votesText(rowWith({2, 5})),
             std::string("2 of 5 servers, not a majority (3 are needed)"));
    Quorum open{2, 5};
    open.addUnknown(4);
    QCOMPARE(votesText(rowWith(open, 2)),
             std::string("2 of 5 servers, 1 unknown: it is not known whether it is held (3 are "
                         "needed)"));
    QVERIFY(quorumStateOf(rowWith({3, 5}, 2)) == QuorumState::Majority);
    Quorum lost{0, 3};
    lost.addUnknown(1);
    LockRecord leftover = rowWith(lost);
    QCOMPARE(votesText(leftover),
             std::string("0 of 3 servers, 1 unknown, not a majority (2 are needed)"));
    leftover.flags.add(Flag::Minority);
    QVERIFY(report::verdictOf(leftover, kNow).reason.starts_with("At most 1 of 3 servers have"));
}

void TestSetNodes::whatIsNotKnownIsNull()
{
    const report::Json json = nodeJson(SetNode(), "a:6379", kNow);
    QCOMPARE(json["server"].get<std::string>(), std::string("a:6379"));
    QCOMPARE(json["vote"].get<std::string>(), std::string("unknown"));
    for (const char* const member :
         {"owner", "ttlMs", "clockAheadMs", "clockUncertaintyMs", "replyMs", "problem"}) {
        QVERIFY2(json[member].is_null(), member);
    }
    SetNode known = voteOf(Vote::SameOwner);
    known.clockAhead = -3ms;
    known.clockUncertainty = 1250us;
    known.replyTime = 500us;
    QCOMPARE(nodeJson(known, "a", kNow)["clockAheadMs"].dump(), std::string("-3.0"));
    QCOMPARE(nodeJson(known, "a", kNow)["clockUncertaintyMs"].dump(), std::string("1.25"));
    QCOMPARE(nodeJson(known, "a", kNow)["replyMs"].dump(), std::string("0.5"));
    QCOMPARE(nodeJson(known, "a", kNow)["ttlMs"].dump(), std::string("28000"));
}

LOCKSCOPE_TEST(TestSetNodes, Core)

} // namespace lockscope::tst_set_nodes

#include "tst_set_nodes.moc"
