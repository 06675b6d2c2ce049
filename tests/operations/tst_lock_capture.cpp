#include "core/operations/lock_capture.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_lock_capture {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Problem;

/// What a real server tells by MONITOR: see tst_cli_who.
class TestLockCapture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHasNoFeedIsRefused();
};

void TestLockCapture::whatHasNoFeedIsRefused()
{
    VirtualLoop loop;
    PretendKeyspace keyspace(loop.clock());
    ScriptedServers servers({[&](const store::Command& command) {
        return store::Outcome(keyspace.answer(command));
    }});
    operations::LockInspector inspector(servers, loop.clock());
    const auto result = loop.run(operations::captureLock(servers, inspector, {0, "k"}, {}));
    QCOMPARE(std::get<Problem>(result).kind, Problem::Kind::ClusterUnsupported);
    QVERIFY(servers.store(0).asked().empty());
}

LOCKSCOPE_TEST(TestLockCapture, Core)

} // namespace lockscope::tst_lock_capture

#include "tst_lock_capture.moc"
