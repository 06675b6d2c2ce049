#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_show {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
const Bytes kRedissonOwner = "5f0c2e1a-0d2b-4a7e-9f0e-1b2c3d4e5f60:63";

void verifyAllIn(const QByteArray& output, std::initializer_list<const char*> parts)
{
    for (const char* const part : parts) {
        QVERIFY2(output.contains(part),
                 QByteArray(QByteArray(part) + " is missing in:\n" + output).constData());
    }
}

} // namespace

class TestCliShow final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aStuckLockIsExplained();
    void aLibrarysLockIsExplained();
    void jsonTellsEverything();
    void waitersAndClientsAreLookedUp();
    void aMissingKeyEndsWithAlreadyGone();
    void whatIsNoLockIsShownAsItIs();
    void aNameNeedNotSoundLikeALock();
    void binaryNamesRoundTrip();
    void redlockSetsAreFolded();
    void theOtherLocksOfTheOwnerAreNamed();
    void theReleaseCallWorksAsPrinted();
    void aMissingPermissionIsNamed();
    void nothingIsWritten();
};

void TestCliShow::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliShow::aStuckLockIsExplained()
{
    LiveServer server;
    server.client()("SET", "job:sync:lock", "1");
    CliProcess cli;
    const CliResult result = cli.run(words("show job:sync:lock") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    verifyAllIn(result.output,
                {"job:sync:lock on ", "Possibly stuck: it never expires\n", "May be wrong",
                 "flag (low confidence)", "not recorded", "string, 1 byte, no expiry", "\"1\"",
                 "Recognised by\n", "the name looks like a lock", "To release it\n",
                 "lockscope-cli release job:sync:lock --owner 1 --url unix:///",
                 "EVAL SCRIPT 1 job:sync:lock"});
}

void TestCliShow::aLibrarysLockIsExplained()
{
    LiveServer server;
    server.client()("HSET", "lock:billing", kRedissonOwner, 2);
    server.client()("PEXPIRE", "lock:billing", 600'000);
    CliProcess cli;
    const CliResult result = cli.run(words("show lock:billing") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    verifyAllIn(result.output, {"redisson-lock (high confidence)", "Redisson", "held 2 times",
                                "waiters     not visible: nothing listens, but clients may poll",
                                "hash, 1 field, expires in 9 m 5",
                                "Publish \"0\" to redisson_lock__channel:{lock:billing}"});
}

void TestCliShow::jsonTellsEverything()
{
    LiveServer server;
    server.client()("HSET", "lock:billing", kRedissonOwner, 2);
    CliProcess cli;
    const CliResult result = cli.run(words("show lock:billing --format json")
                                     + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.diagnostics.isEmpty());
    const Json shown = result.json();
    QCOMPARE(text(shown["lock"]["format"]), text("redisson-lock"));
    QCOMPARE(text(shown["verdict"]["severity"]), text(2));
    QCOMPARE(text(shown["keys"][0]["type"]), text("hash"));
    QCOMPARE(text(shown["keys"][0]["fields"][0]["name"]), text(kRedissonOwner));
    QCOMPARE(text(shown["keys"][0]["fields"][0]["value"]), text("2"));
    QVERIFY(shown["keys"][0]["ttlMs"].is_null());
    QCOMPARE(text(shown["readings"][0]["confidence"]), text("medium"));
    QCOMPARE(text(shown["release"]["command"][0]), text("EVAL"));
    QCOMPARE(text(shown["release"]["publishes"]["channel"]),
             text("redisson_lock__channel:{lock:billing}"));
    QVERIFY(shown["releaseCall"].get<std::string>().starts_with(
        "lockscope-cli release lock:billing --owner " + kRedissonOwner));
}

void TestCliShow::waitersAndClientsAreLookedUp()
{
    LiveServer server;
    PlainClient waiter(server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{lock:billing}");
    PlainClient holder(server.endpoint());
    holder("CLIENT", "SETNAME", "billing-5f0c2e1a-0d2b-4a7e-9f0e-1b2c3d4e5f60");
    holder("HSET", "lock:billing", kRedissonOwner, 1);
    CliProcess cli;
    const Json shown =
        cli.run(words("show lock:billing --format json") + urlOption(server.endpoint())).json();
    QCOMPARE(text(shown["lock"]["waiters"]["count"]), text(1));
}

void TestCliShow::aMissingKeyEndsWithAlreadyGone()
{
    LiveServer server;
    CliProcess cli;
    const CliResult people = cli.run(words("show lock:none") + urlOption(server.endpoint()));
    QCOMPARE(people.exitCode, 4);
    QCOMPARE(people.output, QByteArray());
    QCOMPARE(people.diagnostics, QByteArray("lockscope-cli: there is no key \"lock:none\"\n"));
    const CliResult programs = cli.run(words("show lock:none --format json")
                                       + urlOption(server.endpoint()));
    QCOMPARE(programs.exitCode, 4);
    QVERIFY(programs.json()["lock"].is_null());
    QVERIFY(programs.json()["keys"].empty());
}

void TestCliShow::whatIsNoLockIsShownAsItIs()
{
    LiveServer server;
    server.client()("RPUSH", "queue", "a", "b");
    CliProcess cli;
    const CliResult result = cli.run(words("show queue") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    verifyAllIn(result.output, {"Not recognised as a lock.", "queue: list"});
    QVERIFY(cli.run(words("show queue --format json") + urlOption(server.endpoint()))
                .json()["lock"]
                .is_null());
}

void TestCliShow::aNameNeedNotSoundLikeALock()
{
    LiveServer server;
    server.client()("SET", "order:42", "worker-7");
    CliProcess cli;
    const CliResult result = cli.run(words("show order:42 --format json")
                                     + urlOption(server.endpoint()));
    QVERIFY2(result.json()["lock"].is_object(), result.output.constData());
}

void TestCliShow::binaryNamesRoundTrip()
{
    LiveServer server;
    const Bytes key("lock:\xff\x00", 7);
    server.client()("SET", key, kUuid);
    CliProcess cli;
    const QString name = QString::fromStdString(escaped(key));
    const Json shown = cli.run(words("show --format json") + QStringList(name)
                               + urlOption(server.endpoint()))
                           .json();
    QCOMPARE(text(shown["key"]), text("lock:\\xff\\x00"));
    QCOMPARE(text(shown["lock"]["holders"][0]["owner"]), text(kUuid));
}

void TestCliShow::redlockSetsAreFolded()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    QStringList urls;
    for (LiveServer* const server : {&a, &b, &c}) {
        urls += urlOption(server->endpoint());
    }
    a.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    b.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    CliProcess cli;
    const CliResult people = cli.run(words("show lock:pay") + urls);
    verifyAllIn(people.output, {"redlock 2 of 3", "To release it"});
    QCOMPARE(people.output.count(" --url unix:///"), 3);
    const Json shown = cli.run(words("show lock:pay --format json") + urls).json();
    QCOMPARE(text(shown["lock"]["quorum"]["held"]), text(2));
    QCOMPARE(shown["keys"].size(), 2U);
}

void TestCliShow::theOtherLocksOfTheOwnerAreNamed()
{
    LiveServer server;
    for (const Bytes key : {"lock:a", "lock:b", "lock:c"}) {
        server.client()("SET", key, kUuid, "PX", 600'000);
    }
    CliProcess cli;
    const CliResult people = cli.run(words("show lock:b") + urlOption(server.endpoint()));
    verifyAllIn(people.output,
                {"The same owner also holds lock:a and lock:c.",
                 "lockscope-cli release lock:a --owner", "lockscope-cli release lock:c --owner"});
    const Json shown =
        cli.run(words("show lock:b --format json") + urlOption(server.endpoint())).json();
    QCOMPARE(text(shown["lock"]["holders"][0]["alsoHolds"]["keys"]),
             text(Json::array({"lock:a", "lock:c"})));
    QCOMPARE(shown["releaseCallsOfOthers"].size(), 2U);
    const Json listed =
        cli.run(words("list --filter tied>0 --format json") + urlOption(server.endpoint())).json();
    QCOMPARE(listed.size(), 3U);
}

void TestCliShow::theReleaseCallWorksAsPrinted()
{
    LiveServer server;
    for (const Bytes& key : {Bytes("lock:plain"), Bytes("lock: it's \"odd\""), Bytes("-lock:dash"),
                             Bytes("lock:\xff\x01")}) {
        server.client()("SET", key, kUuid, "PX", 600'000);
        CliProcess cli;
        const Json shown = cli.run(words("show --format json") + urlOption(server.endpoint())
                                   + QStringList{QStringLiteral("--"),
                                                 QString::fromStdString(escaped(key))})
                               .json();
        QString call = QString::fromStdString(shown["releaseCall"].get<std::string>());
        QVERIFY(call.startsWith(QStringLiteral("lockscope-cli ")));
        call.replace(0, qstrlen("lockscope-cli"),
                     cli.process().program() + QStringLiteral(" --follow 0s"));
        cli.process().setProgram(QStringLiteral("/bin/sh"));
        const CliResult released = cli.run({QStringLiteral("-c"), call});
        QVERIFY2(released.exitCode == 0,
                 QByteArray(call.toUtf8() + '\n' + released.diagnostics).constData());
        QCOMPARE(server.client()("EXISTS", key).integer(), std::optional<std::int64_t>(0));
    }
}

void TestCliShow::aMissingPermissionIsNamed()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid);
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-getrange");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(words("show lock:a") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("ACL SETUSER <user> +getrange"),
             result.diagnostics.constData());
}

void TestCliShow::nothingIsWritten()
{
    LiveServer server;
    server.client()("SET", "lock:a", kUuid);
    server.client()("CONFIG", "RESETSTAT");
    CliProcess cli;
    QCOMPARE(cli.run(words("show lock:a") + urlOption(server.endpoint())).exitCode, 0);
    QCOMPARE(server.callCount("eval"), 0);
    QCOMPARE(server.callCount("del"), 0);
    QVERIFY(!QFile::exists(cli.auditFile()));
}

LOCKSCOPE_TEST(TestCliShow, Core)

} // namespace lockscope::tst_cli_show

#include "tst_cli_show.moc"
