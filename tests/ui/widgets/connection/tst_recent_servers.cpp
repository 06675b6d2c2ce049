#include "tests/support/test_program.h"
#include "ui/widgets/connection/recent_servers.h"

#include <QTest>

namespace lockscope::tst_recent_servers {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestRecentServers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aServerKeepsItsEnvironment()
    {
        std::vector<store::Endpoint> endpoints(3);
        endpoints[0].host = "a";
        endpoints[0].database = 7; // the same server
        endpoints[1].host = "a";
        endpoints[1].environment = "development"; // said explicitly
        endpoints[2].host = "b";
        recallEnvironment(endpoints, {{{u"redis://c"_s, u"redis://a"_s}, u"production"_s, false},
                                      {{u"redis://a"_s}, u"older"_s, false}});
        QCOMPARE(endpoints[0].environment, std::string("production"));
        QCOMPARE(endpoints[1].environment, std::string("development"));
        QCOMPARE(endpoints[2].environment, std::string());
    }
};

LOCKSCOPE_TEST(TestRecentServers, Core)

} // namespace lockscope::tst_recent_servers

#include "tst_recent_servers.moc"
