#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/color_rules.h"

#include <QTest>

namespace lockscope::tst_color_rules {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::MadeLock;

namespace {

QString matchOf(const ColorRules& rules, const inspect::LockRecord& lock, Instant now = {})
{
    const ColorRule* const rule = rules.match(lock, {now, {}});
    return rule == nullptr ? QString() : rule->name;
}

} // namespace

class TestColorRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstThatMatchesDecides()
    {
        const QList<ColorRule> list{{u"busy"_s, u"waiters>5"_s}, {u"orders"_s, u"key:order:*"_s}};
        const ColorRules rules(list);
        const auto busy = MadeLock("order:1").waiters(9).record();
        QCOMPARE(matchOf(rules, busy), u"busy"_s);
        QCOMPARE(matchOf(rules, MadeLock("order:2").record()), u"orders"_s);
        QCOMPARE(matchOf(rules, MadeLock("job:1").record()), QString());
        QCOMPARE(matchOf(ColorRules({list[1], list[0]}), busy), u"orders"_s);
    }

    void whatIsOffOrCannotBeReadMarksNothing()
    {
        const ColorRules rules({{u"off"_s, u"key:a"_s, RuleColor::Teal, false},
                                {u"mistaken"_s, u"onwer:a"_s},
                                {u"empty"_s, u"  "_s},
                                {u"last"_s, u"key:a"_s}});
        QCOMPARE(matchOf(rules, MadeLock("a").record()), u"last"_s);
        QCOMPARE(matchOf(rules, MadeLock("b").record()), QString());
        QVERIFY(!rules.isEmpty());
        QVERIFY(ColorRules({{u"mistaken"_s, u"onwer:a"_s}}).isEmpty());
        QVERIFY(ColorRules().isEmpty());
    }

    void aRuleAboutTimeSaysSo()
    {
        QVERIFY(!ColorRules({{u"a"_s, u"key:a"_s}}).dependOnTime());
        const ColorRules rules({{u"a"_s, u"key:b"_s}, {u"old"_s, u"held>10m"_s}});
        QVERIFY(rules.dependOnTime());
        const auto lock = MadeLock("a").firstSeen(Instant(1h)).takenWhileWatching().record();
        QCOMPARE(matchOf(rules, lock, Instant(1h + 9min)), QString());
        QCOMPARE(matchOf(rules, lock, Instant(1h + 11min)), u"old"_s);
    }

    void everyColourIsFoundByItsId()
    {
        for (int i = 0; i < static_cast<int>(RuleColor::ColorCount); ++i) {
            const auto color = static_cast<RuleColor>(i);
            QVERIFY(!titleOf(color).isEmpty());
            QCOMPARE(ruleColorOf(idOf(color)), color);
        }
        QCOMPARE(ruleColorOf(u"puce"_s), RuleColor::Violet);
    }
};

LOCKSCOPE_TEST(TestColorRules, Core)

} // namespace lockscope::tst_color_rules

#include "tst_color_rules.moc"
