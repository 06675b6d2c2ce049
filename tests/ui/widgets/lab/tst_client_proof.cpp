// Proving a real client from the Lab: asking, the bar meanwhile, and a tab for each find.

#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "tests/ui/widgets/lab/lab_rig.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/lab/proof_dialog.h"
#include "ui/widgets/lab/run_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include <memory>

namespace lockscope::tst_client_proof {

using namespace lockscope::test;
using namespace lockscope::testing;
using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using Phase = service::ProofProgress::Phase;

namespace {

conduct::Find findOf(world::ViolationKind kind, int steps)
{
    conduct::Find find;
    find.workload = handOver();
    WrittenLog log(kScriptedLease);
    log.acquire(0);
    for (int i = 0; i < steps; ++i) {
        conduct::Deviation kill;
        kill.kind = conduct::Interference::KillIdle;
        find.deviations.push_back(kill);
        log.interfere(0, i);
    }
    log.acquire(1);
    find.log = log.log();
    find.breach.violation.kind = kind;
    find.breach.violation.client = 0;
    find.breach.violation.other = 1;
    find.breach.entry = find.log.entries.size() - 1;
    find.replayCount = find.replayHits = 10;
    return find;
}

service::ProofProgress progressOf(Phase phase)
{
    service::ProofProgress progress;
    progress.phase = phase;
    progress.runCount = 1'200;
    progress.runsPerSecond = 15;
    progress.bugCount = 2;
    return progress;
}

} // namespace

class TestClientProof : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<LabRig> m_rig;

    /// The latest one: those that are closed go later.
    ProofDialog& dialog() const { return *m_rig->page.findChildren<ProofDialog*>().last(); }
    template<class Widget>
    Widget& field(const QString& name) const
    {
        return *dialog().findChild<Widget*>(name);
    }
    void ask() const { m_rig->find<QPushButton>(u"proveButton"_s).click(); }
    void start(const QString& command) const
    {
        ask();
        field<QLineEdit>(u"proofCommand"_s).setText(command);
        field<QPushButton>(u"proofStart"_s).click();
    }

private Q_SLOTS:
    void init();
    void cleanup();
    void theDialogShowsWhatItDoes();
    void nothingStartsWithoutACommand();
    void theBarTellsHowItGoes();
    void itCanBeStopped();
    void everyFindHasATab();
    void whatWasNotFoundIsSaid();
    void theDraftIsKept();
};

void TestClientProof::init()
{
    m_rig = std::make_unique<LabRig>();
    m_rig->page.resize(1280, 800);
    m_rig->page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_rig->page));
}

void TestClientProof::cleanup()
{
    m_rig.reset();
}

void TestClientProof::theDialogShowsWhatItDoes()
{
    ask();
    field<QLineEdit>(u"proofCommand"_s).setText(u"./worker"_s);
    field<QLineEdit>(u"proofLease"_s).setText(u"5s"_s);
    field<QComboBox>(u"proofClock"_s).setCurrentIndex(2);
    QCOMPARE(field<CommandBox>(u"proofCall"_s).command(),
             u"lockscope-cli prove --lease 5s --clock real --adapter ./worker"_s);
    QVERIFY(field<QPlainTextEdit>(u"proofDialogue"_s).toPlainText().contains(u"LEASE_MS=5000"_s));
}

void TestClientProof::nothingStartsWithoutACommand()
{
    ask();
    QVERIFY(!field<QPushButton>(u"proofStart"_s).isEnabled());
    field<QLineEdit>(u"proofCommand"_s).setText(u"./worker"_s);
    QVERIFY(field<QPushButton>(u"proofStart"_s).isEnabled());
    field<QLineEdit>(u"proofLease"_s).setText(u"soon"_s);
    QVERIFY(!field<QPushButton>(u"proofStart"_s).isEnabled());
    field<QPushButton>(u"proofCancel"_s).click();
    QVERIFY(m_rig->prover.orders().empty());
}

void TestClientProof::theBarTellsHowItGoes()
{
    start(u"./worker"_s);
    QCOMPARE(m_rig->prover.orders().size(), 1u);
    m_rig->prover.tell(progressOf(Phase::Searching));
    QCOMPARE(m_rig->find<ElidedLabel>(u"searchNumbers"_s).fullText(),
             u"1,200 runs · 15/s · 2 broken"_s);
    QVERIFY(!m_rig->find<QPushButton>(u"findButton"_s).isEnabled());
    QVERIFY(!m_rig->find<QPushButton>(u"proveButton"_s).isEnabled());
    QVERIFY(!m_rig->find<QPushButton>(u"pauseSearchButton"_s).isEnabled());
}

void TestClientProof::itCanBeStopped()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    m_rig->find<QPushButton>(u"cancelSearchButton"_s).click();
    QCOMPARE(m_rig->prover.cancelCount(), 1);
}

void TestClientProof::everyFindHasATab()
{
    service::ProofOutcome outcome;
    outcome.proof.bugs = {findOf(world::ViolationKind::DoubleGrant, 1),
                          findOf(world::ViolationKind::Orphan, 2)};
    m_rig->prover.setOutcome(outcome);
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Finished));
    QCOMPARE(m_rig->runs().count(), 2);
    // The shortest one is in front.
    QVERIFY(m_rig->runs().tabText(m_rig->runs().currentIndex()).endsWith(u"double-grant"_s));
    const auto& view = *qobject_cast<RunView*>(m_rig->runs().currentWidget());
    QVERIFY(view.command().startsWith(u"lockscope-cli prove --workload "_s));
    QVERIFY(m_rig->storyLines().rowCount() > 3);
    QVERIFY(view.record().chronicle != nullptr);
    QVERIFY(!view.record().chronicle->spans.empty());
    QVERIFY(m_rig->find<QPushButton>(u"proveButton"_s).isEnabled());
}

void TestClientProof::whatWasNotFoundIsSaid()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Finished));
    QCOMPARE(m_rig->runs().count(), 0);
    QCOMPARE(m_rig->prompter.asked().size(), 1u);
    QVERIFY(m_rig->prompter.asked().front().text.contains(u"No run"_s));
}

void TestClientProof::theDraftIsKept()
{
    start(u"./worker"_s);
    Settings settings;
    m_rig->page.save(settings);
    QCOMPARE(settings.proof.command, u"./worker"_s);
    settings.proof.command = u"./another"_s;
    m_rig->page.restore(settings);
    ask();
    QCOMPARE(field<QLineEdit>(u"proofCommand"_s).text(), u"./another"_s);
}

LOCKSCOPE_TEST(TestClientProof, Widgets)

} // namespace lockscope::tst_client_proof

#include "tst_client_proof.moc"
