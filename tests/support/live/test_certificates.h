#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace lockscope::testing {

/// Certificates for one test, made by the program openssl: two authorities that do not know each
/// other, and what they have signed.
class TestCertificates {
public:
    static bool canBeMade();

    /// Throws std::runtime_error when openssl fails.
    TestCertificates();

    /// Makes NAME.pem and NAME.key, signed by the authority, for these names ("DNS:localhost");
    /// with a validity that has ended if `isExpired`.
    void issue(const QString& name, const QString& authority, const QString& alternativeNames,
               bool isExpired = false);
    void makeAuthority(const QString& name);
    /// NAME.locked.key: the key behind a passphrase.
    void lockKey(const QString& name);

    QString certificate(const QString& name) const { return path(name + QStringLiteral(".pem")); }
    QString key(const QString& name) const { return path(name + QStringLiteral(".key")); }
    QString path(const QString& file) const { return m_folder.filePath(file); }

private:
    void openssl(const QStringList& arguments) const;
    void write(const QString& file, const QByteArray& content) const;

    QTemporaryDir m_folder;
};

} // namespace lockscope::testing
