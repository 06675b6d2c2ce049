#include "core/kernel/store/endpoint.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

Q_DECLARE_METATYPE(lockscope::store::Endpoint)

namespace lockscope::tst_endpoint {

using namespace lockscope::store;
using namespace std::string_literals;
using Transport = Endpoint::Transport;

class TestEndpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void urlsAreRead_data();
    void urlsAreRead();
    void malformedUrlsSayWhatIsWrongAndWhere_data();
    void malformedUrlsSayWhatIsWrongAndWhere();
    void noErrorRepeatsThePassword_data();
    void noErrorRepeatsThePassword();
    void noErrorRepeatsAPasswordOfDigits();
    void serverNamesHaveNoSecretsAndNoDatabase();
    void aDatabaseIsNamedWhereNothingElseDiffers();
    void mastersOfOneNameAreToldApart();
    void whatSeveralServersAreFollowsFromWhatWasSaid();
    void productionHasThreeNames();
    void theSameServerIsToldByTransportAndAddress();
    void urlsNeverContainThePassword();
    void urlsAreReadBack();
    void garbageNeverCrashesAndErrorsPointIntoTheText();
};

namespace {

Endpoint server(std::string host, std::uint16_t port = 6379, int database = 0)
{
    Endpoint endpoint;
    endpoint.host = std::move(host);
    endpoint.port = port;
    endpoint.database = database;
    return endpoint;
}

Endpoint secured(Endpoint endpoint, std::string user, std::string password)
{
    endpoint.user = std::move(user);
    endpoint.password = std::move(password);
    return endpoint;
}

Endpoint encrypted(Endpoint endpoint)
{
    endpoint.transport = Transport::Tls;
    return endpoint;
}

Endpoint trusting(Endpoint endpoint, store::TlsOptions options)
{
    endpoint.tls = std::move(options);
    return encrypted(std::move(endpoint));
}

Endpoint socketAt(std::string path, int database = 0)
{
    Endpoint endpoint;
    endpoint.transport = Transport::UnixSocket;
    endpoint.socketPath = std::move(path);
    endpoint.database = database;
    return endpoint;
}

Endpoint behind(std::vector<HostPort> sentinels, std::string masterName, std::string user = {})
{
    Endpoint endpoint;
    endpoint.sentinels = {std::move(sentinels), std::move(masterName), std::move(user)};
    return endpoint;
}

Endpoint clusterOf(std::vector<HostPort> nodes)
{
    Endpoint endpoint;
    endpoint.clusterSeeds = std::move(nodes);
    return endpoint;
}

Endpoint within(Budget budget, Endpoint endpoint)
{
    endpoint.budget = budget;
    return endpoint;
}

Endpoint fromHost(std::string sshHost, Endpoint endpoint)
{
    endpoint.sshHost = std::move(sshHost);
    return endpoint;
}

Endpoint inDatabase(Endpoint endpoint, int database)
{
    endpoint.database = database;
    return endpoint;
}

std::string errorText(const std::variant<Endpoint, UrlError>& result)
{
    const auto* const error = std::get_if<UrlError>(&result);
    return error != nullptr ? error->reason : std::string();
}

} // namespace

void TestEndpoint::urlsAreRead_data()
{
    QTest::addColumn<std::string>("url");
    QTest::addColumn<Endpoint>("endpoint");
    const auto row = [](const char* url, const Endpoint& endpoint) {
        QTest::newRow(url) << std::string(url) << endpoint;
    };
    row("redis://10.0.0.5", server("10.0.0.5"));
    row("redis://cache.example:6380/3", server("cache.example", 6380, 3));
    row("REDIS://localhost", server("localhost"));
    row("rediss://h:1", encrypted(server("h", 1)));
    row("rediss://h?ca=/etc/ca.pem", trusting(server("h"), {"/etc/ca.pem", {}, {}, {}}));
    row("rediss://h/1?cert=a%26b.pem&key=k&server-name=cache-1&ca=c",
        trusting(server("h", 6379, 1), {"c", "a&b.pem", "k", "cache-1"}));
    row("redis://h/", server("h"));
    row("redis://h:65535/2147483647", server("h", 65535, 2147483647));
    row("localhost", server("localhost"));
    row("localhost:7000", server("localhost", 7000));
    row("localhost/2", server("localhost", 6379, 2));
    row("redis:6379", server("redis"));
    row("  redis://h\t", server("h"));
    row("redis://bücher:1", server("bücher", 1));
    row("my_host:1", server("my_host", 1));
    row("redis://[::1]:7000/1", server("::1", 7000, 1));
    row("[::1]", server("::1"));
    row("redis://[fe80::1%25eth0]", server("fe80::1%eth0"));
    row("redis://[fe80::1%eth0]", server("fe80::1%eth0"));
    row("redis://[::ffff:10.0.0.5]", server("::ffff:10.0.0.5"));
    row("redis://alice@h", secured(server("h"), "alice", ""));
    row("redis://:pw@h", secured(server("h"), "", "pw"));
    row("redis://alice:pw@h:1/2", secured(server("h", 1, 2), "alice", "pw"));
    row("redis://alice:p%40s%3As%2F%25@h", secured(server("h"), "alice", "p@s:s/%"));
    row("redis://alice:p@ss@h", secured(server("h"), "alice", "p@ss"));
    row("redis://a:b:c@h", secured(server("h"), "a", "b:c"));
    row("redis://%ffa:%00@h", secured(server("h"),
                                      "\xff"
                                      "a",
                                      "\0"s));
    row("redis://@h", server("h"));
    row("unix:///run/redis.sock", socketAt("/run/redis.sock"));
    row("unix:///run/redis.sock?db=2", socketAt("/run/redis.sock", 2));
    row("unix:///a%20b%3f.sock", socketAt("/a b?.sock"));
    row("unix://alice:pw@/run/redis.sock", secured(socketAt("/run/redis.sock"), "alice", "pw"));
    row("redis+cluster://n1", clusterOf({{"n1", 6379}}));
    row("redis+cluster://n1,[::1]:7001,n3:7002?db=2",
        inDatabase(clusterOf({{"n1", 6379}, {"::1", 7001}, {"n3", 7002}}), 2));
    row("rediss+cluster://n1?ca=/c", trusting(clusterOf({{"n1", 6379}}), {"/c", {}, {}, {}}));
    row("redis://h?ssh=ops@bastion:22", fromHost("ops@bastion:22", server("h")));
    row("redis://u:p@h:1/2?ssh=bastion", fromHost("bastion", secured(server("h", 1, 2), "u", "p")));
    row("rediss://h?ca=/c&ssh=b", fromHost("b", trusting(server("h"), {"/c", {}, {}, {}})));
    row("redis+cluster://n1?ssh=o@[::1]:22", fromHost("o@[::1]:22", clusterOf({{"n1", 6379}})));
    row("redis+sentinel://s1/m?ssh=b", fromHost("b", behind({{"s1", 26379}}, "m")));
    row("redis://h?max-commands=200&max-bytes=5000000&max-percent=2.5",
        within({200, 5'000'000, 2.5}, server("h")));
    row("unix:///s?db=2&max-percent=100", within({0, 0, 100}, socketAt("/s", 2)));
    row("rediss://h?ssh=b&max-bytes=1",
        within({0, 1, 0}, fromHost("b", trusting(server("h"), {}))));
    row("redis+cluster://n1?max-commands=1", within({1, 0, 0}, clusterOf({{"n1", 6379}})));
    row("redis+sentinel://s1/mymaster", behind({{"s1", 26379}}, "mymaster"));
    row("Redis+Sentinel://s1:1,s2,[::1]:3/m%2fn?db=2",
        inDatabase(behind({{"s1", 1}, {"s2", 26379}, {"::1", 3}}, "m/n"), 2));
    row("redis+sentinel://alice:p,w@s1,s2/m?sentinel-user=w%26t",
        secured(behind({{"s1", 26379}, {"s2", 26379}}, "m", "w&t"), "alice", "p,w"));
    row("rediss+sentinel://s1/m?ca=/c&db=1",
        inDatabase(trusting(behind({{"s1", 26379}}, "m"), {"/c", {}, {}, {}}), 1));
}

void TestEndpoint::urlsAreRead()
{
    QFETCH(std::string, url);
    QFETCH(Endpoint, endpoint);
    const auto result = parseEndpoint(url);
    QCOMPARE(errorText(result), ""s);
    QVERIFY(std::get<Endpoint>(result) == endpoint);
}

void TestEndpoint::malformedUrlsSayWhatIsWrongAndWhere_data()
{
    QTest::addColumn<std::string>("url");
    QTest::addColumn<std::string>("reason");
    QTest::addColumn<int>("at");
    const auto row = [](const std::string& url, const char* reason, int at) {
        QTest::newRow(url.empty() ? "empty" : url.substr(0, 60).c_str())
            << url << std::string(reason) << at;
    };
    row("", "no address: enter a host, redis://host:port or unix:///path", 0);
    row("  ", "no address: enter a host, redis://host:port or unix:///path", 2);
    row("http://h",
        "unknown scheme \"http\": use redis://, rediss://, unix://, redis+sentinel:// or "
        "redis+cluster://",
        0);
    row("://h",
        "unknown scheme \"\": use redis://, rediss://, unix://, redis+sentinel:// or "
        "redis+cluster://",
        0);
    row("/run/redis.sock", "a socket path needs its scheme: unix:///run/redis.sock", 0);
    row("unix:/run/redis.sock", "the scheme must be followed by two slashes: unix://", 5);
    row("redis:/h", "the scheme must be followed by two slashes: redis://", 6);
    row("redis://", "the host is missing", 8);
    row("redis://:6379", "the host is missing", 8);
    row("redis://u:p@", "the host is missing", 12);
    row("redis://u@:1", "the host is missing", 10);
    row("redis://h:", "the port after \":\" is missing", 10);
    row("redis://h:abc", "the port is not a number", 10);
    row("redis://h:-1", "the port is not a number", 10);
    row("redis://h:0", "the port 0 is out of range (1 to 65535)", 10);
    row("redis://h:99999", "the port 99999 is out of range (1 to 65535)", 10);
    row("redis://h:99999999999", "the port is out of range (1 to 65535)", 10);
    row("redis://h/x", "database \"x\" is not a number", 10);
    row("redis://h/-1", "database \"-1\" is not a number", 10);
    row("redis://h/1/2", "database \"1/2\" is not a number", 10);
    row("redis://h/2147483648", "database 2147483648 is out of range", 10);
    row("redis://h/1?db=2",
        "unknown option \"db\": this kind of address takes ?ssh=, max-commands=, max-bytes=, "
        "max-percent=",
        12);
    row("redis://h#1", "\"#\" is not expected in an address", 9);
    row("redis://::1", "an IPv6 address needs brackets: [::1]:6379", 8);
    row("::1", "an IPv6 address needs brackets: [::1]:6379", 0);
    row("redis://[::1", "the closing \"]\" of the IPv6 address is missing", 8);
    row("redis://[h]", "\"h\" is not an IPv6 address", 9);
    row("redis://[::1]x", "only a port may follow the \"]\"", 13);
    row("redis://[::1]:x", "the port is not a number", 14);
    row("redis://a b", "\" \" cannot be part of a host name", 9);
    row("redis://a%41", "\"%\" cannot be part of a host name", 9);
    row("redis://u%4:p@h",
        "malformed percent-encoding in the user name: \"%\" must be followed by two hexadecimal "
        "digits (\"%\" "
        "itself is %25)",
        8);
    row("redis://u:p%zz@h",
        "malformed percent-encoding in the password: \"%\" must be followed by two hexadecimal "
        "digits (\"%\" "
        "itself is %25)",
        10);
    row("redis://u:p%@h",
        "malformed percent-encoding in the password: \"%\" must be followed by two hexadecimal "
        "digits (\"%\" "
        "itself is %25)",
        10);
    row("redis://u:a/b@h",
        "a \"/\", \"?\" or \"#\" in a user name or password must be percent-encoded (%2F, %3F, "
        "%23)",
        11);
    row("unix://run/redis.sock",
        "the socket path must be absolute, with three slashes: unix:///path", 7);
    row("unix://", "the path of the socket is missing: unix:///path", 7);
    row("unix:///", "the path of the socket is missing: unix:///path", 7);
    row("rediss://h?ca=/c&timeout=1",
        "unknown option \"timeout\": this kind of address takes ?ca=, cert=, key=, server-name=, "
        "ssh=, max-commands=, max-bytes=, max-percent=",
        17);
    row("rediss://h?cert=%zz",
        "malformed percent-encoding in the cert: \"%\" must be followed by two hexadecimal digits "
        "(\"%\" itself is %25)",
        16);
    row("redis://h?ca=/c",
        "unknown option \"ca\": this kind of address takes ?ssh=, max-commands=, max-bytes=, "
        "max-percent=",
        10);
    for (const std::string_view odd : {"", "-oProxyCommand=x", "u@", "@h", "u@-h", "a b", "a;b"}) {
        row("redis://h?ssh=" + std::string(odd),
            "an SSH host is written host, user@host or user@host:port", 14);
    }
    for (const std::string_view odd : {"", "0", "-1", "x", "1.5", "1k", "99999999999999999999"}) {
        row("redis://h?max-commands=" + std::string(odd),
            "a limit of commands or bytes a second is a whole number", 23);
    }
    for (const std::string_view odd : {"", "0", "-1", "101", "5%25", "nan", "x"}) {
        row("redis://h?max-percent=" + std::string(odd),
            "a limit in percent is a number above 0, at most 100", 22);
    }
    row("unix:///s?ssh=h",
        "unknown option \"ssh\": this kind of address takes ?db=, max-commands=, max-bytes=, "
        "max-percent=",
        10);
    row("unix:///s?db=x", "database \"x\" is not a number", 13);
    row("unix:///s?db=", "database \"\" is not a number", 13);
    row("unix:///s?timeout=1",
        "unknown option \"timeout\": this kind of address takes ?db=, max-commands=, max-bytes=, "
        "max-percent=",
        10);
    row("unix:///s?db=1&x=2",
        "unknown option \"x\": this kind of address takes ?db=, max-commands=, max-bytes=, "
        "max-percent=",
        15);
    row("redis://h/0&x=2", "database \"0&…\" is not a number", 10);
    row("unix:///s?",
        "unknown option \"\": this kind of address takes ?db=, max-commands=, max-bytes=, "
        "max-percent=",
        10);
    row("redis://h?password=p",
        "the password must not be a parameter: put it before the host, as in "
        "redis://user:password@host or unix://user:password@/path",
        10);
    row("unix:///s?db=1&password=p",
        "the password must not be a parameter: put it before the host, as in "
        "redis://user:password@host or unix://user:password@/path",
        15);
    row("redis+sentinel:/s1/m", "the scheme must be followed by two slashes: redis+sentinel://",
        15);
    row("unix+sentinel:///s",
        "unknown scheme \"unix+sentinel\": use redis://, rediss://, unix://, redis+sentinel:// or "
        "redis+cluster://",
        0);
    row("redis+cluster://n1,", "the host is missing", 19);
    row("redis+cluster://n1/0", "\"/\" is not expected in an address", 18);
    row("redis+cluster://n1?ca=/c",
        "unknown option \"ca\": this kind of address takes ?db=, ssh=, max-commands=, max-bytes=, "
        "max-percent=",
        19);
    row("redis+sentinel://s1,,s2/m", "the host is missing", 20);
    row("redis+sentinel://s1:0,s2/m", "the port 0 is out of range (1 to 65535)", 20);
    row("redis+sentinel://s1",
        "the name of the master is missing: redis+sentinel://host:port/mymaster", 19);
    row("redis+sentinel://s1/?db=1",
        "the name of the master is missing: redis+sentinel://host:port/mymaster", 20);
    row("redis+sentinel://s1/m/1",
        "only the name of the master may follow the Sentinels; the database is an option: ?db=N",
        20);
    row("redis+sentinel://s1/m?db=x", "database \"x\" is not a number", 25);
    row("redis+sentinel://s1/m?ca=/c",
        "unknown option \"ca\": this kind of address takes ?db=, sentinel-user=, ssh=, "
        "max-commands=, max-bytes=, max-percent=",
        22);
    row("rediss+sentinel://s1/m?x=1",
        "unknown option \"x\": this kind of address takes ?db=, sentinel-user=, ca=, cert=, key=, "
        "server-name=, ssh=, max-commands=, max-bytes=, max-percent=",
        23);
    row("redis+sentinel://s1/m?sentinel-password=p",
        "the password of the Sentinels must not be a parameter: put it into "
        "LOCKSCOPE_SENTINEL_PASSWORD or a file",
        22);
    row("unix:///a%00b", "a socket path cannot contain a zero byte", 7);
    row("unix:///" + std::string(107, 'a'),
        "the socket path is longer than the system allows (107 bytes)", 7);
}

void TestEndpoint::malformedUrlsSayWhatIsWrongAndWhere()
{
    QFETCH(std::string, url);
    QFETCH(std::string, reason);
    QFETCH(int, at);
    const auto result = parseEndpoint(url);
    QCOMPARE(errorText(result), reason);
    QCOMPARE(static_cast<int>(std::get<UrlError>(result).at), at);
}

void TestEndpoint::noErrorRepeatsThePassword_data()
{
    QTest::addColumn<std::string>("url");
    for (const char* url : {"redis://u:secret@",
                            "redis://u:secret%@h",
                            "redis://u:secret/x@h",
                            "redis://u:secret",
                            "redis://:secret",
                            "redis://u:secret@h:x",
                            "redis://h/0?password=secret",
                            "unix://u:secret@run/s",
                            "unix://u:secret@/",
                            "u:secret@h:x",
                            "redis://h?secret",
                            "redis://h/0#secret",
                            "redis://h/0&password=secret",
                            "redis://h:1?PASSWORD=secret",
                            "unix:///s?password=secret",
                            "unix:///s?secret",
                            "unix:///s?db=0&password=secret",
                            "unix:///s?db=0&secret",
                            "/s?password=secret",
                            "/s?secret",
                            "redis://h?auth=secret",
                            "redis://h?db=0&secret=1",
                            "redis+sentinel://u:secret@s1,s2:x/m",
                            "redis+sentinel://u:secret/m",
                            "redis+sentinel://s1/m?db=0&secret",
                            "redis+sentinel://s1/m?sentinel-password=secret",
                            "redis+sentinel://s1/m?password=secret",
                            "redis+cluster://n1?password=secret",
                            "redis+cluster://u:secret"}) {
        QTest::newRow(url) << std::string(url);
    }
}

void TestEndpoint::noErrorRepeatsThePassword()
{
    QFETCH(std::string, url);
    const std::string reason = errorText(parseEndpoint(url));
    QVERIFY(!reason.empty());
    QVERIFY2(reason.find("secret") == std::string::npos, reason.c_str());
}

void TestEndpoint::noErrorRepeatsAPasswordOfDigits()
{
    for (const char* const url : {"redis://u:20262026", "redis://:20262026", "u:20262026"}) {
        const std::string reason = errorText(parseEndpoint(url));
        QVERIFY2(!reason.empty() && reason.find("2026") == std::string::npos, reason.c_str());
    }
}

void TestEndpoint::aDatabaseIsNamedWhereNothingElseDiffers()
{
    const std::vector<Endpoint> servers{server("a", 6379, 0), server("a", 6379, 3),
                                        server("b", 6379, 3)};
    QVERIFY(store::namesBeside(servers)
            == (std::vector<std::string>{"a:6379/0", "a:6379/3", "b:6379"}));
    const std::vector<Endpoint> twice{server("a"), server("a")};
    QVERIFY(store::namesBeside(twice) == (std::vector<std::string>{"a:6379", "a:6379"}));
}

void TestEndpoint::mastersOfOneNameAreToldApart()
{
    const std::vector<Endpoint> servers{behind({{"s1", 1}, {"s2", 1}}, "mymaster"),
                                        behind({{"t1", 1}}, "mymaster"),
                                        behind({{"t1", 1}}, "cache")};
    QVERIFY(store::namesBeside(servers)
            == (std::vector<std::string>{"mymaster@s1:1", "mymaster@t1:1", "cache"}));
}

void TestEndpoint::whatSeveralServersAreFollowsFromWhatWasSaid()
{
    using store::Folding;
    using store::Grouping;
    for (const std::size_t count : {0, 1}) {
        QVERIFY(store::foldingOf(Grouping::RedlockSet, count) == Folding::Never);
    }
    QVERIFY(store::foldingOf(Grouping::Unsaid, 2) == Folding::SameToken);
    QVERIFY(store::foldingOf(Grouping::Unsaid, 3) == Folding::ByName);
    QVERIFY(store::foldingOf(Grouping::RedlockSet, 2) == Folding::ByName);
    QVERIFY(store::foldingOf(Grouping::Separate, 5) == Folding::Never);
    std::vector<Endpoint> servers{server("a"), server("b")};
    store::setGrouping(servers, Grouping::RedlockSet);
    QVERIFY(store::foldingOf(servers) == Folding::ByName);
    QVERIFY(servers.back().grouping == Grouping::RedlockSet);
    for (const Grouping grouping : {Grouping::Unsaid, Grouping::RedlockSet, Grouping::Separate}) {
        QVERIFY(store::groupingOfId(store::idOf(grouping)) == grouping);
    }
}

void TestEndpoint::productionHasThreeNames()
{
    const auto isNamed = [](const char* environment) {
        Endpoint endpoint;
        endpoint.environment = environment;
        return isProduction(endpoint);
    };
    QVERIFY(isNamed("production") && isNamed(" Prod ") && isNamed("LIVE"));
    QVERIFY(!isNamed("") && !isNamed(" ") && !isNamed("preproduction") && !isNamed("staging"));
}

void TestEndpoint::serverNamesHaveNoSecretsAndNoDatabase()
{
    QCOMPARE(serverName(secured(server("10.0.0.5", 6379, 7), "u", "p")), "10.0.0.5:6379"s);
    QCOMPARE(serverName(server("::1")), "[::1]:6379"s);
    QCOMPARE(serverName(socketAt("/run/redis.sock", 3)), "/run/redis.sock"s);
    QCOMPARE(serverName(secured(behind({{"s1", 1}}, "mymaster", "w"), "u", "p")), "mymaster"s);
    QCOMPARE(serverName(fromHost("ops@b", server("::1"))), "[::1]:6379 via ops@b"s);
}

void TestEndpoint::theSameServerIsToldByTransportAndAddress()
{
    QVERIFY(isSameServer(server("h", 1, 2), secured(server("H", 1), "u", "p")));
    QVERIFY(!isSameServer(server("h", 1), server("h", 2)));
    QVERIFY(!isSameServer(server("h"), server("g")));
    QVERIFY(!isSameServer(server("h"), encrypted(server("h"))));
    QVERIFY(isSameServer(socketAt("/a", 1), socketAt("/a")));
    QVERIFY(!isSameServer(socketAt("/a"), socketAt("/A")));
    QVERIFY(!isSameServer(socketAt("/a"), server("h")));
    const Endpoint master = behind({{"s1", 1}, {"s2", 2}}, "m");
    QVERIFY(isSameServer(master, secured(behind({{"S2", 2}, {"s1", 1}}, "m", "w"), "u", "p")));
    QVERIFY(!isSameServer(master, behind({{"s1", 1}, {"s2", 2}}, "n")));
    QVERIFY(!isSameServer(master, behind({{"s1", 1}, {"evil", 2}}, "m")));
    QVERIFY(!isSameServer(master, encrypted(master)));
    QVERIFY(!isSameServer(master, server("127.0.0.1")));
    QVERIFY(!isSameServer(server("h"), fromHost("b", server("h"))));
}

void TestEndpoint::urlsNeverContainThePassword()
{
    QCOMPARE(toUrl(secured(server("h", 1, 2), "alice", "secret")), "redis://alice@h:1/2"s);
    QCOMPARE(toUrl(secured(encrypted(server("::1")), "", "secret")), "rediss://[::1]:6379"s);
    QCOMPARE(toUrl(secured(socketAt("/a b?", 1), "a/b", "secret")), "unix://a%2fb@/a%20b%3f?db=1"s);
    Endpoint master = secured(behind({{"s1", 1}, {"::1", 2}}, "a/b", "w"), "alice", "secret");
    master.sentinelPassword = "secret";
    QCOMPARE(toUrl(inDatabase(master, 3)),
             "redis+sentinel://alice@s1:1,[::1]:2/a%2fb?db=3&sentinel-user=w"s);
    QCOMPARE(toUrl(trusting(master, {"/c", {}, {}, {}})),
             "rediss+sentinel://alice@s1:1,[::1]:2/a%2fb?sentinel-user=w&ca=/c"s);
}

void TestEndpoint::urlsAreReadBack()
{
    testing::RandomInput input;
    const std::string_view hosts[] = {"h", "10.0.0.5", "::1", "fe80::1%eth0", "a-b_c.example"};
    for (int i = 0; i < 5000; ++i) {
        Endpoint endpoint;
        endpoint.transport = static_cast<Transport>(input.rng().below(3));
        endpoint.user = input.bytes(8);
        endpoint.database = static_cast<int>(input.rng().below(20));
        if (endpoint.transport == Transport::UnixSocket) {
            endpoint.socketPath = "/s" + input.bytes(20);
            std::replace(endpoint.socketPath.begin(), endpoint.socketPath.end(), '\0', 'z');
        } else {
            endpoint.host = hosts[input.rng().below(std::size(hosts))];
            endpoint.port = static_cast<std::uint16_t>(1 + input.rng().below(65535));
            endpoint.sshHost = input.rng().below(2) == 0 ? "" : "ops@[fe80::1%eth0]:22";
            if (input.rng().below(2) == 0) {
                endpoint.sentinels.hosts = {{std::exchange(endpoint.host, Endpoint().host),
                                             std::exchange(endpoint.port, Endpoint().port)},
                                            {"s2", 1}};
                endpoint.sentinels.masterName = 'm' + input.bytes(8);
                endpoint.sentinels.user = input.bytes(8);
            }
        }
        if (endpoint.transport == Transport::Tls) {
            endpoint.tls = {input.bytes(5), input.bytes(5), input.bytes(5), input.bytes(5)};
        }
        const auto result = parseEndpoint(toUrl(endpoint));
        QVERIFY2(std::holds_alternative<Endpoint>(result), input.recipe(toUrl(endpoint)).c_str());
        QVERIFY2(std::get<Endpoint>(result) == endpoint, input.recipe(toUrl(endpoint)).c_str());
    }
}

void TestEndpoint::garbageNeverCrashesAndErrorsPointIntoTheText()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"redis",
                                       "rediss",
                                       "unix",
                                       "://",
                                       "/",
                                       ":",
                                       "@",
                                       "[",
                                       "]",
                                       "::1",
                                       "%",
                                       "%41",
                                       "?",
                                       "db=",
                                       "#",
                                       "6379",
                                       "99999",
                                       "h",
                                       " ",
                                       "\xff",
                                       ",",
                                       "+sentinel",
                                       "redis+sentinel://s/m"};
    int understoodCount = 0;
    for (int i = 0; i < 20000; ++i) {
        const Bytes url = i % 4 == 0 ? input.bytes(30) : input.assembled(pieces, 9);
        const auto result = parseEndpoint(url);
        if (const auto* const error = std::get_if<UrlError>(&result)) {
            QVERIFY2(error->at <= url.size() && !error->reason.empty(), input.recipe(url).c_str());
            continue;
        }
        ++understoodCount;
        Endpoint endpoint = std::get<Endpoint>(result);
        endpoint.password.clear();
        QVERIFY2(std::get<Endpoint>(parseEndpoint(toUrl(endpoint))) == endpoint,
                 input.recipe(url).c_str());
    }
    QVERIFY2(understoodCount > 0, input.recipe().c_str());
}

LOCKSCOPE_TEST(TestEndpoint, Core)

} // namespace lockscope::tst_endpoint

#include "tst_endpoint.moc"
