#include "core/kernel/contention/model_line.h"

#include <memory>
#include <utility>

namespace lockscope::contention {

using store::Outcome;

ModelLine::ModelLine(ModelDriver& driver, ModelServer& server)
    : m_driver(driver),
      m_server(server),
      m_session(server.connect(*this))
{}

ModelLine::~ModelLine()
{
    m_server.disconnect(m_session);
    m_driver.forget(*this);
}

/// `waiter` hears the answer of each.
void ModelLine::transmit(std::span<store::Command> commands, const Waiter& waiter)
{
    m_commandCount += commands.size();
    m_waiters.insert(m_waiters.end(), commands.size(), waiter);
    m_driver.send(m_server, m_session, commands);
}

async::Pending<Outcome> ModelLine::send(store::Command command)
{
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    transmit({&command, 1},
             [completer](store::Reply reply) mutable { completer.complete(std::move(reply)); });
    return pending;
}

async::Pending<std::vector<Outcome>> ModelLine::sendAll(std::vector<store::Command> commands)
{
    using Outcomes = std::vector<Outcome>;
    if (commands.empty()) {
        return async::Pending<Outcomes>::ready({});
    }
    async::Completer<Outcomes> completer;
    auto pending = completer.pending();
    const auto outcomes = std::make_shared<Outcomes>();
    const auto collect = [completer, outcomes,
                          count = commands.size()](store::Reply reply) mutable {
        outcomes->push_back(std::move(reply));
        if (outcomes->size() == count) {
            completer.complete(std::move(*outcomes));
        }
    };
    transmit(commands, collect);
    return pending;
}

void ModelLine::hear(store::Reply reply)
{
    const Waiter waiter = std::move(m_waiters.front());
    m_waiters.pop_front();
    waiter(std::move(reply));
}

} // namespace lockscope::contention
