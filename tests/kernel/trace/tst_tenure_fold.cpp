#include "trace/tenure_fold.h"

#include <QTest>

#include <algorithm>

using namespace lockscope;
using namespace std::chrono_literals;
using trace::SpanEnd;
using trace::Standing;
using trace::Tenure;
using trace::TenureFold;

namespace {

/// It was last seen where its tenure ends, and nobody knows more.
TenureFold::Ending unknownEnding(const Tenure& tenure)
{
    return {tenure.to, SpanEnd::Uncertain};
}

void see(TenureFold& fold, Duration now, const std::vector<Standing>& present)
{
    fold.see(TenureFold::LookTime::at(Instant(now)), present, unknownEnding);
}

} // namespace

class TestTenureFold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksThatSeeTheSameHoldAreOneTenure()
    {
        TenureFold fold;
        for (const Duration now : {1s, 2s, 3s}) {
            see(fold, now, {{4, 0, Instant(now + 10s), 77}});
        }
        QCOMPARE(fold.tenures().size(), 1U);
        QVERIFY((fold.tenures()[0] == Tenure{Instant(1s), Instant(3s), 4, 0, SpanEnd::Open}));
    }

    void whatHadTimeLeftEndsAsIsSaid()
    {
        TenureFold fold;
        see(fold, 1s, {{4, 0, Instant(10s), 77}});
        see(fold, 2s, {{4, 0, Instant(10s), 77}});
        see(fold, 5s, {});
        const Tenure expected{Instant(1s), Instant(2s), 4, 0, SpanEnd::Uncertain, Instant(5s)};
        QVERIFY(fold.tenures()[0] == expected);
    }

    /// What is asked for takes a while: what was seen was there in between.
    void onlyWhatIsCertainCounts()
    {
        TenureFold fold;
        const std::vector<Standing> present{{4, 0, Instant(90s), 77}};
        fold.see({Instant(10s), Instant(12s)}, present, unknownEnding);
        QCOMPARE(fold.tenures()[0].from, Instant(12s));
        QCOMPARE(fold.tenures()[0].to, Instant(12s));
        fold.see({Instant(20s), Instant(22s)}, present, unknownEnding);
        fold.see({Instant(30s), Instant(32s)}, {}, unknownEnding);
        const Tenure expected{Instant(12s), Instant(20s), 4, 0, SpanEnd::Uncertain, Instant(32s)};
        QVERIFY(fold.tenures()[0] == expected);
    }

    void whatHadNoneLeftHasExpired()
    {
        TenureFold fold;
        see(fold, 1s, {{4, 0, Instant(3s), 77}});
        see(fold, 2s, {{4, 0, Instant(4s), 77}}); // renewed
        see(fold, 5s, {});
        QVERIFY((fold.tenures()[0] == Tenure{Instant(1s), Instant(4s), 4, 0, SpanEnd::Expired}));
    }

    /// One holder twice in a row, two at once, and two locks.
    void everyHoldIsATenureOfItsOwn()
    {
        TenureFold fold;
        see(fold, 1s, {{4, 0, Instant::max(), 77}, {5, 0, Instant::max(), 1}, {4, 1, {}, 77}});
        see(fold, 2s, {{4, 0, Instant::max(), 78}, {5, 0, Instant::max(), 1}});
        QCOMPARE(fold.tenures().size(), 4U);
        QVERIFY(fold.tenures()[3].from == Instant(2s));
    }

    void thereMayBeNobodyToName()
    {
        TenureFold fold;
        see(fold, 1s, {{std::nullopt, 0, Instant::max(), 0}});
        QVERIFY(!fold.tenures()[0].holder);
    }

    void theyStandInTheOrderOfTheirBeginnings()
    {
        TenureFold fold;
        see(fold, 1s, {{1, 0, Instant::max(), 1}});
        see(fold, 2s, {{1, 0, Instant::max(), 1}, {2, 0, Instant::max(), 2}});
        see(fold, 3s, {{1, 0, Instant::max(), 1}}); // the second ends first
        see(fold, 4s, {});
        QVERIFY(std::ranges::is_sorted(fold.tenures(), {}, &Tenure::from));
        QCOMPARE(fold.tenures()[0].holder, std::optional<trace::ContenderId>(1));
    }
};

QTEST_GUILESS_MAIN(TestTenureFold)
#include "tst_tenure_fold.moc"
