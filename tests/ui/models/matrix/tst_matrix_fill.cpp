#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/search/cell.h"
#include "tests/support/test_program.h"
#include "ui/models/matrix/matrix_fill.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_matrix_fill {

using namespace lockscope::models;
using service::SearchProgress;
using world::FaultKind;
using Phase = MatrixFill::Phase;

namespace {

/// A search that is over when the test says so; nothing ever breaks in it.
class ScriptedSearch : public service::SearchRunner {
public:
    void start(const service::SearchOrder& order) override
    {
        m_orders.push_back(order);
        tell(SearchProgress::Phase::Searching);
    }
    void cancel() override { tell(SearchProgress::Phase::Cancelled); }
    void setPaused(bool /*isPaused*/) override {}
    const SearchProgress& progress() const override { return m_progress; }
    const std::vector<report::CellReport>& reports() const override { return m_reports; }
    const std::vector<report::CellReport>& findings() const override { return m_reports; }

    void tell(SearchProgress::Phase phase, std::size_t done = 0, std::size_t count = 4)
    {
        m_progress.phase = phase;
        m_progress.doneCount = done;
        m_progress.partCount = count;
        Q_EMIT progressed(m_progress);
    }
    void finish()
    {
        m_reports.clear();
        for (const search::SearchTask& task : m_orders.back().tasks) {
            report::CellReport cell;
            cell.protocol = task.protocol->info().id;
            cell.fault = task.fault;
            cell.isSearched = true;
            for (search::PromiseResult& result :
                 search::emptyReport(task.protocol->info()).promises) {
                cell.verdicts.push_back({std::move(result), {}, {}, {}});
            }
            m_reports.push_back(std::move(cell));
        }
        tell(SearchProgress::Phase::Finished);
    }

    const std::vector<service::SearchOrder>& orders() const { return m_orders; }
    std::string lastProtocol() const
    {
        return m_orders.empty() ? "" : m_orders.back().tasks.front().protocol->info().id;
    }

private:
    SearchProgress m_progress;
    std::vector<service::SearchOrder> m_orders;
    std::vector<report::CellReport> m_reports;
};

ProtocolPtr builtin(const char* id)
{
    return {std::shared_ptr<const void>(), protocol::findProtocol(id)};
}

} // namespace

class TestMatrixFill : public QObject {
    Q_OBJECT

    struct Rig {
        explicit Rig(const QString& folder) : cache(folder)
        {
            matrix.setProtocols({builtin("set-nx-ex"), builtin("redlock")});
        }

        ScriptedSearch searcher;
        CellCache cache;
        MatrixModel matrix{{FaultKind::Crash, FaultKind::Pause}};
        MatrixFill fill{{searcher, cache, matrix}, {}};
    };
    std::unique_ptr<QTemporaryDir> m_folder;

    /// Starts, and waits until the search of the protocol is under way.
    static void startUpTo(Rig& rig, const std::string& protocol)
    {
        rig.fill.start();
        QTRY_COMPARE(rig.searcher.lastProtocol(), protocol);
        QCOMPARE(rig.fill.phase(), Phase::Searching);
    }
    static void finishAll(Rig& rig)
    {
        startUpTo(rig, "set-nx-ex");
        rig.searcher.finish();
        QTRY_COMPARE(rig.searcher.lastProtocol(), std::string("redlock"));
        rig.searcher.finish();
        QTRY_COMPARE(rig.fill.phase(), Phase::Finished);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void rowsComeOneAfterTheOther();
    void theShareGrowsWithTheParts();
    void whatIsKeptIsNotSearchedAgain();
    void anewMeansEverything();
    void whatWasStoppedIsSearchedLater();
    void aRowThatIsGoneIsNotShown();
    void anewProtocolIsAllThatIsSearched();
    void aCellKnowsItsTask();
};

void TestMatrixFill::rowsComeOneAfterTheOther()
{
    Rig rig(m_folder->path());
    startUpTo(rig, "set-nx-ex");
    QCOMPARE(rig.fill.current(), builtin("set-nx-ex"));
    QCOMPARE(rig.searcher.orders().front().tasks.size(), std::size_t(2));
    QVERIFY(rig.searcher.orders().front().threadCount >= 1);
    QCOMPARE(rig.matrix.knownCount(), 0);
    rig.searcher.finish();
    QVERIFY(rig.matrix.isKnown(0));
    QTRY_COMPARE(rig.searcher.lastProtocol(), std::string("redlock"));
    QVERIFY(rig.fill.isUnderWay());
    rig.searcher.finish();
    QTRY_COMPARE(rig.fill.phase(), Phase::Finished);
    QCOMPARE(rig.matrix.knownCount(), 2);
    QCOMPARE(rig.fill.current(), ProtocolPtr());
}

void TestMatrixFill::theShareGrowsWithTheParts()
{
    Rig rig(m_folder->path());
    QSignalSpy progressed(&rig.fill, &MatrixFill::progressed);
    startUpTo(rig, "set-nx-ex");
    QCOMPARE(rig.fill.share(), 0.0);
    const auto signalCount = progressed.size();
    rig.searcher.tell(SearchProgress::Phase::Searching, 2, 4);
    QVERIFY(progressed.size() > signalCount);
    QCOMPARE(rig.fill.share(), 0.25);
    rig.searcher.tell(SearchProgress::Phase::Telling, 0, 9);
    QCOMPARE(rig.fill.share(), 0.5);
    rig.searcher.finish();
    QCOMPARE(rig.fill.share(), 0.5);
}

void TestMatrixFill::whatIsKeptIsNotSearchedAgain()
{
    {
        Rig rig(m_folder->path());
        finishAll(rig);
    }
    Rig again(m_folder->path());
    again.fill.start();
    QTRY_COMPARE(again.fill.phase(), Phase::Finished);
    QCOMPARE(again.matrix.knownCount(), 2);
    QVERIFY(again.searcher.orders().empty());
}

void TestMatrixFill::anewMeansEverything()
{
    Rig rig(m_folder->path());
    finishAll(rig);
    rig.fill.startAnew();
    QCOMPARE(rig.matrix.knownCount(), 0);
    QTRY_COMPARE(rig.searcher.orders().size(), std::size_t(3));
    QCOMPARE(rig.searcher.lastProtocol(), std::string("set-nx-ex"));
    rig.searcher.finish();
    QTRY_COMPARE(rig.searcher.lastProtocol(), std::string("redlock"));
}

void TestMatrixFill::whatWasStoppedIsSearchedLater()
{
    Rig rig(m_folder->path());
    startUpTo(rig, "set-nx-ex");
    rig.fill.stop();
    QCOMPARE(rig.fill.phase(), Phase::Stopped);
    QCOMPARE(rig.searcher.progress().phase, SearchProgress::Phase::Cancelled);
    QCOMPARE(rig.matrix.knownCount(), 0);
    rig.fill.stop();
    QCOMPARE(rig.fill.phase(), Phase::Stopped);
    rig.fill.start();
    QTRY_COMPARE(rig.searcher.orders().size(), std::size_t(2));
    QCOMPARE(rig.searcher.lastProtocol(), std::string("set-nx-ex"));
}

void TestMatrixFill::aRowThatIsGoneIsNotShown()
{
    Rig rig(m_folder->path());
    startUpTo(rig, "set-nx-ex");
    rig.matrix.setProtocols({builtin("redlock")});
    rig.searcher.finish();
    QCOMPARE(rig.matrix.knownCount(), 0);
    QTRY_COMPARE(rig.searcher.lastProtocol(), std::string("redlock"));
}

void TestMatrixFill::anewProtocolIsAllThatIsSearched()
{
    Rig rig(m_folder->path());
    finishAll(rig);
    rig.matrix.setProtocols({builtin("set-nx-ex"), builtin("redlock"), builtin("semaphore")});
    rig.fill.start();
    QTRY_COMPARE(rig.searcher.lastProtocol(), std::string("semaphore"));
    QCOMPARE(rig.searcher.orders().size(), std::size_t(3));
}

void TestMatrixFill::aCellKnowsItsTask()
{
    const Rig rig(m_folder->path());
    const search::SearchTask task = rig.fill.taskOf(rig.matrix.index(1, 0));
    QCOMPARE(task.protocol, builtin("redlock"));
    QCOMPARE(task.fault, std::optional(FaultKind::Crash));
    QVERIFY(!task.plans.empty());
}

LOCKSCOPE_TEST(TestMatrixFill, Core)

} // namespace lockscope::tst_matrix_fill

#include "tst_matrix_fill.moc"
