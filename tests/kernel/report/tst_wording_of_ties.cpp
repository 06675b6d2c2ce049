#include "core/kernel/report/wording.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_wording_of_ties {

using namespace lockscope::inspect;
using namespace lockscope::report;
using namespace std::string_literals;

class TestWordingOfTies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOtherLocksOfAnOwnerAreSaid();
    void longListsAreCut();
};

void TestWordingOfTies::theOtherLocksOfAnOwnerAreSaid()
{
    Holder holder;
    QCOMPARE(tieSentence(holder, "b"), ""s);
    OwnerTie tie;
    tie.names = {"a", "b", "c"};
    holder.setTie(std::make_shared<const OwnerTie>(tie));
    QCOMPARE(tieSentence(holder, "b"), "The same owner also holds a and c."s);
    tie.isAllOrNothing = true;
    holder.setTie(std::make_shared<const OwnerTie>(tie));
    QCOMPARE(tieSentence(holder, "b"),
             "The same owner also holds a and c. Once one of its locks is gone, this owner's next "
             "renewal and release fail for all of them."s);
    tie.isAllOrNothing = false;
    tie.isOfThread = true;
    tie.isTakenTogether = true;
    holder.setTie(std::make_shared<const OwnerTie>(tie));
    QCOMPARE(tieSentence(holder, "a"), "The same thread also holds b and c. Taken together: "
                                       "probably one multi-lock."s);
}

void TestWordingOfTies::longListsAreCut()
{
    QCOMPARE(alsoHeldSentence({"a", "b", "c", "d", "e", "f", "g", "h"}, false),
             "The same owner also holds a, b, c, d, e, f and 2 others."s);
    QCOMPARE(alsoHeldSentence({}, false), ""s);
}

LOCKSCOPE_TEST(TestWordingOfTies, Core)

} // namespace lockscope::tst_wording_of_ties

#include "tst_wording_of_ties.moc"
