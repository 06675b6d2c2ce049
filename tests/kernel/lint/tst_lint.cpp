#include "core/kernel/lint/lint.h"
#include "core/kernel/lint/lint_json.h"
#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "tests/kernel/lint/planted_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/searched_cell.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lint {

using namespace lockscope::testing;
using lint::Lint;
using world::FaultKind;

namespace {

constexpr std::uint64_t kSchedules = 1000;

/// The lint of a file, with the search that it was made from.
struct Linted {
    explicit Linted(std::string fileText, const std::vector<FaultKind>& faults)
        : text(std::move(fileText)),
          plan(planIn(text))
    {
        for (const FaultKind fault : faults) {
            cells.push_back(searched(fault));
        }
        found = lint::lintOf(plan, text, cells, lua);
    }

    report::CellReport searched(FaultKind fault)
    {
        const protocol::OwnLock lock(plan);
        const auto plans = search::plansFor(plan.info, fault);
        return testing::searchedCell(lock, fault, plans, kSchedules, lua, true);
    }

    std::string text;
    protocol::OwnLockPlan plan;
    sim::LuaEngine lua;
    std::vector<report::CellReport> cells;
    Lint found;
};

} // namespace

class TestLint final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMistakeIsProved_data();
    void aMistakeIsProved();
    void aSoundLockIsClean();
    void whatNoRunShowsIsSuspectedOnly();
    void aBreakWithoutAPatternIsToldAsWell();
    void theJsonIsThatOfTheSchema();
};

void TestLint::aMistakeIsProved_data()
{
    QTest::addColumn<std::string>("file");
    QTest::addColumn<Replacements>("replacements");
    QTest::addColumn<FaultKind>("fault");
    QTest::addColumn<std::string>("pattern");
    QTest::addColumn<int>("line");
    const auto add = [](const char* file, Replacements replacements, FaultKind fault,
                        const char* pattern, int line) {
        QTest::newRow(pattern) << std::string(file) << std::move(replacements) << fault
                               << std::string(pattern) << line;
    };
    using enum FaultKind;
    add("token-lock", {{"\"released\": [1]", "\"released\": [2]"}}, Interleaving, "unlisted-answer",
        22);
    add("token-lock", {{"'NX', ", ""}}, Interleaving, "granted-while-held", 8);
    add("token-lock", {{", 'PX', ARGV[2]", ""}}, Crash, "no-expiry", 8);
    add("token-lock", {{"'PX'", "'EX'"}}, Crash, "wrong-lease", 8);
    add("copies/setnx-then-expire", {}, Crash, "late-expiry", 9);
    add("copies/exists-then-set", {}, Interleaving, "acquire-in-two-commands", 10);
    add("token-lock", {{"if value ~= ARGV[1] then", "if false then"}}, Pause, "uncompared-release",
        22);
    add("broken/get-then-del", {}, Pause, "release-in-two-commands", 18);
    add("token-lock", {{"return redis.call('del', KEYS[1])", "return 1"}}, Interleaving,
        "release-leaves-lock", 22);
    add("broken/forgets-the-count", {}, Interleaving, "forgets-count", 27);
    add("broken/renews-anybody", {}, Pause, "renews-anybody", 18);
    add("broken/renews-back-to-life", {}, MessageDelay, "revives-lock", 18);
    add("counted-lock", {{"return redis.call('pexpire', KEYS[1], ARGV[2])", "return 1"}},
        Interleaving, "useless-renewal", 28);
    add("wake-up-lock", {{"redis.call('publish', ARGV[2], '1')", "local a = 1"}}, Interleaving,
        "no-wake-up", 23);
}

void TestLint::aMistakeIsProved()
{
    QFETCH(const std::string, file);
    QFETCH(const Replacements, replacements);
    QFETCH(const FaultKind, fault);
    QFETCH(const std::string, pattern);
    const Linted linted(plantedFile(file, replacements), {fault});
    const auto found = std::ranges::find_if(linted.found.findings,
                                            [&pattern](const lint::LintFinding& finding) {
                                                return idOf(finding.suspect.pattern) == pattern;
                                            });
    QVERIFY(found != linted.found.findings.end());
    QTEST(found->place.line, "line");
    QVERIFY2(found->proof.has_value(), "it is not proved");
    QVERIFY(!found->proof->verdict->story.empty());
    QVERIFY(linted.found.isAnyProved());
}

void TestLint::aSoundLockIsClean()
{
    using enum FaultKind;
    const Linted linted(plantedFile("token-lock"), {Interleaving, Crash, Pause, MessageDelay});
    QVERIFY(linted.found.isClean());
    QVERIFY(!linted.found.isAnyProved());
}

void TestLint::whatNoRunShowsIsSuspectedOnly()
{
    const Linted linted(plantedFile("token-lock",
                                    {{"redis.call('pttl', KEYS[1])", "redis.call('incr', 'n')"}}),
                        {FaultKind::Interleaving});
    QCOMPARE(linted.found.findings.size(), std::size_t(1));
    QVERIFY(!linted.found.findings.front().proof);
    QCOMPARE(linted.found.findings.front().place.line, 13); // of the script's fourth line
    QVERIFY(!linted.found.isAnyProved());
    QVERIFY(!linted.found.isClean());
    // A holder that is told in time that its lease is over stops: that is a loss, but no break.
    const Linted late(plantedFile("counted-lock", {{"\"period\": \"3s\"", "\"period\": \"12s\""}}),
                      {FaultKind::Interleaving});
    QCOMPARE(late.found.findings.size(), std::size_t(1));
    QCOMPARE(late.found.findings.front().suspect.pattern, lint::Pattern::LateRenewal);
    QVERIFY(!late.found.findings.front().proof);
}

void TestLint::aBreakWithoutAPatternIsToldAsWell()
{
    const Linted linted(plantedFile("broken/dead-head-queue"), {FaultKind::Crash});
    QVERIFY(linted.found.findings.empty());
    QVERIFY(!linted.found.otherBreaks.empty());
    QCOMPARE(proofText(linted.found.otherBreaks.front()).substr(0, 37),
             std::string("no-stuck-lock breaks under crash, in "));
}

void TestLint::theJsonIsThatOfTheSchema()
{
    for (const char* const file : {"broken/get-then-del", "broken/dead-head-queue"}) {
        const Linted linted(plantedFile(file), {FaultKind::Pause, FaultKind::Crash});
        const report::Json json = lintJson(linted.plan.info, linted.found, linted.cells);
        QCOMPARE(schemaComplaint(json, "lint"), std::string());
    }
}

LOCKSCOPE_TEST(TestLint, Core)

} // namespace lockscope::tst_lint

#include "tst_lint.moc"
