#include "core/wire/connection/subscriber.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/started_task.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace lockscope::tst_subscriber {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Endpoint;
using store::Problem;
using wire::Subscriber;

namespace {

constexpr int kPatienceMs = 20'000;

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

QByteArray invalidationOf(const QList<QByteArray>& keys)
{
    QByteArray message = "*3\r\n" + bulk("message") + bulk("__redis__:invalidate");
    message += '*' + QByteArray::number(keys.size()) + "\r\n";
    for (const QByteArray& key : keys) {
        message += bulk(key);
    }
    return message;
}

/// A subscriber of a peer that answers as a Redis does.
struct Bench {
    ScriptedPeer peer;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::unique_ptr<Subscriber> subscriber;
    QByteArray answerToSubscribe = "*3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n";
    QByteArray answerToClientId = ":42\r\n";
    std::vector<Bytes> changed;
    int flushCount = 0;

    Bench()
    {
        peer.answerWith([this](const QByteArray& heard) { return answerTo(heard); });
        Endpoint endpoint;
        endpoint.port = peer.port();
        subscriber = std::make_unique<Subscriber>(endpoint, executor, clock, Rng(1));
        QObject::connect(subscriber.get(), &Subscriber::keysChanged, &peer,
                         [this](const std::vector<Bytes>& keys) {
                             changed.insert(changed.end(), keys.begin(), keys.end());
                         });
        QObject::connect(subscriber.get(), &Subscriber::everythingChanged, &peer,
                         [this] { ++flushCount; });
    }

    QByteArray answerTo(const QByteArray& heard) const
    {
        QByteArray answer;
        answer += heard.contains("SETNAME") ? "+OK\r\n" : "";
        answer += heard.contains("\r\nID\r\n") ? answerToClientId : "";
        answer += heard.contains("\r\nSUBSCRIBE\r\n") ? answerToSubscribe : "";
        answer += heard.contains("\r\nPING\r\n") ? "*2\r\n$4\r\npong\r\n$0\r\n\r\n" : "";
        return answer;
    }
};

} // namespace

class TestSubscriber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itSubscribesAndKnowsItsNumber();
    void changedKeysAreTold();
    void aFlushIsEverything();
    void keyspaceEventsNameTheKey();
    void aRefusedSubscriptionSaysWhy_data();
    void aRefusedSubscriptionSaysWhy();
    void aLostSubscriptionComesBack();
    void closingIsSilentAndFinal();
    void messagesThatMakeNoSenseAreIgnored();
};

void TestSubscriber::itSubscribesAndKnowsItsNumber()
{
    Bench bench;
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    QCOMPARE(bench.subscriber->clientId(), std::int64_t(0));
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    QCOMPARE(bench.subscriber->clientId(), std::int64_t(42));
    QVERIFY(!bench.subscriber->isRefused());
    QVERIFY(bench.subscriber->problem().kind == Problem::Kind::None);
}

void TestSubscriber::changedKeysAreTold()
{
    Bench bench;
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    const QByteArray binary("lock:\0\r\n", 8);
    bench.peer.say(invalidationOf({"order:lock", binary}) + invalidationOf({"other"}));
    QTRY_COMPARE_WITH_TIMEOUT(bench.changed.size(), std::size_t(3), kPatienceMs);
    QVERIFY(bench.changed == (std::vector<Bytes>{"order:lock", binary.toStdString(), "other"}));
    QCOMPARE(bench.flushCount, 0);
}

void TestSubscriber::aFlushIsEverything()
{
    Bench bench;
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    bench.peer.say("*3\r\n" + bulk("message") + bulk("__redis__:invalidate") + "*-1\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(bench.flushCount, 1, kPatienceMs);
    QVERIFY(bench.changed.empty());
}

void TestSubscriber::keyspaceEventsNameTheKey()
{
    Bench bench;
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    bench.peer.forgetHeard();
    const StartedTask<Problem> listening(bench.executor,
                                         bench.subscriber->listenToKeyspace(3, {"*"}));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("__keyspace@3__:*"), kPatienceMs);
    bench.peer.say("*3\r\n" + bulk("psubscribe") + bulk("__keyspace@3__:*") + ":2\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(listening.isFinished(), kPatienceMs);
    QVERIFY(listening.result().kind == Problem::Kind::None);
    bench.peer.say("*4\r\n" + bulk("pmessage") + bulk("__keyspace@3__:*")
                   + bulk("__keyspace@3__:order:7:lock") + bulk("set"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.changed.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(QByteArray::fromStdString(bench.changed.front()), QByteArray("order:7:lock"));
}

void TestSubscriber::aRefusedSubscriptionSaysWhy_data()
{
    QTest::addColumn<bool>("isIdRefused");
    QTest::newRow("CLIENT ID") << true;
    QTest::newRow("SUBSCRIBE") << false;
}

void TestSubscriber::aRefusedSubscriptionSaysWhy()
{
    QFETCH(const bool, isIdRefused);
    Bench bench;
    if (isIdRefused) {
        bench.answerToClientId =
            "-NOPERM User w has no permissions to run the 'client|id' command\r\n";
    } else {
        bench.answerToSubscribe = "-NOPERM No permissions to access a channel\r\n";
    }
    QSignalSpy lost(bench.subscriber.get(), &Subscriber::lost);
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
    QCOMPARE(ready.size(), 0);
    QVERIFY(bench.subscriber->isRefused());
    QCOMPARE(bench.subscriber->clientId(), std::int64_t(0));
    QVERIFY(bench.subscriber->problem().kind == Problem::Kind::NoPermission);
    QCOMPARE(bench.subscriber->problem().rule, std::string(isIdRefused ? "+client|id" : "&*"));
}

void TestSubscriber::aLostSubscriptionComesBack()
{
    Bench bench;
    QSignalSpy lost(bench.subscriber.get(), &Subscriber::lost);
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    bench.answerToClientId = ":43\r\n";
    bench.peer.hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 2, kPatienceMs);
    QCOMPARE(bench.subscriber->clientId(), std::int64_t(43));
}

void TestSubscriber::closingIsSilentAndFinal()
{
    Bench bench;
    QSignalSpy lost(bench.subscriber.get(), &Subscriber::lost);
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    bench.subscriber->close();
    QCOMPARE(bench.subscriber->clientId(), std::int64_t(0));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.peer.hasClient(), kPatienceMs);
    QCOMPARE(lost.size(), 0);
    QCOMPARE(bench.peer.clientCount(), 1);
}

void TestSubscriber::messagesThatMakeNoSenseAreIgnored()
{
    Bench bench;
    QSignalSpy ready(bench.subscriber.get(), &Subscriber::ready);
    bench.subscriber->open();
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, kPatienceMs);
    bench.peer.say("*3\r\n" + bulk("pmessage") + bulk("p") + bulk("no colon here") // no key in it
                   + "*4\r\n" + bulk("pmessage") + bulk("p") + ":3\r\n" + ":4\r\n" + "*3\r\n"
                   + bulk("message") + bulk("c") + "*2\r\n:1\r\n" + bulk("last"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.changed.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(QByteArray::fromStdString(bench.changed.front()), QByteArray("last"));
}

LOCKSCOPE_TEST(TestSubscriber, Core)

} // namespace lockscope::tst_subscriber

#include "tst_subscriber.moc"
