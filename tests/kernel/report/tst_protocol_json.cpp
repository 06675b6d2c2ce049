#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/protocol_json.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_protocol_json {

using namespace std::chrono_literals;
using protocol::Promise;
using protocol::ProtocolInfo;
using protocol::Renewal;
using protocol::Retry;
using report::Json;

class TestProtocolJson final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void beginsWithTheDocumentedMembers();
    void whatIsNotKnownIsNull();
    void everyProtocolOfTheCatalogueIsJson();
    void renewalsInWords();
    void retriesInWords();
};

void TestProtocolJson::beginsWithTheDocumentedMembers()
{
    ProtocolInfo info;
    info.id = "mine";
    info.title = "My lock";
    info.claims = {{Promise::MutualExclusion, "nothing pauses"}, {Promise::NoStuckLock, ""}};
    info.keys = protocol::KeyUse::OnePerServer;
    const std::string text = report::protocolJson(info).dump();
    const std::string expected = R"({"id":"mine","title":"My lock",)"
                                 R"("promises":["mutual-exclusion","no-stuck-lock"],)"
                                 R"("keys":"n servers",)"
                                 R"("assumptions":{"mutual-exclusion":"nothing pauses"},)";
    QCOMPARE(text.substr(0, expected.size()), expected);
}

void TestProtocolJson::whatIsNotKnownIsNull()
{
    ProtocolInfo info;
    info.hasExpiry = false;
    const Json json = report::protocolJson(info);
    QVERIFY(json["flaw"].is_null());
    QVERIFY(json["imitates"].is_null());
    QVERIFY(json["defaults"]["leaseMs"].is_null());
    QVERIFY(json["defaults"]["renewMs"].is_null());
    info.hasExpiry = true;
    info.flaw = "breaks";
    info.imitates = "redis-py";
    info.defaults.lease = 5s;
    info.defaults.renewal.period = 3s;
    const Json known = report::protocolJson(info);
    QCOMPARE(known["flaw"].dump(), std::string("\"breaks\""));
    QCOMPARE(known["imitates"].dump(), std::string("\"redis-py\""));
    QCOMPARE(known["defaults"].dump(),
             std::string(R"({"leaseMs":5000,"retryMs":100,"renewMs":3000})"));
}

void TestProtocolJson::everyProtocolOfTheCatalogueIsJson()
{
    QVERIFY(!protocol::builtinProtocols().empty());
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        const Json json = report::protocolJson(protocol->info());
        QVERIFY2(json["promises"].is_array() && !json["title"].get<std::string>().empty()
                     && !json["summary"].get<std::string>().empty(),
                 json.dump().c_str());
    }
}

void TestProtocolJson::renewalsInWords()
{
    Renewal renewal;
    QCOMPARE(report::renewalText(renewal), std::string("never"));
    renewal.period = 10s;
    QCOMPARE(report::renewalText(renewal), std::string("every 10.0 s"));
    renewal.isFirstAtOnce = true;
    renewal.countMax = 4;
    QCOMPARE(report::renewalText(renewal),
             std::string("every 10.0 s, the first immediately, at most 4 times"));
}

void TestProtocolJson::retriesInWords()
{
    Retry retry;
    QCOMPARE(report::retryText(retry), std::string("every 100 ms"));
    retry.jitter = 50ms;
    retry.triesMax = 3;
    QCOMPARE(report::retryText(retry),
             std::string("every 100 ms and up to 50 ms at random, 3 tries"));
    Retry growing;
    growing.kind = Retry::Kind::Exponential;
    QCOMPARE(report::retryText(growing), std::string("100 ms, doubling up to 1.0 s"));
}

LOCKSCOPE_TEST(TestProtocolJson, None)

} // namespace lockscope::tst_protocol_json

#include "tst_protocol_json.moc"
