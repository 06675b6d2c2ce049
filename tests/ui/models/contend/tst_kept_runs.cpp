#include "tests/support/test_program.h"
#include "ui/models/contend/kept_runs.h"

#include <QTest>

namespace lockscope::tst_kept_runs {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestKeptRuns : public QObject {
    Q_OBJECT

    static RunFigures run(const QString& title, std::uint64_t requests = 1)
    {
        RunFigures figures;
        figures.title = title;
        figures.statistics.requests = requests;
        return figures;
    }

private Q_SLOTS:
    void theLatestComesFirst()
    {
        KeptRuns kept;
        kept.add(run(u"1"_s));
        kept.add(run(u"2"_s));
        QCOMPARE(kept.runs().size(), std::size_t(2));
        QCOMPARE(kept.runs().front().title, u"2"_s);
    }

    void aRunIsKeptOnce()
    {
        KeptRuns kept;
        kept.add(run(u"1"_s));
        kept.add(run(u"1"_s, 7));
        QCOMPARE(kept.runs().size(), std::size_t(1));
        QCOMPARE(kept.runs().front().statistics.requests, std::uint64_t(7));
    }

    void ofTooManyTheOldestGo()
    {
        KeptRuns kept;
        for (std::size_t i = 0; i <= KeptRuns::kRunsAtMost; ++i) {
            kept.add(run(QString::number(i)));
        }
        QCOMPARE(kept.runs().size(), KeptRuns::kRunsAtMost);
        QCOMPARE(kept.runs().back().title, u"1"_s);
    }

    void whatNobodyAskedForIsNotKept()
    {
        KeptRuns kept;
        kept.add(run(u"1"_s, 0));
        QVERIFY(kept.runs().empty());
    }
};

LOCKSCOPE_TEST(TestKeptRuns, Core)

} // namespace lockscope::tst_kept_runs

#include "tst_kept_runs.moc"
