#include "app/demo/demo_world.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/types.h>

#include <algorithm>
#include <csignal>
#include <memory>
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

/// How many TCP ports the process listens on.
int listeningPortsOf(qint64 processId)
{
    std::set<QByteArray> sockets; // of the process
    const QDir files(QStringLiteral("/proc/%1/fd").arg(processId));
    for (const QFileInfo& file : files.entryInfoList(QDir::Files | QDir::System)) {
        const QByteArray target = QFile::encodeName(QFile(file.filePath()).symLinkTarget());
        const qsizetype at = target.indexOf("socket:[");
        if (at >= 0) {
            sockets.insert(target.mid(at + 8).chopped(1));
        }
    }
    constexpr int kStateField = 3;
    constexpr int kInodeField = 9;
    int count = 0;
    for (const char* const name : {"tcp", "tcp6"}) {
        QFile table(QStringLiteral("/proc/%1/net/").arg(processId) + QLatin1StringView(name));
        if (!table.open(QIODevice::ReadOnly)) {
            continue;
        }
        for (const QByteArray& line : table.readAll().split('\n')) {
            const QList<QByteArray> fields = line.simplified().split(' ');
            count += fields.value(kStateField) == "0A"
                             && sockets.contains(fields.value(kInodeField))
                         ? 1
                         : 0;
        }
    }
    return count;
}

/// `lockscope --demo` with a home and a folder for temporary files of its own.
struct DemoProgram {
    QTemporaryDir home;
    QTemporaryDir temporary;
    std::unique_ptr<QProcess> program = std::make_unique<QProcess>();

    /// The process of its server once the program runs; 0 if it does not start.
    qint64 startedServer() const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
        environment.insert(QStringLiteral("TMPDIR"), temporary.path());
        program->setProcessEnvironment(environment);
        program->start(QStringLiteral(LOCKSCOPE_PROGRAM), {QStringLiteral("--demo")});
        std::optional<qint64> server;
        const bool isRunning = QTest::qWaitFor(
            [&] { return (server = serverChildOf(program->processId())).has_value(); }, 30'000);
        return isRunning ? *server : 0;
    }
    QStringList folders() const
    {
        return QDir(temporary.path()).entryList({QStringLiteral("lockscope-*")}, QDir::Dirs);
    }
};

} // namespace

class TestDemo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfLockIsThere();
    void noOtherUserReachesTheServer();
    void theServerDiesWithAProgramThatIsKilled();
    void aSignalQuitsTheWindowInOrder_data();
    void aSignalQuitsTheWindowInOrder();
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

void TestDemo::noOtherUserReachesTheServer()
{
    app::DemoWorld demo;
    QSignalSpy ready(&demo, &app::DemoWorld::ready);
    demo.start();
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, 30'000);
    const auto endpoint = ready.front().front().value<store::Endpoint>();
    QCOMPARE(endpoint.transport, store::Endpoint::Transport::UnixSocket);
    const QFileInfo folder(QFileInfo(QString::fromStdString(endpoint.socketPath)).absolutePath());
    QCOMPARE(folder.permissions() & ~(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser),
             QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const auto server = serverChildOf(QCoreApplication::applicationPid());
    QVERIFY(server.has_value());
    QCOMPARE(listeningPortsOf(*server), 0);
}

void TestDemo::theServerDiesWithAProgramThatIsKilled()
{
    const DemoProgram demo;
    const qint64 server = demo.startedServer();
    QVERIFY(server > 0);
    QCOMPARE(demo.folders().size(), 1);
    demo.program->kill();
    QTRY_COMPARE_WITH_TIMEOUT(demo.program->state(), QProcess::NotRunning, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(server), 30'000);
    QCOMPARE(demo.folders().size(), 1);

    const QStringList left = demo.folders();
    QVERIFY(demo.startedServer() > 0); // another one, which removes what the first one left
    QCOMPARE(demo.folders().size(), 1);
    QVERIFY(demo.folders() != left);
}

void TestDemo::aSignalQuitsTheWindowInOrder_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestDemo::aSignalQuitsTheWindowInOrder()
{
    QFETCH(const int, signalNumber);
    const DemoProgram demo;
    const qint64 server = demo.startedServer();
    QVERIFY(server > 0);
    QCOMPARE(::kill(static_cast<pid_t>(demo.program->processId()), signalNumber), 0);
    QTRY_COMPARE_WITH_TIMEOUT(demo.program->state(), QProcess::NotRunning, 30'000);
    QCOMPARE(demo.program->exitStatus(), QProcess::NormalExit);
    QCOMPARE(demo.program->exitCode(), 0);
    QVERIFY(!isAlive(server));
    QCOMPARE(demo.folders(), QStringList());
    QVERIFY(QFile::exists(demo.home.filePath(QStringLiteral("lockscope/lockscope.ini"))));
}

LOCKSCOPE_TEST(TestDemo, Widgets)

} // namespace lockscope::tst_demo

#include "tst_demo.moc"
