#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/store/server_info.h"

#include <QObject>

#include <string>
#include <vector>

namespace lockscope::service {

struct TestResult {
    store::Problem problem; // kind None: it works
    store::ServerInfo info;
    std::int64_t keyCount = 0;
    Duration roundTrip{0};
    std::vector<store::Problem> limits; // it works, but these commands are not allowed and
                                        // something will be missing
};

/// Tries a connection without watching anything. Runs on the GUI thread.
class ConnectionTester : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Answered by tested(); a newer call makes the older one's answer stay away.
    virtual void test(const store::Endpoint& endpoint) = 0;

Q_SIGNALS:
    void tested(const lockscope::service::TestResult& result);
};

} // namespace lockscope::service
