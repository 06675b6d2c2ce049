#include "core/kernel/world/violation.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_violation {

using namespace lockscope::world;

class TestViolation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasAnIdAndASentenceOfItsOwn();
    void theSentenceNamesWhoAndWhat();
    void nonsenseIsNoKind();
};

void TestViolation::everyKindHasAnIdAndASentenceOfItsOwn()
{
    std::set<std::string> sentences;
    for (int i = 0; i < static_cast<int>(ViolationKind::ViolationKindCount); ++i) {
        const auto kind = static_cast<ViolationKind>(i);
        QCOMPARE(violationKindOf(idOf(kind)), std::optional(kind));
        Violation violation;
        violation.kind = kind;
        violation.client = 1;
        violation.other = 0;
        sentences.insert(describe(violation, "stock"));
    }
    QVERIFY(!sentences.contains(""));
    QCOMPARE(sentences.size(), std::size_t(ViolationKind::ViolationKindCount));
    QCOMPARE(std::string(idOf(ViolationKind::ReentryImbalance)), std::string("reentry-imbalance"));
    QCOMPARE(std::string(idOf(ViolationKind::NoProgress)), std::string("no-progress"));
}

void TestViolation::theSentenceNamesWhoAndWhat()
{
    Violation violation;
    violation.client = 1;
    violation.other = 0;
    QCOMPARE(describe(violation, "stock"),
             std::string("A and B both hold stock: the server granted it twice"));
    violation.kind = ViolationKind::DoubleBelief;
    QCOMPARE(
        describe(violation, "stock"),
        std::string("A and B both believe they hold stock: the hold of A has ended on the server"));
    violation.kind = ViolationKind::WrongExtension;
    QCOMPARE(describe(violation, "stock"), std::string("B changed the lease of A"));
    violation.other = -1;
    QCOMPARE(describe(violation, "stock"), std::string("B recreated stock with a renewal"));
}

void TestViolation::nonsenseIsNoKind()
{
    for (const char* const text : {"", "Double-grant", "double grant", "double-grants"}) {
        QVERIFY2(!violationKindOf(text), text);
    }
}

LOCKSCOPE_TEST(TestViolation, Core)

} // namespace lockscope::tst_violation

#include "tst_violation.moc"
