#include "tests/live/cli_process.h"
#include "tests/support/json_schema.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

namespace lockscope::tst_cli_search {

using namespace lockscope::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QString brokenExample(const char* name)
{
    return inSourceTree(
        QStringLiteral("resources/protocols/broken/%1.json").arg(QString::fromLatin1(name)));
}

} // namespace

/// The commands that need no server, as a user runs them.
class TestCliSearch final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void helpNamesEveryOption();
    void exploreShowsTheShortestWayToBreakAPromise();
    void whatHoldsEndsWithZero();
    void aSavedCounterexampleReplaysExactly();
    void anOwnProtocolIsSavedWithItsCounterexample();
    void aChangedCounterexampleIsRefused();
    void resultsDoNotDependOnTheThreads();
    void simulateFindsAFlawAndNamesItsSeed();
    void theMatrixIsAnArrayOfCells();
    void theMatrixIsATable();
    void runsWithoutAnEndAreNotEnough();
    void adviceSaysWhatHoldsAndWhy();
    void lintProvesWhatItSuspects();
    void lintSaysWhereAMistakeIs();
    void interruptedItPrintsWhatItHasSeen();
    void aLockThatIsNeverGrantedIsNotJudged();
    void aScriptWithoutEndIsStopped();
    void faultsOfRandomRunsAreNamed();
};

void TestCliSearch::helpNamesEveryOption()
{
    CliProcess cli;
    const CliResult all = cli.run(words("--help"));
    for (const char* const command : {"explore", "simulate", "replay", "matrix"}) {
        QVERIFY2(all.output.contains(QByteArray(QByteArray("\n  ") + command)), command);
        const CliResult one = cli.run({QString::fromLatin1(command), QStringLiteral("--help")});
        QCOMPARE(one.exitCode, 0);
        QVERIFY2(one.output.contains("--format"), one.output.constData());
    }
    QVERIFY(cli.run(words("explore --help")).output.contains("--max-schedules N"));
}

void TestCliSearch::exploreShowsTheShortestWayToBreakAPromise()
{
    CliProcess cli;
    const CliResult people = cli.run(words("explore --protocol exists-then-set --faults crash"));
    QCOMPARE(people.exitCode, 0); // it promises nothing of what breaks
    QVERIFY2(people.output.contains("not promised"), people.output.constData());
    const CliResult json = cli.run(words(
        "explore --protocol lua-setnx-expire --faults interleaving,pause --max-schedules 3000 "
        "--format json"));
    QCOMPARE(schemaComplaint(json.json(), "run"), std::string());
    QCOMPARE(json.json()["faults"].size(), std::size_t(2));
    const CliResult broken = cli.run(words("explore --faults interleaving --protocol")
                                     << brokenExample("forgets-the-count"));
    QCOMPARE(broken.exitCode, 10);
    QVERIFY2(broken.output.contains("The shortest way to break a promise: "),
             broken.output.constData());
    QVERIFY2(broken.output.contains("\n  1. "), broken.output.constData());
}

void TestCliSearch::whatHoldsEndsWithZero()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("explore --protocol set-nx-px-token --faults crash --max-schedules 500"));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.output.contains("mutual-exclusion"), result.output.constData());
    QVERIFY2(result.output.contains("held"), result.output.constData());
    QCOMPARE(result.diagnostics, QByteArray());
}

void TestCliSearch::aSavedCounterexampleReplaysExactly()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("found.json"));
    CliProcess cli;
    const CliResult found = cli.run(
        words("explore --protocol setnx-no-expiry --faults crash --format json --save") << path);
    QCOMPARE(text(found.json()["file"]), text(path.toStdString()));
    const Json saved = Json::parse(contentOf(path).toStdString());
    QCOMPARE(schemaComplaint(saved, "counterexample"), std::string());
    const CliResult replayed = cli.run(words("replay --format json") << path);
    QCOMPARE(replayed.exitCode, 10);
    QCOMPARE(schemaComplaint(replayed.json(), "run"), std::string());
    QCOMPARE(text(replayed.json()["digest"]), text(saved["digest"]));
    QVERIFY(replayed.json()["sameDigest"].get<bool>());
    QVERIFY(replayed.json()["reproduced"].get<bool>());
    QCOMPARE(text(replayed.json()["story"]), text(found.json()["story"]));
}

void TestCliSearch::anOwnProtocolIsSavedWithItsCounterexample()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("found.json"));
    CliProcess cli;
    const CliResult found = cli.run(words("explore --faults interleaving --save")
                                    << path << words("--protocol")
                                    << brokenExample("forgets-the-count"));
    QCOMPARE(found.exitCode, 10);
    const CliResult replayed = cli.run(words("replay") << path);
    QCOMPARE(replayed.exitCode, 10);
    QVERIFY2(replayed.output.contains("forgets-the-count, plan "), replayed.output.constData());
    QVERIFY2(replayed.output.contains(", as saved."), replayed.output.constData());
}

void TestCliSearch::aChangedCounterexampleIsRefused()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("found.json"));
    CliProcess cli;
    cli.run(words("explore --protocol setnx-no-expiry --faults crash --save") << path);
    const QByteArray good = contentOf(path);
    write(path, QByteArray(good).replace("\"engine\": 2", "\"engine\": 1"));
    CliResult result = cli.run(words("replay") << path);
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains("revision 1"), result.diagnostics.constData());
    const qsizetype firstStep = good.indexOf('"', good.indexOf("\"steps\": [") + 10);
    write(path, QByteArray(good).insert(firstStep, "\"late 7\", "));
    result = cli.run(words("replay") << path);
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains("\"late 7\": it is not possible there"),
             result.diagnostics.constData());
    write(path, "{\n  \"format\": \"soup\"\n}\n");
    result = cli.run(words("replay") << path);
    QCOMPARE(result.exitCode, 2);
    QVERIFY2(result.diagnostics.contains("line 2, column 3"), result.diagnostics.constData());
}

void TestCliSearch::resultsDoNotDependOnTheThreads()
{
    CliProcess cli;
    const QStringList call = words("explore --protocol redisson-lock --faults pause,crash "
                                   "--max-schedules 100 --format json --threads");
    const CliResult one = cli.run(QStringList(call) << QStringLiteral("1"));
    const CliResult five = cli.run(QStringList(call) << QStringLiteral("5"));
    QCOMPARE(five.output, one.output);
    QCOMPARE(five.exitCode, one.exitCode);
}

void TestCliSearch::simulateFindsAFlawAndNamesItsSeed()
{
    CliProcess cli;
    const CliResult result = cli.run(
        words("simulate --protocol setnx-then-expire --faults crash --runs 500 --format json"));
    QCOMPARE(schemaComplaint(result.json(), "run"), std::string());
    QCOMPARE(result.json()["schedules"].get<int>(), 500);
    const Json report = result.json();
    const Json& promises = report["faults"][0]["promises"];
    const auto stuck = std::find_if(promises.begin(), promises.end(), [](const Json& promise) {
        return promise["id"] == "no-stuck-lock";
    });
    QCOMPARE(text((*stuck)["status"]), text("broken"));
    QVERIFY((*stuck)["seed"].get<int>() >= 1);
    const CliResult people =
        cli.run(words("simulate --protocol setnx-then-expire --faults crash --runs 500"));
    QVERIFY2(people.output.contains("500 runs from seed 1"), people.output.constData());
    QVERIFY2(people.output.contains(", seed "), people.output.constData());
}

/// A typo: whatever is asked, nothing is held and nothing is broken by it.
void TestCliSearch::aLockThatIsNeverGrantedIsNotJudged()
{
    CliProcess cli;
    QByteArray lock =
        contentOf(inSourceTree(QStringLiteral("resources/protocols/token-lock.json")));
    QVERIFY(lock.contains("redis.call('set'"));
    lock.replace("redis.call('set'", "redis.call('sett'");
    lock.replace("\"token-lock\"", "\"mistyped-lock\"");
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mistyped.json"));
    write(path, lock);
    for (const char* const command : {"explore --max-schedules 50", "simulate --runs 50"}) {
        const CliResult result = cli.run(words(command) + words("--faults interleaving,pause")
                                         + QStringList{QStringLiteral("--protocol"), path});
        QCOMPARE(result.exitCode, 2);
        for (const char* const part : {"No acquisition was ever granted: nothing was tested.\n",
                                       "ERR Unknown Redis command called from script",
                                       "\nLine 1 of the script: if redis."}) {
            QVERIFY2(result.output.contains(part), result.output.constData());
        }
        QVERIFY2(!result.output.contains("No violation") && !result.output.contains("held "),
                 result.output.constData());
    }
    const CliResult json = cli.run(words("explore --max-schedules 50 --format json --faults pause")
                                   + QStringList{QStringLiteral("--protocol"), path});
    QCOMPARE(json.exitCode, 2);
    QCOMPARE(schemaComplaint(json.json(), "run"), std::string());
    QVERIFY(json.json()["untested"].get<std::string>().find("ERR Unknown") != std::string::npos);
    const CliResult matrix = cli.run(words("matrix --max-schedules 50 --faults crash --protocols")
                                     + QStringList{path});
    QCOMPARE(matrix.exitCode, 2);
    QVERIFY2(matrix.diagnostics.contains("mistyped-lock: No acquisition was ever granted"),
             matrix.diagnostics.constData());
    QVERIFY2(matrix.output.contains("mistyped-lock  nothing was tested  !"),
             matrix.output.constData());
}

void TestCliSearch::aScriptWithoutEndIsStopped()
{
    CliProcess cli;
    QByteArray lock =
        contentOf(inSourceTree(QStringLiteral("resources/protocols/token-lock.json")));
    lock.replace("return redis.call('del', KEYS[1])", "while true do end");
    lock.replace("\"token-lock\"", "\"endless-lock\"");
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("endless.json"));
    write(path, lock);
    const CliResult result = cli.run(words("explore --faults interleaving --protocol")
                                     + QStringList{path});
    QVERIFY2(result.exitCode == 2, result.output.constData());
    QVERIFY2(result.output.contains("too many steps"), result.output.constData());
    QVERIFY2(result.output.contains("A script takes more steps or memory than the simulation "
                                    "allows: nothing was tested."),
             result.output.constData());
    QVERIFY2(!result.output.contains(" held "), result.output.constData());
}

void TestCliSearch::faultsOfRandomRunsAreNamed()
{
    CliProcess cli;
    const CliResult result =
        cli.run(words("simulate --protocol set-nx-px-token --faults eviction,failover --runs 400"));
    QVERIFY2(result.output.contains(" after: key evicted,")
                 || result.output.contains(" after: failover,"),
             result.output.constData());
    QVERIFY2(!result.output.contains("under scenario"), result.output.constData());
}

void TestCliSearch::theMatrixIsAnArrayOfCells()
{
    CliProcess cli;
    const CliResult result = cli.run(
        words("matrix --protocols set-nx-px-token,exists-then-set --faults interleaving,crash "
              "--max-schedules 200 --format json"));
    const Json matrix = result.json();
    QCOMPARE(schemaComplaint(matrix, "matrix"), std::string());
    QCOMPARE(matrix.size(), std::size_t(2 * 2 * 10));
}

void TestCliSearch::theMatrixIsATable()
{
    CliProcess cli;
    const CliResult result = cli.run(
        words("matrix --protocols setnx-no-expiry --faults crash,hang --max-schedules 200"));
    QVERIFY2(
        result.output.startsWith("protocol           verdict                      crash  hang\n"
                                 "\nOne holder\n"
                                 "  setnx-no-expiry  one crash locks it for ever  ok     -\n"),
        result.output.constData());
    QVERIFY2(result.output.contains("-    the fault has no effect"), result.output.constData());
}

void TestCliSearch::runsWithoutAnEndAreNotEnough()
{
    CliProcess cli;
    const auto explored = [&cli](const char* more) {
        return cli.run(words("explore --protocol set-nx-px-token --faults interleaving")
                       + words(more));
    };
    const CliResult cut = explored("--max-steps 3");
    QCOMPARE(cut.exitCode, 9);
    QVERIFY2(
        cut.output.endsWith("No run came to its end (interleaving): too little was tried to say "
                            "that nothing breaks.\nRuns are cut at 3 steps (--max-steps), and at "
                            "the horizon of the scenario.\n"),
        cut.output.constData());
    const CliResult json = explored("--max-steps 3 --format json");
    QCOMPARE(schemaComplaint(json.json(), "run"), std::string());
    QVERIFY(json.json()["faults"][0]["cutRuns"].get<int>() > 0);
    QCOMPARE(json.json()["faults"][0]["endedRuns"].get<int>(), 0);
    QCOMPARE(explored("").exitCode, 0);
    // The work ends behind the horizon of its plan.
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("late.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"plan": {"name": "late", "horizon": "5s", "clients": [{"acts": [
        {"do": "acquire", "lease": "10s"}, {"do": "work", "for": "30s"}, {"do": "release"}]}]}})");
    file.close();
    const CliResult late = cli.run(words("simulate --runs 5 --protocol set-nx-px-token --scenario")
                                   << path);
    QCOMPARE(late.exitCode, 9);
    QVERIFY2(late.output.endsWith("Runs are cut at 2,000 steps, and at the horizon of the "
                                  "scenario.\n"),
             late.output.constData());
}

void TestCliSearch::adviceSaysWhatHoldsAndWhy()
{
    CliProcess cli;
    const CliResult result = cli.run(words("advise --despite crash --max-schedules 100 --protocols "
                                           "set-nx-px-token,setnx-no-expiry,set-nx-ex,redlock"));
    QCOMPARE(result.exitCode, 0);
    QVERIFY2(result.output.contains("\n  set-nx-px-token"), result.output.constData());
    QVERIFY2(result.output.contains("\nNo choice\n  set-nx-ex  somebody else's lock removed "
                                    "or extended under pause, in "),
             result.output.constData());
    QVERIFY2(result.output.contains("setnx-no-expiry  stuck for ever under crash, in"),
             result.output.constData());
    QVERIFY2(result.output.contains("redlock  needs 3 independent servers"),
             result.output.constData());
    const CliResult none = cli.run(words("advise --despite pause --max-schedules 100 --format json "
                                         "--protocols set-nx-px-token,fenced-token"));
    QCOMPARE(none.exitCode, 10);
    QCOMPARE(schemaComplaint(none.json(), "advise"), std::string());
    const nlohmann::json advice = none.json();
    QStringList kinds;
    for (const auto& addition : advice["additions"]) {
        kinds += QString::fromStdString(addition["kind"].get<std::string>());
    }
    kinds.removeDuplicates();
    // What was searched for it stands first, and what only somebody can know last.
    QCOMPARE(kinds, words("lease fence unless"));
}

void TestCliSearch::lintProvesWhatItSuspects()
{
    CliProcess cli;
    const QStringList broken{brokenExample("get-then-del")};
    const CliResult people = cli.run(words("lint --faults pause --max-schedules 500") + broken);
    QCOMPARE(people.exitCode, 10);
    for (const char* const part :
         {"\nProved\n", "get-then-del.json:18:5: ", " (release-in-two-commands)\n",
          "owner-only-release breaks under pause, in ", "\n    1. "}) {
        QVERIFY2(people.output.contains(part), people.output.constData());
    }
    const CliResult json = cli.run(words("lint --faults pause --max-schedules 500 --format json")
                                   + broken);
    QCOMPARE(json.exitCode, 10);
    QCOMPARE(schemaComplaint(json.json(), "lint"), std::string());
    const CliResult sound = cli.run(words("lint --max-schedules 100") << inSourceTree(
                                        QStringLiteral("resources/protocols/token-lock.json")));
    QCOMPARE(sound.exitCode, 0);
    QVERIFY2(sound.output.contains("Nothing suspicious was found.\n"), sound.output.constData());
    QVERIFY2(sound.output.contains(" kinds of fault: "), sound.output.constData());
}

void TestCliSearch::lintSaysWhereAMistakeIs()
{
    CliProcess cli;
    const QByteArray sound =
        contentOf(inSourceTree(QStringLiteral("resources/protocols/token-lock.json")));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    const auto lintOf = [&](const char* before, const char* after) {
        QByteArray lock = sound;
        write(path, lock.replace(before, after));
        return cli.run(words("lint") << path);
    };
    const CliResult misspelt = lintOf("\"granted\"", "\"grantd\"");
    QCOMPARE(misspelt.exitCode, 2);
    QVERIFY2(misspelt.diagnostics.contains("line 17, column 5: "),
             misspelt.diagnostics.constData());
    const CliResult script = lintOf("if not value then", "if not value");
    QCOMPARE(script.exitCode, 2);
    QVERIFY2(script.diagnostics.contains("line 26, column 7: 'then' expected near 'return'."),
             script.diagnostics.constData());
    QCOMPARE(script.output, QByteArray());
    const CliResult mistyped = lintOf("redis.call('set'", "redis.call('sett'");
    QCOMPARE(mistyped.exitCode, 2);
    QVERIFY2(mistyped.output.contains("(script-error)"), mistyped.output.constData());
    QVERIFY2(mistyped.output.contains("nothing was tested"), mistyped.output.constData());
}

void TestCliSearch::interruptedItPrintsWhatItHasSeen()
{
    CliProcess cli;
    cli.start(words("explore --protocol redisson-fair --max-schedules 100000000 --threads 2"));
    // There is no sign of it from outside that the search has begun, so it is interrupted until it
    // has an effect.
    QTRY_VERIFY_WITH_TIMEOUT((cli.interrupt(), cli.diagnostics().contains("interrupted"))
                                 || cli.process().state() == QProcess::NotRunning,
                             60'000);
    const CliResult result = cli.waitForEnd();
    QVERIFY2(result.exitCode == 130 || result.exitCode == 10 || result.exitCode == -1,
             QByteArray::number(result.exitCode).constData());
}

LOCKSCOPE_TEST(TestCliSearch, Core)

} // namespace lockscope::tst_cli_search

#include "tst_cli_search.moc"
