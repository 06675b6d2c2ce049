#include "core/kernel/inspect/force_release.h"
#include "core/operations/lock_releaser.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace lockscope::tst_lock_releaser {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using nlohmann::json;
using operations::LockReleaser;
using operations::ServerReports;
using store::Reply;

namespace {

/// Keeps the lines, until its paper is used up.
struct Notebook final : operations::AuditLog {
    std::vector<json> lines;
    std::size_t room = 100;

    std::string append(const std::string& line) override
    {
        if (lines.size() >= room) {
            return "no space left";
        }
        lines.push_back(json::parse(line));
        return {};
    }
};

ReleasePlan planFor(std::vector<std::uint16_t> servers)
{
    LockRecord record;
    record.id = {0, "lock:a"};
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(record);
    plan.command = store::Command("EVAL", "return 1", 0);
    plan.servers = std::move(servers);
    return plan;
}

struct Bench {
    VirtualLoop loop;
    Notebook notebook;
    ScriptedStore::Script script = [this](const store::Command&) {
        linesBeforeSending = notebook.lines.size();
        return store::Outcome(Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(0)}));
    };
    ScriptedServers servers{{script, script}};
    operations::LockInspector inspector{servers, loop.clock()};
    std::size_t linesBeforeSending = 0;
    LockReleaser releaser{
        servers, inspector, loop.clock(), notebook, {"anna", "", "ops-1", "test 1", 1}, 7};
    ServerReports reports;

    async::Task<ReleaseReport> execute(std::vector<std::uint16_t> onServers = {0})
    {
        return releaser.release({{planFor(std::move(onServers))}, {}, "stuck"}, reports);
    }
};

const Bytes kToken = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

/// Servers of which each may have a vote; a script removes it where it runs.
struct VoteBench {
    VirtualLoop loop;
    Notebook notebook;
    std::vector<PretendKeyspace> keyspaces;
    ScriptedServers servers;
    operations::LockInspector inspector{servers, loop.clock()};
    LockReleaser releaser{
        servers, inspector, loop.clock(), notebook, {"anna", "", "ops-1", "test 1", 1}, 7};
    ServerReports reports;

    explicit VoteBench(std::size_t count, const Bytes& key = "lock:a")
        : keyspaces(count, PretendKeyspace(loop.clock())),
          servers(scripts())
    {
        for (PretendKeyspace& keyspace : keyspaces) {
            keyspace.setString(key, kToken, std::chrono::seconds(30));
        }
    }

    std::vector<ScriptedStore::Script> scripts()
    {
        std::vector<ScriptedStore::Script> all;
        for (PretendKeyspace& keyspace : keyspaces) {
            all.emplace_back([&keyspace](const store::Command& command) {
                if (command.words.front() != "EVAL") {
                    return keyspace.answer(command);
                }
                keyspace.remove(command.words[3]);
                return store::Outcome(Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(0)}));
            });
        }
        return all;
    }

    /// The release of the row of all of them.
    ReleasePlan planForAll()
    {
        const LockId row{LockId::kWholeSet, "lock:a"};
        return loop.run(inspector.explain(row, operations::LockInspector::Purpose::Look))
            .release.value();
    }

    ReleaseReport releaseWith(const ReleasePlan& plan)
    {
        return loop.run(releaser.release({{plan}, {}, {}}, reports));
    }

    bool has(std::uint16_t server)
    {
        const LockId lock{server, "lock:a"};
        return loop.run(inspector.explain(lock, operations::LockInspector::Purpose::Look)).lock
               != nullptr;
    }

    /// Released where `onServers` says, as the lock of one server or of all.
    ReleaseReport release(std::vector<std::uint16_t> onServers, const Bytes& key = "lock:a")
    {
        const auto details = loop.run(inspector.explain({0, key},
                                                        operations::LockInspector::Purpose::Look));
        ReleasePlan plan = details.release.value();
        plan.servers = std::move(onServers);
        return loop.run(releaser.release({{plan}, {}, {}}, reports));
    }
};

} // namespace

class TestLockReleaser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLineIsThereBeforeAnythingIsSent();
    void noLineNoRelease();
    void aMasterThatMovesWhileTheLineIsWrittenGetsNothing();
    void aPlanForAMasterIsSentThereAlone();
    void aServerThatBecameAReplicaIsNoWayToItsMaster();
    void anOutcomeThatCannotBeWrittenIsTold();
    void whatIsDroppedAfterSendingIsUnknown();
    void whatIsDroppedBetweenServersIsKnownSoFar();
    void aPlanWhoseGuardIsGoneIsRefused();
    void onlyALockThatIsFreeIsFollowed();
    void theVotesThatAreLeftAreCounted();
    void ofAServerThatIsSilentNothingIsKnown();
    void leftoversThatBecameAMajorityStay();
    void leftoversStayWhereAServerIsSilent();
    void leftoversAreRemovedWhereTheyAre();
    void theOnlyServerMayBeOneOfSeveral();
    void aTokenAloneSuggestsNoSet();
    void whatTheSameOwnerStillHoldsIsTold();
    void aLockOfOneServerHasNoVotes();
    void anUndoneReleaseIsAuditedAsSuch();
    void whatWasNeverSentHasOneLine();
    void eachAttemptHasANameOfItsOwn();
};

void TestLockReleaser::theLineIsThereBeforeAnythingIsSent()
{
    Bench bench;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(bench.linesBeforeSending, std::size_t(1));
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    const json& intent = bench.notebook.lines[0];
    const json& outcome = bench.notebook.lines[1];
    QCOMPARE(intent["event"].get<std::string>(), std::string("intent"));
    QCOMPARE(outcome["event"].get<std::string>(), std::string("outcome"));
    QCOMPARE(outcome["outcome"].get<std::string>(), std::string("released"));
    QVERIFY(intent["attempt"] == outcome["attempt"]);
    QCOMPARE(outcome["user"].get<std::string>(), std::string("anna"));
    QCOMPARE(bench.releaser.takeFailure(), std::string());
}

void TestLockReleaser::noLineNoRelease()
{
    Bench bench;
    bench.notebook.room = 0;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.ownReason.find("(no space left)") != std::string::npos);
    QVERIFY(bench.servers.store(0).asked().empty());
}

void TestLockReleaser::aMasterThatMovesWhileTheLineIsWrittenGetsNothing()
{
    Bench bench;
    const store::Problem moved{store::Problem::Kind::MasterMoved, "10.0.0.6:6379", {}, {}};
    bench.servers.store(0).settleWith([&bench, moved] {
        return bench.notebook.lines.empty() ? store::Problem() : moved;
    });
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem, moved);
    QVERIFY(bench.servers.store(0).asked().empty());
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    QCOMPARE(bench.notebook.lines[1]["outcome"].get<std::string>(), std::string("refused"));
}

void TestLockReleaser::aPlanForAMasterIsSentThereAlone()
{
    Bench bench;
    int sentToMaster = 0;
    bench.servers.setOther(7200, [&](const store::Command&) {
        ++sentToMaster;
        return store::Outcome(Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(0)}));
    });
    ReleasePlan plan = planFor({0});
    plan.masters = {{0, "127.0.0.1:7200"}};
    const auto report = bench.loop.run(bench.releaser.release({{plan}, {}, "stuck"},
                                                              bench.reports));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(sentToMaster, 1);
    QVERIFY(bench.servers.store(0).asked().empty());
    for (const json& line : bench.notebook.lines) {
        QCOMPARE(line["server"].get<std::string>(), std::string("127.0.0.1:7200"));
        QCOMPARE(line["replica"].get<std::string>(), std::string("127.0.0.1:7000"));
    }
}

/// The user was shown no master, so nothing is sent to one.
void TestLockReleaser::aServerThatBecameAReplicaIsNoWayToItsMaster()
{
    VirtualLoop loop;
    Notebook notebook;
    ScriptedServers servers{{[](const store::Command& command) {
        return store::Outcome(command.words.front() == "INFO"
                                  ? Reply::ofBulk("role:slave\r\nmaster_host:127.0.0.1\r\n"
                                                  "master_port:7200\r\n")
                                  : Reply::ofArray({Reply::ofInteger(-3),
                                                    Reply::ofBulk("127.0.0.1:7200")}));
    }}};
    operations::LockInspector inspector{servers, loop.clock()};
    LockReleaser releaser{
        servers, inspector, loop.clock(), notebook, {"anna", "", "ops-1", "test 1", 1}, 7};
    servers.setOther(7200, [](const store::Command&) -> store::Outcome {
        qFatal("a server that was not named was written to");
    });
    ServerReports reports;
    const auto report = loop.run(releaser.release({{planFor({0})}, {}, {}}, reports));
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.problem.kind == store::Problem::Kind::NotMaster);
    QCOMPARE(report.problem.detail, std::string("127.0.0.1:7200"));
    QVERIFY(servers.connectedTo().empty());
}

void TestLockReleaser::anOutcomeThatCannotBeWrittenIsTold()
{
    Bench bench;
    bench.notebook.room = 1;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(bench.releaser.takeFailure(), std::string("no space left"));
    QCOMPARE(bench.releaser.takeFailure(), std::string());
}

void TestLockReleaser::whatIsDroppedAfterSendingIsUnknown()
{
    Bench bench;
    bench.servers.store(0).hold();
    {
        const auto dropped = bench.loop.start(bench.execute());
        QCOMPARE(bench.servers.store(0).heldCount(), std::size_t(1));
        QCOMPARE(bench.notebook.lines.size(), std::size_t(1));
    }
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    QCOMPARE(bench.notebook.lines[1]["outcome"].get<std::string>(), std::string("unknown"));
    QVERIFY(bench.notebook.lines[1]["detail"].get<std::string>().find("interrupted")
            != std::string::npos);
    QVERIFY(summaryOf(bench.reports).result == ReleaseResult::Unknown);
    QCOMPARE(summaryOf(bench.reports).ownReason, std::string(operations::kInterrupted));
}

void TestLockReleaser::whatIsDroppedBetweenServersIsKnownSoFar()
{
    Bench bench;
    bench.servers.store(1).hold();
    {
        const auto dropped = bench.loop.start(bench.execute({0, 1}));
        QVERIFY(!dropped.isFinished());
    }
    QCOMPARE(bench.notebook.lines.size(), std::size_t(4));
    QCOMPARE(bench.notebook.lines[1]["outcome"].get<std::string>(), std::string("released"));
    QCOMPARE(bench.notebook.lines[3]["outcome"].get<std::string>(), std::string("unknown"));
    const ReleaseReport soFar = summaryOf(bench.reports);
    QVERIFY(soFar.result == ReleaseResult::Unknown);
    QCOMPARE(soFar.perServer.size(), std::size_t(2));
}

void TestLockReleaser::aPlanWhoseGuardIsGoneIsRefused()
{
    Bench bench;
    ReleasePlan plan = planFor({0});
    plan.guard = KeyGuard{5, 0};
    const auto report = bench.loop.run(bench.releaser.release({{plan}, {}, {}}, bench.reports));
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, store::Problem::Kind::GuardLost);
    QVERIFY(bench.servers.store(0).asked().empty());
    QCOMPARE(bench.notebook.lines.size(), std::size_t(1));
    QCOMPARE(bench.notebook.lines[0]["outcome"].get<std::string>(), std::string("refused"));
}

void TestLockReleaser::onlyALockThatIsFreeIsFollowed()
{
    Bench bench;
    bench.loop.run(bench.execute());
    ReleasePlan one = planFor({0});
    one.holders.resize(1);
    ReleasePlan cap = planFor({0});
    cap.action = ReleaseAction::CapTtl;
    QVERIFY(!bench.loop.run(bench.releaser.follow(cap, bench.reports, Duration(1))));
    bench.reports.front().second.result = ReleaseResult::ChangedHands;
    QVERIFY(!bench.loop.run(bench.releaser.follow(one, bench.reports, Duration(1))));
}

void TestLockReleaser::theVotesThatAreLeftAreCounted()
{
    VoteBench bench(3);
    const ReleaseReport here = bench.release({0});
    QVERIFY(here.result == ReleaseResult::Released);
    QCOMPARE(here.votesLeft.value().held, std::uint16_t(2));
    QCOMPARE(here.votesLeft.value().total, std::uint16_t(3));
    VoteBench whole(3);
    QCOMPARE(whole.release({0, 1, 2}).votesLeft.value().held, std::uint16_t(0));
}

void TestLockReleaser::ofAServerThatIsSilentNothingIsKnown()
{
    VoteBench bench(3);
    bench.servers.store(2).breakLink();
    const Quorum left = bench.release({0}).votesLeft.value();
    QCOMPARE(left.held, std::uint16_t(1));
    QVERIFY(left.isUnknown(2));
}

void TestLockReleaser::leftoversThatBecameAMajorityStay()
{
    VoteBench bench(3);
    bench.keyspaces[1].remove("lock:a");
    bench.keyspaces[2].remove("lock:a");
    const ReleasePlan plan = bench.planForAll();
    QVERIFY(plan.isOfMinority);
    bench.keyspaces[2].setString("lock:a", kToken, std::chrono::seconds(30));
    const ReleaseReport report = bench.releaseWith(plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY2(report.ownReason.starts_with("This owner has 2 of 3 servers"),
             report.ownReason.c_str());
    QVERIFY(bench.reports.empty());
    QCOMPARE(bench.notebook.lines.back()["outcome"].get<std::string>(), std::string("refused"));
    QVERIFY(bench.has(0));
}

void TestLockReleaser::leftoversStayWhereAServerIsSilent()
{
    VoteBench bench(3);
    bench.keyspaces[1].remove("lock:a");
    bench.keyspaces[2].remove("lock:a");
    const ReleasePlan plan = bench.planForAll();
    bench.servers.store(2).breakLink(); // it may have the second vote by now
    const ReleaseReport report = bench.releaseWith(plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY2(report.ownReason.ends_with("it may have a majority."), report.ownReason.c_str());
    QVERIFY(bench.has(0));
}

void TestLockReleaser::leftoversAreRemovedWhereTheyAre()
{
    VoteBench bench(5);
    for (const std::size_t server : {1, 3, 4}) {
        bench.keyspaces[server].remove("lock:a");
    }
    const ReleasePlan plan = bench.planForAll();
    QVERIFY(plan.isOfMinority);
    QVERIFY(plan.servers == (std::vector<std::uint16_t>{0, 2}));
    const ReleaseReport report = bench.releaseWith(plan);
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.votesLeft.value().held, std::uint16_t(0));
    QVERIFY(!bench.has(0) && !bench.has(2));
}

void TestLockReleaser::theOnlyServerMayBeOneOfSeveral()
{
    for (const Bytes key : {"redlock:a", "stock:Redlock:lock"}) {
        VoteBench bench(1, key);
        QCOMPARE(bench.release({0}, key).votesLeft.value().total, std::uint16_t(1));
    }
}

void TestLockReleaser::aTokenAloneSuggestsNoSet()
{
    VoteBench bench(1);
    QVERIFY(!bench.release({0}).votesLeft);
}

void TestLockReleaser::whatTheSameOwnerStillHoldsIsTold()
{
    VoteBench bench(1);
    bench.keyspaces.front().setString("lock:b", kToken, std::chrono::seconds(30));
    bench.keyspaces.front().setString("lock:c", "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
                                      std::chrono::seconds(30));
    const auto details = bench.loop.run(
        bench.inspector.explain({0, "lock:a"}, operations::LockInspector::Purpose::Look));
    ReleasePlan plan = details.release.value();
    OwnerTie tie;
    tie.names = {"lock:a", "lock:b", "lock:c", "lock:gone"};
    plan.holders.front().setTie(std::make_shared<const OwnerTie>(std::move(tie)));
    const ReleaseReport report = bench.loop.run(bench.releaser.release({{plan}, {}, {}},
                                                                       bench.reports));
    QVERIFY(report.stillHeld == std::vector<Bytes>{"lock:b"});
}

void TestLockReleaser::aLockOfOneServerHasNoVotes()
{
    VoteBench bench(1, "gitlab:exclusive_lease:a");
    QVERIFY(!bench.release({0}, "gitlab:exclusive_lease:a").votesLeft);
}

void TestLockReleaser::anUndoneReleaseIsAuditedAsSuch()
{
    Bench bench;
    ReleasePlan plan = planFor({0});
    plan.action = ReleaseAction::Restore;
    plan.command = store::Command("SET", "lock:a", kToken, "NX");
    const ReleaseReport report = bench.loop.run(bench.releaser.release({{plan}, {}, {}},
                                                                       bench.reports));
    QVERIFY(report.result == ReleaseResult::Released);
    QVERIFY(!report.votesLeft && report.stillHeld.empty());
    QCOMPARE(bench.linesBeforeSending, std::size_t(1));
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    QCOMPARE(bench.notebook.lines.back()["action"].get<std::string>(), std::string("restore"));
    QCOMPARE(bench.notebook.lines.back()["outcome"].get<std::string>(), std::string("restored"));
    QCOMPARE(bench.notebook.lines.back()["capMs"].get<std::int64_t>(), std::int64_t(0));
    QVERIFY(!bench.loop.run(bench.releaser.follow(plan, bench.reports, Duration(0))));
}

void TestLockReleaser::whatWasNeverSentHasOneLine()
{
    Bench bench;
    ReleaseReport gone;
    gone.result = ReleaseResult::AlreadyGone;
    report::AuditAttempt attempt;
    attempt.key = "lock:a";
    bench.releaser.noteUnsent(attempt, gone);
    QCOMPARE(bench.notebook.lines.size(), std::size_t(1));
    QCOMPARE(bench.notebook.lines[0]["event"].get<std::string>(), std::string("outcome"));
    QCOMPARE(bench.notebook.lines[0]["outcome"].get<std::string>(), std::string("already-gone"));
    QVERIFY(bench.notebook.lines[0]["holders"].empty());
}

void TestLockReleaser::eachAttemptHasANameOfItsOwn()
{
    Bench bench;
    bench.loop.run(bench.execute());
    bench.loop.run(bench.execute());
    QCOMPARE(bench.notebook.lines.size(), std::size_t(4));
    QVERIFY(bench.notebook.lines[0]["attempt"] != bench.notebook.lines[2]["attempt"]);
}

LOCKSCOPE_TEST(TestLockReleaser, Core)

} // namespace lockscope::tst_lock_releaser

#include "tst_lock_releaser.moc"
