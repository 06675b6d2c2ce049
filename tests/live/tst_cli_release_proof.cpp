#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

// A release needs to know that a key is a lock, and what a number in it means.
namespace lockscope::tst_cli_release_proof {

using namespace lockscope::testing;

namespace {

QStringList releaseCall(const char* key, const Bytes& owner, const store::Endpoint& endpoint)
{
    return words("release --follow 0s")
           + QStringList{QString::fromUtf8(key), QStringLiteral("--owner"),
                         QString::fromStdString(owner)}
           + urlOption(endpoint);
}

bool exists(LiveServer& server, const Bytes& key)
{
    return server.client()("EXISTS", key).integer() == 1;
}

} // namespace

class TestCliReleaseProof final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void oneOfACountIsReleasedAlone();
    void aLoneNumberIsTheOwner();
    void plainDataNeedsAWord();
};

void TestCliReleaseProof::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliReleaseProof::oneOfACountIsReleasedAlone()
{
    LiveServer server;
    const Bytes file = "oc1/lockfiles/7d0f2f1b7d0f2f1b7d0f2f1b7d0f2f1c";
    CliProcess cli;
    for (const Bytes& key : {file, Bytes("lock:mailer")}) {
        const QStringList decision = key == file ? QStringList() : words("--as holder-count");
        server.client()("SET", key, "3", "PX", 600'000);
        const CliResult one = cli.run(releaseCall(key.c_str(), "3", server.endpoint()) + decision);
        QVERIFY2(one.exitCode == 0, one.diagnostics.constData());
        QVERIFY2(one.output.contains("only one of 3 holds"), one.output.constData());
        QCOMPARE(*server.client()("GET", key).text(), Bytes("2"));
        QVERIFY(*server.client()("PTTL", key).integer() > 500'000);
        const auto all = words("release --all --follow 0s")
                         + QStringList(QString::fromStdString(key)) + urlOption(server.endpoint());
        QCOMPARE(cli.run(all + decision).exitCode, 0);
        QVERIFY(!exists(server, key)); // a 0 that stays would block clients that acquire by SET NX
    }
}

void TestCliReleaseProof::aLoneNumberIsTheOwner()
{
    LiveServer server;
    CliProcess cli;
    server.client()("SET", "lock:showtime:5:seat:12", "42", "EX", 300);
    const CliResult all = cli.run(words("release lock:showtime:5:seat:12 --all")
                                  + urlOption(server.endpoint()));
    QCOMPARE(all.exitCode, 5);
    QCOMPARE(*server.client()("GET", "lock:showtime:5:seat:12").text(), Bytes("42"));
    const CliResult other = cli.run(releaseCall("lock:showtime:5:seat:12", "41",
                                                server.endpoint()));
    QCOMPARE(other.exitCode, 3);
    const CliResult one = cli.run(releaseCall("lock:showtime:5:seat:12", "42", server.endpoint()));
    QVERIFY2(one.exitCode == 0, one.diagnostics.constData());
    QVERIFY(!exists(server, "lock:showtime:5:seat:12"));
}

void TestCliReleaseProof::plainDataNeedsAWord()
{
    LiveServer server;
    CliProcess cli;
    server.client()("SET", "config:mode", "production");
    const QStringList call = releaseCall("config:mode", "production", server.endpoint());
    const CliResult refused = cli.run(call);
    QCOMPARE(refused.exitCode, 5);
    QVERIFY2(refused.diagnostics.contains("probably data")
                 && refused.diagnostics.contains(
                     "lockscope-cli release config:mode --owner production --as token --url"),
             refused.diagnostics.constData());
    QVERIFY(exists(server, "config:mode"));
    QCOMPARE(cli.run(call + words("--dry-run")).exitCode, 5);

    const CliResult other = cli.run(call + words("--as redis-py"));
    QCOMPARE(other.exitCode, 5);
    QVERIFY2(other.diagnostics.contains("does not fit that format. What fits it: token"),
             other.diagnostics.constData());
    QCOMPARE(cli.run(call + words("--as nothing")).exitCode, 2);
    QVERIFY(exists(server, "config:mode"));

    QCOMPARE(cli.run(call + words("--as token")).exitCode, 0);
    QVERIFY(!exists(server, "config:mode"));
}

LOCKSCOPE_TEST(TestCliReleaseProof, Core)

} // namespace lockscope::tst_cli_release_proof

#include "tst_cli_release_proof.moc"
