#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/report/saved_cells.h"
#include "core/kernel/report/search_json.h"
#include "core/kernel/search/default_plans.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/searched_cell.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_saved_cells {

using report::CellOrigin;
using report::CellReport;
using world::FaultKind;

namespace {

constexpr const char* kProtocol = "exists-then-set";
constexpr std::string_view kVersion = "7f";
constexpr std::uint64_t kSchedules = 200;

/// What a real search of one protocol comes to: order alone, pauses, a fault that makes no
/// difference, and crashes that leave a lock forever.
struct Searched {
    std::vector<FaultKind> faults{FaultKind::Interleaving, FaultKind::Pause, FaultKind::Hang,
                                  FaultKind::Crash};
    std::vector<std::vector<world::WorldPlan>> plans;
    std::vector<CellOrigin> origins;
    std::vector<CellReport> cells;

    Searched()
    {
        const protocol::LockProtocol& protocol = *protocol::findProtocol(kProtocol);
        for (const FaultKind fault : faults) {
            plans.push_back(search::plansFor(protocol.info(), fault));
        }
        for (std::size_t i = 0; i < faults.size(); ++i) {
            origins.push_back({kProtocol, report::groupOf(protocol.info()), faults[i], plans[i]});
            cells.push_back(cellOf(protocol, i));
        }
    }

private:
    CellReport cellOf(const protocol::LockProtocol& protocol, std::size_t i) const
    {
        sim::LuaEngine lua;
        return testing::searchedCell(protocol, faults[i], plans[i], kSchedules, lua, true);
    }
};

std::string entriesOf(const CellReport& cell)
{
    std::string text;
    for (const report::Json& entry : report::matrixEntries(cell)) {
        text += entry.dump() + '\n';
    }
    return text;
}

} // namespace

class TestSavedCells final : public QObject {
    Q_OBJECT

    const Searched m_searched;

    std::string text() const { return report::savedCellsText(kVersion, m_searched.cells); }
    std::vector<CellReport> read(const std::string& text) const
    {
        return report::readSavedCells(text, kVersion, m_searched.origins);
    }

private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void theRunsCanBeRunAgain();
    void anotherVersionIsNotRead();
    void theGroupIsThatOfTheProtocol();
    void otherCellsAreNotRead();
    void halfAFileIsNotRead();
    void aChangedFileIsNotRead();
    void nonsenseIsNotRead_data();
    void nonsenseIsNotRead();
};

void TestSavedCells::whatIsWrittenIsReadBack()
{
    const std::vector<CellReport> again = read(text());
    QCOMPARE(again.size(), m_searched.cells.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        QCOMPARE(entriesOf(again[i]), entriesOf(m_searched.cells[i]));
        QCOMPARE(report::cellText(again[i], search::allHarms()),
                 report::cellText(m_searched.cells[i], search::allHarms()));
        QCOMPARE(again[i].isApplicable, m_searched.cells[i].isApplicable);
        QCOMPARE(again[i].coverage.states, m_searched.cells[i].coverage.states);
        QCOMPARE(again[i].coverage.commands, m_searched.cells[i].coverage.commands);
        QVERIFY(again[i].coverage.virtualTime == m_searched.cells[i].coverage.virtualTime);
    }
    QCOMPARE(report::savedCellsText(kVersion, again), text());
}

void TestSavedCells::theRunsCanBeRunAgain()
{
    const CellReport pause = read(text()).at(1);
    const report::CellVerdict* const broken = pause.headline();
    QVERIFY(broken != nullptr);
    sim::LuaEngine lua;
    world::World world(*protocol::findProtocol(kProtocol), broken->plan, lua);
    for (const world::Step& step : broken->result.finding->steps) {
        QVERIFY(world.takeStep(step));
    }
    const world::Violation& violation = broken->result.finding->violation;
    QVERIFY(std::ranges::find(world.violations(), violation) != world.violations().end());
    QCOMPARE(broken->plan.name, m_searched.plans[1][broken->result.planIndex].name);
    QVERIFY(broken->story.back().isViolation);
}

void TestSavedCells::anotherVersionIsNotRead()
{
    QVERIFY(report::readSavedCells(text(), "80", m_searched.origins).empty());
}

void TestSavedCells::theGroupIsThatOfTheProtocol()
{
    std::vector<CellOrigin> origins = m_searched.origins;
    origins[0].group = report::ProtocolGroup::Permits;
    const auto again = report::readSavedCells(text(), kVersion, origins);
    QVERIFY(again.at(0).group == report::ProtocolGroup::Permits);
    QVERIFY(again.at(1).group == report::ProtocolGroup::OneHolder);
}

void TestSavedCells::otherCellsAreNotRead()
{
    const std::span<const CellOrigin> all(m_searched.origins);
    QVERIFY(report::readSavedCells(text(), kVersion, all.first(2)).empty());
    // Plans that the findings do not fit.
    std::vector<CellOrigin> withoutPlans = m_searched.origins;
    withoutPlans[1].plans = {};
    QVERIFY(report::readSavedCells(text(), kVersion, withoutPlans).empty());
}

void TestSavedCells::halfAFileIsNotRead()
{
    const std::string whole = text();
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 50) {
        QVERIFY(read(whole.substr(0, length)).empty());
    }
    QVERIFY(read(whole.substr(0, whole.size() - 1)).empty());
    QVERIFY(read(whole + ' ').empty());
}

void TestSavedCells::aChangedFileIsNotRead()
{
    const std::string whole = text();
    for (std::size_t place = 0; place < whole.size(); place += 1 + whole.size() / 200) {
        std::string changed = whole;
        changed[place] = static_cast<char>(changed[place] ^ 1);
        QVERIFY2(read(changed).empty(), std::to_string(place).c_str());
    }
}

void TestSavedCells::nonsenseIsNotRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("lockscope\ncells");
    QTest::newRow("a list as head") << QByteArray("[]\n[]");
    QTest::newRow("numbers") << QByteArray(R"({"format":1,"version":2,"digest":3})"
                                           "\n[]");
    QTest::newRow("bytes") << QByteArray("\xff\xfe\n\xff");
}

void TestSavedCells::nonsenseIsNotRead()
{
    QFETCH(const QByteArray, text);
    QVERIFY(read(text.toStdString()).empty());
}

LOCKSCOPE_TEST(TestSavedCells, Core)

} // namespace lockscope::tst_saved_cells

#include "tst_saved_cells.moc"
