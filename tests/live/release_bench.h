#pragma once

#include "core/operations/lock_details.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace lockscope::testing {

inline constexpr int kReleasePatienceMs = 30'000;

/// A server with a lock, and a desk.
struct ReleaseBench {
    LiveServer server;
    std::unique_ptr<LiveDesk> desk;

    void open() { open(server.endpoint()); }
    void open(const store::Endpoint& endpoint)
    {
        desk = std::make_unique<LiveDesk>(std::vector<store::Endpoint>{endpoint});
    }

    /// Waits for the answer; empty lock details when none comes.
    operations::LockDetails lookUp(const Bytes& name)
    {
        return answerTo(desk->desk().inspectLock({0, name}));
    }
    operations::LockDetails lookUpToRelease(const Bytes& name)
    {
        return answerTo(desk->desk().inspectToRelease({0, name}));
    }
    operations::LockDetails answerTo(quint64 request)
    {
        const bool isAnswered = QTest::qWaitFor([&] { return desk->details(request) != nullptr; },
                                                kReleasePatienceMs);
        return isAnswered ? *desk->details(request) : operations::LockDetails();
    }
    inspect::ReleasePlan plan(const Bytes& name) { return lookUpToRelease(name).release.value(); }

    inspect::ReleaseReport executed(const inspect::ReleasePlan& plan, const QString& reason = {})
    {
        lastRequest = desk->desk().execute(plan, reason);
        const bool isAnswered = QTest::qWaitFor(
            [&] { return desk->report(lastRequest) != nullptr; }, kReleasePatienceMs);
        return isAnswered ? *desk->report(lastRequest) : inspect::ReleaseReport();
    }
    bool exists(const Bytes& key) { return server.client()("EXISTS", key).integer() == 1; }
    nlohmann::json auditLine() const
    {
        return nlohmann::json::parse(desk->auditLines().back().toStdString());
    }

    quint64 lastRequest = 0;
};

} // namespace lockscope::testing
