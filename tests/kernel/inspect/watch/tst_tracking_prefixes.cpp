#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/tracking_prefixes.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_tracking_prefixes {

using namespace lockscope::inspect;
using lockscope::testing::RandomInput;

namespace {

bool isCovered(const Bytes& name, const std::vector<Bytes>& prefixes)
{
    return std::ranges::any_of(prefixes,
                               [&name](const Bytes& prefix) { return name.starts_with(prefix); });
}

/// Redis refuses a set in which one prefix begins another, and two equal ones.
bool areApart(const std::vector<Bytes>& prefixes)
{
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        for (std::size_t j = 0; j < prefixes.size(); ++j) {
            if (i != j && prefixes[i].starts_with(prefixes[j])) {
                return false;
            }
        }
    }
    return true;
}

std::string joined(const std::vector<Bytes>& prefixes)
{
    std::string text;
    for (const Bytes& prefix : prefixes) {
        text += (text.empty() ? "" : " ") + prefix;
    }
    return text;
}

} // namespace

class TestTrackingPrefixes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreCutWhereTheirRelativesDiffer_data();
    void namesAreCutWhereTheirRelativesDiffer();
    void knownLibrariesFillTheRoomThatIsLeft();
    void manyNamesAreMergedWhereTheyHaveLittleInCommon();
    void namesWithNothingInCommonHaveNoPrefixes();
    void theEmptyNameHasNoPrefix();
    void keyspaceEventsAreAskedForByTheWord();
    void whatAPatternBeginsWithIsKnown_data();
    void whatAPatternBeginsWithIsKnown();
    void randomNamesAreCovered();
    void aHundredThousandNamesAreQuick();
};

void TestTrackingPrefixes::namesAreCutWhereTheirRelativesDiffer_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("prefix");
    const auto row = [](const char* name, const char* prefix) {
        QTest::newRow(name) << std::string(name) << std::string(prefix);
    };
    row("lock:order:42", "lock:");
    row("app:prod:lock:order", "app:prod:lock:");
    row("order:42:lock", "order:");
    row("shop:eu:order:42:lock", "shop:eu:order:");
    row("job:sync", "job:");
    row("orderLock:42", "orderLock:");
    row("{order:42}:lock", "{order:");
    row("mylock", "mylock");
    row("42:lock", "42:lock");
    row("app/locks/x", "app/locks/");
}

void TestTrackingPrefixes::namesAreCutWhereTheirRelativesDiffer()
{
    QFETCH(std::string, name);
    QFETCH(std::string, prefix);
    QCOMPARE(joined(trackingPrefixes(std::vector<Bytes>{name}, 1)), prefix);
}

void TestTrackingPrefixes::knownLibrariesFillTheRoomThatIsLeft()
{
    const std::vector<Bytes> prefixes = trackingPrefixes(std::vector<Bytes>{"order:42:lock"}, 100);
    QVERIFY(isCovered("gitlab:exclusive_lease:x", prefixes));
    QVERIFY(isCovered("lock:not-seen-yet", prefixes));
    QVERIFY(areApart(prefixes));
    QVERIFY(std::ranges::is_sorted(prefixes));
    QCOMPARE(trackingPrefixes(std::vector<Bytes>{"order:42:lock"}, 3).size(), 3U);
    QVERIFY(isCovered("lock:first", trackingPrefixes({}, 100)));
    QVERIFY(trackingPrefixes({}, 0).empty());
}

void TestTrackingPrefixes::manyNamesAreMergedWhereTheyHaveLittleInCommon()
{
    const std::vector<Bytes> names{"shop:cart:1:lock", "shop:order:1:lock", "shop:stock:1:lock",
                                   "mail:out:1:lock", "mail:in:1:lock"};
    QCOMPARE(joined(trackingPrefixes(names, 5)),
             std::string("mail:in: mail:out: shop:cart: shop:order: shop:stock:"));
    QCOMPARE(joined(trackingPrefixes(names, 2)), std::string("mail: shop:"));
}

void TestTrackingPrefixes::namesWithNothingInCommonHaveNoPrefixes()
{
    QVERIFY(trackingPrefixes(std::vector<Bytes>{"alock", "block-lock", "clock-lock"}, 2).empty());
}

void TestTrackingPrefixes::theEmptyNameHasNoPrefix()
{
    QVERIFY(trackingPrefixes(std::vector<Bytes>{"", "lock:x"}, 8).empty());
}

void TestTrackingPrefixes::keyspaceEventsAreAskedForByTheWord()
{
    const std::vector<Bytes> names{"order:42:lock", "Locks/a", "job[1]:run", "job[1]:stop"};
    const std::vector<std::string> own{"cron:*"};
    const std::vector<std::string> patterns = keyspacePatterns(names, own, 4);
    QCOMPARE(patterns.size(), std::size_t(4));
    const auto matchesAny = [&patterns](std::string_view name) {
        return std::ranges::any_of(patterns, [name](const std::string& pattern) {
            return matchesGlob(pattern, name);
        });
    };
    for (const Bytes& name : names) {
        QVERIFY2(matchesAny(name), name.c_str());
    }
    QVERIFY(matchesAny("never:seen:LOCK"));
    QVERIFY(matchesAny("cron:nightly"));
    QVERIFY(!matchesAny("session:42"));
    const std::vector<Bytes> unlike{"a-job", "b-job", "c-job", "d-job"};
    QVERIFY(keyspacePatterns(unlike, {}, 2).empty());
}

void TestTrackingPrefixes::whatAPatternBeginsWithIsKnown_data()
{
    QTest::addColumn<std::string>("pattern");
    QTest::addColumn<std::string>("beginning");
    QTest::newRow("star") << std::string("cron:*") << std::string("cron:");
    QTest::newRow("nothing") << std::string("*:cron") << std::string();
    QTest::newRow("one character") << std::string("a?c") << std::string("a");
    QTest::newRow("class") << std::string("a[bc]d") << std::string("a");
    QTest::newRow("literal") << std::string("cron") << std::string("cron");
    QTest::newRow("escaped") << std::string("a\\*b*") << std::string("a*b");
    QTest::newRow("stray escape") << std::string("a\\") << std::string("a");
}

void TestTrackingPrefixes::whatAPatternBeginsWithIsKnown()
{
    QFETCH(const std::string, pattern);
    QFETCH(const std::string, beginning);
    QCOMPARE(literalBeginningOf(pattern), beginning);
}

void TestTrackingPrefixes::randomNamesAreCovered()
{
    RandomInput input;
    const std::vector<Bytes> pieces{"lock", ":", "a", "b", "1", "{", "}", "-", "\xff", "order"};
    for (int round = 0; round < 2'000; ++round) {
        std::vector<Bytes> names(1 + input.rng().below(40));
        for (Bytes& name : names) {
            name = input.assembled(pieces, 6);
        }
        const std::size_t maxCount = 1 + input.rng().below(30);
        const std::vector<Bytes> prefixes = trackingPrefixes(names, maxCount);
        QVERIFY2(prefixes.size() <= maxCount, input.recipe().c_str());
        QVERIFY2(areApart(prefixes), input.recipe(joined(prefixes)).c_str());
        for (const Bytes& name : names) {
            QVERIFY2(prefixes.empty() || isCovered(name, prefixes), input.recipe(name).c_str());
        }
    }
}

void TestTrackingPrefixes::aHundredThousandNamesAreQuick()
{
    std::vector<Bytes> names;
    for (int i = 0; i < 100'000; ++i) {
        names.push_back(std::to_string(i) + "lock");
    }
    // With work that grows with the square of the names this would not end within the time limit of
    // the test.
    QVERIFY(trackingPrefixes(names, 9).empty());
    QCOMPARE(trackingPrefixes(names, 10).size(), 10U);
}

LOCKSCOPE_TEST(TestTrackingPrefixes, None)

} // namespace lockscope::tst_tracking_prefixes

#include "tst_tracking_prefixes.moc"
