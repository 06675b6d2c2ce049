#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/locks/who_view.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>

#include <memory>

namespace lockscope::tst_who_view {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using diagnosis::CaptureEnd;
using operations::LockCapture;

class TestWhoView : public QObject {
    Q_OBJECT

private:
    Instant m_now = Instant(100h);
    std::unique_ptr<test::ScriptedReleaseDesk> m_desk;
    std::unique_ptr<WhoView> m_view;

    void show(const inspect::LockRecord& lock) const
    {
        m_view->showLock(makeShared<inspect::LockRecord>(lock));
    }
    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        return m_view->findChild<Widget*>(QString::fromUtf16(name));
    }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }
    void click(const char16_t* name) const
    {
        auto* const button = find<QPushButton>(name);
        QVERIFY(button->isVisible() && button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
    }
    /// What the holder sent.
    static LockCapture capture(CaptureEnd::Kind end = CaptureEnd::Kind::TimeOver)
    {
        LockCapture seen{diagnosis::KeyCapture(0, {"order:1"}, {"token"}), {end, 3s, 1234}, {}};
        seen.capture.take("1.5 [0 10.0.0.7:51622] \"PEXPIRE\" \"order:1\" \"token\"");
        seen.clients.push_back({"10.0.0.7:51622", "billing-3"});
        return seen;
    }
    void listen() const
    {
        show(test::heldToken("order:1", "token", m_now));
        click(u"whoButton");
        click(u"whoListen");
        QCOMPARE(m_desk->captures().size(), std::size_t(1));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init()
    {
        m_desk = std::make_unique<test::ScriptedReleaseDesk>();
        m_view = std::make_unique<WhoView>(*m_desk, [this] {
            return FactContext{m_now, wallTimeOfMs(1'795'185'067'000), {store::Endpoint()}};
        });
        m_view->resize(340, 600);
        m_view->showLock({});
        show(test::heldToken("order:1", "token", m_now));
        m_view->show();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    }
    void cleanup()
    {
        m_view.reset();
        m_desk.reset();
    }

    void itSaysWhatIsKnown()
    {
        inspect::LockRecord lock = test::heldToken("order:1", "token", m_now);
        QVERIFY(text(u"whoKnown").startsWith(u"No connected client fits the owner token."));
        lock.holders.front().setClient(std::make_shared<inspect::ClientInfo>());
        show(lock);
        QCOMPARE(text(u"whoKnown"), u"A connected client fits the owner: see above."_s);
        show(test::stuckFlag("job:1", m_now));
        QVERIFY(text(u"whoKnown").startsWith(u"This format records no owner"));
    }

    void nothingIsSentBeforeTheCostWasSaid()
    {
        QVERIFY(!find<QLabel>(u"whoCost")->isVisible());
        click(u"whoButton");
        QVERIFY(find<QLabel>(u"whoCost")->isVisible());
        QVERIFY(text(u"whoCost").contains(u"a third of its throughput"));
        QVERIFY(text(u"whoCost").contains(u"16 MB"));
        QVERIFY(m_desk->captures().empty());
        find<QSpinBox>(u"whoSeconds")->setValue(7);
        QCOMPARE(find<CommandBox>(u"whoSameAs")->command(),
                 u"lockscope-cli who --for 7s --url redis://127.0.0.1:6379 order:1"_s);
        click(u"whoListen");
        QCOMPARE(m_desk->captures().size(), std::size_t(1));
        QCOMPARE(m_desk->captures().front().first.name, std::string("order:1"));
        QVERIFY(m_desk->captures().front().second.span == 7s);
        QVERIFY(m_desk->captures().front().second.bytes == 16'000'000);
        QCOMPARE(text(u"whoProgress"), u"Listening: 7 s left"_s);
        QVERIFY(!find<QPushButton>(u"whoListen")->isVisible());
        QVERIFY(!find<QSpinBox>(u"whoSeconds")->isEnabled());
    }

    void whoSentTheTokenIsNamed()
    {
        listen();
        m_desk->capture(capture());
        QVERIFY(find<QLabel>(u"whoResult")->isVisible());
        QVERIFY2(text(u"whoResult").contains(u"10.0.0.7:51622 (billing-3): PEXPIRE ×1"),
                 qPrintable(text(u"whoResult")));
        QVERIFY(text(u"whoResult").contains(u"sent the token of the owner token"));
        QVERIFY(!find<QLabel>(u"whoProgress")->isVisible());
        QVERIFY(find<QPushButton>(u"whoListen")->hasFocus()); // again
    }

    void itIsStoppedByHand()
    {
        listen();
        click(u"whoStop");
        QCOMPARE(m_desk->captureStops(), 1);
        m_desk->capture(capture(CaptureEnd::Kind::Stopped));
        QVERIFY(text(u"whoResult").contains(u"It was stopped early, as asked."));
    }

    void anotherLockEndsIt()
    {
        listen();
        show(test::heldToken("order:1", "token", m_now)); // news of the same one
        QCOMPARE(m_desk->captureStops(), 0);
        show(test::heldToken("order:2", "token", m_now));
        QCOMPARE(m_desk->captureStops(), 1);
        m_desk->capture(capture(CaptureEnd::Kind::Stopped));
        QVERIFY(text(u"whoResult").isEmpty());
        QVERIFY(!find<QWidget>(u"whoForm")->isVisible());
    }

    void whyItWasNotListenedToIsSaid()
    {
        listen();
        store::Problem problem;
        problem.kind = store::Problem::Kind::NoPermission;
        problem.command = "monitor";
        problem.rule = "+monitor";
        m_desk->capture(problem);
        QVERIFY2(text(u"whoResult").contains(u"+monitor"), qPrintable(text(u"whoResult")));
    }

    void withoutAConnectionNobodyIsListenedTo()
    {
        click(u"whoButton");
        m_view->setOnline(false);
        QVERIFY(!find<QPushButton>(u"whoListen")->isEnabled());
        QCOMPARE(text(u"whoProgress"), u"There is currently no connection."_s);
    }
};

LOCKSCOPE_TEST(TestWhoView, Widgets)

} // namespace lockscope::tst_who_view

#include "tst_who_view.moc"
