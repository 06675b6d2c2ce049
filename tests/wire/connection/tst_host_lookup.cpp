// A host is looked up again for each attempt to connect. This program answers the system's question
// for one name itself; Qt and Lockscope ask by the same call.

#include "core/wire/connection/host_lookup.h"
#include "core/wire/connection/transport.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>

#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <netdb.h>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tst_host_lookup {

namespace {

constexpr std::string_view kMovingHost = "moving.test";
constexpr int kPatienceMs = 60'000;

/// The addresses of the host at present.
struct NameServer {
    std::mutex mutex;
    std::vector<std::string> addresses;
    std::atomic<int> questionCount = 0;

    void say(std::vector<std::string> inOrder)
    {
        const std::scoped_lock lock(mutex);
        addresses = std::move(inOrder);
    }
};

/// Never destroyed: an abandoned lookup may still be asking when the process ends.
NameServer& nameServer()
{
    static auto* const server = new NameServer;
    return *server;
}

using LookUp = int (*)(const char*, const char*, const addrinfo*, addrinfo**);

int answerFor(LookUp system, const char* service, const addrinfo* hints, addrinfo** result)
{
    NameServer& server = nameServer();
    ++server.questionCount;
    const std::scoped_lock lock(server.mutex);
    *result = nullptr;
    addrinfo** next = result;
    for (const std::string& address : server.addresses) {
        const int error = system(address.c_str(), service, hints, next);
        if (error != 0) {
            return error;
        }
        while (*next != nullptr) {
            next = &(*next)->ai_next;
        }
    }
    return server.addresses.empty() ? EAI_NONAME : 0;
}

} // namespace

} // namespace lockscope::tst_host_lookup

/// Takes the place of the system's, for all libraries of this program.
extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** result)
{
    using namespace lockscope::tst_host_lookup;
    static const auto kSystem = reinterpret_cast<LookUp>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return node != nullptr && node == kMovingHost ? answerFor(kSystem, service, hints, result)
                                                  : kSystem(node, service, hints, result);
}

namespace lockscope::tst_host_lookup {

using store::Endpoint;
using store::Problem;
using wire::HostLookup;
using wire::Transport;

class TestHostLookup : public QObject {
    Q_OBJECT

    QTcpServer m_before;
    QTcpServer m_after; // at the same port, with another address

    Endpoint movingServer() const
    {
        Endpoint endpoint;
        endpoint.host = kMovingHost;
        endpoint.port = m_after.serverPort();
        return endpoint;
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_before.listen(QHostAddress(QStringLiteral("127.0.0.2"))));
        QVERIFY(m_after.listen(QHostAddress(QStringLiteral("127.0.0.3")), m_before.serverPort()));
        nameServer().say({"127.0.0.2"});
        nameServer().questionCount = 0;
    }
    void cleanup()
    {
        m_before.close();
        m_after.close();
    }

    void anotherAddressIsUsedByTheNextAttempt()
    {
        Transport transport;
        transport.open(movingServer());
        QTRY_VERIFY_WITH_TIMEOUT(m_before.hasPendingConnections(), kPatienceMs);
        m_before.close();
        nameServer().say({"127.0.0.3"});
        transport.open(movingServer());
        QTRY_VERIFY_WITH_TIMEOUT(m_after.hasPendingConnections(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(transport.isOpen(), kPatienceMs);
    }

    void theNextAddressIsTriedWhereOneRefuses()
    {
        m_before.close();
        nameServer().say({"127.0.0.2", "127.0.0.3"});
        Transport transport;
        const QSignalSpy closed(&transport, &Transport::closed);
        transport.open(movingServer());
        QTRY_VERIFY_WITH_TIMEOUT(transport.isOpen(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(m_after.hasPendingConnections(), kPatienceMs);
        QCOMPARE(closed.count(), 0);
    }

    void theLastAddressSaysWhyThereIsNoConnection()
    {
        m_before.close();
        m_after.close();
        Endpoint endpoint = movingServer();
        endpoint.port = 1;
        nameServer().say({"127.0.0.2", "127.0.0.3"});
        std::vector<Problem> problems;
        Transport transport;
        connect(&transport, &Transport::closed, this,
                [&problems](const Problem& problem) { problems.push_back(problem); });
        transport.open(endpoint);
        QTRY_COMPARE_WITH_TIMEOUT(problems.size(), std::size_t(1), kPatienceMs);
        QVERIFY(problems.front().kind == Problem::Kind::ConnectionRefused);
        nameServer().say({});
        transport.open(endpoint);
        QTRY_COMPARE_WITH_TIMEOUT(problems.size(), std::size_t(2), kPatienceMs);
        QVERIFY(problems.back().kind == Problem::Kind::HostNotFound);
    }

    void attemptsOfOneMomentShareAnAnswer()
    {
        const QString host = QString::fromLatin1(kMovingHost.data(), kMovingHost.size());
        const auto first = HostLookup::of(host);
        const auto second = HostLookup::of(host);
        QVERIFY(first == second);
        QSignalSpy answered(first.get(), &HostLookup::answered);
        QVERIFY(answered.wait(kPatienceMs));
        QCOMPARE(int(nameServer().questionCount), 1);
        const auto later = HostLookup::of(host);
        QVERIFY(later != first);
        QSignalSpy answeredAgain(later.get(), &HostLookup::answered);
        QVERIFY(answeredAgain.wait(kPatienceMs));
        QCOMPARE(int(nameServer().questionCount), 2);
    }

    void anAnswerThatNobodyWaitsForIsDropped()
    {
        const QString host = QString::fromLatin1(kMovingHost.data(), kMovingHost.size());
        {
            const auto unwanted = HostLookup::of(host);
        }
        QTRY_COMPARE_WITH_TIMEOUT(int(nameServer().questionCount), 1, kPatienceMs);
        Transport transport;
        transport.open(movingServer());
        transport.drop();
        QTRY_COMPARE_WITH_TIMEOUT(int(nameServer().questionCount), 2, kPatienceMs);
        QVERIFY(!m_before.hasPendingConnections());
    }
};

LOCKSCOPE_TEST(TestHostLookup, Core)

} // namespace lockscope::tst_host_lookup

#include "tst_host_lookup.moc"
