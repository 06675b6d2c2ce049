#include "core/wire/connection/host_lookup.h"

#include <QUrl>

#include <netinet/in.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <netdb.h>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace lockscope::wire {

namespace {

struct Answer {
    QList<QHostAddress> addresses;
    QString error; // empty with addresses
};

QHostAddress addressOf(const sockaddr& address)
{
    QHostAddress host(&address);
    if (address.sa_family == AF_INET6) {
        const auto scope = reinterpret_cast<const sockaddr_in6&>(address).sin6_scope_id;
        host.setScopeId(scope != 0 ? QString::number(scope) : QString());
    }
    return host;
}

/// Blocks for as long as the system's resolver takes.
Answer askSystem(const std::string& name)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(name.c_str(), nullptr, &hints, &found);
    Answer answer;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        if (const QHostAddress address = addressOf(*entry->ai_addr);
            !answer.addresses.contains(address)) {
            answer.addresses += address;
        }
    }
    if (found != nullptr) {
        ::freeaddrinfo(found);
    }
    if (answer.addresses.isEmpty()) {
        answer.error = QString::fromLocal8Bit(error == EAI_SYSTEM
                                                  ? std::generic_category().message(errno).c_str()
                                                  : ::gai_strerror(error != 0 ? error
                                                                              : EAI_NONAME));
    }
    return answer;
}

std::map<QString, std::weak_ptr<HostLookup>>& lookupsOfThisThread()
{
    thread_local std::map<QString, std::weak_ptr<HostLookup>> lookups;
    return lookups;
}

} // namespace

/// The mailbox in which the thread that asks the system leaves the answer.
struct HostLookup::Mailbox {
    std::mutex mutex;
    HostLookup* owner = nullptr; // null once the answer is no longer wanted

    void deliver(const Answer& answer)
    {
        const std::scoped_lock lock(mutex);
        if (owner != nullptr) {
            QMetaObject::invokeMethod(
                owner, [o = owner, answer] { o->answer(answer.addresses, answer.error); },
                Qt::QueuedConnection);
        }
    }
};

std::shared_ptr<HostLookup> HostLookup::of(const QString& host)
{
    std::weak_ptr<HostLookup>& underWay = lookupsOfThisThread()[host];
    if (auto lookup = underWay.lock()) {
        return lookup;
    }
    std::shared_ptr<HostLookup> lookup(new HostLookup(host));
    underWay = lookup;
    lookup->start();
    return lookup;
}

HostLookup::HostLookup(QString host)
    : m_host(std::move(host)),
      m_mailbox(std::make_shared<Mailbox>())
{
    m_mailbox->owner = this;
}

HostLookup::~HostLookup()
{
    {
        const std::scoped_lock lock(m_mailbox->mutex);
        m_mailbox->owner = nullptr;
    }
    auto& lookups = lookupsOfThisThread();
    if (const auto mine = lookups.find(m_host); mine != lookups.end() && mine->second.expired()) {
        lookups.erase(mine);
    }
}

void HostLookup::start()
{
    const std::string name = QUrl::toAce(m_host).toStdString(); // names beyond ASCII
    if (name.empty()) {
        m_mailbox->deliver({{}, QStringLiteral("invalid host name")});
        return;
    }
    try {
        std::thread([name, mailbox = m_mailbox] { mailbox->deliver(askSystem(name)); }).detach();
    } catch (const std::system_error& error) {
        m_mailbox->deliver({{}, QString::fromLocal8Bit(error.what())});
    }
}

void HostLookup::answer(const QList<QHostAddress>& addresses, const QString& error)
{
    const std::shared_ptr<HostLookup> self = shared_from_this(); // those who hear it let it go
    lookupsOfThisThread().erase(m_host); // who asks from now on wants a newer answer
    Q_EMIT answered(addresses, error);
}

} // namespace lockscope::wire
