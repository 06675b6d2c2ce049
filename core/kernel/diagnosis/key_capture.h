#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/diagnosis/monitor_line.h"
#include "core/kernel/inspect/client_directory.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/store/endpoint.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Who is it? What clients did with a lock while MONITOR was listened to: Redis does not record who
// wrote a key.
namespace lockscope::diagnosis {

/// What one client sent about the keys of the lock.
struct KeyVisitor {
    std::string client;                            // "10.0.0.7:51622"
    std::map<std::string, std::uint64_t> commands; // by name and by what matters: "SET NX"
    std::vector<Bytes> owners;                     // those owner tokens of the lock that it sent
    friend bool operator==(const KeyVisitor&, const KeyVisitor&) = default;
};

/// Listens for the keys of one lock. What a script does belongs to the command that called it.
class KeyCapture {
public:
    /// `owners`: the tokens of those who hold the lock.
    KeyCapture(int database, std::vector<Bytes> keys, std::vector<Bytes> owners);

    void take(std::string_view text);

    /// Those that sent a token of an owner come first, then the busiest.
    std::vector<KeyVisitor> visitors() const;
    /// Of all clients, about whatever.
    std::uint64_t commandCount() const { return m_commandCount; }
    const std::vector<Bytes>& owners() const { return m_owners; }

private:
    bool isAbout(const MonitorLine& line) const;

    int m_database;
    std::vector<Bytes> m_keys;
    std::vector<Bytes> m_owners;
    std::uint64_t m_commandCount = 0;
    std::map<std::string, KeyVisitor> m_visitors;
};

/// How a capture ended.
struct CaptureEnd {
    enum class Kind { TimeOver, BytesOver, ConnectionLost, Stopped };

    Kind kind = Kind::TimeOver;
    Duration span{0};
    std::uint64_t byteCount = 0;
};

/// For people. `clients`: those that are connected now.
std::string captureText(const KeyCapture& capture, const CaptureEnd& end,
                        std::span<const inspect::ClientEntry> clients);

/// {"end", "spanMs", "bytes", "commands", "owners", "clients": [{"address", "name", "owners",
/// "commands": {"SET NX": 3}}]}
report::Json captureJson(const KeyCapture& capture, const CaptureEnd& end,
                         std::span<const inspect::ClientEntry> clients);

/// The call of the command-line program that listens in the same way for so long: quoted for a
/// POSIX shell, without a password. Of a Redlock set it listens to the first server.
std::string captureCommandLine(std::span<const store::Endpoint> endpoints,
                               const inspect::LockId& id, Duration span);

} // namespace lockscope::diagnosis
