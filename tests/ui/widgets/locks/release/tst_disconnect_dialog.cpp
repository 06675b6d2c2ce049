#include "tests/support/test_program.h"
#include "tests/support/widgets/dialog_bench.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/disconnect_dialog.h"
#include "ui/widgets/locks/release/typed_edit.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_disconnect_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ReleaseResult;

class TestDisconnectDialog : public QObject, private test::DialogBench {
    Q_OBJECT

    DisconnectDialog* openDisconnect()
    {
        auto* dialog = new DisconnectDialog(
            *m_desk, [this] { return context(); }, {0, "lock:a"}, "worker-7");
        m_dialog = dialog;
        dialog->open();
        return dialog;
    }

    static operations::FoundHolder holder()
    {
        operations::FoundHolder found;
        found.client = inspect::HolderClient{{"10.0.0.7:51622", "worker-7",
                                              "the token names the client", 4711},
                                             "id=4711 addr=10.0.0.7:51622 name=worker-7"};
        return found;
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void theClientIsShownAndItsAddressHasToBeTyped()
    {
        openDisconnect();
        QCOMPARE(m_desk->searches().size(), std::size_t(1));
        QVERIFY(!button(u"executeButton")->isEnabled());
        m_desk->findHolderAs(holder());
        const auto* facts = find<FactList>(u"disconnectFacts");
        QCOMPARE(facts->valueOf(u"Client"_s), u"number 4711, 10.0.0.7:51622"_s);
        QVERIFY(text(u"disconnectPrice").contains(u"does not release the lock"));
        QTest::keyClicks(edit(u"confirmEdit"), u"51622"_s);
        QVERIFY(!button(u"executeButton")->isEnabled());
        edit(u"confirmEdit")->clear();
        QTest::keyClicks(edit(u"confirmEdit"), u":51622"_s);
        QTest::keyClicks(edit(u"reasonEdit"), u"hangs"_s);
        QVERIFY(button(u"executeButton")->isEnabled());
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QCOMPARE(m_desk->kills().size(), std::size_t(1));
        const operations::KillOrder& order = m_desk->kills().front();
        QCOMPARE(order.client.info.id, std::uint64_t(4711));
        QCOMPARE(order.owner, Bytes("worker-7"));
        QCOMPARE(order.reason, std::string("hangs"));
    }

    void theOutcomeIsSaidAndToldToTheActivity()
    {
        auto* dialog = openDisconnect();
        const QSignalSpy done(dialog, &DisconnectDialog::done);
        m_desk->findHolderAs(holder());
        QTest::keyClicks(edit(u"confirmEdit"), u":51622"_s);
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        inspect::KillReport report;
        report.result = ReleaseResult::Released;
        report.isProven = true;
        auto lock = makeShared<inspect::LockRecord>();
        lock->expiresAt = kNow + 28s;
        report.lockNow = lock;
        m_desk->reportKill(report);
        QCOMPARE(text(u"disconnectState"),
                 u"Disconnected: the server does not list 10.0.0.7:51622 any more. Its lock is "
                 "still there and expires in 28.0 s."_s);
        QCOMPARE(done.count(), 1);
        QVERIFY(button(u"executeButton")->isHidden());
        dialog->reject();
        QCOMPARE(done.count(), 1); // it was told already
    }

    void withoutACertainClientNothingCanBeSent()
    {
        openDisconnect();
        operations::FoundHolder nobody;
        nobody.report.result = ReleaseResult::Refused;
        nobody.report.ownReason = "Several connected clients fit this owner.";
        m_desk->findHolderAs(nobody);
        QCOMPARE(text(u"disconnectState"),
                 u"Nothing was done. Several connected clients fit this owner."_s);
        QVERIFY(button(u"executeButton")->isHidden());
        QVERIFY(edit(u"confirmEdit")->isHidden() || !edit(u"confirmEdit")->isVisible());
    }

    void productionAsksForAReasonAndForTyping()
    {
        m_environment = "production";
        openDisconnect();
        m_desk->findHolderAs(holder());
        QGuiApplication::clipboard()->setText(u":51622"_s);
        QTest::keySequence(edit(u"confirmEdit"), QKeySequence::Paste);
        QVERIFY(edit(u"confirmEdit")->text().isEmpty());
        QVERIFY(text(u"disconnectState").contains(u"pasting is off"));
        QTest::keyClicks(edit(u"confirmEdit"), u":51622"_s);
        QVERIFY(!button(u"executeButton")->isEnabled());
        QTest::keyClicks(edit(u"reasonEdit"), u"hangs"_s);
        QVERIFY(button(u"executeButton")->isEnabled());
    }

    void leavingSaysThatNothingWasSent()
    {
        auto* dialog = openDisconnect();
        const QSignalSpy done(dialog, &DisconnectDialog::done);
        m_desk->findHolderAs(holder());
        dialog->reject();
        QCOMPARE(done.count(), 1);
        QVERIFY(done.front()[1].toString().contains(u"nothing was sent"));
        QVERIFY(m_desk->kills().empty());
    }
};

LOCKSCOPE_TEST(TestDisconnectDialog, Widgets)

} // namespace lockscope::tst_disconnect_dialog

#include "tst_disconnect_dialog.moc"
