// What the Lab shows of a search whose stories are not told yet.

#include "tests/support/test_program.h"
#include "tests/ui/widgets/lab/lab_rig.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/lab/run_view.h"
#include "ui/widgets/lab/searched_run.h"

#include <QCheckBox>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

namespace lockscope::tst_lab_findings {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Phase = service::SearchProgress::Phase;

namespace {

constexpr int kPatienceMs = 120'000; // under a sanitizer, on two busy cores

} // namespace

class TestLabFindings : public QObject {
    Q_OBJECT

    std::unique_ptr<test::LabRig> m_rig;
    bool m_isStopped = false;

    QTabWidget& runs() const { return m_rig->runs(); }
    template<class Widget>
    Widget& find(const QString& name) const
    {
        return m_rig->find<Widget>(name);
    }
    QString storyTitle() const { return find<ElidedLabel>(u"storyTitle"_s).fullText(); }
    QAbstractItemModel& storyLines() const { return m_rig->storyLines(); }
    QAbstractItemModel& verdicts() const { return m_rig->verdicts(); }
    RunView& run() const { return *qobject_cast<RunView*>(runs().currentWidget()); }

    /// Simulates runs in which promises break, and stops when their stories begin to be shortened;
    /// by the clock of the page that has taken a second already.
    void simulateUntilTheTelling()
    {
        QVERIFY(m_rig->page.findChild<ProtocolPicker*>()->choose(u"set-nx-ex"_s));
        find<QToolButton>(u"noFaultsButton"_s).click();
        find<QCheckBox>(u"pause"_s).setChecked(true);
        find<QSpinBox>(u"runsBox"_s).setValue(200);
        auto* const searcher = &m_rig->searcher;
        const auto stop = [this, searcher](const service::SearchProgress& progress) {
            if (progress.phase == Phase::Telling && !m_isStopped) {
                m_isStopped = true;
                m_rig->clock.moveBy(1s);
                searcher->setPaused(true);
            }
        };
        m_isStopped = false;
        connect(searcher, &service::SearchRunner::progressed, this, stop);
        QTest::keyClick(&find<QPushButton>(u"simulateButton"_s), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(m_isStopped, kPatienceMs);
    }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<test::LabRig>();
        m_rig->page.resize(1280, 800);
        m_rig->page.show();
    }
    void cleanup() { m_rig.reset(); }

    void whatWasFoundIsShownBeforeItIsShort()
    {
        simulateUntilTheTelling();
        QCOMPARE(runs().count(), 1);
        QVERIFY(storyTitle().startsWith(u"AS FOUND"_s));
        const int asFound = storyLines().rowCount();
        QVERIFY(asFound > 3);
        QVERIFY(
            storyLines().index(asFound - 1, 0).data(models::StoryModel::IsViolationRole).toBool());
        QVERIFY(run().figures().statistics.acquisitions > 200); // of all runs together
        auto& list = find<QListView>(u"verdictList"_s);
        const QModelIndex chosen = verdicts().index(1, 0);
        QVERIFY(chosen.data(models::PromiseListModel::HarmRole).toInt() >= 0);
        list.setCurrentIndex(chosen);
        const QString promise = chosen.data().toString().section(u' ', 0, 1);
        m_rig->searcher.setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
        QCOMPARE(runs().count(), 1);
        QVERIFY(storyTitle().startsWith(u"SHORTEST COUNTEREXAMPLE"_s));
        QVERIFY(storyLines().rowCount() > 0);
        QVERIFY(list.currentIndex().data().toString().startsWith(promise));
    }

    void findingsThatWereClosedStayClosed()
    {
        simulateUntilTheTelling();
        Q_EMIT runs().tabCloseRequested(0);
        QCOMPARE(runs().count(), 0);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_rig->searcher.setPaused(false); // which says how far it is
        QCOMPARE(runs().count(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_rig->searcher.progress().isOver(), kPatienceMs);
        QCOMPARE(runs().count(), 1); // the end was asked for
        QVERIFY(storyTitle().startsWith(u"SHORTEST COUNTEREXAMPLE"_s));
    }
};

LOCKSCOPE_TEST(TestLabFindings, Widgets)

} // namespace lockscope::tst_lab_findings

#include "tst_lab_findings.moc"
