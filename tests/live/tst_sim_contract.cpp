// The licence to believe the simulation: whatever it is asked, it answers as a real Redis does.

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "tests/kernel/random_input.h"
#include "tests/support/command_grammar.h"
#include "tests/support/live/live_server.h"
#include "tests/support/reply_agreement.h"
#include "tests/support/reply_text.h"
#include "tests/support/shrink.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::tst_sim_contract {

using namespace lockscope::testing;
using sim::ServerTime;
using store::Command;
using store::Reply;

namespace {

constexpr std::size_t kSequenceLength = 50;

std::size_t stepCount()
{
    const QByteArray wanted = qgetenv("LOCKSCOPE_SOAK_STEPS");
    return wanted.isEmpty() ? 50'000 : wanted.toULongLong();
}

ServerTime wallNow()
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

/// Both servers, side by side, and one connection to each.
class Pair {
public:
    /// The first step on which they do not agree, as text; nullopt when there is none.
    std::optional<std::string> firstDifference(const std::vector<Command>& steps)
    {
        std::vector<Command> all{Command("reset"), Command("unwatch"), Command("flushall"),
                                 Command("script", "flush")};
        all.insert(all.end(), steps.begin(), steps.end());
        all.emplace_back("discard");
        for (Command& query : CommandGrammar::stateQueries()) {
            all.push_back(std::move(query));
        }
        const ServerTime now = wallNow();
        m_real.client().sendAll(all);
        std::optional<std::string> difference;
        sim::SimServer server(m_lua);
        const sim::SessionId session = server.connect();
        for (const Command& command : all) {
            const std::optional<Reply> real = m_real.client().listen();
            if (!real) {
                throw std::runtime_error("no answer to " + store::toText(command));
            }
            const Reply simulated = server.run(session, command, now).value_or(Reply());
            const bool isSameSet = &command >= &all[4];
            if (!difference && isSameSet && !agree(simulated, *real, Allowance::of(command))) {
                difference = store::toText(command) + "\n  simulated: " + replyText(simulated)
                             + "\n  real:      " + replyText(*real);
            }
        }
        return difference;
    }

private:
    LiveServer m_real;
    sim::LuaEngine m_lua;
};

} // namespace

class TestSimContract : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void randomSequencesAgree();
};

void TestSimContract::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestSimContract::randomSequencesAgree()
{
    RandomInput input;
    Pair pair;
    int differences = 0;
    for (std::size_t done = 0; done < stepCount(); done += kSequenceLength) {
        CommandGrammar grammar(input.rng().split(), sim::toEpochMs(wallNow()));
        std::vector<Command> steps;
        while (steps.size() < kSequenceLength) {
            steps.push_back(grammar.next());
        }
        if (!pair.firstDifference(steps)) {
            continue;
        }
        steps = shrunk(std::move(steps), [&pair](const std::vector<Command>& fewer) {
            return pair.firstDifference(fewer).has_value();
        });
        std::string story = input.recipe();
        for (const Command& step : steps) {
            story += "\n  " + store::toText(step);
        }
        story += "\nthe first difference:\n  " + pair.firstDifference(steps).value_or("gone");
        qWarning("%s", story.c_str());
        if (++differences == 10) {
            break;
        }
    }
    QCOMPARE(differences, 0);
}

LOCKSCOPE_TEST(TestSimContract, Core)

} // namespace lockscope::tst_sim_contract

#include "tst_sim_contract.moc"
