#include "file_limit.h"

#include <QTest>

#include <sys/resource.h>

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

QTEST_GUILESS_MAIN(TestFileLimit)

#include "tst_file_limit.moc"
