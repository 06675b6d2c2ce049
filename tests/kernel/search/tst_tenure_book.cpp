#include "protocol/catalogue.h"
#include "search/default_plans.h"
#include "search/recorded_run.h"

#include <QTest>

#include <algorithm>

using namespace lockscope;
using trace::Span;
using trace::SpanEnd;
using trace::Tenure;
using world::FaultKind;
using world::LinkRole;
using world::Step;

namespace {

/// The steps, and then everything in its turn.
trace::Chronicle chronicleOf(const char* id, FaultKind fault, const std::vector<Step>& steps)
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol(id);
    const auto plans = search::defaultPlans(protocol.info(), fault);
    const search::RecordedRun run = search::recordRun(protocol, plans.front(), steps, lua);
    return run.impossibleStep ? trace::Chronicle() : run.chronicle;
}

bool covers(const Tenure& tenure, const Span& hold)
{
    return tenure.lock == hold.lock && tenure.from <= hold.from && tenure.to >= hold.to;
}

} // namespace

class TestTenureBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoHoldsStandsOnTheServer_data()
    {
        QTest::addColumn<bool>("areReadersNamed");
        QTest::newRow("semaphore") << true;
        QTest::newRow("set-nx-px-token") << true;
        QTest::newRow("fenced-token") << true; // its other key says nothing of who
        QTest::newRow("redlock") << true;
        QTest::newRow("redisson-read-write") << true;
        QTest::newRow("rw-two-keys") << false;
        QTest::newRow("rw-two-keys-counted") << false;
    }

    void whoHoldsStandsOnTheServer()
    {
        QFETCH(bool, areReadersNamed);
        const trace::Chronicle run = chronicleOf(QTest::currentDataTag(), FaultKind::Interleaving,
                                                 {});
        int holds = 0;
        for (const Span& hold : run.spans) {
            if (hold.kind != Span::Kind::Holding || hold.from == hold.to) {
                continue;
            }
            ++holds;
            const bool isNamed = areReadersNamed || !hold.isRead;
            const bool isThere = std::ranges::any_of(run.tenures, [&](const Tenure& tenure) {
                return covers(tenure, hold) && tenure.holder.has_value() == isNamed
                       && tenure.holder.value_or(hold.contender) == hold.contender;
            });
            QVERIFY2(isThere, qPrintable(QString::number(hold.contender)));
        }
        QVERIFY(holds > 0);
    }

    void thePermitsOfASemaphoreAreOutSideBySide()
    {
        const auto run = chronicleOf("semaphore", FaultKind::Interleaving, {});
        const auto isBesideAnother = [&run](const Tenure& tenure) {
            return std::ranges::any_of(run.tenures, [&tenure](const Tenure& other) {
                return other.holder != tenure.holder && other.from < tenure.to
                       && tenure.from < other.to;
            });
        };
        QVERIFY(std::ranges::any_of(run.tenures, isBesideAnother));
    }

    void anOperatorWhoDeletesAPermitEndsItByForce()
    {
        const auto run = chronicleOf("semaphore", FaultKind::ForceRelease,
                                     {Step::serve(0, 0, LinkRole::Commands),
                                      Step::ofFault(FaultKind::ForceRelease, 0, 0)});
        QVERIFY(!run.tenures.empty());
        QVERIFY(run.tenures[0].end == SpanEnd::Forced);
        QCOMPARE(run.tenures[0].holder, std::optional<trace::ContenderId>(0));
    }
};

QTEST_GUILESS_MAIN(TestTenureBook)
#include "tst_tenure_book.moc"
