#include "core/kernel/world/fault_kind.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_fault_kind {

using namespace lockscope::world;

class TestFaultKind : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindHasAnIdOfItsOwn();
    void nonsenseIsNoKind();
};

void TestFaultKind::everyKindHasAnIdOfItsOwn()
{
    std::set<std::string_view> explanations;
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        QCOMPARE(faultKindOf(idOf(kind)), std::optional(kind));
        QVERIFY(explain(kind).ends_with('.'));
        explanations.insert(explain(kind));
    }
    QCOMPARE(explanations.size(), std::size_t(FaultKind::FaultKindCount));
    // They stand in files: none of them ever changes.
    QCOMPARE(QByteArray(idOf(FaultKind::Interleaving).data()), "interleaving");
    QCOMPARE(QByteArray(idOf(FaultKind::MessageDelay).data()), "message-delay");
    QCOMPARE(QByteArray(idOf(FaultKind::ForceRelease).data()), "force-release");
    QCOMPARE(QByteArray(idOf(FaultKind::Eviction).data()), "eviction");
}

void TestFaultKind::nonsenseIsNoKind()
{
    for (const char* const text : {"", "Crash", "crash ", "crashes", "fault", "clock_skew"}) {
        QVERIFY2(!faultKindOf(text), text);
    }
}

LOCKSCOPE_TEST(TestFaultKind, Core)

} // namespace lockscope::tst_fault_kind

#include "tst_fault_kind.moc"
