#include "core/wire/process_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace lockscope::tst_process_tree {

namespace {

/// A child that waits for its end.
pid_t sleepingChild()
{
    const pid_t child = ::fork();
    if (child == 0) {
        while (true) {
            ::pause();
        }
    }
    return child;
}

bool descendsFromUs(pid_t process)
{
    std::array<wire::ProcessEntry, 1024> room;
    return std::ranges::any_of(wire::descendantsOf(::getpid(), room),
                               [process](const wire::ProcessEntry& entry) {
                                   return entry.process == process;
                               });
}

} // namespace

class TestProcessTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChildDescendsFromUsUntilItEnds();
    void thereIsNoProcessZero();
};

void TestProcessTree::aChildDescendsFromUsUntilItEnds()
{
    const pid_t child = sleepingChild();
    QVERIFY(child > 0);
    const auto entry = wire::processEntry(child);
    QVERIFY(entry && !entry->isOver);
    QCOMPARE(entry->parent, ::getpid());
    QVERIFY(descendsFromUs(child));
    wire::killDescendants(::getpid(), [child] { ::waitpid(child, nullptr, WNOHANG); });
    ::waitpid(child, nullptr, 0);
    QVERIFY(!descendsFromUs(child));
}

void TestProcessTree::thereIsNoProcessZero()
{
    QVERIFY(!wire::processEntry(0).has_value());
}

LOCKSCOPE_TEST(TestProcessTree, Core)

} // namespace lockscope::tst_process_tree

#include "tst_process_tree.moc"
