#include "core/conduct/callers.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_callers {

using conduct::Answer;
using conduct::Callers;
using conduct::Word;
using conduct::Workload;

class TestCallers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_workload = {};
        m_workload.processCount = 2;
        m_workload.threadCount = 3;
    }
    void anAnswerIsDueUntilItHasCome();
    void theFirstBusyThreadIsFound();
    void threadsHaveNames();
    void aProcessCanBeForgotten();
    void betweenTwoRunsThereIsNone();

private:
    Workload m_workload;
};

void TestCallers::anAnswerIsDueUntilItHasCome()
{
    Callers callers(m_workload);
    QVERIFY(!callers.isAnswerDue(1, 2));
    callers.begin(1, 2, Word::Acquire, 1, true);
    Answer yes;
    yes.kind = Answer::Kind::Yes;
    QVERIFY(callers.isAnswerDue(1, 2));
    QVERIFY(!callers.isAnswerDue(0, 2) && !callers.isAnswerDue(1, 1));
    const Callers::Caller& caller = callers.answered(1, 2, yes);
    QVERIFY(!callers.isAnswerDue(1, 2));
    QVERIFY(caller.word == Word::Acquire && caller.lock == 1 && caller.isRead);
    QVERIFY(caller.answer.kind == Answer::Kind::Yes);
}

void TestCallers::theFirstBusyThreadIsFound()
{
    Callers callers(m_workload);
    QCOMPARE(callers.busyThread(0), 2);
    QVERIFY(!callers.isBusy(0));
    callers.begin(0, 2, Word::Acquire, 0, false);
    callers.begin(0, 1, Word::Acquire, 0, false);
    QCOMPARE(callers.busyThread(0), 1);
    QVERIFY(callers.isBusy(0) && !callers.isBusy(1));
}

void TestCallers::threadsHaveNames()
{
    const Callers callers(m_workload);
    for (int thread = 0; thread < m_workload.threadCount; ++thread) {
        QCOMPARE(callers.threadNamed(Callers::nameOf(thread)), thread);
    }
    QCOMPARE(callers.threadNamed("main"), 0);
    QCOMPARE(callers.threadNamed("t3"), 0);
}

void TestCallers::aProcessCanBeForgotten()
{
    Callers callers(m_workload);
    callers.begin(0, 0, Word::Acquire, 0, false);
    callers.begin(1, 0, Word::Acquire, 0, false);
    callers.forgetCallsOf(0);
    QVERIFY(!callers.isBusy(0));
    QVERIFY(callers.isBusy(1));
}

/// An answer that comes then was not asked for.
void TestCallers::betweenTwoRunsThereIsNone()
{
    Callers callers;
    QVERIFY(!callers.isAnswerDue(0, 0));
    QVERIFY(!callers.isBusy(0));
    QCOMPARE(callers.threadNamed("t1"), 0);
    callers.forgetCallsOf(0);
}

LOCKSCOPE_TEST(TestCallers, None)

} // namespace lockscope::tst_callers

#include "tst_callers.moc"
