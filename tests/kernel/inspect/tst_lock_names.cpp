#include "core/kernel/inspect/lock_names.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_names {

using namespace lockscope::inspect;
using namespace std::string_literals;
using lockscope::testing::RandomInput;

class TestLockNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesOfLocksAreSeen_data();
    void namesOfLocksAreSeen();
    void otherNamesAreLeftAlone_data();
    void otherNamesAreLeftAlone();
    void userPatternsAddNames();
    void bookkeepingIsNoLock();
    void globsMatchAsInRedis_data();
    void globsMatchAsInRedis();
    void manyStarsAreQuick();
    void keysOfAPairFormOneGroup_data();
    void keysOfAPairFormOneGroup();
    void otherKeysAreGroupsOfTheirOwn();
    void configuredPairsWork();
    void everyMemberOfAGroupLeadsToTheSameGroup();
};

void TestLockNames::namesOfLocksAreSeen_data()
{
    QTest::addColumn<std::string>("key");
    for (const std::string key : {"lock",
                                  "LOCK",
                                  "lock:order",
                                  "order:lock",
                                  "order.42.lock",
                                  "order_lock",
                                  "order-lock",
                                  "order/lock/7",
                                  "order#lock",
                                  "lock|x",
                                  "books~lock",
                                  "{lock}",
                                  "{order:7}:lock",
                                  "orderLock",
                                  "OrderLockKey",
                                  "DBLock",
                                  "LOCK_ORDER",
                                  "lock42",
                                  "t:lockv2:9",
                                  "tasklock",
                                  "mylocks",
                                  "mutex:mail",
                                  "sendMutex",
                                  "rw.mutexes",
                                  "job:lease:9",
                                  "leader",
                                  "raft-leader:eu",
                                  "semaphore:x",
                                  "redlock:seat",
                                  "rwlock:map",
                                  "x:readlock",
                                  "spinlock",
                                  "synclock",
                                  "is_locked",
                                  "app:prod:eu:lock:9",
                                  "CSRedisClientLock:x",
                                  "gitlab:exclusive_lease:merge",
                                  "arq:in-progress:7",
                                  "qo_tasks.add_a-1",
                                  "unacked_mutex",
                                  "app_database_app_cache_framework/schedule-77",
                                  "laravel_unique_job:Import:",
                                  "activejob_uniqueness:import:9f",
                                  "分布式锁:库存",
                                  "库存锁",
                                  "订单:鎖:7",
                                  "在庫ロック",
                                  "주문:잠금",
                                  "блокировка:заказ",
                                  "解锁后的锁",
                                  "\xff\xfe:lock:\x00"}) {
        QTest::newRow(key.c_str()) << key;
    }
}

void TestLockNames::namesOfLocksAreSeen()
{
    QFETCH(std::string, key);
    QVERIFY(soundsLikeLock(key));
    QVERIFY(NameRules().looksLikeLock(key));
}

void TestLockNames::otherNamesAreLeftAlone_data()
{
    QTest::addColumn<std::string>("key");
    for (const std::string key : {"",
                                  ":",
                                  "order:42",
                                  "block:77",
                                  "blocks",
                                  "clock",
                                  "o'clock",
                                  "unlock:9",
                                  "deadlocks",
                                  "stock",
                                  "lockout:user",
                                  "leading",
                                  "release:1.2",
                                  "leaseback",
                                  "user:42:session",
                                  "article:42:read",
                                  "lo:ck",
                                  "loCk",
                                  "semantic",
                                  "BLOCK",
                                  "serverClock",
                                  "user:padlock",
                                  "区块链:7",
                                  "账户:解锁",
                                  "ブロック:3",
                                  "クロック",
                                  "разблокировка",
                                  "xmutexx"}) {
        QTest::newRow(key.c_str()) << key;
    }
}

void TestLockNames::otherNamesAreLeftAlone()
{
    QFETCH(std::string, key);
    QVERIFY(!soundsLikeLock(key));
    QVERIFY(!NameRules().looksLikeLock(key));
}

void TestLockNames::userPatternsAddNames()
{
    const NameRules rules({"job:*", "exact"});
    QVERIFY(rules.looksLikeLock("job:sync"));
    QVERIFY(rules.matchesUserPattern("job:sync"));
    QVERIFY(rules.looksLikeLock("exact"));
    QVERIFY(!rules.looksLikeLock("exactly"));
    QVERIFY(rules.looksLikeLock("lock:x"));
    QVERIFY(!rules.matchesUserPattern("lock:x"));
}

void TestLockNames::bookkeepingIsNoLock()
{
    const NameRules rules;
    for (const std::string_view key :
         {"redisson_unlock_latch:{order:42}:0b2e54a79f0c4d518a6e1c2d3e4f5a6b",
          "redisson_lock_queue:{order:42}", "redisson_lock_timeout:{order:42}",
          "redisson_lock_token:{order:42}", "lock-signal:report",
          "{order:42}:0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b:63:rwlock_timeout:1"}) {
        QVERIFY2(rules.isBookkeeping(key), std::string(key).c_str());
    }
    for (const std::string_view key :
         {"order:42", "lock:x", "redisson_sortedset_lock:{x}",
          "x:rwlock_timeout:", "x:rwlock_timeout:1a", "my_redisson_lock_queue:x"}) {
        QVERIFY2(!rules.isBookkeeping(key), std::string(key).c_str());
    }
}

void TestLockNames::globsMatchAsInRedis_data()
{
    QTest::addColumn<std::string>("pattern");
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* pattern, const char* text, bool matches) {
        QTest::addRow("%s on %s", pattern, text)
            << std::string(pattern) << std::string(text) << matches;
    };
    // Every row was compared with what KEYS of Redis 7.0.15 answers.
    row("", "", true);
    row("", "a", false);
    row("a", "", false);
    row("*", "", true);
    row("*", "anything", true);
    row("lock:*", "lock:", true);
    row("lock:*", "xlock:", false);
    row("*:lock", "a:b:lock", true);
    row("*:lock", "a:lock:b", false);
    row("a*b*c", "a-b-b-c", true);
    row("a*b*c", "a-c-b", false);
    row("**a", "bca", true);
    row("a?c", "abc", true);
    row("a?c", "ac", false);
    row("???", "ab", false);
    row("[abc]x", "bx", true);
    row("[abc]x", "dx", false);
    row("[a-c]x", "bx", true);
    row("[c-a]x", "bx", true);
    row("[^a]x", "bx", true);
    row("[^a]x", "ax", false);
    row("[^a-c]x", "bx", false);
    row("[a\\-z]", "-", true);
    row("[a\\-z]", "m", false);
    row("[\\]]", "]", true);
    row("[a-]", "-", false);
    row("[a-]", "^", true);
    row("[]", "a", false);
    row("[^]", "a", true);
    row("[abc", "b", true);
    row("[abc", "d", false);
    row("x[", "x[", false);
    row("\\*", "*", true);
    row("\\*", "a", false);
    row("a\\", "a\\", true);
    row("\\\\", "\\", true);
    row("h[*]llo", "h*llo", true);
    row("LOCK", "lock", false);
}

void TestLockNames::globsMatchAsInRedis()
{
    QFETCH(std::string, pattern);
    QFETCH(std::string, text);
    QFETCH(bool, matches);
    QCOMPARE(matchesGlob(pattern, text), matches);
}

void TestLockNames::manyStarsAreQuick()
{
    std::string pattern;
    for (int i = 0; i < 30; ++i) {
        pattern += "*a";
    }
    // Trying every way to split the text would outlive us all.
    QVERIFY(!matchesGlob(pattern + "b", std::string(2'000, 'a')));
}

void TestLockNames::keysOfAPairFormOneGroup_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("readKey");
    QTest::addColumn<std::string>("writeKey");
    QTest::newRow("colon") << "lock:x"s
                           << "lock:x:read"s
                           << "lock:x:write"s;
    QTest::newRow("dot") << "x"s
                         << "x.read"s
                         << "x.write"s;
    QTest::newRow("underscore") << "x"s
                                << "x_read"s
                                << "x_write"s;
    QTest::newRow("dash") << "x"s
                          << "x-read"s
                          << "x-write"s;
    QTest::newRow("lock in the suffix") << "x"s
                                        << "x:readlock"s
                                        << "x:writelock"s;
    QTest::newRow("camel case") << "x"s
                                << "x:readLock"s
                                << "x:writeLock"s;
    QTest::newRow("one letter") << "rwlock:x"s
                                << "rwlock:x:r"s
                                << "rwlock:x:w"s;
    QTest::newRow("binary") << "\xff\n"s
                            << "\xff\n:read"s
                            << "\xff\n:write"s;
}

void TestLockNames::keysOfAPairFormOneGroup()
{
    QFETCH(std::string, name);
    QFETCH(std::string, readKey);
    QFETCH(std::string, writeKey);
    const KeyGroup expected{name, {readKey, writeKey}};
    QVERIFY(groupOf(readKey, builtinPairRules()) == expected);
    QVERIFY(groupOf(writeKey, builtinPairRules()) == expected);
}

void TestLockNames::otherKeysAreGroupsOfTheirOwn()
{
    for (const std::string key : {"", "lock:x", "read", ":read", ":write", "x:r", "x:reading",
                                  "thread", "x:Read", "bread"}) {
        QVERIFY2((groupOf(key, builtinPairRules()) == KeyGroup{key, {key}}), key.c_str());
    }
}

void TestLockNames::configuredPairsWork()
{
    const std::vector<PairRule> rules{{".leser", ".schreiber"}};
    QVERIFY((groupOf("akte.leser", rules) == KeyGroup{"akte", {"akte.leser", "akte.schreiber"}}));
    QVERIFY((groupOf("akte:read", rules) == KeyGroup{"akte:read", {"akte:read"}}));
}

void TestLockNames::everyMemberOfAGroupLeadsToTheSameGroup()
{
    RandomInput input;
    const std::vector<Bytes> pieces{":",  "read", "write",    "lock", ".read", "_write",
                                    ":r", ":w",   "readlock", "x",    "-",     "\xff"};
    for (int i = 0; i < 20'000; ++i) {
        const Bytes key = input.assembled(pieces, 5);
        const KeyGroup group = groupOf(key, builtinPairRules());
        QVERIFY2(std::ranges::find(group.keys, key) != group.keys.end(), input.recipe(key).c_str());
        for (const Bytes& member : group.keys) {
            QVERIFY2(groupOf(member, builtinPairRules()) == group, input.recipe(key).c_str());
        }
    }
}

LOCKSCOPE_TEST(TestLockNames, None)

} // namespace lockscope::tst_lock_names

#include "tst_lock_names.moc"
