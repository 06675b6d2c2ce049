#include "core/wire/connection/request_queue.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <deque>

namespace lockscope::tst_request_queue {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::RequestQueue;

namespace {

constexpr std::size_t kRequestSize = 10;
constexpr std::size_t kReplySize = 100;
const Problem kLost{Problem::Kind::ConnectionLost, "gone", {}, {}};

struct Bench {
    VirtualLoop loop;
    RequestQueue queue;
    std::deque<StartedTask<Outcome>> requests;

    /// A request that is sent now and waited for.
    void send(Duration patience = 5s)
    {
        requests.push_back(loop.start(resultOf(queue.add(kRequestSize, loop.now(),
                                                         loop.now() + patience))));
    }
    void answer(std::int64_t number)
    {
        static_cast<void>(queue.answer(Reply::ofInteger(number), kReplySize, loop.now()));
        loop.settle();
    }
    /// "3", "unknown", "unreachable", or "waits".
    std::string resultOfRequest(std::size_t index) const
    {
        if (!requests[index].isFinished()) {
            return "waits";
        }
        const Outcome& outcome = requests[index].result();
        if (const Reply* const reply = replyOf(outcome)) {
            return std::to_string(reply->integer().value());
        }
        return std::holds_alternative<store::Unknown>(outcome) ? "unknown" : "unreachable";
    }
    std::vector<std::string> results() const
    {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            texts.push_back(resultOfRequest(i));
        }
        return texts;
    }
};

using Results = std::vector<std::string>;

} // namespace

class TestRequestQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repliesAnswerRequestsInOrder();
    void aReplyThatNobodyAskedForIsNoAnswer();
    void aRequestWhoseWaiterIsGoneStillTakesItsReply();
    void aRequestThatTimedOutStillTakesItsReply();
    void deadlinesPassInOrder();
    void aBatchIsAnsweredAsAWhole();
    void aBatchMayTimeOutInTheMiddle();
    void aDroppedBatchStillTakesItsReplies();
    void whatWasWrittenIsUnknownTheRestUnreachable_data();
    void whatWasWrittenIsUnknownTheRestUnreachable();
    void afterABreakTheStreamBeginsAnew();
    void theServersTimeIsMeasuredFromTheAnswerBefore();
    void theNextDeadlineSkipsTheAbandoned();
};

void TestRequestQueue::repliesAnswerRequestsInOrder()
{
    Bench bench;
    bench.send();
    bench.send();
    bench.send();
    bench.answer(1);
    QCOMPARE(bench.results(), (Results{"1", "waits", "waits"}));
    bench.answer(2);
    bench.answer(3);
    QCOMPARE(bench.results(), (Results{"1", "2", "3"}));
    QVERIFY(bench.queue.isEmpty());
}

void TestRequestQueue::aReplyThatNobodyAskedForIsNoAnswer()
{
    RequestQueue queue;
    QVERIFY(!queue.answer(Reply::ofInteger(1), kReplySize, Instant(1s)));
}

void TestRequestQueue::aRequestWhoseWaiterIsGoneStillTakesItsReply()
{
    Bench bench;
    bench.send();
    bench.send();
    bench.requests.pop_front();
    bench.answer(1);
    QCOMPARE(bench.results(), (Results{"waits"}));
    bench.answer(2);
    QCOMPARE(bench.results(), (Results{"2"}));
}

void TestRequestQueue::aRequestThatTimedOutStillTakesItsReply()
{
    Bench bench;
    bench.send();
    bench.loop.advance(5s);
    QCOMPARE(bench.queue.expire(bench.loop.now()), std::size_t(1));
    bench.send();
    bench.loop.settle();
    QCOMPARE(bench.results(), (Results{"unknown", "waits"}));
    bench.answer(1);
    QCOMPARE(bench.results(), (Results{"unknown", "waits"}));
    bench.answer(2);
    QCOMPARE(bench.results(), (Results{"unknown", "2"}));
}

void TestRequestQueue::deadlinesPassInOrder()
{
    Bench bench;
    for (int i = 0; i < 3; ++i) {
        bench.send();
        bench.loop.advance(1s);
    }
    QCOMPARE(bench.queue.expire(bench.loop.now()), std::size_t(0));
    bench.loop.advance(3s); // six seconds after the first, five after the second
    QCOMPARE(bench.queue.expire(bench.loop.now()), std::size_t(2));
    QCOMPARE(bench.queue.expire(bench.loop.now()), std::size_t(0));
    bench.loop.settle();
    QCOMPARE(bench.results(), (Results{"unknown", "unknown", "waits"}));
    QVERIFY(std::get<store::Unknown>(bench.requests[0].result()).problem->kind
            == Problem::Kind::ReplyTimedOut);
    QCOMPARE(bench.queue.size(), std::size_t(3));
}

void TestRequestQueue::aBatchIsAnsweredAsAWhole()
{
    Bench bench;
    const auto batch = bench.loop.start(
        resultOf(bench.queue.addBatch({10, 10, 10}, bench.loop.now(), bench.loop.now() + 5s)));
    bench.answer(1);
    bench.answer(2);
    QVERIFY(!batch.isFinished());
    QCOMPARE(bench.queue.heldBytes(), 2 * kReplySize);
    bench.answer(3);
    QVERIFY(batch.isFinished());
    QCOMPARE(bench.queue.heldBytes(), std::size_t(0));
    QVERIFY(batch.result()
            == (std::vector<Outcome>{Reply::ofInteger(1), Reply::ofInteger(2),
                                     Reply::ofInteger(3)}));
}

void TestRequestQueue::aBatchMayTimeOutInTheMiddle()
{
    Bench bench;
    const auto batch = bench.loop.start(resultOf(bench.queue.addBatch({10, 10}, bench.loop.now(),
                                                                      bench.loop.now() + 5s)));
    bench.answer(1);
    bench.loop.advance(5s);
    QCOMPARE(bench.queue.expire(bench.loop.now()), std::size_t(1));
    bench.loop.settle();
    QVERIFY(batch.isFinished());
    QCOMPARE(bench.queue.heldBytes(), std::size_t(0));
    QVERIFY(batch.result()[0] == Outcome(Reply::ofInteger(1)));
    QVERIFY(std::holds_alternative<store::Unknown>(batch.result()[1]));
    bench.send();
    bench.answer(2); // the late answer of the batch
    QCOMPARE(bench.results(), (Results{"waits"}));
}

void TestRequestQueue::aDroppedBatchStillTakesItsReplies()
{
    Bench bench;
    {
        const auto batch = bench.loop.start(
            resultOf(bench.queue.addBatch({10, 10}, bench.loop.now(), bench.loop.now() + 5s)));
    }
    bench.send();
    bench.answer(1);
    bench.answer(2);
    QCOMPARE(bench.results(), (Results{"waits"}));
    bench.answer(3);
    QCOMPARE(bench.results(), (Results{"3"}));
}

void TestRequestQueue::whatWasWrittenIsUnknownTheRestUnreachable_data()
{
    QTest::addColumn<int>("writtenCount");
    QTest::addColumn<int>("unknownCount");
    QTest::newRow("nothing") << 0 << 0;
    QTest::newRow("all but a byte of the first") << 9 << 0;
    QTest::newRow("the first") << 10 << 1;
    QTest::newRow("half of the second") << 15 << 1;
    QTest::newRow("everything") << 30 << 3;
}

void TestRequestQueue::whatWasWrittenIsUnknownTheRestUnreachable()
{
    QFETCH(const int, writtenCount);
    QFETCH(const int, unknownCount);
    Bench bench;
    for (int i = 0; i < 3; ++i) {
        bench.send();
    }
    bench.queue.breakOff(static_cast<std::uint64_t>(writtenCount), kLost);
    bench.loop.settle();
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(bench.resultOfRequest(std::size_t(i)),
                 std::string(i < unknownCount ? "unknown" : "unreachable"));
        const Outcome& outcome = bench.requests[std::size_t(i)].result();
        QVERIFY(problemOf(outcome) == kLost);
    }
    QVERIFY(bench.queue.isEmpty());
}

void TestRequestQueue::afterABreakTheStreamBeginsAnew()
{
    Bench bench;
    bench.send();
    bench.answer(1);
    bench.send();
    bench.queue.breakOff(20, kLost);
    bench.send();
    bench.queue.breakOff(0, kLost); // nothing of the new stream was written
    bench.loop.settle();
    QCOMPARE(bench.results(), (Results{"1", "unknown", "unreachable"}));
    bench.send();
    bench.answer(4);
    QCOMPARE(bench.resultOfRequest(3), std::string("4"));
}

void TestRequestQueue::theServersTimeIsMeasuredFromTheAnswerBefore()
{
    Bench bench;
    bench.send();
    bench.send();
    bench.loop.advance(3ms);
    QVERIFY(bench.queue.answer(Reply(), kReplySize, bench.loop.now()) == 3ms);
    bench.loop.advance(1ms);
    QVERIFY(bench.queue.answer(Reply(), kReplySize, bench.loop.now()) == 1ms); // it was in the
                                                                               // pipeline before
}

void TestRequestQueue::theNextDeadlineSkipsTheAbandoned()
{
    Bench bench;
    QVERIFY(!bench.queue.nextDeadline());
    QVERIFY(!bench.queue.oldestSentAt());
    const Instant start = bench.loop.now();
    bench.send();
    bench.loop.advance(1s);
    bench.send();
    QVERIFY(bench.queue.nextDeadline() == start + 5s);
    QVERIFY(bench.queue.oldestSentAt() == start);
    static_cast<void>(bench.queue.expire(start + 5s));
    QVERIFY(bench.queue.nextDeadline() == start + 6s);
    static_cast<void>(bench.queue.expire(start + 6s));
    QVERIFY(!bench.queue.nextDeadline());
    QVERIFY(bench.queue.oldestSentAt() == start);
}

LOCKSCOPE_TEST(TestRequestQueue, Core)

} // namespace lockscope::tst_request_queue

#include "tst_request_queue.moc"
