#include "app/keyring.h"

#include <qt6keychain/keychain.h>

#include <functional>
#include <utility>

namespace lockscope::app {

namespace {

QString service()
{
    return QStringLiteral("lockscope");
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

/// The job deletes itself; nobody hears of one whose keyring is gone.
void change(QKeychain::Job* job, const QString& name, std::function<void(const QString&)> then)
{
    job->setKey(name);
    QObject::connect(job, &QKeychain::Job::finished, job->parent(),
                     [job, then = std::move(then)] { then(problemOf(*job)); });
    job->start();
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
    const RequestId request = ++m_lastRequest;
    auto* const job = new QKeychain::WritePasswordJob(service(), this);
    job->setTextData(secret);
    change(job, name, [this, request](const QString& problem) { Q_EMIT stored(request, problem); });
    return request;
}

Keyring::RequestId Keyring::remove(const QString& name)
{
    const RequestId request = ++m_lastRequest;
    change(new QKeychain::DeletePasswordJob(service(), this), name,
           [this, request](const QString& problem) { Q_EMIT stored(request, problem); });
    return request;
}

} // namespace lockscope::app
