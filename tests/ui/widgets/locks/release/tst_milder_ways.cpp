#include "core/kernel/report/release_ladder.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/dialog_bench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace lockscope::tst_milder_ways {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using report::MildStep;

class TestMilderWays : public QObject, private test::DialogBench {
    Q_OBJECT

    QLabel* way(MildStep step) const
    {
        return m_dialog->findChild<QLabel*>(u"milderWay%1"_s.arg(static_cast<int>(step)));
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void theWaysAreListedFromMildToHarsh()
    {
        openRelease(test::stuckFlag("k", kNow));
        QVERIFY(way(MildStep::Wait)->text().startsWith(u"1. Wait: this does not help"));
        QVERIFY(way(MildStep::CapTtl)->text().startsWith(u"2. Cap the TTL"));
        QVERIFY(way(MildStep::CapTtl)->text().endsWith(u"Recommended."));
        QVERIFY(way(MildStep::Release)->text().startsWith(u"3. Release the lock"));
        QVERIFY(!way(MildStep::KillHolder)->isVisible());
    }

    void aCertainHolderCanBeDisconnectedInstead()
    {
        auto lock = test::heldToken("k", "token", kNow);
        lock.holders.front().setClient(std::make_shared<const inspect::ClientInfo>(
            inspect::ClientInfo{"10.0.0.7:51622", "w", "the token names the client", 7}));
        const auto* dialog = openRelease(lock);
        const QSignalSpy wanted(dialog, &ReleaseDialog::disconnectRequested);
        QVERIFY(way(MildStep::KillHolder)->isVisible());
        QTest::mouseClick(button(u"disconnectInsteadButton"), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front()[1].value<Bytes>(), Bytes("token"));
    }

    void onProductionTheOwnerIsTypedByHand()
    {
        const auto lock = test::heldToken("k", "token-abcdef", kNow);
        for (const bool isProduction : {false, true}) {
            m_environment = isProduction ? "production" : "staging";
            openRelease(lock);
            QGuiApplication::clipboard()->setText(confirmationOf(lock));
            QTest::keySequence(edit(u"confirmEdit"), QKeySequence::Paste);
            QCOMPARE(edit(u"confirmEdit")->text().isEmpty(), isProduction);
            QCOMPARE(text(u"planRemark").contains(u"pasting is off"), isProduction);
            delete m_dialog;
        }
    }
};

LOCKSCOPE_TEST(TestMilderWays, Widgets)

} // namespace lockscope::tst_milder_ways

#include "tst_milder_ways.moc"
