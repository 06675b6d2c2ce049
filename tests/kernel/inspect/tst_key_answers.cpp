#include "core/kernel/inspect/key_answers.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_key_answers {

using namespace lockscope::inspect;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

class TestKeyAnswers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTypeHasItsCommands();
    void timeLeftIsTaken();
    void whatMakesNoSenseIsSaid();
    void onlyWhatConcernsTheServerStopsABatch();
};

void TestKeyAnswers::everyTypeHasItsCommands()
{
    Observation seen;
    seen.key = "k";
    seen.type = ValueType::List;
    QVERIFY(lengthOf(seen).words == (std::vector<Bytes>{"LLEN", "k"}));
    QCOMPARE(std::string(lengthCommandOf(ValueType::SortedSet)), std::string("ZCARD"));
    QCOMPARE(std::string(contentsCommandOf(ValueType::Set)), std::string("SMEMBERS"));
}

void TestKeyAnswers::timeLeftIsTaken()
{
    Observation seen;
    seen.type = ValueType::String;
    takeTimeLeft(Reply::ofInteger(7000), seen);
    QVERIFY(seen.ttl == Duration(7s));
    takeTimeLeft(Reply::ofInteger(-2), seen);
    QVERIFY(!seen.exists()); // it vanished
}

void TestKeyAnswers::whatMakesNoSenseIsSaid()
{
    Observation seen;
    refuse(seen, "PTTL", Reply::ofError("NOPERM no"));
    QCOMPARE(seen.unreadable, std::string("NOPERM no"));
    takeTimeLeft(Reply::ofBulk("soon"), seen);
    QVERIFY(seen.unreadable.find("PTTL") != std::string::npos);
    QCOMPARE(std::string(seen.refusedCommand), std::string("PTTL"));
}

void TestKeyAnswers::onlyWhatConcernsTheServerStopsABatch()
{
    QVERIFY(!batchProblem(Outcome(Reply::ofError("NOPERM no"))));
    QVERIFY(batchProblem(Outcome(Reply::ofError("LOADING wait"))).has_value());
    QVERIFY(!batchProblemIn({Outcome(Reply::ofInteger(1)), Outcome(Reply::ofError("ERR no"))}));
    QVERIFY(batchProblemIn({Outcome(Reply::ofInteger(1)), Outcome(Reply::ofError("BUSY x"))}));
}

LOCKSCOPE_TEST(TestKeyAnswers, Core)

} // namespace lockscope::tst_key_answers

#include "tst_key_answers.moc"
