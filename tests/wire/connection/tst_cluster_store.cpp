#include "core/wire/connection/cluster_map.h"
#include "core/wire/connection/cluster_store.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <optional>

namespace lockscope::tst_cluster_store {

using namespace lockscope::testing;
using store::Command;
using store::Outcome;

namespace {

constexpr int kPatienceMs = 20'000;

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

/// Two nodes in the hands of the test: the first one has every slot.
struct Bench {
    struct Node {
        ScriptedPeer peer;
        QByteArray answer = ":1\r\n"; // to a script; empty: it hangs up
        int scriptCount = 0;
    };

    wire::LoopExecutor executor;
    wire::LoopClock clock;
    std::array<Node, 2> nodes;
    std::optional<wire::ClusterStore> cluster;
    std::optional<Outcome> outcome;
    async::BackgroundTask task;

    Bench()
    {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes.at(i).peer.answerWith([this, i](const QByteArray& heard) {
                return answerOf(i, heard);
            });
        }
        store::Endpoint endpoint;
        endpoint.clusterSeeds = {{"127.0.0.1", nodes.front().peer.port()}};
        cluster.emplace(endpoint, executor, clock, Rng(1));
        cluster->map().open();
    }

    QByteArray address(std::size_t node) const
    {
        return "127.0.0.1:" + QByteArray::number(nodes.at(node).peer.port());
    }

    QByteArray view(std::size_t self) const
    {
        return "a " + address(0) + "@1 " + (self == 0 ? "myself," : "")
               + "master - 0 0 2 connected 0-16383\nb " + address(1) + "@1 "
               + (self == 1 ? "myself," : "") + "master - 0 0 1 connected\n";
    }

    QByteArray answerOf(std::size_t node, const QByteArray& heard)
    {
        QByteArray answer = heard.contains("SETNAME") ? "+OK\r\n" : "";
        if (heard.contains("NODES")) {
            answer += bulk(view(node)) + bulk("cluster_state:ok");
        }
        if (heard.contains("EVAL")) {
            ++nodes.at(node).scriptCount;
            if (nodes.at(node).answer.isEmpty()) {
                nodes.at(node).peer.hangUp();
            }
            answer += nodes.at(node).answer;
        }
        return answer;
    }

    async::Task<void> run()
    {
        Command command("EVAL", "return 1", 1, "order:lock");
        outcome = co_await cluster->submit(std::move(command));
    }

    void ask() { task = async::BackgroundTask(executor, run()); }
};

} // namespace

/// What becomes of a command that changes something.
class TestClusterStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNodeOfTheKeyIsAsked()
    {
        Bench bench;
        bench.ask();
        QTRY_VERIFY_WITH_TIMEOUT(bench.outcome, kPatienceMs);
        QVERIFY(*bench.outcome == Outcome(store::Reply::ofInteger(1)));
        QCOMPARE(bench.nodes[0].scriptCount, 1);
        QCOMPARE(bench.nodes[1].scriptCount, 0);
        QCOMPARE(QByteArray::fromStdString(bench.cluster->node("order:lock")), bench.address(0));
    }

    void aCommandThatWasNotCarriedOutFollowsItsKey()
    {
        Bench bench;
        bench.nodes[0].answer = "-MOVED " + QByteArray::number(store::slotOf("order:lock")) + ' '
                                + bench.address(1) + "\r\n";
        bench.nodes[1].answer = ":7\r\n";
        bench.ask();
        QTRY_VERIFY_WITH_TIMEOUT(bench.outcome, kPatienceMs);
        QVERIFY(*bench.outcome == Outcome(store::Reply::ofInteger(7)));
        QCOMPARE(bench.nodes[0].scriptCount, 1);
        QCOMPARE(bench.nodes[1].scriptCount, 1);
    }

    void whatIsNotAnsweredIsUnknownAndNotSentAgain()
    {
        Bench bench;
        bench.nodes[0].answer.clear();
        bench.ask();
        QTRY_VERIFY_WITH_TIMEOUT(bench.outcome, kPatienceMs);
        QVERIFY(std::holds_alternative<store::Unknown>(*bench.outcome));
        QCOMPARE(bench.nodes[0].scriptCount, 1);
        QCOMPARE(bench.nodes[1].scriptCount, 0);
    }
};

LOCKSCOPE_TEST(TestClusterStore, Core)

} // namespace lockscope::tst_cluster_store

#include "tst_cluster_store.moc"
