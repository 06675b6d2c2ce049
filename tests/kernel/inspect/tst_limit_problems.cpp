#include "core/kernel/inspect/limit_problems.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_limit_problems {

class TestLimitProblems : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachNamesItsLimit();
};

void TestLimitProblems::eachNamesItsLimit()
{
    const auto textOf = [](const store::Problem& problem) {
        return problem.kind == store::Problem::Kind::LimitExceeded ? problem.detail : "";
    };
    QCOMPARE(textOf(inspect::tooManyLocks()),
             std::string("more than 1000000 locks; the others are not shown"));
    QCOMPARE(
        textOf(inspect::tooManyClients()),
        std::string(
            "a list of more than 100000 clients or 64 MB; the holders' addresses are unknown"));
    QCOMPARE(textOf(inspect::namesTooLong()), std::string("names of more than 4 KB"));
}

LOCKSCOPE_TEST(TestLimitProblems, Core)

} // namespace lockscope::tst_limit_problems

#include "tst_limit_problems.moc"
