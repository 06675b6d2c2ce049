#include "app/keyring.h"

#include <qt6keychain/keychain.h>

namespace lockscope::app {

namespace {

const QString& service()
{
    static const QString name = QStringLiteral("lockscope");
    return name;
}

/// Nothing kept under a name is no problem.
QString problemOf(const QKeychain::Job& job)
{
    switch (job.error()) {
    case QKeychain::NoError:
    case QKeychain::EntryNotFound: return {};
    default: return job.errorString();
    }
}

} // namespace

Keyring::RequestId Keyring::fetch(const QString& name)
{
    const RequestId request = ++m_lastRequest;
    auto* const job = new QKeychain::ReadPasswordJob(service(), this);
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this,
            [this, job, request] { Q_EMIT fetched(request, job->textData(), problemOf(*job)); });
    job->start();
    return request;
}

Keyring::RequestId Keyring::store(const QString& name, const QString& secret)
{
    auto* const job = new QKeychain::WritePasswordJob(service(), this);
    job->setTextData(secret);
    return change(job, name);
}

Keyring::RequestId Keyring::remove(const QString& name)
{
    return change(new QKeychain::DeletePasswordJob(service(), this), name);
}

Keyring::RequestId Keyring::change(QKeychain::Job* job, const QString& name)
{
    const RequestId request = ++m_lastRequest;
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this,
            [this, job, request] { Q_EMIT stored(request, problemOf(*job)); });
    job->start();
    return request;
}

} // namespace lockscope::app
