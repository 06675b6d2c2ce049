#include "core/wire/watch/watch_account.h"

#include "core/kernel/store/server_info.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

namespace {

/// What is around the name of a key in a message: four parts and their lengths.
constexpr std::uint64_t kBytesAroundName = 60;
/// A heartbeat and its reply.
constexpr std::uint64_t kBytesOfSmallCommand = 21;

} // namespace

void WatchAccount::takeStatistics(const store::Outcome& commandStatistics)
{
    if (store::replyOf(commandStatistics) != nullptr) {
        m_statistics = commandStatistics;
    }
}

void WatchAccount::takeMessages(const std::vector<Bytes>& keys)
{
    for (const Bytes& key : keys) {
        m_messageBytes += kBytesAroundName + key.size();
    }
}

void WatchAccount::addSecondTo(inspect::WatchWork& work, std::uint64_t sentCount)
{
    const store::Usage usage = m_store.usage();
    const store::Usage before = std::exchange(m_usageBefore, usage);
    const std::uint64_t counted = usage.commandCount - before.commandCount;
    const std::uint64_t beside = sentCount - std::min(sentCount, counted);
    store::MeteredStore::Calls calls = m_store.calls();
    for (std::size_t i = 0; i < m_callsBefore.size(); ++i) {
        calls[i].second -= m_callsBefore[i].second; // commands never leave the list
    }
    m_callsBefore = m_store.calls();
    work.requestsPerSecond += static_cast<double>(usage.requestCount - before.requestCount
                                                  + beside);
    work.commandsPerSecond += static_cast<double>(counted + beside);
    work.executionPerSecond += store::executionSecondsOf(m_statistics, calls);
    work.bytesPerSecond += static_cast<double>(usage.bytes() - before.bytes()
                                               + beside * kBytesOfSmallCommand
                                               + std::exchange(m_messageBytes, 0));
}

} // namespace lockscope::wire
