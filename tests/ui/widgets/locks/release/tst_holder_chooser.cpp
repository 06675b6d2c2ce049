#include "core/kernel/report/wording.h"
#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/holder_chooser.h"
#include "ui/widgets/locks/release/release_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

namespace lockscope::tst_holder_chooser {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestHolderChooser : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    std::unique_ptr<test::ScriptedReleaseDesk> m_desk;
    QPointer<ReleaseDialog> m_dialog;

    static inspect::LockRecord sharedLock(const std::vector<Bytes>& owners)
    {
        inspect::LockRecord lock = test::redissonLock("catalog:rw", kNow);
        lock.mode = inspect::Mode::Read;
        lock.holders.clear();
        for (const Bytes& owner : owners) {
            inspect::Holder& holder = lock.holders.emplace_back();
            holder.owner = owner;
            holder.mode = inspect::Mode::Read;
        }
        return lock;
    }

    /// As the desk makes it: one plan for each holder, and one for all of them.
    static operations::LockDetails sharedDetails(const inspect::LockRecord& lock)
    {
        operations::LockDetails details = test::detailsOf(lock);
        inspect::ReleaseRecipe recipe;
        inspect::ReleaseRecipe::KeyCheck& check = recipe.checks.emplace_back();
        check.kind = inspect::ReleaseRecipe::KeyCheck::Kind::Fields;
        check.key = lock.id.name;
        check.isPart = true;
        for (const inspect::Holder& holder : lock.holders) {
            check.fields = {holder.owner};
            inspect::ReleasePlan plan = inspect::makePlan(inspect::ReleaseAction::Release,
                                                          details.lock, recipe, {std::nullopt});
            plan.holders = {holder};
            details.releaseOne.push_back(std::move(plan));
        }
        check.fields.clear();
        for (const inspect::Holder& holder : lock.holders) {
            check.fields.push_back(holder.owner);
        }
        details.release = inspect::makePlan(inspect::ReleaseAction::Release, details.lock, recipe,
                                            {std::nullopt});
        return details;
    }

    operations::LockDetails openShared()
    {
        const auto lock = sharedLock({"reader-000001", "reader-000002", "reader-000003"});
        const operations::LockDetails details = sharedDetails(lock);
        open(details);
        return details;
    }

    void open(const operations::LockDetails& details)
    {
        const auto context = [] {
            return FactContext{kNow, wallTimeOfMs(1'795'185'067'000), {store::Endpoint()}};
        };
        m_dialog = new ReleaseDialog(*m_desk, context, details.lock->id);
        m_dialog->open();
        m_desk->answer(details);
    }

    HolderChooser& chooser() const { return *m_dialog->findChild<HolderChooser*>(); }
    QLineEdit& typed() const { return *m_dialog->findChild<QLineEdit*>(u"confirmEdit"_s); }
    QPushButton& button(const QString& name) const
    {
        return *m_dialog->findChild<QPushButton*>(name);
    }
    QString text(const QString& name) const { return m_dialog->findChild<QLabel*>(name)->text(); }

    void type(const QString& what) const
    {
        typed().setFocus();
        QTest::keyClicks(&typed(), what);
    }

    void change(inspect::ChangeKind kind, const std::vector<Bytes>& owners) const
    {
        m_dialog->takeChange({kind, makeShared<inspect::LockRecord>(sharedLock(owners)), kNow});
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { m_desk = std::make_unique<test::ScriptedReleaseDesk>(); }

    void cleanup()
    {
        delete m_dialog;
        m_desk.reset();
    }

    void nobodyIsChosenAtFirst()
    {
        openShared();
        QVERIFY(chooser().isVisible());
        QCOMPARE(chooser().count(), 4);
        QVERIFY(chooser().chosen() == nullptr);
        QCOMPARE(m_dialog->focusWidget(), &chooser());
        QVERIFY(!typed().isVisible());
        QVERIFY(!button(u"executeButton"_s).isEnabled());
        QTest::keyClick(&chooser(), Qt::Key_Return);
        QVERIFY(m_dialog->isVisible());
        QVERIFY2(text(u"planRemark"_s).contains(u"Select the hold"),
                 qPrintable(text(u"planRemark"_s)));
        QVERIFY(m_desk->executions().empty());
    }

    void oneReaderIsReleasedAlone()
    {
        const auto details = openShared();
        QTest::keyClick(&chooser(), Qt::Key_Down);
        QCOMPARE(chooser().currentItem()->text(), u"Reader 2 · reader-000002"_s);
        QVERIFY2(text(u"confirmPrompt"_s)
                     .startsWith(u"Releases only the hold of reader-000002; 2 other"),
                 qPrintable(text(u"confirmPrompt"_s)));
        type(u"000001"_s); // another owner's
        QVERIFY(!button(u"executeButton"_s).isEnabled());
        typed().clear();
        type(u"000002"_s);
        QTest::keyClick(&typed(), Qt::Key_Return);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        const inspect::ReleasePlan& sent = m_desk->executions().front().plan;
        QVERIFY(sent.command == details.releaseOne[1].command);
        QCOMPARE(sent.holders.size(), std::size_t(1));
        QCOMPARE(sent.holders.front().owner, Bytes("reader-000002"));
        inspect::ReleaseReport report;
        report.result = inspect::ReleaseResult::Released;
        m_desk->report(report);
        QVERIFY2(text(u"outcomeText"_s).contains(u"Releases only the hold of reader-000002"),
                 qPrintable(text(u"outcomeText"_s)));
    }

    void allOfThemAreListedAndNamedByTheKey()
    {
        const auto details = openShared();
        chooser().setCurrentRow(3);
        QCOMPARE(chooser().currentItem()->text(),
                 u"All 3 holders: reader-000001, reader-000002, reader-000003"_s);
        type(u"000001"_s);
        QVERIFY(!button(u"executeButton"_s).isEnabled());
        typed().clear();
        type(u"catalog:rw"_s);
        QTest::mouseClick(&button(u"executeButton"_s), Qt::LeftButton);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        QVERIFY(m_desk->executions().front().plan.command == details.release->command);
        QCOMPARE(m_desk->executions().front().plan.holders.size(), std::size_t(3));
    }

    void anotherChoiceForgetsWhatWasTyped()
    {
        openShared();
        chooser().setCurrentRow(0);
        type(u"000001"_s);
        QVERIFY(button(u"executeButton"_s).isEnabled());
        chooser().setCurrentRow(1);
        QVERIFY(typed().text().isEmpty());
        QVERIFY(!button(u"executeButton"_s).isEnabled());
    }

    void othersMayComeAndGo()
    {
        openShared();
        chooser().setCurrentRow(1);
        type(u"000002"_s);
        change(inspect::ChangeKind::Changed, {"reader-000002", "reader-000009"});
        QVERIFY(button(u"executeButton"_s).isEnabled());
        change(inspect::ChangeKind::Changed, {"reader-000009"});
        QVERIFY(!button(u"executeButton"_s).isEnabled());
        QVERIFY(button(u"lookAgainButton"_s).isVisible());
    }

    void whoLeftBeforeBeingChosenIsNotReleased()
    {
        openShared();
        change(inspect::ChangeKind::Changed, {"reader-000002", "reader-000003"});
        QVERIFY(!button(u"lookAgainButton"_s).isVisible());
        chooser().setCurrentRow(0);
        QVERIFY(button(u"lookAgainButton"_s).isVisible());
        type(u"000001"_s);
        QVERIFY(!button(u"executeButton"_s).isEnabled());
    }

    void oneHolderIsNoChoice()
    {
        open(test::detailsOf(test::heldToken("k", "token-abcdef", kNow)));
        QVERIFY(!chooser().isVisible());
        QVERIFY(chooser().chosen() != nullptr);
        QCOMPARE(m_dialog->focusWidget(), &typed());
    }

    void readersThatAreNotToldApartAreReleasedInSoManyWords()
    {
        auto details = test::detailsOf(sharedLock({""}));
        details.release->recipe.endsUnnamedReaders = true;
        open(details);
        QVERIFY(chooser().isVisible());
        QCOMPARE(chooser().count(), 1);
        QVERIFY(chooser().chosen() == nullptr);
        chooser().item(0)->setSelected(true);
        QVERIFY(chooser().chosen() != nullptr);
        QVERIFY(text(u"confirmPrompt"_s).contains(u"All readers"));
        type(u"catalog:rw"_s);
        QVERIFY(button(u"executeButton"_s).isEnabled());
    }
};

LOCKSCOPE_TEST(TestHolderChooser, Widgets)

} // namespace lockscope::tst_holder_chooser

#include "tst_holder_chooser.moc"
