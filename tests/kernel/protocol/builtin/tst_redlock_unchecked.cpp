#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redlock_unchecked {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Reply;

class TestRedlockUnchecked : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLeaseCountsFromTheLastVote();
};

void TestRedlockUnchecked::theLeaseCountsFromTheLastVote()
{
    std::vector<ScriptedStore::Script> scripts;
    for (int node = 0; node < 3; ++node) {
        scripts.push_back(answering({{"SET", Reply::ofStatus("OK")}, {"EVALSHA", number(1)}}));
    }
    ContenderBench bench(std::move(scripts));
    const Instant startedAt = bench.loop().now();
    bench.store(1).hold();
    const auto task = bench.loop().start(builtin::redlockUnchecked().attempt(bench.contender(),
                                                                             bench.request()));
    bench.loop().advance(30ms);
    bench.store(1).answerAll();
    bench.loop().settle();
    const Grant& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(startedAt + 30ms + 10s));
}

LOCKSCOPE_TEST(TestRedlockUnchecked, Core)

} // namespace lockscope::tst_redlock_unchecked

#include "tst_redlock_unchecked.moc"
