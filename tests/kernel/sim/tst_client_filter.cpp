#include "tests/kernel/sim/meeting.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_client_filter {

using namespace lockscope::testing;

class TestClientFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsWhoIsMeant();
    void killsWhoIsMeantAndSparesTheCaller();
};

void TestClientFilter::listsWhoIsMeant()
{
    Meeting m;
    m.say(m.alice, "CLIENT SETNAME a");
    m.say(m.bob, "CLIENT SETNAME b");
    m.say(m.carol, "SUBSCRIBE c");
    m.heard();
    const QByteArray own = m.say(m.bob, "CLIENT ID");
    QVERIFY(m.say(m.alice, "CLIENT LIST ID " + own.toStdString()).contains("name=b"));
    QVERIFY(!m.say(m.alice, "CLIENT LIST ID " + own.toStdString()).contains("name=a"));
    QVERIFY(!m.say(m.alice, "CLIENT LIST TYPE pubsub").contains("name=a"));
    QVERIFY(m.say(m.alice, "CLIENT LIST TYPE normal").contains("name=a"));
    QVERIFY(m.say(m.alice, "CLIENT LIST TYPE nobody").startsWith("-ERR Unknown client type"));
}

void TestClientFilter::killsWhoIsMeantAndSparesTheCaller()
{
    Meeting m;
    m.say(m.alice, "CLIENT SETNAME a");
    const std::string bob = m.say(m.bob, "CLIENT ID").toStdString();
    QCOMPARE(m.say(m.alice, "CLIENT KILL ID " + bob), "1");
    QCOMPARE(m.server.takeClosed(), std::vector{m.bob});
    const std::string alice = m.say(m.alice, "CLIENT ID").toStdString();
    QCOMPARE(m.say(m.alice, "CLIENT KILL ID " + alice + " SKIPME yes"), "0");
    QVERIFY(m.server.takeClosed().empty());
}

LOCKSCOPE_TEST(TestClientFilter, Core)

} // namespace lockscope::tst_client_filter

#include "tst_client_filter.moc"
