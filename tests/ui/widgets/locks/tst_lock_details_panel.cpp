#include "core/kernel/report/wording.h"
#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/verdict_card.h"
#include "ui/widgets/locks/diagnosis_view.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/lock_details_panel.h"
#include "ui/widgets/locks/lock_explanation_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace lockscope::tst_lock_details_panel {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestLockDetailsPanel : public QObject {
    Q_OBJECT

private:
    Instant m_now = Instant(100h);
    std::vector<store::Endpoint> m_endpoints;
    std::unique_ptr<test::ScriptedReleaseDesk> m_desk;
    std::unique_ptr<LockDetailsPanel> m_panel;

    FactContext context() const { return {m_now, wallTimeOfMs(1'795'185'067'000), m_endpoints}; }

    void show(const inspect::LockRecord& lock) const
    {
        m_panel->showLock(makeShared<inspect::LockRecord>(lock));
    }

    void change(inspect::ChangeKind kind, const inspect::LockRecord& lock) const
    {
        m_panel->updateLock({kind, makeShared<inspect::LockRecord>(lock), m_now});
    }

    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        return m_panel->findChild<Widget*>(QString::fromUtf16(name));
    }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }
    QString fact(const QString& label) const { return find<FactList>(u"factList")->valueOf(label); }
    QPushButton* button(const char16_t* name) const { return find<QPushButton>(name); }

private Q_SLOTS:
    void tellsWhatHappenedToTheLock()
    {
        QStringList history;
        m_panel->setHistory([&history](const inspect::LockId& lock, int most) {
            return lock.name == "a" && most > 0 ? history : QStringList{u"of another"_s};
        });
        const inspect::LockRecord lock = test::MadeLock("a").owner("x").record();
        show(lock);
        QCOMPARE(text(u"lockHistory"), u"Not taken, handed over, released or expired."_s);
        history = {u"14:03:22.123  taken  by x"_s, u"14:03:25.123  released  by x"_s};
        change(inspect::ChangeKind::Released, lock);
        QCOMPARE(text(u"lockHistory"), history.join(u'\n'));
    }

    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init()
    {
        m_endpoints = {store::Endpoint()};
        m_desk = std::make_unique<test::ScriptedReleaseDesk>();
        m_panel = std::make_unique<LockDetailsPanel>(*m_desk, [this] { return context(); });
        m_panel->resize(340, 900);
        m_panel->show();
    }

    void cleanup()
    {
        m_panel.reset();
        m_desk.reset();
    }

    void withoutALockItSaysWhatToDo()
    {
        QVERIFY(find<QLabel>(u"detailsPlaceholder")->isVisible());
        QVERIFY(m_desk->inspections().empty());
    }

    void choosingALockReadsItOnce()
    {
        show(test::stuckFlag("job:1", m_now));
        QCOMPARE(m_desk->inspections().size(), std::size_t(1));
        QCOMPARE(m_desk->inspections().front().second.name, std::string("job:1"));
        QCOMPARE(text(u"detailsRemark"), u"Reading…"_s);
        QVERIFY(!button(u"releaseButton")->isEnabled());
    }

    void theVerdictComesFirst()
    {
        const auto lock = test::stuckFlag("job:1", m_now);
        show(lock);
        const report::Verdict verdict = report::verdictOf(lock, m_now);
        QCOMPARE(text(u"verdictHeadline"), QString::fromStdString(verdict.headline));
        QCOMPARE(text(u"verdictReason"), QString::fromStdString(verdict.reason));
        QCOMPARE(text(u"verdictDoubt"), QString::fromStdString(verdict.doubt));
        QCOMPARE(find<VerdictCard>(u"verdictCard")->severity(), 2);
        show(test::heldToken("k", "token", m_now));
        QCOMPARE(find<VerdictCard>(u"verdictCard")->severity(), 0);
    }

    void whatIsNotKnownSaysSo()
    {
        show(test::stuckFlag("job:1", m_now));
        QCOMPARE(fact(u"Owner"_s), u"not recorded by this format"_s);
        QCOMPARE(fact(u"Waiters"_s), u"not visible: Redis does not record them"_s);
        QCOMPARE(fact(u"Renewed"_s), u"not since it was first seen"_s);
        QCOMPARE(fact(u"Expires"_s), u"never"_s);
        QCOMPARE(fact(u"Held for"_s), u"at least 5 h 12 m"_s);
    }

    void waitersOnAChannelWithoutListenersAreNotSaidToPoll()
    {
        inspect::LockRecord lock = test::redissonLock("order:1", m_now);
        lock.waiters.reset();
        lock.waiterSource = inspect::WaiterSource::SomeOnChannel;
        show(lock);
        QCOMPARE(fact(u"Waiters"_s), u"not visible: nothing listens, but clients may poll"_s);
        lock.waiterSource = inspect::WaiterSource::Queue;
        show(lock);
        QCOMPARE(fact(u"Waiters"_s), u"unknown: could not be read"_s);
    }

    void waitersThatBlockOnListsAreBounded()
    {
        inspect::LockRecord lock = test::redissonLock("order:1", m_now);
        lock.waiters.reset();
        lock.waiterSource = inspect::WaiterSource::BlockedList;
        lock.seldom->waitersAtMost = 3;
        show(lock);
        QVERIFY(fact(u"Waiters"_s).startsWith(u"at most 3: "_s));
        lock.seldom->waitersAtMost.reset();
        show(lock);
        QVERIFY(fact(u"Waiters"_s).startsWith(u"not visible: they block on a list"_s));
        lock.waiters = 0;
        show(lock);
        QCOMPARE(fact(u"Waiters"_s), u"none"_s);
    }

    void factsOfARedissonLock()
    {
        show(test::redissonLock("order:1", m_now));
        QCOMPARE(fact(u"Owner"_s), u"5f0c1f2e-77aa-4b1d-9f0b-3f2a51c0d9e1:63"_s);
        QCOMPARE(fact(u"Client"_s), u"billing-3 · 10.0.0.7:51622 (client name)"_s);
        QCOMPARE(fact(u"Holds"_s), u"4"_s);
        QCOMPARE(fact(u"Waiters"_s), u"17"_s);
        QCOMPARE(fact(u"Expires"_s), u"in 28.4 s"_s);
    }

    void theCountdownRunsWithoutTheServer()
    {
        show(test::redissonLock("order:1", m_now));
        m_now += 8s;
        QTRY_COMPARE(fact(u"Expires"_s), u"in 20.4 s"_s);
    }

    void everyHolderOfASharedLockIsListed()
    {
        auto lock = test::redissonLock("catalog", m_now);
        lock.holders.push_back(lock.holders.front());
        lock.holders.back().owner = "other:7";
        show(lock);
        QCOMPARE(fact(u"Holder 1"_s), u"5f0c1f2e-77aa-4b1d-9f0b-3f2a51c0d9e1:63"_s);
        QCOMPARE(fact(u"Holder 2"_s), u"other:7"_s);
    }

    void whatAReleaseOfSeveralWouldSendIsCalledThat()
    {
        auto lock = test::redissonLock("catalog", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(text(u"releaseCaption"), u"WHAT A RELEASE DOES"_s);
        lock.holders.push_back(lock.holders.front());
        lock.holders.back().owner = "other:7";
        show(lock);
        QTRY_COMPARE(m_desk->inspections().size(), std::size_t(2));
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(text(u"releaseCaption"), u"WHAT A RELEASE OF ALL 2 HOLDERS DOES"_s);
    }

    void otherDecodedLocksAreDoubtsNotFacts()
    {
        const auto lock = test::heldToken("k", "1732026187000", m_now);
        show(lock);
        operations::LockDetails details = test::detailsOf(lock);
        details.decodedLocks.resize(2);
        details.decodedLocks[0].format = "token";
        details.decodedLocks[1].format = "expiry-stamp";
        m_desk->answer(details);
        QVERIFY(!fact(u"Could also be"_s).isEmpty());
        QVERIFY(fact(u"Format"_s).contains(u"high confidence"));
    }

    void aRedlockRowHasALineForEveryServer()
    {
        m_endpoints.resize(3);
        m_endpoints[0].host = "a";
        m_endpoints[1].host = "b";
        m_endpoints[2].host = "c";
        auto lock = test::heldToken("report", "token", m_now);
        lock.id.server = inspect::LockId::kWholeSet;
        lock.seldom->quorum = {1, 3};
        show(lock);
        operations::LockDetails details = test::detailsOf(lock);
        using Vote = diagnosis::SetNode::Vote;
        details.nodes.resize(3);
        details.nodes[0].vote = Vote::None;
        details.nodes[1].server = 1;
        details.nodes[1].vote = Vote::SameOwner;
        details.nodes[1].owner = "token";
        details.nodes[1].expiresAt = m_now + std::chrono::seconds(28);
        details.nodes[1].clockAhead = std::chrono::milliseconds(31);
        details.nodes[1].clockUncertainty = std::chrono::microseconds(1200);
        details.nodes[1].replyTime = std::chrono::microseconds(400);
        details.nodes[2].server = 2;
        m_desk->answer(details);
        QCOMPARE(fact(u"Held on"_s), u"1 of 3 servers, not a majority (2 are needed)"_s);
        QCOMPARE(fact(u"a:6379"_s), u"no such key"_s);
        QCOMPARE(fact(u"b:6379"_s), u"token, expires in 28.0 s · clock 31.0 ms ahead (± 1.2 ms) · "
                                    "replied in 0.4 ms"_s);
        QCOMPARE(fact(u"c:6379"_s), u"unknown: no reply"_s);
    }

    void aServerOfARedlockThatIsNotKnownIsNotCalledEmpty()
    {
        m_endpoints.resize(3);
        m_endpoints[0].host = "a";
        m_endpoints[1].host = "b";
        m_endpoints[2].host = "c";
        auto lock = test::heldToken("report", "token", m_now);
        lock.id.server = inspect::LockId::kWholeSet;
        lock.seldom->quorum = {1, 3};
        lock.seldom->quorum.addUnknown(2);
        show(lock);
        QCOMPARE(fact(u"Held on"_s),
                 u"1 of 3 servers, 1 unknown: it is not known whether it is held (2 are needed)"_s);
        QCOMPARE(fact(u"c:6379"_s), u"unknown: no reply"_s);
    }

    void theExactCommandAndItsTwinCanBeCopied()
    {
        const auto lock = test::heldToken("k", "token", m_now);
        show(lock);
        const operations::LockDetails details = test::detailsOf(lock);
        m_desk->answer(details);
        auto* command = find<CommandBox>(u"planCommand");
        QVERIFY(command->isHidden());
        QTest::mouseClick(find<QToolButton>(u"showScriptButton"), Qt::LeftButton);
        QVERIFY(command->isVisible());
        QTest::mouseClick(command->findChild<QToolButton*>(u"copyButton"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QString::fromStdString(store::toText(details.release->command)));
        auto* sameAs = find<CommandBox>(u"sameAsCommand");
        QVERIFY2(sameAs->command().startsWith(u"lockscope-cli release k --owner token"),
                 qPrintable(sameAs->command()));
        QCOMPARE(m_panel->releaseCommand(),
                 QString::fromStdString(store::toText(details.release->command)));
    }

    void theTwinOfARedlockReleaseNamesEveryServer()
    {
        m_endpoints.resize(2);
        m_endpoints[0].host = "a";
        m_endpoints[1].host = "b";
        store::setGrouping(m_endpoints, store::Grouping::RedlockSet);
        auto lock = test::heldToken("report", "token", m_now);
        lock.id.server = inspect::LockId::kWholeSet;
        lock.seldom->quorum = {2, 2};
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(find<CommandBox>(u"sameAsCommand")->command(),
                 u"lockscope-cli release report --owner token --url redis://a:6379 --url "
                 "redis://b:6379 --redlock-set"_s);
    }

    void offlineDisablesTheActionsAndSaysWhy()
    {
        const auto lock = test::stuckFlag("k", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QVERIFY(button(u"releaseButton")->isEnabled());
        m_panel->setOnline(false);
        QVERIFY(!button(u"releaseButton")->isEnabled());
        QVERIFY(!button(u"capTtlButton")->isEnabled());
        QVERIFY(button(u"releaseButton")->toolTip().contains(u"no connection"));
        m_panel->setOnline(true);
        QVERIFY(button(u"releaseButton")->isEnabled());
    }

    void whatIsNotConfirmedIsNotCalledWell()
    {
        auto lock = test::heldToken("k", "token", m_now);
        const auto color = [this] {
            return find<QLabel>(u"verdictHeadline")->palette().color(QPalette::WindowText);
        };
        show(lock);
        const QColor good = color();
        lock.isConfirmed = false;
        show(lock);
        QVERIFY(color() != good);
    }

    void aHugeValueIsShownInPartAndSaysHowMuch()
    {
        const auto lock = test::heldToken("k", std::string(600, 'x'), m_now);
        show(lock);
        operations::LockDetails details = test::detailsOf(lock);
        details.snapshots.front().keys.front().size = 104'857'600;
        m_desk->answer(details);
        QCOMPARE(find<CommandBox>(u"rawValue")->command().size(), qsizetype(512));
        QCOMPARE(text(u"rawValueRemark"), u"the first 512 of 104,857,600 bytes"_s);
    }

    void whyItIsStuckIsSaidWithEvidence()
    {
        const inspect::LockRecord lock = test::stuckFlag("job:1", m_now);
        auto* const view = find<DiagnosisView>(u"diagnosisView");
        show(lock);
        QVERIFY(view->isHidden()); // nothing is known of its server yet
        operations::LockDetails details = test::detailsOf(lock);
        diagnosis::ServerFacts facts;
        facts.isKnown = true;
        facts.evictionPolicy = "allkeys-lru";
        facts.memoryLimit = 1'000'000;
        details.serverFacts = {facts};
        m_desk->answer(details);
        QVERIFY(!view->isHidden());
        QCOMPARE(find<QLabel>(u"diagnosisCaption")->text(), u"WHY IS IT STUCK?"_s);
        const auto titles = view->findChildren<QLabel*>(u"findingTitle"_s);
        QCOMPARE(titles.size(), 2);
        QCOMPARE(titles.at(0)->text(), u"No expiry"_s);
        QCOMPARE(titles.at(1)->text(), u"May be evicted"_s);
        const auto evidence = view->findChildren<QLabel*>(u"findingEvidence"_s);
        QCOMPARE(evidence.at(0)->text(), find<QLabel>(u"verdictReason")->text());
        QVERIFY(evidence.at(0)->isHidden()); // it stands in the card above
        QVERIFY(!evidence.at(1)->isHidden());
        QVERIFY(view->findChild<QLabel*>(u"findingRisk"_s)
                    ->text()
                    .startsWith(u"Risk of a false alarm: "_s));
        QVERIFY(!view->findChild<QLabel*>(u"findingRemedy"_s)->text().isEmpty());
        const auto* const unknowns = find<QLabel>(u"diagnosisUnknowns");
        QVERIFY(unknowns->isHidden());
        find<QToolButton>(u"unknownsButton")->click();
        QVERIFY(!unknowns->isHidden());
        QVERIFY(unknowns->text().contains(u"Not known how long it is usually held: "_s));
        change(inspect::ChangeKind::Released, lock);
        QVERIFY(view->isHidden());
    }

    void theLockIsExplainedBehindAButton()
    {
        const auto lock = test::heldToken("k", "token", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(find<QLabel>(u"diagnosisCaption")->text(), u"IS IT STUCK?"_s); // it is healthy
        auto* const explanation = find<QWidget>(u"lockExplanation");
        QVERIFY(!m_panel->findChild<LockExplanationView*>()->isHidden());
        QVERIFY(explanation->isHidden());
        find<QToolButton>(u"explainLockButton")->click();
        QVERIFY(!explanation->isHidden());
        const auto titles = explanation->findChildren<QLabel*>(u"explanationTitle"_s);
        QVERIFY(!titles.isEmpty());
        QCOMPARE(titles.front()->text(), u"What its keys mean"_s);
        const auto commands = explanation->findChildren<CommandBox*>(u"explanationCommand"_s);
        QVERIFY(!commands.isEmpty());
        QCOMPARE(commands.front()->command(), u"GET k"_s);
        // Read again without news, it stays: the user may be selecting in it.
        const operations::LockDetails again = test::detailsOf(lock);
        m_panel->findChild<LockExplanationView*>()->explain(&again, m_now);
        QCOMPARE(explanation->findChildren<CommandBox*>().front(), commands.front());
    }

    void binaryValuesAreEscaped()
    {
        const auto lock = test::heldToken("k", std::string("\x00\x01\xff", 3), m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(find<CommandBox>(u"rawValue")->command(), u"\\x00\\x01\\xff"_s);
        QCOMPARE(fact(u"Owner"_s), u"\\x00\\x01\\xff"_s);
    }

    void changesAreGatheredBeforeItIsReadAgain()
    {
        auto lock = test::heldToken("k", "token", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        for (int i = 0; i < 5; ++i) {
            ++lock.renewals;
            change(inspect::ChangeKind::Renewed, lock);
        }
        QCOMPARE(m_desk->inspections().size(), std::size_t(1));
        QVERIFY(fact(u"Renewed"_s).startsWith(u"7 times"));
        QTRY_COMPARE(m_desk->inspections().size(), std::size_t(2));
    }

    void changesOfOtherLocksDoNotConcernIt()
    {
        show(test::heldToken("k", "token", m_now));
        change(inspect::ChangeKind::Released, test::heldToken("other", "token", m_now));
        QVERIFY(!text(u"detailsRemark").contains(u"released"));
    }

    void anAnswerAboutTheLockBeforeIsIgnored()
    {
        const auto first = test::heldToken("first", "one", m_now);
        show(first);
        const auto request = m_desk->inspections().back().first;
        show(test::heldToken("second", "two", m_now));
        Q_EMIT m_desk->inspected(request, test::detailsOf(first));
        QCOMPARE(text(u"detailsRemark"), u"Reading…"_s);
        QCOMPARE(m_panel->releaseCommand(), QString());
    }

    void aLockThatEndsStaysReadableAndCannotBeReleased_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("word");
        QTest::newRow("released") << static_cast<int>(inspect::ChangeKind::Released)
                                  << u"released"_s;
        QTest::newRow("expired") << static_cast<int>(inspect::ChangeKind::Expired) << u"expired"_s;
        QTest::newRow("unwatched")
            << static_cast<int>(inspect::ChangeKind::Unwatched) << u"no longer watched"_s;
    }

    void aLockThatEndsStaysReadableAndCannotBeReleased()
    {
        QFETCH(int, kind);
        QFETCH(QString, word);
        const auto lock = test::heldToken("k", "token", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QVERIFY(button(u"releaseButton")->isEnabled());
        change(static_cast<inspect::ChangeKind>(kind), lock);
        QVERIFY2(text(u"detailsRemark").contains(word), qPrintable(text(u"detailsRemark")));
        QCOMPARE(fact(u"Owner"_s), u"token"_s);
        QVERIFY(!button(u"releaseButton")->isEnabled());
    }

    void aProblemIsExplainedInPlace()
    {
        show(test::heldToken("k", "token", m_now));
        operations::LockDetails details;
        details.problem.kind = store::Problem::Kind::NoPermission;
        details.problem.command = "get";
        details.problem.rule = "+get";
        m_desk->answer(details);
        QCOMPARE(text(u"detailsRemark"), QString::fromStdString(store::explain(details.problem)));
    }

    void readOnlyDisablesTheActionsAndSaysWhy()
    {
        const auto lock = test::stuckFlag("job:1", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QVERIFY(button(u"releaseButton")->isEnabled());
        QVERIFY(button(u"capTtlButton")->isEnabled());
        m_panel->setReadOnly(true);
        QVERIFY(!button(u"releaseButton")->isEnabled());
        QVERIFY(!button(u"capTtlButton")->isEnabled());
        QVERIFY2(button(u"releaseButton")->toolTip().contains(u"Read-only"),
                 qPrintable(button(u"releaseButton")->toolTip()));
    }

    void theButtonsAskForTheirDialogs()
    {
        const auto lock = test::stuckFlag("job:1", m_now);
        show(lock);
        m_desk->answer(test::detailsOf(lock));
        QSignalSpy release(m_panel.get(), &LockDetailsPanel::releaseRequested);
        QSignalSpy cap(m_panel.get(), &LockDetailsPanel::capTtlRequested);
        QTest::mouseClick(button(u"releaseButton"), Qt::LeftButton);
        QTest::mouseClick(button(u"capTtlButton"), Qt::LeftButton);
        QCOMPARE(release.count(), 1);
        QCOMPARE(cap.count(), 1);
        QVERIFY(m_desk->executions().empty());
    }
};

LOCKSCOPE_TEST(TestLockDetailsPanel, Widgets)

} // namespace lockscope::tst_lock_details_panel

#include "tst_lock_details_panel.moc"
