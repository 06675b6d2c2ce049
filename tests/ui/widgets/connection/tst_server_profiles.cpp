#include "tests/support/test_program.h"
#include "ui/widgets/connection/server_profiles.h"

#include <QTest>

namespace lockscope::tst_server_profiles {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestServerProfiles : public QObject {
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
        Settings settings;
        settings.recentServers = {{{u"redis://c"_s, u"redis://a"_s}, u"older"_s, false}};
        settings.profiles = {{{u"redis://a"_s}, u"production"_s, false, u"A"_s}};
        recallEnvironment(endpoints, settings);
        QCOMPARE(endpoints[0].environment, std::string("production"));
        QCOMPARE(endpoints[1].environment, std::string("development"));
        QCOMPARE(endpoints[2].environment, std::string());
    }
};

LOCKSCOPE_TEST(TestServerProfiles, Core)

} // namespace lockscope::tst_server_profiles

#include "tst_server_profiles.moc"
