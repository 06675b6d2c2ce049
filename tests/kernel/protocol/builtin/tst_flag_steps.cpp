#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/flag_steps.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_flag_steps {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::string_literals;
using store::Outcome;

class TestFlagSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeyIsDeletedWithoutALookAtIt_data();
    void theKeyIsDeletedWithoutALookAtIt();
};

void TestFlagSteps::theKeyIsDeletedWithoutALookAtIt_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("it was there") << number(1) << "released"s;
    QTest::newRow("it was not there") << number(0) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
}

void TestFlagSteps::theKeyIsDeletedWithoutALookAtIt()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"DEL", answer}}));
    Grant grant;
    grant.request = bench.request();
    grant.token = "not looked at";
    QTEST(wordFor(bench.loop().run(builtin::setNxEx().release(bench.contender(), grant))), "word");
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"DEL k"});
}

LOCKSCOPE_TEST(TestFlagSteps, Core)

} // namespace lockscope::tst_flag_steps

#include "tst_flag_steps.moc"
