#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/widgets/contend/contend_page.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/lab/protocol_editor.h"
#include "ui/widgets/lab/scenario_menu.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QToolButton>

namespace lockscope::tst_session {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

/// What is on the forms is there again after the program was ended, well or not.
class TestSession : public QObject, private test::WindowBench {
    Q_OBJECT

    template<class Widget, class Page>
    Widget& on(const char* name) const
    {
        auto* const page = m_rig->window->findChild<Page*>();
        auto* const found = page->template findChild<Widget*>(QString::fromLatin1(name));
        if (found == nullptr) {
            qFatal("there is no %s", name);
        }
        return *found;
    }
    template<class Widget>
    Widget& lab(const char* name) const
    {
        return on<Widget, LabPage>(name);
    }
    template<class Widget>
    Widget& contend(const char* name) const
    {
        return on<Widget, ContendPage>(name);
    }

    static void choose(QComboBox& box, const QString& text)
    {
        QVERIFY(box.findText(text) >= 0);
        box.setCurrentIndex(box.findText(text));
    }
    static void type(QLineEdit& edit, const QString& text)
    {
        edit.selectAll();
        QTest::keyClicks(&edit, text);
    }

    QByteArray written() const
    {
        QFile file(m_rig->settings.path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// The program is killed as soon as `text` is in its file.
    void dieOnceWritten(const char* text)
    {
        QTRY_VERIFY(written().contains(text));
        restart();
    }
    ProtocolEditor* editor() const { return m_rig->window->findChild<ProtocolEditor*>(); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init() { begin(); }
    void cleanup() { m_rig.reset(); }

    /// The tray and the dialogs have no other.
    void theProgramHasAnIcon()
    {
        QVERIFY(!QApplication::windowIcon().isNull());
        QVERIFY(!m_rig->window->windowIcon().isNull());
    }

    void theFormOfTheLabSurvivesAKill()
    {
        m_rig->window->showPage(u"lab"_s);
        choose(lab<QComboBox>("protocolCombo"), u"redlock"_s);
        lab<QComboBox>("workloadCombo").setCurrentIndex(1);
        lab<QToolButton>("noFaultsButton").click();
        lab<QCheckBox>("pause").click();
        type(lab<QLineEdit>("pause-amount"), u"17s"_s);
        type(lab<QLineEdit>("labLeaseEdit"), u"soon"_s); // a mistake is kept as well
        lab<QSpinBox>("boundBox").setValue(12'345);
        dieOnceWritten("12345");
        QVERIFY(m_rig->window->findChild<LabPage*>()->isVisible());
        QCOMPARE(lab<QComboBox>("protocolCombo").currentText(), u"redlock"_s);
        QCOMPARE(lab<QComboBox>("workloadCombo").currentIndex(), 1);
        QVERIFY(lab<QCheckBox>("pause").isChecked());
        QVERIFY(!lab<QCheckBox>("crash").isChecked());
        QCOMPARE(lab<QLineEdit>("pause-amount").text(), u"17s"_s);
        QCOMPARE(lab<QLineEdit>("labLeaseEdit").text(), u"soon"_s);
        QVERIFY(!lab<QLineEdit>("labLeaseEdit").accessibleDescription().isEmpty());
        QCOMPARE(lab<QSpinBox>("boundBox").value(), 12'345);
    }

    void defaultsOfTheNextProtocolAreStillTaken()
    {
        choose(lab<QComboBox>("protocolCombo"), u"redlock"_s);
        m_rig->window->close();
        const QString servers = lab<QLineEdit>("labServersEdit").text();
        restart();
        QCOMPARE(lab<QLineEdit>("labServersEdit").text(), servers);
        choose(lab<QComboBox>("protocolCombo"), u"set-nx-px-token"_s);
        QCOMPARE(lab<QLineEdit>("labServersEdit").text(), u"1"_s);
    }

    void aScenarioOfItsOwnClientsSurvives()
    {
        auto* const menu = m_rig->window->findChild<ScenarioMenu*>();
        menu->open(exampleScenarios().constFirst());
        const QString clients = lab<QLabel>("clientLines").text();
        const QString name = lab<QLabel>("scenarioName").text();
        QVERIFY(!clients.isEmpty());
        m_rig->window->close();
        restart();
        QCOMPARE(lab<QLabel>("clientLines").text(), clients);
        QCOMPARE(lab<QLabel>("scenarioName").text(), name);
    }

    void theFormOfContendSurvivesAndNoServerOfIt()
    {
        store::Endpoint endpoint = server("staging");
        endpoint.password = "s3cret";
        m_rig->pages->locks.openServers({endpoint});
        m_rig->monitor.goOnline({endpoint});
        m_rig->window->showPage(u"contend"_s);
        choose(contend<QComboBox>("protocolCombo"), u"redisson-lock"_s);
        contend<QComboBox>("kindCombo").setCurrentIndex(1);
        contend<QComboBox>("serverCombo").setCurrentIndex(1);
        QVERIFY(contend<QComboBox>("serverCombo").currentText().contains(u"10.0.0.5"));
        contend<QToolButton>("advancedButton").click();
        type(contend<QLineEdit>("clientsEdit"), u"77"_s);
        dieOnceWritten("77");
        QVERIFY(m_rig->window->findChild<ContendPage*>()->isVisible());
        QCOMPARE(contend<QComboBox>("protocolCombo").currentText(), u"redisson-lock"_s);
        QCOMPARE(contend<QComboBox>("kindCombo").currentIndex(), 1);
        QVERIFY(contend<QComboBox>("kindCombo").toolTip().startsWith(u"One contender works"));
        QCOMPARE(contend<QLineEdit>("clientsEdit").text(), u"77"_s);
        QVERIFY(contend<QToolButton>("advancedButton").isChecked());
        QCOMPARE(contend<QComboBox>("serverCombo").currentIndex(), 0); // private, as at first
        QVERIFY(!written().contains("s3cret"));
    }

    void aProtocolThatIsBeingWrittenSurvivesAKill()
    {
        m_rig->window->showPage(u"lab"_s);
        lab<QToolButton>("ownProtocolButton").click();
        type(*editor()->findChild<QLineEdit*>(u"titleEdit"_s), u"Half a lo"_s);
        dieOnceWritten("Half a lo");
        QTRY_VERIFY(editor() != nullptr && editor()->isVisible());
        QCOMPARE(editor()->findChild<QLineEdit*>(u"titleEdit"_s)->text(), u"Half a lo"_s);
        QVERIFY(editor()->isChanged());
        // Whoever closes the window is asked as ever.
        m_rig->window->close();
        QVERIFY(m_rig->window->isVisible());
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
    }

    void aProtocolThatWasThrownAwayStaysAway()
    {
        m_rig->window->showPage(u"lab"_s);
        lab<QToolButton>("ownProtocolButton").click();
        type(*editor()->findChild<QLineEdit*>(u"titleEdit"_s), u"Half a lo"_s);
        QTRY_VERIFY(written().contains("Half a lo"));
        QTRY_VERIFY(editor()->findChild<QPushButton*>(u"useProtocolButton"_s)->isEnabled());
        m_rig->prompter.willAnswer(Answer::Other); // discard
        m_rig->window->close();
        QTRY_VERIFY(!m_rig->window->isVisible());
        QVERIFY(!written().contains("Half a lo"));
    }

    void anEditorWaitsForItsPage()
    {
        m_rig->window->showPage(u"lab"_s);
        lab<QToolButton>("ownProtocolButton").click();
        type(*editor()->findChild<QLineEdit*>(u"titleEdit"_s), u"Half a lo"_s);
        m_rig->window->showPage(u"matrix"_s);
        dieOnceWritten("page=matrix");
        QVERIFY(editor() != nullptr && !editor()->isVisible());
        m_rig->window->close(); // asks nothing: it is not lost
        QVERIFY(!m_rig->window->isVisible());
        QVERIFY(written().contains("Half a lo"));
        restart();
        m_rig->window->showPage(u"lab"_s);
        QTRY_VERIFY(editor()->isVisible());
    }

    void aProtocolInNoFileIsThereAgainOnBothPages()
    {
        m_rig->window->showPage(u"lab"_s);
        lab<QToolButton>("ownProtocolButton").click();
        type(*editor()->findChild<QLineEdit*>(u"idEdit"_s), u"half-a-lock"_s);
        auto* const use = editor()->findChild<QPushButton*>(u"useProtocolButton"_s);
        QTRY_VERIFY(use->isEnabled());
        use->click();
        choose(contend<QComboBox>("protocolCombo"), u"half-a-lock"_s);
        dieOnceWritten("ownProtocols");
        QCOMPARE(lab<QComboBox>("protocolCombo").currentText(), u"half-a-lock"_s);
        QCOMPARE(contend<QComboBox>("protocolCombo").currentText(), u"half-a-lock"_s);
    }

    void docksAreWhereTheyWereThoughAnotherPageWasShown()
    {
        const auto* dock = find<QDockWidget>(u"countsDock");
        m_rig->window->resizeDocks({find<QDockWidget>(u"countsDock")}, {333}, Qt::Horizontal);
        QTRY_COMPARE(dock->width(), 333);
        m_rig->window->showPage(u"matrix"_s);
        m_rig->window->close();
        restart();
        QVERIFY(find<QWidget>(u"matrixPage")->isVisible());
        m_rig->window->showPage(u"locks"_s);
        QTRY_COMPARE(find<QDockWidget>(u"countsDock")->width(), 333);
        QVERIFY(find<QDockWidget>(u"detailsDock")->isVisible());
    }

    void anUnknownPageIsTheFirst()
    {
        m_rig->settings.values().page = u"gone"_s;
        QVERIFY(m_rig->settings.save());
        restart();
        QVERIFY(find<QWidget>(u"locksPage")->isVisible());
    }
};

LOCKSCOPE_TEST(TestSession, Widgets)

} // namespace lockscope::tst_session

#include "tst_session.moc"
