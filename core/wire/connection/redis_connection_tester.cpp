#include "core/wire/connection/redis_connection_tester.h"

#include "core/service/value_types.h"

#include <utility>

namespace lockscope::wire {

using service::TestResult;
using store::Command;
using store::Outcome;
using store::Problem;

TesterWorker::TesterWorker() : m_executor(this), m_clock(this)
{}

TesterWorker::~TesterWorker()
{
    m_questions = {};
    m_connection.reset();
    m_cluster.reset();
}

store::Store& TesterWorker::store()
{
    return m_cluster ? static_cast<store::Store&>(*m_cluster) : *m_connection;
}

void TesterWorker::test(quint64 generation, const store::Endpoint& endpoint)
{
    m_questions = {};
    m_generation = generation;
    m_connection.reset();
    m_cluster.reset();
    if (endpoint.isCluster()) {
        m_cluster = std::make_shared<ClusterStore>(endpoint, m_executor, m_clock, Rng(generation));
        m_cluster->map().open();
    } else {
        m_connection = std::make_unique<Connection>(endpoint, m_executor, m_clock, Rng(generation));
        m_connection->open();
    }
    m_questions = async::BackgroundTask(m_executor, run());
}

async::Task<void> TesterWorker::run()
{
    TestResult result;
    result.problem = co_await store().whenSettled();
    if (result.problem.kind == Problem::Kind::None) {
        co_await askQuestions(result);
    }
    finish(result);
}

async::Task<void> TesterWorker::askQuestions(TestResult& result)
{
    const Instant askedAt = m_clock.now();
    Command info("INFO");
    const Outcome outcome = co_await store().submit(std::move(info));
    result.roundTrip = m_clock.now() - askedAt;
    result.info = store::serverInfoOf(outcome);
    Command count("DBSIZE");
    const Outcome size = co_await store().submit(std::move(count));
    if (const store::Reply* const reply = replyOf(size)) {
        result.keyCount = reply->integer().value_or(0);
    }
    co_await tryCommand(Command("SCAN", "0", "COUNT", "1"), result);
    co_await tryCommand(Command("TYPE", "lockscope:connection-test"), result);
    co_await tryCommand(Command("PTTL", "lockscope:connection-test"), result);
    co_await tryCommand(Command("GETRANGE", "lockscope:connection-test", "0", "0"), result);
    co_await tryCommand(Command("HGETALL", "lockscope:connection-test"), result);
    co_await tryCommand(Command("MEMORY", "USAGE", "lockscope:connection-test"), result);
    co_await tryCommand(Command("CLIENT", "ID"), result);
    co_await tryCommand(Command("CLIENT", "TRACKING", "OFF"), result);
    co_await tryCommand(Command("CLIENT", "LIST", "TYPE", "PUBSUB"), result);
    co_await tryCommand(Command("PUBSUB", "NUMSUB"), result);
    co_await tryCommand(Command("SUBSCRIBE", "__redis__:invalidate"), result); // last: afterwards
                                                                               // it only listens
}

async::Task<void> TesterWorker::tryCommand(Command command, TestResult& result)
{
    const Outcome outcome = co_await store().submit(std::move(command));
    const std::optional<Problem> problem = problemOf(outcome);
    if (problem && problem->kind == Problem::Kind::NoPermission) {
        result.limits.push_back(*problem);
    } else if (problem && !std::holds_alternative<store::Reply>(outcome)) {
        result.problem = *problem;
    }
}

void TesterWorker::finish(const TestResult& result)
{
    if (std::unique_ptr<Connection> connection = std::move(m_connection)) {
        connection->disconnect(this);
        connection->close();
        connection.release()->deleteLater(); // we may be inside one of its own calls
        Q_EMIT tested(m_generation, result);
    } else if (std::shared_ptr<ClusterStore> cluster = std::move(m_cluster)) {
        // For the same reason it lives a little longer.
        QMetaObject::invokeMethod(
            this, [cluster] {}, Qt::QueuedConnection);
        Q_EMIT tested(m_generation, result);
    }
}

RedisConnectionTester::RedisConnectionTester(QObject* parent)
    : ConnectionTester(parent),
      m_worker(QStringLiteral("connection test"))
{
    service::registerValueTypes();
    connect(m_worker.object(), &TesterWorker::tested, this,
            [this](quint64 generation, const TestResult& result) {
                if (generation == m_generation) {
                    Q_EMIT tested(result);
                }
            });
}

RedisConnectionTester::~RedisConnectionTester() = default;

void RedisConnectionTester::test(const store::Endpoint& endpoint)
{
    const quint64 generation = ++m_generation;
    m_worker.post([generation, endpoint](TesterWorker& worker) {
        worker.test(generation, endpoint);
    });
}

} // namespace lockscope::wire
