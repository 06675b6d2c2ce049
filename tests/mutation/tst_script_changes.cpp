#include "core/kernel/sim/lua_engine.h"
#include "protocol_scripts.h"
#include "tests/mutation/script_changes.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>

namespace lockscope::tst_script_changes {

using mutation::changesOf;
using mutation::ScriptChange;

class TestScriptChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operatorsMakeTheirMistakes_data();
    void operatorsMakeTheirMistakes();
    void commentsAreLeftAlone();
    void namedKeysAreKnown();
    void everyChangeIsAnotherScript_data();
    void everyChangeIsAnotherScript();
};

void TestScriptChanges::operatorsMakeTheirMistakes_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("changed");

    const QString compare = QStringLiteral("if redis.call('get', KEYS[1]) ~= ARGV[1] then\n"
                                           "  return 0\nend\nreturn redis.call('del', KEYS[1])");
    const auto with = [&compare](const char* from, const char* to) {
        return QString(compare).replace(QLatin1String(from), QLatin1String(to));
    };
    const char* const condition = "redis.call('get', KEYS[1]) ~= ARGV[1]";
    QTest::newRow("no compare") << compare << "condition-false" << with(condition, "false");
    QTest::newRow("always another's") << compare << "condition-true" << with(condition, "true");
    QTest::newRow("the other way round") << compare << "other-relation" << with("~=", "==");
    QTest::newRow("a refusal that reads as a yes")
        << compare << "other-answer" << with("return 0", "return 1");
    QTest::newRow("nothing is deleted")
        << compare << "only-say-so" << with("redis.call('del', KEYS[1])", "1");

    const QString set = QStringLiteral("redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])");
    QTest::newRow("no NX") << set << "drop-option" << QString(set).remove(QStringLiteral(", 'NX'"));
    QTest::newRow("no expiry") << set << "drop-option"
                               << QString(set).remove(QStringLiteral(", 'PX', ARGV[2]"));
    QTest::newRow("seconds") << set << "other-unit"
                             << QString(set).replace(QLatin1String("PX"), QLatin1String("EX"));
    QTest::newRow("no command") << set << "drop-command" << QString();

    QTest::newRow("one half of a condition") << "if a == 1 and f(b, c) then x() end"
                                             << "drop-operand"
                                             << "if a == 1  then x() end";
    QTest::newRow("the other half") << "if a == 1 and f(b, c) then x() end"
                                    << "drop-operand"
                                    << "if  f(b, c) then x() end";
    QTest::newRow("one too many") << "return n >= m"
                                  << "other-relation"
                                  << "return n > m";
    QTest::newRow("another key") << "redis.call('pexpire', KEYS[2], 1)\nredis.call('get', KEYS[1])"
                                 << "other-key"
                                 << "redis.call('pexpire', KEYS[1], 1)\nredis.call('get', KEYS[1])";
    QTest::newRow("a count that begins again")
        << "local n = redis.call('hincrby', KEYS[1], ARGV[1], 1)"
        << "reset-count"
        << "local n = (redis.call('hset', KEYS[1], ARGV[1], 1) and 1)";
    QTest::newRow("all holds at once") << "local n = redis.call('hincrby', KEYS[1], ARGV[1], -1)"
                                       << "release-all"
                                       << "local n = (redis.call('hdel', KEYS[1], ARGV[1]) and 0)";
    QTest::newRow("all members") << "redis.call('zrem', KEYS[1], t)"
                                 << "whole-key"
                                 << "redis.call('del', KEYS[1])";
    QTest::newRow("the last of the queue") << "return redis.call('lindex', q, 0)"
                                           << "other-end"
                                           << "return redis.call('lindex', q, -1)";
    QTest::newRow("in another order") << "redis.call('a', k)\nredis.call('b', k)"
                                      << "swap"
                                      << "redis.call('b', k)\nredis.call('a', k)";
    QTest::newRow("a summand less") << "return t - f(now)"
                                    << "drop-summand"
                                    << "return t ";
}

void TestScriptChanges::operatorsMakeTheirMistakes()
{
    QFETCH(QString, script);
    QFETCH(QString, operation);
    QFETCH(QString, changed);

    const std::string text = script.toStdString();
    const std::vector<ScriptChange> changes = changesOf(text);
    const bool isMade = std::ranges::any_of(changes, [&](const ScriptChange& change) {
        return change.operation == operation.toStdString() && change.text == changed.toStdString();
    });
    for (const ScriptChange& change : changes) {
        qInfo("%s => %s", change.id().c_str(), change.text.c_str());
    }
    QVERIFY(isMade);
}

void TestScriptChanges::commentsAreLeftAlone()
{
    QVERIFY(changesOf("-- if a then return 1 end\nlocal b = c").empty());
}

/// Scripts give their keys names in the first lines.
void TestScriptChanges::namedKeysAreKnown()
{
    const std::vector<ScriptChange> changes = changesOf("local lock, queue = KEYS[1], KEYS[2]\n"
                                                        "redis.call('del', lock)");
    const auto other = std::ranges::find(changes, "other-key", &ScriptChange::operation);
    QVERIFY(other != changes.end());
    QCOMPARE(other->to, std::string("queue"));
}

void TestScriptChanges::everyChangeIsAnotherScript_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(protocol::scripts::kAll); ++i) {
        QTest::newRow(std::string(protocol::scripts::kAll[i].name).c_str()) << static_cast<int>(i);
    }
}

void TestScriptChanges::everyChangeIsAnotherScript()
{
    QFETCH(int, index);
    const std::string script(protocol::scripts::kAll[index].text);
    const std::vector<ScriptChange> changes = changesOf(script);
    QVERIFY(!changes.empty());
    std::set<std::string> texts{script};
    sim::LuaEngine lua;
    for (const ScriptChange& change : changes) {
        QVERIFY2(texts.insert(change.text).second, change.id().c_str());
        const auto problem = lua.compile(lua.digestOf(change.text), change.text);
        QVERIFY2(!problem, (change.id() + " -> " + change.to).c_str());
    }
}

LOCKSCOPE_TEST(TestScriptChanges, None)

} // namespace lockscope::tst_script_changes

#include "tst_script_changes.moc"
