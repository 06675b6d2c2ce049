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
    all(LockNaming::None, {"order:42", "block:7", "clock", "unlock:7", "character:warlock:3", ""});
    all(LockNaming::Clear,
        {"lock:order:42", "order:42:lock", "orders-lock", "OrderLock", "locks:stock", "mutex.mail",
         "lock:user:42", "lock:status:update:7", "{order:7}:invoice-lock", "app:importLock",
         "scheduler:leader", "leader-election", "t:lockv2:queue", "lease:shard", "qo_report_1",
         "gitlab:exclusive_lease:x", "crawler:semaphore", "分布式锁:库存"});
    all(LockNaming::Doubtful,
        {"user:42:locked", "account:42:lock", "device:7:lock", "feature:screen:lock",
         "lock:7:state", "login:lock:ada", "lock:login:ada", "settings:lock", "shard:3:leader",
         "smart-lock:7:lock"});
    all(LockNaming::Aside,
        {"user:42:locked_until", "user:42:lockedAt", "lock_screen:7:url", "theme:lock_icon",
         "lock:attempts:42", "lock_reason:7", "package-lock:lodash:sha",
         "smart-lock:7:access_token", "smartLock:7", "locker:12", "team:42:leader",
         "dhcp:lease:10.0.0.7", "car:lease:7", "leader_board", "lock:7:battery",
         "invoice:7:lock_version", "cart:x7mtx2Qa91", "cart:aQ4Lock9xT7bL2vN", "yarn-lock:hash"});
}

void TestLockNaming::namesAreTold()
{
    QFETCH(LockNaming, naming);
    QVERIFY(lockNamingOf(QTest::currentDataTag()) == naming);
}

LOCKSCOPE_TEST(TestLockNaming, None)

} // namespace lockscope::tst_lock_naming

#include "tst_lock_naming.moc"
