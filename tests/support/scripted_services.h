#pragma once

#include "connection_tester.h"
#include "lock_monitor.h"
#include "release_desk.h"

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
    Instant now() const override { return m_now; }

    void advance(Duration step) { m_now += step; }

    /// The usual beginning: these servers, connected, news by push.
    void goOnline(const std::vector<store::Endpoint>& endpoints);
    void finishSweep(std::uint64_t keyCount, bool isDeep = false);
    /// One change of one lock, now.
    void change(inspect::ChangeKind kind, const inspect::LockRecord& record);

    const std::vector<std::vector<store::Endpoint>>& openings() const { return m_openings; }
    int closeCount() const { return m_closeCount; }
    const std::vector<bool>& sweeps() const { return m_sweeps; } // true: deep

private:
    Instant m_now = Instant(std::chrono::hours(100));
    std::vector<std::vector<store::Endpoint>> m_openings;
    std::vector<bool> m_sweeps;
    int m_closeCount = 0;
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

    RequestId examine(const inspect::LockId& id) override;
    RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) override;

    /// Answers the newest question about a lock.
    void answer(const service::LockDossier& dossier)
    {
        Q_EMIT examined(m_examinations.back().first, dossier);
    }
    void report(const inspect::ReleaseReport& report)
    {
        Q_EMIT executed(m_executions.back().request, report);
    }
    void follow(const inspect::Aftermath& aftermath)
    {
        Q_EMIT followed(m_executions.back().request, aftermath);
    }

    const std::vector<std::pair<RequestId, inspect::LockId>>& examinations() const
    {
        return m_examinations;
    }
    const std::vector<Execution>& executions() const { return m_executions; }

private:
    RequestId m_lastRequest = 0;
    std::vector<std::pair<RequestId, inspect::LockId>> m_examinations;
    std::vector<Execution> m_executions;
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

} // namespace lockscope::test
