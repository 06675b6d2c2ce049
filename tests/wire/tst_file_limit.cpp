#include "core/wire/file_limit.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/resource.h>

namespace lockscope::tst_file_limit {

class TestFileLimit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingThatIsAllowedIsUsed();
};

void TestFileLimit::everythingThatIsAllowedIsUsed()
{
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max / 2;
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    lockscope::wire::raiseFileLimit();
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    QCOMPARE(limit.rlim_cur, limit.rlim_max);
}

LOCKSCOPE_TEST(TestFileLimit, Core)

} // namespace lockscope::tst_file_limit

#include "tst_file_limit.moc"
