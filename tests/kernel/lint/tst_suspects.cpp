#include "core/kernel/lint/suspects.h"
#include "tests/kernel/lint/planted_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_suspects {

using namespace lockscope::testing;

namespace {

/// "uncompared-release at /release"
std::vector<std::string> suspectsOf(const std::string& text)
{
    sim::LuaEngine lua;
    std::vector<std::string> all;
    for (const lint::Suspect& suspect : lint::suspectsIn(planIn(text), lua)) {
        all.push_back(std::string(idOf(suspect.pattern)) + " at " + suspect.path);
    }
    return all;
}

} // namespace

class TestSuspects final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void soundLocksAreNotSuspected_data();
    void soundLocksAreNotSuspected();
    void aPlantedMistakeIsSuspected_data();
    void aPlantedMistakeIsSuspected();
    void anErrorIsQuoted();
    void theLineOfAScriptIsKnown();
};

void TestSuspects::soundLocksAreNotSuspected_data()
{
    QTest::addColumn<std::string>("file");
    for (const char* const name :
         {"token-lock", "counted-lock", "wake-up-lock", "fenced-lock", "broken/dead-head-queue",
          "copies/set-nx-px-token", "copies/bounded-watchdog", "copies/fenced-token",
          "copies/reentrant-hash", "copies/semaphore", "copies/redisson-lock"}) {
        QTest::newRow(name) << std::string(name);
    }
}

void TestSuspects::soundLocksAreNotSuspected()
{
    QFETCH(const std::string, file);
    QCOMPARE(suspectsOf(plantedFile(file)), std::vector<std::string>());
}

void TestSuspects::aPlantedMistakeIsSuspected_data()
{
    QTest::addColumn<std::string>("file");
    QTest::addColumn<Replacements>("replacements");
    QTest::addColumn<std::vector<std::string>>("suspects");
    const auto add = [](const char* name, const char* file, Replacements replacements,
                        std::vector<std::string> suspects) {
        QTest::newRow(name) << std::string(file) << std::move(replacements) << std::move(suspects);
    };
    const char* const token = "token-lock";
    add("a command that is none", token, {{"call('set'", "call('sett'"}},
        {"script-error at /acquire", "never-granted at /acquire"});
    add("an answer too few", token, {{",\n    \"gone\": [-1]", ""}},
        {"unlisted-answer at /release"});
    add("refuses always", token, {{"'NX'", "'XX'"}}, {"never-granted at /acquire"});
    add("without NX", token, {{"'NX', ", ""}}, {"granted-while-held at /acquire"});
    add("without PX", token, {{", 'PX', ARGV[2]", ""}}, {"no-expiry at /acquire"});
    add("never expires by design", "copies/setnx-no-expiry", {},
        {"no-expiry at /expires", "no-owner at /acquire", "uncompared-release at /release"});
    add("milliseconds as seconds", token, {{"'PX'", "'EX'"}}, {"wrong-lease at /acquire"});
    add("a tenth of the lease", token, {{"'PX', ARGV[2]", "'PX', ARGV[2] / 10"}},
        {"wrong-lease at /acquire"});
    add("a constant instead of the token", token,
        {{"[\"{token}\", \"{leaseMs}\"]", "[\"1\", \"{leaseMs}\"]"}, {"[\"{token}\"]", "[\"1\"]"}},
        {"no-owner at /acquire", "uncompared-release at /release"});
    add("a loser that prolongs", token,
        {{"return {0, redis.call('pttl', KEYS[1])}", "return {0, redis.call('pexpire', KEYS[1], "
                                                     "ARGV[2] * 2)}"}},
        {"refusal-changes-lock at /acquire"});
    add("a loser that prolongs a lock of another name", token,
        {{"return {0, redis.call('pttl', KEYS[1])}", "return {0, redis.call('pexpire', KEYS[1], "
                                                     "ARGV[2] * 2)}"},
         {"[\"{key}\"]", "[\"lock:{key}\"]"},
         {"[\"{key}\"]", "[\"lock:{key}\"]"}},
        {"refusal-changes-lock at /acquire"});
    add("deletes whatever there is", token, {{"if value ~= ARGV[1] then", "if false then"}},
        {"uncompared-release at /release"});
    add("deletes nothing", token, {{"return redis.call('del', KEYS[1])", "return 1"}},
        {"release-leaves-lock at /release"});
    add("compares in a command of its own", "broken/get-then-del", {},
        {"release-in-two-commands at /release/check"});
    add("looks in a command of its own", "copies/exists-then-set", {},
        {"acquire-in-two-commands at /acquire/check", "no-expiry at /expires",
         "no-owner at /acquire", "uncompared-release at /release"});
    add("expires in a command of its own", "copies/setnx-then-expire", {},
        {"late-expiry at /acquire/check", "no-owner at /acquire",
         "uncompared-release at /release"});
    add("counts and forgets", "broken/forgets-the-count", {}, {"forgets-count at /release"});
    add("extends whatever there is", "broken/renews-anybody", {}, {"renews-anybody at /renew"});
    add("makes it anew", "broken/renews-back-to-life", {}, {"revives-lock at /renew"});
    add("renews nothing", "counted-lock",
        {{"return redis.call('pexpire', KEYS[1], ARGV[2])", "return 1"}},
        {"useless-renewal at /renew"});
    add("says that it renewed", "counted-lock", {{"'another' or 'nobody'\"", "'another' or 1\""}},
        {"untruthful-renewal at /renew"});
    add("renews too late", "counted-lock", {{"\"period\": \"3s\"", "\"period\": \"9s\""}},
        {"late-renewal at /renewal/period"});
    add("wakes nobody", "wake-up-lock", {{"redis.call('publish', ARGV[2], '1')", "local a = 1"}},
        {"no-wake-up at /release"});
    add("the client's time", token, {{"\"{leaseMs}\"]", "\"{leaseMs}\", \"{nowMs}\"]"}},
        {"client-clock at /acquire/args"});
    add("a key of its own", token, {{"redis.call('pttl', KEYS[1])", "redis.call('incr', 'n')"}},
        {"undeclared-key at /acquire"});
}

void TestSuspects::aPlantedMistakeIsSuspected()
{
    QFETCH(const std::string, file);
    QFETCH(const Replacements, replacements);
    QFETCH(const std::vector<std::string>, suspects);
    QCOMPARE(suspectsOf(plantedFile(file, replacements)), suspects);
}

void TestSuspects::anErrorIsQuoted()
{
    sim::LuaEngine lua;
    const auto plan = planIn(plantedFile("token-lock", {{"call('set'", "call('sett'"}}));
    const std::string detail = lint::suspectsIn(plan, lua).front().detail;
    QVERIFY2(detail.find("Unknown Redis command") != std::string::npos, detail.c_str());
}

void TestSuspects::theLineOfAScriptIsKnown()
{
    sim::LuaEngine lua;
    const auto plan = planIn(plantedFile("token-lock", {{"redis.call('pttl', KEYS[1])",
                                                         "redis.call('incr', 'n')"}}));
    QCOMPARE(lint::suspectsIn(plan, lua).front().scriptLine, std::optional(4));
}

LOCKSCOPE_TEST(TestSuspects, Core)

} // namespace lockscope::tst_suspects

#include "tst_suspects.moc"
