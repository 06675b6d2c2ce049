#include "core/kernel/exports/interval_csv.h"
#include "core/kernel/exports/span_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_interval_csv {

using namespace std::chrono_literals;
using trace::Span;
using trace::SpanEnd;

class TestIntervalCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStretchIsARow();
    void oddNamesAreQuoted();
    void everyKindHasAWord();
};

void TestIntervalCsv::everyStretchIsARow()
{
    trace::Chronicle chronicle;
    chronicle.spans = {{Instant(1s), Instant(3s), 0, 0, Span::Kind::Holding, SpanEnd::Released,
                        true},
                       {Instant(2s), Instant(4s), 1, 0, Span::Kind::Paused, SpanEnd::Resumed}};
    chronicle.serverHolds = {{Instant(1s), Instant(2s), 0, 0, SpanEnd::Expired},
                             {Instant(2s), Instant(3s), std::nullopt, 0, SpanEnd::Open}};
    chronicle.overlaps = {{Instant(2s), Instant(3s), 0, 0, 1}};
    const std::string csv = exports::intervalCsv(chronicle,
                                                 {"", {"A", "B"}, {"k"}, {}, Instant(1s)});
    QCOMPARE(csv, std::string("contender,lock,kind,mode,from_us,to_us,duration_us,end,with\r\n"
                              "A,k,holding,read,0,2000000,2000000,released,\r\n"
                              "B,,paused,,1000000,3000000,2000000,resumed,\r\n"
                              "A,k,tenure,,0,1000000,1000000,expired,\r\n"
                              ",k,tenure,,1000000,2000000,1000000,open,\r\n" // no owner is named
                              "A,k,overlap,,1000000,2000000,1000000,,B\r\n"));
}

void TestIntervalCsv::oddNamesAreQuoted()
{
    trace::Chronicle chronicle;
    chronicle.spans = {{Instant(), Instant(1us), 0, 0, Span::Kind::Waiting, SpanEnd::Open}};
    const std::string csv = exports::intervalCsv(chronicle,
                                                 {"", {"a,\"b\""}, {"k\nl"}, {}, Instant()});
    QVERIFY2(csv.ends_with("\"a,\"\"b\"\"\",\"k\nl\",waiting,exclusive,0,1,1,open,\r\n"),
             csv.c_str());
}

void TestIntervalCsv::everyKindHasAWord()
{
    for (const auto kind :
         {Span::Kind::Waiting, Span::Kind::Holding, Span::Kind::Paused, Span::Kind::Down}) {
        QVERIFY(!exports::wordOf(kind).empty());
    }
}

LOCKSCOPE_TEST(TestIntervalCsv, None)

} // namespace lockscope::tst_interval_csv

#include "tst_interval_csv.moc"
