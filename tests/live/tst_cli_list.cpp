#include "tests/live/cli_process.h"
#include "tests/live/relay.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cli_list {

using namespace lockscope::testing;

namespace {

const Bytes kUuid = "8b1a9953-c461-4296-a827-abf8c47804d7";
const Bytes kRedissonOwner = "5f0c2e1a-0d2b-4a7e-9f0e-1b2c3d4e5f60:63";

/// A lock that is fine, one that is reentered and waited for, one that is stuck, and keys that are
/// no locks.
void fill(PlainClient& client)
{
    client("SET", "lock:order:42", kUuid, "PX", 600'000, "NX");
    client("HSET", "lock:billing", kRedissonOwner, 2);
    client("PEXPIRE", "lock:billing", 600'000);
    client("SET", "job:sync:lock", "1");
    for (int i = 0; i < 50; ++i) {
        client("SET", "user:" + std::to_string(i), "somebody");
    }
}

QStringList keysIn(const Json& locks)
{
    QStringList keys;
    for (const auto& lock : locks) {
        keys.append(QString::fromStdString(lock["key"].get<std::string>()));
    }
    return keys;
}

} // namespace

class TestCliList final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void tableShowsSuspiciousLocksFirst();
    void jsonTellsEverything();
    void csvHasALinePerLock();
    void waitersAreCounted();
    void filterLetsThroughWhatMatches();
    void nothingFoundSaysWhatToTry();
    void deepLooksAtEveryName();
    void deepLeavesWhatIsNoLockAsUnusedAsItWas();
    void patternsNameLocksOfTheUser();
    void binaryKeysAndOwnersAreEscaped();
    void redlockOfThreeMastersIsOneRow();
    void leftoverOnAMinorityIsFlagged();
    void aServerThatIsGivenTwiceHasOneVote();
    void serverKilledInTheMiddleGivesNoList_data();
    void serverKilledInTheMiddleGivesNoList();
    void missingScanPermissionIsNamed();
    void keysThatMayNotBeReadAreCounted();
    void aMissingPermissionForOneCommandIsNoCompleteList();
    void aCommandTheServerDoesNotKnowIsNoCompleteList();
    void aStuckLockIsListedWhateverItsOwnerIsCalled();
    void nearMissesAreCountedAndListed();
    void waitersOfAFairLockAreThoseInItsQueue();
    void missingExtrasOnlyLeaveGaps();
    void aReaderThatLeavesEndsItQuietly();
    void aFullDiskIsReported();
};

void TestCliList::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliList::tableShowsSuspiciousLocksFirst()
{
    LiveServer server;
    fill(server.client());
    CliProcess cli;
    const CliResult result = cli.run(words("list") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.diagnostics, QByteArray("scanned 53 of 53 keys, 3 locks\n"));
    const QList<QByteArray> lines = result.output.split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith("   KEY "));
    QVERIFY2(lines[1].startsWith("?  job:sync:lock ") && lines[1].endsWith("no expiry"),
             lines[1].constData());
    QVERIFY(lines[2].startsWith("   lock:billing "));
    QVERIFY(lines[3].startsWith("   lock:order:42 "));
    for (const QByteArray& line : lines) {
        QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
    }
}

void TestCliList::jsonTellsEverything()
{
    LiveServer server;
    fill(server.client());
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    const Json locks = result.json();
    QCOMPARE(keysIn(locks), words("job:sync:lock lock:billing lock:order:42"));
    const Json& billing = locks[1];
    QCOMPARE(text(billing["server"]), text(store::serverName(server.endpoint())));
    QCOMPARE(text(billing["db"]), text(0));
    QCOMPARE(text(billing["format"]), text("redisson-lock"));
    QCOMPARE(text(billing["mode"]), text("exclusive"));
    QCOMPARE(text(billing["holders"][0]["owner"]), text(kRedissonOwner));
    QCOMPARE(text(billing["holders"][0]["holds"]), text(2));
    QVERIFY(billing["ttlMs"] > 500'000 && billing["ttlMs"] <= 600'000);
    QVERIFY(billing["waiters"].is_null()); // who waits for a spin lock does not listen
    QVERIFY(locks[0]["ttlMs"].is_null());
    QCOMPARE(text(locks[0]["flags"]), text(Json::array({"no-expiry"})));
    QVERIFY(locks[0]["holders"][0]["owner"].is_null());
    QVERIFY(locks[2]["waiters"].is_null());
}

void TestCliList::csvHasALinePerLock()
{
    LiveServer server;
    fill(server.client());
    CliProcess cli;
    const CliResult result = cli.run(words("list --format csv") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    const QList<QByteArray> lines = result.output.split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines[0].startsWith("server,db,key,format,"));
    QVERIFY(lines[1].contains(",0,job:sync:lock,flag,"));
    QVERIFY(lines[3].contains(",0,lock:order:42,token,"));
    QVERIFY(lines[4].isEmpty());
}

void TestCliList::waitersAreCounted()
{
    LiveServer server;
    fill(server.client());
    PlainClient waiter(server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{lock:billing}");
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json --filter waiters>0")
                                     + urlOption(server.endpoint()));
    QCOMPARE(keysIn(result.json()), words("lock:billing"));
    QCOMPARE(text(result.json()[0]["waiters"]["count"]), text(1));
}

void TestCliList::filterLetsThroughWhatMatches()
{
    LiveServer server;
    fill(server.client());
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json --filter")
                                     + QStringList(QStringLiteral("flag:no-expiry or holds>1"))
                                     + urlOption(server.endpoint()));
    QCOMPARE(keysIn(result.json()), words("job:sync:lock lock:billing"));
    QCOMPARE(result.diagnostics,
             QByteArray("scanned 53 of 53 keys, 3 locks, 2 match the filter\n"));
}

void TestCliList::nothingFoundSaysWhatToTry()
{
    LiveServer server;
    CliProcess cli;
    const CliResult empty = cli.run(words("list") + urlOption(server.endpoint()));
    QCOMPARE(empty.exitCode, 0);
    QVERIFY(empty.output.isEmpty());
    QCOMPARE(empty.diagnostics, QByteArray("scanned 0 of 0 keys, 0 locks\n"));
    server.client()("SET", "user:1", "x");
    QVERIFY(cli.run(words("list") + urlOption(server.endpoint())).diagnostics.contains("--deep"));
    QCOMPARE(text(cli.run(words("list --format json") + urlOption(server.endpoint())).json()),
             text(Json::array()));
}

void TestCliList::deepLooksAtEveryName()
{
    LiveServer server;
    server.client()("SET", "order:42", kUuid, "PX", 600'000);
    CliProcess cli;
    const QStringList call = words("list --format json") + urlOption(server.endpoint());
    QCOMPARE(keysIn(cli.run(call).json()), QStringList());
    QCOMPARE(keysIn(cli.run(call + words("--deep")).json()), words("order:42"));
}

/// OBJECT FREQ grows with the first use of a new key.
void TestCliList::deepLeavesWhatIsNoLockAsUnusedAsItWas()
{
    LiveServer server;
    server.client()("CONFIG", "SET", "maxmemory", "100mb");
    server.client()("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
    server.client()("SET", "page:42", Bytes(5000, 'x'));
    server.client()("RPUSH", "queue", "job");
    server.client()("SADD", "members", "alice");
    server.client()("HSET", "session", "cart", Bytes(100'000, 'x'));
    server.client()("SET", "order:42", kUuid);
    const auto useOf = [&server](const char* key) {
        return server.client()("OBJECT", "FREQ", key).integer().value_or(-1);
    };
    const std::int64_t before = useOf("page:42");
    const CliResult result = CliProcess().run(words("list --deep") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    for (const char* const key : {"page:42", "queue", "members", "session"}) {
        QVERIFY2(useOf(key) == before, key);
    }
    // What may be a lock is read, which servers before Redis 7.2 count as use: that is said.
    const bool isCounted = useOf("order:42") > before;
    QCOMPARE(result.diagnostics.contains("allkeys-lfu"), isCounted);
}

void TestCliList::patternsNameLocksOfTheUser()
{
    LiveServer server;
    server.client()("SET", "order:42", "worker-7");
    CliProcess cli;
    const QStringList call = words("list --format json") + urlOption(server.endpoint());
    QCOMPARE(keysIn(cli.run(call + words("--deep")).json()), QStringList());
    QCOMPARE(keysIn(cli.run(call + words("--pattern order:*")).json()), words("order:42"));
}

void TestCliList::binaryKeysAndOwnersAreEscaped()
{
    LiveServer server;
    const Bytes key("lock:\xff\x00\n", 8);
    const Bytes owner(
        "\x12\x81\xf0\xe7\x99\x03\x41\x5c\xaa\x9e\x01\x00\xd3\x7b\x44\xfe\x20\x8f\xc1\x6d", 20);
    server.client()("SET", key, owner, "PX", 600'000);
    CliProcess cli;
    const Json locks = cli.run(words("list --format json") + urlOption(server.endpoint())).json();
    QCOMPARE(keysIn(locks), words("lock:\\xff\\x00\\x0a"));
    QCOMPARE(text(locks[0]["holders"][0]["owner"]), text(escaped(owner)));
    const CliResult table = cli.run(words("list") + urlOption(server.endpoint()));
    QVERIFY2(table.output.contains("lock:\\xff\\x00\\x0a"), table.output.constData());
}

void TestCliList::redlockOfThreeMastersIsOneRow()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    QStringList urls;
    for (LiveServer* const server : {&a, &b, &c}) {
        server->client()("SET", "lock:pay", kUuid, "PX", 600'000);
        urls += urlOption(server->endpoint());
    }
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urls);
    const Json locks = result.json();
    QCOMPARE(keysIn(locks), words("lock:pay"));
    QCOMPARE(text(locks[0]["format"]), text("redlock"));
    QCOMPARE(text(locks[0]["quorum"]["held"]), text(3));
    QCOMPARE(text(locks[0]["quorum"]["total"]), text(3));
    QVERIFY(locks[0]["flags"].empty());
    QVERIFY(cli.run(words("list") + urls).output.contains("redlock 3 of 3"));
}

void TestCliList::leftoverOnAMinorityIsFlagged()
{
    LiveServer a;
    LiveServer b;
    LiveServer c;
    b.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urlOption(a.endpoint())
                                     + urlOption(b.endpoint()) + urlOption(c.endpoint()));
    const Json locks = result.json();
    QCOMPARE(keysIn(locks), words("lock:pay"));
    QCOMPARE(text(locks[0]["quorum"]["held"]), text(1));
    QCOMPARE(text(locks[0]["flags"]), text(Json::array({"minority"})));
}

void TestCliList::aServerThatIsGivenTwiceHasOneVote()
{
    LiveServer server(LiveServer::Listen::LoopbackPort);
    server.client()("SET", "lock:pay", kUuid, "PX", 600'000);
    const QString port = QString::number(server.endpoint().port);
    const QStringList urls = {QStringLiteral("--url"), u"redis://127.0.0.1:" + port,
                              QStringLiteral("--url"), u"redis://localhost:" + port};
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urls);
    QCOMPARE(keysIn(result.json()), words("lock:pay lock:pay")); // each for itself
    for (const Json& lock : result.json()) {
        QVERIFY(!lock.contains("quorum"));
        QVERIFY(lock["flags"].empty());
        QCOMPARE(lock["confirmed"].get<bool>(), true);
    }
    QVERIFY2(result.diagnostics.contains("are the same server"), result.diagnostics.constData());
    const Json shown = cli.run(words("show lock:pay --format json") + urls).json();
    QVERIFY2(!shown["lock"].contains("quorum"), shown.dump().c_str());
}

void TestCliList::serverKilledInTheMiddleGivesNoList_data()
{
    QTest::addColumn<QByteArray>("format");
    QTest::newRow("table") << QByteArray("table");
    QTest::newRow("json") << QByteArray("json");
    QTest::newRow("csv") << QByteArray("csv");
}

void TestCliList::serverKilledInTheMiddleGivesNoList()
{
    QFETCH(const QByteArray, format);
    LiveServer server;
    server.client()("EVAL", "for i = 1, 20000 do redis.call('SET', 'user:' .. i, 'x') end", 0);
    fill(server.client());
    int scanCount = 0;
    Relay relay(server.endpoint(), [&](const QByteArray& sent) {
        scanCount += static_cast<int>(sent.count("\r\nSCAN\r\n"));
        if (scanCount == 3) {
            server.kill();
        }
    });
    CliProcess cli;
    const CliResult result = cli.run(words("list --url") + QStringList(relay.url())
                                     + QStringList{QStringLiteral("--format"),
                                                   QString::fromLatin1(format)});
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.diagnostics.contains("no list is printed because it would be incomplete"),
             result.diagnostics.constData());
    QVERIFY2(result.diagnostics.contains("The connection was closed."),
             result.diagnostics.constData());
}

void TestCliList::missingScanPermissionIsNamed()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-scan");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(words("list --format json") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 5);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(result.diagnostics.contains("ACL SETUSER <user> +scan"),
             result.diagnostics.constData());
}

void TestCliList::keysThatMayNotBeReadAreCounted()
{
    LiveServer server;
    fill(server.client());
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~lock:b*", "&*", "+@all");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(words("list --format json") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 5);
    QCOMPARE(keysIn(result.json()), words("lock:billing"));
    QVERIFY2(result.diagnostics.contains(
                 "incomplete: 2 keys may not be read. The user has no access to the key"),
             result.diagnostics.constData());
}

void TestCliList::aMissingPermissionForOneCommandIsNoCompleteList()
{
    LiveServer server;
    fill(server.client());
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-memory|usage");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(words("list --format json") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 5);
    QCOMPARE(keysIn(result.json()), words("job:sync:lock lock:order:42"));
    QVERIFY2(
        result.diagnostics.contains(
            "incomplete: 1 key may not be read. The user has no permission to run memory|usage."),
        result.diagnostics.constData());
}

void TestCliList::aCommandTheServerDoesNotKnowIsNoCompleteList()
{
    LiveServer server(LiveServer::Listen::UnixSocket,
                      {QStringLiteral("--rename-command"), QStringLiteral("TYPE"), QString()});
    fill(server.client());
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(text(result.json()), text(Json::array()));
    QVERIFY2(result.diagnostics.contains("incomplete: 3 keys could not be read (TYPE). The server "
                                         "does not know this command"),
             result.diagnostics.constData());
    QVERIFY(!result.diagnostics.contains("--deep"));
    CliProcess show;
    QCOMPARE(show.run(words("show lock:billing") + urlOption(server.endpoint())).exitCode, 1);
}

void TestCliList::aStuckLockIsListedWhateverItsOwnerIsCalled()
{
    LiveServer server;
    const std::vector<std::pair<Bytes, Bytes>> locks{
        {"job:a:lock", "worker-3:" + kUuid},
        {"分布式锁:库存", kUuid}, // tokens are more certain than names
        {"job:b:lock", "web-3:4711:12"},
        {"job:c:lock", R"({"owner":"web-3","pid":4711})"},
        {"job:d:lock", "工作节点-3"},
        {"job:e:lock", Bytes(300, 'w')},
    };
    for (const auto& [key, owner] : locks) {
        server.client()("SET", key, owner);
    }
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    const Json listed = result.json();
    QCOMPARE(listed.size(), locks.size());
    for (std::size_t i = 0; i < locks.size(); ++i) {
        QCOMPARE(text(listed[i]["key"]), text(locks[i].first));
        QCOMPARE(text(listed[i]["holders"][0]["owner"]), text(locks[i].second));
        QCOMPARE(text(listed[i]["flags"]), text(Json::array({"no-expiry"})));
    }
}

void TestCliList::nearMissesAreCountedAndListed()
{
    LiveServer server;
    server.client()("SET", "lock:attempts", "812");
    server.client()("RPUSH", "lock:log", "a");
    server.client()("SET", "lock:a", kUuid);
    CliProcess cli;
    const QStringList call = words("list --format json") + urlOption(server.endpoint());
    const CliResult result = cli.run(call);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(keysIn(result.json()), words("lock:a"));
    QVERIFY2(result.diagnostics.contains(
                 "2 keys looked like locks but were not recognised; --near-misses lists them"),
             result.diagnostics.constData());
    const CliResult misses = cli.run(call + words("--near-misses"));
    QCOMPARE(misses.exitCode, 0);
    QStringList keys = keysIn(misses.json());
    keys.sort();
    QCOMPARE(keys, words("lock:attempts lock:log"));
    QVERIFY(misses.json()[0]["why"].is_string());
    const CliResult table = cli.run(words("list --near-misses") + urlOption(server.endpoint()));
    QVERIFY2(table.output.contains("its value is a number, like that of a counter"),
             table.output.constData());
    const CliResult named = cli.run(call + words("--pattern lock:*"));
    QCOMPARE(keysIn(named.json()), words("lock:a lock:attempts lock:log"));
    QCOMPARE(text(named.json()[1]["format"]), text("named-key"));
    QVERIFY(!named.diagnostics.contains("looked like"));
}

void TestCliList::waitersOfAFairLockAreThoseInItsQueue()
{
    LiveServer server;
    fill(server.client());
    server.client()("RPUSH", "redisson_lock_queue:{lock:billing}", kUuid + ":1", kUuid + ":2");
    CliProcess cli;
    const CliResult result = cli.run(words("list --format json --filter waiters=2")
                                     + urlOption(server.endpoint()));
    QCOMPARE(keysIn(result.json()), words("lock:billing"));
    QCOMPARE(text(result.json()[0]["waiters"]["how"]), text("the queue of the lock"));
}

void TestCliList::missingExtrasOnlyLeaveGaps()
{
    LiveServer server;
    fill(server.client());
    server.client()("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-pubsub",
                    "-client", "-time", "-dbsize");
    store::Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    CliProcess cli;
    cli.setVariable("LOCKSCOPE_PASSWORD", QStringLiteral("pw"));
    const CliResult result = cli.run(words("list --format json") + urlOption(endpoint));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(keysIn(result.json()), words("job:sync:lock lock:billing lock:order:42"));
    QVERIFY(result.json()[1]["waiters"].is_null());
}

void TestCliList::aReaderThatLeavesEndsItQuietly()
{
    LiveServer server;
    fill(server.client());
    OutputPipe output;
    output.closeReader();
    CliProcess cli;
    output.attachTo(cli.process());
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.diagnostics, QByteArray("scanned 53 of 53 keys, 3 locks\n"));
}

void TestCliList::aFullDiskIsReported()
{
    LiveServer server;
    CliProcess cli;
    cli.process().setStandardOutputFile(QStringLiteral("/dev/full"));
    const CliResult result = cli.run(words("list --format json") + urlOption(server.endpoint()));
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.diagnostics.contains("No space left on device"),
             result.diagnostics.constData());
}

LOCKSCOPE_TEST(TestCliList, Core)

} // namespace lockscope::tst_cli_list

#include "tst_cli_list.moc"
