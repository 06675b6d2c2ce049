#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/release/bulk_dialog.h"
#include "ui/widgets/locks/release/undo_offer.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

namespace lockscope::tst_bulk_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ReleaseAction;
using inspect::ReleaseResult;

class TestBulkDialog : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    std::unique_ptr<test::ScriptedReleaseDesk> m_desk;
    std::string m_environment;
    QPointer<BulkDialog> m_dialog;

    void open(ReleaseAction action = ReleaseAction::Release)
    {
        open({test::stuckFlag("flag:1", kNow), test::stuckFlag("flag:2", kNow),
              test::heldToken("healthy", "token", kNow)},
             action);
    }
    void open(const std::vector<inspect::LockRecord>& locks,
              ReleaseAction action = ReleaseAction::Release)
    {
        std::vector<inspect::LockPtr> shown;
        for (const inspect::LockRecord& lock : locks) {
            shown.push_back(makeShared<const inspect::LockRecord>(lock));
        }
        const auto context = [this] {
            store::Endpoint endpoint;
            endpoint.environment = m_environment;
            return FactContext{kNow, WallTime(), {endpoint}};
        };
        m_dialog = new BulkDialog(*m_desk, context, action, shown);
        m_dialog->open();
        for (const inspect::LockRecord& lock : locks) {
            m_desk->answer(test::detailsReadAt(kNow, lock));
        }
    }

    void report(ReleaseResult result)
    {
        inspect::ReleaseReport report;
        report.result = result;
        m_desk->report(report);
    }

    /// Two healthy locks that are included, of 30 s each.
    void openTokens()
    {
        open({test::heldToken("a:1", "token-1", kNow), test::heldToken("a:2", "token-2", kNow)});
        cell(0, 0)->setCheckState(Qt::Checked);
        cell(1, 0)->setCheckState(Qt::Checked);
    }
    void release()
    {
        edit(u"reasonEdit"_s)->setText(u"mistake"_s);
        edit(u"countEdit"_s)->setText(u"2"_s);
        button(u"executeButton"_s)->click();
        report(ReleaseResult::Released);
        report(ReleaseResult::Released);
    }
    UndoOffer* undoOffer() const { return m_dialog->findChild<UndoOffer*>(u"undoOffer"_s); }
    void undo() const { QTest::mouseClick(button(u"undoButton"_s), Qt::LeftButton); }

    QPushButton* button(const QString& name) const
    {
        return m_dialog->findChild<QPushButton*>(name);
    }
    QLineEdit* edit(const QString& name) const { return m_dialog->findChild<QLineEdit*>(name); }
    QString summary() const { return m_dialog->findChild<QLabel*>(u"bulkSummary"_s)->text(); }
    QTableWidgetItem* cell(int row, int column) const
    {
        return m_dialog->findChild<QTableWidget*>(u"bulkTable"_s)->item(row, column);
    }

private Q_SLOTS:
    void init()
    {
        m_desk = std::make_unique<test::ScriptedReleaseDesk>();
        m_environment.clear();
    }
    void cleanup()
    {
        delete m_dialog;
        m_desk.reset();
    }

    void itSaysInWordsWhatWillBeDone()
    {
        open();
        QVERIFY2(summary().startsWith(u"2 of 3 locks are released, one after the other. Healthy "
                                      "among them: 0."_s),
                 qPrintable(summary()));
        QVERIFY(cell(0, 1)->text().startsWith(u"Stuck"));
        QVERIFY(cell(0, 2)->text().startsWith(u"Ends the hold of an unrecorded owner on flag:1"));
        QCOMPARE(cell(0, 0)->checkState(), Qt::Checked);
        QCOMPARE(cell(2, 0)->checkState(), Qt::Unchecked);
        QVERIFY(cell(2, 2)->text().startsWith(u"Nothing: it looks healthy."));
    }

    void nothingIsSentBeforeTheNumberIsTyped()
    {
        open();
        QVERIFY(!button(u"executeButton"_s)->isEnabled());
        edit(u"countEdit"_s)->setText(u"3"_s);
        QVERIFY(!button(u"executeButton"_s)->isEnabled());
        edit(u"countEdit"_s)->setText(u"2"_s);
        QVERIFY(button(u"executeButton"_s)->isEnabled());
        cell(2, 0)->setCheckState(Qt::Checked); // it is about others now
        QVERIFY(!button(u"executeButton"_s)->isEnabled());
        QVERIFY(summary().contains(u"3 of 3 locks"));
        QVERIFY(summary().contains(u"Healthy among them: 1."));
        QVERIFY(m_desk->executions().empty());
    }

    void productionAsksForAReason()
    {
        m_environment = "production";
        open();
        edit(u"countEdit"_s)->setText(u"2"_s);
        QVERIFY(!button(u"executeButton"_s)->isEnabled());
        edit(u"reasonEdit"_s)->setText(u"crashed workers"_s);
        button(u"executeButton"_s)->click();
        QCOMPARE(m_desk->executions().front().reason, u"crashed workers"_s);
    }

    void theResultStandsInTheTable()
    {
        open();
        edit(u"countEdit"_s)->setText(u"2"_s);
        QSignalSpy attempted(m_dialog.data(), &BulkDialog::attempted);
        button(u"executeButton"_s)->click();
        report(ReleaseResult::Released);
        QCOMPARE(cell(0, 2)->text(), u"Released."_s);
        QCOMPARE(cell(1, 2)->text(), u"Sent; no reply yet."_s);
        report(ReleaseResult::ChangedHands);
        QCOMPARE(cell(1, 2)->text(), u"The lock changed hands; nothing was done."_s);
        QCOMPARE(summary(), u"Done: 1. Not as asked for: 1. Not tried: 0."_s);
        QCOMPARE(attempted.count(), 2);
        QVERIFY(button(u"executeButton"_s)->isHidden());
        QCOMPARE(button(u"cancelButton"_s)->text(), u"Close"_s);
    }

    void whatWasReleasedIsPutBack()
    {
        openTokens();
        release();
        QVERIFY(undoOffer()->isVisible());
        QVERIFY(undoOffer()
                    ->findChild<QLabel*>(u"undoPromise"_s)
                    ->text()
                    .startsWith(u"Best effort: puts 2 of 2 locks back"));
        QSignalSpy attempted(m_dialog.data(), &BulkDialog::attempted);
        undo();
        QVERIFY(undoOffer()->isHidden());
        QVERIFY(m_desk->executions().back().plan.action == ReleaseAction::Restore);
        QCOMPARE(m_desk->executions().back().reason, u"mistake"_s);
        QCOMPARE(QString::fromStdString(store::toText(m_desk->executions().back().plan.command))
                     .section(u' ', 0, 3),
                 u"SET a:1 token-1 NX"_s);
        report(ReleaseResult::ChangedHands); // that one is somebody's again: the other goes on
        report(ReleaseResult::Released);
        QCOMPARE(attempted.count(), 2);
        QCOMPARE(cell(0, 2)->text(), u"The key exists again; nothing was done."_s);
        QCOMPARE(cell(1, 2)->text(),
                 u"Put back. Its holder may already have noticed the release."_s);
        QVERIFY2(summary().startsWith(u"Put back: 1 "), qPrintable(summary()));
        QVERIFY(undoOffer()->isHidden());
    }

    void anUndoIsStopped()
    {
        openTokens();
        release();
        undo();
        QTest::keyClick(m_dialog.data(), Qt::Key_Escape);
        QVERIFY(m_dialog->isVisible());
        report(ReleaseResult::Released);
        QCOMPARE(cell(1, 2)->text(), u"Not tried."_s);
        QCOMPARE(m_desk->executions().size(), 3U);
    }

    void nothingIsPutBackOfACap()
    {
        open(ReleaseAction::CapTtl);
        edit(u"countEdit"_s)->setText(u"2"_s);
        button(u"executeButton"_s)->click();
        report(ReleaseResult::Released);
        report(ReleaseResult::Released);
        QVERIFY(undoOffer()->isHidden());
    }

    void escapeStopsFirstAndClosesThen()
    {
        open();
        edit(u"countEdit"_s)->setText(u"2"_s);
        button(u"executeButton"_s)->click();
        QSignalSpy unanswered(m_dialog.data(), &BulkDialog::leftUnanswered);
        QTest::keyClick(m_dialog.data(), Qt::Key_Escape);
        QVERIFY(m_dialog->isVisible());
        QCOMPARE(cell(1, 2)->text(), u"Not tried."_s);
        QTest::keyClick(m_dialog.data(), Qt::Key_Escape);
        QCOMPARE(unanswered.count(), 1);
        QTRY_VERIFY(m_dialog.isNull());
        QCOMPARE(m_desk->executions().size(), 1U);
    }

    void aCapIsATime()
    {
        open(ReleaseAction::CapTtl);
        QVERIFY(cell(2, 2)->text().startsWith(u"Left out: "));
        edit(u"countEdit"_s)->setText(u"2"_s);
        edit(u"capEdit"_s)->setText(u"soon"_s);
        QVERIFY(!button(u"executeButton"_s)->isEnabled());
        edit(u"capEdit"_s)->setText(u"5m"_s);
        QVERIFY(cell(0, 2)->text().contains(u"an expiry of 5 m"));
        button(u"executeButton"_s)->click();
        QCOMPARE(m_desk->executions().front().plan.cap, Duration(5min));
    }

    void aHoldThatChangedIsLeftOut()
    {
        open();
        auto next = test::stuckFlag("flag:1", kNow);
        next.firstSeen = kNow;
        m_dialog->takeChange({inspect::ChangeKind::Appeared,
                              makeShared<const inspect::LockRecord>(next), kNow});
        QVERIFY(cell(0, 2)->text().startsWith(u"Left out: "));
        QVERIFY(summary().startsWith(u"1 of 3 locks"));
    }
};

LOCKSCOPE_TEST(TestBulkDialog, Widgets)

} // namespace lockscope::tst_bulk_dialog

#include "tst_bulk_dialog.moc"
