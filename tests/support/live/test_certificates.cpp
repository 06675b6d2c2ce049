#include "tests/support/live/test_certificates.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

#include <stdexcept>

namespace lockscope::testing {

namespace {

const QString kProgram = QStringLiteral("openssl");

/// What "openssl ca" wants to know; the only one of its commands that takes dates of the past.
constexpr const char* kSettings = R"(
[ca]
default_ca = test
[test]
new_certs_dir = %1
database = %1/index.txt
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
)";

} // namespace

bool TestCertificates::canBeMade()
{
    return !QStandardPaths::findExecutable(kProgram).isEmpty();
}

TestCertificates::TestCertificates()
{
    write(QStringLiteral("settings"), QString::fromLatin1(kSettings).arg(m_folder.path()).toUtf8());
    write(QStringLiteral("index.txt"), {});
}

void TestCertificates::makeAuthority(const QString& name)
{
    openssl({QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
             QStringLiteral("rsa:2048"), QStringLiteral("-nodes"), QStringLiteral("-days"),
             QStringLiteral("2"), QStringLiteral("-subj"), QStringLiteral("/CN=") + name,
             QStringLiteral("-keyout"), key(name), QStringLiteral("-out"), certificate(name)});
}

void TestCertificates::issue(const QString& name, const QString& authority,
                             const QString& alternativeNames, bool isExpired)
{
    const QString request = path(name + QStringLiteral(".csr"));
    const QString extensions = name + QStringLiteral(".ext");
    write(extensions, "subjectAltName=" + alternativeNames.toUtf8());
    openssl({QStringLiteral("req"), QStringLiteral("-newkey"), QStringLiteral("rsa:2048"),
             QStringLiteral("-nodes"), QStringLiteral("-subj"), QStringLiteral("/CN=") + name,
             QStringLiteral("-keyout"), key(name), QStringLiteral("-out"), request});
    const QString end = isExpired ? QStringLiteral("20200201000000Z")
                                  : QStringLiteral("20990101000000Z");
    openssl({QStringLiteral("ca"), QStringLiteral("-batch"), QStringLiteral("-notext"),
             QStringLiteral("-config"), path(QStringLiteral("settings")), QStringLiteral("-cert"),
             certificate(authority), QStringLiteral("-keyfile"), key(authority),
             QStringLiteral("-startdate"), QStringLiteral("20200101000000Z"),
             QStringLiteral("-enddate"), end, QStringLiteral("-extfile"), path(extensions),
             QStringLiteral("-in"), request, QStringLiteral("-out"), certificate(name)});
}

void TestCertificates::lockKey(const QString& name)
{
    openssl({QStringLiteral("pkey"), QStringLiteral("-aes256"), QStringLiteral("-passout"),
             QStringLiteral("pass:secret"), QStringLiteral("-in"), key(name),
             QStringLiteral("-out"), path(name + QStringLiteral(".locked.key"))});
}

void TestCertificates::openssl(const QStringList& arguments) const
{
    QProcess process;
    process.start(kProgram, arguments);
    if (!process.waitForFinished(60'000) || process.exitCode() != 0) {
        throw std::runtime_error("openssl " + arguments.join(QLatin1Char(' ')).toStdString() + ": "
                                 + process.readAllStandardError().toStdString());
    }
}

void TestCertificates::write(const QString& file, const QByteArray& content) const
{
    QFile target(path(file));
    if (!target.open(QIODevice::WriteOnly) || target.write(content) != content.size()) {
        throw std::runtime_error("cannot write " + file.toStdString());
    }
}

} // namespace lockscope::testing
