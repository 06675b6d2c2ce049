#include "core/kernel/sim/subscriptions.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_subscriptions {

using namespace lockscope::testing;

namespace {

struct Hall {
    sim::Subscriptions subscriptions;
    std::vector<sim::Delivery> deliveries;

    /// What is said because of it: "2: [...]; 3: [...]".
    QByteArray run(sim::SessionId who, std::string_view line)
    {
        const store::Command command(SimTalk::wordsOf(line));
        subscriptions.run(command.words.front(), command, who, deliveries);
        return heard();
    }
    QByteArray publish(const Bytes& channel)
    {
        const std::int64_t count = subscriptions.publish(sim::ChannelKind::Global, channel, "hi",
                                                         deliveries);
        return QByteArray::number(static_cast<qlonglong>(count)) + " - " + heard();
    }
    QByteArray heard()
    {
        QByteArray text;
        for (const sim::Delivery& delivery : std::exchange(deliveries, {})) {
            text += (text.isEmpty() ? "" : "; ") + QByteArray::number(delivery.session) + ": "
                    + QByteArray::fromStdString(replyText(delivery.reply));
        }
        return text;
    }
};

} // namespace

class TestSubscriptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void channelsAreHeardInTheOrderOfSubscription();
    void patternsAreHeardAfterNames();
    void subscriptionsOfBothKindsAreCountedTogether();
    void whoLeavesHearsNothing();
    void theHashTellsWhoHearsWhat();
};

void TestSubscriptions::channelsAreHeardInTheOrderOfSubscription()
{
    Hall hall;
    QCOMPARE(hall.run(2, "subscribe c b c"),
             "2: [\"subscribe\", \"c\", 1]; 2: [\"subscribe\", \"b\", 2]; 2: [\"subscribe\", "
             "\"c\", 2]");
    hall.run(1, "subscribe c");
    QCOMPARE(hall.publish("c"), "2 - 2: [\"message\", \"c\", \"hi\"]; 1: [\"message\", \"c\", "
                                "\"hi\"]");
    QCOMPARE(hall.publish("x"), "0 - ");
    QCOMPARE(hall.subscriptions.subscriberCount(sim::ChannelKind::Global, "c"), std::int64_t{2});
}

void TestSubscriptions::patternsAreHeardAfterNames()
{
    Hall hall;
    QCOMPARE(hall.run(1, "psubscribe c* c*"),
             "1: [\"psubscribe\", \"c*\", 1]; 1: [\"psubscribe\", \"c*\", 1]");
    hall.run(2, "psubscribe c[a-d] *");
    hall.run(3, "subscribe cx");
    QCOMPARE(hall.publish("cx"),
             "3 - 3: [\"message\", \"cx\", \"hi\"]; 1: [\"pmessage\", \"c*\", \"cx\", \"hi\"]; 2: "
             "[\"pmessage\", \"*\", \"cx\", \"hi\"]");
    QCOMPARE(hall.subscriptions.subscriberCount(sim::ChannelKind::Global, "c*"), std::int64_t{0});
    QCOMPARE(hall.publish(""), "0 - ");
}

void TestSubscriptions::subscriptionsOfBothKindsAreCountedTogether()
{
    Hall hall;
    hall.run(1, "subscribe c");
    QCOMPARE(hall.run(1, "psubscribe b a"),
             "1: [\"psubscribe\", \"b\", 2]; 1: [\"psubscribe\", \"a\", 3]");
    QCOMPARE(hall.run(1, "unsubscribe"), "1: [\"unsubscribe\", \"c\", 2]");
    QCOMPARE(hall.run(1, "unsubscribe"), "1: [\"unsubscribe\", nil, 2]");
    QCOMPARE(hall.run(1, "punsubscribe x"), "1: [\"punsubscribe\", \"x\", 2]");
    QCOMPARE(hall.run(1, "punsubscribe"),
             "1: [\"punsubscribe\", \"b\", 1]; 1: [\"punsubscribe\", \"a\", 0]");
    QVERIFY(!hall.subscriptions.has(1));
}

void TestSubscriptions::whoLeavesHearsNothing()
{
    Hall hall;
    hall.run(1, "subscribe c");
    hall.run(1, "psubscribe *");
    hall.run(2, "subscribe c");
    hall.subscriptions.remove(1);
    QCOMPARE(hall.publish("c"), "1 - 2: [\"message\", \"c\", \"hi\"]");
    hall.subscriptions.clear();
    QCOMPARE(hall.publish("c"), "0 - ");
}

void TestSubscriptions::theHashTellsWhoHearsWhat()
{
    Hall one;
    Hall other;
    one.run(1, "subscribe a");
    one.run(2, "subscribe b");
    other.run(2, "subscribe b");
    QVERIFY(one.subscriptions.contentHash() != other.subscriptions.contentHash());
    other.run(1, "subscribe a");
    QCOMPARE(one.subscriptions.contentHash(), other.subscriptions.contentHash());
    one.run(1, "subscribe b");
    other.run(1, "psubscribe b");
    QVERIFY(one.subscriptions.contentHash() != other.subscriptions.contentHash());
}

LOCKSCOPE_TEST(TestSubscriptions, Core)

} // namespace lockscope::tst_subscriptions

#include "tst_subscriptions.moc"
