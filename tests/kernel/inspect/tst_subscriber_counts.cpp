#include "core/kernel/inspect/subscriber_counts.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_subscriber_counts {

using inspect::subscriberCountsOf;
using store::Reply;

namespace {

using Counts = std::vector<std::optional<int>>;

Reply pairsOf(std::vector<Reply> counts)
{
    Reply::Array pairs;
    for (Reply& count : counts) {
        pairs.push_back(Reply::ofBulk("channel"));
        pairs.push_back(std::move(count));
    }
    return Reply::ofArray(std::move(pairs));
}

} // namespace

class TestSubscriberCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsComeInOrder();
    void aWrongNumberOfCountsTellsNothing();
    void whatIsNoCountIsUnknown();
};

void TestSubscriberCounts::countsComeInOrder()
{
    const Reply reply = pairsOf({Reply::ofInteger(3), Reply::ofInteger(0)});
    QVERIFY(subscriberCountsOf(reply, 2) == (Counts{3, 0}));
}

void TestSubscriberCounts::aWrongNumberOfCountsTellsNothing()
{
    const Counts unknown{std::nullopt, std::nullopt};
    QVERIFY(subscriberCountsOf(pairsOf({Reply::ofInteger(3)}), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofArray(Reply::Array(5)), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofArray({}), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofStatus("OK"), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofError("ERR no"), 2) == unknown);
}

void TestSubscriberCounts::whatIsNoCountIsUnknown()
{
    const Reply reply = pairsOf({Reply::ofInteger(-1), Reply(), Reply::ofBulk("7"),
                                 Reply::ofInteger(1)});
    QVERIFY(subscriberCountsOf(reply, 4) == (Counts{std::nullopt, std::nullopt, std::nullopt, 1}));
}

LOCKSCOPE_TEST(TestSubscriberCounts, Core)

} // namespace lockscope::tst_subscriber_counts

#include "tst_subscriber_counts.moc"
