#include "core/wire/connection/tls_setup.h"

#include "core/files/whole_file.h"

#include <QDir>
#include <QFile>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslSocket>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::wire {

using store::Problem;
using namespace Qt::StringLiterals;

namespace {

/// The bundles of all public authorities have 250 KB.
constexpr std::size_t kSizeMax = 16 * files::kMegabyte;

Problem unusable(const QString& path, const QString& reason)
{
    const QString text = path + u": "_s + reason;
    return {Problem::Kind::TlsFileUnusable, text.toStdString(), {}, {}};
}

std::variant<QByteArray, Problem> contentOf(const QString& path)
{
    const auto read = files::readWhole(QFile::encodeName(path).toStdString(), kSizeMax);
    if (const auto* const failure = std::get_if<files::Unreadable>(&read)) {
        return unusable(path, QString::fromStdString(failure->reason));
    }
    return QByteArray::fromStdString(std::get<std::string>(read));
}

std::variant<QList<QSslCertificate>, Problem> certificatesOf(const QString& path)
{
    const auto content = contentOf(path);
    if (const auto* const problem = std::get_if<Problem>(&content)) {
        return *problem;
    }
    QList<QSslCertificate> certificates = QSslCertificate::fromData(std::get<QByteArray>(content),
                                                                    QSsl::Pem);
    if (certificates.isEmpty()) {
        return unusable(path, u"contains no PEM certificate"_s);
    }
    return certificates;
}

/// All certificates of the folders, whatever their files are called.
QList<QSslCertificate> certificatesInFolders(const QString& folders)
{
    QList<QSslCertificate> all;
    for (const QString& folder : folders.split(u':', Qt::SkipEmptyParts)) {
        for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files)) {
            const auto found = certificatesOf(file.filePath());
            if (const auto* const certificates = std::get_if<QList<QSslCertificate>>(&found)) {
                all += *certificates;
            }
        }
    }
    return all;
}

/// Those that the environment names, as OpenSSL's own programs take them; nullopt when it names
/// none.
std::variant<std::optional<QList<QSslCertificate>>, Problem> authoritiesOfEnvironment()
{
    const QString path = qEnvironmentVariable("SSL_CERT_FILE");
    const QString folders = qEnvironmentVariable("SSL_CERT_DIR");
    if (path.isEmpty() && folders.isEmpty()) {
        return std::optional<QList<QSslCertificate>>();
    }
    QList<QSslCertificate> all = certificatesInFolders(folders);
    if (!path.isEmpty()) {
        auto found = certificatesOf(path);
        if (auto* const problem = std::get_if<Problem>(&found)) {
            problem->detail = "SSL_CERT_FILE: " + problem->detail;
            return *problem;
        }
        all += std::get<QList<QSslCertificate>>(found);
    }
    return std::optional(all);
}

std::optional<Problem> chooseAuthorities(const store::TlsOptions& options,
                                         QSslConfiguration& configuration)
{
    if (!options.caFile.empty()) {
        const auto named = certificatesOf(QString::fromStdString(options.caFile));
        if (const auto* const problem = std::get_if<Problem>(&named)) {
            return *problem;
        }
        configuration.setCaCertificates(std::get<QList<QSslCertificate>>(named));
        return std::nullopt;
    }
    const auto found = authoritiesOfEnvironment();
    if (const auto* const problem = std::get_if<Problem>(&found)) {
        return *problem;
    }
    if (const auto& certificates = std::get<0>(found)) {
        configuration.setCaCertificates(*certificates);
    }
    return std::nullopt;
}

std::variant<QSslKey, Problem> privateKeyOf(const QString& path, const QByteArray& passphrase)
{
    const auto content = contentOf(path);
    if (const auto* const problem = std::get_if<Problem>(&content)) {
        return *problem;
    }
    const auto& pem = std::get<QByteArray>(content);
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey, passphrase);
        if (!key.isNull()) {
            return key;
        }
    }
    if (!pem.contains("ENCRYPTED")) {
        return unusable(path, u"contains no PEM private key"_s);
    }
    return unusable(path, passphrase.isEmpty()
                              ? u"the private key is encrypted; enter its passphrase"_s
                              : u"the passphrase does not decrypt the private key"_s);
}

std::optional<Problem> chooseIdentity(const store::TlsOptions& options,
                                      const std::string& keyPassphrase,
                                      QSslConfiguration& configuration)
{
    const QString certificatePath = QString::fromStdString(options.certificateFile);
    const QString keyPath = QString::fromStdString(options.privateKeyFile());
    if (certificatePath.isEmpty()) {
        return keyPath.isEmpty()
                   ? std::nullopt
                   : std::optional(unusable(
                       keyPath, u"a private key needs its certificate; specify it with --cert"_s));
    }
    const auto chain = certificatesOf(certificatePath);
    if (const auto* const problem = std::get_if<Problem>(&chain)) {
        return *problem;
    }
    const auto key = privateKeyOf(keyPath, QByteArray::fromStdString(keyPassphrase));
    if (const auto* const problem = std::get_if<Problem>(&key)) {
        return *problem;
    }
    configuration.setLocalCertificateChain(std::get<QList<QSslCertificate>>(chain));
    configuration.setPrivateKey(std::get<QSslKey>(key));
    return std::nullopt;
}

/// The names that a certificate is for: "cache-1, 10.0.0.5".
QString namesIn(const QSslCertificate& certificate)
{
    QStringList names = certificate.subjectAlternativeNames().values();
    if (names.isEmpty()) {
        names = certificate.subjectInfo(QSslCertificate::CommonName);
    }
    std::sort(names.begin(), names.end());
    return names.join(u", "_s);
}

Problem problemOf(const QSslError& flaw, const QSslSocket& socket)
{
    const QSslCertificate certificate = socket.peerCertificate();
    switch (flaw.error()) {
    case QSslError::HostNameMismatch: {
        const QString text = u"it is for "_s + namesIn(certificate) + u", not for "_s
                             + (socket.peerVerifyName().isEmpty() ? socket.peerName()
                                                                  : socket.peerVerifyName());
        return {Problem::Kind::TlsWrongName, text.toStdString(), {}, {}};
    }
    case QSslError::CertificateExpired:
    case QSslError::CertificateNotYetValid: {
        const QString text = u"valid from "_s + certificate.effectiveDate().toString(Qt::ISODate)
                             + u" to "_s + certificate.expiryDate().toString(Qt::ISODate);
        return {Problem::Kind::TlsExpired, text.toStdString(), {}, {}};
    }
    case QSslError::UnableToGetIssuerCertificate:
    case QSslError::UnableToGetLocalIssuerCertificate:
    case QSslError::UnableToVerifyFirstCertificate:
    case QSslError::SelfSignedCertificate:
    case QSslError::SelfSignedCertificateInChain:
    case QSslError::CertificateUntrusted:
    case QSslError::InvalidCaCertificate: {
        const QString text = u"signed by "_s
                             + certificate.issuerInfo(QSslCertificate::CommonName).join(u", "_s);
        return {Problem::Kind::TlsUnknownAuthority, text.toStdString(), {}, {}};
    }
    default: return {Problem::Kind::TlsFailed, flaw.errorString().toStdString(), {}, {}};
    }
}

/// A server that cannot be talked to comes before one with a wrong name.
int rankOf(Problem::Kind kind)
{
    switch (kind) {
    case Problem::Kind::TlsUnknownAuthority: return 0;
    case Problem::Kind::TlsExpired: return 1;
    case Problem::Kind::TlsWrongName: return 2;
    default: return 3;
    }
}

std::optional<Problem> problemOfCertificate(const QSslSocket& socket)
{
    std::optional<Problem> worst;
    for (const QSslError& flaw : socket.sslHandshakeErrors()) {
        Problem problem = problemOf(flaw, socket);
        if (!worst || rankOf(problem.kind) < rankOf(worst->kind)) {
            worst = std::move(problem);
        }
    }
    return worst;
}

/// An alert of the server that is about our certificate, or its absence.
bool isAboutOurCertificate(const QString& text)
{
    return text.contains(u"alert"_s)
           && (text.contains(u"certificate"_s) || text.contains(u"unknown ca"_s)
               || text.contains(u"handshake failure"_s));
}

bool isNoTls(const QString& text)
{
    return text.contains(u"wrong version number"_s) || text.contains(u"packet length too long"_s)
           || text.contains(u"record layer failure"_s) || text.contains(u"unexpected message"_s);
}

} // namespace

std::variant<QSslConfiguration, Problem> tlsConfigurationOf(const store::TlsOptions& options,
                                                            const std::string& keyPassphrase)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    if (const auto problem = chooseAuthorities(options, configuration)) {
        return *problem;
    }
    if (const auto problem = chooseIdentity(options, keyPassphrase, configuration)) {
        return *problem;
    }
    return configuration;
}

Problem problemOfTls(const QSslSocket& socket, QAbstractSocket::SocketError error, bool wasOpen)
{
    const QString text = socket.errorString();
    const std::string detail = text.toStdString();
    if (isAboutOurCertificate(text)) { // with TLS 1.3 it comes after the stream is open
        return {Problem::Kind::TlsCertificateNeeded, detail, {}, {}};
    }
    if (wasOpen) {
        return {Problem::Kind::ConnectionLost, detail, {}, {}};
    }
    if (auto problem = problemOfCertificate(socket)) {
        return *problem;
    }
    if (error == QAbstractSocket::SslInvalidUserDataError) {
        const bool isOfKey = text.contains(u"key"_s, Qt::CaseInsensitive);
        return {Problem::Kind::TlsFileUnusable,
                (isOfKey ? "the private key does not match the certificate: " : "") + detail,
                {},
                {}};
    }
    if (isNoTls(text) || error == QAbstractSocket::RemoteHostClosedError) {
        return {Problem::Kind::TlsNotSpoken, detail, {}, {}};
    }
    return {Problem::Kind::TlsFailed, detail, {}, {}};
}

} // namespace lockscope::wire
