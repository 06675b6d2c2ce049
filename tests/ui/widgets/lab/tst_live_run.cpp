#include "core/kernel/protocol/catalogue.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/lab/live_run.h"
#include "ui/widgets/lab/run_view.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QTest>
#include <QThreadPool>

namespace lockscope::tst_live_run {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::EventKind;
using Phase = workload::LiveRunProgress::Phase;

namespace {

constexpr int kPatienceMs = 60'000; // drawing takes its time with sanitizers

workload::LiveRunOrder someOrder()
{
    workload::LiveRunOrder order;
    order.protocol = std::shared_ptr<const protocol::LockProtocol>(
        std::shared_ptr<const void>(), protocol::findProtocol("set-nx-px-token"));
    return order;
}

} // namespace

/// A run in which one contender takes and releases its lock, each a millisecond later.
class TestLiveRun final : public QObject {
    Q_OBJECT

    void goOnUntil(Duration end)
    {
        while (m_events.size() * 1ms <= end) {
            const bool isHeld = m_events.size() % 2 == 1;
            m_events.push_back({Instant(m_events.size() * 1ms), 0, 0, 0,
                                isHeld ? EventKind::Releasing : EventKind::Granted});
        }
        m_progress.phase = Phase::Running;
        m_progress.at = m_events.back().at;
        m_runner->setEvents(m_events);
        m_runner->tell(m_progress);
    }

    void end()
    {
        m_progress.phase = Phase::Finished;
        m_runner->tell(m_progress);
    }

    bool isWholeShown() const
    {
        const models::RunRecord& record = m_view->record();
        return record.run != nullptr && !record.whole;
    }

    Instant drawnUntil() const { return timeline().zoom().full().to; }
    TimelineView& timeline() const { return *m_view->findChild<TimelineView*>(); }

    std::unique_ptr<test::ScriptedPrompter> m_prompter;
    std::unique_ptr<test::ScriptedLiveRunner> m_runner;
    std::unique_ptr<RunView> m_view; // before what it refers to goes
    workload::LiveRunProgress m_progress;
    std::vector<trace::Event> m_events;

private Q_SLOTS:
    void init()
    {
        m_view.reset();
        m_prompter = std::make_unique<test::ScriptedPrompter>();
        m_runner = std::make_unique<test::ScriptedLiveRunner>();
        m_view = std::make_unique<RunView>(*m_prompter);
        new LiveRun(*m_view, *m_runner, someOrder(), {});
        m_progress = {};
        m_events.clear();
    }

    void cleanupTestCase() { m_view.reset(); }

    void aLongRunIsDrawnWhileItGoesOn()
    {
        for (const Duration end : {10s, 60s, 90s}) {
            goOnUntil(end);
            QTRY_VERIFY_WITH_TIMEOUT(drawnUntil() == Instant(end), kPatienceMs);
            QVERIFY(timeline().isFollowing());
        }
        QCOMPARE(m_view->record().chronicle->spans.size(), std::size_t(45'001));
    }

    void itIsNotDrawnMoreOftenThanTwiceASecond()
    {
        goOnUntil(1s);
        QTRY_VERIFY_WITH_TIMEOUT(drawnUntil() == Instant(1s), kPatienceMs);
        const auto drawn = m_view->record().chronicle;
        goOnUntil(1499ms);
        QCOMPARE(m_view->record().chronicle, drawn);
        goOnUntil(1500ms);
        QTRY_VERIFY_WITH_TIMEOUT(drawnUntil() == Instant(1500ms), kPatienceMs);
    }

    void whatIsWrittenMeanwhileIsTheWholeRun()
    {
        goOnUntil(1s);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->record().chronicle != nullptr, kPatienceMs);
        QVERIFY(m_view->record().run->events.empty());
        goOnUntil(1100ms);
        QCOMPARE(m_view->record().whole().events.size(), std::size_t(1101));
    }

    void inTheEndAllOfItIsShown()
    {
        goOnUntil(1s);
        end();
        QTRY_VERIFY_WITH_TIMEOUT(isWholeShown(), kPatienceMs);
        QCOMPARE(drawnUntil(), Instant(1s));
        QCOMPARE(m_view->record().run->events.size(), std::size_t(1001));
        // A drawing that comes late changes nothing.
        const auto shown = m_view->record().chronicle;
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents();
        QCOMPARE(m_view->record().chronicle, shown);
    }

    void theEndOfALongRunDoesNotKeepTheWindowWaiting()
    {
        goOnUntil(60s);
        QTRY_VERIFY_WITH_TIMEOUT(drawnUntil() == Instant(60s), kPatienceMs);
        goOnUntil(90s);
        end();
        // It is drawn by others: what was seen last stays until they say that it is there.
        QVERIFY(!isWholeShown());
        QCOMPARE(m_view->record().whole().events.size(), std::size_t(90'001));
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(!isWholeShown());
        QTRY_VERIFY_WITH_TIMEOUT(isWholeShown(), kPatienceMs);
        QCOMPARE(drawnUntil(), Instant(90s));
        QCOMPARE(m_view->record().chronicle->spans.size(), std::size_t(45'001));
    }

    void aRunThatFailsAtOnceShowsNothing()
    {
        m_progress.phase = Phase::Failed;
        m_runner->tell(m_progress);
        QTRY_VERIFY_WITH_TIMEOUT(isWholeShown(), kPatienceMs);
        QCOMPARE(m_view->record().chronicle, nullptr);
    }

    void theNextRunDoesNotMixWithOneThatIsBeingDrawn()
    {
        goOnUntil(1s);
        end();
        RunView next(*m_prompter);
        new LiveRun(next, *m_runner, someOrder(), {});
        m_events.resize(1);
        goOnUntil(10ms);
        QTRY_VERIFY_WITH_TIMEOUT(isWholeShown(), kPatienceMs);
        QCOMPARE(m_view->record().run->events.size(), std::size_t(1001));
    }
};

LOCKSCOPE_TEST(TestLiveRun, Widgets)

} // namespace lockscope::tst_live_run

#include "tst_live_run.moc"
