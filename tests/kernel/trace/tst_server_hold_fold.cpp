#include "core/kernel/trace/server_hold_fold.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_server_hold_fold {

using namespace std::chrono_literals;
using trace::CurrentHold;
using trace::ServerHold;
using trace::ServerHoldFold;
using trace::SpanEnd;

namespace {

/// It was last seen where its server hold ends, and no more is known.
ServerHoldFold::Ending unknownEnding(const ServerHold& serverHold)
{
    return {serverHold.to, SpanEnd::Uncertain};
}

void see(ServerHoldFold& fold, Duration now, const std::vector<CurrentHold>& present)
{
    fold.see(ServerHoldFold::LookTime::at(Instant(now)), present, unknownEnding);
}

} // namespace

class TestServerHoldFold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksThatSeeTheSameHoldAreOneServerHold()
    {
        ServerHoldFold fold;
        for (const Duration now : {1s, 2s, 3s}) {
            see(fold, now, {{4, 0, Instant(now + 10s), 77}});
        }
        QCOMPARE(fold.serverHolds().size(), 1U);
        QVERIFY((fold.serverHolds()[0]
                 == ServerHold{Instant(1s), Instant(3s), 4, 0, SpanEnd::Open}));
    }

    void whatHadTimeLeftEndsAsIsSaid()
    {
        ServerHoldFold fold;
        see(fold, 1s, {{4, 0, Instant(10s), 77}});
        see(fold, 2s, {{4, 0, Instant(10s), 77}});
        see(fold, 5s, {});
        const ServerHold expected{Instant(1s), Instant(2s), 4, 0, SpanEnd::Uncertain, Instant(5s)};
        QVERIFY(fold.serverHolds()[0] == expected);
    }

    /// What is asked for takes a while: what was seen was there in between.
    void onlyWhatIsCertainCounts()
    {
        ServerHoldFold fold;
        const std::vector<CurrentHold> present{{4, 0, Instant(90s), 77}};
        fold.see({Instant(10s), Instant(12s)}, present, unknownEnding);
        QCOMPARE(fold.serverHolds()[0].from, Instant(12s));
        QCOMPARE(fold.serverHolds()[0].to, Instant(12s));
        fold.see({Instant(20s), Instant(22s)}, present, unknownEnding);
        fold.see({Instant(30s), Instant(32s)}, {}, unknownEnding);
        const ServerHold expected{Instant(12s),       Instant(20s), 4, 0,
                                  SpanEnd::Uncertain, Instant(32s)};
        QVERIFY(fold.serverHolds()[0] == expected);
    }

    void whatHadNoneLeftHasExpired()
    {
        ServerHoldFold fold;
        see(fold, 1s, {{4, 0, Instant(3s), 77}});
        see(fold, 2s, {{4, 0, Instant(4s), 77}}); // renewed
        see(fold, 5s, {});
        QVERIFY((fold.serverHolds()[0]
                 == ServerHold{Instant(1s), Instant(4s), 4, 0, SpanEnd::Expired}));
    }

    /// One holder twice in a row, two at once, and two locks.
    void everyHoldIsAServerHoldOfItsOwn()
    {
        ServerHoldFold fold;
        see(fold, 1s, {{4, 0, Instant::max(), 77}, {5, 0, Instant::max(), 1}, {4, 1, {}, 77}});
        see(fold, 2s, {{4, 0, Instant::max(), 78}, {5, 0, Instant::max(), 1}});
        QCOMPARE(fold.serverHolds().size(), 4U);
        QVERIFY(fold.serverHolds()[3].from == Instant(2s));
    }

    void thereMayBeNobodyToName()
    {
        ServerHoldFold fold;
        see(fold, 1s, {{std::nullopt, 0, Instant::max(), 0}});
        QVERIFY(!fold.serverHolds()[0].holder);
    }

    void theyStandInTheOrderOfTheirBeginnings()
    {
        ServerHoldFold fold;
        see(fold, 1s, {{1, 0, Instant::max(), 1}});
        see(fold, 2s, {{1, 0, Instant::max(), 1}, {2, 0, Instant::max(), 2}});
        see(fold, 3s, {{1, 0, Instant::max(), 1}}); // the second ends first
        see(fold, 4s, {});
        QVERIFY(std::ranges::is_sorted(fold.serverHolds(), {}, &ServerHold::from));
        QCOMPARE(fold.serverHolds()[0].holder, std::optional<trace::ContenderId>(1));
    }
};

LOCKSCOPE_TEST(TestServerHoldFold, Core)

} // namespace lockscope::tst_server_hold_fold

#include "tst_server_hold_fold.moc"
