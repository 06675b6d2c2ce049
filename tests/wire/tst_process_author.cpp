#include "core/wire/process_author.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <unistd.h>

namespace lockscope::tst_process_author {

class TestProcessAuthor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSystemSaysWhoItIs();
    void whoBecameThatUserIsNamed();
};

void TestProcessAuthor::theSystemSaysWhoItIs()
{
    qunsetenv("SUDO_USER");
    const report::AuditAuthor author = wire::authorOfProcess("test 1");
    QVERIFY(!author.user.empty());
    QVERIFY(!author.host.empty());
    QCOMPARE(author.program, std::string("test 1"));
    QCOMPARE(author.process, std::int64_t(::getpid()));
    QCOMPARE(author.sudoUser, std::string());
}

void TestProcessAuthor::whoBecameThatUserIsNamed()
{
    qputenv("SUDO_USER", "anna");
    QCOMPARE(wire::authorOfProcess("test 1").sudoUser, std::string("anna"));
    qunsetenv("SUDO_USER");
}

LOCKSCOPE_TEST(TestProcessAuthor, None)

} // namespace lockscope::tst_process_author

#include "tst_process_author.moc"
