#include "core/kernel/inspect/watch/holder_watch.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <algorithm>
#include <iterator>

namespace lockscope::tst_holder_watch {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;

namespace {

const Bytes kToken = "00000000-1111-4222-8333-1b2c3d4e5f60";
const Bytes kOther = "00000000-1111-4222-8333-aaaaaaaaaaaa";

/// Pretended servers, and a watch of the lock "lock:x", or of the keys that are given.
struct Bench {
    VirtualLoop loop;
    std::vector<std::unique_ptr<PretendKeyspace>> servers;
    std::vector<std::unique_ptr<ScriptedStore>> stores;
    std::vector<bool> isSilent;
    std::unique_ptr<HolderWatch> watch;

    void useFormats(FormatTablePtr formats)
    {
        watch = std::make_unique<HolderWatch>(std::vector<store::Store*>{stores.front().get()},
                                              loop.clock(),
                                              std::vector<KeyGroup>(1, {"lock:x", {"lock:x"}}),
                                              std::move(formats));
    }

    explicit Bench(std::size_t serverCount = 1, const KeyGroup& lock = {"lock:x", {"lock:x"}})
        : isSilent(serverCount)
    {
        std::vector<store::Store*> handles;
        for (std::size_t i = 0; i < serverCount; ++i) {
            servers.push_back(std::make_unique<PretendKeyspace>(loop.clock()));
            stores.push_back(std::make_unique<ScriptedStore>([this, i](const Command& command) {
                return isSilent[i] ? store::Outcome(store::Unreachable{})
                                   : servers[i]->answer(command);
            }));
            handles.push_back(stores.back().get());
        }
        watch = std::make_unique<HolderWatch>(handles, loop.clock(),
                                              std::vector<KeyGroup>(1, lock));
    }

    std::optional<Look> look() { return loop.run(watch->look()); }
    PretendKeyspace& server() const { return *servers.front(); }
};

std::vector<SeenHold> ofMajority(const Look& look)
{
    std::vector<SeenHold> holds;
    std::ranges::copy_if(look.holds, std::back_inserter(holds),
                         [](const SeenHold& hold) { return !hold.node; });
    return holds;
}

} // namespace

class TestHolderWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenIsItsOwner()
    {
        Bench bench;
        bench.server().setString("lock:x", kToken, 10s);
        const std::optional<Look> look = bench.look();
        QVERIFY(look);
        QVERIFY((look->holds == std::vector<SeenHold>{{0, kToken, bench.loop.now() + 10s}}));
    }

    void nobodyStandsInAFreeLock()
    {
        Bench bench;
        const std::optional<Look> look = bench.look();
        QVERIFY(look && look->holds.empty());
    }

    void everyPermitThatIsOutIsAHold()
    {
        Bench bench;
        const auto nowMs = toEpochMs(bench.loop.clock().wallNow());
        bench.server().setSortedSet("lock:x",
                                    {{kOther, std::to_string(nowMs - 5)},
                                     {kToken, std::to_string(nowMs + 2000)},
                                     {"00000000-1111-4222-8333-cccccccccccc",
                                      std::to_string(nowMs + 9000)}},
                                    9s);
        const std::optional<Look> look = bench.look();
        QVERIFY(look);
        QCOMPARE(look->holds.size(), 2U); // one of them has run out
        QVERIFY(std::ranges::none_of(look->holds,
                                     [](const SeenHold& hold) { return hold.owner == kOther; }));
        QVERIFY(look->holds[0].until == bench.loop.now() + 2s);
    }

    void theSidesOfAPairAreLookedAtTogether()
    {
        Bench bench(1, {"x", {"x:read", "x:write"}});
        bench.server().setString("x:read", "1", 10s);
        bench.server().setString("x:write", "1", 10s);
        const std::optional<Look> look = bench.look();
        QVERIFY(look);
        QCOMPARE(look->holds.size(), 2U);
        QVERIFY(look->holds[0].isShared != look->holds[1].isShared);
    }

    void aStringThatNobodyRecognisesIsItsOwnOwner()
    {
        LockSnapshot snapshot;
        snapshot.keys.emplace_back();
        Observation& seen = snapshot.keys.back();
        seen.type = ValueType::String;
        seen.value = "mine, and nobody else's";
        QCOMPARE(holdsIn(snapshot, 3).at(0).owner, seen.value);
        QCOMPARE(holdsIn(snapshot, 3).at(0).lock, 3U);
        seen.type = ValueType::None;
        QVERIFY(holdsIn(snapshot, 3).empty());
    }

    /// A writer that waits leaves its mark in the hash of a lock that no client holds.
    void waitersAloneHoldNothing()
    {
        Bench bench;
        bench.server().setHash("lock:x", {{"whose", "mine"}}, 10s);
        QVERIFY(bench.look()->holds.empty());
    }

    void aFormatOfTheUserTellsTheOwner()
    {
        auto format = std::get<FormatFile>(readFormatFile(R"({
            "id": "acme-job", "library": "Acme", "summary": "A job.", "keys": ["lock:*"],
            "values": ["{owner=text}/{digits-4}"], "confidence": "high"})"));
        Bench bench;
        bench.useFormats(std::make_shared<const FormatTable>(
            std::vector<FormatFile>{std::move(format)}, std::vector<Treatment>(), nullptr));
        bench.server().setString("lock:x", "web-3/4711", 10s);
        QCOMPARE(bench.look()->holds.at(0).owner, Bytes("web-3"));
    }

    void mostOfTheServersDecide()
    {
        Bench bench(3);
        bench.servers[0]->setString("lock:x", kToken, 10s);
        bench.servers[1]->setString("lock:x", kOther, 10s);
        QVERIFY(ofMajority(*bench.look()).empty());
        bench.servers[2]->setString("lock:x", kToken, 4s);
        const std::optional<Look> look = bench.look();
        QVERIFY((ofMajority(*look) == std::vector<SeenHold>{{0, kToken, bench.loop.now() + 4s}}));
    }

    void whatEachOfTheServersHasIsSeenToo()
    {
        Bench bench(3);
        bench.servers[0]->setString("lock:x", kToken, 10s);
        bench.servers[1]->setString("lock:x", kOther, 5s);
        bench.servers[2]->setString("lock:x", kToken, 4s);
        const Instant now = bench.loop.now();
        const std::optional<Look> look = bench.look();
        const std::vector<SeenHold> expected{{0, kToken, now + 4s},
                                             {0, kToken, now + 10s, false, 0},
                                             {0, kOther, now + 5s, false, 1},
                                             {0, kToken, now + 4s, false, 2}};
        QVERIFY(look->holds == expected);
        QVERIFY(look->silent.empty());
    }

    void withoutMostOfTheServersNothingIsSeen()
    {
        Bench bench(3);
        for (const auto& server : bench.servers) {
            server->setString("lock:x", kToken, 10s);
        }
        bench.isSilent[0] = true;
        const std::optional<Look> look = bench.look();
        QVERIFY(look);
        QCOMPARE(look->silent, std::vector<int>{0});
        QVERIFY(std::ranges::none_of(look->holds,
                                     [](const SeenHold& hold) { return hold.node == 0; }));
        bench.isSilent[2] = true;
        QVERIFY(!bench.look());
    }
};

LOCKSCOPE_TEST(TestHolderWatch, Core)

} // namespace lockscope::tst_holder_watch

#include "tst_holder_watch.moc"
