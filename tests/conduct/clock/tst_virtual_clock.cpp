// Real clients, unmodified, on a clock that the test moves: waits of 30 seconds, of every kind that
// we know of.

#include "core/conduct/clock/virtual_clock.h"
#include "tests/kernel/random_input.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace lockscope::tst_virtual_clock {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::VirtualClock;
using conduct::Waiter;
using conduct::WaitKind;

namespace {

constexpr int kPatienceMs = 30'000;
const QString kWaitingClient = QStringLiteral(LOCKSCOPE_WAITING_CLIENT);
constexpr Duration kSpan = 30s;
/// More than waits may be rounded by, so that no wait of a runtime's own that began a round earlier
/// comes to look like one of 30 seconds.
constexpr Duration kBeyond = 1500us;

/// What a client says of a wait.
struct Answer {
    double monotonic = 0; // seconds by its clocks
    double wall = 0;
    QString end; // "timeout", "ready", "signal"; of the client in C++ only
};

class Client {
public:
    explicit Client(const VirtualClock* clock)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LD_PRELOAD"_qs, QStringLiteral(LOCKSCOPE_VCLOCK));
        if (clock != nullptr) {
            environment.insert(u"LOCKSCOPE_CLOCK_PAGE"_qs, QString::fromStdString(clock->path()));
        }
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    }
    ~Client()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// What it can wait in; nothing when it does not start.
    QStringList start(const QString& program, const QStringList& arguments = {})
    {
        m_process.start(program, arguments);
        QStringList words = nextLine().split(u' ');
        return words.takeFirst() == u"ready" ? words : QStringList();
    }
    void say(const QString& line) { m_process.write(line.toUtf8() + '\n'); }
    QString nextLine()
    {
        const bool came = QTest::qWaitFor([this] { return m_process.canReadLine(); }, kPatienceMs);
        return came ? QString::fromUtf8(m_process.readLine()).trimmed() : QString();
    }
    bool hasAnswered()
    {
        return QTest::qWaitFor([this] { return m_process.canReadLine(); }, 0);
    }
    std::optional<Answer> answer()
    {
        const QStringList words = nextLine().split(u' ');
        if (words.size() < 2) {
            return std::nullopt;
        }
        return Answer{words[0].toDouble(), words[1].toDouble(), words.value(2)};
    }
    std::int32_t pid() const { return static_cast<std::int32_t>(m_process.processId()); }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

/// The wait that was begun at an instant: of all that a runtime waits for, the one of 30 seconds.
std::optional<Waiter> waiterSince(const VirtualClock& clock, Duration begun)
{
    const Duration latest = clock.isFlowing() ? clock.now() : begun + 1ms;
    for (const Waiter& waiter : clock.waiters()) {
        if (waiter.deadline >= begun + kSpan && waiter.deadline <= latest + kSpan + 1ms) {
            return waiter;
        }
    }
    return std::nullopt;
}

/// Whether the thread is where only what it waits for can wake it. A timer has none.
bool isAsleep(const Waiter& waiter)
{
    if (waiter.tid == 0) {
        return true;
    }
    QFile status(u"/proc/%1/task/%2/stat"_qs.arg(waiter.pid).arg(waiter.tid));
    return status.open(QIODevice::ReadOnly) && status.readAll().contains(") S ");
}

std::optional<Waiter> begin(VirtualClock& clock, Client& client, const QString& wait)
{
    const Duration begun = clock.now();
    client.say(wait);
    std::optional<Waiter> waiter;
    const auto waits = [&] {
        waiter = waiterSince(clock, begun);
        return waiter && isAsleep(*waiter);
    };
    return QTest::qWaitFor(waits, kPatienceMs) ? waiter : std::nullopt;
}

QString inWords(const Answer& answer)
{
    return u"%1 s, on the wall %2 s, %3"_qs.arg(answer.monotonic).arg(answer.wall).arg(answer.end);
}

bool is30Seconds(double seconds, const VirtualClock& clock)
{
    // A flowing clock goes on while a busy machine does something else.
    return seconds >= 29.9999 && seconds < (clock.isFlowing() ? 40 : 30.01);
}

/// One wait after the other, each ended by a move past its deadline and not by the one before.
/// The shortest real time from that move to the client's answer, in milliseconds.
qint64 checkWaits(VirtualClock& clock, Client& client, const QStringList& waits)
{
    qint64 quickest = kPatienceMs;
    for (const QString& wait : waits) {
        const std::optional<Waiter> waiter = begin(clock, client, wait);
        [&] { QVERIFY2(waiter, qPrintable(wait + u" has no deadline")); }();
        if (!waiter) {
            break;
        }
        clock.moveBy(waiter->deadline - clock.now() - 100ms);
        clock.moveBy(100ms - 1us);
        QElapsedTimer sinceMove;
        sinceMove.start();
        clock.moveBy(kBeyond);
        const std::optional<Answer> answer = client.answer();
        quickest = std::min(quickest, sinceMove.elapsed());
        const bool right = answer && is30Seconds(answer->monotonic, clock)
                           && is30Seconds(answer->wall, clock)
                           && (answer->end.isEmpty() || answer->end == u"timeout");
        const QString said = wait + u": " + (answer ? inWords(*answer) : u"no answer"_qs);
        [&] { QVERIFY2(right, qPrintable(said)); }();
        if (!answer) {
            break;
        }
    }
    return quickest;
}

QString clientFile(const QString& name)
{
    return inSourceTree(u"tests/conduct/clock/clients/"_qs + name);
}

QStringList withoutCancelled(QStringList waits)
{
    waits.removeIf([](const QString& wait) { return wait.startsWith(u"cancelled"); });
    return waits;
}

void addModes()
{
    QTest::addColumn<bool>("flowing");
    QTest::newRow("frozen") << false;
    QTest::newRow("flowing") << true;
}

/// Compiled once, because to run a source file takes seconds.
bool compileJava(const QString& folder)
{
    QProcess compiler;
    compiler.start(u"javac"_qs, {u"-d"_qs, folder, clientFile(u"Waits.java"_qs)});
    return compiler.waitForFinished(120'000) && compiler.exitCode() == 0;
}

} // namespace

class TestVirtualClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pythonWaitsOnIt_data();
    void pythonWaitsOnIt();
    void runtimesWaitOnIt_data();
    void runtimesWaitOnIt();
    void javaWaitsOnIt();
    void everyFunctionWaitsOnIt_data();
    void everyFunctionWaitsOnIt();
    void whatIsReadyEndsAWait();
    void waitsGoOnWhenItFlows();
    void waitsStayWhenItFreezes();
    void noSignalIsLost();
    void aBackOffIsReal();
    void twoProcessesHaveOneClock();
    void aKilledProcessIsCleared();
    void aSwitchIsNoJump();
    void itNeverGoesBack();
    void thePageIsPrivateAndGoesWithIt();
    void noClientCanShrinkThePage();
    void whatClientsWriteDoesNotMoveTheClock();
    void withoutAPageTimeIsReal();
};

void TestVirtualClock::pythonWaitsOnIt_data()
{
    addModes();
}

void TestVirtualClock::pythonWaitsOnIt()
{
    QFETCH(bool, flowing);
    VirtualClock clock;
    clock.setFlowing(flowing);
    Client client(&clock);
    const QStringList waits = client.start(u"python3"_qs, {clientFile(u"waits.py"_qs)});
    QVERIFY(waits.size() >= 10);
    QVERIFY(checkWaits(clock, client, waits) < 100);
}

void TestVirtualClock::runtimesWaitOnIt_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("file");
    for (const auto& [program, file] :
         {std::pair{"node", "waits.js"}, std::pair{"ruby", "waits.rb"},
          std::pair{"php", "waits.php"}}) {
        if (!QStandardPaths::findExecutable(QLatin1String(program)).isEmpty()) {
            QTest::newRow(program) << QString::fromLatin1(program) << QString::fromLatin1(file);
        }
    }
}

void TestVirtualClock::runtimesWaitOnIt()
{
    if (QTest::currentDataTag() == nullptr) {
        return; // none is installed
    }
    QFETCH(QString, program);
    QFETCH(QString, file);
    VirtualClock clock;
    Client client(&clock);
    const QStringList waits = client.start(program, {clientFile(file)});
    QVERIFY(waits.size() >= 4);
    QVERIFY(checkWaits(clock, client, waits) < 100);
}

void TestVirtualClock::javaWaitsOnIt()
{
    if (QStandardPaths::findExecutable(u"javac"_qs).isEmpty()) {
        return;
    }
    const QTemporaryDir folder;
    QVERIFY(compileJava(folder.path()));
    VirtualClock clock;
    Client client(&clock);
    const QStringList waits = client.start(u"java"_qs,
                                           {u"-XX:TieredStopAtLevel=1"_qs, u"-XX:+UseSerialGC"_qs,
                                            u"-cp"_qs, folder.path(), u"Waits"_qs});
    QVERIFY(waits.size() >= 8);
    QVERIFY(checkWaits(clock, client, waits) < 100);
}

void TestVirtualClock::everyFunctionWaitsOnIt_data()
{
    addModes();
}

void TestVirtualClock::everyFunctionWaitsOnIt()
{
    QFETCH(bool, flowing);
    VirtualClock clock;
    clock.setFlowing(flowing);
    Client client(&clock);
    const QStringList waits = withoutCancelled(client.start(kWaitingClient));
    QVERIFY(waits.size() >= 25);
    QVERIFY(checkWaits(clock, client, waits) < 100);
    QVERIFY(clock.waiters().empty());
}

void TestVirtualClock::whatIsReadyEndsAWait()
{
    VirtualClock clock;
    Client client(&clock);
    const QStringList waits = client.start(kWaitingClient);
    QVERIFY(waits.contains(u"cancelled_condition"_qs));
    for (const QString& wait : waits) {
        QVERIFY2(begin(clock, client, wait), qPrintable(wait));
        clock.moveBy(7s); // is no reason to lose what comes at the same time
        client.say(u"end"_qs);
        const std::optional<Answer> answer = client.answer();
        QVERIFY2(answer, qPrintable(wait));
        const QString said = wait + u": " + inWords(*answer);
        QVERIFY2(answer->monotonic == 7 && answer->end != u"timeout", qPrintable(said));
        QVERIFY2(clock.waiters().empty(), qPrintable(wait)); // the cancelled ones have left, too
    }
}

/// Frozen at first: a wait has no end, and gets one.
void TestVirtualClock::waitsGoOnWhenItFlows()
{
    VirtualClock clock;
    Client client(&clock);
    for (const QString& wait : withoutCancelled(client.start(kWaitingClient))) {
        QVERIFY2(begin(clock, client, wait), qPrintable(wait));
        clock.moveBy(kSpan - 5ms);
        clock.setFlowing(true);
        const std::optional<Answer> answer = client.answer();
        QVERIFY2(answer && is30Seconds(answer->monotonic, clock) && answer->end == u"timeout",
                 qPrintable(wait));
        clock.setFlowing(false);
    }
}

/// Flowing at first: the real end that a wait has is taken from it.
void TestVirtualClock::waitsStayWhenItFreezes()
{
    VirtualClock clock;
    Client client(&clock);
    for (const QString& wait : withoutCancelled(client.start(kWaitingClient))) {
        clock.setFlowing(true);
        const std::optional<Waiter> waiter = begin(clock, client, wait);
        QVERIFY2(waiter, qPrintable(wait));
        clock.moveBy(waiter->deadline - clock.now() - 200ms);
        clock.setFlowing(false);
        if (client.hasAnswered()) {
            QVERIFY(client.answer()); // a machine so busy that the 200 ms were over
            continue;
        }
        QElapsedTimer real;
        real.start();
        QTRY_VERIFY(real.elapsed() > 250); // all its real time
        QVERIFY2(!client.hasAnswered(), qPrintable(wait));
        clock.moveBy(200ms + kBeyond);
        const std::optional<Answer> answer = client.answer();
        QVERIFY2(answer && is30Seconds(answer->monotonic, clock), qPrintable(wait));
    }
}

void TestVirtualClock::noSignalIsLost()
{
    RandomInput random;
    VirtualClock clock;
    Client client(&clock);
    QVERIFY(!client.start(kWaitingClient).isEmpty());
    client.say(u"rounds 10000"_qs);
    QElapsedTimer patience;
    patience.start();
    while (!client.hasAnswered() && patience.elapsed() < 100'000) {
        clock.moveBy(random.rng().between(0us, 200us));
    }
    QVERIFY2(client.hasAnswered(), random.recipe().c_str());
    const QString said = client.nextLine();
    QVERIFY2(said.startsWith(u"10000 rounds, "), qPrintable(said));
    QVERIFY2(!said.endsWith(u" 0 given up"), qPrintable(said));
}

/// A spin that sleeps a millisecond at a time needs nobody who moves the clock.
void TestVirtualClock::aBackOffIsReal()
{
    VirtualClock clock;
    Client client(&clock);
    QVERIFY(!client.start(kWaitingClient).isEmpty());
    client.say(u"back off"_qs);
    QCOMPARE(client.nextLine(), u"done"_qs);
    QCOMPARE(clock.now(), Duration::zero());
}

void TestVirtualClock::twoProcessesHaveOneClock()
{
    VirtualClock clock;
    Client first(&clock);
    Client second(&clock);
    QVERIFY(!first.start(kWaitingClient).isEmpty());
    QVERIFY(!second.start(kWaitingClient).isEmpty());
    QVERIFY(begin(clock, first, u"poll"_qs));
    QCOMPARE(clock.nextDeadline(), std::optional<Duration>(30s));
    clock.moveBy(10s);
    QVERIFY(begin(clock, second, u"sleep"_qs));
    QCOMPARE(clock.nextDeadline(), std::optional<Duration>(30s));
    const std::array pids{second.pid()};
    QCOMPARE(clock.nextDeadline(pids), std::optional<Duration>(40s));
    QCOMPARE(clock.waitersOf(second.pid()).size(), std::size_t(1));
    const Waiter waiter = clock.waitersOf(first.pid()).front();
    QCOMPARE(waiter, (Waiter{first.pid(), waiter.tid, WaitKind::Poll, 30s}));
    clock.moveBy(*clock.nextDeadline() - clock.now());
    QVERIFY(first.answer());
    QCOMPARE(clock.nextDeadline(), std::optional<Duration>(40s));
    clock.moveBy(10s);
    QVERIFY(second.answer());
    QCOMPARE(clock.nextDeadline(), std::nullopt);
}

void TestVirtualClock::aKilledProcessIsCleared()
{
    VirtualClock clock;
    Client client(&clock);
    Client other(&clock);
    QVERIFY(!client.start(kWaitingClient).isEmpty());
    QVERIFY(!other.start(kWaitingClient).isEmpty());
    QVERIFY(begin(clock, client, u"select"_qs));
    clock.moveBy(1s);
    QVERIFY(begin(clock, other, u"select"_qs));
    const std::int32_t pid = client.pid();
    client.kill();
    QCOMPARE(clock.waitersOf(pid).size(), std::size_t(1));
    clock.clearSlotsOf(pid);
    QVERIFY(clock.waitersOf(pid).empty());
    QCOMPARE(clock.waiters().size(), std::size_t(1));
}

void TestVirtualClock::aSwitchIsNoJump()
{
    VirtualClock clock;
    QCOMPARE(clock.now(), Duration::zero());
    QVERIFY(!clock.isFlowing());
    clock.moveBy(5s);
    clock.setFlowing(true);
    QVERIFY(clock.now() >= 5s);
    QTRY_VERIFY(clock.now() > 5s + 20ms);
    QVERIFY(clock.now() < 60s);
    const Duration before = clock.now();
    clock.setFlowing(false);
    const Duration after = clock.now();
    QVERIFY(after >= before);
    QCOMPARE(clock.now(), after);
    clock.setFlowing(false); // changes nothing
    QCOMPARE(clock.now(), after);
}

void TestVirtualClock::itNeverGoesBack()
{
    VirtualClock clock;
    clock.moveBy(5s);
    clock.moveBy(-3s);
    QCOMPARE(clock.now(), Duration(5s));
}

void TestVirtualClock::thePageIsPrivateAndGoesWithIt()
{
    auto clock = std::make_unique<VirtualClock>();
    const QString path = QString::fromStdString(clock->path());
    QVERIFY(VirtualClock().path() != clock->path());
    QVERIFY(QFileInfo(path).symLinkTarget().contains(u"lockscope-clock"));
    QVERIFY(!(QFileInfo(path).permissions()
              & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
    clock.reset();
    QVERIFY(!QFileInfo(path).symLinkTarget().contains(u"lockscope-clock"));
}

/// Without the seals the next look at the clock would be a SIGBUS.
void TestVirtualClock::noClientCanShrinkThePage()
{
    VirtualClock clock;
    QFile page(QString::fromStdString(clock.path()));
    QVERIFY(page.open(QIODevice::ReadWrite));
    QVERIFY(!page.resize(0));
    QVERIFY(!page.resize(page.size() + 1));
    clock.moveBy(5s);
    QCOMPARE(clock.now(), Duration(5s));
    QVERIFY(clock.waiters().empty());
}

void TestVirtualClock::whatClientsWriteDoesNotMoveTheClock()
{
    VirtualClock clock;
    clock.moveBy(5s);
    QFile page(QString::fromStdString(clock.path()));
    QVERIFY(page.open(QIODevice::ReadWrite));
    QCOMPARE(page.write(QByteArray(page.size(), '\xff')), page.size());
    QVERIFY(page.flush());
    QCOMPARE(clock.now(), Duration(5s));
    QVERIFY(!clock.isFlowing());
    clock.moveBy(1s);
    QCOMPARE(clock.now(), Duration(6s));
}

void TestVirtualClock::withoutAPageTimeIsReal()
{
    constexpr const char* kProgram = "import threading, time\n"
                                     "begun = time.monotonic()\n"
                                     "time.sleep(0.02)\n"
                                     "threading.Event().wait(0.02)\n"
                                     "print(0.04 <= time.monotonic() - begun)";
    for (const QString& page : {QString(), u"/dev/shm/no-clock-page"_qs}) {
        QProcess python;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LD_PRELOAD"_qs, QStringLiteral(LOCKSCOPE_VCLOCK));
        environment.insert(u"LOCKSCOPE_CLOCK_PAGE"_qs, page);
        python.setProcessEnvironment(environment);
        python.start(u"python3"_qs, {u"-c"_qs, QString::fromLatin1(kProgram)});
        QVERIFY(python.waitForFinished());
        QCOMPARE(python.readAllStandardOutput(), QByteArray("True\n"));
        const QByteArray complaint = "no clock page: " + page.toUtf8();
        QCOMPARE(python.readAllStandardError().contains(complaint), !page.isEmpty());
    }
}

LOCKSCOPE_TEST(TestVirtualClock, Core)

} // namespace lockscope::tst_virtual_clock

#include "tst_virtual_clock.moc"
