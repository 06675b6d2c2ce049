#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/recorded_run.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_server_hold_book {

using trace::ServerHold;
using trace::Span;
using trace::SpanEnd;
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

bool covers(const ServerHold& serverHold, const Span& hold)
{
    return serverHold.lock == hold.lock && serverHold.from <= hold.from && serverHold.to >= hold.to;
}

} // namespace

class TestServerHoldBook : public QObject {
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
            const bool isThere =
                std::ranges::any_of(run.serverHolds, [&](const ServerHold& serverHold) {
                    return covers(serverHold, hold) && serverHold.holder.has_value() == isNamed
                           && serverHold.holder.value_or(hold.contender) == hold.contender;
                });
            QVERIFY2(isThere, qPrintable(QString::number(hold.contender)));
        }
        QVERIFY(holds > 0);
    }

    void thePermitsOfASemaphoreAreOutSideBySide()
    {
        const auto run = chronicleOf("semaphore", FaultKind::Interleaving, {});
        const auto isBesideAnother = [&run](const ServerHold& serverHold) {
            return std::ranges::any_of(run.serverHolds, [&serverHold](const ServerHold& other) {
                return other.holder != serverHold.holder && other.from < serverHold.to
                       && serverHold.from < other.to;
            });
        };
        QVERIFY(std::ranges::any_of(run.serverHolds, isBesideAnother));
    }

    void anOperatorWhoDeletesAPermitEndsItByForce()
    {
        const auto run = chronicleOf("semaphore", FaultKind::ForceRelease,
                                     {Step::serve(0, 0, LinkRole::Commands),
                                      Step::ofFault(FaultKind::ForceRelease, 0, 0)});
        QVERIFY(!run.serverHolds.empty());
        QVERIFY(run.serverHolds[0].end == SpanEnd::Forced);
        QCOMPARE(run.serverHolds[0].holder, std::optional<trace::ContenderId>(0));
    }
};

LOCKSCOPE_TEST(TestServerHoldBook, Core)

} // namespace lockscope::tst_server_hold_book

#include "tst_server_hold_book.moc"
