// The matrix with the real search behind it, of two faults and a small bound.

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/pool/search_pool.h"
#include "tests/support/manual_clock.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/matrix/advice_model.h"
#include "ui/widgets/controls/harm_mark.h"
#include "ui/widgets/matrix/advice_dialog.h"
#include "ui/widgets/matrix/matrix_bar.h"
#include "ui/widgets/matrix/matrix_export.h"
#include "ui/widgets/matrix/matrix_lens.h"
#include "ui/widgets/matrix/matrix_page.h"
#include "ui/widgets/matrix/matrix_painter.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/shell/settings.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_matrix_page {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using models::MatrixModel;
using world::FaultKind;

namespace {

constexpr int kPatienceMs = 300'000; // under a sanitizer, on two busy cores
constexpr std::uint64_t kSchedules = 20;
const std::vector kTwoFaults{FaultKind::Interleaving, FaultKind::Pause};
const std::vector kThreeFaults{FaultKind::Interleaving, FaultKind::Crash, FaultKind::Pause};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

models::ProtocolPtr ownProtocol()
{
    const QString path = testing::inSourceTree(u"resources/protocols/token-lock.json"_s);
    auto read = protocol::readProtocol(contentOf(path).toStdString());
    return std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read));
}

} // namespace

class TestMatrixPage : public QObject {
    Q_OBJECT

    struct Rig {
        explicit Rig(const QString& folder, std::uint64_t schedulesMax = kSchedules,
                     const std::vector<FaultKind>& faults = kTwoFaults,
                     const QStringList& unfolded = {})
            : cache(folder),
              settings(settingsWith(unfolded)),
              page({searcher, remedySearcher, protocols, cache, prompter, settings, faults,
                    boundsOf(schedulesMax)})
        {
            connect(&page, &MatrixPage::cellOpened, &page,
                    [this](const auto& order, const auto& reports, protocol::Promise promise) {
                        opened.emplace_back(order, reports);
                        promises.push_back(promise);
                    });
        }

        static Settings settingsWith(const QStringList& unfolded)
        {
            Settings settings;
            settings.matrixUnfoldedGroups = unfolded;
            return settings;
        }

        static search::Bounds boundsOf(std::uint64_t schedulesMax)
        {
            search::Bounds bounds;
            bounds.schedulesMax = schedulesMax;
            return bounds;
        }

        testing::ManualClock clock;
        pool::SearchPool searcher{clock};
        pool::SearchPool remedySearcher{clock};
        models::ProtocolListModel protocols;
        models::CellCache cache;
        test::ScriptedPrompter prompter;
        Settings settings;
        std::vector<std::pair<service::SearchOrder, std::vector<report::CellReport>>> opened;
        std::vector<protocol::Promise> promises;
        MatrixPage page;
    };
    std::unique_ptr<QTemporaryDir> m_cells; // filled by the first test that needs them
    std::unique_ptr<Rig> m_rig;

    template<class Widget>
    Widget& find(const QString& name) const
    {
        auto* const found = m_rig->page.findChild<Widget*>(name);
        if (found == nullptr) {
            qFatal("there is no %s", qPrintable(name));
        }
        return *found;
    }
    MatrixView& view() const { return find<MatrixView>(u"matrixView"_s); }
    const MatrixModel& matrix() const { return *qobject_cast<MatrixModel*>(view().model()); }
    QString numbers() const { return find<QLabel>(u"matrixNumbers"_s).text(); }
    bool isComplete() const { return matrix().knownCount() == matrix().rowCount(); }

    void press(const QString& name) const
    {
        QTest::keyClick(&find<QPushButton>(name), Qt::Key_Space);
    }

    void showPage(const QString& folder, std::uint64_t schedulesMax = kSchedules,
                  const std::vector<FaultKind>& faults = kTwoFaults,
                  const QStringList& unfolded = {})
    {
        m_rig.reset();
        m_rig = std::make_unique<Rig>(folder, schedulesMax, faults, unfolded);
        m_rig->page.resize(1280, 700);
        m_rig->page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_rig->page));
    }
    /// With every cell.
    void showFullPage()
    {
        showPage(m_cells->path());
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(), kPatienceMs);
    }

    /// A cell in which something broke, or one in which nothing did.
    QModelIndex someCell(bool isBroken) const
    {
        for (int row = 0; row < matrix().rowCount(); ++row) {
            for (int column = 0; column < matrix().columnCount(); ++column) {
                const QModelIndex index = matrix().index(row, column);
                if (MatrixModel::isHarmed(index) == isBroken) {
                    return index;
                }
            }
        }
        return {};
    }
    int lastOfGroup(report::ProtocolGroup group) const
    {
        int last = -1;
        for (int row = 0; row < matrix().rowCount(); ++row) {
            last = report::groupOf(matrix().protocolAt(row)->info()) == group ? row : last;
        }
        return last;
    }
    void click(const QModelIndex& index) const
    {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().visualRect(index).center());
    }
    QString saved(MatrixFormat format, const QString& name) const;

private Q_SLOTS:
    void initTestCase();
    void cleanup() { m_rig.reset(); }
    void itFillsByItself();
    void rowsStayWhileItComputes();
    void groupsHaveHeadings();
    void aClickOpensTheCounterexample();
    void theKeyboardOpensTheCounterexample();
    void whatHeldIsNotOpened();
    void theCellIsExplainedBelow();
    void whatIsKnownIsNotSearchedAgain();
    void aSearchCanBeStopped();
    void anOwnProtocolIsSearchedAtOnce();
    void theMatrixIsExported_data();
    void theMatrixIsExported();
    void anExportThatFailsIsTold();
    void theGridTakesTheRoomThereIs();
    void whatMustNotHappenIsChosen();
    void columnsAreChosen();
    void groupsOfFaultsAreUnfolded();
    void adviceFollowsTheMatrix();
    void everyHarmAndStandingHasALook();
};

void TestMatrixPage::initTestCase()
{
    applyTheme(*qApp, ThemeChoice::Light);
    m_cells = std::make_unique<QTemporaryDir>();
}

void TestMatrixPage::itFillsByItself()
{
    const QTemporaryDir folder;
    showPage(folder.path());
    QVERIFY(find<QPushButton>(u"stopMatrixButton"_s).isEnabled());
    QVERIFY(find<QProgressBar>(u"matrixProgress"_s).isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(matrix().knownCount() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(numbers().startsWith(u"protocol "_s), kPatienceMs);
    QVERIFY(!find<QPushButton>(u"computeMatrixButton"_s).isEnabled());
    QCOMPARE(matrix().rowCount(), static_cast<int>(protocol::builtinProtocols().size()));
}

void TestMatrixPage::rowsStayWhileItComputes()
{
    const QTemporaryDir folder;
    showPage(folder.path());
    const auto ids = [this] {
        QStringList all;
        for (int row = 0; row < matrix().rowCount(); ++row) {
            all += matrix().headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        }
        return all;
    };
    const QStringList first = ids();
    auto& sort = find<QPushButton>(u"sortMatrixButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(sort.isEnabled(), kPatienceMs); // what is known is out of its order
    QCOMPARE(ids(), first);
    press(u"sortMatrixButton"_s);
    QVERIFY(!sort.isEnabled() && ids() != first);
    // All is known: now the order is that of the verdicts, and it stays when all is searched again.
    QTRY_VERIFY_WITH_TIMEOUT(isComplete() && numbers().startsWith(u"24 of 24"_s), kPatienceMs);
    QVERIFY(matrix().isSorted() && !sort.isEnabled());
    const QStringList sorted = ids();
    press(u"computeMatrixButton"_s);
    QVERIFY(!isComplete());
    QTRY_VERIFY_WITH_TIMEOUT(matrix().knownCount() > 0, kPatienceMs);
    QCOMPARE(ids(), sorted);
}

void TestMatrixPage::groupsHaveHeadings()
{
    showFullPage();
    QTRY_VERIFY(numbers().startsWith(u"24 of 24"_s));
    int groupCount = 0;
    for (int row = 0; row < matrix().rowCount(); ++row) {
        const bool isFirst = !matrix()
                                  .headerData(row, Qt::Vertical, MatrixModel::GroupNameRole)
                                  .toString()
                                  .isEmpty();
        groupCount += isFirst ? 1 : 0;
        const QRect cell = view().visualRect(matrix().index(row, 0));
        QCOMPARE(view().rowHeight(row),
                 cell.height() + (isFirst ? matrixGroupHeight(view().font()) : 0));
        // A click on the name of a group opens no cell.
        const QPoint above(cell.center().x(), cell.top() - 2);
        QCOMPARE(view().indexAt(above), isFirst ? QModelIndex() : matrix().index(row - 1, 0));
        QCOMPARE(view().indexAt(cell.center()), matrix().index(row, 0));
    }
    QCOMPARE(groupCount, 3);
}

void TestMatrixPage::aClickOpensTheCounterexample()
{
    showFullPage();
    const QModelIndex cell = someCell(true);
    click(cell);
    QCOMPARE(m_rig->opened.size(), std::size_t(1));
    const auto& [order, reports] = m_rig->opened.front();
    QCOMPARE(order.tasks.size(), std::size_t(1));
    QCOMPARE(order.tasks.front().protocol, matrix().protocolAt(cell.row()));
    QCOMPARE(reports.size(), std::size_t(1));
    // The promise whose breach does what must not happen is the one to look at.
    const protocol::Promise promise = m_rig->promises.front();
    QCOMPARE(search::harmOf(promise), search::Harm::TwoHolders);
    const report::CellVerdict* const broken =
        &reports.front().verdicts.at(static_cast<std::size_t>(promise));
    QVERIFY(broken->isBroken() && !broken->story.empty());
    QVERIFY(!broken->plan.clients.empty() && !broken->result.finding->steps.empty());
}

void TestMatrixPage::theKeyboardOpensTheCounterexample()
{
    showFullPage();
    const QModelIndex cell = someCell(true);
    view().setFocus();
    view().setCurrentIndex(matrix().index(cell.row(), cell.column() > 0 ? 0 : 1));
    QTest::keyClick(&view(), cell.column() > 0 ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(view().currentIndex(), cell);
    QTest::keyClick(&view(), Qt::Key_Return);
    QCOMPARE(m_rig->opened.size(), std::size_t(1));
    press(u"openCellButton"_s);
    QCOMPARE(m_rig->opened.size(), std::size_t(2));
}

void TestMatrixPage::whatHeldIsNotOpened()
{
    showFullPage();
    const QModelIndex cell = someCell(false);
    QVERIFY(cell.isValid());
    click(cell);
    QCOMPARE(view().currentIndex(), cell);
    QTest::keyClick(&view(), Qt::Key_Enter);
    QVERIFY(m_rig->opened.empty());
    QVERIFY(!find<QPushButton>(u"openCellButton"_s).isEnabled());
}

void TestMatrixPage::theCellIsExplainedBelow()
{
    showFullPage();
    auto& title = find<QLabel>(u"cellTitle"_s);
    QVERIFY(!find<QPushButton>(u"openCellButton"_s).isEnabled());
    const QModelIndex broken = someCell(true);
    QTest::mouseMove(view().viewport(), view().visualRect(broken).center());
    QTRY_COMPARE(title.text(), broken.data(MatrixModel::TitleRole).toString());
    QCOMPARE(view().viewport()->cursor().shape(), Qt::PointingHandCursor);
    view().setCurrentIndex(someCell(false));
    QCOMPARE(title.text(), someCell(false).data(MatrixModel::TitleRole).toString());
}

void TestMatrixPage::whatIsKnownIsNotSearchedAgain()
{
    showFullPage();
    const std::vector<report::CellReport> first = matrix().cells();
    showFullPage();
    QCOMPARE(m_rig->searcher.progress().phase, service::SearchProgress::Phase::Idle);
    QCOMPARE(matrix().cells().size(), first.size());
    QTRY_VERIFY(numbers().startsWith(u"24 of 24"_s));
    // Anew when the user says so.
    press(u"computeMatrixButton"_s);
    QVERIFY(!isComplete());
    QTRY_VERIFY_WITH_TIMEOUT(matrix().knownCount() > 0, kPatienceMs);
    QVERIFY(m_rig->searcher.progress().phase != service::SearchProgress::Phase::Idle);
}

void TestMatrixPage::aSearchCanBeStopped()
{
    const QTemporaryDir folder;
    showPage(folder.path(), 10'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().coverage.schedules > 0, kPatienceMs);
    press(u"stopMatrixButton"_s);
    QVERIFY2(numbers().startsWith(u"stopped: "_s), qPrintable(numbers()));
    QVERIFY(!find<QPushButton>(u"stopMatrixButton"_s).isEnabled());
    // A small protocol may just have been through, and the next one not begun: then nothing is
    // cancelled. The large ones are not over by themselves.
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
    QVERIFY(matrix().knownCount() < int(protocol::builtinProtocols().size()));
    const QString stopped = u"stopped: %1 of %2 protocols"_s.arg(matrix().knownCount())
                                .arg(protocol::builtinProtocols().size());
    QCOMPARE(numbers(), stopped);
    // Coming back does not start it again; the button does.
    m_rig->page.hide();
    m_rig->page.show();
    QCOMPARE(numbers(), stopped);
    press(u"computeMatrixButton"_s);
    QVERIFY(find<QPushButton>(u"stopMatrixButton"_s).isEnabled());
}

void TestMatrixPage::anOwnProtocolIsSearchedAtOnce()
{
    showFullPage();
    QTRY_VERIFY(numbers().startsWith(u"24 of 24"_s));
    const models::ProtocolPtr own = ownProtocol();
    QVERIFY(m_rig->protocols.addOwn(own, u"token-lock.json"_s));
    QCOMPARE(matrix().rowCount(), 25);
    QCOMPARE(matrix().rowOf(own), lastOfGroup(report::ProtocolGroup::OneHolder));
    QTRY_VERIFY_WITH_TIMEOUT(isComplete(), kPatienceMs);
    QVERIFY(matrix().rowOf(own) >= 0);
    // Another version of it is another protocol.
    QVERIFY(m_rig->protocols.addOwn(ownProtocol(), u"token-lock.json"_s));
    QCOMPARE(matrix().rowCount(), 25);
    QCOMPARE(matrix().rowOf(own), -1);
    QVERIFY(!matrix().isKnown(lastOfGroup(report::ProtocolGroup::OneHolder)));
    QTRY_VERIFY_WITH_TIMEOUT(isComplete(), kPatienceMs);
}

QString TestMatrixPage::saved(MatrixFormat format, const QString& name) const
{
    const QString path = m_cells->filePath(name);
    m_rig->prompter.willChooseFile(path);
    QMenu* const menu = find<QPushButton>(u"exportMatrixButton"_s).menu();
    for (QAction* const action : menu->actions()) {
        if (action->text() == titleOf(format)) {
            action->trigger();
        }
    }
    return QTest::qWaitFor([this] { return numbers().startsWith(u"saved as "_s); }) ? path
                                                                                    : QString();
}

void TestMatrixPage::theMatrixIsExported_data()
{
    QTest::addColumn<MatrixFormat>("format");
    QTest::newRow("PNG") << MatrixFormat::Png;
    QTest::newRow("SVG") << MatrixFormat::Svg;
    QTest::newRow("CSV") << MatrixFormat::Csv;
    QTest::newRow("Markdown") << MatrixFormat::Markdown;
}

void TestMatrixPage::theMatrixIsExported()
{
    QFETCH(const MatrixFormat, format);
    showFullPage();
    QTRY_VERIFY(numbers().startsWith(u"24 of 24"_s));
    const QString path = saved(format, saveQuestion(format).fileName);
    const QByteArray content = contentOf(path);
    QVERIFY(!content.isEmpty());
    const QSize size = MatrixPicture(matrix(), m_rig->page.font(), m_rig->page.palette()).size();
    switch (format) {
    case MatrixFormat::Png: QCOMPARE(QImage::fromData(content).size(), size * 2); break;
    case MatrixFormat::Svg:
        QVERIFY(QSvgRenderer(content).isValid());
        QCOMPARE(QSvgRenderer(content).viewBox(), QRect(QPoint(), size));
        QVERIFY(content.contains("redlock-unchecked"));
        break;
    case MatrixFormat::Csv:
        QVERIFY(content.startsWith("protocol,fault,promise,"));
        QCOMPARE(content.count('\n'), 1
                                          + int(protocol::builtinProtocols().size()) * 2
                                                * int(protocol::Promise::PromiseCount));
        break;
    case MatrixFormat::Markdown:
        QVERIFY(content.startsWith(
            "**One holder**\n\n| protocol | verdict | interleaving | pause |\n"));
        QCOMPARE(content.count("\n| "), 3 + 24);
        break;
    }
}

void TestMatrixPage::anExportThatFailsIsTold()
{
    showFullPage();
    m_rig->prompter.willChooseFile(u"/nowhere/at/all/matrix.csv"_s);
    Q_EMIT m_rig->page.findChild<MatrixBar*>()->exportRequested(MatrixFormat::Csv);
    QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
    QVERIFY(m_rig->prompter.asked().front().detail.startsWith(u"/nowhere/at/all"_s));
}

void TestMatrixPage::theGridTakesTheRoomThereIs()
{
    showFullPage();
    QCOMPARE(view().horizontalHeader()->sectionResizeMode(0), QHeaderView::Fixed);
    QVERIFY(view().columnWidth(0) >= view().horizontalHeader()->fontMetrics().averageCharWidth());
    const int narrow = view().rowHeight(1);
    m_rig->page.resize(1920, 1080);
    QTRY_VERIFY(view().rowHeight(1) > narrow);
    QVERIFY(view().verticalHeader()->length() <= view().viewport()->height());
    const auto* const legend = m_rig->page.findChild<QWidget*>(u"matrixLegend"_s);
    QVERIFY(legend->heightForWidth(300) > legend->heightForWidth(3000));
}

void TestMatrixPage::whatMustNotHappenIsChosen()
{
    showFullPage();
    const int known = matrix().rowOf({std::shared_ptr<const void>(),
                                      protocol::findProtocol("exists-then-set")});
    QVERIFY(known >= 0);
    auto& box = find<QComboBox>(u"neverBox"_s);
    QCOMPARE(matrix().never(), std::vector{search::Harm::TwoHolders});
    box.setCurrentIndex(box.count() - 1);
    QCOMPARE(matrix().never().size(), search::allHarms().size());
    QCOMPARE(m_rig->settings.matrixNever, QString());
    box.setCurrentIndex(1);
    QCOMPARE(matrix().never(), std::vector{search::Harm::Stuck});
    QCOMPARE(m_rig->settings.matrixNever, u"stuck"_s);
}

void TestMatrixPage::columnsAreChosen()
{
    showFullPage();
    QMenu* const menu = find<QPushButton>(u"faultsButton"_s).menu();
    QAction* pause = nullptr;
    for (QAction* const action : menu->actions()) {
        pause = action->data().toString() == u"pause"_s ? action : pause;
    }
    QVERIFY(pause != nullptr);
    pause->trigger();
    QCOMPARE(matrix().columnCount(), 1);
    QCOMPARE(find<QPushButton>(u"faultsButton"_s).text(), u"1 of 2"_s);
    QCOMPARE(m_rig->settings.matrixHiddenFaults, QStringList{u"pause"_s});
    // The last one stays.
    for (QAction* const action : menu->actions()) {
        if (action->data().toString() == u"interleaving"_s) {
            action->trigger();
            QVERIFY(action->isChecked());
        }
    }
    QCOMPARE(matrix().columnCount(), 1);
    menu->actions().front()->trigger(); // all
    QCOMPARE(matrix().columnCount(), 2);
    QVERIFY(m_rig->settings.matrixHiddenFaults.isEmpty());
}

void TestMatrixPage::groupsOfFaultsAreUnfolded()
{
    const QTemporaryDir folder;
    showPage(folder.path(), 1, kThreeFaults);
    QCOMPARE(matrix().columnCount(), 2);
    // A click on the heading folds and unfolds.
    QHeaderView& header = *view().horizontalHeader();
    const int height = header.height();
    const auto clickOn = [&header](int section) {
        const QPoint at(header.sectionViewportPosition(section) + header.sectionSize(section) / 2,
                        header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
    };
    clickOn(0); // there is nothing to unfold
    QCOMPARE(matrix().columnCount(), 2);
    clickOn(1);
    QCOMPARE(matrix().columnCount(), 3);
    QCOMPARE(m_rig->settings.matrixUnfoldedGroups, QStringList{u"clients"_s});
    QVERIFY(header.height() > height); // the name of the group is above its faults
    clickOn(2);
    QCOMPARE(matrix().columnCount(), 2);
    // Space folds and unfolds; the current cell stays in its row and its group.
    view().setCurrentIndex(matrix().index(4, 1));
    QTest::keyClick(&view(), Qt::Key_Space);
    QCOMPARE(matrix().columnCount(), 3);
    QCOMPARE(view().currentIndex(), matrix().index(4, 1));
    // It is remembered.
    const QStringList unfolded = m_rig->settings.matrixUnfoldedGroups;
    showPage(folder.path(), 1, kThreeFaults, unfolded);
    QCOMPARE(matrix().columnCount(), 3);
}

void TestMatrixPage::adviceFollowsTheMatrix()
{
    // Without one of the faults that are always searched, a lock may have a hazard.
    const QTemporaryDir folder;
    showPage(folder.path(), kSchedules, kThreeFaults);
    QTRY_VERIFY_WITH_TIMEOUT(isComplete(), kPatienceMs);
    press(u"adviseButton"_s);
    auto* const dialog = m_rig->page.findChild<AdviceDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    const auto& table = find<QTableView>(u"adviceTable"_s);
    const auto rowOf = [&table](const QString& protocol) {
        const QAbstractItemModel& model = *table.model();
        const QModelIndexList found = model.match(model.index(0, 0), Qt::DisplayRole, protocol, 1,
                                                  Qt::MatchExactly);
        return found.isEmpty() ? -1 : found.front().row();
    };
    const auto answer = [&](const QString& protocol) {
        return table.model()
            ->index(rowOf(protocol), models::AdviceModel::AnswerColumn)
            .data()
            .toString();
    };
    QCOMPARE(table.model()->rowCount(), 24);
    const auto& summary = find<QLabel>(u"adviceSummary"_s);
    // No lease withstands a pause.
    QVERIFY(answer(u"set-nx-px-token"_s).startsWith(u"two holders at once under pause, in "_s));
    // A search of its own says what would help.
    const auto& additions = find<QLabel>(u"adviceAdditions"_s);
    find<QCheckBox>(u"adviceReentrant"_s).click(); // nothing that is reentrant holds
    QTRY_VERIFY_WITH_TIMEOUT(additions.text().contains(u"A longer lease: with one 10 times"_s),
                             kPatienceMs);
    // Where one thing is not enough, two are tried.
    auto& library = find<QComboBox>(u"adviceLibrary"_s);
    library.setCurrentIndex(library.findData(u"go"_s));
    QTRY_VERIFY_WITH_TIMEOUT(
        additions.text().contains(u"Two things together, a lease 10 times as long and code of your"
                                  " own: nothing broke redisson-lock then."_s),
        kPatienceMs);
    library.setCurrentIndex(0);
    find<QCheckBox>(u"adviceReentrant"_s).click();
    // Which columns there are is part of the question.
    for (QAction* const action : find<QPushButton>(u"faultsButton"_s).menu()->actions()) {
        if (action->data().toString() == u"pause"_s) {
            action->trigger();
        }
    }
    const int suiting = summary.text().section(u' ', 0, 0).toInt();
    QVERIFY2(suiting > 0, qPrintable(summary.text()));
    QVERIFY(answer(u"set-nx-px-token"_s).startsWith(u"h"_s));
    // The faults that show hazards count, in a column or not.
    QVERIFY(
        answer(u"set-nx-ex"_s)
            .startsWith(u"no choice: somebody else's lock removed or extended under pause, in "_s));
    // The reason has the room of what is not said of it.
    constexpr int kAnswer = models::AdviceModel::AnswerColumn;
    QCOMPARE(table.columnSpan(rowOf(u"set-nx-ex"_s), kAnswer), 4);
    QCOMPARE(table.columnSpan(rowOf(u"redlock"_s), kAnswer), 3); // it has libraries
    QCOMPARE(table.columnSpan(rowOf(u"set-nx-px-token"_s), kAnswer), 1);
    QVERIFY(!table.model()
                 ->index(rowOf(u"set-nx-px-token"_s), models::AdviceModel::CommandsColumn)
                 .data()
                 .toString()
                 .isEmpty());
    find<QCheckBox>(u"adviceReentrant"_s).click();
    QCOMPARE(answer(u"set-nx-px-token"_s), u"not reentrant"_s);
    QVERIFY(summary.text().section(u' ', 0, 0).toInt() < suiting);
    press(u"adviseButton"_s);
    QCOMPARE(m_rig->page.findChildren<AdviceDialog*>().size(), 1);
}

void TestMatrixPage::everyHarmAndStandingHasALook()
{
    using Standing = report::CellStanding;
    const StateColors colors = stateColorsOf(lightPalette());
    QList<QImage> looks;
    const auto add = [&](const MatrixCell& cell) {
        // In one colour: the shapes have to be enough.
        QImage image(24, 24, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintMatrixCell(painter, image.rect(), cell, QFont(), colors);
        painter.end();
        image = image.convertToFormat(QImage::Format_Mono, Qt::MonoOnly | Qt::ThresholdDither);
        QVERIFY(!looks.contains(image));
        looks += image;
    };
    for (const search::Harm harm : search::allHarms()) {
        MatrixCell cell;
        cell.standing = Standing::Harmed;
        cell.harm = harm;
        add(cell);
        QVERIFY(contrastRatio(colorOfHarm(harm, colors), lightPalette().color(QPalette::Base))
                >= 4.5);
    }
    for (const Standing standing : {Standing::Held, Standing::HeldSoFar}) {
        MatrixCell cell;
        cell.standing = standing;
        add(cell);
    }
}

LOCKSCOPE_TEST(TestMatrixPage, Widgets)

} // namespace lockscope::tst_matrix_page

#include "tst_matrix_page.moc"
