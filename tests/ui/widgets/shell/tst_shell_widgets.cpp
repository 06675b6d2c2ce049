#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/notice_bar.h"
#include "ui/widgets/controls/paired_controls.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/controls/status_dot.h"
#include "ui/widgets/shell/help_pages.h"
#include "ui/widgets/shell/page_bar.h"
#include "ui/widgets/shell/page_switch.h"
#include "ui/widgets/shell/server_badge.h"
#include "ui/widgets/shell/status_strip.h"
#include "ui/widgets/shell/top_strip.h"
#include "ui/widgets/shell/window_state.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::tst_shell_widgets {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestShellWidgets : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    static QString textOf(const QWidget& parent, const QString& name)
    {
        return parent.findChild<QLabel*>(name)->text();
    }

    static Question question()
    {
        Question question;
        question.text = u"Really?"_s;
        question.acceptLabel = u"Do it"_s;
        question.declineLabel = u"Cancel"_s;
        return question;
    }

private Q_SLOTS:
    void whatTurnsGreyHandsTheKeyboardToItsOpposite()
    {
        QWidget window;
        QVBoxLayout layout(&window);
        QPushButton start(u"Start"_s);
        QPushButton between(u"Pause"_s);
        QPushButton stop(u"Stop"_s);
        for (QPushButton* button : {&start, &between, &stop}) {
            layout.addWidget(button);
        }
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const PairedControls controls{start, stop};
        controls.setEnabled(true, false);
        start.setFocus();
        controls.setEnabled(false, true);
        QVERIFY(stop.hasFocus());
        controls.setEnabled(true, false);
        QVERIFY(start.hasFocus());
        controls.setEnabled(false, true);
        controls.setEnabled(false, false); // it takes a while to stop
        QVERIFY(!between.hasFocus());
        controls.setEnabled(true, false);
        QVERIFY(start.hasFocus());
        between.setFocus(); // who is elsewhere stays there
        controls.setEnabled(false, true);
        QVERIFY(between.hasFocus());
        QVERIFY(!start.isEnabled() && stop.isEnabled());
    }

    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void aQuestionIsAnsweredOnceByItsButtons_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("isAccepted");
        QTest::newRow("accept") << u"acceptButton"_s << true;
        QTest::newRow("decline") << u"declineButton"_s << false;
        QTest::newRow("escape") << QString() << false;
    }

    void aQuestionIsAnsweredOnceByItsButtons()
    {
        QFETCH(QString, button);
        QFETCH(bool, isAccepted);
        QWidget parent;
        parent.show();
        QList<Answer> answers;
        DialogPrompter().ask(&parent, question(), [&answers](Answer answer) { answers += answer; });
        auto* dialog = parent.findChild<QDialog*>(u"questionDialog"_s);
        QVERIFY(dialog != nullptr);
        QVERIFY(answers.isEmpty());
        QVERIFY(dialog->findChild<QPushButton*>(u"declineButton"_s)->isDefault());
        if (button.isEmpty()) {
            QTest::keyClick(dialog, Qt::Key_Escape);
        } else {
            QTest::mouseClick(dialog->findChild<QPushButton*>(button), Qt::LeftButton);
        }
        QCOMPARE(answers, QList{isAccepted ? Answer::Accepted : Answer::Declined});
    }

    void aNoticeHasNothingToDecline()
    {
        QWidget parent;
        Question notice = question();
        notice.declineLabel.clear();
        DialogPrompter().ask(&parent, notice, [](Answer) {});
        auto* dialog = parent.findChild<QDialog*>(u"questionDialog"_s);
        QVERIFY(dialog->findChild<QPushButton*>(u"declineButton"_s) == nullptr);
        QVERIFY(dialog->findChild<QPushButton*>(u"acceptButton"_s)->isDefault());
    }

    void nobodyIsToldWhenTheAskerIsGone()
    {
        int answers = 0;
        {
            QWidget parent;
            DialogPrompter().ask(&parent, question(), [&answers](Answer) { ++answers; });
        }
        QCOMPARE(answers, 0);
    }

    void aFileGetsTheWholeEndingOfItsKind()
    {
        QWidget parent;
        const FileQuestion runs{u"Save"_s, u"Runs (*.run.cbor *.json)"_s, u"a.run.cbor"_s};
        DialogPrompter().chooseSaveFile(&parent, runs, [](const QString&) {});
        const auto* const dialog = parent.findChild<QFileDialog*>(u"fileDialog"_s);
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->defaultSuffix(), u"run.cbor"_s);
    }

    void everyKeyOfTheMenusIsListed()
    {
        QMenuBar bar;
        QMenu* const inner = bar.addMenu(u"Server"_s)->addMenu(u"More"_s);
        inner->addAction(u"&Sweep…"_s)->setShortcuts({Qt::Key_F5, Qt::CTRL | Qt::Key_R});
        inner->addAction(u"No key"_s);
        const Question page = shortcutsPage(bar);
        QVERIFY2(page.detail.startsWith(u"F5, Ctrl+R      Sweep\nEsc "), qPrintable(page.detail));
        QVERIFY(!page.detail.contains(u"No key"));
        QVERIFY(aboutPage().text.contains(QStringLiteral(LOCKSCOPE_VERSION)));
    }

    void whatIsCopiedFromACommandIsTheCommand()
    {
        CommandBox box;
        box.setScript(u"EVAL \"local a = 1\\nreturn '\\\\n'\" 0"_s);
        QCOMPARE(box.findChild<SelectableText*>()->toPlainText(),
                 u"EVAL \"local a = 1\nreturn '\\\\n'\" 0"_s); // shown with its lines
        box.findChild<QToolButton*>(u"copyButton"_s)->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), box.command());
        QCOMPARE(box.command(), u"EVAL \"local a = 1\\nreturn '\\\\n'\" 0"_s);
    }

    void longTextGrowsInHeightUpToItsLimit()
    {
        SelectableText text;
        text.setText(u"short"_s);
        const int oneLine = text.heightForWidth(200);
        text.setText(QString(500, u'x')); // no place to break but inside
        QVERIFY(text.heightForWidth(200) > 3 * oneLine);
        QVERIFY(text.heightForWidth(400) < text.heightForWidth(200));
        text.setLineCountMax(2);
        QVERIFY(text.heightForWidth(200) < 3 * oneLine);
    }

    /// Also where it just fits, and was shown in less room a moment before.
    void aTextThatHasItsRoomIsNotScrolled()
    {
        SelectableText text;
        text.setLineCountMax(12);
        text.setText(u"lockscope-cli release job:nightly-sync:lock --owner 1 --url redis://h"_s);
        text.show();
        for (int width = 120; width < 420; width += 3) {
            text.resize(width, text.fontMetrics().lineSpacing() / 2);
            QTRY_VERIFY(text.verticalScrollBar()->isVisible());
            text.resize(width, text.heightForWidth(width));
            QTRY_VERIFY2(!text.verticalScrollBar()->isVisible(),
                         qPrintable(QString::number(width)));
        }
    }

    /// Chinese letters come from a font of their own, with higher lines. The one that stands for it
    /// here has a square for a single letter, and lines of three ems.
    void textIsAsHighAsItsLinesAre()
    {
        const int tall =
            QFontDatabase::addApplicationFont(testing::inSourceTree(u"tests/support/tall.ttf"_s));
        QVERIFY(tall >= 0);
        SelectableText text;
        QFont font = text.font();
        font.setFamilies(QStringList(QFontInfo(font).family())
                         + QFontDatabase::applicationFontFamilies(tall));
        text.setFont(font);
        text.setText(u"orders-3:174545bb-036c-42b3-babe-f7cff2d6d34f (客客客客客客)"_s);
        text.show();
        for (const int width : {400, 180, 90}) {
            text.resize(width, text.heightForWidth(width));
            QTRY_COMPARE(text.width(), width);
            QTRY_COMPARE(text.verticalScrollBar()->maximum(), 0);
            const QTextBlock block = text.document()->firstBlock();
            const qreal needed =
                text.document()->documentLayout()->blockBoundingRect(block).height();
            QVERIFY(needed > block.lineCount() * text.fontMetrics().lineSpacing()); // it is taller
            QVERIFY(text.height() >= needed);
            QVERIFY(text.height() < needed + text.fontMetrics().height());
        }
        QFontDatabase::removeApplicationFont(tall);
    }

    void anElidedLabelKeepsItsTextForTheToolTip()
    {
        ElidedLabel label(Qt::ElideMiddle);
        label.resize(60, 20);
        label.show();
        const QString name = u"job:nightly-sync:of-a-very-long-name"_s;
        label.setFullText(name);
        QVERIFY(label.text() != name);
        QCOMPARE(label.toolTip(), name);
        label.resize(label.sizeHint());
        QCOMPARE(label.text(), name);
        QCOMPARE(label.toolTip(), QString());
    }

    void aDialogThatGrowsStaysOnTheScreen()
    {
        QDialog dialog;
        auto* layout = new QVBoxLayout(&dialog);
        auto* content = new QWidget(&dialog);
        layout->addWidget(content);
        dialog.show();
        const int bottom = dialog.screen()->availableGeometry().bottom();
        dialog.move(dialog.x(), bottom - 100);
        content->setMinimumHeight(bottom / 2);
        fitHeight(dialog);
        QCOMPARE_LE(dialog.geometry().bottom(), bottom);
        QCOMPARE_GE(dialog.y(), 0);
    }

    void aDialogBecomesAsHighAsItsTextNeeds()
    {
        QDialog dialog;
        auto* layout = new QVBoxLayout(&dialog);
        auto* text = new SelectableText(&dialog);
        text->setText(QString(2000, u'x'));
        layout->addWidget(text);
        dialog.resize(300, 20);
        fitHeight(dialog);
        QVERIFY(dialog.height() >= text->heightForWidth(300));
        QCOMPARE(dialog.width(), 300);
    }

    void aStateShowsBeforeANoticeAndANoticeCanBeClosed()
    {
        NoticeBar bar;
        QVERIFY(bar.isHidden());
        bar.showNotice(u"notice"_s);
        QCOMPARE(bar.text(), u"notice"_s);
        bar.showState(u"state"_s);
        QCOMPARE(bar.text(), u"state"_s);
        QVERIFY(bar.findChild<QPushButton*>()->isHidden());
        bar.showState({});
        QCOMPARE(bar.text(), u"notice"_s);
        bar.findChild<QPushButton*>()->click();
        QVERIFY(bar.isHidden());
    }

    void thePageBarShowsThePagesThereAre()
    {
        PageBar bar;
        bar.addPage(u"locks"_s, u"Locks"_s);
        bar.addPage(u"lab"_s, u"Lab"_s);
        QSignalSpy chosen(&bar, &PageBar::pageChosen);
        QCOMPARE(bar.names(), QStringList({u"locks"_s, u"lab"_s}));
        bar.findChild<QToolButton*>(u"page_lab"_s)->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().toString(), u"lab"_s);
        bar.setCurrent(u"locks"_s);
        QVERIFY(bar.findChild<QToolButton*>(u"page_locks"_s)->isChecked());
        QCOMPARE(chosen.count(), 1);
    }

    void theBadgeNamesTheServerAndCanBePressed()
    {
        ServerBadge badge;
        QCOMPARE(badge.serverText(), u"not connected"_s);
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.environment = "production";
        endpoint.isReadOnly = true;
        badge.showServers({endpoint});
        QCOMPARE(badge.accessibleName(), u"production, 10.0.0.5:6379/0, read-only"_s);
        QSignalSpy clicked(&badge, &ServerBadge::clicked);
        badge.show();
        QTest::mouseClick(&badge, Qt::LeftButton);
        QTest::keyClick(&badge, Qt::Key_Space);
        QCOMPARE(clicked.count(), 2);
    }

    void theStripTellsLiveFromPausedAndOffline()
    {
        TopStrip strip;
        strip.showLive(LinkTone::Good, true, false);
        QCOMPARE(strip.liveText(), u"Live"_s);
        strip.showLive(LinkTone::Good, true, true);
        QCOMPARE(strip.liveText(), u"Paused"_s);
        strip.showLive(LinkTone::Bad, false, false);
        QCOMPARE(strip.liveText(), u"Offline"_s);
    }

    void theStatusStripShowsTheStateAndTheTime()
    {
        StatusStrip strip;
        WatchState state;
        strip.showState(state, 0, kNow);
        QCOMPARE(textOf(strip, u"linkText"_s), u"not connected"_s);
        QVERIFY(strip.findChild<QLabel*>(u"countsText"_s)->isHidden());
        state.open({store::Endpoint()});
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Online;
        status.live = service::LinkStatus::Live::Polling;
        status.problem.kind = store::Problem::Kind::NoPermission;
        status.problem.command = "client|tracking";
        status.problem.rule = "+client|tracking";
        state.update(status);
        state.update(service::SweepProgress{0, 10, 10, true, false});
        state.update(service::ServerLoad{0, 12, 40, 3, 0.002, Duration(600), 0, {}});
        strip.resize(1600, 30);
        strip.show();
        strip.showState(state, 7, kNow);
        QCOMPARE(strip.findChild<StatusDot*>(u"linkDot"_s)->tone(), LinkTone::Warning);
        QCOMPARE(textOf(strip, u"countsText"_s), u"7 locks · 3 changes/s"_s);
        QCOMPARE(
            textOf(strip, u"costText"_s),
            u"our cost: 12 commands/s, 40 messages/s, 0 kB/s, ≈ 0.2 % of a core · slowest call 0.6 ms"_s);
        QVERIFY(strip.findChild<ElidedLabel*>(u"reasonText"_s)
                    ->fullText()
                    .contains(u"+client|tracking"));
        service::ServerLoad limited;
        limited.budget.percent = 5;
        state.update(limited);
        strip.showState(state, 7, kNow);
        QVERIFY(
            textOf(strip, u"costText"_s).endsWith(u"sweeps limited to 5 % of the server's time"_s));
        strip.showTime(wallTimeOfMs(1'795'185'067'000));
        QVERIFY(textOf(strip, u"timeText"_s).contains(QRegularExpression(u"^\\d\\d:\\d\\d:07 "_s)));
    }

    void aDamagedWindowStateChangesNothing()
    {
        QMainWindow window;
        auto* dock = new QDockWidget(u"Dock"_s, &window);
        dock->setObjectName(u"dock"_s);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.resize(500, 400);
        Settings settings;
        settings.windowGeometry = "garbage";
        settings.dockLayout = "garbage";
        restoreWindowState(window, settings);
        QCOMPARE(window.size(), QSize(500, 400));
        QCOMPARE(window.dockWidgetArea(dock), Qt::LeftDockWidgetArea);

        keepGeometry(window, settings);
        keepDocks(window, settings);
        window.addDockWidget(Qt::RightDockWidgetArea, dock);
        window.resize(300, 300);
        restoreWindowState(window, settings);
        QCOMPARE(window.size(), QSize(500, 400));
        QCOMPARE(window.dockWidgetArea(dock), Qt::LeftDockWidgetArea);
    }

    void docksReturnToWhereTheyWereAtFirst()
    {
        QMainWindow window;
        PageBar bar;
        PageSwitch pages(window, bar);
        Page page{u"locks"_s, u"锁(&O)"_s, new QWidget(&window)};
        page.docks = {{u"detailsDock"_s,
                       u"Details"_s,
                       new QWidget(&window),
                       Qt::RightDockWidgetArea,
                       {20, 0}}};
        pages.add(page);
        QCOMPARE(bar.findChild<QToolButton*>(u"page_locks"_s)->text(), u"锁"_s);
        pages.arrangeDocks();
        window.show();
        auto* details = window.findChild<QDockWidget*>(u"detailsDock"_s);
        window.addDockWidget(Qt::LeftDockWidgetArea, details);
        details->hide();
        pages.resetDocks();
        QCOMPARE(window.dockWidgetArea(details), Qt::RightDockWidgetArea);
        QVERIFY(details->isVisible());
    }

    void newsHideTheReasonForAWhile()
    {
        StatusStrip strip;
        auto* reason = strip.findChild<ElidedLabel*>(u"reasonText"_s);
        WatchState state;
        state.open({store::Endpoint()});
        service::LinkStatus status;
        status.state = service::LinkStatus::State::Online;
        status.problem.kind = store::Problem::Kind::NoPermission;
        status.problem.command = "client|tracking";
        state.update(status);
        strip.showState(state, 0, kNow);
        const QString lasting = reason->fullText();
        QVERIFY(!lasting.isEmpty());
        strip.showNews(u"k: nothing was sent"_s);
        QCOMPARE(reason->fullText(), u"k: nothing was sent"_s);
        strip.showNews({});
        QCOMPARE(reason->fullText(), lasting);
    }
};

LOCKSCOPE_TEST(TestShellWidgets, Widgets)

} // namespace lockscope::tst_shell_widgets

#include "tst_shell_widgets.moc"
