#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "tests/support/widgets/tab_order.h"
#include "ui/models/lab/scenario_fields.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/lab/fault_list.h"
#include "ui/widgets/lab/lab_form.h"
#include "ui/widgets/lab/scenario_menu.h"
#include "ui/widgets/shell/settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <memory>

namespace lockscope::tst_lab_form {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using world::FaultKind;

class TestLabForm : public QObject {
    Q_OBJECT

    struct Rig {
        models::ProtocolListModel protocols;
        lockscope::test::ScriptedPrompter prompter;
        Settings settings;
        LabForm form{{protocols, prompter, settings}};
        QTemporaryDir directory;
    };
    std::unique_ptr<Rig> m_rig;

    template<class Widget>
    Widget& find(const char* name) const
    {
        auto* const found = m_rig->form.findChild<Widget*>(QString::fromLatin1(name));
        if (found == nullptr) {
            qFatal("there is no %s", name);
        }
        return *found;
    }

    void type(const char* name, const QString& text) const
    {
        auto& edit = find<QLineEdit>(name);
        edit.selectAll();
        QTest::keyClicks(&edit, text);
    }

    /// The scenario is the user's own from now on, and one thing may go wrong.
    void makeOwn(const char* fault) const
    {
        find<QComboBox>("workloadCombo").setCurrentIndex(1);
        find<QToolButton>("noFaultsButton").click();
        find<QCheckBox>(fault).click();
    }

    void openExample(const char* name) const
    {
        m_rig->form.findChild<ScenarioMenu*>()->open(
            u":/scenarios/%1.json"_s.arg(QLatin1String(name)));
    }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<Rig>();
        m_rig->form.resize(400, 1000);
        m_rig->form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_rig->form));
    }
    void cleanup() { m_rig.reset(); }

    void theKeyboardBeginsAtTheProtocol()
    {
        QTRY_COMPARE(QApplication::focusWidget(), &find<QComboBox>("protocolCombo"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &find<QToolButton>("scriptsButton"));
    }

    void tabGoesFromTopToBottom()
    {
        // The scripts are a link in the caption of the protocol, which comes first.
        const QStringList known{u"protocolCombo to scriptsButton"_s};
        QCOMPARE(testing::jumpsOfTab(m_rig->form), known);
        makeOwn("pause");
        QCOMPARE(testing::jumpsOfTab(m_rig->form), known);
    }

    void untouchedItAsksForTheUsual()
    {
        const LabForm& form = m_rig->form;
        QVERIFY(form.isReady());
        QVERIFY(!form.draft().scenario);
        QVERIFY(!form.draft().faults.empty());
        QVERIFY(form.command().startsWith(u"lockscope-cli explore --protocol set-nx-px-token"_s));
        QVERIFY(form.simulateCommand().endsWith(u" --seed 1 --runs 10000"_s));
        QVERIFY(!find<QLineEdit>("labHoldEdit").isVisible());
        QVERIFY(!find<QLineEdit>("pause-amount").isVisible());
        QVERIFY(find<QSpinBox>("clientsBox").isVisible());
        QVERIFY(find<QLineEdit>("labSeedEdit").isVisible());
    }

    void anOwnScenarioAsksForMore()
    {
        makeOwn("pause");
        QVERIFY(!find<QSpinBox>("clientsBox").isVisible());
        QVERIFY(find<QLineEdit>("labHoldEdit").isVisible());
        QVERIFY(find<QLineEdit>("pause-amount").isVisible());
        QVERIFY(!find<QLineEdit>("clock-step-amount").isVisible()); // is off
        QCOMPARE(find<QLineEdit>("pause-amount").placeholderText(), u"15s"_s);
        type("labContendersEdit", u"3"_s);
        type("labStaggerEdit", u"12s"_s);
        type("labLeaseEdit", u"20s"_s);
        type("pause-count", u"2"_s);
        QCOMPARE(find<QLineEdit>("pause-amount").placeholderText(), u"30s"_s);
        const models::LabDraft draft = m_rig->form.draft();
        QVERIFY(m_rig->form.isReady());
        QVERIFY(draft.scenario.has_value());
        QCOMPARE(draft.scenario->clients.size(), std::size_t(3));
        QCOMPARE(draft.scenario->clients[1].startAt, Duration(12s));
        QCOMPARE(draft.scenario->faults.of(FaultKind::Pause).amount, Duration(30s));
        QCOMPARE(draft.scenario->faults.of(FaultKind::Pause).countMax, 2);
        QVERIFY(!draft.scenario->faults.allows(FaultKind::Crash));
    }

    void everyFieldHasAnEditorOfItsOwn()
    {
        for (const models::ScenarioFieldInfo& field : models::scenarioFields()) {
            QVERIFY(!field.hint().isEmpty());
            QCOMPARE(find<QLineEdit>(field.editor().toLatin1().constData()).accessibleName(),
                     field.label());
        }
    }

    void faultsAreShownAsTheyWereTaken()
    {
        auto& faults = find<FaultList>("faultList");
        const models::FaultDrafts drafts{{FaultKind::Pause, {u"17s"_s, u"2"_s}},
                                         {FaultKind::Crash, {}}};
        faults.setDrafts(drafts);
        QVERIFY(faults.drafts() == drafts);
        QVERIFY(faults.chosen() == (std::vector{FaultKind::Crash, FaultKind::Pause}));
        find<QCheckBox>("pause").click();
        QVERIFY(faults.chosen() == std::vector{FaultKind::Crash});
    }

    void mistakesAreSaidWhereTheyAre()
    {
        makeOwn("pause");
        type("labHoldEdit", u"soon"_s);
        QVERIFY(!m_rig->form.isReady());
        QVERIFY(!find<QLineEdit>("labHoldEdit").accessibleDescription().isEmpty());
        type("labHoldEdit", u"2s..6s"_s);
        QVERIFY(m_rig->form.isReady());
        type("pause-amount", u"long"_s);
        QVERIFY(!m_rig->form.isReady());
        find<QCheckBox>("pause").click(); // does not happen, so it does not matter
        QVERIFY(m_rig->form.isReady());
    }

    void anotherProtocolAsksForOtherThings()
    {
        makeOwn("pause");
        QVERIFY(m_rig->form.picker().choose(u"redisson-read-write"_s));
        QVERIFY(find<QLineEdit>("labReadShareEdit").isVisible());
        QVERIFY(m_rig->form.isReady());
        QVERIFY(m_rig->form.picker().choose(u"redlock"_s));
        QVERIFY(!find<QLineEdit>("labReadShareEdit").isVisible());
        QCOMPARE(find<QLineEdit>("labServersEdit").text(), u"3"_s);
        QVERIFY(m_rig->form.isReady());
        QVERIFY(m_rig->form.picker().choose(u"set-nx-ex"_s));
        QVERIFY(m_rig->form.isReady());
        QCOMPARE(m_rig->form.draft().scenario->nodeCount, 1);
    }

    void onlyAFileHasACommand()
    {
        makeOwn("pause");
        QVERIFY(m_rig->form.command().isEmpty());
        QVERIFY(find<QLabel>("labCommandNote").isVisible());
        const QString path = m_rig->directory.filePath(u"mine.json"_s);
        m_rig->prompter.willChooseFile(path);
        Q_EMIT m_rig->form.findChild<ScenarioMenu*>()->saveRequested();
        QTRY_VERIFY(!m_rig->form.command().isEmpty());
        QCOMPARE(m_rig->form.command(),
                 u"lockscope-cli explore --scenario %1 --max-schedules 3000"_s.arg(path));
        QVERIFY(!find<QLabel>("labCommandNote").isVisible());
        type("labHoldEdit", u"3s"_s); // is not in the file
        QVERIFY(m_rig->form.command().isEmpty());
        type("labHoldEdit", u"4s"_s);
        QVERIFY(!m_rig->form.command().isEmpty());
        QVERIFY(m_rig->form.simulateCommand().contains(u" --scenario "_s));
    }

    void anExampleIsShownAsItIs()
    {
        openExample("3-gc-pause");
        QCOMPARE(find<QComboBox>("workloadCombo").currentIndex(), 1);
        QCOMPARE(find<QLineEdit>("labStaggerEdit").text(), u"12s"_s);
        QVERIFY(find<QCheckBox>("pause").isChecked());
        QVERIFY(!find<QCheckBox>("crash").isChecked());
        QVERIFY(!find<QPushButton>("rewriteClientsButton").isVisible());
        QCOMPARE(find<QLabel>("scenarioName").text(), u"GC pause beyond the lease"_s);
        QVERIFY(m_rig->form.isReady());
    }

    void clientsThatNoFieldsCanSayAreKept()
    {
        openExample("6-reentry");
        QCOMPARE(QString::fromStdString(m_rig->form.draft().protocol->info().id),
                 u"reentrant-hash"_s);
        QVERIFY(find<QLabel>("clientLines").isVisible());
        QVERIFY(!find<QLineEdit>("labHoldEdit").isVisible());
        QCOMPARE(m_rig->form.draft().scenario->clients.front().acts.size(), std::size_t(5));
        QTest::keyClick(&find<QPushButton>("rewriteClientsButton"), Qt::Key_Space);
        QVERIFY(find<QLineEdit>("labHoldEdit").isVisible());
        QVERIFY(!find<QLabel>("clientLines").isVisible());
        QCOMPARE(m_rig->form.draft().scenario->clients.front().acts.size(), std::size_t(3));
    }

    void everyExampleComesBackAsItIsInItsFile()
    {
        for (const QString& path : exampleScenarios()) {
            m_rig->form.findChild<ScenarioMenu*>()->open(path);
            QVERIFY2(m_rig->form.isReady(), qPrintable(path));
            const auto read = report::readScenario(models::resourceText(path).toStdString());
            const auto& scenario = std::get<report::ScenarioFile>(read);
            QCOMPARE(m_rig->form.draft().protocol->info().id, scenario.protocol.info().id);
            QCOMPARE(
                report::worldPlanJson(*m_rig->form.draft().scenario).dump().c_str(),
                report::worldPlanJson(scenario.planFor(scenario.protocol.info())).dump().c_str());
        }
    }

    void whatAProtocolImitatesIsShown()
    {
        QVERIFY(!find<QLabel>("protocolTitle").text().contains(u"Imitates"_s));
        const QString text = models::resourceText(u":/protocols/fenced-lock.json"_s);
        auto read = protocol::readProtocol(text.toStdString());
        m_rig->protocols.addOwn(std::get<std::unique_ptr<protocol::LockProtocol>>(std::move(read)),
                                {}, text);
        m_rig->form.picker().choose(u"fenced-lock"_s);
        QVERIFY(find<QLabel>("protocolTitle").text().endsWith(u"\nImitates redis-py"_s));
    }

    void anOwnProtocolComesWithItsScenario()
    {
        const QString own = models::resourceText(u":/protocols/counted-lock.json"_s);
        const QString path = m_rig->directory.filePath(u"own.json"_s);
        QVERIFY(models::writeFile(path, "{\"plan\": {\"clients\": [{\"acts\": []}]}, \"protocol\": "
                                            + own.toUtf8() + '}')
                    .isEmpty());
        m_rig->form.findChild<ScenarioMenu*>()->open(path);
        QCOMPARE(QString::fromStdString(m_rig->form.draft().protocol->info().id),
                 u"counted-lock"_s);
        QCOMPARE(m_rig->form.draft().scenarioFile, path);
        find<QComboBox>("workloadCombo").setCurrentIndex(0);
        QVERIFY(m_rig->form.command().isEmpty()); // the protocol has no file of its own
        QVERIFY(find<QLabel>("labCommandNote").text().contains(u"protocol"_s));
    }

    void scriptsAndEditorOpen()
    {
        find<QToolButton>("scriptsButton").click();
        QVERIFY(find<QDialog>("scriptsWindow").isVisible());
        find<QToolButton>("ownProtocolButton").click();
        auto& editor = find<QDialog>("protocolEditor");
        QTest::keyClick(editor.findChild<QPushButton*>(u"useProtocolButton"_s), Qt::Key_Space);
        QCOMPARE(QString::fromStdString(m_rig->form.draft().protocol->info().id), u"my-lock"_s);
        QVERIFY(m_rig->form.isReady());
    }

    void closingAsksForAProtocolThatIsInNoFile()
    {
        bool isClosed = false;
        const auto close = [&isClosed] { isClosed = true; };
        QVERIFY(m_rig->form.mayClose(close)); // nothing is open
        find<QToolButton>("ownProtocolButton").click();
        auto& editor = find<QDialog>("protocolEditor");
        QVERIFY(m_rig->form.mayClose(close)); // nothing was typed
        auto* const title = editor.findChild<QLineEdit*>(u"titleEdit"_s);
        QTest::keyClicks(title, u"x"_s);
        QVERIFY(!m_rig->form.mayClose(close));
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(!isClosed && editor.isVisible()); // it was declined
        m_rig->prompter.willAnswer(Answer::Other);
        QVERIFY(!m_rig->form.mayClose(close));
        QTRY_VERIFY(isClosed);
    }
};

LOCKSCOPE_TEST(TestLabForm, Widgets)

} // namespace lockscope::tst_lab_form

#include "tst_lab_form.moc"
