#include "tests/support/live/sentinel_group.h"

#include "core/kernel/store/sentinel.h"
#include "core/kernel/store/server_info.h"
#include "tests/support/live/free_ports.h"
#include "tests/support/live/group_of_servers.h"
#include "tests/support/live/plain_client.h"
#include "tests/support/reply_text.h"

#include <QFile>

#include <sys/prctl.h>

#include <csignal>
#include <stdexcept>

namespace lockscope::testing {

namespace {

constexpr int kStartPatienceMs = 30'000;
constexpr std::size_t kSentinelCount = 3;

store::ServerInfo infoIn(const store::Reply& reply)
{
    return store::serverInfoOf(store::Outcome(reply));
}

} // namespace

SentinelGroup::SentinelGroup(const QByteArray& sentinelLines)
{
    startNodes();
    startSentinels(sentinelLines);
}

SentinelGroup::~SentinelGroup()
{
    killSentinels();
}

void SentinelGroup::killSentinels()
{
    for (const auto& sentinel : m_sentinels) {
        sentinel->process.kill();
        sentinel->process.waitForFinished(kStartPatienceMs);
    }
}

void SentinelGroup::startNodes()
{
    for (std::size_t i = 0; i < kNodeCount; ++i) {
        auto node =
            std::make_unique<wire::PrivateServer>(wire::PrivateServer::Listen::LoopbackPort);
        QStringList arguments{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
        if (i > 0) {
            arguments << QStringLiteral("--replicaof") << QStringLiteral("127.0.0.1")
                      << QString::number(m_nodes.front()->endpoint().port);
        }
        node->start(arguments);
        if (!node->waitUntilReady(kStartPatienceMs)) {
            throw std::runtime_error("redis-server did not start");
        }
        m_nodes.push_back(std::move(node));
    }
    waitForGroup("the replicas are not up to date", [this] { return upToDateCount() == 2; });
}

void SentinelGroup::startSentinels(const QByteArray& lines)
{
    const QByteArray name(kMasterName);
    const std::vector<std::uint16_t> ports = freePorts(kSentinelCount);
    for (std::size_t i = 0; i < kSentinelCount; ++i) {
        auto sentinel = std::make_unique<Sentinel>();
        sentinel->port = ports[i];
        const QString path = m_folder.filePath(QStringLiteral("sentinel-%1.conf").arg(i));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) {
            throw std::runtime_error("no configuration of a Sentinel");
        }
        file.write("port " + QByteArray::number(sentinel->port) + "\nbind 127.0.0.1\ndir \""
                   + m_folder.path().toUtf8() + "\"\nsentinel monitor " + name + " 127.0.0.1 "
                   + QByteArray::number(m_nodes.front()->endpoint().port)
                   + " 2\nsentinel down-after-milliseconds " + name
                   + " 1000\nsentinel failover-timeout " + name + " 2000\nsentinel parallel-syncs "
                   + name + " 2\n" + lines);
        file.close();
        sentinel->process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        sentinel->process.setStandardOutputFile(QProcess::nullDevice());
        sentinel->process.start(QStringLiteral("redis-server"),
                                {path, QStringLiteral("--sentinel")});
        m_sentinels.push_back(std::move(sentinel));
    }
    for (std::size_t i = 0; i < kSentinelCount; ++i) {
        waitForGroup("the Sentinels: one does not start", [this, i] {
            try {
                // In a hurry; where these periods cannot be set, all takes a few seconds longer.
                // PING comes twice before a master is given up, and not much more often: five
                // periods of it are how old the news of a replica may be that is to be promoted.
                askSentinel(i, store::Command("SENTINEL", "DEBUG", "info-period", 500,
                                              "publish-period", 200, "ask-period", 200,
                                              "ping-period", 500, "tilt-period", 1000));
                return true;
            } catch (const std::runtime_error&) {
                return false;
            }
        });
    }
    for (std::size_t i = 0; i < kSentinelCount; ++i) {
        waitForGroup(
            "the Sentinels: they do not know each other", [this, i] { return isComplete(i); },
            [this, i] { return known(i); });
    }
}

bool SentinelGroup::isComplete(std::size_t sentinel) const
{
    const store::Reply reply = askSentinel(sentinel,
                                           store::Command("SENTINEL", "ckquorum", kMasterName));
    const std::string* const text = reply.text();
    const store::Reply replicas = askSentinel(sentinel,
                                              store::Command("SENTINEL", "replicas", kMasterName));
    return text != nullptr && text->starts_with("OK 3 usable") && replicas.array() != nullptr
           && replicas.array()->size() == kNodeCount - 1;
}

std::string SentinelGroup::known(std::size_t sentinel) const
{
    std::string text;
    for (const char* const list : {"sentinels", "replicas", "master"}) {
        const store::Reply reply = askSentinel(sentinel,
                                               store::Command("SENTINEL", list, kMasterName));
        text += replyText(reply) + '\n';
    }
    return text;
}

store::Endpoint SentinelGroup::endpoint() const
{
    store::Endpoint endpoint;
    endpoint.sentinels.masterName = kMasterName;
    for (const auto& sentinel : m_sentinels) {
        endpoint.sentinels.hosts.push_back({"127.0.0.1", sentinel->port});
    }
    return endpoint;
}

QString SentinelGroup::url() const
{
    return QString::fromStdString(store::toUrl(endpoint()));
}

std::string SentinelGroup::nodeName(std::size_t index) const
{
    return store::serverName(m_nodes[index]->endpoint());
}

store::Reply SentinelGroup::ask(std::size_t node, const store::Command& command) const
{
    return PlainClient(m_nodes[node]->endpoint()).ask(command);
}

store::Endpoint SentinelGroup::sentinelEndpoint(std::size_t index) const
{
    store::Endpoint endpoint;
    endpoint.port = m_sentinels[index]->port;
    return endpoint;
}

store::Reply SentinelGroup::askSentinel(std::size_t index, const store::Command& command) const
{
    return PlainClient(sentinelEndpoint(index)).ask(command);
}

std::optional<std::size_t> SentinelGroup::master() const
{
    std::optional<std::size_t> named;
    for (std::size_t i = 0; i < m_sentinels.size(); ++i) {
        const std::vector<store::Outcome> outcomes{
            askSentinel(i, store::questionsAboutMaster(kMasterName).front())};
        const auto answer = store::sentinelAnswerOf({}, outcomes);
        std::size_t node = 0;
        while (node < kNodeCount && answer.master
               && m_nodes[node]->endpoint().port != answer.master->port) {
            ++node;
        }
        if (!answer.master || node == kNodeCount || (named && *named != node)) {
            return std::nullopt;
        }
        named = node;
    }
    return named;
}

std::size_t SentinelGroup::waitForMaster(std::optional<std::size_t> former) const
{
    std::optional<std::size_t> found;
    waitForGroup("the Sentinels: they do not agree on a master", [&] {
        found = master();
        return found && found != former;
    });
    return *found;
}

void SentinelGroup::restart(std::size_t node)
{
    m_nodes[node]->start();
    if (!m_nodes[node]->waitUntilReady(kStartPatienceMs)) {
        throw std::runtime_error("redis-server did not start again");
    }
}

void SentinelGroup::waitForReplicas() const
{
    waitForGroup("the replicas do not follow", [this] { return upToDateCount() == 2; });
}

std::size_t SentinelGroup::upToDateCount() const
{
    std::size_t count = 0;
    for (const auto& node : m_nodes) {
        const auto info = infoIn(PlainClient(node->endpoint())("INFO", "replication"));
        const bool isUpToDate = info.role == store::ServerInfo::Role::Replica && info.isMasterLinkUp
                                && !info.isSyncing;
        count += isUpToDate ? 1 : 0;
    }
    return count;
}

} // namespace lockscope::testing
