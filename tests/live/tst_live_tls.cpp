#include "core/kernel/store/tls_record.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/connection_attempt.h"
#include "tests/support/live/test_certificates.h"
#include "tests/support/live/tls_server.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <memory>

namespace lockscope::tst_live_tls {

using namespace lockscope::testing;
using namespace Qt::StringLiterals;
using store::Endpoint;
using store::Problem;
using store::TlsOptions;

namespace {

/// Sets a variable of the environment until it goes out of scope.
class Variable {
public:
    Variable(const char* name, const QString& value) : m_name(name)
    {
        qputenv(name, value.toLocal8Bit());
    }
    ~Variable() { qunsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
};

/// What comes of connecting: kind None when it is online.
Problem attempt(std::uint16_t port, TlsOptions options,
                Endpoint::Transport transport = Endpoint::Transport::Tls,
                const std::string& keyPassphrase = {})
{
    Endpoint endpoint;
    endpoint.transport = transport;
    endpoint.port = port;
    endpoint.tls = std::move(options);
    endpoint.keyPassphrase = keyPassphrase;
    endpoint.connectTimeout = std::chrono::seconds(30); // the system's authorities are many
    return attemptToConnect(endpoint);
}

} // namespace

/// TLS towards real servers, and every way in which it does not come about.
class TestLiveTls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_certificates.reset(); }
    void anAuthorityThatIsNamedIsTrusted();
    void anUnknownAuthorityIsNamed();
    void theEnvironmentNamesAuthorities();
    void anExpiredCertificateIsNotAccepted();
    void anotherNameIsNotAccepted();
    void aServerThatWantsACertificateGetsIt();
    void aServerThatWantsAnotherCertificateSaysSo_data();
    void aServerThatWantsAnotherCertificateSaysSo();
    void theKeyOfAnotherCertificateIsNoticed();
    void plainTextTowardsATlsPortIsNamed_data();
    void plainTextTowardsATlsPortIsNamed();

private:
    TlsOptions trusting(const QString& authority) const
    {
        TlsOptions options;
        options.caFile = m_certificates->certificate(authority).toStdString();
        return options;
    }
    TlsOptions as(const QString& certificate, const QString& key) const
    {
        TlsOptions options = trusting(u"ours"_s);
        options.certificateFile = certificate.toStdString();
        options.keyFile = key.toStdString();
        return options;
    }

    std::unique_ptr<TestCertificates> m_certificates;
};

void TestLiveTls::initTestCase()
{
    if (!LiveServer::isInstalled() || !TestCertificates::canBeMade()) {
        QSKIP("redis-server or openssl is not installed");
    }
    m_certificates = std::make_unique<TestCertificates>();
    m_certificates->makeAuthority(u"ours"_s);
    m_certificates->makeAuthority(u"theirs"_s);
    const QString here = u"DNS:localhost,IP:127.0.0.1"_s;
    m_certificates->issue(u"server"_s, u"ours"_s, here);
    m_certificates->issue(u"old"_s, u"ours"_s, here, true);
    m_certificates->issue(u"elsewhere"_s, u"ours"_s, u"DNS:cache-1.example,DNS:cache-2.example"_s);
    m_certificates->issue(u"client"_s, u"ours"_s, u"DNS:watcher"_s);
    m_certificates->issue(u"stranger"_s, u"theirs"_s, u"DNS:watcher"_s);
}

void TestLiveTls::anAuthorityThatIsNamedIsTrusted()
{
    const TlsServer server(*m_certificates, u"server"_s, u"no"_s);
    QCOMPARE(attempt(server.port, trusting(u"ours"_s)).kind, Problem::Kind::None);
}

void TestLiveTls::anUnknownAuthorityIsNamed()
{
    const TlsServer server(*m_certificates, u"server"_s, u"no"_s);
    for (const TlsOptions& options : {TlsOptions(), trusting(u"theirs"_s)}) {
        const Problem problem = attempt(server.port, options);
        QCOMPARE(problem.kind, Problem::Kind::TlsUnknownAuthority);
        QCOMPARE(problem.detail, std::string("signed by ours"));
    }
}

void TestLiveTls::theEnvironmentNamesAuthorities()
{
    const TlsServer server(*m_certificates, u"server"_s, u"no"_s);
    {
        const Variable file("SSL_CERT_FILE", m_certificates->certificate(u"ours"_s));
        QCOMPARE(attempt(server.port, {}).kind, Problem::Kind::None);
        // What is named on purpose counts more.
        QCOMPARE(attempt(server.port, trusting(u"theirs"_s)).kind,
                 Problem::Kind::TlsUnknownAuthority);
    }
    {
        const Variable folders("SSL_CERT_DIR", u"/nowhere:"_s + m_certificates->path({}));
        QCOMPARE(attempt(server.port, {}).kind, Problem::Kind::None);
    }
    const Variable file("SSL_CERT_FILE", u"/nowhere/ca.pem"_s);
    const Problem problem = attempt(server.port, {});
    QCOMPARE(problem.kind, Problem::Kind::TlsFileUnusable);
    QVERIFY2(problem.detail.starts_with("SSL_CERT_FILE: /nowhere/ca.pem: "),
             problem.detail.c_str());
}

void TestLiveTls::anExpiredCertificateIsNotAccepted()
{
    const TlsServer server(*m_certificates, u"old"_s, u"no"_s);
    const Problem problem = attempt(server.port, trusting(u"ours"_s));
    QCOMPARE(problem.kind, Problem::Kind::TlsExpired);
    QVERIFY2(problem.detail.find("to 2020-02-01") != std::string::npos, problem.detail.c_str());
}

void TestLiveTls::anotherNameIsNotAccepted()
{
    const TlsServer server(*m_certificates, u"elsewhere"_s, u"no"_s);
    TlsOptions options = trusting(u"ours"_s);
    const Problem problem = attempt(server.port, options);
    QCOMPARE(problem.kind, Problem::Kind::TlsWrongName);
    QCOMPARE(problem.detail,
             std::string("it is for cache-1.example, cache-2.example, not for 127.0.0.1"));
    options.serverName = "cache-2.example";
    QCOMPARE(attempt(server.port, options).kind, Problem::Kind::None);
}

void TestLiveTls::aServerThatWantsACertificateGetsIt()
{
    const TlsServer server(*m_certificates, u"server"_s, u"yes"_s);
    const TlsOptions options = as(m_certificates->certificate(u"client"_s),
                                  m_certificates->key(u"client"_s));
    QCOMPARE(attempt(server.port, options).kind, Problem::Kind::None);
    m_certificates->lockKey(u"client"_s);
    const TlsOptions locked = as(m_certificates->certificate(u"client"_s),
                                 m_certificates->path(u"client.locked.key"_s));
    QCOMPARE(attempt(server.port, locked, Endpoint::Transport::Tls, "secret").kind,
             Problem::Kind::None);
    QCOMPARE(attempt(server.port, locked).kind, Problem::Kind::TlsFileUnusable);
    // Both may be in one file.
    QFile both(m_certificates->path(u"both.pem"_s));
    QVERIFY(both.open(QIODevice::WriteOnly));
    for (const QString& path :
         {m_certificates->certificate(u"client"_s), m_certificates->key(u"client"_s)}) {
        QFile part(path);
        QVERIFY(part.open(QIODevice::ReadOnly));
        both.write(part.readAll());
    }
    both.close();
    QCOMPARE(attempt(server.port, as(both.fileName(), {})).kind, Problem::Kind::None);
}

void TestLiveTls::aServerThatWantsAnotherCertificateSaysSo_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("none") << QString();
    QTest::newRow("of another authority") << u"stranger"_s;
}

void TestLiveTls::aServerThatWantsAnotherCertificateSaysSo()
{
    QFETCH(const QString, name);
    const TlsServer server(*m_certificates, u"server"_s, u"yes"_s);
    const TlsOptions options = name.isEmpty() ? trusting(u"ours"_s)
                                              : as(m_certificates->certificate(name),
                                                   m_certificates->key(name));
    const Problem problem = attempt(server.port, options);
    QVERIFY2(problem.kind == Problem::Kind::TlsCertificateNeeded, problem.detail.c_str());
}

void TestLiveTls::theKeyOfAnotherCertificateIsNoticed()
{
    const TlsServer server(*m_certificates, u"server"_s, u"no"_s);
    const Problem problem = attempt(server.port, as(m_certificates->certificate(u"client"_s),
                                                    m_certificates->key(u"stranger"_s)));
    QVERIFY2(problem.kind == Problem::Kind::TlsFileUnusable, problem.detail.c_str());
    QVERIFY2(problem.detail.find("does not match the certificate") != std::string::npos,
             problem.detail.c_str());
}

void TestLiveTls::plainTextTowardsATlsPortIsNamed_data()
{
    QTest::addColumn<QString>("wantsClients");
    QTest::newRow("anybody may come") << u"no"_s;
    QTest::newRow("it wants certificates") << u"yes"_s;
}

void TestLiveTls::plainTextTowardsATlsPortIsNamed()
{
    QFETCH(const QString, wantsClients);
    const TlsServer server(*m_certificates, u"server"_s, wantsClients);
    const Problem problem = attempt(server.port, {}, Endpoint::Transport::Tcp);
    QCOMPARE(problem.kind, Problem::Kind::NotRedis);
    QVERIFY2(store::beginsLikeTls(problem.detail), problem.detail.c_str());
}

LOCKSCOPE_TEST(TestLiveTls, Core)

} // namespace lockscope::tst_live_tls

#include "tst_live_tls.moc"
