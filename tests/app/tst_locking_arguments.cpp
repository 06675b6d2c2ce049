#include "app/cli/cli_arguments.h"
#include "app/cli/commands/command_list.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace lockscope::tst_locking_arguments {

using namespace lockscope::cli;
using namespace std::chrono_literals;
using workload::Scenario;

namespace {

using Result = std::variant<CliArguments, app::Information, app::ArgumentError>;

Result parse(const std::vector<std::string>& words)
{
    return parseCliArguments(words, {});
}

template<class Arguments>
Arguments commandOf(const Result& result)
{
    if (const auto* const error = std::get_if<app::ArgumentError>(&result)) {
        QTest::qFail(error->reason.c_str(), __FILE__, __LINE__);
        return {};
    }
    return dynamic_cast<const CommandWith<Arguments>&>(*std::get<CliArguments>(result).command)
        .arguments();
}

std::string idOf(const ProtocolPtr& protocol)
{
    return protocol ? protocol->info().id : "none";
}

} // namespace

class TestLockingArguments final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runTakesTheCommandBehindTheDashes();
    void runLeavesTheOptionsOfTheCommandAlone();
    void runRenewsThreeTimesPerLease();
    void runUsesRedlockOnSeveralServers();
    void runTakesALockWithoutExpiry();
    void acquireTakesItsKeyEitherWay();
    void acquireRenewsOnlyWhatIsHeldForLong();
    void acquireHasModes();
    void contendHasAScenario();
    void contendStartsServersUnlessSomeAreNamed();
    void contendMayOnlyPredict();
    void contendScalesTheRenewalWithTheLease();
    void contendRemembersWhatTheFileOfItsRunNeeds();
    void hotStandbyWorksForAWhile();
    void protocolsMayBeExplained();
    void aProtocolOfOnesOwnIsUsed();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
};

void TestLockingArguments::runTakesTheCommandBehindTheDashes()
{
    const auto run = commandOf<RunArguments>(parse({"run", "--key", "a\\xff", "--wait", "5s",
                                                    "--lease", "9s", "--kill-after", "1s", "--",
                                                    "ls", "-l", "--", "x"}));
    QCOMPARE(run.command, (std::vector<std::string>{"ls", "-l", "--", "x"}));
    QCOMPARE(run.lock.request.key, std::string("a\xff"));
    QVERIFY(run.lock.request.waitLimit == 5s);
    QVERIFY(run.lock.request.lease == 9s);
    QVERIFY(run.killAfter == 1s);
    QCOMPARE(idOf(run.lock.protocol), std::string("set-nx-px-token"));
}

void TestLockingArguments::runLeavesTheOptionsOfTheCommandAlone()
{
    const auto run = commandOf<RunArguments>(parse({"run", "--key", "k", "--", "grep", "--help",
                                                    "--key", "--version"}));
    QCOMPARE(run.command, (std::vector<std::string>{"grep", "--help", "--key", "--version"}));
    const auto first = commandOf<RunArguments>(parse({"--key", "k", "--", "run", "ls", "run"}));
    QCOMPARE(first.command, (std::vector<std::string>{"ls", "run"}));
}

void TestLockingArguments::runRenewsThreeTimesPerLease()
{
    const auto usual = commandOf<RunArguments>(parse({"run", "--key", "k", "--lease", "9s", "--",
                                                      "true"}));
    QVERIFY(usual.lock.renewal.period == 3s);
    const auto often = commandOf<RunArguments>(parse({"run", "--key", "k", "--renew", "500ms", "--",
                                                      "true"}));
    QVERIFY(often.lock.renewal.period == 500ms);
    const auto never = commandOf<RunArguments>(parse({"run", "--key", "k", "--renew", "off", "--",
                                                      "true"}));
    QVERIFY(!never.lock.renewal.isOn());
}

void TestLockingArguments::runUsesRedlockOnSeveralServers()
{
    const auto run = commandOf<RunArguments>(parse({"run", "--url", "redis://a", "--url",
                                                    "redis://b", "--key", "k", "--", "true"}));
    QCOMPARE(idOf(run.lock.protocol), std::string("redlock"));
}

void TestLockingArguments::runTakesALockWithoutExpiry()
{
    const auto run = commandOf<RunArguments>(parse({"run", "--key", "k", "--protocol",
                                                    "setnx-no-expiry", "--", "true"}));
    QVERIFY(!run.lock.renewal.isOn());
}

void TestLockingArguments::acquireTakesItsKeyEitherWay()
{
    const auto option = commandOf<AcquireArguments>(parse({"acquire", "--key", "k", "--hold", "1s",
                                                           "--format", "json"}));
    QCOMPARE(option.lock.request.key, std::string("k"));
    QVERIFY(option.hold == 1s);
    QCOMPARE(option.format, Format::Json);
    const auto operand = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "0s"}));
    QCOMPARE(operand.lock.request.key, std::string("k"));
}

void TestLockingArguments::acquireRenewsOnlyWhatIsHeldForLong()
{
    const auto brief = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "1s", "--lease",
                                                          "3s"}));
    QVERIFY(!brief.lock.renewal.isOn());
    const auto lengthy = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "3s",
                                                            "--lease", "3s"}));
    QVERIFY(lengthy.lock.renewal.period == 1s);
    const auto asked = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "1s", "--lease",
                                                          "3s", "--renew", "2s"}));
    QVERIFY(asked.lock.renewal.period == 2s);
}

void TestLockingArguments::acquireHasModes()
{
    const std::vector<std::string> call{"acquire", "k",          "--hold",
                                        "1s",      "--protocol", "rw-hash-owners"};
    QCOMPARE(commandOf<AcquireArguments>(parse(call)).lock.request.mode, protocol::Mode::Write);
    std::vector<std::string> reading = call;
    reading.insert(reading.end(), {"--mode", "read"});
    QCOMPARE(commandOf<AcquireArguments>(parse(reading)).lock.request.mode, protocol::Mode::Read);
}

void TestLockingArguments::contendHasAScenario()
{
    const auto contend = commandOf<ContendArguments>(
        parse({"contend", "--protocol", "set-nx-ex", "--clients", "8",
               "--for",   "2s",         "--keys",    "3",         "--think",
               "~2ms",    "--hold",     "1ms..3ms",  "--lease",   "1s",
               "--wait",  "4s",         "--retry",   "20ms",      "--retry-max",
               "1s",      "--jitter",   "3ms",       "--tries",   "9",
               "--crash", "5%",         "--pause",   "0.5",       "--pause-for",
               "2s",      "--threads",  "4",         "--seed",    "18446744073709551615"}));
    const Scenario& scenario = contend.scenario;
    QCOMPARE(idOf(contend.protocol), std::string("set-nx-ex"));
    QCOMPARE(scenario.contenderCount, 8);
    QVERIFY(scenario.duration == 2s);
    QCOMPARE(scenario.keyCount, 3);
    QCOMPARE(workload::toText(scenario.think), std::string("~2ms"));
    QCOMPARE(workload::toText(scenario.hold), std::string("1ms..3ms"));
    QVERIFY(scenario.lease == 1s);
    QVERIFY(scenario.waitLimit == 4s);
    QVERIFY(scenario.retry.interval == 20ms);
    QVERIFY(scenario.retry.kind == protocol::Retry::Kind::Exponential);
    QVERIFY(scenario.retry.intervalMax == 1s);
    QVERIFY(scenario.retry.jitter == 3ms);
    QVERIFY(scenario.retry.triesMax == 9);
    QCOMPARE(scenario.crashProbability, 0.05);
    QCOMPARE(scenario.pauseProbability, 0.5);
    QVERIFY(scenario.pauseFor == 2s);
    QCOMPARE(contend.threadCount, 4);
    QCOMPARE(scenario.seed, std::numeric_limits<std::uint64_t>::max());
}

void TestLockingArguments::contendStartsServersUnlessSomeAreNamed()
{
    const Result alone = parse({"contend", "--protocol", "set-nx-ex"});
    QCOMPARE(commandOf<ContendArguments>(alone).privateServerCount, 1);
    QVERIFY(std::get<CliArguments>(alone).servers.endpoints.empty());
    QCOMPARE(
        commandOf<ContendArguments>(parse({"contend", "--protocol", "redlock"})).privateServerCount,
        5);
    QCOMPARE(commandOf<ContendArguments>(parse({"contend", "--protocol=redlock", "--private=3"}))
                 .privateServerCount,
             3);
    const Result named = parse({"contend", "--protocol", "set-nx-ex", "--url", "redis://a"});
    QCOMPARE(commandOf<ContendArguments>(named).privateServerCount, 0);
    QCOMPARE(std::get<CliArguments>(named).servers.endpoints.size(), 1U);
}

void TestLockingArguments::contendMayOnlyPredict()
{
    const Result result = parse({"contend", "--protocol", "redlock", "--predict", "--clients",
                                 "100000", "--threads", "1"});
    const auto arguments = commandOf<ContendArguments>(result);
    QVERIFY(arguments.isPrediction);
    QCOMPARE(arguments.scenario.contenderCount, 100'000);
    QCOMPARE(arguments.privateServerCount, 5);
    QCOMPARE(arguments.threadCount, 1);
    const Result run = parse({"contend", "--protocol", "redlock", "--clients", "100000"});
    QVERIFY(std::holds_alternative<app::ArgumentError>(run));
}

void TestLockingArguments::contendScalesTheRenewalWithTheLease()
{
    const auto contend = commandOf<ContendArguments>(parse({"contend", "--protocol",
                                                            "redisson-lock", "--lease", "3s"}));
    QVERIFY(contend.scenario.renewal.period == 1s);
    const auto off = commandOf<ContendArguments>(parse({"contend", "--protocol", "redisson-lock",
                                                        "--renew", "off"}));
    QVERIFY(!off.scenario.renewal.isOn());
    const auto plain = commandOf<ContendArguments>(parse({"contend", "--protocol",
                                                          "set-nx-px-token", "--lease", "3s"}));
    QVERIFY(!plain.scenario.renewal.isOn());
}

void TestLockingArguments::contendRemembersWhatTheFileOfItsRunNeeds()
{
    const auto plain = commandOf<ContendArguments>(parse({"contend", "--protocol", "set-nx-ex"}));
    QVERIFY(plain.runFile.empty());
    QVERIFY(plain.protocolFile.empty());
    const std::string path =
        testing::inSourceTree(QStringLiteral("resources/protocols/token-lock.json")).toStdString();
    for (const char* const option : {"--protocol", "--protocol-file"}) {
        const auto own = commandOf<ContendArguments>(parse({"contend", option, path, "--save-run",
                                                            "run.json"}));
        QCOMPARE(own.runFile, std::string("run.json"));
        QCOMPARE(own.protocolFile, path);
        QVERIFY(own.ownText.find("token-lock") != std::string::npos);
    }
}

void TestLockingArguments::hotStandbyWorksForAWhile()
{
    const auto contend = commandOf<ContendArguments>(
        parse({"contend", "--protocol", "set-nx-px-token", "--kind", "hot-standby"}));
    QCOMPARE(contend.scenario.kind, Scenario::Kind::HotStandby);
    QCOMPARE(workload::toText(contend.scenario.hold), std::string("1s"));
}

void TestLockingArguments::protocolsMayBeExplained()
{
    const auto all = commandOf<ProtocolsArguments>(parse({"protocols", "--format", "json"}));
    QVERIFY(!all.chosen);
    QVERIFY(all.protocols.size() > 10);
    const auto one = commandOf<ProtocolsArguments>(parse({"protocols", "set-nx-ex"}));
    QCOMPARE(idOf(one.chosen), std::string("set-nx-ex"));
}

void TestLockingArguments::aProtocolOfOnesOwnIsUsed()
{
    const std::string path =
        testing::inSourceTree(QStringLiteral("resources/protocols/token-lock.json")).toStdString();
    const auto acquire = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "1s",
                                                            "--protocol-file", path}));
    QCOMPARE(idOf(acquire.lock.protocol), std::string("token-lock"));
    const auto named = commandOf<AcquireArguments>(parse({"acquire", "k", "--hold", "1s",
                                                          "--protocol", path}));
    QCOMPARE(idOf(named.lock.protocol), std::string("token-lock"));
    const auto listed = commandOf<ProtocolsArguments>(parse({"protocols", "token-lock",
                                                             "--protocol-file", path}));
    QCOMPARE(idOf(listed.chosen), std::string("token-lock"));
}

void TestLockingArguments::nonsenseIsRefused_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    QTest::addColumn<std::string>("reason"); // without the hint to the help
    const auto row = [](const char* name, const std::vector<std::string>& words,
                        const std::string& reason) { QTest::newRow(name) << words << reason; };
    row("run without dashes", {"run", "--key", "k", "ls"},
        "write the command after \"--\": run --key KEY -- ls");
    row("run without command", {"run", "--key", "k", "--"},
        "run needs a command after \"--\": run --key KEY -- COMMAND");
    row("run without anything", {"run"},
        "run needs a command after \"--\": run --key KEY -- COMMAND");
    row("run with an empty command", {"run", "--key", "k", "--", ""},
        "the name of the command is empty");
    row("run without key", {"run", "--", "ls"}, "--key KEY is missing: the lock to acquire");
    row("contend with an empty name of a run",
        {"contend", "--protocol", "set-nx-ex", "--save-run", ""},
        "--save-run: the name of the file is empty");
    row("run with an empty key", {"run", "--key=", "--", "ls"},
        "--key: the name of the key is empty");
    row("run that cannot renew", {"run", "--key", "k", "--protocol", "set-nx-ex", "--", "ls"},
        "set-nx-ex cannot renew its lock: the command would be terminated at the end of the lease. "
        "To accept this, use --renew off");
    row("run in JSON", {"run", "--key", "k", "--format", "json", "--", "ls"},
        "run has no option --format");
    row("renewal too late", {"run", "--key", "k", "--lease", "1s", "--renew", "1s", "--", "ls"},
        "--renew: a renewal every 1s comes too late for a lease of 1s");
    row("pauses that shrink",
        {"acquire", "k", "--hold", "1s", "--retry", "2s", "--retry-max", "1s"},
        "--retry-max: \"1s\" is shorter than the first interval, 2s");
    row("renewal without a step",
        {"acquire", "k", "--hold", "1s", "--protocol", "set-nx-ex", "--renew", "1s"},
        "--renew: \"1s\" is not possible: set-nx-ex cannot renew a lock");
    row("renewal of no time", {"acquire", "k", "--hold", "1s", "--renew", "0s"},
        "--renew: \"0s\" is too short; the minimum is 1ms");
    row("renewal in words", {"acquire", "k", "--hold", "1s", "--renew", "often"},
        "--renew: \"often\" is neither off nor a duration such as 10s");
    row("misspelt protocol", {"acquire", "k", "--hold", "1s", "--protocol", "set-nx-px-tokn"},
        "there is no protocol \"set-nx-px-tokn\"; did you mean set-nx-px-token?");
    row("no such protocol", {"protocols", "zzz"},
        "there is no protocol \"zzz\"; \"lockscope-cli protocols\" lists them");
    row("several servers for one",
        {"acquire", "k", "--hold=1s", "--protocol=set-nx-ex", "--url=redis://a", "--url=redis://b"},
        "set-nx-ex uses a single server, but 2 are specified with --url");
    row("two keys", {"acquire", "k", "--key", "k", "--hold", "1s"},
        "the key is specified twice, with --key and without");
    row("no hold", {"acquire", "k"}, "acquire needs --hold DURATION: how long to keep the lock");
    row("negative hold", {"acquire", "k", "--hold", "-1s"},
        "--hold: \"-1s\" is not a duration; write 250ms, 10s, 5m, 2h or 1d");
    row("endless hold", {"acquire", "k", "--hold", "99999999d"},
        "--hold: \"99999999d\" is not a duration; write 250ms, 10s, 5m, 2h or 1d");
    row("no lease", {"acquire", "k", "--hold", "1s", "--lease", "0s"},
        "--lease: \"0s\" is too short; the minimum is 1ms");
    row("mode of one without", {"acquire", "k", "--hold", "1s", "--mode", "read"},
        "--mode: set-nx-px-token has no readers, only exclusive holders");
    row("no such mode",
        {"acquire", "k", "--hold", "1s", "--protocol", "rw-hash-owners", "--mode", "both"},
        "--mode: \"both\" is none of read, write");
    row("permits of one without", {"acquire", "k", "--hold", "1s", "--permits", "3"},
        "--permits: set-nx-px-token has one holder at a time; semaphore has several");
    row("contend about nothing", {"contend"},
        "--protocol ID is missing; \"lockscope-cli protocols\" lists them");
    row("nobody contends", {"contend", "--protocol", "set-nx-ex", "--clients", "0"},
        "--clients: \"0\" is not a number between 1 and 10000");
    row("too many contend", {"contend", "--protocol", "set-nx-ex", "--clients", "1000000"},
        "--clients: \"1000000\" is not a number between 1 and 10000");
    row("no time", {"contend", "--protocol", "set-nx-ex", "--for", "0s"},
        "--for: \"0s\" is too short; the minimum is 1ms");
    row("share", {"contend", "--protocol", "set-nx-ex", "--crash", "120%"},
        "--crash: \"120%\" is not a share; write 5% or 0.05, from 0% to 100%");
    row("kind", {"contend", "--protocol", "set-nx-ex", "--kind", "race"},
        "--kind: \"race\" is none of contention, hot-standby, draw");
    row("readers", {"contend", "--protocol", "set-nx-ex", "--read-share", "50%"},
        "This protocol has no readers, only exclusive holders");
    row("depth", {"contend", "--protocol", "set-nx-ex", "--depth", "2"},
        "This protocol is not reentrant: a second acquisition would wait for the first");
    row("private and named", {"contend", "--protocol=redlock", "--private=3", "--url=redis://a"},
        "--private starts its own servers; omit --url");
    row("prediction of a named server",
        {"contend", "--protocol=set-nx-ex", "--predict", "--url=redis://a"},
        "--predict runs nothing; omit --url and --save-run");
    row("prediction twice", {"contend", "--protocol=set-nx-ex", "--predict", "--with-prediction"},
        "--predict runs nothing; omit it or --with-prediction");
    row("prediction that is saved",
        {"contend", "--protocol=set-nx-ex", "--predict", "--save-run=run.json"},
        "--predict runs nothing; omit --url and --save-run");
    row("private of one", {"contend", "--protocol=set-nx-ex", "--private=2"},
        "--private: set-nx-ex uses a single server");
    row("protocol file", {"protocols", "--protocol-file", "/nonexistent/x.json"},
        "the protocol file \"/nonexistent/x.json\" cannot be read (No such file or directory)");
    row("too many operands", {"protocols", "a", "b"},
        "protocols does not accept the argument \"b\"");
}

void TestLockingArguments::nonsenseIsRefused()
{
    QFETCH(const std::vector<std::string>, words);
    QFETCH(const std::string, reason);
    const Result result = parse(words);
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    QVERIFY(error != nullptr);
    const std::string separator = reason.ends_with('?') ? " " : ". ";
    QCOMPARE(error->reason, reason + separator + "See: lockscope-cli " + words.front() + " --help");
}

LOCKSCOPE_TEST(TestLockingArguments, None)

} // namespace lockscope::tst_locking_arguments

#include "tst_locking_arguments.moc"
