// Ending the connection of a holder: compared right before, written down, proven; never the lock.

#include "core/kernel/report/wording.h"
#include "core/operations/holder_killer.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_holder_killer {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using operations::FoundHolder;
using operations::HolderKiller;
using operations::KillOrder;
using report::Json;
using store::Reply;

namespace {

const Bytes kOwner = "billing-worker-7";

struct Notebook final : operations::AuditLog {
    std::vector<Json> lines;
    std::size_t room = 100;

    std::string append(const std::string& line) override
    {
        if (lines.size() >= room) {
            return "no space left";
        }
        lines.push_back(Json::parse(line));
        return {};
    }
};

/// A client of the server.
struct Client {
    int id = 0;
    std::string address;
    std::string name;

    std::string line() const
    {
        return "id=" + std::to_string(id) + " addr=" + address
               + " laddr=127.0.0.1:6379 name=" + name + " age=9 idle=0 flags=N cmd=set\n";
    }
};

struct Bench {
    VirtualLoop loop;
    Notebook notebook;
    PretendKeyspace keyspace{loop.clock()};
    std::vector<Client> clients{{3, "10.0.0.1:40001", "other"}, {7, "10.0.0.7:51622", kOwner}};
    int killCount = 0;
    bool isForbidden = false;
    std::function<void()> beforeKill = [] {};
    std::uint16_t masterPort = 0; // of a replica
    ScriptedServers servers{
        {[this](const store::Command& command) { return answerOfServer(command); }}};
    operations::LockInspector inspector{servers, loop.clock()};
    HolderKiller killer{
        servers, inspector, loop.clock(), notebook, {"anna", "", "ops-1", "test 1", 1}, 7};

    Bench() { keyspace.setString("lock:a", kOwner, std::chrono::seconds(30)); }

    /// From now on the server is a replica, and the clients are at its master.
    void becomeReplica(std::uint16_t master)
    {
        masterPort = master;
        servers.setOther(master, [this](const store::Command& command) { return answer(command); });
    }

    store::Outcome answerOfServer(const store::Command& command)
    {
        if (masterPort == 0) {
            return answer(command);
        }
        return command.words.front() == "INFO"
                   ? Reply::ofBulk("role:slave\r\nmaster_host:127.0.0.1\r\nmaster_port:"
                                   + std::to_string(masterPort) + "\r\n")
                   : Reply::ofError("ERR nothing is asked of the replica");
    }

    store::Outcome answer(const store::Command& command)
    {
        if (command.words.front() != "CLIENT") {
            return keyspace.answer(command);
        }
        if (command.words[1] == "KILL") {
            return Reply::ofInteger(kill(command));
        }
        const bool isOne = command.words.size() > 3 && command.words[2] == "ID";
        if (isOne) {
            beforeKill();
        }
        std::string list;
        for (const Client& client : clients) {
            if (!isOne || std::to_string(client.id) == command.words[3]) {
                list += client.line();
            }
        }
        return isForbidden ? Reply::ofError("NOPERM this user has no permissions to run the "
                                            "'client|list' command")
                           : Reply::ofBulk(list);
    }

    std::int64_t kill(const store::Command& command)
    {
        ++killCount;
        return static_cast<std::int64_t>(std::erase_if(clients, [&command](const Client& client) {
            return command.words[2] == "ID" && command.words[3] == std::to_string(client.id)
                   && command.words[4] == "ADDR" && command.words[5] == client.address;
        }));
    }

    FoundHolder find() { return loop.run(killer.find({0, "lock:a"}, kOwner)); }
    KillReport killFound() { return kill({{0, "lock:a"}, kOwner, find().client.value(), "hangs"}); }
    KillReport kill(KillOrder order) { return loop.run(reported(std::move(order))); }
    async::Task<KillReport> reported(KillOrder order)
    {
        KillReport report;
        co_await killer.kill(std::move(order), report);
        co_return report;
    }
    std::string outcome() const { return notebook.lines.back()["outcome"].get<std::string>(); }
};

} // namespace

class TestHolderKiller : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOneClientThatFitsIsFound();
    void nobodyIsGuessed();
    void theConnectionIsEndedAndTheLockStays();
    void anotherClientUnderTheNumberIsLeftAlone();
    void aClientThatLeftIsGone();
    void aLockInOtherHandsIsLeftAlone();
    void theHolderOfALockOnAReplicaIsAtTheMaster();
    void anotherMasterThanTheOneThatWasNamedIsLeftAlone();
    void withoutALineNothingIsSent();
    void severalServersAreRefused();
};

void TestHolderKiller::theOneClientThatFitsIsFound()
{
    Bench bench;
    const FoundHolder found = bench.find();
    QVERIFY(found.client.has_value());
    QCOMPARE(found.client->info.id, std::uint64_t(7));
    QCOMPARE(found.client->info.address, std::string("10.0.0.7:51622"));
    QVERIFY(found.client->line.starts_with("id=7 "));
    QVERIFY(bench.notebook.lines.empty()); // a look is no attempt
}

void TestHolderKiller::nobodyIsGuessed()
{
    Bench several;
    several.clients.push_back({9, "10.0.0.9:1", kOwner});
    const FoundHolder two = several.find();
    QVERIFY(!two.client);
    QVERIFY(two.report.ownReason.starts_with("Several connected clients fit"));

    Bench none;
    none.clients.pop_back();
    QVERIFY(none.find().report.ownReason.starts_with("No connected client is certainly"));

    Bench forbidden;
    forbidden.isForbidden = true;
    const FoundHolder refused = forbidden.find();
    QVERIFY(refused.report.result == ReleaseResult::Refused);
    QCOMPARE(refused.report.problem.kind, store::Problem::Kind::NoPermission);
}

void TestHolderKiller::theConnectionIsEndedAndTheLockStays()
{
    Bench bench;
    const KillReport report = bench.killFound();
    QVERIFY(report.result == ReleaseResult::Released);
    QVERIFY(report.isProven);
    QVERIFY(report.lockNow != nullptr);
    QCOMPARE(bench.killCount, 1);
    QCOMPARE(bench.clients.size(), std::size_t(1));
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    const Json& intent = bench.notebook.lines.front();
    QCOMPARE(intent["event"].get<std::string>(), std::string("intent"));
    QCOMPARE(intent["action"].get<std::string>(), std::string("kill-client"));
    QCOMPARE(intent["client"]["id"].get<int>(), 7);
    QCOMPARE(intent["client"]["address"].get<std::string>(), std::string("10.0.0.7:51622"));
    QVERIFY(intent["client"]["line"].get<std::string>().find("cmd=set") != std::string::npos);
    QCOMPARE(intent["reason"].get<std::string>(), std::string("hangs"));
    QCOMPARE(bench.outcome(), std::string("killed"));
    const std::string sentence = report::disconnectSentence(report, {"10.0.0.7:51622", {}, {}, 7},
                                                            bench.loop.clock().now());
    QVERIFY2(sentence.find("Its lock is still there and expires in") != std::string::npos,
             sentence.c_str());
}

void TestHolderKiller::theHolderOfALockOnAReplicaIsAtTheMaster()
{
    Bench bench;
    bench.becomeReplica(7200);
    const FoundHolder found = bench.find();
    QVERIFY(found.client.has_value());
    QCOMPARE(found.master, std::string("127.0.0.1:7200"));
    const auto report = bench.kill({{0, "lock:a"}, kOwner, *found.client, "hangs", found.master});
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(bench.killCount, 1);
    for (const Json& line : bench.notebook.lines) {
        QCOMPARE(line["server"].get<std::string>(), std::string("127.0.0.1:7200"));
        QCOMPARE(line["replica"].get<std::string>(), std::string("127.0.0.1:7000"));
    }
}

void TestHolderKiller::anotherMasterThanTheOneThatWasNamedIsLeftAlone()
{
    Bench bench;
    bench.becomeReplica(7200);
    const FoundHolder found = bench.find();
    bench.becomeReplica(7201);
    const auto report = bench.kill({{0, "lock:a"}, kOwner, *found.client, {}, found.master});
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(bench.killCount, 0);
}

/// The number may belong to another one a moment later: a restarted server counts anew.
void TestHolderKiller::anotherClientUnderTheNumberIsLeftAlone()
{
    Bench bench;
    bench.beforeKill = [&bench] { bench.clients.back().address = "10.0.0.8:40000"; };
    QVERIFY(bench.killFound().result == ReleaseResult::ChangedHands);
    QCOMPARE(bench.killCount, 0);
    QCOMPARE(bench.outcome(), std::string("changed-hands"));
}

void TestHolderKiller::aClientThatLeftIsGone()
{
    Bench bench;
    bench.beforeKill = [&bench] { bench.clients.resize(1); };
    QVERIFY(bench.killFound().result == ReleaseResult::AlreadyGone);
    QCOMPARE(bench.killCount, 0);
    QCOMPARE(bench.outcome(), std::string("already-gone"));
}

void TestHolderKiller::aLockInOtherHandsIsLeftAlone()
{
    Bench bench;
    KillOrder order{{0, "lock:a"}, kOwner, bench.find().client.value(), {}};
    bench.keyspace.setString("lock:a", "somebody-else", std::chrono::seconds(30));
    QVERIFY(bench.kill(order).result == ReleaseResult::ChangedHands);
    QCOMPARE(bench.killCount, 0);
    QCOMPARE(bench.notebook.lines.size(), std::size_t(1)); // nothing was to be sent

    bench.keyspace.remove("lock:a");
    QVERIFY(bench.kill(order).result == ReleaseResult::AlreadyGone);
    QCOMPARE(bench.killCount, 0);
}

void TestHolderKiller::withoutALineNothingIsSent()
{
    Bench bench;
    bench.notebook.room = 0;
    const KillReport report = bench.killFound();
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.ownReason.find("audit file") != std::string::npos);
    QCOMPARE(bench.killCount, 0);
}

void TestHolderKiller::severalServersAreRefused()
{
    Bench bench;
    const FoundHolder found = bench.loop.run(bench.killer.find({LockId::kWholeSet, "lock:a"},
                                                               kOwner));
    QVERIFY(!found.client);
    QVERIFY(found.report.ownReason.starts_with("A holder on several servers"));
}

LOCKSCOPE_TEST(TestHolderKiller, None)

} // namespace lockscope::tst_holder_killer

#include "tst_holder_killer.moc"
