#include "core/wire/connection/tls_probe.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_tls_probe {

using namespace lockscope::testing;
using wire::TlsProbe;

namespace {

constexpr int kPatienceMs = 20'000;

store::Endpoint endpointOf(const ScriptedPeer& peer)
{
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    return endpoint;
}

} // namespace

class TestTlsProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTlsIsAProof_data();
    void onlyTlsIsAProof();
    void silenceIsNoProof();
    void nobodyThereIsNoProof();
    void itHasNoLine();
};

void TestTlsProbe::onlyTlsIsAProof_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("isProof");
    QTest::newRow("an alert") << QByteArray::fromHex("15030300020228") << true;
    QTest::newRow("a hello") << QByteArray::fromHex("160303003d0200003903") << true;
    QTest::newRow("Redis") << QByteArray("-ERR unknown command\r\n") << false;
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << false;
}

void TestTlsProbe::onlyTlsIsAProof()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const bool, isProof);
    ScriptedPeer peer;
    peer.answerWith([&](const QByteArray&) { return answer; });
    TlsProbe probe(endpointOf(peer));
    QSignalSpy answers(&probe, &TlsProbe::answered);
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, kPatienceMs);
    QCOMPARE(answers.front().front().toByteArray(), isProof ? answer : QByteArray());
}

void TestTlsProbe::silenceIsNoProof()
{
    ScriptedPeer peer;
    TlsProbe probe(endpointOf(peer));
    QSignalSpy answers(&probe, &TlsProbe::answered);
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, kPatienceMs);
    QVERIFY(answers.front().front().toByteArray().isEmpty());
}

void TestTlsProbe::nobodyThereIsNoProof()
{
    store::Endpoint endpoint;
    {
        const ScriptedPeer peer;
        endpoint = endpointOf(peer);
    }
    TlsProbe probe(endpoint);
    QSignalSpy answers(&probe, &TlsProbe::answered);
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, kPatienceMs);
    QVERIFY(answers.front().front().toByteArray().isEmpty());
}

/// A plain Redis would take a line for a command.
void TestTlsProbe::itHasNoLine()
{
    ScriptedPeer peer;
    const TlsProbe probe(endpointOf(peer));
    QTRY_VERIFY_WITH_TIMEOUT(peer.heard().size() >= 5, kPatienceMs);
    const auto sizeInRecord = static_cast<unsigned char>(peer.heard().at(4));
    QTRY_COMPARE_WITH_TIMEOUT(peer.heard().size(), 5 + sizeInRecord, kPatienceMs);
    QVERIFY(!peer.heard().contains('\n'));
}

LOCKSCOPE_TEST(TestTlsProbe, Core)

} // namespace lockscope::tst_tls_probe

#include "tst_tls_probe.moc"
