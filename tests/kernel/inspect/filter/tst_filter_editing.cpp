#include "core/kernel/inspect/filter/filter_editing.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_filter_editing {

using namespace lockscope::inspect;
using namespace std::string_literals;

class TestFilterEditing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void termsComeAndGo()
    {
        QCOMPARE(toggledFilter("", "a"), "a"s);
        QCOMPARE(toggledFilter(" b ", "a"), "b a"s);
        QCOMPARE(toggledFilter("b a", "a"), "b"s);
        QCOMPARE(toggledFilter("a", "a"), ""s);
        QCOMPARE(toggledFilter("b and a", "a"), "b"s);
        QCOMPARE(toggledFilter("-a", "a"), "-a a"s);
        QCOMPARE(toggledFilter("not a b", "a"), "not a b a"s);
        QCOMPARE(toggledFilter("(a) b", "a"), "(a) b a"s);
        QCOMPARE(toggledFilter("key~/a  b/ a", "a"), "key~/a  b/"s);
    }

    void alternativesStayTogether()
    {
        QCOMPARE(toggledFilter("a or b", "c"), "(a or b) c"s);
        QCOMPARE(toggledFilter("a or b", "a"), "(a or b) a"s);
        QCOMPARE(toggledFilter("(a or b) c", "d"), "(a or b) c d"s);
        QCOMPARE(narrowedFilter("a or b", "c"), "(a or b) c"s);
    }

    void narrowingTakesTheOppositeAway()
    {
        QCOMPARE(narrowedFilter("mode:read b", "-mode:read"), "b -mode:read"s);
        QCOMPARE(narrowedFilter("-mode:read b", "mode:read"), "b mode:read"s);
        QCOMPARE(narrowedFilter("mode:read", "mode:read"), "mode:read"s);
        QCOMPARE(oppositeOf("a"), "-a"s);
        QCOMPARE(oppositeOf("-a"), "a"s);
    }

    void whatIsUnfinishedStaysAsItIs()
    {
        QCOMPARE(toggledFilter("owner:\"a", "b"), "owner:\"a b"s);
        QCOMPARE(toggledFilter("(a b", "c"), "(a b c"s);
        QCOMPARE(toggledFilter("a not", "b"), "a not b"s);
    }
};

LOCKSCOPE_TEST(TestFilterEditing, Core)

} // namespace lockscope::tst_filter_editing

#include "tst_filter_editing.moc"
