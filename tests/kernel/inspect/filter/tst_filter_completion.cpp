#include "core/kernel/inspect/filter/filter_completion.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_filter_completion {

using namespace lockscope::inspect;

namespace {

using Words = std::vector<std::string>;

Words completed(std::string_view word)
{
    return filterCompletions(word, report::lockFilterFields(), [](std::string_view field) {
        return field == "format" ? Words{"token 10", "token 9", "flag", "token 9"} : Words{};
    });
}

} // namespace

class TestFilterCompletion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fieldsAreOffered()
    {
        QCOMPARE(completed("ho"), Words{"holds:"});
        QCOMPARE(completed("H"), (Words{"held:", "holds:"}));
        QCOMPARE(completed("").size(), report::lockFilterFields().size());
        QCOMPARE(completed("nothing"), Words{});
    }

    void valuesAreOffered()
    {
        QCOMPARE(completed("mode:"),
                 (Words{"mode:exclusive", "mode:read", "mode:write", "mode:semaphore"}));
        QCOMPARE(completed("MODE=r"), Words{"MODE=read"});
        QCOMPARE(completed("flag:an"), Words{"flag:any"});
        QCOMPARE(completed("ttl:"), Words{"ttl:never"});
        QCOMPARE(completed("holds:"), Words{});
        QCOMPARE(completed("onwer:"), Words{});
    }

    void textsOfTheLocksAreOfferedOnceAndInOrder()
    {
        QCOMPARE(completed("format:"),
                 (Words{"format:\"token 9\"", "format:\"token 10\"", "format:flag"}));
        QCOMPARE(completed("format:f"), Words{"format:flag"});
        QCOMPARE(completed("owner:"), Words{});
    }

    void whatIsCompleteIsNotOffered() { QCOMPARE(completed("mode:read"), Words{}); }

    void theWordOfTheCursorIsFound()
    {
        QCOMPARE(wordBegin(""), 0U);
        QCOMPARE(wordBegin("flag:no-ex"), 0U);
        QCOMPARE(wordBegin("a -flag:no-ex"), 3U);
        QCOMPARE(wordBegin("a (b"), 3U);
        QCOMPARE(wordBegin("a owner:\"b c"), 2U);
        QCOMPARE(wordBegin("a "), 2U);
    }

    void valuesAreQuotedWhereTheyMustBe()
    {
        QCOMPARE(filterValue("a:1"), "a:1");
        QCOMPARE(filterValue(""), "\"\"");
        QCOMPARE(filterValue("a \"b\""), "\"a \\\"b\\\"\"");
        QCOMPARE(filterValue("a b\\"), "\"a b\\x5c\"");
    }
};

LOCKSCOPE_TEST(TestFilterCompletion, Core)

} // namespace lockscope::tst_filter_completion

#include "tst_filter_completion.moc"
