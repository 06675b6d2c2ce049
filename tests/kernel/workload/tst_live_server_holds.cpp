#include "core/kernel/workload/live_server_holds.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_server_holds {

using namespace std::chrono_literals;
using inspect::Look;
using protocol::Identity;
using trace::ServerHold;
using trace::SpanEnd;
using workload::LiveServerHolds;

namespace {

const Identity kFirst{"5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60", 1};
const Identity kSecond{"0a0b0c0d-77aa-4c1e-9f00-aaaaaaaaaaaa", 1};

Look lookAt(Duration at, const std::vector<Bytes>& owners, Duration left = 30s)
{
    Look look{Instant(at), Instant(at), {}};
    for (const Bytes& owner : owners) {
        look.holds.push_back({0, owner, Instant(at + left)});
    }
    return look;
}

} // namespace

class TestLiveServerHolds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOwnerIsKnownByItsMark_data()
    {
        QTest::addColumn<QByteArray>("owner");
        QTest::addColumn<int>("contender"); // -1: none
        QTest::newRow("name") << QByteArray(kFirst.owner().c_str()) << 4;
        QTest::newRow("token") << QByteArray("00000000-1111-4222-8333-1b2c3d4e5f60") << 4;
        QTest::newRow("name and token") << QByteArray("x:aaaaaaaaaaaa:1:y") << 5;
        QTest::newRow("flag") << QByteArray("1") << -1;
        QTest::newRow("nothing") << QByteArray() << -1;
        QTest::newRow("stranger") << QByteArray("00000000-1111-4222-8333-bbbbbbbbbbbb") << -1;
    }

    void anOwnerIsKnownByItsMark()
    {
        QFETCH(const QByteArray, owner);
        QFETCH(const int, contender);
        LiveServerHolds live;
        live.introduce(kFirst, 4);
        live.introduce(kSecond, 5);
        live.add(lookAt(1s, {owner.toStdString()}));
        live.goOnTo(Instant(2s));
        const std::optional<trace::ContenderId> holder = live.serverHolds().at(0).holder;
        QCOMPARE(holder ? int(*holder) : -1, contender);
    }

    /// Who wrote it may be introduced later than it is seen.
    void aLookWaitsUntilEverybodyIsKnown()
    {
        LiveServerHolds live;
        live.add(lookAt(1s, {kFirst.owner()}));
        live.goOnTo(Instant(1s));
        QVERIFY(live.serverHolds().empty());
        live.introduce(kFirst, 4);
        live.goOnTo(Instant(1s + 1us));
        QCOMPARE(live.serverHolds().at(0).holder, std::optional<trace::ContenderId>(4));
    }

    void whatHappensBetweenTwoLooksIsNotKnown()
    {
        LiveServerHolds live;
        live.introduce(kFirst, 4);
        live.add(lookAt(1s, {kFirst.owner()}));
        live.add(lookAt(2s, {kFirst.owner()}));
        live.add(lookAt(3s, {}));
        live.goOnTo(Instant::max());
        const ServerHold expected{Instant(1s), Instant(2s), 4, 0, SpanEnd::Uncertain, Instant(3s)};
        QCOMPARE(live.serverHolds().size(), 1U);
        QVERIFY(live.serverHolds()[0] == expected);
    }

    void namelessReadersAreNotTheWriter()
    {
        LiveServerHolds live;
        Look look = lookAt(1s, {"1", "1"});
        look.holds[0].isShared = true;
        live.add(look);
        live.goOnTo(Instant::max());
        QCOMPARE(live.serverHolds().size(), 2U);
    }

    void eachOfSeveralServersHasItsHolds()
    {
        LiveServerHolds live;
        live.introduce(kFirst, 4);
        live.introduce(kSecond, 5);
        Look look = lookAt(1s, {kFirst.owner(), kFirst.owner(), kSecond.owner()});
        look.holds[1].node = 0;
        look.holds[2].node = 2;
        live.add(look);
        live.goOnTo(Instant::max());
        const std::vector<ServerHold> holds = live.serverHolds();
        QCOMPARE(holds.size(), 3U);
        QVERIFY(!holds[0].node && holds[1].node == 0 && holds[2].node == 2);
        QCOMPARE(holds[2].holder, std::optional<trace::ContenderId>(5));
    }

    /// A majority answers, and what the server that does not has is not known.
    void onASilentServerNothingEnds()
    {
        LiveServerHolds live;
        Look look = lookAt(1s, {kFirst.owner(), kFirst.owner()});
        look.holds[0].node = 0;
        look.holds[1].node = 1;
        live.add(look);
        Look halved = lookAt(2s, {});
        halved.silent = {1};
        live.add(halved);
        live.goOnTo(Instant::max());
        QVERIFY(live.serverHolds().at(0).end == SpanEnd::Uncertain);
        QVERIFY(live.serverHolds().at(1).end == SpanEnd::Open);
        look = lookAt(3s, {kFirst.owner()});
        look.holds[0].node = 1;
        live.add(look);
        live.goOnTo(Instant::max());
        QCOMPARE(live.serverHolds().size(), 2U);
        QVERIFY(live.serverHolds().at(1).to == Instant(3s));
    }

    void aLeaseThatRanOutBetweenTwoLooksIsKnown()
    {
        LiveServerHolds live;
        live.add(lookAt(1s, {"1"}, 500ms));
        live.add(lookAt(2s, {}));
        live.goOnTo(Instant::max());
        QVERIFY(live.serverHolds().at(0).end == SpanEnd::Expired);
        QVERIFY(live.serverHolds()[0].to == Instant(1500ms));
        QVERIFY(!live.serverHolds()[0].overBy);
    }
};

LOCKSCOPE_TEST(TestLiveServerHolds, Core)

} // namespace lockscope::tst_live_server_holds

#include "tst_live_server_holds.moc"
