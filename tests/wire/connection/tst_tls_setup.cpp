#include "core/wire/connection/tls_setup.h"
#include "tests/support/live/test_certificates.h"
#include "tests/support/test_program.h"

#include <QSslCertificate>
#include <QSslKey>
#include <QTest>

#include <memory>

namespace lockscope::tst_tls_setup {

using namespace lockscope::testing;
using namespace Qt::StringLiterals;
using store::Problem;
using store::TlsOptions;

/// What of the files can be used. Towards servers: tst_live_tls.
class TestTlsSetup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_certificates.reset(); }
    void whatIsNamedIsTaken();
    void anEncryptedKeyNeedsItsPassphrase();
    void filesThatCannotBeUsedAreNamed_data();
    void filesThatCannotBeUsedAreNamed();

private:
    std::string pathOf(const QString& file) const
    {
        return file.isEmpty() ? std::string() : m_certificates->path(file).toStdString();
    }

    std::unique_ptr<TestCertificates> m_certificates;
};

void TestTlsSetup::initTestCase()
{
    if (!TestCertificates::canBeMade()) {
        QSKIP("openssl is not installed");
    }
    m_certificates = std::make_unique<TestCertificates>();
    m_certificates->makeAuthority(u"ours"_s);
    m_certificates->issue(u"client"_s, u"ours"_s, u"DNS:watcher"_s);
    m_certificates->lockKey(u"client"_s);
}

void TestTlsSetup::whatIsNamedIsTaken()
{
    const TlsOptions options{
        pathOf(u"ours.pem"_s), pathOf(u"client.pem"_s), pathOf(u"client.key"_s), {}};
    const auto result = wire::tlsConfigurationOf(options);
    const auto& configuration = std::get<QSslConfiguration>(result);
    QCOMPARE(configuration.caCertificates().size(), 1);
    QCOMPARE(configuration.localCertificateChain().size(), 1);
    QVERIFY(!configuration.privateKey().isNull());
}

void TestTlsSetup::anEncryptedKeyNeedsItsPassphrase()
{
    const TlsOptions options{
        pathOf(u"ours.pem"_s), pathOf(u"client.pem"_s), pathOf(u"client.locked.key"_s), {}};
    const auto result = wire::tlsConfigurationOf(options, "secret");
    QVERIFY(std::holds_alternative<QSslConfiguration>(result));
    QVERIFY(!std::get<QSslConfiguration>(result).privateKey().isNull());
    const auto refused = wire::tlsConfigurationOf(options, "s3cret");
    const std::string detail = std::get<Problem>(refused).detail;
    QVERIFY2(detail.ends_with("the passphrase does not decrypt the private key"), detail.c_str());
    QVERIFY2(detail.find("s3cret") == std::string::npos, detail.c_str());
}

void TestTlsSetup::filesThatCannotBeUsedAreNamed_data()
{
    QTest::addColumn<QString>("ca");
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* ca, const char* certificate, const char* key,
                        const char* words) {
        QTest::newRow(name) << QString::fromLatin1(ca) << QString::fromLatin1(certificate)
                            << QString::fromLatin1(key) << QString::fromLatin1(words);
    };
    row("no such authority", "nothing.pem", "", "", "nothing.pem: No such file");
    row("a key for an authority", "ours.key", "", "", "ours.key: contains no PEM certificate");
    row("a folder", ".", "", "", "directory");
    row("no such certificate", "ours.pem", "nothing.pem", "", "nothing.pem: No such file");
    row("no such key", "ours.pem", "client.pem", "nothing.key", "nothing.key: No such file");
    row("no key in the file", "ours.pem", "client.pem", "",
        "client.pem: contains no PEM private key");
    row("a key with a passphrase", "ours.pem", "client.pem", "client.locked.key",
        "encrypted; enter its passphrase");
    row("a key alone", "ours.pem", "", "client.key", "specify it with --cert");
}

void TestTlsSetup::filesThatCannotBeUsedAreNamed()
{
    QFETCH(const QString, ca);
    QFETCH(const QString, certificate);
    QFETCH(const QString, key);
    QFETCH(const QString, words);
    const TlsOptions options{pathOf(ca), pathOf(certificate), pathOf(key), {}};
    const auto result = wire::tlsConfigurationOf(options);
    const auto* const problem = std::get_if<Problem>(&result);
    QVERIFY(problem != nullptr);
    const QByteArray detail = QByteArray::fromStdString(problem->detail);
    QVERIFY2(problem->kind == Problem::Kind::TlsFileUnusable, detail.constData());
    QVERIFY2(detail.contains(words.toUtf8()), detail.constData());
}

LOCKSCOPE_TEST(TestTlsSetup, Core)

} // namespace lockscope::tst_tls_setup

#include "tst_tls_setup.moc"
