#include "core/wire/connection/redis_connection_tester.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redis_connection_tester {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::TestResult;
using store::Endpoint;
using store::Problem;
using wire::RedisConnectionTester;

namespace {

constexpr int kPatienceMs = 20'000;

Endpoint endpointOf(const ScriptedPeer& peer)
{
    Endpoint endpoint;
    endpoint.port = peer.port();
    return endpoint;
}

/// A tester, and what it said.
struct Bench {
    RedisConnectionTester tester;
    std::vector<TestResult> results;

    Bench()
    {
        QObject::connect(&tester, &RedisConnectionTester::tested, &tester,
                         [this](const TestResult& result) { results.push_back(result); });
    }
};

/// Answers whatever is asked: INFO with a version, everything else with a number.
QByteArray plausibleAnswer(const QByteArray& heard)
{
    if (heard.contains("SETNAME")) {
        return "+OK\r\n";
    }
    if (heard.contains("\r\nINFO\r\n")) {
        return "$23\r\nredis_version:7.0.15\r\n \r\n";
    }
    if (heard.contains("\r\nMEMORY\r\n")) {
        return "-NOPERM User w has no permissions to run the 'memory|usage' command\r\n";
    }
    return ":1234\r\n";
}

} // namespace

class TestRedisConnectionTester : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aServerThatWorksIsDescribed();
    void somethingElseThanRedisIsNamed();
    void anIntroductionThatIsRefusedIsTheAnswer();
    void aServerThatHangsUpInTheMiddleIsAnswered();
    void onlyTheLatestTestIsAnswered();
    void aTesterMayDieInTheMiddle();
};

void TestRedisConnectionTester::aServerThatWorksIsDescribed()
{
    ScriptedPeer peer;
    peer.answerWith(plausibleAnswer);
    Bench bench;
    bench.tester.test(endpointOf(peer));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results.size(), std::size_t(1), kPatienceMs);
    const TestResult& result = bench.results.front();
    QCOMPARE(result.problem.kind, Problem::Kind::None);
    QCOMPARE(result.info.version, std::string("7.0.15"));
    QCOMPARE(result.keyCount, std::int64_t(1234));
    QVERIFY(result.roundTrip > 0us);
    QCOMPARE(result.limits.size(), std::size_t(1));
    QCOMPARE(result.limits.front().rule, std::string("+memory|usage"));
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
}

void TestRedisConnectionTester::somethingElseThanRedisIsNamed()
{
    ScriptedPeer peer;
    peer.answerWith([](const QByteArray&) {
        return QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    Bench bench;
    bench.tester.test(endpointOf(peer));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.results.front().problem.kind, Problem::Kind::NotRedis);
}

void TestRedisConnectionTester::anIntroductionThatIsRefusedIsTheAnswer()
{
    ScriptedPeer peer;
    peer.answerWith([](const QByteArray&) {
        return QByteArray("-WRONGPASS invalid username-password pair or user is disabled.\r\n");
    });
    Endpoint endpoint = endpointOf(peer);
    endpoint.password = "secret";
    Bench bench;
    bench.tester.test(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.results.front().problem.kind, Problem::Kind::PasswordWrong);
    QVERIFY(bench.results.front().problem.detail.find("secret") == std::string::npos);
}

void TestRedisConnectionTester::aServerThatHangsUpInTheMiddleIsAnswered()
{
    ScriptedPeer peer;
    peer.answerWith([&peer](const QByteArray& heard) {
        if (heard.contains("\r\nSCAN\r\n")) {
            QMetaObject::invokeMethod(&peer, &ScriptedPeer::hangUp, Qt::QueuedConnection);
            return QByteArray();
        }
        return plausibleAnswer(heard);
    });
    Bench bench;
    bench.tester.test(endpointOf(peer));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.results.front().problem.kind, Problem::Kind::ConnectionLost);
}

void TestRedisConnectionTester::onlyTheLatestTestIsAnswered()
{
    ScriptedPeer silent;
    ScriptedPeer peer;
    peer.answerWith(plausibleAnswer);
    Bench bench;
    bench.tester.test(endpointOf(silent));
    QTRY_VERIFY_WITH_TIMEOUT(silent.hasClient(), kPatienceMs);
    bench.tester.test(endpointOf(peer));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.results.front().keyCount, std::int64_t(1234));
    QTRY_VERIFY_WITH_TIMEOUT(!silent.hasClient(), kPatienceMs);
    QCOMPARE(bench.results.size(), std::size_t(1));
}

void TestRedisConnectionTester::aTesterMayDieInTheMiddle()
{
    ScriptedPeer silent;
    {
        Bench bench;
        bench.tester.test(endpointOf(silent));
        QTRY_VERIFY_WITH_TIMEOUT(silent.heard().contains("SETNAME"), kPatienceMs);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!silent.hasClient(), kPatienceMs);
}

LOCKSCOPE_TEST(TestRedisConnectionTester, Core)

} // namespace lockscope::tst_redis_connection_tester

#include "tst_redis_connection_tester.moc"
