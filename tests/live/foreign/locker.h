#pragma once

#include "core/kernel/store/endpoint.h"

#include <QByteArray>
#include <QProcess>

#include <chrono>
#include <vector>

namespace lockscope::testing {

/// The lock libraries of other people that the tests can run.
enum class ForeignLibrary {
    RedisPy,  // Debian's python3-redis
    Redlock4, // npm's redlock, installed beside the build by the fixture install_node_clients
    Redlock5,
    RedissonLock, // installed beside the build by the fixture install_java_clients
    RedissonFair,
    RedissonWrite, // the write lock of its read-write lock
};

/// A program of its own that takes locks with a foreign library, one order at a time. It
/// reads a line per order and writes a line per answer:
///
///     lock KEY LEASE_MS WAIT_MS    "granted" or "refused"
///     unlock KEY                   "released" or "not held"
///
/// and "error …" when the library failed otherwise. Redisson's answers more, see
/// java/HoldRedisson.java. It ends with its standard input; dropping this kills it.
class ForeignLocker {
public:
    /// Whether the library is there; if not, the test says so and is skipped.
    static bool isInstalled(ForeignLibrary library);

    /// Starts it on servers that listen on ports. Throws std::runtime_error when it is not ready
    /// within a minute.
    ForeignLocker(ForeignLibrary library, const std::vector<store::Endpoint>& servers);
    ~ForeignLocker();
    ForeignLocker(const ForeignLocker&) = delete;
    ForeignLocker& operator=(const ForeignLocker&) = delete;

    /// Gives an order and does not wait.
    void tell(const QByteArray& order);
    bool hasAnswered() const { return m_process.canReadLine(); }
    /// The next answer; the event loop runs until it is there. Throws std::runtime_error after half
    /// a minute.
    QByteArray answer();

    QByteArray ask(const QByteArray& order)
    {
        tell(order);
        return answer();
    }

    /// The orders.
    static QByteArray lock(const QByteArray& key, std::chrono::milliseconds lease,
                           std::chrono::milliseconds waitLimit = {});
    static QByteArray unlock(const QByteArray& key);

    /// kill -9.
    void kill();

private:
    QByteArray nextLine(int timeoutMs);

    QProcess m_process;
};

} // namespace lockscope::testing
