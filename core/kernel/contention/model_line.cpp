#include "contention/model_line.h"

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

void ModelLine::transmit(store::Command command, Waiter waiter)
{
    ++m_commandCount;
    m_waiters.push_back(std::move(waiter));
    m_server.send(m_session, std::move(command), m_driver.present());
}

async::Pending<Outcome> ModelLine::send(store::Command command)
{
    async::Completer<Outcome> completer;
    auto pending = completer.pending();
    m_driver.spend(m_driver.costs().send);
    transmit(std::move(command),
             [completer](store::Reply reply) mutable { completer.complete(std::move(reply)); });
    return pending;
}

/// The whole batch leaves at once.
async::Pending<std::vector<Outcome>> ModelLine::sendAll(std::vector<store::Command> commands)
{
    using Outcomes = std::vector<Outcome>;
    if (commands.empty()) {
        return async::Pending<Outcomes>::ready({});
    }
    async::Completer<Outcomes> completer;
    auto pending = completer.pending();
    const auto outcomes = std::make_shared<Outcomes>();
    m_driver.spend(m_driver.costs().send);
    for (const std::size_t count = commands.size(); store::Command & command : commands) {
        transmit(std::move(command), [completer, outcomes, count](store::Reply reply) mutable {
            outcomes->push_back(std::move(reply));
            if (outcomes->size() == count) {
                completer.complete(std::move(*outcomes));
            }
        });
    }
    return pending;
}

void ModelLine::hear(store::Reply reply)
{
    const Waiter waiter = std::move(m_waiters.front());
    m_waiters.pop_front();
    waiter(std::move(reply));
}

} // namespace lockscope::contention
