#include "core/kernel/lint/literal_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_literal_keys {

class TestLiteralKeys final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstLineIsFound_data();
    void theFirstLineIsFound();
};

void TestLiteralKeys::theFirstLineIsFound_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<int>("line"); // 0: none
    const auto add = [](const char* script, int line) {
        QTest::newRow(script) << std::string(script) << line;
    };
    add("return redis.call('get', KEYS[1])", 0);
    add("local key = KEYS[1]\nreturn redis.call('get', key)", 0);
    add("redis.call('publish', ARGV[1], '1')", 0);
    add("redis.call('PUBLISH', 'wake', '1')", 0);
    add("return redis.call('time')", 0);
    add("return redis.call('get', 'fixed')", 1);
    add("local a = 1\nreturn redis.pcall(\"get\", \"fixed\")", 2);
    add("return redis.call('get', ARGV[1])", 1);
    add("local a\nlocal b\nredis . call ( 'incr' , KEYS[1] .. ':fence' )", 3);
    add("redis.call('set', KEYS[1], 'a..b')", 0);
    add("redis.call('get',\n'fixed')", 1);
    add("redis.call('get', ARGVS)", 0);
    const std::string blanks(200'000, ' ');
    QTest::newRow("many blanks") << "redis" + blanks + ".call(" + blanks + "'get', '" + blanks << 1;
}

void TestLiteralKeys::theFirstLineIsFound()
{
    QFETCH(const std::string, script);
    QTEST(lint::lineOfUndeclaredKey(script).value_or(0), "line");
}

LOCKSCOPE_TEST(TestLiteralKeys, Core)

} // namespace lockscope::tst_literal_keys

#include "tst_literal_keys.moc"
