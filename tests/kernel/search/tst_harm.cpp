#include "core/kernel/search/harm.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_harm {

using protocol::Promise;
using search::Harm;

class TestHarm final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idsAreReadBack();
    void everyHarmIsThatOfAPromise();
    void theWorstComesFirst();
};

void TestHarm::idsAreReadBack()
{
    std::set<std::string> names;
    for (const Harm harm : search::allHarms()) {
        QVERIFY(search::harmOfId(idOf(harm)) == harm);
        QVERIFY(names.insert(search::nameOf(harm)).second);
    }
    QVERIFY(!search::harmOfId("two holders"));
}

void TestHarm::everyHarmIsThatOfAPromise()
{
    std::set<Harm> harms;
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        harms.insert(search::harmOf(static_cast<Promise>(i)));
    }
    QCOMPARE(harms.size(), search::allHarms().size());
    QVERIFY(search::harmOf(Promise::ReadWriteExclusion) == Harm::TwoHolders);
    QVERIFY(search::harmOf(Promise::NoStuckLock) == Harm::Stuck);
    QVERIFY(search::harmOf(Promise::OwnerOnlyRelease) == Harm::WrongRelease);
}

void TestHarm::theWorstComesFirst()
{
    QVERIFY(search::allHarms().front() == Harm::TwoHolders);
    QVERIFY(Harm::TwoHolders < Harm::Stuck && Harm::Stuck < Harm::WrongRelease);
}

LOCKSCOPE_TEST(TestHarm, Core)

} // namespace lockscope::tst_harm

#include "tst_harm.moc"
