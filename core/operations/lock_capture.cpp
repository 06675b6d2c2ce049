#include "core/operations/lock_capture.h"

#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/store/cluster.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace lockscope::operations {

using diagnosis::KeyCapture;
using store::Problem;

namespace {

/// The keys that there are, and the name itself where there are none.
KeyCapture captureOf(const InspectedLock& inspected, const inspect::LockId& id, int database)
{
    std::vector<Bytes> keys{id.name};
    std::vector<Bytes> owners;
    for (const inspect::LockInspection& inspection : inspected.inspections) {
        for (const inspect::Observation& key : inspection.snapshot.keys) {
            keys.push_back(key.key);
        }
        if (const inspect::LockPtr lock = inspection.record()) {
            for (const inspect::Holder& holder : lock->holders) {
                owners.push_back(holder.owner);
            }
        }
    }
    return {database, std::move(keys), std::move(owners)};
}

async::Task<std::vector<inspect::ClientEntry>> clientsOf(store::Store& store)
{
    store::Command command("CLIENT", "LIST");
    const store::Outcome outcome = co_await store.submit(std::move(command));
    const store::Reply* const reply = store::replyOf(outcome);
    const Bytes* const text = reply != nullptr ? reply->text() : nullptr;
    auto clients = text != nullptr ? inspect::parseClientList(*text) : std::nullopt;
    co_return clients ? std::move(*clients) : std::vector<inspect::ClientEntry>();
}

/// Where it is listened to: every client of a Redlock set talks to all of its servers.
std::uint16_t serverToHear(const InspectedLock& inspected, const inspect::LockId& id)
{
    if (id.server != inspect::LockId::kWholeSet) {
        return id.server;
    }
    for (const inspect::LockInspection& inspection : inspected.inspections) {
        if (inspection.snapshot.exists()) {
            return inspection.snapshot.server;
        }
    }
    return inspected.inspections.empty() ? 0 : inspected.inspections.front().snapshot.server;
}

} // namespace

/// Lives in the frame of the task, so that it ends with it, however that ends.
class LockListener::Listening {
public:
    explicit Listening(LockListener& listener) : m_listener(listener)
    {
        m_listener.m_listening = this;
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening()
    {
        if (m_listener.m_listening == this) {
            m_listener.m_listening = nullptr;
        }
    }

    void stop()
    {
        isStopped = true;
        if (feed) {
            feed->stop();
        }
    }

    std::unique_ptr<CommandFeed> feed;
    bool isStopped = false;

private:
    LockListener& m_listener;
};

async::Task<CaptureResult> LockListener::listen(inspect::LockId id, FeedLimits limits)
{
    Listening listening(*this);
    const InspectedLock inspected = co_await m_inspector.inspectLock(id,
                                                                     LockInspector::Purpose::Look);
    const std::uint16_t server = serverToHear(inspected, id);
    const bool isRead = !inspected.inspections.empty(); // on one server of a set at least
    const std::vector<std::uint16_t> dispensable = isRead ? inspected.unasked()
                                                          : std::vector<std::uint16_t>();
    if (const auto obstacle = inspected.obstacle(dispensable)) {
        co_return obstacle->second;
    }
    listening.feed = m_servers.commandFeed(server, id.name);
    store::Store* const node = m_servers.storeOf(server, id.name);
    if (!listening.feed || node == nullptr) {
        co_return Problem{
            Problem::Kind::ClusterSlotsUnowned, std::to_string(store::slotOf(id.name)), {}, {}};
    }
    KeyCapture capture = captureOf(inspected, id, m_servers.endpoint(server).database);
    if (listening.isStopped) {
        listening.feed->stop();
    }
    std::function<void(std::string_view)> take = [&capture](std::string_view line) {
        capture.take(line);
    };
    const CommandFeed::Result result = co_await listening.feed->listen(limits, std::move(take));
    if (const auto* const problem = std::get_if<Problem>(&result)) {
        co_return *problem;
    }
    std::vector<inspect::ClientEntry> clients = co_await clientsOf(*node);
    co_return LockCapture{std::move(capture), std::get<diagnosis::CaptureEnd>(result),
                          std::move(clients)};
}

void LockListener::stop()
{
    if (m_listening != nullptr) {
        m_listening->stop();
    }
}

} // namespace lockscope::operations
