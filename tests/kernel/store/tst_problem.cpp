#include "core/kernel/store/problem.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

Q_DECLARE_METATYPE(lockscope::store::Problem::Kind)

namespace lockscope::tst_problem {

using namespace lockscope::store;
using namespace std::string_literals;
using Kind = Problem::Kind;

class TestProblem : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void serverErrorsAreClassified_data();
    void serverErrorsAreClassified();
    void missingPermissionsNameTheCommandAndTheRule_data();
    void missingPermissionsNameTheCommandAndTheRule();
    void theServersWordsAreKept();
    void argumentsOfUnknownCommandsAreDropped();
    void everyKindIsExplainedInItsOwnWords();
    void missingPermissionsSayWhatToGrant_data();
    void missingPermissionsSayWhatToGrant();
    void onlyWhatBeginsLikeTlsIsCalledTls_data();
    void onlyWhatBeginsLikeTlsIsCalledTls();
    void refusalsSayWhatToDo_data();
    void refusalsSayWhatToDo();
    void aPasswordNobodyAskedForIsNotCalledWrong();
    void hostileServerTextIsShownEscaped();
    void garbageIsAlwaysExplained();
};

// The texts are those of real servers; the ones without a version were printed by Redis 7.0.15.

void TestProblem::serverErrorsAreClassified_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("attempted");
    QTest::addColumn<Kind>("kind");
    const auto row = [](const char* name, const char* text, const char* attempted, Kind kind) {
        QTest::newRow(name) << std::string(text) << std::string(attempted) << kind;
    };
    row("wrong password", "WRONGPASS invalid username-password pair or user is disabled.", "AUTH",
        Kind::PasswordWrong);
    row("wrong password, Redis 5", "ERR invalid password", "AUTH", Kind::PasswordWrong);
    row("no password set",
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your "
        "configuration is correct?",
        "AUTH", Kind::PasswordWrong);
    row("no password set, Redis 5", "ERR Client sent AUTH, but no password is set", "AUTH",
        Kind::PasswordWrong);
    row("password needed", "NOAUTH Authentication required.", "PING", Kind::PasswordNeeded);
    row("password needed for HELLO",
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
        "AUTH <user> <pass> "
        "option can be used to authenticate the client and select the RESP protocol version at the "
        "same time",
        "HELLO", Kind::PasswordNeeded);
    row("loading", "LOADING Redis is loading the dataset in memory", "GET", Kind::Loading);
    row("replica", "READONLY You can't write against a read only replica.", "SET",
        Kind::ReplicaReadOnly);
    row("replica in a script",
        "READONLY You can't write against a read only replica. script: 0a1b, on @user_script:1.",
        "EVAL", Kind::ReplicaReadOnly);
    row("database out of range", "ERR DB index is out of range", "SELECT", Kind::NoSuchDatabase);
    row("database is no number", "ERR value is not an integer or out of range", "SELECT abc",
        Kind::NoSuchDatabase);
    row("database is no number, Redis 6", "ERR invalid DB index", "select", Kind::NoSuchDatabase);
    row("database of a cluster", "ERR SELECT is not allowed in cluster mode", "SELECT",
        Kind::NoSuchDatabase);
    row("no number, but no database", "ERR value is not an integer or out of range", "PEXPIRE",
        Kind::ServerRefused);
    row("disk",
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist "
        "to disk. Commands "
        "that may modify the data set are disabled, because this instance is configured to report "
        "errors during "
        "writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the "
        "Redis logs for "
        "details about the RDB error.",
        "SET", Kind::ServerRefused);
    row("wrong type", "WRONGTYPE Operation against a key holding the wrong kind of value", "GET",
        Kind::ServerRefused);
    row("unknown command", "ERR unknown command 'bogus', with args beginning with: 'secret' ",
        "BOGUS", Kind::ServerRefused);
    row("permission", "NOPERM this user has no permissions to run the 'del' command", "DEL",
        Kind::NoPermission);
    row("permission to select", "NOPERM this user has no permissions to run the 'select' command",
        "SELECT", Kind::NoPermission);
    row("permission in a script",
        "ERR The user executing the script can't run this command or subcommand script: d735ff, on "
        "@user_script:1.",
        "EVAL", Kind::NoPermission);
    row("permission in a script, Redis 6",
        "ERR Error running script (call to f_d735ff): @user_script:1: -NOPERM The user executing "
        "the script can't run "
        "this command or subcommand",
        "EVAL", Kind::NoPermission);
    row("permission in a script, Redis 7.2",
        "NOPERM ACL failure in script: User bob has no permissions to run the 'del' command "
        "script: d735ff, on "
        "@user_script:1.",
        "EVAL", Kind::NoPermission);
    row("nothing at all", "", "GET", Kind::ServerRefused);
}

void TestProblem::serverErrorsAreClassified()
{
    QFETCH(std::string, text);
    QFETCH(std::string, attempted);
    QFETCH(Kind, kind);
    QCOMPARE(problemOfServerError(text, attempted).kind, kind);
}

void TestProblem::missingPermissionsNameTheCommandAndTheRule_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("attempted");
    QTest::addColumn<std::string>("command");
    QTest::addColumn<std::string>("rule");
    const auto row = [](const char* name, const char* text, const char* attempted,
                        const char* command, const char* rule) {
        QTest::newRow(name) << std::string(text) << std::string(attempted) << std::string(command)
                            << std::string(rule);
    };
    row("subcommand", "NOPERM this user has no permissions to run the 'client|tracking' command",
        "CLIENT TRACKING", "client|tracking", "+client|tracking");
    row("subcommand, nobody knows what was sent",
        "NOPERM this user has no permissions to run the 'client|tracking' command", "",
        "client|tracking", "+client|tracking");
    row("subcommand, Redis 6",
        "NOPERM this user has no permissions to run the 'client' command or its subcommand",
        "CLIENT TRACKING ON", "client|tracking", "+client|tracking");
    row("command", "NOPERM this user has no permissions to run the 'scan' command", "SCAN 0",
        "scan", "+scan");
    row("command, Redis 7.2", "NOPERM User bob has no permissions to run the 'scan' command",
        "SCAN 0", "scan", "+scan");
    row("command, unnamed", "NOPERM you may not", "CLIENT LIST", "client|list", "+client|list");
    row("command, unnamed and unknown", "NOPERM you may not", "", "", "");
    row("key", "NOPERM this user has no permissions to access one of the keys used as arguments",
        "GET lock:1", "get", "~*");
    row("key, Redis 7.2", "NOPERM No permissions to access a key", "PTTL", "pttl", "~*");
    row("channel",
        "NOPERM this user has no permissions to access one of the channels used as arguments",
        "SUBSCRIBE __redis__:invalidate", "subscribe", "&__redis__:invalidate");
    row("channel, Redis 7.2", "NOPERM No permissions to access a channel", "SUBSCRIBE", "subscribe",
        "&*");
    row("command in a script",
        "ERR The user executing the script can't run this command or subcommand script: d735ff, on "
        "@user_script:1.",
        "EVAL", "", "");
    row("command that our script names",
        "ERR call of HGET: ERR The user executing the script can't run this command or subcommand "
        "script: d735ff, on @user_script:1.",
        "EVAL", "hget", "+hget");
    row("command that our script names, Redis 6",
        "ERR Error running script (call to f_d735ff): @user_script:1: call of ZSCORE: "
        "@user_script: 1: The user executing the script can't run this command or subcommand",
        "EVAL", "zscore", "+zscore");
    row("command in a script, Redis 7.2",
        "NOPERM ACL failure in script: User bob has no permissions to run the 'del' command "
        "script: d735ff",
        "EVAL", "del", "+del");
    row("key in a script",
        "ERR The user executing the script can't access at least one of the keys mentioned in the "
        "command arguments "
        "script: e1865e, on @user_script:1.",
        "EVAL", "", "~*");
    row("channel in a script",
        "ERR The user executing the script can't publish to the channel mentioned in the command "
        "script: f22968, on "
        "@user_script:1.",
        "EVAL", "", "&*");
}

void TestProblem::missingPermissionsNameTheCommandAndTheRule()
{
    QFETCH(std::string, text);
    QFETCH(std::string, attempted);
    QFETCH(std::string, command);
    QFETCH(std::string, rule);
    const Problem problem = problemOfServerError(text, attempted);
    QCOMPARE(problem.kind, Kind::NoPermission);
    QCOMPARE(problem.command, command);
    QCOMPARE(problem.rule, rule);
}

void TestProblem::theServersWordsAreKept()
{
    const std::string text = "OOM command not allowed when used memory > 'maxmemory'.";
    QCOMPARE(problemOfServerError(text, "SET").detail, text);
}

void TestProblem::argumentsOfUnknownCommandsAreDropped()
{
    // An administrator may have renamed AUTH, and then the server repeats the password.
    const Problem problem = problemOfServerError(
        "ERR unknown command 'AUTH', with args beginning with: 'bob' 'secret' ", "AUTH");
    QCOMPARE(problem.detail, "ERR unknown command 'AUTH'"s);
    QVERIFY(explain(problem).find("secret") == std::string::npos);
}

void TestProblem::everyKindIsExplainedInItsOwnWords()
{
    std::set<std::string> seen;
    for (int i = 0; i <= static_cast<int>(Kind::MasterMoved); ++i) {
        const std::string text = explain(Problem{static_cast<Kind>(i), {}, {}, {}});
        QVERIFY2(text.size() > 10, std::to_string(i).c_str());
        QVERIFY2(seen.insert(text).second, text.c_str());
    }
}

void TestProblem::missingPermissionsSayWhatToGrant_data()
{
    QTest::addColumn<std::string>("command");
    QTest::addColumn<std::string>("rule");
    QTest::addColumn<std::string>("expected");
    QTest::newRow("command")
        << "client|tracking"s
        << "+client|tracking"s
        << "The user has no permission to run client|tracking. Grant it: ACL SETUSER <user> +client|tracking"s;
    QTest::newRow("key")
        << "get"s
        << "~*"s
        << "The user has no access to the key that get uses. Grant the access: ACL SETUSER <user> ~* (or a narrower pattern)"s;
    QTest::newRow("channel")
        << "subscribe"s
        << "&__redis__:invalidate"s
        << "The user has no access to the channel that subscribe uses. Grant the access: ACL SETUSER <user> &__redis__:invalidate"s;
    QTest::newRow("unknown")
        << ""s
        << ""s
        << "The user lacks the permission for a required command. Run ACL LOG on the server to find the command, then grant it: ACL SETUSER <user> +<command>"s;
}

void TestProblem::missingPermissionsSayWhatToGrant()
{
    QFETCH(std::string, command);
    QFETCH(std::string, rule);
    QFETCH(std::string, expected);
    QCOMPARE(explain(Problem{Kind::NoPermission, {}, command, rule}), expected);
}

void TestProblem::onlyWhatBeginsLikeTlsIsCalledTls_data()
{
    QTest::addColumn<std::string>("firstBytes");
    QTest::addColumn<bool>("isTls");
    QTest::newRow("alert of TLS 1.2") << "\x15\x03\x03\x00\x02\x02\x28"s << true;
    QTest::newRow("alert of TLS 1.0") << "\x15\x03\x01\x00\x02\x02\x46"s << true;
    QTest::newRow("server hello") << "\x16\x03\x03\x00\x3d\x02"s << true;
    QTest::newRow("too short to tell") << "\x15"s << false;
    QTest::newRow("another version") << "\x15\x04\x03"s << false;
    QTest::newRow("application data") << "\x17\x03\x03"s << false;
    QTest::newRow("HTTP") << "HTTP/1.1 400 Bad Request"s << false;
    QTest::newRow("nothing") << ""s << false;
}

void TestProblem::onlyWhatBeginsLikeTlsIsCalledTls()
{
    QFETCH(const std::string, firstBytes);
    QFETCH(const bool, isTls);
    const std::string text = explain({Kind::NotRedis, firstBytes, {}, {}});
    QVERIFY2(text.starts_with("The server uses TLS on this port. Use rediss://") == isTls,
             text.c_str());
    QVERIFY2(text.starts_with("The program at this address") != isTls, text.c_str());
}

void TestProblem::refusalsSayWhatToDo_data()
{
    QTest::addColumn<std::string>("error");
    QTest::addColumn<std::string>("advice");
    QTest::newRow("memory") << "OOM command not allowed when used memory > 'maxmemory'."s
                            << "raise maxmemory"s;
    QTest::newRow("disk") << "MISCONF Redis is configured to save RDB snapshots"s
                          << "free disk space"s;
    QTest::newRow("script") << "BUSY Redis is busy running a script."s
                            << "SCRIPT KILL"s;
    QTest::newRow("replica without master")
        << "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."s
        << "Connect to the master"s;
    QTest::newRow("cluster") << "MOVED 3999 10.0.0.1:6381"s
                             << "Connect to that node"s;
    QTest::newRow("slots") << "CROSSSLOT Keys in request don't hash to the same slot"s
                           << "different hash slots"s;
    QTest::newRow("full") << "ERR max number of clients reached"s
                          << "maxclients"s;
    QTest::newRow("protected") << "DENIED Redis is running in protected mode"s
                               << "password"s;
    QTest::newRow("renamed") << "ERR unknown command 'CLIENT'"s
                             << "command is disabled"s;
    QTest::newRow("anything else") << "ERR the moon is full"s
                                   << "The server refused the command: ERR the moon is full"s;
}

void TestProblem::refusalsSayWhatToDo()
{
    QFETCH(std::string, error);
    QFETCH(std::string, advice);
    const std::string text = explain(problemOfServerError(error, "SET"));
    QVERIFY2(text.find(advice) != std::string::npos, text.c_str());
    QVERIFY2(text.find(error) != std::string::npos, text.c_str());
}

void TestProblem::aPasswordNobodyAskedForIsNotCalledWrong()
{
    const Problem problem =
        problemOfServerError("ERR AUTH <password> called without any password configured for the "
                             "default user. Are you sure your "
                             "configuration is correct?",
                             "AUTH");
    QCOMPARE(
        explain(problem),
        "A password was given, but this user has none on the server. Leave the password empty."s);
}

void TestProblem::hostileServerTextIsShownEscaped()
{
    const std::string text = explain(Problem{Kind::ServerRefused, "ERR \x1b[31m\xff", {}, {}});
    QCOMPARE(text, "The server refused the command: ERR \\x1b[31m\\xff"s);
}

void TestProblem::garbageIsAlwaysExplained()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"NOPERM",
                                       "ERR",
                                       " ",
                                       "'",
                                       "client|",
                                       "one of the keys",
                                       "access a channel",
                                       "script",
                                       ", with args beginning with:",
                                       "\xff",
                                       "CLIENT",
                                       "SUBSCRIBE"};
    for (int i = 0; i < 5000; ++i) {
        const Bytes text = input.assembled(pieces, 8);
        const Bytes attempted = input.assembled(pieces, 4);
        const std::string sentence = explain(problemOfServerError(text, attempted));
        QVERIFY2(!sentence.empty() && isUtf8(sentence), input.recipe(text).c_str());
    }
}

LOCKSCOPE_TEST(TestProblem, Core)

} // namespace lockscope::tst_problem

#include "tst_problem.moc"
