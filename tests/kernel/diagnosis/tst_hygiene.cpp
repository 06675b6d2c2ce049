#include "core/kernel/diagnosis/hygiene_text.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tst_hygiene {

using namespace lockscope::diagnosis;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

using Bench = LockBookBench;

const std::vector<std::string> kOneServer = {"10.0.0.5:6379"};

ServerFacts soundServer(std::uint16_t server = 0)
{
    ServerFacts facts;
    facts.server = server;
    facts.isKnown = true;
    facts.evictionPolicy = "noeviction";
    facts.appendsToFile = true;
    facts.fsync = "always";
    facts.clockAhead = 0ms;
    return facts;
}

std::vector<std::string> namesOf(const Hygiene& hygiene)
{
    std::vector<std::string> names;
    for (const WeaknessFinding& finding : hygiene.findings) {
        names.push_back(std::string(infoOf(finding.weakness).id) + ' '
                        + std::to_string(finding.severity));
    }
    return names;
}

std::vector<std::string> openOf(const Hygiene& hygiene)
{
    std::vector<std::string> ids;
    for (const OpenWeakness& open : hygiene.open) {
        ids.emplace_back(infoOf(open.weakness).id);
    }
    return ids;
}

Hygiene examineServer(const ServerFacts& facts, bool isOfSet = false)
{
    const std::vector<ServerFacts> servers = {facts};
    return examine({.servers = servers, .isOfSet = isOfSet, .watchedFor = 1s});
}

std::string textOf(const char* path)
{
    QFile file(inSourceTree(QString::fromUtf8(path)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class TestHygiene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWeaknessIsDescribed();
    void locksWithoutExpiryAreCounted();
    void valuesThatTellNoHoldFromTheNext();
    void leasesThatAreAbsurdOrGrow();
    void leasesThatRunOutWhileWatched();
    void aServerThatEvicts();
    void aServerThatForgets();
    void aServerWithReplicas();
    void theClocksOfASet();
    void whatWasNotToldIsNotKnown();
    void nodesOfAClusterAreNamed();
    void nothingIsFoundOfSoundLocks();
    void itIsToldInWordsAndInJson();
};

void TestHygiene::everyWeaknessIsDescribed()
{
    std::set<std::string_view> ids;
    const std::string page = textOf("docs/diagnosis.md");
    for (const WeaknessInfo& info : allWeaknesses()) {
        QVERIFY(info.title && info.harm && info.remedy);
        QVERIFY(ids.insert(info.id).second);
        QVERIFY2(page.find("| `" + std::string(info.id) + "` |") != std::string::npos,
                 std::string(info.id).c_str());
        const std::string story = storyCall(info.weakness, false);
        QVERIFY2(story.empty() || page.find(story) != std::string::npos, story.c_str());
    }
    for (const ReasonInfo& info : allReasons()) {
        QVERIFY2(info.reason == Reason::ProbablyData
                     || page.find("| `" + std::string(info.id) + "` |") != std::string::npos,
                 std::string(info.id).c_str());
    }
    QCOMPARE(storyCall(Weakness::ForgetsOnRestart, true),
             "lockscope-cli explore --protocol redlock --faults server-restart"s);
}

void TestHygiene::locksWithoutExpiryAreCounted()
{
    Bench bench;
    for (const char* const name : {"a:lock", "b:lock", "c:lock", "d:lock", "e:lock"}) {
        bench.see(stringKey(name, kAlice,
                            name[0] == 'e' ? std::optional<Duration>(30s) : std::nullopt));
    }
    const std::vector<LockPtr> rows = bench.book.rows();
    const Hygiene hygiene = examine({.locks = rows, .watchedFor = 1s});
    QCOMPARE(namesOf(hygiene), std::vector{"locks-without-expiry 2"s});
    QCOMPARE(hygiene.findings.front().evidence, "4 of 5 locks never expire."s);
    QVERIFY((hygiene.findings.front().examples
             == std::vector<Bytes>{"a:lock", "b:lock", "c:lock"}));
    QVERIFY((hygiene.findings.front().servers == std::vector<std::uint16_t>{0}));
}

void TestHygiene::valuesThatTellNoHoldFromTheNext()
{
    Bench bench;
    bench.see(stringKey("a:lock", "1", 30s));
    bench.see(stringKey("b:lock", kBob, 30s));
    const std::vector<LockPtr> rows = bench.book.rows();
    const Hygiene hygiene = examine({.locks = rows, .watchedFor = 1s});
    QCOMPARE(namesOf(hygiene), std::vector{"same-value 2"s});
    QVERIFY((hygiene.findings.front().examples == std::vector<Bytes>{"a:lock"}));
}

void TestHygiene::leasesThatAreAbsurdOrGrow()
{
    Bench bench;
    bench.see(stringKey("a:lock", kAlice, std::chrono::days(347)));
    bench.see(stringKey("b:lock", kBob, 24h)); // the mark of a scheduler
    const std::vector<LockPtr> rows = bench.book.rows();
    const Hygiene hygiene = examine({.locks = rows, .watchedFor = 1s});
    QCOMPARE(namesOf(hygiene), std::vector{"absurd-leases 1"s});
    QVERIFY((hygiene.findings.front().examples == std::vector<Bytes>{"a:lock"}));
    QVERIFY(
        hygiene.findings.front().evidence.starts_with("1 of 2 locks have a lease of more than"));
}

void TestHygiene::leasesThatRunOutWhileWatched()
{
    Bench bench;
    Instant now = kStart;
    for (int i = 0; i < 3; ++i) {
        bench.seeToken(std::to_string(i) + kAlice.substr(1), 500ms, now);
        now += 500ms;
        bench.see(missing("order:lock", now));
        now += 1s;
    }
    bench.seeToken(kBob, 500ms, now);
    const std::vector<LockPtr> rows = bench.book.rows();
    QCOMPARE(namesOf(examine({.locks = rows, .watchedFor = 1min})), std::vector{"short-leases 1"s});
    QCOMPARE(openOf(examine({.locks = rows})), std::vector{"short-leases"s});
}

void TestHygiene::aServerThatEvicts()
{
    ServerFacts facts = soundServer();
    facts.evictionPolicy = "volatile-lru";
    QVERIFY(namesOf(examineServer(facts)).empty()); // without a limit it never does
    facts.memoryLimit = 1000;
    QCOMPARE(namesOf(examineServer(facts)), std::vector{"evicts-keys 2"s});
}

void TestHygiene::aServerThatForgets()
{
    ServerFacts facts = soundServer();
    facts.fsync = "everysec";
    QCOMPARE(namesOf(examineServer(facts)), std::vector{"forgets-on-restart 1"s});
    QCOMPARE(namesOf(examineServer(facts, true)), std::vector{"forgets-on-restart 2"s});
    facts.fsync.clear(); // CONFIG GET is refused
    QVERIFY(namesOf(examineServer(facts)).empty());
    QCOMPARE(openOf(examineServer(facts)), std::vector{"forgets-on-restart"s});
    facts.appendsToFile = false;
    QCOMPARE(namesOf(examineServer(facts)), std::vector{"forgets-on-restart 1"s});
}

void TestHygiene::aServerWithReplicas()
{
    ServerFacts facts = soundServer();
    facts.replicas = {{"10.0.0.6:6379", true, 0s}};
    QCOMPARE(namesOf(examineServer(facts)), std::vector{"async-failover 1"s});
}

void TestHygiene::theClocksOfASet()
{
    std::vector<ServerFacts> servers = {soundServer(0), soundServer(1), soundServer(2)};
    const auto examined = [&] {
        return examine({.servers = servers, .isOfSet = true, .watchedFor = 1s});
    };
    QVERIFY(namesOf(examined()).empty());
    servers[2].clockAhead = 300ms;
    QCOMPARE(namesOf(examined()), std::vector{"clocks-apart 1"s});
}

void TestHygiene::whatWasNotToldIsNotKnown()
{
    const Hygiene hygiene = examineServer(ServerFacts());
    QVERIFY(namesOf(hygiene).empty());
    QCOMPARE(openOf(hygiene),
             (std::vector{"evicts-keys"s, "forgets-on-restart"s, "async-failover"s}));
    QVERIFY(hygiene.open.front().why.ends_with("did not answer INFO."));
    const std::string text = hygieneText(hygiene, false, {});
    QVERIFY2(text.starts_with("Nothing was found that will hurt the locks, as far as is known.\n"),
             text.c_str());
    ServerFacts facts;
    facts.isAsked = false;
    const Hygiene unasked = examineServer(facts);
    QCOMPARE(openOf(unasked), openOf(hygiene));
    QCOMPARE(unasked.open.front().why, "The server was not asked."s);
    facts.isAsked = true;
    facts.node = "10.0.0.6:7001";
    QCOMPARE(examineServer(facts).open.front().why, "The node 10.0.0.6:7001 did not answer INFO."s);
}

/// What is the same on several of them is said once; what differs, of each.
void TestHygiene::nodesOfAClusterAreNamed()
{
    std::vector<ServerFacts> nodes(3, soundServer());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].node = "10.0.0.6:700" + std::to_string(i);
    }
    nodes[0].appendsToFile = false;
    nodes[2].appendsToFile = false;
    nodes[1].fsync = "everysec";
    const Hygiene hygiene = examine({.servers = nodes, .watchedFor = 1s});
    QCOMPARE(hygiene.findings.size(), std::size_t(2));
    QCOMPARE(hygiene.findings[0].nodes, (std::vector{"10.0.0.6:7000"s, "10.0.0.6:7002"s}));
    QCOMPARE(hygiene.findings[1].nodes, std::vector{"10.0.0.6:7001"s});
    const std::string text = hygieneText(hygiene, false, kOneServer);
    QVERIFY2(text.starts_with("1. A restart forgets locks (10.0.0.6:7000 and 10.0.0.6:7002)\n"),
             text.c_str());
    const report::Json json = hygieneJson(hygiene, false, kOneServer);
    QCOMPARE(json["findings"][1]["nodes"].dump(), "[\"10.0.0.6:7001\"]"s);
}

void TestHygiene::nothingIsFoundOfSoundLocks()
{
    Bench bench;
    for (int i = 0; i < 1000; ++i) {
        bench.see(stringKey("order:lock:" + std::to_string(i),
                            std::to_string(1000 + i) + kAlice.substr(4), 30s));
        bench.see(hashKey("job:lock:" + std::to_string(i), kAlice + ':' + std::to_string(i), 1,
                          30s));
    }
    const std::vector<LockPtr> rows = bench.book.rows();
    const std::vector<ServerFacts> servers = {soundServer()};
    const Hygiene hygiene = examine({.locks = rows, .servers = servers, .watchedFor = 1s});
    QCOMPARE(namesOf(hygiene), std::vector<std::string>());
    QCOMPARE(openOf(hygiene), std::vector<std::string>());
    QCOMPARE(hygieneText(hygiene, false, kOneServer),
             "Nothing was found that will hurt the locks.\n"s);
}

void TestHygiene::itIsToldInWordsAndInJson()
{
    ServerFacts facts = soundServer();
    facts.replicas = {{"10.0.0.6:6379", true, 0s}};
    const Hygiene hygiene = examineServer(facts);
    const std::string text = hygieneText(hygiene, false, kOneServer);
    QVERIFY2(text.starts_with("1. A failover may lose locks\n   Its replicas: 10.0.0.6:6379.\n"),
             text.c_str());
    QVERIFY2(text.find("   $ lockscope-cli explore --protocol set-nx-px-token --faults failover\n")
                 != std::string::npos,
             text.c_str());
    const report::Json json = hygieneJson(hygiene, false, kOneServer);
    QCOMPARE(json["findings"][0]["id"].get<std::string>(), "async-failover"s);
    QCOMPARE(json["findings"][0]["servers"][0].get<std::string>(), "10.0.0.5:6379"s);
    QVERIFY(json["notKnown"].empty());
}

LOCKSCOPE_TEST(TestHygiene, Core)

} // namespace lockscope::tst_hygiene

#include "tst_hygiene.moc"
