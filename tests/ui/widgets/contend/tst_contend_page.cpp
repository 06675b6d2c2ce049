#include "tests/support/scripted_services.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "tests/support/widgets/tab_order.h"
#include "ui/models/formatting.h"
#include "ui/widgets/contend/contend_form.h"
#include "ui/widgets/contend/contend_page.h"
#include "ui/widgets/contend/contender_view.h"
#include "ui/widgets/contend/run_bar.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/controls/tile_board.h"
#include "ui/widgets/stats/chart_view.h"
#include "ui/widgets/stats/statistics_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

namespace lockscope::tst_contend_page {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Phase = workload::LiveRunProgress::Phase;

constexpr int kPatienceMs = 60'000; // computing takes its time with sanitizers

class TestContendPage : public QObject {
    Q_OBJECT

    struct Rig {
        test::ScriptedLiveRunner runner;
        test::ScriptedPrompter prompter;
        models::ProtocolListModel protocols;
        WallTime now{1'700'000'000s}; // 22:13:20 UTC
        ContendPage page{{runner, prompter, protocols, [this] { return now; }}};
    };
    std::unique_ptr<Rig> m_rig;

    template<class Widget>
    Widget& find(const char16_t* name) const
    {
        auto* const found = m_rig->page.findChild<Widget*>(QString::fromUtf16(name));
        if (found == nullptr) {
            qFatal("there is no %s", qPrintable(QString::fromUtf16(name)));
        }
        return *found;
    }
    QPushButton& button(const char16_t* name) const { return find<QPushButton>(name); }
    QString text(const char16_t* name) const { return find<QLabel>(name).text(); }

    void choose(const char16_t* combo, const QString& what) const
    {
        auto& box = find<QComboBox>(combo);
        const int index = box.findText(what);
        QVERIFY2(index >= 0, qPrintable(what));
        box.setCurrentIndex(index);
    }
    void type(const char16_t* edit, const QString& what) const
    {
        auto& field = find<QLineEdit>(edit);
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, what);
    }
    void press(const char16_t* name) const { QTest::keyClick(&button(name), Qt::Key_Space); }
    const workload::LiveRunOrder& order() const { return m_rig->runner.orders().back(); }

    static workload::LiveRunProgress running(std::size_t contenders = 3)
    {
        workload::LiveRunProgress progress;
        progress.phase = Phase::Running;
        progress.at = Instant(1h);
        progress.elapsed = 4s;
        progress.duration = 10s;
        progress.statistics.elapsed = 4s;
        progress.statistics.requests = 101;
        progress.statistics.acquisitions = 100;
        progress.contenders.resize(contenders);
        return progress;
    }
    static store::Endpoint server(const std::string& environment = {})
    {
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.environment = environment;
        return endpoint;
    }

private Q_SLOTS:
    void tabGoesFromTopToBottom()
    {
        auto& form = find<ContendForm>(u"contendForm");
        QCOMPARE(testing::jumpsOfTab(form), QStringList());
        find<QToolButton>(u"advancedButton").setChecked(true);
        QCOMPARE(testing::jumpsOfTab(form), QStringList());
    }

    void init()
    {
        m_rig = std::make_unique<Rig>();
        m_rig->page.resize(1200, 900);
        m_rig->page.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_rig->page));
    }
    void cleanup() { m_rig.reset(); }

    void beforeTheFirstRunThePageSaysWhatToDo()
    {
        QVERIFY(find<QLabel>(u"emptyHeadline").isVisible());
        QVERIFY(!find<TileBoard>(u"tileBoard").isVisible());
        QVERIFY(button(u"startRunButton").isEnabled());
        QVERIFY(!button(u"stopRunButton").isEnabled());
    }

    void bothKeysOfStartBegin()
    {
        for (const QKeyCombination keys : {Qt::CTRL | Qt::Key_R, Qt::ALT | Qt::Key_A}) {
            const std::size_t before = m_rig->runner.orders().size();
            QTest::keyClick(&m_rig->page, keys.key(), keys.keyboardModifiers());
            QTRY_COMPARE(m_rig->runner.orders().size(), before + 1);
            workload::LiveRunProgress over = running();
            over.phase = Phase::Finished;
            m_rig->runner.tell(over);
        }
    }

    void whoStartedByKeyboardCanStopByKeyboard()
    {
        button(u"startRunButton").setFocus();
        press(u"startRunButton");
        m_rig->runner.tell(running());
        QVERIFY(button(u"stopRunButton").hasFocus());
        workload::LiveRunProgress over = running();
        over.phase = Phase::Finished;
        m_rig->runner.tell(over);
        QVERIFY(button(u"startRunButton").hasFocus());
    }

    void aPredictionNeedsNoServerAndSaysWhatItIs()
    {
        type(u"clientsEdit", u"20"_s);
        type(u"forEdit", u"2s"_s);
        press(u"predictRunButton");
        QVERIFY(button(u"stopRunButton").isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(find<TileBoard>(u"tileBoard").isVisible(), kPatienceMs);
        QVERIFY(m_rig->runner.orders().empty());
        QCOMPARE(text(u"verdictHeadline"), u"Predicted, not measured"_s);
        QVERIFY(text(u"value_rate").toDouble() > 0);
        QVERIFY(!text(u"value_serverLoad").isEmpty());
        QVERIFY(m_rig->page.findChild<QLabel*>(u"value_overlaps"_s) == nullptr);
        QVERIFY(button(u"startRunButton").isEnabled());
        QVERIFY(!find<ContenderView>(u"contenderView").isVisible());
        button(u"copyNumbersButton").click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u" --predict\n"));
        press(u"startRunButton");
        QVERIFY(find<ContenderView>(u"contenderView").isVisible());
    }

    void whatNoMachineCanRunCanBePredicted()
    {
        type(u"clientsEdit", u"20000"_s);
        QVERIFY(!button(u"startRunButton").isEnabled());
        QVERIFY(button(u"predictRunButton").isEnabled());
        QVERIFY(text(u"contendComplaints").contains(u"Predict"));
        type(u"clientsEdit", u"2000000"_s);
        QVERIFY(!button(u"predictRunButton").isEnabled());
    }

    void aPredictionCanBeStopped()
    {
        type(u"clientsEdit", u"1000"_s);
        type(u"forEdit", u"1h"_s);
        press(u"predictRunButton");
        press(u"stopRunButton");
        QTRY_VERIFY_WITH_TIMEOUT(button(u"predictRunButton").isEnabled(), kPatienceMs);
        QVERIFY(!find<TileBoard>(u"tileBoard").isVisible());
    }

    void predictedAndMeasuredStandSideBySide()
    {
        type(u"forEdit", u"2s"_s);
        press(u"startRunButton");
        workload::LiveRunProgress over = running();
        over.phase = Phase::Finished;
        m_rig->runner.tell(over);
        const auto detail = [this] { return find<TileView>(u"tile_rate").accessibleName(); };
        QVERIFY(!detail().contains(u"predicted"));
        press(u"predictRunButton");
        QTRY_VERIFY_WITH_TIMEOUT(detail().contains(u"predicted "), kPatienceMs);
        QVERIFY(detail().contains(u"100 in total")); // what was measured stays
        button(u"copyNumbersButton").click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"predicted "));
    }

    void startRunsWhatTheFormSays()
    {
        choose(u"protocolCombo", u"set-nx-ex"_s);
        QVERIFY(text(u"protocolFlaw").startsWith(u"Known flaw: "_s));
        type(u"clientsEdit", u"40"_s);
        type(u"holdEdit", u"~5ms"_s);
        press(u"startRunButton");
        QCOMPARE(m_rig->runner.orders().size(), std::size_t(1));
        QCOMPARE(order().protocol->info().id, std::string("set-nx-ex"));
        QCOMPARE(order().scenario.contenderCount, 40);
        QCOMPARE(order().scenario.hold, workload::Distribution::exponential(5ms));
        QVERIFY(order().servers.empty());
        QVERIFY(find<TileBoard>(u"tileBoard").isVisible());
    }

    void aMistakeIsSaidAtItsFieldAndNothingStarts()
    {
        type(u"thinkEdit", u"soon"_s);
        QVERIFY(!button(u"startRunButton").isEnabled());
        const QWidget* row = find<QLineEdit>(u"thinkEdit").parentWidget();
        QVERIFY(!qobject_cast<const OptionRow*>(row)->error().isEmpty());
        QVERIFY(row->findChild<QLabel*>(u"rowError"_s)->isVisible());
        type(u"thinkEdit", u"10ms"_s);
        QVERIFY(button(u"startRunButton").isEnabled());
    }

    void fieldsThatMeanNothingAreNotThere()
    {
        choose(u"protocolCombo", u"set-nx-px-token"_s);
        QVERIFY(!find<QLineEdit>(u"depthEdit").isVisible());
        QVERIFY(!find<QLineEdit>(u"retryEdit").isVisible()); // folded
        choose(u"protocolCombo", u"redisson-lock"_s);
        QVERIFY(find<QLineEdit>(u"depthEdit").isVisible());
        QTest::mouseClick(&find<QToolButton>(u"advancedButton"), Qt::LeftButton);
        QVERIFY(find<QLineEdit>(u"retryEdit").isVisible());
        choose(u"kindCombo", u"draw"_s);
        QVERIFY(!find<QLineEdit>(u"thinkEdit").isVisible());
        QCOMPARE(find<QLineEdit>(u"clientsEdit").text(), u"50"_s);
    }

    void everyFieldHasAnEditorAndAnExplanation()
    {
        for (const workload::RunParameter& parameter : workload::runParameters()) {
            if (parameter.id == "kind") {
                continue; // a choice
            }
            const QString name = QString::fromStdString(std::string(parameter.id)) + u"Edit"_s;
            QVERIFY2(m_rig->page.findChild<QLineEdit*>(name) != nullptr, qPrintable(name));
            QVERIFY2(!parameter.form.hint().empty() && !parameter.form.label().empty(),
                     qPrintable(name));
        }
    }

    void aRunIsPrivateUnlessSomebodyChoosesAServer()
    {
        m_rig->page.setServers({server()});
        QVERIFY(find<QComboBox>(u"serverCombo").currentText().contains(u"private"_s));
        press(u"startRunButton");
        QCOMPARE(order().servers, std::vector<store::Endpoint>());
        QVERIFY(m_rig->prompter.asked().empty());
    }

    void everyServerThatIsNotOursIsAskedAbout_data()
    {
        QTest::addColumn<QString>("environment");
        QTest::newRow("no word about it") << QString();
        QTest::newRow("staging") << u"staging"_s;
        QTest::newRow("production") << u"production"_s;
    }

    void everyServerThatIsNotOursIsAskedAbout()
    {
        QFETCH(QString, environment);
        const store::Endpoint foreign = server(environment.toStdString());
        m_rig->page.setServers({foreign});
        choose(u"serverCombo", u"10.0.0.5:6379/0"_s);
        press(u"startRunButton");
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        const Question& question = m_rig->prompter.asked().front();
        QVERIFY2(question.text.contains(u"10.0.0.5:6379/0"_s), qPrintable(question.text));
        QCOMPARE(question.text.contains(u"production"_s), environment == u"production"_s);
        QVERIFY(m_rig->runner.orders().empty()); // declined
        m_rig->prompter.willAnswer(Answer::Accepted);
        press(u"startRunButton");
        QTRY_COMPARE(m_rig->runner.orders().size(), std::size_t(1));
        QCOMPARE(order().servers, std::vector{foreign});
    }

    void theChoiceOfTheServerOutlivesTheProtocol()
    {
        m_rig->page.setServers({server()});
        auto& combo = find<QComboBox>(u"serverCombo");
        for (const QString& protocol : {u"redlock"_s, u"set-nx-ex"_s, u"redisson-lock"_s}) {
            choose(u"protocolCombo", protocol);
            QVERIFY2(combo.currentText().contains(u"private"_s), qPrintable(protocol));
        }
        choose(u"serverCombo", u"10.0.0.5:6379/0"_s);
        for (const QString& protocol : {u"redlock"_s, u"set-nx-ex"_s, u"redisson-lock"_s}) {
            choose(u"protocolCombo", protocol);
            QCOMPARE(combo.currentText(), u"10.0.0.5:6379/0"_s);
        }
        choose(u"serverCombo", u"a private redis-server"_s);
        choose(u"protocolCombo", u"redlock"_s);
        QCOMPARE(combo.currentText(), u"private redis-servers"_s);
    }

    void aChoiceThatAProtocolCannotUseComesBackWithTheNext()
    {
        store::Endpoint second = server();
        second.host = "10.0.0.6";
        m_rig->page.setServers({server(), second});
        choose(u"protocolCombo", u"set-nx-ex"_s);
        choose(u"serverCombo", u"10.0.0.6:6379/0"_s);
        choose(u"protocolCombo", u"redlock"_s); // on all of the set or on none
        QVERIFY(find<QComboBox>(u"serverCombo").currentText().contains(u"private"_s));
        choose(u"protocolCombo", u"set-nx-ex"_s);
        QCOMPARE(find<QComboBox>(u"serverCombo").currentText(), u"10.0.0.6:6379/0"_s);
    }

    void aServerThatIsLeftIsChosenNoMore()
    {
        m_rig->page.setServers({server()});
        choose(u"serverCombo", u"10.0.0.5:6379/0"_s);
        m_rig->page.setServers({});
        QVERIFY(find<QComboBox>(u"serverCombo").currentText().contains(u"private"_s));
        m_rig->page.setServers({server()});
        QVERIFY(find<QComboBox>(u"serverCombo").currentText().contains(u"private"_s));
    }

    void nothingRunsOnAReadOnlyServer()
    {
        store::Endpoint readOnly = server();
        readOnly.isReadOnly = true;
        m_rig->page.setServers({readOnly});
        QVERIFY(button(u"startRunButton").isEnabled()); // privately
        choose(u"serverCombo", u"10.0.0.5:6379/0"_s);
        QVERIFY(!button(u"startRunButton").isEnabled());
        QVERIFY(text(u"serverObstacle").contains(u"read-only"_s));
    }

    void aRunIsPausedResumedAndStopped()
    {
        press(u"startRunButton");
        m_rig->runner.tell(running());
        QVERIFY(!button(u"startRunButton").isEnabled());
        QCOMPARE(text(u"runState"), u"running"_s);
        QCOMPARE(find<QProgressBar>(u"runProgress").value(), 400);
        press(u"pauseRunButton");
        QCOMPARE(m_rig->runner.pauseCount(), 1);
        auto parked = running();
        parked.phase = Phase::Parked;
        m_rig->runner.tell(parked);
        press(u"pauseRunButton");
        QCOMPARE(m_rig->runner.resumeCount(), 1);
        press(u"stopRunButton");
        QCOMPARE(m_rig->runner.stopCount(), 1);
    }

    void numbersAreLiveAndAnOverlapIsRed()
    {
        press(u"startRunButton");
        auto progress = running();
        m_rig->runner.tell(progress);
        QCOMPARE(text(u"value_overlaps"), u"0"_s);
        QVERIFY(!find<QLabel>(u"verdictHeadline").isVisible());
        const QColor quiet = find<QLabel>(u"value_overlaps").palette().color(QPalette::WindowText);
        progress.statistics.overlaps = 3;
        m_rig->runner.tell(progress);
        QCOMPARE(text(u"value_overlaps"), u"3"_s);
        QVERIFY(find<QLabel>(u"value_overlaps").palette().color(QPalette::WindowText) != quiet);
        QVERIFY(find<QLabel>(u"verdictHeadline").isVisible());
        QCOMPARE(text(u"verdictHeadline"), u"3 overlaps"_s);
    }

    void theEndHasAVerdict()
    {
        press(u"startRunButton");
        auto progress = running();
        progress.phase = Phase::Finished;
        progress.elapsed = 10s;
        m_rig->runner.tell(progress);
        QCOMPARE(text(u"verdictHeadline"), u"100 acquisitions in 10.0 s, no overlap"_s);
        QVERIFY(button(u"startRunButton").isEnabled());
        QVERIFY(!button(u"stopRunButton").isEnabled());
    }

    /// Runs what the form says to the end.
    void runOnce(std::uint64_t acquisitions, std::uint64_t overlaps = 0)
    {
        press(u"startRunButton");
        auto progress = running();
        m_rig->runner.tell(progress);
        progress.phase = Phase::Finished;
        progress.elapsed = 10s;
        progress.statistics.elapsed = 10s;
        progress.statistics.acquisitions = acquisitions;
        progress.statistics.overlaps = overlaps;
        m_rig->runner.tell(progress);
    }
    /// A cell of the comparison, in the row of a figure.
    QString compared(const QString& figure, int column) const
    {
        const QAbstractItemModel& rows = *find<QTreeView>(u"comparisonTable").model();
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (rows.index(row, 0).data() == figure) {
                return rows.index(row, column).data().toString();
            }
        }
        return {};
    }

    void earlierRunsAreKeptAndCompared()
    {
        auto& box = find<QComboBox>(u"compareBox");
        runOnce(100);
        QCOMPARE(box.count(), 1); // nothing yet to compare with
        choose(u"protocolCombo", u"set-nx-ex"_s);
        m_rig->now += 90s;
        runOnce(150, 2);
        find<QTabBar>(u"contendSides").setCurrentIndex(1);
        QVERIFY(find<StatisticsPanel>(u"statisticsPanel").isVisible());
        QVERIFY(!find<ElidedLabel>(u"runSubject").isVisible()); // it is the panel's title there
        QCOMPARE(box.count(), 2);
        QVERIFY2(box.itemText(1).startsWith(u"1 · set-nx-px-token · 10 contenders"_s)
                     && box.itemText(1).contains(u"for 10.0 s · on a private server"_s),
                 qPrintable(box.itemText(1)));
        QVERIFY(find<ElidedLabel>(u"runSubject").fullText().startsWith(u"2 · set-nx-ex"_s));
        box.setCurrentIndex(1);
        using Column = models::ComparisonModel::Column;
        QCOMPARE(compared(u"Acquisitions"_s, Column::OursColumn), u"150"_s);
        QCOMPARE(compared(u"Acquisitions"_s, Column::TheirsColumn), u"100"_s);
        QCOMPARE(compared(u"Acquisitions"_s, Column::DifferenceColumn), u"+50 %"_s);
        QCOMPARE(compared(u"Overlaps"_s, Column::DifferenceColumn), u"from 0"_s);
        QCOMPARE(compared(u"Verdict"_s, Column::OursColumn), u"two holders at once"_s);
        QCOMPARE(compared(u"Verdict"_s, Column::TheirsColumn), u"nothing broke"_s);
        runOnce(300); // the choice outlives the next run
        QCOMPARE(box.count(), 3);
        QCOMPARE(compared(u"Acquisitions"_s, Column::DifferenceColumn), u"+200 %"_s);
    }

    void runsAreToldApartByTheirTime()
    {
        models::showTimesInUtc(true);
        runOnce(100);
        QVERIFY(find<ElidedLabel>(u"runSubject").fullText().endsWith(u" · 22:13:20"_s));
        m_rig->now += 100s;
        runOnce(100);
        QVERIFY(find<ElidedLabel>(u"runSubject").fullText().endsWith(u" · 22:15:00"_s));
        models::showTimesInUtc(false);
    }

    void aThousandContendersAreListedAndSorted()
    {
        press(u"startRunButton");
        auto progress = running(1000);
        for (std::size_t i = 0; i < progress.contenders.size(); ++i) {
            progress.contenders[i].id = static_cast<trace::ContenderId>(i);
            progress.contenders[i].acquisitions = i % 7;
        }
        progress.contenders[321].acquisitions = 99;
        m_rig->runner.tell(progress);
        auto& view = find<ContenderView>(u"contenderView");
        QCOMPARE(view.model()->rowCount(), 1000);
        view.sortByColumn(models::ContenderTableModel::AcquisitionsColumn, Qt::DescendingOrder);
        QCOMPARE(view.model()->index(0, 0).data().toString(), u"321"_s);
        progress.contenders[17].acquisitions = 100;
        m_rig->runner.tell(progress);
        QCOMPARE(view.model()->index(0, 0).data().toString(), u"321"_s); // not at once
        QTRY_COMPARE(view.model()->index(0, 0).data().toString(), u"17"_s);
    }

    void keysAreNamedAsTheyAreOnTheServer()
    {
        press(u"startRunButton");
        auto progress = running(1);
        progress.keyPrefix = "lock:contend-1a2b";
        progress.contenders[0].activity = workload::Activity::Holding;
        progress.contenders[0].lock = 0;
        m_rig->runner.tell(progress);
        const auto& view = find<ContenderView>(u"contenderView");
        const auto cell = view.model()->index(0, models::ContenderTableModel::KeyColumn);
        QCOMPARE(cell.data().toString(), u"lock:contend-1a2b:0"_s);
    }

    void commandAndNumbersAreCopied()
    {
        press(u"copyCommandButton");
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"lockscope-cli contend"_s));
        press(u"startRunButton");
        m_rig->runner.tell(running());
        type(u"clientsEdit", u"77"_s); // of the next run
        press(u"copyNumbersButton");
        const QString numbers = QGuiApplication::clipboard()->text();
        QVERIFY(numbers.contains(u"--clients 10 "_s));
        QVERIFY(numbers.contains(u"Overlaps"_s));
    }

    void theLocksOfTheRunCanBeSeen()
    {
        press(u"startRunButton");
        auto progress = running();
        progress.servers = {server()};
        m_rig->runner.tell(progress);
        QSignalSpy wanted(&m_rig->page, &ContendPage::locksRequested);
        press(u"showLocksButton");
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.first().first().value<std::vector<store::Endpoint>>(),
                 std::vector{server()});
    }

    void anOwnProtocolIsLoadedChosenAndRun()
    {
        const QString path = testing::inSourceTree(u"resources/protocols/token-lock.json"_s);
        m_rig->prompter.willChooseFile(path);
        const QString before = find<QComboBox>(u"protocolCombo").currentText();
        press(u"loadProtocolButton");
        QTRY_VERIFY(find<QComboBox>(u"protocolCombo").currentText() != before);
        QVERIFY(m_rig->prompter.asked().empty());
        press(u"startRunButton");
        QCOMPARE(QString::fromStdString(order().protocol->info().id),
                 find<QComboBox>(u"protocolCombo").currentText());
        press(u"copyCommandButton");
        QVERIFY(QGuiApplication::clipboard()->text().contains(u"--protocol-file "_s));
    }

    void aFileThatIsNoProtocolIsRefusedWithItsReason()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(u"mine.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\n  \"id\": 7\n}\n");
        file.close();
        m_rig->prompter.willChooseFile(path);
        press(u"loadProtocolButton");
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->prompter.asked().front().detail.contains(u"line "_s));
        m_rig->prompter.willChooseFile(directory.filePath(u"none.json"_s));
        press(u"loadProtocolButton");
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(2));
    }

    void chartsTellTheirNumbersToScreenReaders()
    {
        press(u"startRunButton");
        auto progress = running();
        progress.recentPerSecond = 250;
        progress.statistics.wait.add(2ms);
        m_rig->runner.tell(progress);
        QVERIFY(find<ChartView>(u"rateChart").accessibleDescription().contains(u"250"_s));
        QVERIFY(find<ChartView>(u"waitChart").accessibleDescription().contains(u"2.00 ms"_s));
    }

    void tilesStandInEvenRows()
    {
        QCOMPARE(tilesPerRow(12, 900, 220), 4);
        QCOMPARE(tilesPerRow(12, 1100, 220), 4); // not five, five and two
        QCOMPARE(tilesPerRow(12, 100, 220), 1);
        QCOMPARE(tilesPerRow(3, 2000, 220), 3);
        QCOMPARE(tilesPerRow(0, 900, 220), 1);
    }
};

LOCKSCOPE_TEST(TestContendPage, Widgets)

} // namespace lockscope::tst_contend_page

#include "tst_contend_page.moc"
