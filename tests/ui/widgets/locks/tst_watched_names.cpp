#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/models/typed_values.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/near_misses_dialog.h"
#include "ui/widgets/locks/watched_names.h"

#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTreeWidget>

#include <memory>

namespace lockscope::tst_watched_names {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

inspect::SweepFindings findingsOf(const std::vector<Bytes>& keys)
{
    inspect::SweepFindings findings;
    for (const Bytes& key : keys) {
        inspect::LockSnapshot snapshot;
        inspect::Observation& seen = snapshot.keys.emplace_back();
        seen.key = snapshot.name = key;
        seen.type = inspect::ValueType::String;
        seen.value = "812";
        seen.isComplete = true;
        findings.addSnapshot(snapshot, false);
    }
    return findings;
}

WatchState stateWith(const std::vector<Bytes>& nearMisses)
{
    WatchState state;
    state.open({store::Endpoint()});
    service::LinkStatus status;
    status.state = service::LinkStatus::State::Online;
    state.update(status);
    state.update(service::SweepProgress{
        0, 10, 10, true, false,
        std::make_shared<const inspect::SweepFindings>(findingsOf(nearMisses))});
    return state;
}

} // namespace

class TestWatchedNames : public QObject {
    Q_OBJECT

private:
    struct Rig {
        explicit Rig(std::vector<std::string> given = {}) : patterns(std::move(given)) {}

        test::ScriptedLockMonitor monitor;
        models::LockTableModel locks{[this] { return monitor.now(); }};
        LocksPage page{locks};
        Settings settings;
        std::vector<std::string> patterns;
        std::unique_ptr<WatchedNames> names;

        void start()
        {
            names = std::make_unique<WatchedNames>(WatchedNamesContext{page, monitor, settings,
                                                                       patterns},
                                                   nullptr);
            page.resize(1000, 600);
            page.show();
        }
        QLineEdit* edit() { return page.findChild<QLineEdit*>(u"watchedNames"_s); }
    };

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void patternsStandBetweenSpaces()
    {
        QCOMPARE(models::patternsOfLine(u"  job:*  cron-? job:* "_s),
                 QStringList({u"job:*"_s, u"cron-?"_s}));
        QCOMPARE(models::patternsOfLine(u"my\\ lock [a-c]\\\\ x"_s),
                 QStringList({u"my\\ lock"_s, u"[a-c]\\\\"_s, u"x"_s}));
        QCOMPARE(models::patternsOfLine({}), QStringList());
    }

    void aNameBecomesAPatternOfItsOwn()
    {
        QCOMPARE(patternOfName(u"job:sync"_s), u"job:sync"_s);
        QCOMPARE(patternOfName(u"a b*[x]\\"_s), u"a\\ b\\*\\[x\\]\\\\"_s);
        QCOMPARE(models::patternsOfLine(patternOfName(u"a b"_s)).size(), 1);
    }

    void whatIsTypedIsWatchedAtOnceAndRemembered()
    {
        Rig rig;
        rig.start();
        QTest::keyClicks(rig.edit(), u"job:* cron-?"_s);
        QTest::keyClick(rig.edit(), Qt::Key_Return);
        QCOMPARE(rig.monitor.patterns(), (std::vector<std::string>{"job:*", "cron-?"}));
        QCOMPARE(rig.patterns, rig.monitor.patterns()); // also for the next server
        QCOMPARE(rig.settings.lockPatterns, QStringList({u"job:*"_s, u"cron-?"_s}));
    }

    void thoseOfTheCommandLineComeFirst()
    {
        Rig remembered;
        remembered.settings.lockPatterns = {u"old:*"_s};
        remembered.start();
        QCOMPARE(remembered.patterns, (std::vector<std::string>{"old:*"}));
        QCOMPARE(remembered.edit()->text(), u"old:*"_s);
        Rig given({"job:*"});
        given.settings.lockPatterns = {u"old:*"_s};
        given.start();
        QCOMPARE(given.patterns, (std::vector<std::string>{"job:*"}));
        QCOMPARE(given.edit()->text(), u"job:*"_s);
    }

    void nearMissesAreCountedAndNamedFromTheirList()
    {
        Rig rig({"job:*"});
        rig.start();
        auto* button = rig.page.findChild<QPushButton*>(u"nearMisses"_s);
        rig.page.showState(stateWith({}), rig.monitor.now());
        QVERIFY(!button->isVisible());
        rig.page.showState(stateWith({"lock:attempts", "a lock:*"}), rig.monitor.now());
        QVERIFY(button->isVisible());
        QVERIFY(button->text().startsWith(u"2 keys looked like locks"));
        button->click();
        auto* dialog = rig.page.findChild<NearMissesDialog*>();
        QVERIFY(dialog != nullptr);
        auto* list = dialog->findChild<QTreeWidget*>(u"nearMissList"_s);
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(2),
                 u"its value is a number, like that of a counter"_s);
        auto* choose = dialog->findChild<QPushButton*>(u"takeForLocks"_s);
        QVERIFY(!choose->isEnabled());
        list->topLevelItem(1)->setSelected(true);
        QVERIFY(choose->isEnabled());
        choose->click();
        QCOMPARE(rig.monitor.patterns(), (std::vector<std::string>{"job:*", "a\\ lock:\\*"}));
    }
};

LOCKSCOPE_TEST(TestWatchedNames, Widgets)

} // namespace lockscope::tst_watched_names

#include "tst_watched_names.moc"
