#include "tests/support/live/live_server.h"

#include <QStandardPaths>

#include <stdexcept>

namespace lockscope::testing {

LiveServer::LiveServer(Listen listen, const QStringList& extraArguments)
    : m_extraArguments(extraArguments),
      m_process(listen)
{
    restart();
}

bool LiveServer::isInstalled()
{
    return !QStandardPaths::findExecutable(QStringLiteral("redis-server")).isEmpty();
}

void LiveServer::kill()
{
    m_client.reset();
    m_process.kill();
}

void LiveServer::restart()
{
    m_process.start(m_extraArguments);
    if (!m_process.waitUntilReady(30'000)) {
        throw std::runtime_error("redis-server did not start");
    }
    m_client = std::make_unique<PlainClient>(endpoint());
}

std::int64_t LiveServer::callCount(std::string_view commandName)
{
    const store::Reply reply = client()("INFO", "commandstats");
    const std::string& text = *reply.text();
    const std::string begin = "cmdstat_" + std::string(commandName) + ":calls=";
    const std::size_t at = text.find(begin);
    return at != std::string::npos ? std::stoll(text.substr(at + begin.size())) : 0;
}

} // namespace lockscope::testing
