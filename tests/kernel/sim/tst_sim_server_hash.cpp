#include "core/kernel/sim/sim_server.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

namespace lockscope::tst_sim_server_hash {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestSimServerHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isKeptNoLongerThanItHolds();
};

namespace {

constexpr std::array kLines{
    "SET a 1 PX 50", "DEL a",     "RPUSH l x",        "BLPOP l 0.02", "GET a",
    "MULTI",         "EXEC",      "WATCH a",          "UNWATCH",      "SUBSCRIBE ch",
    "PUBLISH ch x",  "WAIT 1 20", "EVAL return{1} 0",
};

/// Something that may change the server, or not.
void doSomething(Meeting& m, std::uint64_t what, std::uint64_t who)
{
    const sim::SessionId session = who == 0 ? m.alice : m.bob;
    switch (what) {
    case 0: m.server.takeDeliveries(); break;
    case 1: m.server.advanceReplica(0); break;
    case 2: m.server.endWaits(m.now += 10ms); break;
    case 3: m.server.removeExpired(m.now += 10ms); break;
    case 4: m.server.database().forgetScripts(); break;
    default:
        if (!m.server.isWaiting(session)) {
            m.say(session, kLines[(what - 5) % kLines.size()]);
        }
    }
}

} // namespace

/// Two servers to which the same happens. One is asked all the time, of the other a copy that never
/// was.
void TestSimServerHash::isKeptNoLongerThanItHolds()
{
    RandomInput random;
    Meeting asked;
    Meeting silent;
    asked.server.addReplica();
    silent.server.addReplica();
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t what = random.rng().below(5 + kLines.size());
        const std::uint64_t who = random.rng().below(2);
        doSomething(asked, what, who);
        doSomething(silent, what, who);
        const sim::SimServer copy = silent.server;
        QVERIFY2(asked.server.contentHash() == copy.contentHash(), random.recipe().c_str());
    }
    const std::uint64_t before = asked.server.contentHash();
    asked.server.disconnect(asked.alice);
    asked.server.failOver(0);
    asked.server.restart(false);
    silent.server.disconnect(silent.alice);
    silent.server.failOver(0);
    silent.server.restart(false);
    QCOMPARE(asked.server.contentHash(), silent.server.contentHash());
    QVERIFY(asked.server.contentHash() != before);
}

LOCKSCOPE_TEST(TestSimServerHash, Core)

} // namespace lockscope::tst_sim_server_hash

#include "tst_sim_server_hash.moc"
