#include "tests/live/cli_process.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_cli_several {

using namespace lockscope::testing;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// Several servers, and calls about all of them.
struct Bench {
    std::vector<std::unique_ptr<LiveServer>> servers;
    CliProcess cli;

    explicit Bench(int count)
    {
        for (int i = 0; i < count; ++i) {
            servers.push_back(std::make_unique<LiveServer>());
        }
    }

    void take(std::initializer_list<std::size_t> where, const Bytes& owner)
    {
        for (const std::size_t index : where) {
            servers[index]->client()("SET", "lock:pay", owner, "NX", "PX", 600'000);
        }
    }

    std::string ownerOn(std::size_t index) const
    {
        const store::Reply reply = servers[index]->client()("GET", "lock:pay");
        return reply.text() != nullptr ? *reply.text() : std::string();
    }

    CliResult run(const QStringList& call)
    {
        QStringList all = call;
        for (const auto& server : servers) {
            all += urlOption(server->endpoint());
        }
        return cli.run(all);
    }

    CliResult release(const Bytes& owner, const char* more)
    {
        return run(words("release lock:pay --follow 0s --format json --owner")
                   + QStringList{QString::fromStdString(owner)} + words(more));
    }

    std::string nameOf(std::size_t index) const
    {
        return store::serverName(servers[index]->endpoint());
    }
};

std::vector<std::string> votesIn(const Json& shown)
{
    std::vector<std::string> votes;
    for (const Json& node : shown["set"]) {
        votes.push_back(node["vote"].get<std::string>());
    }
    return votes;
}

} // namespace

/// lockscope-cli with several servers: separate ones in one table, and a Redlock set as one object.
class TestCliSeveral final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void locksThatShareTheirNameAreTwo();
    void serversCalledSeparateAreNoSet();
    void twoMayBeCalledASet();
    void databasesOfOneServerAreOneTable();
    void showExplainsTheLockOfEachServer();
    void aMajorityOfFive();
    void aSplitOfFive();
    void aFrozenServerIsAnUnknownVote();
    void whatNobodyHasIsNotKnownWhileAServerIsAway();
    void aLeftoverIsRemovedWhereItIs();
    void aMajorityIsNoLeftover();
    void whatMayBeAMajorityIsNoLeftover();
    void separateServersHaveNoLeftovers();
};

void TestCliSeveral::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestCliSeveral::locksThatShareTheirNameAreTwo()
{
    Bench bench(2);
    bench.take({0}, kAlice);
    bench.take({1}, kBob);
    const Json locks = bench.run(words("list --format json")).json();
    QCOMPARE(locks.size(), 2U);
    for (const Json& lock : locks) {
        QVERIFY2(!lock.contains("quorum"), lock.dump().c_str());
        QVERIFY2(lock["flags"].empty(), lock.dump().c_str());
        const bool isFirst = lock["holders"][0]["owner"] == kAlice;
        QCOMPARE(text(lock["server"]), text(bench.nameOf(isFirst ? 0 : 1)));
    }
    const QByteArray table = bench.run(words("list")).output;
    QVERIFY2(table.contains("SERVER"), table.constData());
    bench.servers[1]->client()("SET", "lock:pay", kAlice, "PX", 600'000);
    const Json folded = bench.run(words("list --format json")).json();
    QCOMPARE(folded.size(), 1U); // the same token is on both
    QCOMPARE(text(folded[0]["quorum"]["held"]), text(2));
}

void TestCliSeveral::serversCalledSeparateAreNoSet()
{
    Bench bench(3);
    bench.take({0}, kAlice);
    const Json set = bench.run(words("list --format json")).json();
    QCOMPARE(text(set[0]["quorum"]["state"]), text("minority"));
    const Json separate = bench.run(words("list --separate --format json")).json();
    QCOMPARE(separate.size(), 1U);
    QVERIFY(!separate[0].contains("quorum"));
    QCOMPARE(text(separate[0]["server"]), text(bench.nameOf(0)));
    QCOMPARE(bench.run(words("list --separate --redlock-set")).exitCode, 2);
}

void TestCliSeveral::twoMayBeCalledASet()
{
    Bench bench(2);
    bench.take({0}, kAlice);
    const Json locks = bench.run(words("list --redlock-set --format json")).json();
    QCOMPARE(text(locks[0]["quorum"]["total"]), text(2));
    QCOMPARE(text(locks[0]["flags"]), text(Json::array({"minority"})));
}

void TestCliSeveral::databasesOfOneServerAreOneTable()
{
    LiveServer server;
    store::Endpoint other = server.endpoint();
    other.database = 3;
    server.client()("SET", "lock:a", kAlice, "PX", 600'000);
    server.client()("SELECT", 3);
    server.client()("SET", "lock:a", kBob, "PX", 600'000);
    const QStringList urls = urlOption(server.endpoint()) + urlOption(other);
    CliProcess cli;
    const CliResult listed = cli.run(words("list --format json") + urls);
    QCOMPARE(listed.exitCode, 0);
    QVERIFY2(!listed.diagnostics.contains("same server"), listed.diagnostics.constData());
    QCOMPARE(listed.json().size(), 2U);
    for (const Json& lock : listed.json()) {
        QCOMPARE(text(lock["server"]), text(store::serverName(other)));
        QCOMPARE(lock["db"].get<int>(), lock["holders"][0]["owner"] == kBob ? 3 : 0);
    }
    const Json third = cli.run(words("list --format json --filter server:*/3") + urls).json();
    QCOMPARE(third.size(), 1U);
    QCOMPARE(text(third[0]["db"]), text(3));
    const QByteArray table = cli.run(words("list") + urls).output;
    QVERIFY2(table.contains("/3"), table.constData());
}

void TestCliSeveral::showExplainsTheLockOfEachServer()
{
    Bench bench(2);
    bench.take({0}, kAlice);
    bench.take({1}, kBob);
    const Json shown = bench.run(words("show lock:pay --format json")).json();
    QCOMPARE(shown["others"].size(), 1U);
    QCOMPARE(text(shown["lock"]["server"]), text(bench.nameOf(0)));
    QCOMPARE(text(shown["others"][0]["lock"]["server"]), text(bench.nameOf(1)));
    QCOMPARE(text(shown["others"][0]["lock"]["holders"][0]["owner"]), text(kBob));
    const auto call = QByteArray::fromStdString(shown["others"][0]["releaseCall"]);
    QCOMPARE(call.count("--url"), 1);
    QVERIFY2(call.contains(bench.nameOf(1).c_str()), call.constData());
}

void TestCliSeveral::aMajorityOfFive()
{
    Bench bench(5);
    bench.take({0, 1, 3}, kAlice);
    bench.take({4}, kBob);
    const Json shown = bench.run(words("show lock:pay --redlock-set --format json")).json();
    QCOMPARE(text(shown["lock"]["quorum"]),
             text(Json{
                 {"held", 3}, {"total", 5}, {"unknown", 0}, {"needed", 3}, {"state", "majority"}}));
    QVERIFY(votesIn(shown)
            == (std::vector<std::string>{"same-owner", "same-owner", "none", "same-owner",
                                         "other-owner"}));
    for (const Json& node : shown["set"]) {
        QVERIFY2(node["replyMs"].get<double>() > 0, node.dump().c_str());
        QVERIFY2(std::abs(node["clockAheadMs"].get<double>()) < 1000, node.dump().c_str());
        QVERIFY2(node["clockUncertaintyMs"].get<double>() > 0, node.dump().c_str());
    }
    const QByteArray people = bench.run(words("show lock:pay --redlock-set")).output;
    QVERIFY2(people.contains("3 of 5 servers, a majority (3 are needed)"), people.constData());
    QVERIFY2(people.contains("0a1b2c3d-4e5…e0f1a2b3c4d, expires in "), people.constData());
    QVERIFY2(people.contains(" --redlock-set"), people.constData()); // in the call that releases it
}

void TestCliSeveral::aSplitOfFive()
{
    Bench bench(5);
    bench.take({0, 1}, kAlice);
    bench.take({2, 3}, kBob);
    const Json locks = bench.run(words("list --format json")).json();
    QCOMPARE(locks.size(), 1U);
    QCOMPARE(text(locks[0]["quorum"]["state"]), text("split"));
    QCOMPARE(locks[0]["holders"].size(), 2U);
}

void TestCliSeveral::aFrozenServerIsAnUnknownVote()
{
    Bench bench(3);
    bench.take({0, 1}, kAlice);
    bench.servers[1]->process().freeze();
    const CliResult listed = bench.run(words("list --timeout 500ms --format json"));
    const CliResult shown = bench.run(words("show lock:pay --timeout 500ms --format json"));
    bench.servers[1]->process().thaw();
    QCOMPARE(listed.exitCode, 1);
    QCOMPARE(text(listed.json()[0]["quorum"]["unknown"]), text(1));
    QCOMPARE(text(listed.json()[0]["quorum"]["state"]), text("unknown"));
    QVERIFY2(listed.diagnostics.contains(bench.nameOf(1).c_str()), listed.diagnostics.constData());
    QCOMPARE(shown.exitCode, 1);
    QVERIFY(votesIn(shown.json()) == (std::vector<std::string>{"same-owner", "unknown", "none"}));
    QVERIFY(shown.json()["set"][1]["problem"].is_string());
    const Json separate = bench.run(words("list --format json")).json();
    QCOMPARE(text(separate[0]["quorum"]["state"]), text("majority"));
}

void TestCliSeveral::whatNobodyHasIsNotKnownWhileAServerIsAway()
{
    Bench bench(3);
    bench.take({1}, kAlice);
    bench.servers[1]->kill();
    const CliResult shown = bench.run(words("show lock:pay"));
    QCOMPARE(shown.exitCode, 1);
    QVERIFY2(shown.diagnostics.contains("the servers that could be asked have no key"),
             shown.diagnostics.constData());
    QCOMPARE(bench.release(kAlice, "").exitCode, 1);
}

void TestCliSeveral::aLeftoverIsRemovedWhereItIs()
{
    Bench bench(5);
    bench.take({1, 3}, kAlice);
    bench.take({0, 2, 4}, kBob);
    const CliResult result = bench.release(kAlice, "--minority --redlock-set");
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.json()["servers"].size(), 2U);
    QCOMPARE(text(result.json()["votesLeft"]["held"]), text(0)); // read again
    for (const std::size_t index : {1, 3}) {
        QCOMPARE(bench.ownerOn(index), std::string());
    }
    for (const std::size_t index : {0, 2, 4}) {
        QCOMPARE(bench.ownerOn(index), kBob);
    }
    const QList<Json> lines = bench.cli.auditLines();
    QCOMPARE(lines.size(), 4); // what was meant, and what came of it, of two servers
}

void TestCliSeveral::aMajorityIsNoLeftover()
{
    Bench bench(3);
    bench.take({0, 1}, kAlice);
    const CliResult result = bench.release(kAlice, "--minority");
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("2 of 3 servers: that is a majority"),
             result.diagnostics.constData());
    QCOMPARE(bench.ownerOn(0), kAlice);
    QCOMPARE(text(bench.cli.auditLines().back()["outcome"]), text("refused"));
}

void TestCliSeveral::whatMayBeAMajorityIsNoLeftover()
{
    Bench bench(3);
    bench.take({0, 1}, kAlice);
    bench.servers[1]->process().freeze();
    const CliResult result = bench.release(kAlice, "--minority --timeout 500ms");
    bench.servers[1]->process().thaw();
    QCOMPARE(result.exitCode, 5);
    QVERIFY2(result.diagnostics.contains("it may have a majority"), result.diagnostics.constData());
    QCOMPARE(bench.ownerOn(0), kAlice);
    QCOMPARE(bench.ownerOn(1), kAlice);
}

void TestCliSeveral::separateServersHaveNoLeftovers()
{
    Bench bench(2);
    bench.take({0}, kAlice);
    QCOMPARE(bench.release(kAlice, "--minority").exitCode, 5);
    QCOMPARE(bench.ownerOn(0), kAlice);
}

LOCKSCOPE_TEST(TestCliSeveral, Core)

} // namespace lockscope::tst_cli_several

#include "tst_cli_several.moc"
