#include "core/kernel/lint/pattern.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_pattern {

using lint::Pattern;
using world::FaultKind;
using world::ViolationKind;

class TestPattern final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPatternIsDescribed();
    void aProofIsOfTheRightKind();
    void whatShowsOnAGoodDayIsNotProvedOnABadOne();
    void whatASingleServerCannotShowIsNeverProved();
};

void TestPattern::everyPatternIsDescribed()
{
    std::set<std::string_view> ids;
    for (int i = 0; i < static_cast<int>(Pattern::PatternCount); ++i) {
        const auto pattern = static_cast<Pattern>(i);
        QVERIFY(ids.insert(idOf(pattern)).second);
        QVERIFY(!sentenceFor(pattern).empty() && !sentenceFor(pattern).ends_with('.'));
        QVERIFY(remedyFor(pattern).ends_with('.'));
    }
    QCOMPARE(idOf(Pattern::ScriptError), std::string_view("script-error"));
    QCOMPARE(idOf(Pattern::UndeclaredKey), std::string_view("undeclared-key"));
}

void TestPattern::aProofIsOfTheRightKind()
{
    QVERIFY(isProvedBy(Pattern::UncomparedRelease, ViolationKind::WrongRelease, FaultKind::Pause));
    QVERIFY(isProvedBy(Pattern::UncomparedRelease, ViolationKind::WrongRelease, std::nullopt));
    QVERIFY(!isProvedBy(Pattern::UncomparedRelease, ViolationKind::DoubleBelief, FaultKind::Pause));
}

/// A sound lock has two holders that believe in it after a pause.
void TestPattern::whatShowsOnAGoodDayIsNotProvedOnABadOne()
{
    const ViolationKind kind = ViolationKind::DoubleBelief;
    QVERIFY(isProvedBy(Pattern::LateRenewal, kind, FaultKind::Interleaving));
    QVERIFY(!isProvedBy(Pattern::LateRenewal, kind, FaultKind::Pause));
    QVERIFY(!isProvedBy(Pattern::LateRenewal, kind, std::nullopt));
}

void TestPattern::whatASingleServerCannotShowIsNeverProved()
{
    for (int i = 0; i < static_cast<int>(ViolationKind::ViolationKindCount); ++i) {
        QVERIFY(!isProvedBy(Pattern::UndeclaredKey, static_cast<ViolationKind>(i),
                            FaultKind::Interleaving));
    }
}

LOCKSCOPE_TEST(TestPattern, Core)

} // namespace lockscope::tst_pattern

#include "tst_pattern.moc"
