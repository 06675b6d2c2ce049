// The laboratory with the real search behind it: it needs no server.

#include "tests/support/test_program.h"
#include "tests/ui/widgets/lab/lab_rig.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/controls/wrapped_text.h"
#include "ui/widgets/lab/lab_bar.h"
#include "ui/widgets/lab/lab_form.h"
#include "ui/widgets/lab/live_run.h"
#include "ui/widgets/lab/run_view.h"
#include "ui/widgets/lab/searched_run.h"
#include "ui/widgets/lab/turning_point_search.h"
#include "ui/widgets/lab/verdict_panel.h"
#include "ui/widgets/timeline/event_table.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLayout>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace lockscope::tst_lab_page {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Phase = service::SearchProgress::Phase;

namespace {

constexpr int kPatienceMs = 120'000; // under a sanitizer, on two busy cores

} // namespace

class TestLabPage : public QObject {
    Q_OBJECT

    using Rig = test::LabRig;
    std::unique_ptr<Rig> m_rig;

    QTabWidget& runs() const { return m_rig->runs(); }
    template<class Widget>
    Widget& find(const QString& name) const
    {
        return m_rig->find<Widget>(name);
    }
    QAbstractItemModel& storyLines() const { return m_rig->storyLines(); }
    QAbstractItemModel& verdicts() const { return m_rig->verdicts(); }
    QString command() const { return find<CommandBox>(u"labCommand"_s).command(); }

    void trigger(const QString& name) const { find<QAction>(name).trigger(); }
    void press(const QString& name) const
    {
        QTest::keyClick(&find<QPushButton>(name), Qt::Key_Space);
    }

    /// Chooses the protocol and what may go wrong, and searches to the end.
    void search(const QString& protocol, const QString& fault) const
    {
        QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(protocol));
        find<QToolButton>(u"noFaultsButton"_s).click();
        if (!fault.isEmpty()) {
            find<QCheckBox>(fault).setChecked(true);
        }
        find<QSpinBox>(u"boundBox"_s).setValue(300);
        press(u"findButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
    }
    /// Layouts follow their contents later, one level at a time; the answer waits for all of them.
    bool fitsSmallScreen() const
    {
        // In the font of the window this is what a screen of 1280 pixels has.
        constexpr int kCharacters = 188;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        return m_rig->page.minimumSizeHint().width()
               <= m_rig->page.fontMetrics().averageCharWidth() * kCharacters;
    }
    /// From which line on nothing helps; -1 while that is not known.
    int markedLine() const
    {
        for (int row = 0; row < storyLines().rowCount(); ++row) {
            const QModelIndex line = storyLines().index(row, 0);
            if (!line.data(models::StoryModel::TurningPointRole).toString().isEmpty()) {
                return row;
            }
        }
        return -1;
    }
    RunView& run() const { return *qobject_cast<RunView*>(runs().currentWidget()); }
    static QStringList labelsIn(const QWidget& widget)
    {
        QStringList texts;
        for (const QLabel* const label : widget.findChildren<QLabel*>()) {
            texts += label->text();
        }
        return texts;
    }
    TimelineView& timeline() const { return *runs().currentWidget()->findChild<TimelineView*>(); }

private Q_SLOTS:
    void init();
    void cleanup();
    void theFirstPageSaysWhatToDo();
    void theShortestStoryIsShown();
    void whoSearchedByKeyboardReadsOnByKeyboard();
    void theStoryIsWalkedThrough();
    void anotherPromiseHasAnotherStory();
    void whatHoldsHasNoStory();
    void theCommandFollowsTheForm();
    void whatMakesNoDifferenceCannotBeChosen();
    void aSearchCanBeStopped();
    void theStoryIsCopied();
    void longTextsAreWrapped();
    void everyRunHasATabOfItsOwn();
    void aSearchCanBePaused();
    void theStoryIsPlayed();
    void thePlaceOfNoReturnIsMarked();
    void theMarkLeavesTheLastStepInSight();
    void aLiveRunFillsItsTab();
    void closingATabEndsItsRun();
    void randomRunsAreCountedTogether();
    void aRunIsSavedAndOpenedAgain();
    void aRunIsExported_data();
    void aRunIsExported();
    void aBrushedRangeCountsEverywhere();
    void runsAreCompared();
};

void TestLabPage::init()
{
    m_rig = std::make_unique<Rig>();
    m_rig->page.resize(1280, 800);
    m_rig->page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_rig->page));
}

void TestLabPage::cleanup()
{
    m_rig.reset();
}

void TestLabPage::theFirstPageSaysWhatToDo()
{
    QVERIFY(find<QPushButton>(u"findButton"_s).isEnabled());
    QVERIFY(!find<QPushButton>(u"cancelSearchButton"_s).isEnabled());
    QVERIFY(!find<QProgressBar>(u"searchProgress"_s).isVisible());
    QVERIFY(!find<QPushButton>(u"copySearchCommandButton"_s).isEnabled());
    QVERIFY(!find<QPushButton>(u"pauseSearchButton"_s).isEnabled());
    QVERIFY(!runs().isVisible());
}

void TestLabPage::theShortestStoryIsShown()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    QVERIFY(find<VerdictPanel>(u"verdictPanel"_s).isVisible());
    QCOMPARE(verdicts().rowCount(), static_cast<int>(protocol::Promise::PromiseCount));
    QVERIFY(storyLines().rowCount() > 3);
    const QModelIndex last = storyLines().index(storyLines().rowCount() - 1, 0);
    QVERIFY(last.data(models::StoryModel::IsViolationRole).toBool());
    QCOMPARE(find<VerdictPanel>(u"verdictPanel"_s).selectedLine(), last.row());
    QVERIFY(timeline().zoom().full().to > timeline().zoom().full().from);
    QVERIFY(find<ElidedLabel>(u"searchNumbers"_s).fullText().contains(u"schedules"_s));
    QVERIFY(find<QPushButton>(u"findButton"_s).isEnabled());
    QVERIFY(fitsSmallScreen());
}

/// The button that was pressed turns grey; the keyboard goes on in the story, not in its neighbour.
void TestLabPage::whoSearchedByKeyboardReadsOnByKeyboard()
{
    find<QPushButton>(u"findButton"_s).setFocus();
    search(u"set-nx-ex"_s, u"pause"_s);
    QTRY_COMPARE(runs().count(), 1);
    QTRY_COMPARE(m_rig->page.focusWidget(), &find<QListView>(u"storyList"_s));
    find<QSpinBox>(u"boundBox"_s).setFocus(); // who is elsewhere by the end stays there
    QTest::keyClick(&find<QPushButton>(u"findButton"_s), Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(runs().count(), 2, kPatienceMs);
    QCOMPARE(m_rig->page.focusWidget(), &find<QSpinBox>(u"boundBox"_s));
}

void TestLabPage::theStoryIsWalkedThrough()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    auto& panel = find<VerdictPanel>(u"verdictPanel"_s);
    const int last = storyLines().rowCount() - 1;
    QVERIFY(!find<QPushButton>(u"stepForwardButton"_s).isEnabled());
    press(u"stepBackButton"_s);
    QCOMPARE(panel.selectedLine(), last - 1);
    QVERIFY(find<QPushButton>(u"stepForwardButton"_s).isEnabled());
    for (int i = 0; i < last - 1; ++i) {
        press(u"stepBackButton"_s);
    }
    QCOMPARE(panel.selectedLine(), 0);
    QVERIFY(!find<QPushButton>(u"stepBackButton"_s).isEnabled());
    // A click into the picture goes to what was happening then.
    Q_EMIT timeline().timeChosen(Instant(std::chrono::hours(1)));
    QCOMPARE(panel.selectedLine(), last);
}

void TestLabPage::anotherPromiseHasAnotherStory()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    auto& list = find<QListView>(u"verdictList"_s);
    QStringList stories;
    for (int row = 0; row < verdicts().rowCount(); ++row) {
        list.setCurrentIndex(verdicts().index(row, 0));
        if (storyLines().rowCount() > 0) {
            const QModelIndex end = storyLines().index(storyLines().rowCount() - 1, 0);
            QVERIFY(!stories.contains(end.data().toString()));
            stories += end.data().toString();
        }
    }
    QVERIFY(stories.size() >= 2);
}

void TestLabPage::whatHoldsHasNoStory()
{
    search(u"set-nx-px-token"_s, u"crash"_s);
    auto& list = find<QListView>(u"verdictList"_s);
    int heldCount = 0;
    for (int row = 0; row < verdicts().rowCount(); ++row) {
        using Standing = models::PromiseListModel::Standing;
        const QModelIndex index = verdicts().index(row, 0);
        const auto standing = index.data(models::PromiseListModel::StandingRole).value<Standing>();
        if (standing == Standing::Held) {
            list.setCurrentIndex(index);
            QCOMPARE(storyLines().rowCount(), 0);
            QVERIFY(!find<QLabel>(u"storyTitle"_s).isVisible());
            list.parentWidget()->layout()->activate();
            QVERIFY(list.y() < 3 * list.fontMetrics().height()); // it stays at the top
            ++heldCount;
        }
    }
    QVERIFY(heldCount > 0);
}

void TestLabPage::theCommandFollowsTheForm()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"setnx-getset"_s));
    find<QToolButton>(u"noFaultsButton"_s).click();
    find<QCheckBox>(u"clock-skew"_s).setChecked(true);
    find<QSpinBox>(u"clientsBox"_s).setValue(4);
    QCOMPARE(command(), u"lockscope-cli explore --protocol setnx-getset "
                        "--faults interleaving,clock-skew --clients 4 --max-schedules 3000"_s);
}

void TestLabPage::whatMakesNoDifferenceCannotBeChosen()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"set-nx-ex"_s));
    QVERIFY(!find<QCheckBox>(u"hang"_s).isVisible());
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"redisson-lock"_s));
    QVERIFY(find<QCheckBox>(u"hang"_s).isVisible());
    find<QToolButton>(u"allFaultsButton"_s).click();
    QVERIFY(command().contains(u",hang,"_s));
}

void TestLabPage::aSearchCanBeStopped()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"redlock"_s));
    find<QSpinBox>(u"boundBox"_s).setValue(10'000'000);
    press(u"findButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().coverage.schedules > 0, kPatienceMs);
    QVERIFY(find<QPushButton>(u"cancelSearchButton"_s).isEnabled());
    QVERIFY(!find<QPushButton>(u"findButton"_s).isEnabled());
    QVERIFY(fitsSmallScreen()); // with its progress
    press(u"cancelSearchButton"_s);
    QVERIFY(find<ElidedLabel>(u"searchNumbers"_s).fullText().startsWith(u"stopping"_s));
    QVERIFY(!find<QPushButton>(u"cancelSearchButton"_s).isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().phase == Phase::Cancelled, kPatienceMs);
    QVERIFY(find<ElidedLabel>(u"searchNumbers"_s).fullText().startsWith(u"stopped"_s));
    QVERIFY(find<QPushButton>(u"findButton"_s).isEnabled());
}

void TestLabPage::theStoryIsCopied()
{
    search(u"exists-then-set"_s, {});
    trigger(u"copyStory"_s);
    const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split(u'\n');
    QCOMPARE(lines.size(), storyLines().rowCount());
}

void TestLabPage::longTextsAreWrapped()
{
    const QFont font = m_rig->page.font();
    const QString text = u"one two three four five six seven eight nine ten"_s;
    const int oneLine = wrappedHeight(text, font, 10'000);
    QVERIFY(wrappedHeight(text, font, 80) >= 3 * oneLine);
    QVERIFY(wrappedHeight(text, font, 0) > 0);
    // A line of a list is as high as its text at the width of the list.
    search(u"set-nx-ex"_s, u"pause"_s);
    auto& list = find<QListView>(u"storyList"_s);
    QStyleOptionViewItem option;
    option.initFrom(&list);
    option.widget = &list;
    const QModelIndex index = storyLines().index(0, 0);
    QVERIFY(contentWidth(option) <= list.viewport()->width());
    QVERIFY(contentWidth(option) > list.viewport()->width() / 2);
    const QAbstractItemDelegate& delegate = *list.itemDelegate();
    const int wide = delegate.sizeHint(option, index).height();
    list.setFixedWidth(list.width() / 2);
    QTRY_VERIFY(delegate.sizeHint(option, index).height() > wide);
}

void TestLabPage::everyRunHasATabOfItsOwn()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    const QString first = command();
    search(u"exists-then-set"_s, {});
    const QString second = command();
    QCOMPARE(runs().count(), 2);
    QCOMPARE(runs().currentIndex(), 1);
    QCOMPARE(runs().tabText(0), u"1 · set-nx-ex, Pause"_s);
    QCOMPARE(runs().tabText(1), u"2 · exists-then-set, no faults"_s);
    press(u"copySearchCommandButton"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(), second);
    const auto storyBegin = [this] { return storyLines().index(0, 0).data().toString(); };
    const QString secondStory = storyBegin();
    runs().setCurrentIndex(0);
    press(u"copySearchCommandButton"_s);
    QCOMPARE(QGuiApplication::clipboard()->text(), first);
    QVERIFY(storyBegin() != secondStory);
    Q_EMIT runs().tabCloseRequested(0);
    QCOMPARE(runs().count(), 1);
    QCOMPARE(storyBegin(), secondStory);
    Q_EMIT runs().tabCloseRequested(0);
    QVERIFY(!runs().isVisible());
    QVERIFY(!find<QPushButton>(u"copySearchCommandButton"_s).isEnabled());
}

void TestLabPage::aSearchCanBePaused()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"redlock"_s));
    find<QSpinBox>(u"boundBox"_s).setValue(10'000'000);
    press(u"findButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().coverage.schedules > 0, kPatienceMs);
    press(u"pauseSearchButton"_s);
    QVERIFY(m_rig->searcher.progress().isPaused);
    QVERIFY(find<ElidedLabel>(u"searchNumbers"_s).fullText().startsWith(u"paused"_s));
    press(u"pauseSearchButton"_s);
    QVERIFY(!m_rig->searcher.progress().isPaused);
    press(u"cancelSearchButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
}

void TestLabPage::theStoryIsPlayed()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    auto& panel = find<VerdictPanel>(u"verdictPanel"_s);
    auto& speed = find<QComboBox>(u"playSpeedBox"_s);
    speed.setCurrentIndex(speed.count() - 1);
    const int last = storyLines().rowCount() - 1;
    press(u"playButton"_s); // at the end: from the beginning
    QCOMPARE(panel.selectedLine(), 0);
    press(u"playButton"_s); // stays where it is
    QCOMPARE(panel.selectedLine(), 0);
    press(u"playButton"_s);
    QTRY_COMPARE_WITH_TIMEOUT(panel.selectedLine(), last, kPatienceMs);
    QTRY_VERIFY(find<QPushButton>(u"playButton"_s).text().contains(u"Play"_s));
    QVERIFY(timeline().cursorTime().has_value());
}

void TestLabPage::thePlaceOfNoReturnIsMarked()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    QTRY_VERIFY_WITH_TIMEOUT(markedLine() > 0, kPatienceMs);
    QVERIFY(markedLine() < storyLines().rowCount() - 1);
    // Of another promise it is another one; none is marked until it is known.
    auto& list = find<QListView>(u"verdictList"_s);
    list.setCurrentIndex(verdicts().index(verdicts().rowCount() - 1, 0));
    QCOMPARE(markedLine(), -1);
}

/// The mark comes later, and makes its line higher.
void TestLabPage::theMarkLeavesTheLastStepInSight()
{
    m_rig->page.resize(1280, 560);
    search(u"redisson-lock"_s, u"slow-node"_s);
    auto& list = find<QListView>(u"verdictList"_s);
    const auto& lines = find<QListView>(u"storyList"_s);
    int longStories = 0;
    for (int row = 0; row < verdicts().rowCount(); ++row) {
        list.setCurrentIndex(verdicts().index(row, 0));
        if (storyLines().rowCount() < 10) {
            continue;
        }
        ++longStories;
        QTRY_VERIFY_WITH_TIMEOUT(markedLine() >= 0, kPatienceMs);
        const QModelIndex end = storyLines().index(storyLines().rowCount() - 1, 0);
        QTRY_VERIFY(lines.viewport()->rect().contains(lines.visualRect(end)));
    }
    QVERIFY(longStories > 0);
}

void TestLabPage::aLiveRunFillsItsTab()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"set-nx-ex"_s));
    press(u"contendButton"_s);
    QCOMPARE(m_rig->runner.orders().size(), std::size_t(1));
    QVERIFY(m_rig->runner.orders().front().servers.empty());
    workload::LiveRunProgress progress;
    progress.phase = workload::LiveRunProgress::Phase::Running;
    m_rig->runner.tell(progress);
    QVERIFY(!find<QPushButton>(u"findButton"_s).isEnabled());
    press(u"pauseSearchButton"_s);
    QCOMPARE(m_rig->runner.pauseCount(), 1);

    using trace::EventKind;
    const Instant begin(std::chrono::hours(2));
    m_rig->runner.setEvents({{begin, 0, 0, 0, EventKind::Requested},
                             {begin + 1ms, 1, 0, 0, EventKind::Granted},
                             {begin + 1ms, 0, 0, 0, EventKind::Entered},
                             {begin + 2ms, 1, 1, 0, EventKind::Granted},
                             {begin + 2ms, 1, 1, 0, EventKind::Entered},
                             {begin + 9ms, 0, 1, 0, EventKind::Released}});
    progress.phase = workload::LiveRunProgress::Phase::Finished;
    progress.statistics.acquisitions = 2;
    progress.statistics.overlaps = 1;
    m_rig->runner.tell(progress);
    QVERIFY(find<QPushButton>(u"findButton"_s).isEnabled());
    QTRY_COMPARE(timeline().zoom().full().to, Instant(9ms));
    QCOMPARE(storyLines().rowCount(), 4);
    QVERIFY(verdicts().index(0, 0).data().toString().contains(u"broken at 0.002 s"_s));
    press(u"copySearchCommandButton"_s);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"lockscope-cli contend"_s));
}

void TestLabPage::closingATabEndsItsRun()
{
    press(u"contendButton"_s);
    workload::LiveRunProgress progress;
    progress.phase = workload::LiveRunProgress::Phase::Running;
    m_rig->runner.tell(progress);
    Q_EMIT runs().tabCloseRequested(0);
    QTRY_COMPARE(m_rig->runner.stopCount(), 1);
}

void TestLabPage::randomRunsAreCountedTogether()
{
    QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"set-nx-px-token"_s));
    find<QToolButton>(u"noFaultsButton"_s).click();
    find<QSpinBox>(u"runsBox"_s).setValue(200);
    press(u"simulateButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
    const models::RunFigures figures = run().figures();
    QVERIFY(figures.statistics.acquisitions > 200);
    QVERIFY(run().command().startsWith(u"lockscope-cli simulate"_s));
    QVERIFY(timeline().zoom().full().to > Instant());
}

void TestLabPage::aRunIsSavedAndOpenedAgain()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"a.run.cbor"_s);
    search(u"set-nx-ex"_s, u"pause"_s);
    const QString story = find<QListView>(u"storyList"_s).model()->index(0, 0).data().toString();
    const auto full = timeline().zoom().full();
    QTRY_VERIFY_WITH_TIMEOUT(markedLine() > 0, kPatienceMs);
    const int marked = markedLine();
    m_rig->prompter.willChooseFile(path);
    trigger(u"saveRun"_s);
    QTRY_VERIFY(QFile::exists(path));
    m_rig->prompter.willChooseFile(path);
    press(u"openRunButton"_s);
    QTRY_COMPARE(runs().count(), 2);
    QCOMPARE(runs().currentIndex(), 1);
    QCOMPARE(runs().tabText(1), u"2 · set-nx-ex (a.run.cbor)"_s); // the form may say another
    QCOMPARE(storyLines().index(0, 0).data().toString(), story);
    QVERIFY(timeline().zoom().full() == full);
    QCOMPARE(verdicts().rowCount(), static_cast<int>(protocol::Promise::PromiseCount));
    QVERIFY(verdicts()
                .index(0, 0)
                .data(models::PromiseListModel::DetailRole)
                .toString()
                .endsWith(u", after: pause"_s));
    QCOMPARE(markedLine(), marked);
}

void TestLabPage::aRunIsExported_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("perfetto") << u"perfettoExport"_s << u"a.trace.json"_s
                              << QByteArray("traceEvents");
    QTest::newRow("shiviz") << u"shivizExport"_s << u"a.log"_s << QByteArray("SET k 1 EX 10 NX");
    QTest::newRow("csv") << u"csvExport"_s << u"a.csv"_s << QByteArray("holding");
    QTest::newRow("markdown") << u"markdownExport"_s << u"a.md"_s << QByteArray("set-nx-ex");
    QTest::newRow("png") << u"pngPicture"_s << u"a.png"_s << QByteArray("PNG");
    QTest::newRow("svg") << u"svgPicture"_s << u"a.svg"_s << QByteArray("<svg");
}

void TestLabPage::aRunIsExported()
{
    QFETCH(QString, action);
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    search(u"set-nx-ex"_s, u"pause"_s);
    m_rig->prompter.willChooseFile(path);
    trigger(action);
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(content));
    QVERIFY(m_rig->prompter.asked().empty());
    // Where nothing can be written, it is said.
    m_rig->prompter.willChooseFile(u"/no/such/folder/"_s + name);
    trigger(action);
    QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
}

void TestLabPage::aBrushedRangeCountsEverywhere()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    auto& events = *run().findChild<EventTable*>();
    const int all = events.model()->rowCount();
    QVERIFY(all > 5);
    timeline().zoom().select(models::VisibleRange{Instant(11s), Instant(13s)});
    const int some = events.model()->rowCount();
    QVERIFY(some > 0 && some < all);
    auto& sides = find<QTabWidget>(u"runSides"_s);
    sides.setCurrentIndex(2);
    QTRY_VERIFY(labelsIn(sides).contains(u"11.000 s to 13.000 s"_s));
    // A row of the table and the line of the picture are one.
    sides.setCurrentIndex(1);
    events.setCurrentIndex(events.model()->index(0, 0));
    QVERIFY(timeline().cursorTime() >= Instant(11s));
    timeline().zoom().select(std::nullopt);
    QCOMPARE(events.model()->rowCount(), all);
}

void TestLabPage::runsAreCompared()
{
    search(u"set-nx-ex"_s, u"pause"_s);
    search(u"exists-then-set"_s, {});
    find<QTabWidget>(u"runSides"_s).setCurrentIndex(2);
    const auto boxes = run().findChildren<QComboBox*>();
    QVERIFY(std::ranges::any_of(boxes, [](const QComboBox* box) {
        return box->findText(u"1 · set-nx-ex"_s, Qt::MatchContains) >= 0;
    }));
}

LOCKSCOPE_TEST(TestLabPage, Widgets)

} // namespace lockscope::tst_lab_page

#include "tst_lab_page.moc"
