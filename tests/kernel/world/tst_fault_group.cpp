#include "core/kernel/world/fault_group.h"
#include "core/kernel/world/fault_info.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lockscope::tst_fault_group {

using namespace lockscope::world;

class TestFaultGroup final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idsAreReadBack();
    void everyKindIsInOneGroup();
    void misuseIsAGroupOfItsOwn();
};

void TestFaultGroup::idsAreReadBack()
{
    std::set<std::string> names;
    FaultGroup before = allFaultGroups().front();
    for (const FaultGroup group : allFaultGroups()) {
        QVERIFY(faultGroupOf(idOf(group)) == group);
        QVERIFY(names.insert(nameOf(group)).second);
        QVERIFY(nameOf(group).find(' ') == std::string::npos);
        QVERIFY(before <= group);
        before = group;
    }
    QVERIFY(!faultGroupOf("Clients") && !faultGroupOf(""));
}

/// The matrix has a column per group, and 12 at most when the largest of them is unfolded.
void TestFaultGroup::everyKindIsInOneGroup()
{
    std::map<FaultGroup, std::vector<FaultKind>> kinds;
    for (const FaultInfo& fault : allFaults()) {
        kinds[fault.group].push_back(fault.kind);
    }
    QCOMPARE(kinds.size(), allFaultGroups().size());
    const auto largest = std::ranges::max_element(kinds, {}, [](const auto& entry) {
        return entry.second.size();
    });
    QVERIFY(kinds.size() - 1 + largest->second.size() <= 12);
    QVERIFY((kinds[FaultGroup::Order] == std::vector{FaultKind::Interleaving}));
    QVERIFY((kinds[FaultGroup::Clients]
             == std::vector{FaultKind::Crash, FaultKind::Pause, FaultKind::Hang}));
    QVERIFY((kinds[FaultGroup::Data] == std::vector{FaultKind::ForceRelease, FaultKind::Eviction}));
    QVERIFY(infoOf(FaultKind::Partition).group == FaultGroup::Network);
    QVERIFY(infoOf(FaultKind::SlowNode).group == FaultGroup::Servers);
}

void TestFaultGroup::misuseIsAGroupOfItsOwn()
{
    for (const FaultInfo& fault : allFaults()) {
        QCOMPARE(fault.group == FaultGroup::Misuse, isMisuse(fault.kind));
    }
}

LOCKSCOPE_TEST(TestFaultGroup, Core)

} // namespace lockscope::tst_fault_group

#include "tst_fault_group.moc"
