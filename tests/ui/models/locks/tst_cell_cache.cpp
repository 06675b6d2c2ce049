#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/cell_cache.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace lockscope::tst_cell_cache {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using search::SearchTask;
using world::FaultKind;

namespace {

using ProtocolPtr = std::shared_ptr<const protocol::LockProtocol>;

ProtocolPtr builtin(const char* id)
{
    return {std::shared_ptr<const void>(), protocol::findProtocol(id)};
}

ProtocolPtr own()
{
    QFile file(testing::inSourceTree(u"resources/protocols/token-lock.json"_s));
    if (!file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    auto read = protocol::readProtocol(file.readAll().toStdString());
    return std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read));
}

/// A row that nothing broke in.
MatrixRow rowOf(const ProtocolPtr& protocol, std::uint64_t schedulesMax = 3000)
{
    search::Bounds bounds;
    bounds.schedulesMax = schedulesMax;
    const std::vector<FaultKind> faults{FaultKind::Interleaving, FaultKind::Pause};
    MatrixRow row{search::matrixRow(protocol, faults, bounds), {}};
    for (const SearchTask& task : row.tasks) {
        report::CellReport cell;
        cell.protocol = protocol->info().id;
        cell.fault = task.fault;
        cell.isSearched = true;
        cell.coverage.schedules = 77;
        for (search::PromiseResult& result : search::emptyReport(protocol->info()).promises) {
            cell.verdicts.push_back({std::move(result), {}, {}, {}});
        }
        row.cells.push_back(std::move(cell));
    }
    return row;
}

/// What the cache knows of the tasks; nullopt: it does not answer.
std::optional<MatrixRow> lookedUp(CellCache& cache, const std::vector<SearchTask>& tasks)
{
    std::optional<MatrixRow> found;
    const auto connection = QObject::connect(&cache, &CellCache::looked, &cache,
                                             [&found](const MatrixRow& row) { found = row; });
    cache.look(tasks);
    if (!QTest::qWaitFor([&found] { return found.has_value(); }, 30'000)) {
        return std::nullopt;
    }
    QObject::disconnect(connection);
    return found;
}

} // namespace

class TestCellCache : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString folder() const { return m_folder->filePath(u"deep/matrix"_s); }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void whatIsKeptIsFoundAgain();
    void nothingIsFoundInAnEmptyFolder();
    void anotherBoundIsAnotherVersion();
    void everythingThatCountsIsInTheVersion();
    void ownProtocolsAreNotKept();
    void aBrokenFileIsNoFile();
    void aFolderThatCannotBeMadeIsNoTrouble();
    void theFolderBelongsToTheProgram();
};

void TestCellCache::whatIsKeptIsFoundAgain()
{
    const MatrixRow row = rowOf(builtin("set-nx-ex"));
    {
        CellCache cache(folder());
        cache.keep(row);
        cache.keep(rowOf(builtin("redlock")));
    } // waits for the disk
    CellCache cache(folder());
    const auto found = lookedUp(cache, row.tasks);
    QVERIFY(found.has_value());
    QCOMPARE(found->tasks.size(), row.tasks.size());
    QCOMPARE(found->cells.size(), row.cells.size());
    QCOMPARE(found->cells[1].coverage.schedules, std::uint64_t(77));
    QCOMPARE(found->cells[1].fault, std::optional(FaultKind::Pause));
    QCOMPARE(QDir(folder()).entryList(QDir::Files).size(), qsizetype(2));
}

void TestCellCache::nothingIsFoundInAnEmptyFolder()
{
    CellCache cache(folder());
    const MatrixRow row = rowOf(builtin("set-nx-ex"));
    const auto found = lookedUp(cache, row.tasks);
    QVERIFY(found.has_value());
    QVERIFY(found->cells.empty());
    QCOMPARE(found->tasks.size(), row.tasks.size());
    QVERIFY(!QDir(folder()).exists());
}

void TestCellCache::anotherBoundIsAnotherVersion()
{
    CellCache cache(folder());
    cache.keep(rowOf(builtin("set-nx-ex"), 3000));
    QVERIFY(lookedUp(cache, rowOf(builtin("set-nx-ex"), 4000).tasks)->cells.empty());
    QVERIFY(!lookedUp(cache, rowOf(builtin("set-nx-ex"), 3000).tasks)->cells.empty());
    // The newest takes the place of the one before.
    cache.keep(rowOf(builtin("set-nx-ex"), 4000));
    QVERIFY(lookedUp(cache, rowOf(builtin("set-nx-ex"), 3000).tasks)->cells.empty());
}

void TestCellCache::everythingThatCountsIsInTheVersion()
{
    const std::vector<SearchTask> tasks = rowOf(builtin("set-nx-ex")).tasks;
    const std::string version = versionOf(tasks);
    QCOMPARE(versionOf(rowOf(builtin("set-nx-ex")).tasks), version);
    QVERIFY(versionOf(rowOf(builtin("setnx-no-expiry")).tasks) != version);
    std::vector<SearchTask> changed = tasks;
    changed[1].plans.back().triesMax += 1;
    QVERIFY(versionOf(changed) != version);
    changed = tasks;
    std::get<search::SystematicSearch>(changed[0].method).bounds.lengthMax += 1;
    QVERIFY(versionOf(changed) != version);
    changed = tasks;
    std::swap(changed[0].fault, changed[1].fault);
    QVERIFY(versionOf(changed) != version);
    changed.pop_back();
    QVERIFY(versionOf(changed) != version);
}

void TestCellCache::ownProtocolsAreNotKept()
{
    CellCache cache(folder());
    const MatrixRow row = rowOf(own());
    cache.keep(row);
    QVERIFY(lookedUp(cache, row.tasks)->cells.empty());
    QVERIFY(!QDir(folder()).exists());
}

void TestCellCache::aBrokenFileIsNoFile()
{
    const MatrixRow row = rowOf(builtin("set-nx-ex"));
    CellCache cache(folder());
    cache.keep(row);
    QVERIFY(!lookedUp(cache, row.tasks)->cells.empty());
    QFile file(folder() + u"/set-nx-ex.cells"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.resize(file.size() / 2));
    file.close();
    QVERIFY(lookedUp(cache, row.tasks)->cells.empty());
    cache.keep(row);
    QVERIFY(!lookedUp(cache, row.tasks)->cells.empty());
}

void TestCellCache::aFolderThatCannotBeMadeIsNoTrouble()
{
    QFile inTheWay(m_folder->filePath(u"deep"_s));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const MatrixRow row = rowOf(builtin("set-nx-ex"));
    CellCache cache(folder());
    cache.keep(row);
    QVERIFY(lookedUp(cache, row.tasks)->cells.empty());
}

void TestCellCache::theFolderBelongsToTheProgram()
{
    QVERIFY(QDir::isAbsolutePath(CellCache::defaultFolder()));
    QVERIFY(CellCache::defaultFolder().endsWith(u"/lockscope/matrix"_s));
}

LOCKSCOPE_TEST(TestCellCache, Core)

} // namespace lockscope::tst_cell_cache

#include "tst_cell_cache.moc"
