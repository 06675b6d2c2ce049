#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_report {

using namespace lockscope::testing;

class TestServerReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void infoHasWhatDriversRead();
    void roleIsThatOfAMaster();
    void aClientIsOneLine();
};

void TestServerReport::infoHasWhatDriversRead()
{
    Meeting m;
    const QByteArray all = m.say(m.alice, "INFO");
    for (const char* const field :
         {"redis_version:7.0.15", "role:master", "loading:0", "cluster_enabled:0"}) {
        QVERIFY2(all.contains(field), all.constData());
    }
    QVERIFY(!m.say(m.alice, "INFO server").contains("role:master"));
}

void TestServerReport::roleIsThatOfAMaster()
{
    Meeting m;
    QCOMPARE(m.say(m.alice, "ROLE"), "[\"master\", 0, []]");
}

void TestServerReport::aClientIsOneLine()
{
    Meeting m;
    m.say(m.alice, "CLIENT SETNAME worker");
    const QByteArray line = m.say(m.alice, "CLIENT INFO");
    QVERIFY2(line.contains("name=worker") && line.contains("cmd=client|info"), line.constData());
}

LOCKSCOPE_TEST(TestServerReport, Core)

} // namespace lockscope::tst_server_report

#include "tst_server_report.moc"
