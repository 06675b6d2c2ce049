#include "core/kernel/protocol/contender.h"

#include <utility>

namespace lockscope::protocol {

Contender::Contender(ClientEnvironment environment, Identity identity, trace::ContenderId id,
                     Rng rng, ClientMemory& memory)
    : m_environment(std::move(environment)),
      m_identity(std::move(identity)),
      m_id(id),
      m_rng(rng),
      m_memory(memory)
{}

/// What is left at random are 74 bits, among the tokens of one client.
Bytes Contender::freshToken()
{
    Bytes token = randomUuid(m_rng);
    const std::string_view mark = m_identity.mark();
    token.replace(token.size() - mark.size(), mark.size(), mark);
    return token;
}

void Contender::record(trace::EventKind kind, const LockRequest& request, std::int64_t value)
{
    trace::Event event;
    event.at = now();
    event.kind = kind;
    event.contender = m_id;
    event.lock = request.lock;
    event.isRead = request.mode == Mode::Read;
    event.value = value;
    m_environment.events.append(event);
}

async::Task<void> Contender::sleepUntil(Instant deadline)
{
    while (!m_isInterrupted && now() < deadline) {
        co_await waitForBell(deadline);
    }
}

void Contender::interrupt()
{
    m_isInterrupted = true;
    m_bell.open();
}

} // namespace lockscope::protocol
