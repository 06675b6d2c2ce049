#include "tests/support/test_program.h"
#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/locks/locks_situation.h"
#include "ui/widgets/shell/watch_state.h"

#include <QTest>

Q_DECLARE_METATYPE(lockscope::service::LinkStatus)

namespace lockscope::tst_status_wording {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using State = service::LinkStatus::State;
using Live = service::LinkStatus::Live;
using Kind = store::Problem::Kind;

namespace {

std::shared_ptr<const inspect::SweepFindings> completeFindings()
{
    return std::make_shared<const inspect::SweepFindings>();
}

std::shared_ptr<const inspect::SweepFindings> unreadFindings()
{
    inspect::LockSnapshot snapshot;
    inspect::Observation& seen = snapshot.keys.emplace_back();
    seen.key = snapshot.name = "order:lock";
    seen.type = inspect::ValueType::Other;
    seen.unreadable = "MOVED 7186 10.0.0.7:7001";
    seen.refusedCommand = "TYPE";
    inspect::SweepFindings findings;
    findings.addSnapshot(snapshot, false);
    return std::make_shared<const inspect::SweepFindings>(std::move(findings));
}

} // namespace

class TestStatusWording : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    static service::LinkStatus link(State state, Live live = Live::None)
    {
        service::LinkStatus status;
        status.state = state;
        status.live = live;
        return status;
    }

    static WatchState watching(int servers = 1)
    {
        WatchState state;
        std::vector<store::Endpoint> endpoints;
        for (int i = 0; i < servers; ++i) {
            store::Endpoint endpoint;
            endpoint.host = "redis-" + std::to_string(i + 1);
            endpoints.push_back(endpoint);
        }
        state.open(endpoints);
        return state;
    }

    static WatchState online(int servers = 1)
    {
        WatchState state = watching(servers);
        for (int server = 0; server < servers; ++server) {
            service::LinkStatus status = link(State::Online, Live::Push);
            status.server = static_cast<std::uint16_t>(server);
            state.update(status);
        }
        return state;
    }

    static service::LinkStatus waiting(Kind kind, Duration left = 3s)
    {
        service::LinkStatus status = link(State::Waiting);
        status.attempt = 3;
        status.nextAttempt = kNow + left;
        status.problem.kind = kind;
        return status;
    }

    static service::LinkStatus stalled(Kind kind)
    {
        service::LinkStatus status = link(State::Stalled, Live::Push);
        status.stalledSince = kNow - 12s;
        status.problem.kind = kind;
        return status;
    }

private Q_SLOTS:
    void everyLinkStatusHasItsWords_data()
    {
        QTest::addColumn<service::LinkStatus>("status");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("tone");
        const auto row = [](const char* name, const service::LinkStatus& status,
                            const char16_t* text, LinkTone tone) {
            QTest::newRow(name) << status << QString::fromUtf16(text) << static_cast<int>(tone);
        };
        service::LinkStatus polling = link(State::Online, Live::Polling);
        row("closed", link(State::Closed), u"not connected", LinkTone::Quiet);
        row("connecting", link(State::Connecting), u"connecting…", LinkTone::Warning);
        row("push", link(State::Online, Live::Push), u"live push", LinkTone::Good);
        row("keyspace events", link(State::Online, Live::KeyspaceEvents), u"keyspace events",
            LinkTone::Good);
        row("polling", polling, u"polling", LinkTone::Warning);
        polling.pollInterval = 2500ms;
        row("polling with interval", polling, u"polling every 2.5 s", LinkTone::Warning);
        row("no news yet", link(State::Online), u"connected", LinkTone::Warning);
        row("waiting", waiting(Kind::ConnectionLost), u"reconnecting in 3 s (attempt 4)",
            LinkTone::Bad);
        row("part of a second", waiting(Kind::ConnectionLost, 200ms),
            u"reconnecting in 1 s (attempt 4)", LinkTone::Bad);
        service::LinkStatus hopeless = waiting(Kind::PasswordWrong);
        hopeless.nextAttempt = Instant::max();
        row("given up", hopeless, u"giving up", LinkTone::Bad);
        row("silent", stalled(Kind::ReplyTimedOut), u"no reply for 12 s", LinkTone::Bad);
        row("busy", stalled(Kind::ServerRefused), u"unable to reply for 12 s", LinkTone::Bad);
        row("loading", stalled(Kind::Loading), u"loading", LinkTone::Bad);
        row("overdue", waiting(Kind::ConnectionLost, -1s), u"reconnecting now (attempt 4)",
            LinkTone::Bad);
    }

    void everyLinkStatusHasItsWords()
    {
        QFETCH(service::LinkStatus, status);
        QFETCH(QString, text);
        QFETCH(int, tone);
        const LinkWording wording = linkWording(status, kNow);
        QCOMPARE(wording.text, text);
        QCOMPARE(static_cast<int>(wording.tone), tone);
    }

    void furtherAttemptsAreNewsOnlyForAnotherReason()
    {
        const auto isLogged = [](const service::LinkStatus& before,
                                 const service::LinkStatus& status) {
            return linkEntry(before, status, kNow).has_value();
        };
        const auto good = link(State::Online, Live::Push);
        const auto refused = waiting(Kind::ConnectionRefused);
        auto retrying = link(State::Connecting);
        retrying.problem = refused.problem;
        QVERIFY(isLogged(link(State::Connecting), good));
        QVERIFY(isLogged(good, link(State::Online, Live::Polling)));
        QVERIFY(isLogged(good, waiting(Kind::ConnectionLost)));
        QVERIFY(isLogged(waiting(Kind::ConnectionLost), refused));
        QVERIFY(!isLogged(refused, retrying));
        QVERIFY(!isLogged(retrying, refused));
        QVERIFY(isLogged(retrying, good));
        const auto entry = linkEntry(good, refused, kNow);
        QCOMPARE(entry->text, linkWording(refused, kNow).reason);
        QVERIFY(linkEntry(retrying, good, kNow)->text.startsWith(linkWording(good, kNow).text));
    }

    void aStallIsToldOnceAndItsEndToo()
    {
        const auto good = link(State::Online, Live::Push);
        const auto silent = stalled(Kind::ReplyTimedOut);
        QCOMPARE(linkEntry(good, silent, kNow)->text, linkWording(silent, kNow).reason);
        QVERIFY(!linkEntry(silent, silent, kNow));
        QVERIFY(linkEntry(silent, stalled(Kind::ServerRefused), kNow));
        QCOMPARE(linkEntry(silent, good, kNow)->text, u"live push"_s);
    }

    void whileNothingIsCertainNothingIsCalledAbsent()
    {
        WatchState state = online();
        state.update(service::SweepProgress{0, 0, 0, true, false});
        QCOMPARE(situationOf(state, {}), LocksSituation::NoLocks);
        state.update(stalled(Kind::ReplyTimedOut));
        QCOMPARE(situationOf(state, {}), LocksSituation::Stalled);
        const EmptyText text = emptyText(LocksSituation::Stalled, state, {}, kNow);
        QVERIFY2(text.headline.contains(u"does not answer"), qPrintable(text.headline));
        QCOMPARE(state.onlineCount(), std::size_t(0));
        QVERIFY(staleText(state, kNow).contains(u"no reply for 12 s"));
        QCOMPARE(barText(LocksSituation::Table, state, kNow), staleText(state, kNow));
    }

    void whatKindOfServerItIsStandsInTheBar()
    {
        WatchState state = online();
        QCOMPARE(barText(LocksSituation::Table, state, kNow), QString());
        service::LinkStatus replica = link(State::Online, Live::Push);
        replica.info.role = store::ServerInfo::Role::Replica;
        replica.info.master = "10.0.0.5:6379";
        state.update(replica);
        for (const LocksSituation situation : {LocksSituation::Table, LocksSituation::NoLocks}) {
            QVERIFY(barText(situation, state, kNow).contains(u"replica of 10.0.0.5:6379"));
        }
    }

    void theMasterBehindSentinelsIsNamed()
    {
        service::LinkStatus status = link(State::Online);
        status.live = service::LinkStatus::Live::Push;
        status.node = "10.0.0.6:6379";
        QCOMPARE(linkWording(status, {}).text, u"live push · master 10.0.0.6:6379"_s);
        service::LinkStatus before = status;
        before.node = "10.0.0.5:6379";
        QVERIFY(linkEntry(before, status, {}).has_value());
        QVERIFY(!linkEntry(status, status, {}).has_value());
    }

    void aSentinelHasAPageOfItsOwn()
    {
        WatchState state = online();
        service::LinkStatus sentinel = link(State::Online);
        sentinel.info.role = store::ServerInfo::Role::Sentinel;
        state.update(sentinel);
        QCOMPARE(situationOf(state, {}), LocksSituation::NothingToShow);
        const EmptyText text = emptyText(LocksSituation::NothingToShow, state, {}, kNow);
        QVERIFY2(text.text.startsWith(u"This is a Sentinel"), qPrintable(text.text));
        QCOMPARE(barText(LocksSituation::NothingToShow, state, kNow), QString());
    }

    void nodesOfAClusterAreNoSet()
    {
        WatchState state = online(3);
        for (std::uint16_t server = 0; server < 3; ++server) {
            service::LinkStatus node = link(State::Online, Live::Push);
            node.server = server;
            node.info.isCluster = true;
            state.update(node);
        }
        const QString bar = barText(LocksSituation::Table, state, kNow);
        QVERIFY2(bar.contains(u"redis-2:6379 and redis-3:6379 are nodes of a cluster"),
                 qPrintable(bar));
    }

    void theReasonIsTheKernelsExplanation()
    {
        const service::LinkStatus status = waiting(Kind::ConnectionRefused);
        QCOMPARE(linkWording(status, kNow).reason,
                 QString::fromStdString(store::explain(status.problem)));
        QCOMPARE(linkWording(link(State::Online, Live::Push), kNow).reason, QString());
    }

    void ofASetTheWorstLinkSpeaksAndTheOnlineOnesAreCounted()
    {
        WatchState state = online(3);
        QCOMPARE(linkWording(state, kNow).text, u"3 of 3 servers · live push"_s);
        service::LinkStatus down = waiting(Kind::ConnectionLost);
        down.server = 1;
        state.update(down);
        QCOMPARE(linkWording(state, kNow).text,
                 u"2 of 3 servers · reconnecting in 3 s (attempt 4)"_s);
    }

    void aPartialSweepNeverLooksComplete()
    {
        WatchState state = online();
        state.update(service::SweepProgress{0, 340'000, 1'000'000, false, false});
        QCOMPARE(sweepWording(state.sweep()), u"partial: 34 % of the keys scanned"_s);
        // SCAN may return more keys than DBSIZE promised; that is still not the end.
        state.update(service::SweepProgress{0, 1'000'500, 1'000'000, false, false});
        QCOMPARE(sweepWording(state.sweep()), u"partial: 99 % of the keys scanned"_s);
        state.update(service::SweepProgress{0, 1'000'412, 1'000'412, true, false});
        QCOMPARE(sweepWording(state.sweep()), u"scanned all 1,000,412 keys"_s);
        state.update(service::SweepProgress{0, 999'999, 1'000'412, true, false}); // some went
        QCOMPARE(sweepWording(state.sweep()), u"scanned 999,999 of 1,000,412"_s);
        state.update(service::SweepProgress{0, 10, 4, true, false}); // some came
        QCOMPARE(sweepWording(state.sweep()), u"scanned all 10 keys"_s);
        state.update(service::SweepProgress{0, 1, 1, true, false});
        QCOMPARE(sweepWording(state.sweep()), u"scanned the only key"_s);
        state.update(service::SweepProgress{0, 500'000, 1'000'000, false, false});
        QCOMPARE(sweepWording(state.sweep()), u"scanning again: 50 %"_s);
    }

    void anEmptyDatabaseIsCalledEmpty()
    {
        WatchState state = online();
        state.update(service::SweepProgress{0, 0, 0, true, false});
        QCOMPARE(sweepWording(state.sweep()), u"scanned: the server was empty"_s);
    }

    void aSetIsSweptWhenEveryServerIs()
    {
        WatchState state = online(2);
        state.update(service::SweepProgress{0, 100, 100, true, false});
        QVERIFY(!state.sweep().isComplete);
        QCOMPARE(sweepWording(state.sweep()), u"partial: 99 % of the keys scanned"_s);
        state.update(service::SweepProgress{1, 100, 100, true, false});
        QVERIFY(state.sweep().isComplete);
    }

    void newsOfServersThatAreNotWatchedAreIgnored()
    {
        WatchState state = online();
        service::LinkStatus stray = waiting(Kind::ConnectionLost);
        stray.server = 7;
        state.update(stray);
        QCOMPARE(linkWording(state, kNow).text, u"live push"_s);
    }

    void countsAndCostsAreWritten()
    {
        QCOMPARE(lockCountWording(1, 0), u"1 lock · 0 changes/s"_s);
        QCOMPARE(lockCountWording(1'480, 61.6), u"1,480 locks · 62 changes/s"_s);
        QCOMPARE(costWording({120, 1'200, 5, 0.0046, Duration(600)}),
                 u"our cost: 120 commands/s, 1,200 messages/s, 0 kB/s, ≈ 0.5 % of a core · slowest "
                 u"call 0.6 ms"_s);
        QVERIFY(costWording({0.4, 0, 0, 0.0001, Duration(600)}).contains(u", < 0.1 % of a core"_s));
        QCOMPARE(costWording({120, 0, 5, 0.0046, Duration(600), 34'400, {2'000, 50'000, 2.5}}),
                 u"our cost: 120 commands/s, 0 messages/s, 34 kB/s, ≈ 0.5 % of a core · slowest "
                 u"call 0.6 ms · sweeps limited to 2,000 commands/s, 50 kB/s, 2.5 % of the "
                 u"server's time"_s);
    }

    void newsOfKnownNamesAloneAreExplained()
    {
        service::LinkStatus narrow;
        narrow.state = service::LinkStatus::State::Online;
        narrow.live = service::LinkStatus::Live::Push;
        QCOMPARE(linkWording(narrow, kNow).reason, QString());
        narrow.isNarrow = true;
        QCOMPARE(linkWording(narrow, kNow).tone, LinkTone::Good);
        QVERIFY(linkWording(narrow, kNow).reason.contains(u"known locks"));
        narrow.live = service::LinkStatus::Live::KeyspaceEvents;
        QVERIFY(linkWording(narrow, kNow).reason.contains(u"known locks"));
    }

    void theSituationFollowsTheState()
    {
        WatchState state;
        QCOMPARE(situationOf(state, {}), LocksSituation::NotConnected);
        state = watching();
        QCOMPARE(situationOf(state, {}), LocksSituation::Connecting);
        state.update(waiting(Kind::ConnectionRefused));
        QCOMPARE(situationOf(state, {}), LocksSituation::Unreachable);
        service::LinkStatus retrying = waiting(Kind::ConnectionRefused);
        retrying.state = State::Connecting;
        state.update(retrying); // the page does not flicker with every attempt
        QCOMPARE(situationOf(state, {}), LocksSituation::Unreachable);
        state.update(waiting(Kind::NoPermission));
        QCOMPARE(situationOf(state, {}), LocksSituation::NotAllowed);
        state = online();
        QCOMPARE(situationOf(state, {}), LocksSituation::Sweeping);
        state.update(service::SweepProgress{0, 10, 10, true, false});
        QCOMPARE(situationOf(state, {}), LocksSituation::NoLocks);
        QCOMPARE(situationOf(state, {3, 0}), LocksSituation::AllHidden);
        QCOMPARE(situationOf(state, {3, 1}), LocksSituation::Table);
    }

    void aLostConnectionKeepsTheTableAndSaysThatItIsStale()
    {
        WatchState state = online();
        QCOMPARE(staleText(state, kNow), QString());
        state.update(waiting(Kind::ConnectionLost));
        QCOMPARE(situationOf(state, {3, 3}), LocksSituation::Table);
        const QString text = staleText(state, kNow);
        QVERIFY2(text.contains(u"reconnecting in 3 s (attempt 4)"_s), qPrintable(text));
    }

    void missingPermissionNamesTheRuleForTheUserOfTheConnection()
    {
        store::Endpoint endpoint;
        endpoint.user = "watcher";
        WatchState state;
        state.open({endpoint});
        service::LinkStatus status = waiting(Kind::NoPermission);
        status.problem.command = "scan";
        status.problem.rule = "+scan";
        state.update(status);
        const EmptyText text = emptyText(LocksSituation::NotAllowed, state, {}, kNow);
        QCOMPARE(text.command, u"ACL SETUSER watcher +scan"_s);
        QVERIFY2(text.text.contains(u"scan"), qPrintable(text.text));
        QCOMPARE(text.step, EmptyText::Step::Connect);
    }

    void whatCouldNotBeReadStaysInTheBar()
    {
        WatchState state = online();
        QCOMPARE(gapText(state), QString());
        service::SweepProgress progress{0, 305, 305, true, false, unreadFindings()};
        state.update(progress);
        const QString text = barText(LocksSituation::Table, state, kNow);
        QVERIFY2(text.startsWith(u"Incomplete: 1 key could not be read (TYPE). The key is on "
                                 u"another node of the cluster."_s),
                 qPrintable(text));
        QCOMPARE(barText(LocksSituation::NoLocks, state, kNow), text);
        QCOMPARE(sweepWording(state.sweep()), u"scanned all 305 keys, 1 not read"_s);
        const EmptyText empty = emptyText(LocksSituation::NoLocks, state, {}, kNow);
        QCOMPARE(empty.headline, u"No locks among the readable keys"_s);
        progress.isDone = false; // the next sweep has begun: nothing is better yet
        state.update(progress);
        QCOMPARE(gapText(state), text);
        state.update(service::SweepProgress{0, 305, 305, true, false, completeFindings()});
        QCOMPARE(barText(LocksSituation::Table, state, kNow), QString());
    }

    void anEmptyServerIsNotSaidToBeEmptyBesideLocks()
    {
        WatchState state = online();
        state.update(service::SweepProgress{0, 0, 0, true, false});
        QCOMPARE(sweepWording(state.sweep()), u"scanned: the server was empty"_s);
        QCOMPARE(sweepWording(state.sweep(), 10), u"scanned while the server was empty"_s);
        state.update(service::SweepProgress{0, 305, 0, true, false}); // DBSIZE is not allowed
        QCOMPARE(sweepWording(state.sweep(), 10), u"scanned 305 keys"_s);
    }

    void aDeepSweepWithoutLocksIsNotOfferedAgain()
    {
        WatchState state = online();
        state.update(service::SweepProgress{0, 10, 10, true, false});
        QCOMPARE(emptyText(LocksSituation::NoLocks, state, {}, kNow).step,
                 EmptyText::Step::DeepSweep);
        state.update(service::SweepProgress{0, 10, 10, true, true});
        QCOMPARE(emptyText(LocksSituation::NoLocks, state, {}, kNow).step, EmptyText::Step::None);
    }
};

LOCKSCOPE_TEST(TestStatusWording, Core)

} // namespace lockscope::tst_status_wording

#include "tst_status_wording.moc"
