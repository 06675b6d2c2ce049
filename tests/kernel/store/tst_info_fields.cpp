#include "core/kernel/store/info_fields.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_info_fields {

using namespace lockscope::store;

class TestInfoFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fieldsAreFoundByName()
    {
        const InfoFields fields("# Memory\r\nmaxmemory:100\r\naof_enabled:1\r\nrole:master");
        QCOMPARE(std::string(fields.at("role")), std::string("master"));
        QCOMPARE(std::string(fields.at("rol")), std::string());
        QVERIFY(fields.isSet("aof_enabled"));
        QVERIFY(!fields.isSet("maxmemory"));
        QVERIFY(fields.numberAt("maxmemory") == 100);
        QVERIFY(!fields.numberAt("role"));
    }

    void partsOfALineAreFoundByName()
    {
        const std::string line = "ip=10.0.0.6,port=6379,lag=1";
        QCOMPARE(std::string(infoPart(line, "port")), std::string("6379"));
        QCOMPARE(std::string(infoPart(line, "p")), std::string());
    }

    void aVisitEndsWhenItWants()
    {
        std::vector<std::string> seen;
        visitInfoFields("a:1\r\nb:2\r\nc:3\r\n", [&seen](auto name, auto) {
            seen.emplace_back(name);
            return name != "b";
        });
        QVERIFY((seen == std::vector<std::string>{"a", "b"}));
    }
};

LOCKSCOPE_TEST(TestInfoFields, Core)

} // namespace lockscope::tst_info_fields

#include "tst_info_fields.moc"
