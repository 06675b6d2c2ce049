#include "core/kernel/conduct/own_end.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_own_end {

using namespace lockscope::testing;
using conduct::Deviation;
using conduct::Interference;
using conduct::ownEndIn;
using conduct::Word;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;

Deviation of(Interference kind, int process)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message = {process, "SET", 1};
    return deviation;
}

} // namespace

class TestOwnEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoGoesOnHasNotEnded();
    void anEndIsToldWithWhatWentBefore();
    void whoWasKilledDidNotEndByItself();
    void programsAreMeantToEnd();
    void onlyTheLatestLinesAreKept();
};

void TestOwnEnd::whoGoesOnHasNotEnded()
{
    QVERIFY(!ownEndIn(handedOver().log(), handOver(), {}));
}

void TestOwnEnd::anEndIsToldWithWhatWentBefore()
{
    WrittenLog log(kScriptedLease);
    log.call(kB, Word::Acquire).say(kA, "no word of B's").say(kB, "Error: Connection is closed.");
    log.end(kB).say(kB, "").say(kB, "what came later");
    const std::vector deviations{of(Interference::LoseReply, kB)};
    const auto end = ownEndIn(log.log(), handOver(), deviations);
    QVERIFY(end);
    QCOMPARE(end->process, kB);
    QCOMPARE(end->deviations, deviations);
    QCOMPARE(end->lastWords,
             (std::vector<std::string>{"Error: Connection is closed.", "what came later"}));
}

void TestOwnEnd::whoWasKilledDidNotEndByItself()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).interfere(kA).end(kA);
    QVERIFY(!ownEndIn(log.log(), handOver(), std::vector{of(Interference::KillAfter, kA)}));
    const auto other = ownEndIn(log.log(), handOver(),
                                std::vector{of(Interference::KillAfter, kB)});
    QVERIFY(other);
    QCOMPARE(other->process, kA);
}

void TestOwnEnd::programsAreMeantToEnd()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).release(kA).end(kA);
    QVERIFY(!ownEndIn(log.log(), conduct::programsWorkload({}), {}));
}

void TestOwnEnd::onlyTheLatestLinesAreKept()
{
    WrittenLog log(kScriptedLease);
    for (int i = 1; i <= 20; ++i) {
        log.say(kA, std::to_string(i));
    }
    const auto end = ownEndIn(log.end(kA).log(), handOver(), {});
    QVERIFY(end);
    QCOMPARE(end->lastWords.size(), std::size_t(12));
    QCOMPARE(end->lastWords.front(), std::string("9"));
    QCOMPARE(end->lastWords.back(), std::string("20"));
}

LOCKSCOPE_TEST(TestOwnEnd, None)

} // namespace lockscope::tst_own_end

#include "tst_own_end.moc"
