#include "core/kernel/report/wording.h"
#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/dialog_bench.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/verdict_card.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/cap_ttl_dialog.h"
#include "ui/widgets/locks/release/plan_commands.h"
#include "ui/widgets/locks/release/release_dialog.h"
#include "ui/widgets/locks/release/release_outcome_view.h"
#include "ui/widgets/locks/release/tombstone_choice.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

Q_DECLARE_METATYPE(lockscope::inspect::ReleaseReport)
Q_DECLARE_METATYPE(lockscope::inspect::NextHold)

namespace lockscope::tst_release_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using inspect::ReleaseResult;

class TestReleaseDialog : public QObject, private test::DialogBench {
    Q_OBJECT

private:
    /// Goes all the way to having sent the plan.
    void send(const inspect::LockRecord& lock)
    {
        openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
    }

    /// A lock of 30 s that its holder's renewal would create again.
    inspect::LockRecord openRecreated()
    {
        auto lock = test::heldToken("k", "token-abcdef", kNow);
        lock.expiresAt = kNow + 28s;
        lock.lease = 30s;
        open<ReleaseDialog>(lock);
        operations::LockDetails details = test::detailsOf(lock);
        details.release->recipe.recreation = inspect::ReleaseRecipe::Recreation::Certain;
        m_desk->answer(details);
        return lock;
    }
    bool isOffered() const { return find<QCheckBox>(u"tombstoneBox")->isVisible(); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { begin(); }
    void cleanup() { end(); }

    void theLockIsReadAfreshAndWhatWasSeenIsShown()
    {
        const auto lock = test::redissonLock("order:4711:lock", kNow);
        openRelease(lock);
        QCOMPARE(m_desk->inspections().size(), std::size_t(1));
        QVERIFY(m_desk->inspections().front().second == lock.id);
        const auto* facts = find<FactList>(u"releaseFacts");
        QCOMPARE(facts->valueOf(u"Owner"_s), QString::fromStdString(lock.holders.front().owner));
        QCOMPARE(facts->valueOf(u"Holds"_s), u"4"_s);
        QCOMPARE(facts->valueOf(u"Expires"_s), u"in 28.4 s"_s);
        QCOMPARE(facts->valueOf(u"Waiters"_s), u"17"_s);
        QVERIFY(facts->valueOf(u"Renewed"_s).contains(u"240 times"));
        const auto plan = test::detailsOf(lock).release;
        QCOMPARE(find<CommandBox>(u"planCommand")->command(),
                 QString::fromStdString(store::toText(plan->command)));
    }

    void whatIsSentIsSaidInWordsAndTheScriptIsAClickAway()
    {
        const auto lock = test::heldToken("k", "token", kNow);
        auto* dialog = openRelease(lock);
        const auto* commands = dialog->findChild<PlanCommands*>();
        QCOMPARE(commands->findChild<QLabel*>(u"planSteps"_s)->text(),
                 u"1. Stop if the server is a replica.\n"
                 "2. Stop unless the value of k is \"token\".\n3. Delete k."_s);
        auto* command = find<CommandBox>(u"planCommand");
        auto* toggle = find<QToolButton>(u"showScriptButton");
        QCOMPARE(text(u"planSentence"), u"Ends the hold of token on k, but only if that hold is "
                                        "still there; otherwise nothing is done."_s);
        QVERIFY(command->isHidden());
        QVERIFY(find<QLabel>(u"planSteps")->isHidden());
        const int height = dialog->height();
        QTest::mouseClick(toggle, Qt::LeftButton);
        QVERIFY(command->isVisible());
        QVERIFY(find<QLabel>(u"planSteps")->isVisible());
        QVERIFY(dialog->height() > height);
        QTest::mouseClick(toggle, Qt::LeftButton);
        QVERIFY(command->isHidden());
        QCOMPARE(dialog->height(), height);
    }

    /// A healthy lock has another face than one that is stuck.
    void theVerdictOfTheRowStandsFirst()
    {
        auto lock = test::stuckFlag("k", kNow);
        openRelease(lock);
        auto* verdict = find<VerdictCard>(u"releaseVerdict");
        QCOMPARE(verdict->severity(), 2);
        delete m_dialog;
        lock = test::heldToken("k", "token", kNow);
        auto* dialog = openRelease(lock);
        verdict = find<VerdictCard>(u"releaseVerdict");
        QCOMPARE(verdict->severity(), 0);
        lock.flags.add(inspect::Flag::HolderGone); // only the watch knows that
        dialog->takeWatched(makeShared<inspect::LockRecord>(lock));
        QVERIFY(verdict->severity() > 0);
    }

    void whatTheWatchKnowsIsToldAndKeptUpToDate()
    {
        auto lock = test::heldToken("k", "token", kNow);
        lock.renewals = 0;
        lock.firstSeen = kNow;
        auto* dialog = openRelease(lock);
        const auto* facts = find<FactList>(u"releaseFacts");
        QVERIFY(facts->valueOf(u"Renewed"_s).contains(u"not since"));
        lock.firstSeen = kNow - 10min;
        lock.renewals = 3;
        lock.lastRenewal = kNow - 2s;
        dialog->takeWatched(makeShared<inspect::LockRecord>(lock));
        QVERIFY2(facts->valueOf(u"Renewed"_s).startsWith(u"3 times, last 2.0 s ago"),
                 qPrintable(facts->valueOf(u"Renewed"_s)));
        QVERIFY2(facts->valueOf(u"Held for"_s).contains(u"10 m"),
                 qPrintable(facts->valueOf(u"Held for"_s)));
        lock.id.name = "another";
        lock.renewals = 99;
        dialog->takeWatched(makeShared<inspect::LockRecord>(lock));
        QVERIFY(facts->valueOf(u"Renewed"_s).startsWith(u"3 times"));
    }

    void noButtonIsTheDefaultAndTheFieldHasTheFocus()
    {
        openRelease(test::redissonLock("order:1", kNow));
        for (const QPushButton* each : m_dialog->findChildren<QPushButton*>()) {
            QVERIFY2(!each->isDefault() && !each->autoDefault(), qPrintable(each->text()));
        }
        QCOMPARE(m_dialog->focusWidget(), edit(u"confirmEdit"));
    }

    void tabLeadsFromTheCharactersToReleaseAndThenToCancel()
    {
        const auto lock = test::redissonLock("order:1", kNow);
        openRelease(lock);
        edit(u"confirmEdit")->setFocus();
        QTest::keyClick(edit(u"confirmEdit"), Qt::Key_Tab);
        QCOMPARE(m_dialog->focusWidget(), button(u"cancelButton")); // nothing to release yet
        edit(u"confirmEdit")->setFocus();
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::keyClick(edit(u"confirmEdit"), Qt::Key_Tab);
        QCOMPARE(m_dialog->focusWidget(), button(u"executeButton"));
        QTest::keyClick(button(u"executeButton"), Qt::Key_Tab);
        QCOMPARE(m_dialog->focusWidget(), button(u"cancelButton"));
    }

    void enterReleasesOnceTheHoldIsNamed_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("Return") << static_cast<int>(Qt::Key_Return);
        QTest::newRow("Enter") << static_cast<int>(Qt::Key_Enter);
    }

    void enterReleasesOnceTheHoldIsNamed()
    {
        QFETCH(int, key);
        const auto lock = test::redissonLock("order:1", kNow);
        openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::keyClick(edit(u"confirmEdit"), static_cast<Qt::Key>(key));
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        QVERIFY(m_dialog->isVisible()); // and says what becomes of it
        QCOMPARE(text(u"outcomeText"), u"Sending…"_s);
    }

    void enterSaysWhatIsMissingAndClosesNothing_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << QString()
                                 << u"To release the lock, type the last 6 characters"_s;
        QTest::newRow("too few") << u"e1:63"_s << u"The text you typed is not the last 6"_s;
        QTest::newRow("wrong") << u"9e1:64"_s << u"The text you typed is not the last 6"_s;
    }

    void enterSaysWhatIsMissingAndClosesNothing()
    {
        QFETCH(QString, typed);
        QFETCH(QString, words);
        openRelease(test::redissonLock("order:1", kNow));
        for (const char16_t* field : {u"reasonEdit", u"confirmEdit"}) {
            edit(u"confirmEdit")->setText(typed);
            edit(field)->setFocus();
            QTest::keyClick(edit(field), Qt::Key_Return);
            QVERIFY(m_dialog->isVisible());
            QVERIFY(find<QLabel>(u"planRemark")->isVisible());
            QVERIFY2(text(u"planRemark").contains(words), qPrintable(text(u"planRemark")));
            QVERIFY2(text(u"planRemark").contains(u"Nothing was sent"),
                     qPrintable(text(u"planRemark")));
        }
        QVERIFY(m_desk->executions().empty());
    }

    void wrongCharactersAreSaidAsSoonAsThereAreEnough()
    {
        openRelease(test::redissonLock("order:1", kNow));
        QTest::keyClicks(edit(u"confirmEdit"), u"9e1:6"_s);
        QVERIFY(!find<QLabel>(u"planRemark")->isVisible());
        QTest::keyClicks(edit(u"confirmEdit"), u"4"_s);
        QVERIFY(text(u"planRemark").contains(u"The text you typed is not"));
        QTest::keyClick(edit(u"confirmEdit"), Qt::Key_Backspace);
        QTest::keyClicks(edit(u"confirmEdit"), u"3"_s);
        QVERIFY(!find<QLabel>(u"planRemark")->isVisible());
    }

    void enterOnAButtonPressesThatButton()
    {
        const auto lock = test::redissonLock("order:1", kNow);
        openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        button(u"executeButton")->setFocus();
        QTest::keyClick(button(u"executeButton"), Qt::Key_Return);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
    }

    void theWrongCharactersKeepReleaseDisabled_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("nothing") << QString();
        QTest::newRow("too few") << u"e1:63"_s;
        QTest::newRow("another owner") << u"9e1:64"_s;
        QTest::newRow("too many") << u"d9e1:63"_s;
        QTest::newRow("other case") << u"9E1:63"_s;
    }

    void theWrongCharactersKeepReleaseDisabled()
    {
        QFETCH(QString, typed);
        openRelease(test::redissonLock("order:1", kNow));
        QTest::keyClicks(edit(u"confirmEdit"), typed);
        QVERIFY(!button(u"executeButton")->isEnabled());
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QVERIFY(m_desk->executions().empty());
    }

    void theRightCharactersSendThePlanOnceWithTheReason()
    {
        const auto lock = test::redissonLock("order:1", kNow);
        auto* dialog = openRelease(lock);
        QSignalSpy attempted(dialog, &ReleaseDialog::attempted);
        QTest::keyClicks(edit(u"reasonEdit"), u" INC-4711 "_s);
        QTest::keyClicks(edit(u"confirmEdit"), u"9e1:63"_s);
        QTest::mouseDClick(button(u"executeButton"), Qt::LeftButton);
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        const auto& execution = m_desk->executions().front();
        QVERIFY(execution.plan.command == test::detailsOf(lock).release->command);
        QCOMPARE(execution.reason, u"INC-4711"_s);
        QCOMPARE(attempted.count(), 1);
        QCOMPARE(attempted.first().first().toULongLong(), execution.request);
    }

    void holdsThatCannotBeToldApartAreNamedByTheWholeKey()
    {
        const auto lock = test::stuckFlag("job:nightly-sync", kNow);
        open<ReleaseDialog>(lock);
        auto details = test::detailsOf(lock);
        details.release->recipe.warnings = {"This hold and the next cannot be distinguished."};
        m_desk->answer(details);
        QVERIFY(find<QLabel>(u"releaseWarnings")->isVisible());
        QVERIFY2(text(u"confirmPrompt").contains(u"the name of the key, job:nightly-sync"),
                 qPrintable(text(u"confirmPrompt")));
        QTest::keyClicks(edit(u"confirmEdit"), u"y-sync"_s); // what names an owner elsewhere
        QVERIFY(!button(u"executeButton")->isEnabled());
        edit(u"confirmEdit")->clear();
        QTest::keyClicks(edit(u"confirmEdit"), u"job:nightly-sync"_s);
        QVERIFY(button(u"executeButton")->isEnabled());
    }

    void theMilderWayComesFirstWhereHoldsCannotBeToldApart()
    {
        auto* dialog = openRelease(test::stuckFlag("job:1", kNow));
        QCOMPARE(m_dialog->focusWidget(), button(u"capInsteadButton"));
        const auto topOf = [this](const QWidget* widget) {
            return widget->mapTo(m_dialog.data(), QPoint()).y();
        };
        QCOMPARE_LT(topOf(find<FactList>(u"releaseFacts")), topOf(button(u"capInsteadButton")));
        QCOMPARE_LT(topOf(button(u"capInsteadButton")), topOf(edit(u"confirmEdit")));
        QSignalSpy requested(dialog, &ReleaseDialog::capTtlRequested);
        QTest::keyClick(button(u"capInsteadButton"), Qt::Key_Return);
        QCOMPARE(requested.count(), 1);
    }

    void aShortTokenIsTypedWhole()
    {
        const auto lock = test::heldToken("k", "7", kNow);
        openRelease(lock);
        QVERIFY2(text(u"confirmPrompt").contains(u"the last character of"),
                 qPrintable(text(u"confirmPrompt")));
        QTest::keyClicks(edit(u"confirmEdit"), u"7"_s);
        QVERIFY(button(u"executeButton")->isEnabled());
    }

    void productionNeedsAReason()
    {
        m_environment = "production";
        const auto lock = test::heldToken("k", "token-abcdef", kNow);
        openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), u"abcdef"_s);
        QVERIFY(!button(u"executeButton")->isEnabled());
        QTest::keyClicks(edit(u"reasonEdit"), u"INC-1"_s);
        QVERIFY(button(u"executeButton")->isEnabled());
    }

    void warningsAreShown()
    {
        const auto lock = test::heldToken("k", "token", kNow);
        open<ReleaseDialog>(lock);
        operations::LockDetails details = test::detailsOf(lock);
        details.warnings = {"Its holder is alive."};
        details.release->recipe.warnings = {"The old holder deletes blindly.",
                                            "Its holder is alive."};
        m_desk->answer(details);
        QCOMPARE(text(u"releaseWarnings"),
                 u"Its holder is alive.\nThe old holder deletes blindly."_s);
    }

    void theMilderWayIsOfferedForALockWithoutExpiry()
    {
        auto* dialog = openRelease(test::stuckFlag("job:1", kNow));
        QSignalSpy requested(dialog, &ReleaseDialog::capTtlRequested);
        QVERIFY(button(u"capInsteadButton")->isVisible());
        QTest::mouseClick(button(u"capInsteadButton"), Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested.first().first().value<inspect::LockId>().name, std::string("job:1"));
        QVERIFY(m_desk->executions().empty());
    }

    void theMilderWayIsNotOfferedForALockThatExpires()
    {
        openRelease(test::heldToken("k", "token", kNow));
        QVERIFY(!button(u"capInsteadButton")->isVisible());
    }

    void whatCannotBeReleasedSaysWhy_data()
    {
        QTest::addColumn<int>("obstacle");
        QTest::addColumn<QString>("words");
        QTest::newRow("gone") << 0 << u"no longer exists"_s;
        QTest::newRow("unsupported") << 1 << u"Cannot tell whose it is."_s;
        QTest::newRow("no plan") << 2 << u"cannot be released safely"_s;
        QTest::newRow("unreadable") << 3 << u"get"_s;
    }

    void whatCannotBeReleasedSaysWhy()
    {
        QFETCH(int, obstacle);
        QFETCH(QString, words);
        const auto lock = test::heldToken("k", "token", kNow);
        open<ReleaseDialog>(lock);
        operations::LockDetails details = test::detailsOf(lock);
        if (obstacle == 0) {
            details = {};
        } else if (obstacle == 1) {
            details.release->recipe.isSupported = false;
            details.release->recipe.warnings = {"Cannot tell whose it is."};
        } else if (obstacle == 2) {
            details.release.reset();
        } else {
            details.problem.kind = store::Problem::Kind::NoPermission;
            details.problem.command = "get";
            details.problem.rule = "+get";
        }
        m_desk->answer(details);
        QVERIFY2(text(u"readingText").contains(words), qPrintable(text(u"readingText")));
        QVERIFY(!button(u"executeButton")->isVisible());
    }

    void anAnswerAboutAnotherQuestionIsIgnored()
    {
        const auto lock = test::heldToken("k", "token", kNow);
        open<ReleaseDialog>(lock);
        Q_EMIT m_desk->inspected(4711, test::detailsOf(lock));
        QVERIFY(!edit(u"confirmEdit")->isVisible());
    }

    void everyOutcomeIsSaidInItsSentence_data()
    {
        QTest::addColumn<inspect::ReleaseReport>("report");
        const auto row = [](const char* name, ReleaseResult result, store::Problem::Kind kind) {
            inspect::ReleaseReport report;
            report.result = result;
            report.problem.kind = kind;
            QTest::newRow(name) << report;
        };
        using Kind = store::Problem::Kind;
        row("released", ReleaseResult::Released, Kind::None);
        row("changed hands", ReleaseResult::ChangedHands, Kind::None);
        row("already gone", ReleaseResult::AlreadyGone, Kind::None);
        row("refused", ReleaseResult::Refused, Kind::ReadOnlyMode);
        row("unknown", ReleaseResult::Unknown, Kind::ConnectionLost);
    }

    void everyOutcomeIsSaidInItsSentence()
    {
        QFETCH(inspect::ReleaseReport, report);
        send(test::heldToken("k", "token-abcdef", kNow));
        QCoreApplication::sendPostedEvents(); // the layouts have settled while it was sent
        m_desk->report(report);
        QCOMPARE(text(u"outcomeText"), QString::fromStdString(report::resultSentence(report)));
        QVERIFY(!button(u"executeButton")->isVisible());
        QCOMPARE(button(u"cancelButton")->text(), u"Close"_s);
        const auto* view = m_dialog->findChild<ReleaseOutcomeView*>();
        QCOMPARE(view->nextHoldText().isEmpty(), report.result != ReleaseResult::Released);
        const auto* sentence = find<QLabel>(u"outcomeText"); // all of it can be read
        QCoreApplication::sendPostedEvents();
        QCOMPARE_GE(sentence->height(), sentence->heightForWidth(sentence->width()));
    }

    void changedHandsShowsTheOldAndTheNewHoldSideBySide()
    {
        const auto lock = test::heldToken("k", "token-abcdef", kNow);
        send(lock);
        inspect::ReleaseReport report;
        report.result = ReleaseResult::ChangedHands;
        report.nowThere = makeShared<inspect::LockRecord>(test::heldToken("k", "token-fedcba",
                                                                          kNow));
        m_desk->report(report);
        auto* comparison = find<QWidget>(u"comparison");
        QVERIFY(comparison->isVisible());
        QStringList cells;
        for (const auto* cell : comparison->findChildren<QPlainTextEdit*>()) {
            cells += cell->toPlainText();
        }
        QVERIFY(cells.contains(u"token-abcdef"_s));
        QVERIFY(cells.contains(u"token-fedcba"_s));
    }

    void theNextHoldFollows_data()
    {
        QTest::addColumn<inspect::NextHold>("nextHold");
        using Kind = inspect::NextHold::Kind;
        for (const Kind kind : {Kind::StillFree, Kind::TakenByOther, Kind::Taken,
                                Kind::TakenBySameOwner, Kind::CameBack, Kind::NotKnown}) {
            inspect::NextHold nextHold;
            nextHold.kind = kind;
            nextHold.after = 120ms;
            nextHold.next = makeShared<inspect::LockRecord>(test::heldToken("k", "next", kNow));
            QTest::addRow("%d", static_cast<int>(kind)) << nextHold;
        }
    }

    void theNextHoldFollows()
    {
        QFETCH(inspect::NextHold, nextHold);
        send(test::heldToken("k", "token-abcdef", kNow));
        inspect::ReleaseReport report;
        report.result = ReleaseResult::Released;
        m_desk->report(report);
        QCOMPARE(text(u"nextHoldText"), u"Watching for the next owner…"_s);
        m_desk->follow(nextHold);
        QCOMPARE(text(u"nextHoldText"), QString::fromStdString(report::nextHoldSentence(nextHold)));
        const bool isAlarm = nextHold.isBack();
        const QColor color = find<QLabel>(u"nextHoldText")->palette().color(QPalette::WindowText);
        QCOMPARE(color != m_dialog->palette().color(QPalette::WindowText), isAlarm);
        QCOMPARE(text(u"outcomeText"),
                 isAlarm ? u"Released, but it did not last."_s : u"Released."_s);
    }

    void aTombstoneIsOfferedWhereARenewalBringsTheLockBack()
    {
        auto* dialog = openRelease(test::heldToken("k", "token-abcdef", kNow));
        QVERIFY(!isOffered());
        delete dialog;
        openRecreated();
        QVERIFY(isOffered());
        QVERIFY(!find<QCheckBox>(u"tombstoneBox")->isChecked());
        QVERIFY2(text(u"tombstonePrice").contains(u"stays taken for another 31.0 s"),
                 qPrintable(text(u"tombstonePrice")));
    }

    void theTombstoneThatWasChosenIsSentAndTold()
    {
        const inspect::LockRecord lock = openRecreated();
        find<QCheckBox>(u"tombstoneBox")->click();
        QVERIFY(text(u"planSteps").contains(u"Set k to the tombstone"));
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        const inspect::ReleasePlan& sent = m_desk->executions().front().plan;
        QCOMPARE(sent.action, inspect::ReleaseAction::Tombstone);
        QVERIFY(sent.tombstone.starts_with(inspect::kTombstonePrefix));
        inspect::ReleaseReport report;
        report.result = ReleaseResult::Released;
        m_desk->report(report);
        QVERIFY(text(u"outcomeText").startsWith(u"Replaced by a tombstone."));
        QCOMPARE(text(u"nextHoldText"), QString());
    }

    void withoutTheChoiceTheKeyIsDeleted()
    {
        const inspect::LockRecord lock = openRecreated();
        find<QCheckBox>(u"tombstoneBox")->click();
        find<QCheckBox>(u"tombstoneBox")->click();
        QVERIFY(text(u"planSteps").contains(u"Delete k."));
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QCOMPARE(m_desk->executions().front().plan.action, inspect::ReleaseAction::Release);
    }

    void aForbiddenMessageSaysHowLongTheWaitersWouldSleep()
    {
        auto lock = test::redissonLock("order:1", kNow);
        open<ReleaseDialog>(lock);
        operations::LockDetails details = test::detailsOf(lock);
        details.release->recipe.sleep = inspect::ReleaseRecipe::Sleep::TimeLeft;
        m_desk->answer(details);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        inspect::ReleaseReport report;
        report.result = ReleaseResult::Refused;
        report.problem.kind = store::Problem::Kind::NoPermission;
        report.problem.rule = "&redisson_lock__channel:{order:1}";
        m_desk->report(report);
        QVERIFY2(text(u"outcomeText").contains(u"that it saw last, at most 28.4 s"),
                 qPrintable(text(u"outcomeText")));
    }

    void aCapSaysWhatItsWaitersHear()
    {
        auto lock = test::heldToken("k", "token-abcdef", kNow);
        lock.expiresAt.reset();
        operations::LockDetails details = test::detailsOf(lock);
        open<CapTtlDialog>(lock);
        m_desk->answer(details);
        QVERIFY(find<QLabel>(u"capSilence")->isHidden());
        delete m_dialog;
        details.capTtl->recipe.sleep = inspect::ReleaseRecipe::Sleep::TimeLeft;
        open<CapTtlDialog>(lock);
        m_desk->answer(details);
        QVERIFY2(text(u"capSilence").contains(u"sleeps for ever"), qPrintable(text(u"capSilence")));
    }
};

LOCKSCOPE_TEST(TestReleaseDialog, Widgets)

} // namespace lockscope::tst_release_dialog

#include "tst_release_dialog.moc"
