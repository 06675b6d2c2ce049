#include "tests/support/test_program.h"
#include "ui/models/contend/figures_text.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/tile_board.h"
#include "ui/widgets/stats/chart_view.h"
#include "ui/widgets/stats/statistics_panel.h"
#include "ui/widgets/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTreeView>

#include <cmath>
#include <numeric>

namespace lockscope::tst_statistics_panel {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::RunFigures;

class TestStatisticsPanel : public QObject {
    Q_OBJECT

    std::unique_ptr<StatisticsPanel> m_panel;

    static RunFigures run(const QString& title, std::size_t contenders = 3, std::uint64_t most = 60)
    {
        trace::RunStatistics statistics;
        statistics.elapsed = 10s;
        statistics.acquisitionsOf.assign(contenders, 20);
        statistics.acquisitionsOf.front() = most;
        statistics.acquisitions = std::accumulate(statistics.acquisitionsOf.begin(),
                                                  statistics.acquisitionsOf.end(),
                                                  std::uint64_t(0));
        statistics.requests = statistics.acquisitions;
        statistics.tries = 2 * statistics.acquisitions;
        for (int i = 1; i <= 100; ++i) {
            statistics.wait.add(1ms * i);
        }
        QStringList names;
        for (std::size_t i = 0; i < contenders; ++i) {
            names += u"contender <%1>"_s.arg(i);
        }
        RunFigures figures = models::figuresOf(statistics, names);
        figures.title = title;
        figures.rates = {{Instant(0s), Instant(5s), 12, std::uint64_t(60)},
                         {Instant(5s), Instant(10s), 8, std::uint64_t(40)}};
        return figures;
    }

    template<class Widget>
    Widget& find(const QString& name) const
    {
        Widget* const found = m_panel->findChild<Widget*>(name);
        if (found == nullptr) {
            qFatal("no %s", qPrintable(name));
        }
        return *found;
    }
    ChartView& chart(const QString& name) const { return find<ChartView>(name); }
    QString tileValue(const QString& id) const { return find<QLabel>(u"value_"_s + id).text(); }
    bool isEmptyShown() const { return find<QLabel>(u"statisticsEmpty"_s).isVisible(); }

    static void hover(ChartView& view, QPointF position)
    {
        QMouseEvent move(QEvent::MouseMove, position, view.mapToGlobal(position), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(&view, &move);
    }

    static bool hasColor(const QImage& image, const QColor& color)
    {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixelColor(x, y) == color) {
                    return true;
                }
            }
        }
        return false;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        m_panel = std::make_unique<StatisticsPanel>();
        m_panel->resize(1100, 900);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }

    void cleanup() { m_panel.reset(); }

    void withoutARunItSaysSo()
    {
        QVERIFY(isEmptyShown());
        QVERIFY(!find<QPushButton>(u"copyCsvButton"_s).isEnabled());
        QVERIFY(!find<QPushButton>(u"copyPictureButton"_s).isEnabled());
        m_panel->showFigures(run(u"Run 1"_s));
        QVERIFY(!isEmptyShown());
        QVERIFY(find<QPushButton>(u"copyCsvButton"_s).isEnabled());
        m_panel->clear();
        QVERIFY(isEmptyShown());
        RunFigures nothing = models::figuresOf(trace::RunStatistics(), {});
        m_panel->showFigures(nothing);
        QVERIFY(isEmptyShown());
        QVERIFY(find<QLabel>(u"statisticsEmpty"_s).text().contains(u"No contender requested"_s));
    }

    void theNumbersAndChartsAreThoseOfTheRun()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        QCOMPARE(find<ElidedLabel>(u"statisticsTitle"_s).fullText(), u"Run 1"_s);
        QCOMPARE(tileValue(u"acquisitions"_s), u"100"_s);
        QCOMPARE(tileValue(u"commands"_s), u"not recorded"_s);
        for (const QString& name : {u"statisticsWaits"_s, u"statisticsRates"_s,
                                    u"statisticsShares"_s, u"statisticsEffort"_s}) {
            QVERIFY2(!chart(name).content().series.empty(), qPrintable(name));
            QVERIFY(!chart(name).accessibleName().isEmpty());
        }
        m_panel->showFigures(run(u"Run 1"_s, 3, 160));
        QCOMPARE(tileValue(u"acquisitions"_s), u"200"_s);
    }

    void theRangeIsNamed()
    {
        auto& range = find<QLabel>(u"statisticsRange"_s);
        m_panel->showFigures(run(u"Run 1"_s));
        QVERIFY(!range.isVisible());
        m_panel->setRangeText(u"12.0 s to 15.0 s"_s);
        QVERIFY(range.isVisible());
        QCOMPARE(range.text(), u"12.0 s to 15.0 s"_s);
        m_panel->setRangeText({});
        QVERIFY(!range.isVisible());
    }

    void anIncompleteRecordIsAdmitted()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        QVERIFY(!find<QLabel>(u"statisticsCaveat"_s).isVisible());
        RunFigures figures = run(u"Run 1"_s);
        figures.isExact = false;
        m_panel->showFigures(figures);
        QVERIFY(find<QLabel>(u"statisticsCaveat"_s).isVisible());
    }

    void thePointerReadsExactValues()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        ChartView& shares = chart(u"statisticsShares"_s);
        hover(shares, shares.positionOf(0.5));
        QCOMPARE(shares.shownReadout(), u"contender <0>: 60 acquisitions, 60.0 %"_s);
        ChartView& rates = chart(u"statisticsRates"_s);
        QCOMPARE(rates.readoutAt(rates.positionOf(7)),
                 u"40 acquisitions, 8.00 per second, from 5 s to 10 s"_s);
        QCOMPARE(rates.readoutAt({2, 2}), QString());
        ChartView& waits = chart(u"statisticsWaits"_s);
        const QString readout = waits.readoutAt(waits.positionOf(std::log10(50e3)));
        QVERIFY2(readout.contains(u"50.0 % of all waits are at most "_s), qPrintable(readout));
        hover(shares, {2, 2});
        QCOMPARE(shares.shownReadout(), QString());
    }

    void theArrowsReadFromValueToValue()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        ChartView& shares = chart(u"statisticsShares"_s);
        QTest::keyClick(&shares, Qt::Key_Right);
        QVERIFY(shares.shownReadout().startsWith(u"contender <0>: 60"_s));
        QTest::keyClick(&shares, Qt::Key_Right);
        QVERIFY(shares.shownReadout().startsWith(u"contender <1>: 20"_s));
        QCOMPARE(shares.accessibleDescription(), shares.shownReadout());
        QTest::keyClick(&shares, Qt::Key_End);
        QVERIFY(shares.shownReadout().startsWith(u"contender <2>"_s));
        QTest::keyClick(&shares, Qt::Key_Home);
        QVERIFY(shares.shownReadout().startsWith(u"contender <0>"_s));
    }

    void anotherRunStandsBeside()
    {
        auto& compare = find<QComboBox>(u"compareBox"_s);
        auto& table = find<QTreeView>(u"comparisonTable"_s);
        m_panel->showFigures(run(u"Run 1"_s));
        QVERIFY(!compare.isEnabled());
        QVERIFY(!table.isVisible());
        m_panel->setComparable({run(u"Run 1"_s), run(u"Run 2"_s, 3, 10), run(u"Run 3"_s)});
        QCOMPARE(compare.count(), 3); // none, and the two that are not shown
        compare.setCurrentText(u"Run 2"_s);
        QVERIFY(table.isVisible());
        QVERIFY(find<QWidget>(u"statisticsLegend"_s).isVisible());
        QCOMPARE(table.model()->index(0, 1).data().toString(), u"100"_s);
        QCOMPARE(table.model()->index(0, 2).data().toString(), u"50"_s);
        QCOMPARE(table.model()->index(0, 3).data().toString(), u"+100 %"_s);
        ChartView& shares = chart(u"statisticsShares"_s);
        QCOMPARE(shares.readoutAt(shares.positionOf(0.5)),
                 u"Run 1: contender <0>: 60 acquisitions, 60.0 %\n"
                 u"Run 2: contender <1>: 20 acquisitions, 40.0 %"_s);
        compare.setCurrentIndex(0);
        QVERIFY(!table.isVisible());
        QCOMPARE(shares.readoutAt(shares.positionOf(0.5)),
                 u"contender <0>: 60 acquisitions, 60.0 %"_s);
    }

    void theChosenRunStaysChosen()
    {
        auto& compare = find<QComboBox>(u"compareBox"_s);
        m_panel->setComparable({run(u"Run 2"_s), run(u"Run 3"_s)});
        m_panel->showFigures(run(u"Run 1"_s));
        compare.setCurrentText(u"Run 3"_s);
        m_panel->setComparable({run(u"Run 3"_s), run(u"Run 4"_s)});
        QCOMPARE(compare.currentText(), u"Run 3"_s);
        m_panel->showFigures(run(u"Run 3"_s)); // not with itself
        QCOMPARE(compare.currentIndex(), 0);
        m_panel->setComparable({});
        QCOMPARE(compare.count(), 1);
        QVERIFY(!compare.isEnabled());
    }

    void theTableOfNumbersCanBeCopied()
    {
        RunFigures figures = run(u"Run 1"_s);
        m_panel->showFigures(figures);
        QTest::mouseClick(&find<QPushButton>(u"copyCsvButton"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), models::figuresCsv(figures));
        const RunFigures other = run(u"Run 2"_s);
        m_panel->setComparable({other});
        find<QComboBox>(u"compareBox"_s).setCurrentIndex(1);
        QTest::mouseClick(&find<QPushButton>(u"copyCsvButton"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), models::figuresCsv(figures, &other));
    }

    void thePictureHasTheWholePage()
    {
        m_panel->resize(500, 300);
        m_panel->showFigures(run(u"Run 1"_s));
        QImage picture;
        const auto copied = [&] {
            find<QPushButton>(u"copyPictureButton"_s).click();
            picture = QGuiApplication::clipboard()->image();
            return picture.height();
        };
        QTRY_VERIFY(copied() > m_panel->height()); // what is scrolled out of sight as well
        QVERIFY(hasColor(picture, lightPalette().color(QPalette::Link)));
    }

    void narrowPanelsHaveOneColumn()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        const auto isBeside = [this] {
            return chart(u"statisticsWaits"_s).y() == chart(u"statisticsRates"_s).y();
        };
        QTRY_VERIFY(isBeside());
        m_panel->resize(420, 900);
        QTRY_VERIFY(!isBeside());
        m_panel->resize(1100, 900);
        QTRY_VERIFY(isBeside());
    }

    void anotherThemeRepaintsTheCharts()
    {
        m_panel->showFigures(run(u"Run 1"_s));
        ChartView& waits = chart(u"statisticsWaits"_s);
        QVERIFY(hasColor(waits.grab().toImage(), lightPalette().color(QPalette::Link)));
        m_panel->setPalette(darkPalette());
        const QImage dark = waits.grab().toImage();
        QVERIFY(hasColor(dark, darkPalette().color(QPalette::Window)));
        for (const QPalette::ColorRole role : {QPalette::Window, QPalette::Link}) {
            QVERIFY(!hasColor(dark, lightPalette().color(role)));
        }
    }

    void twoHundredContendersAreSortedAndReadable()
    {
        m_panel->showFigures(run(u"Run 1"_s, 200));
        ChartView& shares = chart(u"statisticsShares"_s);
        QCOMPARE(shares.content().series[0].marks.size(), std::size_t(200));
        QCOMPARE(shares.readoutAt(shares.positionOf(0.5)),
                 u"contender <0>: 60 acquisitions, 1.49 %"_s);
        QVERIFY(shares.readoutAt(shares.positionOf(199.5)).startsWith(u"contender <199>: 20"_s));
        m_panel->showFigures(run(u"Run 2"_s, 2));
        QCOMPARE(shares.content().xTicks.size(), std::size_t(2));
    }

    void whatIsNotSeenIsShownLater()
    {
        m_panel->hide();
        m_panel->showFigures(run(u"Run 1"_s));
        QVERIFY(chart(u"statisticsWaits"_s).content().series.empty());
        m_panel->show();
        QVERIFY(!chart(u"statisticsWaits"_s).content().series.empty());
        QVERIFY(find<TileBoard>(u"statisticsTiles"_s).isVisible());
    }
};

LOCKSCOPE_TEST(TestStatisticsPanel, Widgets)

} // namespace lockscope::tst_statistics_panel

#include "tst_statistics_panel.moc"
