#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/lying_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace lockscope::tst_cli_bounds {

using namespace lockscope::testing;
using store::Reply;

namespace {

using Lie = LyingServer::Lie;
using Lying = std::function<void(LyingServer&)>;

/// What lockscope-cli may take at most. A sanitizer keeps books of its own about every byte.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long kMegabytesMax = 800;
#else
constexpr long kMegabytesMax = 300;
#endif

/// How much memory a program has taken at most, as long as it runs. Not getrusage(): that counts
/// what the test itself had when it forked.
class PeakMemory {
public:
    explicit PeakMemory(const QProcess& process)
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, &process] {
            QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
            if (status.open(QIODevice::ReadOnly)) {
                takeStatus(status.readAll());
            }
        });
        m_timer.start(5);
    }

    long megabytes() const { return m_kilobytes / 1024; }

private:
    void takeStatus(const QByteArray& status)
    {
        const qsizetype at = status.indexOf("VmHWM:");
        if (at >= 0) {
            m_kilobytes =
                std::max(m_kilobytes,
                         status.mid(at + 6, status.indexOf("kB", at) - at - 6).trimmed().toLong());
        }
    }

    QTimer m_timer;
    long m_kilobytes = 0;
};

/// Freed memory is to be reused, or the sanitizer's own measure is measured.
void keepNoQuarantine(CliProcess& cli)
{
    QStringList options = qEnvironmentVariable("ASAN_OPTIONS").split(QLatin1Char(':'));
    options.append(QStringLiteral("quarantine_size_mb=1"));
    cli.setVariable("ASAN_OPTIONS", options.join(QLatin1Char(':')));
}

QStringList urlOf(const LyingServer& server)
{
    return {QStringLiteral("--url"), QStringLiteral("redis://127.0.0.1:%1").arg(server.port())};
}

/// The answer to SCAN is this, and from then on always that.
Lying scanSays(const QByteArray& once, const QByteArray& forEver = {})
{
    return [=](LyingServer& server) {
        server.answer("SCAN", [=](const auto&) { return Lie{once, forEver}; });
    };
}

QByteArray manyIntegers(int count)
{
    return "*2\r\n$1\r\n0\r\n*" + QByteArray::number(count) + "\r\n"
           + QByteArray(":1\r\n").repeated(count);
}

/// A page of a million locks, each of which is a string.
void aHundredThousandLocksInAPage(LyingServer& server)
{
    QByteArray page = "*2\r\n$1\r\n0\r\n*100000\r\n";
    for (int i = 0; i < 100'000; ++i) {
        page += LyingServer::bulk("lock:" + QByteArray::number(i % 1000));
    }
    server.answer("SCAN", page);
}

/// One lock whose value and every other detail is as long as can be.
void enormousDetails(LyingServer& server)
{
    QList<QByteArray> names;
    for (int i = 0; i < 100; ++i) {
        names.append("lock:" + QByteArray::number(i));
    }
    server.answer("SCAN", LyingServer::page("0", names));
    server.answer("TYPE", "+string\r\n");
    server.answer("PTTL", ":1000\r\n");
    const QByteArray megabyte = LyingServer::bulk(QByteArray(1'000'000, 'v'));
    server.answer("GETRANGE", megabyte);
}

void circlingCursor(LyingServer& server)
{
    server.answer("SCAN", [calls = 0](const auto&) mutable {
        return Lie{LyingServer::page(QByteArray::number(5 + ++calls % 7), {"lock:a"}), {}};
    });
}

/// Every one of the clients has a name of many words.
void enormousClientList(LyingServer& server)
{
    const QByteArray line = "id=1 addr=10.0.0.1:1 name=aaaaaaaaa:bbbbbbbbb:ccccccccc\n";
    const QByteArray list = LyingServer::bulk(line.repeated(100'000'000 / line.size()));
    server.answer("CLIENT", [list](const Reply::Array& words) {
        return Lie{*words[1].text() == "LIST" ? list : QByteArray("+OK\r\n"), {}};
    });
}

void oneClientWithAnEnormousName(LyingServer& server)
{
    const QByteArray list = LyingServer::bulk("id=1 addr=10.0.0.1:1 name="
                                              + QByteArray("abcdefghij:").repeated(5'000'000)
                                              + '\n');
    server.answer("CLIENT", [list](const Reply::Array& words) {
        return Lie{*words[1].text() == "LIST" ? list : QByteArray("+OK\r\n"), {}};
    });
}

} // namespace

} // namespace lockscope::tst_cli_bounds

Q_DECLARE_METATYPE(lockscope::tst_cli_bounds::Lying)

namespace lockscope::tst_cli_bounds {

/// Whatever a server says, `list` ends soon, takes a bounded amount of memory and says what was too
/// much.
class TestCliBounds final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noLieTakesTheMemory_data();
    void noLieTakesTheMemory();
    void elevenNamesOfTwentyMegabytesAreCounted();
};

void TestCliBounds::noLieTakesTheMemory_data()
{
    QTest::addColumn<Lying>("lying");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* name, Lying lying, int exitCode, const char* words) {
        QTest::newRow(name) << std::move(lying) << exitCode << QByteArray(words);
    };
    row("a string without end", scanSays("$80000000\r\n", "x"), 1, "an invalid Redis reply");
    row("a string of an exabyte", scanSays("$1152921504606846976\r\n", "x"), 1,
        "(a string of more than 512 MB)");
    row("a line without end", scanSays("+", "x"), 1, "(a line of more than 64 KB)");
    row("an error without end", scanSays("-ERR ", "x"), 1, "(a line of more than 64 KB)");
    row("arrays in arrays", scanSays({}, "*1\r\n"), 1, "(arrays nested more than 7 deep)");
    row("2^31 elements", scanSays("*2147483648\r\n", ":1\r\n"), 1,
        "(an array of more than 1000000 elements)");
    row("a million numbers for names", scanSays(manyIntegers(1'000'000)), 1, "not a string");
    row("a million numbers, again and again", scanSays("*1000000\r\n", manyIntegers(1000)), 1,
        "(a reply of more than 64 MB)");
    row("a hundred thousand locks in a page", aHundredThousandLocksInAPage, 0,
        "scanned 100,000 of 100");
    row("values of a megabyte", enormousDetails, 1,
        "(replies of more than 64 MB to one batch of commands)");
    row("a cursor that never comes back to 0", circlingCursor, 1, "it would never end");
    row("a client list of 100 MB", enormousClientList, 0, "scanned 0 of 100");
    row("a client with a name of 55 MB", oneClientWithAnEnormousName, 0, "scanned 0 of 100");
}

void TestCliBounds::noLieTakesTheMemory()
{
    QFETCH(const Lying, lying);
    QFETCH(const int, exitCode);
    QFETCH(const QByteArray, words);
    LyingServer server;
    lying(server);
    CliProcess cli;
    keepNoQuarantine(cli);
    const PeakMemory peak(cli.process());
    QElapsedTimer timer;
    timer.start();
    const CliResult result = cli.run(testing::words("list --timeout 60s") + urlOf(server));
    qInfo("%lld ms, at most %ld MB", timer.elapsed(), peak.megabytes());
    QVERIFY2(result.diagnostics.contains(words), result.diagnostics.left(1000).constData());
    QCOMPARE(result.exitCode, exitCode);
    QVERIFY(result.diagnostics.size() < 2000);
    QVERIFY(peak.megabytes() > 0);
    QVERIFY2(peak.megabytes() <= kMegabytesMax,
             QByteArray::number(static_cast<qlonglong>(peak.megabytes())).constData());
}

void TestCliBounds::elevenNamesOfTwentyMegabytesAreCounted()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
    LiveServer server;
    const Bytes script =
        "for i = 1, 11 do redis.call('SET', 'lock:' .. i .. string.rep('k', 2e7), 'v') end";
    QVERIFY(!server.client()("EVAL", script, 0).isError());
    server.client()("SET", "order:lock", "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60", "PX", 600'000);
    CliProcess cli;
    keepNoQuarantine(cli);
    const PeakMemory peak(cli.process());
    QElapsedTimer timer;
    timer.start();
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    qInfo("%lld ms, at most %ld MB", timer.elapsed(), peak.megabytes());
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("11 keys could not be read (SCAN)")
                 && result.diagnostics.contains("(names of more than 4 KB)"),
             result.diagnostics.constData());
    QCOMPARE(result.json().size(), std::size_t(1));
    QVERIFY(peak.megabytes() > 0 && peak.megabytes() <= kMegabytesMax);
}

LOCKSCOPE_TEST(TestCliBounds, Core)

} // namespace lockscope::tst_cli_bounds

#include "tst_cli_bounds.moc"
