#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/reply.h"
#include "core/wire/connection/codec.h"

#include <QIODevice>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::testing {

/// Another user of the server of a live test: sends a command and waits for its answer,
/// simply and blocking.
class PlainClient {
public:
    /// Connects, and signs in as the endpoint says. Throws std::runtime_error when that fails.
    explicit PlainClient(const store::Endpoint& endpoint);

    /// The answer, which may be an error. Throws std::runtime_error when none comes within ten
    /// seconds.
    store::Reply ask(const store::Command& command);

    template<class... Words>
    store::Reply operator()(Words&&... words)
    {
        return ask(store::Command(std::forward<Words>(words)...));
    }

    /// Sends without waiting for an answer.
    void send(const store::Command& command);
    /// The same for several, in one go.
    void sendAll(const std::vector<store::Command>& commands);
    /// The next thing the server says: an answer to send(), a pub/sub message; nullopt when nothing
    /// comes in time.
    std::optional<store::Reply> listen(int timeoutMs = 30'000);

private:
    void write(const std::string& bytes);

    std::unique_ptr<QIODevice> m_device;
    wire::ReplyReader m_reader;
};

} // namespace lockscope::testing
