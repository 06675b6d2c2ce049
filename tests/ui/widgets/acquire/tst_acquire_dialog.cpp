#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/acquire/acquire_dialog.h"
#include "ui/widgets/acquire/hand_locks.h"
#include "ui/widgets/acquire/held_locks_panel.h"
#include "ui/widgets/acquire/tone_of_kept_lock.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

namespace lockscope::tst_acquire_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using service::KeptLock;
using State = KeptLock::State;

class TestAcquireDialog : public QObject {
    Q_OBJECT

    struct Rig {
        test::ScriptedLockKeeper keeper;
        test::ScriptedPrompter prompter;
        models::ProtocolListModel protocols;
        QAction action;
        QWidget window;
        HandLocks hands{{keeper, prompter, protocols, action}, &window};
        HeldLocksPanel panel{keeper};
    };
    std::unique_ptr<Rig> m_rig;
    QPointer<QDialog> m_dialog;

    template<class Widget>
    Widget& find(const char16_t* name) const
    {
        return *m_dialog->findChild<Widget*>(QString::fromUtf16(name));
    }
    QPushButton& button(const char16_t* name) const { return find<QPushButton>(name); }
    QString text(const char16_t* name) const { return find<QLabel>(name).text(); }

    static store::Endpoint server(const std::string& environment = {}, bool isReadOnly = false)
    {
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.environment = environment;
        endpoint.isReadOnly = isReadOnly;
        return endpoint;
    }

    void open(const store::Endpoint& endpoint = server())
    {
        m_rig->hands.setServers({endpoint});
        m_rig->action.trigger();
        m_dialog = m_rig->window.findChild<QDialog*>(u"acquireDialog"_s);
        QVERIFY(m_dialog != nullptr);
        QVERIFY(QTest::qWaitForWindowActive(m_dialog));
    }
    void acquire(const QString& key = u"job"_s)
    {
        QTest::keyClicks(&find<QLineEdit>(u"acquireKey"), key);
        QTest::keyClick(m_dialog, Qt::Key_Return);
    }
    KeptLock lock(State state) const
    {
        KeptLock lock = m_rig->keeper.held().empty() ? KeptLock() : m_rig->keeper.held().back();
        lock.state = state;
        return lock;
    }
    void tellHeld() const
    {
        KeptLock held = lock(State::Held);
        held.trustedUntil = m_rig->keeper.now() + 28400ms;
        m_rig->keeper.tell(held);
    }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<Rig>();
        m_rig->window.show();
        m_rig->panel.show();
    }
    void cleanup()
    {
        delete m_dialog;
        m_rig.reset();
    }

    void nothingIsAcquiredWithoutAServerOrReadOnly()
    {
        QVERIFY(!m_rig->action.isEnabled());
        m_rig->hands.setServers({server({}, true)});
        QVERIFY(!m_rig->action.isEnabled());
        QVERIFY(m_rig->action.toolTip().contains(u"read-only"_s));
        m_rig->hands.setServers({server()});
        QVERIFY(m_rig->action.isEnabled());
    }

    void aKeyIsNeeded()
    {
        open();
        QVERIFY(find<QLineEdit>(u"acquireKey").hasFocus());
        QVERIFY(!button(u"acquireButton").isEnabled());
        acquire({});
        QVERIFY(m_rig->keeper.orders().empty());
        QTest::keyClicks(&find<QLineEdit>(u"acquireKey"), u"k"_s);
        QVERIFY(button(u"acquireButton").isEnabled());
        QTest::keyClick(&find<QLineEdit>(u"acquireKey"), Qt::Key_Backspace);
        QVERIFY(!find<QLineEdit>(u"acquireKey").accessibleDescription().isEmpty());
    }

    void theAttemptIsFollowedToItsEnd()
    {
        open();
        acquire();
        QCOMPARE(m_rig->keeper.orders().size(), std::size_t(1));
        QCOMPARE(m_rig->keeper.orders().front().request.key, Bytes("job"));
        QVERIFY(m_rig->keeper.orders().front().renewal.isOn());
        QCOMPARE(text(u"acquireState"), u"connecting"_s);
        m_rig->keeper.tell(lock(State::Waiting));
        QCOMPARE(text(u"acquireState"), u"waiting"_s);
        QCOMPARE(button(u"releaseHeldButton").text(), u"Stop waiting"_s);
        tellHeld();
        QCOMPARE(text(u"acquireState"), u"held"_s);
        QVERIFY(text(u"acquireStateDetail").contains(u"28.4 s"_s));
        m_rig->keeper.advance(400ms);
        QTRY_VERIFY(text(u"acquireStateDetail").contains(u"28.0 s"_s));
        QTest::keyClick(&button(u"releaseHeldButton"), Qt::Key_Space);
        QCOMPARE(m_rig->keeper.releases(), std::vector<quint64>{1});
        m_rig->keeper.tell(lock(State::Released));
        QCOMPARE(text(u"acquireState"), u"released"_s);
        QVERIFY(button(u"acquireButton").isVisible());
    }

    void aRefusalCanBeTriedAgain()
    {
        open();
        acquire();
        m_rig->keeper.tell(lock(State::Refused));
        QCOMPARE(text(u"acquireState"), u"not acquired"_s);
        QCOMPARE(button(u"acquireButton").text(), u"Try again"_s);
        QTest::keyClick(&button(u"acquireButton"), Qt::Key_Space);
        QCOMPARE(m_rig->keeper.orders().size(), std::size_t(2));
        QCOMPARE(text(u"acquireState"), u"connecting"_s);
    }

    void whoStopsWaitingGivesUpAndWhoHoldsKeeps()
    {
        open();
        acquire();
        QTest::keyClick(m_dialog, Qt::Key_Escape);
        QCOMPARE(m_rig->keeper.releases(), std::vector<quint64>{1});
        delete m_dialog;
        open();
        acquire(u"other"_s);
        tellHeld();
        QTest::keyClick(m_dialog, Qt::Key_Escape);
        QCOMPARE(m_rig->keeper.releases().size(), std::size_t(1));
    }

    void theUnknownSaysWhatToDo()
    {
        open();
        acquire();
        KeptLock unknown = lock(State::Uncertain);
        unknown.isStillWanted = true;
        m_rig->keeper.tell(unknown);
        QCOMPARE(text(u"acquireState"), u"unknown"_s);
        QVERIFY(text(u"acquireStateDetail").contains(u"Release it"_s));
        QVERIFY(button(u"releaseHeldButton").isVisible());
    }

    void productionIsAskedAbout()
    {
        open(server("production"));
        acquire();
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->keeper.orders().empty());
        m_rig->prompter.willAnswer(Answer::Accepted);
        QTest::keyClick(m_dialog, Qt::Key_Return);
        QTRY_COMPARE(m_rig->keeper.orders().size(), std::size_t(1));
    }

    void heldLocksAreListedAndReleased()
    {
        QSignalSpy filled(&m_rig->panel, &HeldLocksPanel::emptinessChanged);
        KeptLock one;
        one.id = 5;
        one.key = "a";
        one.state = State::Held;
        m_rig->keeper.tell(one);
        one.id = 6;
        one.key = "b";
        m_rig->keeper.tell(one);
        QCOMPARE(filled.count(), 1);
        auto* table = m_rig->panel.findChild<QTreeView*>(u"heldLocksTable"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        table->setCurrentIndex(table->model()->index(1, 0));
        QTest::keyClick(m_rig->panel.findChild<QPushButton*>(u"releaseCurrentButton"_s),
                        Qt::Key_Space);
        QCOMPARE(m_rig->keeper.releases(), std::vector<quint64>{6});
        QTest::keyClick(m_rig->panel.findChild<QPushButton*>(u"releaseAllButton"_s), Qt::Key_Space);
        QCOMPARE(m_rig->keeper.releaseAllCount(), 1);
    }

    void aLostLockIsNoticed()
    {
        QSignalSpy noticed(&m_rig->hands, &HandLocks::noticed);
        KeptLock lost;
        lost.id = 5;
        lost.key = "job";
        lost.state = State::Lost;
        lost.loss = trace::LossReason::Gone;
        m_rig->keeper.tell(lost);
        QCOMPARE(noticed.count(), 1);
        QVERIFY(noticed.first().first().toString().contains(u"job"_s));
    }

    void quittingAsksWhatToDoWithHeldLocks()
    {
        int quits = 0;
        const auto quit = [&quits] { ++quits; };
        QVERIFY(m_rig->hands.mayQuit(quit)); // none is held
        KeptLock held;
        held.id = 5;
        held.key = "job";
        held.state = State::Held;
        m_rig->keeper.tell(held);
        QVERIFY(!m_rig->hands.mayQuit(quit)); // cancelled
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->prompter.asked().front().detail.contains(u"job"_s));
        m_rig->prompter.willAnswer(Answer::Accepted);
        QVERIFY(!m_rig->hands.mayQuit(quit));
        QTRY_COMPARE(m_rig->keeper.releaseAllCount(), 1);
        QCOMPARE(quits, 0); // not before they are released
        m_rig->keeper.tellAllReleased();
        QCOMPARE(quits, 1);
        QVERIFY(m_rig->hands.mayQuit(quit));
    }

    void heldLocksCanBeLeftAlone()
    {
        int quits = 0;
        KeptLock held;
        held.id = 5;
        held.state = State::Held;
        m_rig->keeper.tell(held);
        m_rig->prompter.willAnswer(Answer::Other);
        QVERIFY(!m_rig->hands.mayQuit([&quits] { ++quits; }));
        QTRY_COMPARE(quits, 1);
        QCOMPARE(m_rig->keeper.releaseAllCount(), 0);
    }

    void quittingUnaskedReleasesHeldLocks()
    {
        int quits = 0;
        const auto quit = [&quits] { ++quits; };
        QVERIFY(m_rig->hands.mayQuitUnasked(quit)); // none is held
        KeptLock held;
        held.id = 5;
        held.state = State::Held;
        m_rig->keeper.tell(held);
        QVERIFY(!m_rig->hands.mayQuitUnasked(quit));
        QVERIFY(m_rig->prompter.asked().empty());
        QCOMPARE(m_rig->keeper.releaseAllCount(), 1);
        QCOMPARE(quits, 0);
        m_rig->keeper.tellAllReleased();
        QCOMPARE(quits, 1);
        QVERIFY(m_rig->hands.mayQuitUnasked(quit));
    }

    void tonesAreThoseOfTheWindow()
    {
        QCOMPARE(linkToneOf(models::KeptLockText::Tone::Bad), LinkTone::Bad);
        QCOMPARE(linkToneOf(models::KeptLockText::Tone::Good), LinkTone::Good);
    }
};

LOCKSCOPE_TEST(TestAcquireDialog, Widgets)

} // namespace lockscope::tst_acquire_dialog

#include "tst_acquire_dialog.moc"
