#include "app/demo/demo_world.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace lockscope::tst_demo {

using lockscope::testing::LiveWatch;

namespace {

/// The redis-server that is a child of this process; nullopt when there is none.
std::optional<qint64> serverChildOf(qint64 parentId)
{
    const QString path = QStringLiteral("/proc/%1/task/%1/children").arg(parentId);
    QFile children(path);
    if (!children.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    for (const QByteArray& child : children.readAll().simplified().split(' ')) {
        QFile name(QStringLiteral("/proc/%1/comm").arg(QString::fromLatin1(child)));
        if (name.open(QIODevice::ReadOnly) && name.readAll().startsWith("redis-server")) {
            return child.toLongLong();
        }
    }
    return std::nullopt;
}

bool isAlive(qint64 processId)
{
    return QFile::exists(QStringLiteral("/proc/%1").arg(processId));
}

} // namespace

class TestDemo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfLockIsThere();
    void theServerDiesWithAProgramThatIsKilled();
};

void TestDemo::everyKindOfLockIsThere()
{
    app::DemoWorld demo;
    std::optional<LiveWatch> watch;
    QSignalSpy failed(&demo, &app::DemoWorld::failed);
    connect(&demo, &app::DemoWorld::ready, this, [&watch](const store::Endpoint& endpoint) {
        watch.emplace(std::vector<store::Endpoint>{endpoint});
    });
    demo.start();
    QTRY_VERIFY(watch.has_value() || !failed.isEmpty());
    QVERIFY(failed.isEmpty());
    std::set<std::string> formats;
    const auto hasAll = [&] {
        for (const inspect::LockChange& change : watch->changes()) {
            formats.emplace(change.lock->format());
        }
        const std::set<std::string> wanted = {"flag",           "expiry-stamp",  "token",
                                              "reentrant-hash", "redisson-lock", "rw-hash-stamps",
                                              "rw-two-keys"};
        return std::includes(formats.begin(), formats.end(), wanted.begin(), wanted.end());
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasAll(), 30'000);

    const inspect::LockPtr stuck = watch->row("job:nightly-sync:lock");
    QVERIFY(stuck != nullptr);
    QVERIFY(stuck->flags.has(inspect::Flag::NoExpiry));
    // Its owner died as well, and by its own stamp the hold is over.
    const auto isOrphaned = [&] {
        const inspect::LockPtr lock = watch->row("lock.legacy-import");
        return lock && lock->flags.has(inspect::Flag::Stale);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOrphaned(), 30'000);
    // One client holds the contended lock, and the others sleep on its channel.
    const auto hasWaiters = [&] {
        const inspect::LockPtr lock = watch->row("billing:run:lock");
        return lock && lock->waiters.value_or(0) > 1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasWaiters(), 30'000);
    // Its owner is a client program, whose connection says so.
    const auto isHolderKnown = [&] {
        const inspect::LockPtr lock = watch->row("billing:run:lock");
        return lock && !lock->holders.empty() && lock->holders.front().client()
               && lock->holders.front().client()->name.starts_with("billing-");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isHolderKnown(), 30'000);
    const auto isReentered = [&] {
        const inspect::LockPtr lock = watch->row("inventory:sku-88:lock");
        return lock && lock->holds() == 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isReentered(), 60'000);
}

void TestDemo::theServerDiesWithAProgramThatIsKilled()
{
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(LOCKSCOPE_PROGRAM), {QStringLiteral("--demo")});
    QVERIFY(program.waitForStarted());
    std::optional<qint64> server;
    QTRY_VERIFY_WITH_TIMEOUT((server = serverChildOf(program.processId())).has_value(), 30'000);
    program.kill();
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(*server), 30'000);
}

LOCKSCOPE_TEST(TestDemo, Widgets)

} // namespace lockscope::tst_demo

#include "tst_demo.moc"
