#include "entropy.h"

#include <QTest>

#include <set>

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

QTEST_GUILESS_MAIN(TestEntropy)

#include "tst_entropy.moc"
