#include "core/kernel/store/endpoint.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_endpoint_reader {

using namespace lockscope::store;

/// The list of Sentinels alone, as a form has it. URLs are read in tst_endpoint.
class TestEndpointReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsOfSentinelsAreRead_data();
    void listsOfSentinelsAreRead();
    void whatIsWrongIsSaidAndWhere_data();
    void whatIsWrongIsSaidAndWhere();
    void listsAreReadBack();
};

void TestEndpointReader::listsOfSentinelsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("addresses");
    const auto row = [](const char* text, const char* addresses) {
        QTest::newRow(text) << std::string(text) << std::string(addresses);
    };
    row("s1", "s1:26379");
    row("s1,s2:1", "s1:26379,s2:1");
    row(" s1 ,\t[::1]:3 ", "s1:26379,[::1]:3");
    row("[fe80::1%25eth0]", "[fe80::1%25eth0]:26379");
}

void TestEndpointReader::listsOfSentinelsAreRead()
{
    QFETCH(std::string, text);
    QFETCH(std::string, addresses);
    const auto result = parseSentinels(text);
    const auto* const hosts = std::get_if<std::vector<HostPort>>(&result);
    QVERIFY(hosts != nullptr);
    QCOMPARE(hostsText(*hosts), addresses);
}

void TestEndpointReader::whatIsWrongIsSaidAndWhere_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("reason");
    QTest::addColumn<int>("at");
    const auto row = [](const char* text, const char* reason, int at) {
        QTest::newRow(text) << std::string(text) << std::string(reason) << at;
    };
    row("", "the host is missing", 0);
    row("s1,", "the host is missing", 3);
    row("s1, s2:99999", "the port 99999 is out of range (1 to 65535)", 7);
    row("s1;s2", "\";\" cannot be part of a host name", 2);
    row("alice@s1", "\"@\" cannot be part of a host name", 5);
}

void TestEndpointReader::whatIsWrongIsSaidAndWhere()
{
    QFETCH(std::string, text);
    QFETCH(std::string, reason);
    QFETCH(int, at);
    const auto result = parseSentinels(text);
    const auto* const error = std::get_if<UrlError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->reason, reason);
    QCOMPARE(static_cast<int>(error->at), at);
}

void TestEndpointReader::listsAreReadBack()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"s1",    "10.0.0.5", "[::1]", ":",   "1",
                                       "99999", ",",        " ",     "\xff"};
    int understoodCount = 0;
    for (int i = 0; i < 5000; ++i) {
        const Bytes text = input.assembled(pieces, 7);
        const auto result = parseSentinels(text);
        if (const auto* const hosts = std::get_if<std::vector<HostPort>>(&result)) {
            ++understoodCount;
            const auto again = parseSentinels(hostsText(*hosts));
            QVERIFY2(std::get<std::vector<HostPort>>(again) == *hosts, input.recipe(text).c_str());
        }
    }
    QVERIFY2(understoodCount > 0, input.recipe().c_str());
}

LOCKSCOPE_TEST(TestEndpointReader, Core)

} // namespace lockscope::tst_endpoint_reader

#include "tst_endpoint_reader.moc"
