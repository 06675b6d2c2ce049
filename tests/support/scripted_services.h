#pragma once

#include "core/service/alert_hooks.h"
#include "core/service/connection_tester.h"
#include "core/service/format_store.h"
#include "core/service/live_runner.h"
#include "core/service/lock_keeper.h"
#include "core/service/lock_monitor.h"
#include "core/service/proof_runner.h"
#include "core/service/release_desk.h"
#include "core/service/secret_store.h"

#include <QMap>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::test {

/// A monitor that watches nothing: the test says what it sees, and reads what was asked of it.
class ScriptedLockMonitor : public service::LockMonitor {
    Q_OBJECT
public:
    using LockMonitor::LockMonitor;

    void open(std::vector<store::Endpoint> endpoints, service::WatchOptions options) override;
    void close() override;
    void resweep(bool deep) override { m_sweeps.push_back(deep); }
    void setPatterns(std::vector<std::string> patterns) override
    {
        m_patterns = std::move(patterns);
    }
    void setFormats(inspect::FormatTablePtr formats) override { m_formats = std::move(formats); }
    Instant now() const override { return m_now; }

    void advance(Duration step) { m_now += step; }

    /// The usual beginning: these servers, connected, news by push.
    void goOnline(const std::vector<store::Endpoint>& endpoints);
    void finishSweep(std::uint64_t keyCount, bool isDeep = false);
    /// One change of one lock, now.
    void change(inspect::ChangeKind kind, const inspect::LockRecord& record);

    const std::vector<std::vector<store::Endpoint>>& openings() const { return m_openings; }
    const service::WatchOptions& options() const { return m_options; } // of the last opening
    int closeCount() const { return m_closeCount; }
    const std::vector<bool>& sweeps() const { return m_sweeps; }            // true: deep
    const std::vector<std::string>& patterns() const { return m_patterns; } // as they were set last
    const inspect::FormatTablePtr& formats() const { return m_formats; }    // likewise

private:
    Instant m_now = Instant(std::chrono::hours(100));
    std::vector<std::vector<store::Endpoint>> m_openings;
    service::WatchOptions m_options;
    std::vector<bool> m_sweeps;
    std::vector<std::string> m_patterns;
    int m_closeCount = 0;
    inspect::FormatTablePtr m_formats = inspect::builtinFormatTable();
};

/// A store without files: the test says what is in them.
class ScriptedFormatStore : public service::FormatStore {
    Q_OBJECT
public:
    using FormatStore::FormatStore;

    inspect::FormatTablePtr formats() const override { return m_formats; }
    operations::OwnerNamesPtr owners() const override { return m_owners; }
    std::vector<inspect::OwnFileProblem> problems() const override { return m_problems; }
    QString folder() const override { return QStringLiteral("/formats"); }
    QString setTreatments(std::vector<inspect::Treatment> treatments) override
    {
        m_treatments.text = inspect::treatmentsText(treatments);
        read();
        return {};
    }

    void setFiles(std::vector<inspect::OwnFile> files)
    {
        m_files = std::move(files);
        read();
    }

    void setOwners(operations::OwnerNames owners)
    {
        m_owners = std::make_shared<const operations::OwnerNames>(std::move(owners));
        Q_EMIT changed();
    }

private:
    void read()
    {
        m_problems.clear();
        m_formats = inspect::tableOf(m_files, m_treatments, m_formats, m_problems);
        Q_EMIT changed();
    }

    inspect::FormatTablePtr m_formats = inspect::builtinFormatTable();
    operations::OwnerNamesPtr m_owners = std::make_shared<const operations::OwnerNames>();
    std::vector<inspect::OwnFile> m_files;
    inspect::OwnFile m_treatments{"treat-as.json", {}};
    std::vector<inspect::OwnFileProblem> m_problems;
};

/// A keyring in memory that answers from the event loop, or with the problem that the test sets.
class ScriptedSecretStore : public service::SecretStore {
    Q_OBJECT
public:
    using SecretStore::SecretStore;

    RequestId fetch(const QString& name) override
    {
        return answerLater([this, name](RequestId request) {
            Q_EMIT fetched(request, problem.isEmpty() ? secrets.value(name) : QString(), problem);
        });
    }
    RequestId store(const QString& name, const QString& secret) override
    {
        return change([this, name, secret] { secrets.insert(name, secret); });
    }
    RequestId remove(const QString& name) override
    {
        return change([this, name] { secrets.remove(name); });
    }

    QMap<QString, QString> secrets;
    QString problem;

private:
    RequestId change(std::function<void()> apply)
    {
        return answerLater([this, apply = std::move(apply)](RequestId request) {
            if (problem.isEmpty()) {
                apply();
            }
            Q_EMIT stored(request, problem);
        });
    }
    RequestId answerLater(std::function<void(RequestId)> answer)
    {
        const RequestId request = ++m_lastRequest;
        QTimer::singleShot(0, this, [request, answer = std::move(answer)] { answer(request); });
        return request;
    }

    RequestId m_lastRequest = 0;
};

/// Hooks that do nothing: the test reads what was asked of them.
class ScriptedAlertHooks : public service::AlertHooks {
    Q_OBJECT
public:
    struct Run {
        QString alert;
        QStringList words;
        QMap<QString, QString> variables;
    };
    struct Post {
        QString alert;
        QUrl url;
        QByteArray json;
    };

    using AlertHooks::AlertHooks;

    void run(const QString& alert, const QStringList& words,
             const QMap<QString, QString>& variables) override
    {
        runs.push_back({alert, words, variables});
    }
    void post(const QString& alert, const QUrl& url, const QByteArray& json) override
    {
        posts.push_back({alert, url, json});
    }

    std::vector<Run> runs;
    std::vector<Post> posts;
};

/// A desk that answers when the test says so.
class ScriptedReleaseDesk : public service::ReleaseDesk {
    Q_OBJECT
public:
    struct Execution {
        RequestId request = 0;
        inspect::ReleasePlan plan;
        QString reason;
    };

    using ReleaseDesk::ReleaseDesk;

    void setEndpoints(std::vector<store::Endpoint> endpoints) override
    {
        m_endpoints = std::move(endpoints);
    }
    void setFormats(inspect::FormatTablePtr formats) override { m_formats = std::move(formats); }
    RequestId inspectLock(const inspect::LockId& id) override;
    RequestId inspectToRelease(const inspect::LockId& id) override { return inspectLock(id); }
    void endGuard(inspect::KeyGuard guard) override { m_endedGuards.push_back(guard); }
    RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) override;
    RequestId findHolder(const inspect::LockId& id, const Bytes& owner) override
    {
        m_searches.emplace_back(id, owner);
        return ++m_lastRequest;
    }
    RequestId disconnectHolder(const operations::KillOrder& order) override
    {
        m_kills.push_back(order);
        return ++m_lastRequest;
    }

    RequestId captureCommands(const inspect::LockId& id,
                              const operations::FeedLimits& limits) override
    {
        m_captures.emplace_back(id, limits);
        return ++m_lastRequest;
    }
    void stopCapture() override { ++m_captureStops; }
    /// Answers to the newest request, which is a capture.
    void capture(const operations::CaptureResult& result)
    {
        Q_EMIT captured(m_lastRequest, result);
    }

    // Answers to the newest request, which is about a holder.
    void findHolderAs(const operations::FoundHolder& found)
    {
        Q_EMIT holderFound(m_lastRequest, found);
    }
    void reportKill(const inspect::KillReport& report)
    {
        Q_EMIT holderDisconnected(m_lastRequest, report);
    }

    /// Answers the newest question about a lock.
    void answer(const operations::LockDetails& details)
    {
        Q_EMIT inspected(m_inspections.back().first, details);
    }
    void report(const inspect::ReleaseReport& report)
    {
        Q_EMIT executed(m_executions.back().request, report);
    }
    void follow(const inspect::NextHold& nextHold)
    {
        Q_EMIT followed(m_executions.back().request, nextHold);
    }

    const std::vector<std::pair<RequestId, inspect::LockId>>& inspections() const
    {
        return m_inspections;
    }
    const std::vector<Execution>& executions() const { return m_executions; }
    const std::vector<std::pair<inspect::LockId, Bytes>>& searches() const { return m_searches; }
    const std::vector<operations::KillOrder>& kills() const { return m_kills; }
    const std::vector<std::pair<inspect::LockId, operations::FeedLimits>>& captures() const
    {
        return m_captures;
    }
    int captureStops() const { return m_captureStops; }
    const std::vector<inspect::KeyGuard>& endedGuards() const { return m_endedGuards; }
    const std::vector<store::Endpoint>& endpoints() const { return m_endpoints; } // as set last
    const inspect::FormatTablePtr& formats() const { return m_formats; }          // likewise

private:
    RequestId m_lastRequest = 0;
    std::vector<store::Endpoint> m_endpoints;
    inspect::FormatTablePtr m_formats;
    std::vector<std::pair<RequestId, inspect::LockId>> m_inspections;
    std::vector<Execution> m_executions;
    std::vector<std::pair<inspect::LockId, Bytes>> m_searches;
    std::vector<operations::KillOrder> m_kills;
    std::vector<std::pair<inspect::LockId, operations::FeedLimits>> m_captures;
    int m_captureStops = 0;
    std::vector<inspect::KeyGuard> m_endedGuards;
};

/// A tester that answers when the test says so.
class ScriptedConnectionTester : public service::ConnectionTester {
    Q_OBJECT
public:
    using ConnectionTester::ConnectionTester;

    void test(const store::Endpoint& endpoint) override { m_tried.push_back(endpoint); }
    void answer(const service::TestResult& result) { Q_EMIT tested(result); }

    const std::vector<store::Endpoint>& tried() const { return m_tried; }

private:
    std::vector<store::Endpoint> m_tried;
};

/// A runner that runs nothing: the test says how it is going, and reads what was asked of it.
class ScriptedProofRunner : public service::ProofRunner {
    Q_OBJECT
public:
    using ProofRunner::ProofRunner;

    void start(const service::ProofOrder& order) override { m_orders.push_back(order); }
    void cancel() override { ++m_cancelCount; }
    const service::ProofProgress& progress() const override { return m_progress; }
    const service::ProofOutcome& outcome() const override { return m_outcome; }

    void tell(const service::ProofProgress& progress)
    {
        m_progress = progress;
        Q_EMIT progressed(m_progress);
    }
    void tellFind(const conduct::Find& find) { Q_EMIT found(find); }
    void setOutcome(service::ProofOutcome outcome) { m_outcome = std::move(outcome); }

    const std::vector<service::ProofOrder>& orders() const { return m_orders; }
    int cancelCount() const { return m_cancelCount; }

private:
    std::vector<service::ProofOrder> m_orders;
    int m_cancelCount = 0;
    service::ProofProgress m_progress;
    service::ProofOutcome m_outcome;
};

class ScriptedLiveRunner : public service::LiveRunner {
    Q_OBJECT
public:
    using LiveRunner::LiveRunner;

    void start(const workload::LiveRunOrder& order) override { m_orders.push_back(order); }
    void pause() override { ++m_pauseCount; }
    void resume() override { ++m_resumeCount; }
    void stop() override { ++m_stopCount; }
    const workload::LiveRunProgress& progress() const override { return m_progress; }
    const std::vector<trace::Event>& events() const override { return m_events; }
    std::vector<trace::Event> takeEvents() override { return std::exchange(m_events, {}); }
    std::vector<trace::ServerHold> serverHolds() const override { return m_serverHolds; }

    void tell(const workload::LiveRunProgress& progress)
    {
        m_progress = progress;
        Q_EMIT progressed(m_progress);
    }
    void setEvents(std::vector<trace::Event> events) { m_events = std::move(events); }
    void setServerHolds(std::vector<trace::ServerHold> serverHolds)
    {
        m_serverHolds = std::move(serverHolds);
    }

    const std::vector<workload::LiveRunOrder>& orders() const { return m_orders; }
    int pauseCount() const { return m_pauseCount; }
    int resumeCount() const { return m_resumeCount; }
    int stopCount() const { return m_stopCount; }

private:
    workload::LiveRunProgress m_progress;
    std::vector<trace::Event> m_events;
    std::vector<trace::ServerHold> m_serverHolds;
    std::vector<workload::LiveRunOrder> m_orders;
    int m_pauseCount = 0;
    int m_resumeCount = 0;
    int m_stopCount = 0;
};

/// A keeper that keeps what the test says.
class ScriptedLockKeeper : public service::LockKeeper {
    Q_OBJECT
public:
    using LockKeeper::LockKeeper;

    /// The order is taken; the lock is connecting.
    quint64 acquire(const service::KeepOrder& order) override;
    void release(quint64 id) override { m_releases.push_back(id); }
    void releaseAll() override { ++m_releaseAllCount; }
    std::vector<service::KeptLock> held() const override { return m_held; }
    Instant now() const override { return m_now; }

    void advance(Duration step) { m_now += step; }
    /// What became of a lock, from now on. Locks that were not asked for here may be reported, too.
    void tell(service::KeptLock lock);
    void tellAllReleased() { Q_EMIT allReleased(); }

    const std::vector<service::KeepOrder>& orders() const { return m_orders; }
    const std::vector<quint64>& releases() const { return m_releases; }
    int releaseAllCount() const { return m_releaseAllCount; }

private:
    Instant m_now = Instant(std::chrono::hours(100));
    std::vector<service::KeepOrder> m_orders;
    std::vector<service::KeptLock> m_held;
    std::vector<quint64> m_releases;
    int m_releaseAllCount = 0;
};

} // namespace lockscope::test
