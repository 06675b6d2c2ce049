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
#include <QSpinBox>
#include <QTest>

#include <algorithm>
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
    const RunView& frontView() const
    {
        return *qobject_cast<RunView*>(m_rig->runs().currentWidget());
    }
    QString frontTitle() const { return m_rig->runs().tabText(m_rig->runs().currentIndex()); }
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
    void theDialogFitsASmallScreen();
    void everyFindHasATab();
    void findsAreShownWhileTheSearchGoesOn();
    void aShorterFindReplacesTheContentOfItsTab();
    void theOutcomeComesIntoTheTabs();
    void aTabThatWasChosenStaysInFront();
    void aTabThatWasClosedStaysSo();
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
    field<QSpinBox>(u"proofProcesses"_s).setValue(2);
    field<QSpinBox>(u"proofServers"_s).setValue(5);
    field<QSpinBox>(u"proofReplicas"_s).setValue(1);
    QCOMPARE(field<CommandBox>(u"proofCall"_s).command(),
             u"lockscope-cli prove --lease 5s --clock real --processes 2 --servers 5 --replicas 1 "
             "--adapter ./worker"_s);
    field<QComboBox>(u"proofServer"_s).setCurrentIndex(1);
    QVERIFY(!field<QSpinBox>(u"proofReplicas"_s).isEnabled());
    QVERIFY(field<CommandBox>(u"proofCall"_s)
                .command()
                .contains(u"--servers 5 --server real --adapter"_s));
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
    QVERIFY(frontTitle().endsWith(u"double-grant"_s));
    const RunView& view = frontView();
    QVERIFY(view.command().startsWith(u"lockscope-cli prove --workload "_s));
    QVERIFY(m_rig->storyLines().rowCount() > 3);
    QVERIFY(view.record().chronicle != nullptr);
    QVERIFY(!view.record().chronicle->spans.empty());
    QVERIFY(m_rig->find<QPushButton>(u"proveButton"_s).isEnabled());
}

void TestClientProof::findsAreShownWhileTheSearchGoesOn()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    m_rig->prover.tellFind(findOf(world::ViolationKind::Orphan, 2));
    QCOMPARE(m_rig->runs().count(), 1);
    QVERIFY(m_rig->find<ElidedLabel>(u"storyTitle"_s).fullText().startsWith(u"SHORTEST SO FAR"_s));
    QVERIFY(m_rig->prover.progress().isUnderWay());
    m_rig->prover.tellFind(findOf(world::ViolationKind::WrongRelease, 3));
    QCOMPARE(m_rig->runs().count(), 2);
    QVERIFY(frontTitle().endsWith(u"orphan"_s)); // which is shorter
    m_rig->prover.tellFind(findOf(world::ViolationKind::DoubleGrant, 1));
    QCOMPARE(m_rig->runs().count(), 3);
    QVERIFY(frontTitle().endsWith(u"double-grant"_s));
}

void TestClientProof::aShorterFindReplacesTheContentOfItsTab()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    m_rig->prover.tellFind(findOf(world::ViolationKind::Orphan, 2));
    m_rig->prover.tellFind(findOf(world::ViolationKind::DoubleGrant, 3));
    const QString before = frontView().command();
    const QString title = frontTitle();
    m_rig->prover.tellFind(findOf(world::ViolationKind::Orphan, 1));
    QCOMPARE(m_rig->runs().count(), 2);
    QCOMPARE(frontTitle(), title);
    QVERIFY(frontView().command() != before);
    QCOMPARE(m_rig->runs().tabToolTip(m_rig->runs().currentIndex()), frontView().command());
    QCOMPARE(frontView().record().run->command, frontView().command().toStdString());
}

void TestClientProof::theOutcomeComesIntoTheTabs()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    service::ProofOutcome outcome;
    outcome.proof.bugs = {findOf(world::ViolationKind::Orphan, 2),
                          findOf(world::ViolationKind::DoubleGrant, 1)};
    m_rig->prover.tellFind(outcome.proof.bugs[0]);
    m_rig->prover.tellFind(outcome.proof.bugs[1]);
    const auto shown = frontView().record().chronicle;
    outcome.proof.runCount = 1'234;
    outcome.proof.bugs[1].realCount = outcome.proof.bugs[1].realHits = 10;
    outcome.realServer = "Redis 7.0.15";
    m_rig->prover.setOutcome(outcome);
    m_rig->prover.tell(progressOf(Phase::Finished));
    QCOMPARE(m_rig->runs().count(), 2);
    QVERIFY(frontTitle().endsWith(u"double-grant"_s));
    QVERIFY(frontView().record().chronicle == shown); // it is looked at
    const auto& assumptions = frontView().record().run->assumptions;
    QVERIFY(std::ranges::any_of(assumptions, [](const std::string& line) {
        return line.find("1,234 runs") != std::string::npos;
    }));
    QCOMPARE(m_rig->find<ElidedLabel>(u"storyTitle"_s).fullText(),
             u"STORY · 10 OF 10 REPLAYS · 10 OF 10 ON REDIS 7.0.15"_s);
    QVERIFY(m_rig->prompter.asked().empty());
}

void TestClientProof::aTabThatWasChosenStaysInFront()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    service::ProofOutcome outcome;
    outcome.proof.bugs = {findOf(world::ViolationKind::Orphan, 2),
                          findOf(world::ViolationKind::DoubleGrant, 1)};
    m_rig->prover.tellFind(outcome.proof.bugs[0]);
    m_rig->prover.tellFind(outcome.proof.bugs[1]);
    m_rig->runs().setCurrentIndex(0);
    m_rig->prover.tellFind(findOf(world::ViolationKind::WrongRelease, 0));
    QVERIFY(frontTitle().endsWith(u"orphan"_s));
    m_rig->prover.setOutcome(outcome);
    m_rig->prover.tell(progressOf(Phase::Finished));
    QVERIFY(frontTitle().endsWith(u"orphan"_s));
}

void TestClientProof::aTabThatWasClosedStaysSo()
{
    start(u"./worker"_s);
    m_rig->prover.tell(progressOf(Phase::Searching));
    service::ProofOutcome outcome;
    outcome.proof.bugs = {findOf(world::ViolationKind::Orphan, 2)};
    m_rig->prover.tellFind(outcome.proof.bugs[0]);
    Q_EMIT m_rig->runs().tabCloseRequested(0);
    m_rig->prover.tellFind(findOf(world::ViolationKind::Orphan, 1));
    m_rig->prover.setOutcome(outcome);
    m_rig->prover.tell(progressOf(Phase::Finished));
    QCOMPARE(m_rig->runs().count(), 0);
    QVERIFY(m_rig->prompter.asked().empty());
}

void TestClientProof::theDialogFitsASmallScreen()
{
    ask();
    field<QLineEdit>(u"proofLease"_s).setText(u"soon"_s); // with what is wrong
    QVERIFY(dialog().sizeHint().height() <= 640);
    QVERIFY(dialog().sizeHint().width() <= 1000);
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
