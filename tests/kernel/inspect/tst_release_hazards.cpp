#include "core/kernel/inspect/release_hazards.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_release_hazards {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using Recreation = ReleaseRecipe::Recreation;

class TestReleaseHazards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNextRenewalIsBoundByWhatIsLeft();
    void whatOnlySomeLibrariesDoIsSaidSo();
    void withoutAnExpiryNothingIsRenewed();
    void sleepersSleepForWhatIsLeft();
};

void TestReleaseHazards::theNextRenewalIsBoundByWhatIsLeft()
{
    ReleaseRecipe recipe;
    addRecreation(recipe, Recreation::Certain, stringKey("redlock:a", "token", 5s));
    QVERIFY(recipe.recreation == Recreation::Certain);
    QCOMPARE(recipe.warnings.front(),
             std::string("If the old holder is still running, its renewal will create the lock "
                         "again within 5.0 s: stop it first."));
}

void TestReleaseHazards::whatOnlySomeLibrariesDoIsSaidSo()
{
    ReleaseRecipe recipe;
    addRecreation(recipe, Recreation::Possible, stringKey("lock:a", "token", 5s));
    QVERIFY(recipe.recreation == Recreation::Possible);
    QVERIFY(recipe.warnings.front().starts_with("Some libraries with such tokens"));
    QVERIFY(recipe.warnings.front().ends_with("within 5.0 s."));
}

void TestReleaseHazards::withoutAnExpiryNothingIsRenewed()
{
    ReleaseRecipe recipe;
    addRecreation(recipe, Recreation::Possible, stringKey("lock:a", "token", std::nullopt));
    QVERIFY(recipe.recreation == Recreation::No);
    QVERIFY(recipe.warnings.empty());
}

void TestReleaseHazards::sleepersSleepForWhatIsLeft()
{
    ReleaseRecipe recipe;
    addSleepingWaiters(recipe, stringKey("lock:a", "token", 28s));
    QVERIFY(recipe.leavesWaitersAsleep);
    QVERIFY(recipe.warnings.front().ends_with("may try again only in 28.0 s."));
}

LOCKSCOPE_TEST(TestReleaseHazards, Core)

} // namespace lockscope::tst_release_hazards

#include "tst_release_hazards.moc"
