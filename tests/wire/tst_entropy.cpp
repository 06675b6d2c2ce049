#include "core/wire/entropy.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_entropy {

class TestEntropy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noSeedComesTwice();
};

void TestEntropy::noSeedComesTwice()
{
    std::set<std::uint64_t> seeds;
    for (int i = 0; i < 1000; ++i) {
        QVERIFY(seeds.insert(lockscope::wire::freshSeed()).second);
    }
}

LOCKSCOPE_TEST(TestEntropy, Core)

} // namespace lockscope::tst_entropy

#include "tst_entropy.moc"
