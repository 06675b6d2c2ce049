#include "core/kernel/inspect/filter/filter_editing.h"
#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/report/lock_fields.h"
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

    void mistakesAreMended_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("mended");
        const auto row = [](const char* text, const char* mended) {
            QTest::newRow(text) << std::string(text) << std::string(mended);
        };
        row("held>1m onwer:x or a", "held>1m owner:x or a");
        row("-order:42 a", "-\"order:42\" a");
        row("flag:no-expirey held>1m", "flag:no-expiry held>1m");
        row("mode:both", "");
        row("colour=red", "");
        row("a or", "");
    }
    void mistakesAreMended()
    {
        QFETCH(std::string, text);
        QFETCH(std::string, mended);
        const auto fields = report::lockFilterFields();
        const auto result = LockFilter::parse(text, fields);
        QCOMPARE(mendedFilter(text, std::get<FilterError>(result)), mended);
        QVERIFY(std::holds_alternative<LockFilter>(LockFilter::parse(mended, fields)));
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
