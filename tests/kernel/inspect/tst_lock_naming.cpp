#include "core/kernel/inspect/lock_naming.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

Q_DECLARE_METATYPE(lockscope::inspect::LockNaming)

// Names with a word for a lock in them: which of them are names of locks.
namespace lockscope::tst_lock_naming {

using namespace lockscope::inspect;

class TestLockNaming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreTold_data();
    void namesAreTold();
};

void TestLockNaming::namesAreTold_data()
{
    QTest::addColumn<LockNaming>("naming");
    const auto all = [](LockNaming naming, std::initializer_list<const char*> names) {
        for (const char* const name : names) {
            QTest::newRow(name) << naming;
        }
    };
    all(LockNaming::None,
        {"order:42", "block:7", "clock", "unlock:7", "character:warlock:3", "flock:7", "bullock:3",
         "timelock:9", "门锁:7", "锁屏:7", "ロック音楽:7", ""});
    all(LockNaming::Clear, {"lock:order:42",
                            "order:42:lock",
                            "orders-lock",
                            "OrderLock",
                            "locks:stock",
                            "mutex.mail",
                            "lock:user:42",
                            "lock:status:update:7",
                            "{order:7}:invoice-lock",
                            "app:importLock",
                            "scheduler:leader",
                            "leader-election",
                            "t:lockv2:queue",
                            "lease:shard",
                            "qo_report_1",
                            "gitlab:exclusive_lease:x",
                            "crawler:semaphore",
                            "分布式锁:库存",
                            "app:lock:page:42",
                            "lock:price:42",
                            "silverLock:7",
                            "metrics:lock",
                            "report-42-7-lock"});
    all(LockNaming::Doubtful,
        {"user:42:locked", "account:42:lock", "device:7:lock", "feature:screen:lock",
         "lock:7:state", "login:lock:ada", "lock:login:ada", "settings:lock", "shard:3:leader",
         "smart-lock:7:lock", "lock:7:invoice:3", "canal:lock:7", "lease:7", "leaders:weekly",
         "lock:ip:10.0.0.7", "stats:lock:mail", "railway:semaphore:7"});
    all(LockNaming::Aside, {"user:42:locked_until",
                            "user:42:lockedAt",
                            "lock_screen:7:url",
                            "theme:lock_icon",
                            "lock:attempts:42",
                            "lock_reason:7",
                            "package-lock:lodash:sha",
                            "smart-lock:7:access_token",
                            "smartLock:7",
                            "locker:12",
                            "team:42:leader",
                            "dhcp:lease:10.0.0.7",
                            "car:lease:7",
                            "leader_board",
                            "lock:7:battery",
                            "invoice:7:lock_version",
                            "cart:x7mtx2Qa91",
                            "cart:aQ4Lock9xT7bL2vN",
                            "yarn-lock:hash",
                            "canal-lock:7",
                            "lock:7:room",
                            "lock:5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:owner",
                            "lock_box:7",
                            "lease:7:tenant",
                            "property:7:lease",
                            "auction:7:leader",
                            "sess:aXq-Lock_9xT7bL2vN-qR4t"});
}

void TestLockNaming::namesAreTold()
{
    QFETCH(LockNaming, naming);
    QVERIFY(lockNamingOf(QTest::currentDataTag()) == naming);
}

LOCKSCOPE_TEST(TestLockNaming, None)

} // namespace lockscope::tst_lock_naming

#include "tst_lock_naming.moc"
