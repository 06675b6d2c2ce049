#include "core/kernel/protocol/builtin/rw_steps.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_rw_steps {

using namespace lockscope::protocol;
using namespace lockscope::protocol::builtin;
using namespace lockscope::testing;
using store::Outcome;

class TestRwSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoeverDoesNotAskToReadWrites();
    void theSidesOfALockHaveKeysBesideIt();
    void aStampIsRemovedFromItsSideOnly();
    void theAnswerSaysWhoseStampItWas_data();
    void theAnswerSaysWhoseStampItWas();
};

void TestRwSteps::whoeverDoesNotAskToReadWrites()
{
    LockRequest request;
    request.mode = Mode::Read;
    QVERIFY(isForReading(request));
    request.mode = Mode::Write;
    QVERIFY(!isForReading(request));
    request.mode = Mode::Exclusive;
    QVERIFY(!isForReading(request));
}

void TestRwSteps::theSidesOfALockHaveKeysBesideIt()
{
    QCOMPARE(readKeyOf("order:42"), Bytes("order:42:read"));
    QCOMPARE(writeKeyOf("order:42"), Bytes("order:42:write"));
}

void TestRwSteps::aStampIsRemovedFromItsSideOnly()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    Grant grant;
    grant.request = bench.request();
    grant.token = "17";
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        grant.request.mode = mode;
        bench.loop().run(removeStamp(bench.contender(), grant));
    }
    QCOMPARE(bench.store().asked(),
             (std::vector<std::string>{calling(scripts::kDeleteFieldIfEqual, "1 k read 17"),
                                       calling(scripts::kDeleteFieldIfEqual, "1 k write 17")}));
}

void TestRwSteps::theAnswerSaysWhoseStampItWas_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"}});
}

void TestRwSteps::theAnswerSaysWhoseStampItWas()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    Grant grant;
    grant.request = bench.request();
    QCOMPARE(wordFor(bench.loop().run(removeStamp(bench.contender(), grant))), word);
}

LOCKSCOPE_TEST(TestRwSteps, Core)

} // namespace lockscope::tst_rw_steps

#include "tst_rw_steps.moc"
