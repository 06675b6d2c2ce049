#include "core/wire/audit_file.h"
#include "core/wire/process_author.h"
#include "core/wire/watch/redis_monitor.h"
#include "core/wire/watch/redis_release_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_rig.h"
#include "ui/models/locks/activity_model.h"
#include "ui/widgets/locks/activity_panel.h"
#include "ui/widgets/locks/locks_controller.h"
#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/servers/server_tabs.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_several_servers {

using namespace lockscope::testing;
using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 30'000;

} // namespace

/// The window as it is, with real servers, monitors and desks.
class TestSeveralServers : public QObject {
    Q_OBJECT

    struct Bench {
        QTemporaryDir folder;
        LiveServer first;
        LiveServer second;
        std::unique_ptr<test::WindowRig> rig =
            std::make_unique<test::WindowRig>(folder.filePath(u"settings.ini"_s), [this] {
                return service::WatchServices{
                    std::make_unique<wire::RedisMonitor>(),
                    std::make_unique<wire::RedisReleaseDesk>(
                        std::make_unique<wire::AuditFile>(folder.filePath(u"audit.jsonl"_s)),
                        wire::authorOfProcess("test 1"))};
            });

        Bench()
        {
            for (LiveServer* const server : {&first, &second}) {
                server->client()("SET", "job:nightly:lock", "1");
            }
        }
        LocksController& locks() const { return rig->pages->locks; }
        ServerTabBar& tabs() const { return *rig->window->findChild<ServerTabBar*>(); }
        LockTableView& table() const
        {
            const auto pages = rig->window->findChildren<LocksPage*>();
            const auto shown = std::ranges::find_if(pages, [](LocksPage* page) {
                return page->isVisible();
            });
            return (*shown)->table();
        }
        int rowCount() const { return table().model()->rowCount(); }
        void open(const LiveServer& server) const { locks().openServers({server.endpoint()}); }
        QStringList activity() const
        {
            QStringList lines;
            for (const auto* const panel : rig->window->findChildren<ActivityPanel*>()) {
                const QAbstractItemModel* const log = panel->model();
                for (int row = 0; panel->isVisible() && row < log->rowCount(); ++row) {
                    lines += log->index(row, models::ActivityModel::KeyColumn).data().toString();
                }
            }
            return lines;
        }
    };

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }

    void rowsAndHistoryOfTheOtherServerAreKept()
    {
        Bench bench;
        bench.open(bench.first);
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 1, kPatienceMs);
        bench.open(bench.second);
        QCOMPARE(bench.tabs().count(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 1, kPatienceMs);
        bench.first.client()("SET", "job:weekly:lock", "1", "PX", "600000");
        bench.first.client()("SET", "job:last:lock", "1", "PX", "600000");
        bench.tabs().setCurrentIndex(0);
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 3, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(bench.activity().contains(u"job:weekly:lock"_s), kPatienceMs);
        bench.tabs().setCurrentIndex(1);
        QCOMPARE(bench.rowCount(), 1);
        QVERIFY(!bench.activity().contains(u"job:weekly:lock"_s));
    }

    void aReleaseLeavesTheOtherServerAlone()
    {
        Bench bench;
        bench.open(bench.first);
        bench.open(bench.second);
        bench.tabs().setCurrentIndex(0);
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 1, kPatienceMs);
        bench.table().setCurrentLock({0, "job:nightly:lock"});
        releaseActionOf(*bench.rig->window)->trigger();
        auto* const dialog = bench.rig->window->findChild<QDialog*>(u"releaseDialog"_s);
        QVERIFY(dialog != nullptr);
        auto* const typed = dialog->findChild<QLineEdit*>(u"confirmEdit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(typed->isVisible(), kPatienceMs);
        QTest::keyClicks(typed, u"job:nightly:lock"_s);
        auto* const execute = dialog->findChild<QPushButton*>(u"executeButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(execute->isEnabled(), kPatienceMs);
        execute->click();
        QTRY_COMPARE_WITH_TIMEOUT(bench.first.client()("EXISTS", "job:nightly:lock").integer(), 0,
                                  kPatienceMs);
        QCOMPARE(bench.second.client()("EXISTS", "job:nightly:lock").integer(), 1);
    }

    void closingWhileTheServerIsBusyEndsItsWatchOnly()
    {
        Bench bench;
        bench.open(bench.first);
        bench.open(bench.second);
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 1, kPatienceMs);
        QVERIFY(bench.locks().closeServers({bench.first.endpoint()}));
        bench.second.client()("SET", "job:weekly:lock", "1", "PX", "600000");
        QTRY_COMPARE_WITH_TIMEOUT(bench.rowCount(), 2, kPatienceMs);
    }

private:
    /// That of the tab that is shown is in the menus.
    static QAction* releaseActionOf(const MainWindow& window)
    {
        for (const QMenu* const menu : window.findChildren<QMenu*>()) {
            for (QAction* const entry : menu->actions()) {
                if (entry->objectName() == u"actionRelease") {
                    return entry;
                }
            }
        }
        return nullptr;
    }
};

LOCKSCOPE_TEST(TestSeveralServers, Widgets)

} // namespace lockscope::tst_several_servers

#include "tst_several_servers.moc"
