#include "core/operations/owner_search.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_owner_search {

using namespace lockscope::inspect;

class TestOwnerSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyUniqueOwnersAreWorthASearch()
    {
        std::vector<Holder> holders(1);
        const auto isWorthwhile = [&holders](OwnerScope scope) {
            return operations::OwnerSearch::isWorthwhile(scope, holders);
        };
        QVERIFY(!isWorthwhile(OwnerScope::Hold));
        holders.front().owner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
        QVERIFY(isWorthwhile(OwnerScope::Hold));
        QVERIFY(isWorthwhile(OwnerScope::Thread));
        QVERIFY(!isWorthwhile(OwnerScope::Process));
    }
};

LOCKSCOPE_TEST(TestOwnerSearch, Core)

} // namespace lockscope::tst_owner_search

#include "tst_owner_search.moc"
