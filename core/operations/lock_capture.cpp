#include "core/operations/lock_capture.h"

#include "core/kernel/inspect/lock_inspection.h"

#include <memory>
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

} // namespace

async::Task<std::variant<LockCapture, Problem>> captureLock(Servers& servers,
                                                            LockInspector& inspector,
                                                            inspect::LockId id, FeedLimits limits)
{
    const std::unique_ptr<CommandFeed> feed = servers.commandFeed(id.server);
    if (!feed) {
        co_return Problem{Problem::Kind::ClusterUnsupported, {}, {}, {}};
    }
    const InspectedLock inspected = co_await inspector.inspectLock(id,
                                                                   LockInspector::Purpose::Look);
    if (const auto obstacle = inspected.obstacle()) {
        co_return obstacle->second;
    }
    KeyCapture capture = captureOf(inspected, id, servers.endpoint(id.server).database);
    std::function<void(std::string_view)> take = [&capture](std::string_view line) {
        capture.take(line);
    };
    const CommandFeed::Result result = co_await feed->listen(limits, std::move(take));
    if (const auto* const problem = std::get_if<Problem>(&result)) {
        co_return *problem;
    }
    std::vector<inspect::ClientEntry> clients = co_await clientsOf(servers.store(id.server));
    co_return LockCapture{std::move(capture), std::get<diagnosis::CaptureEnd>(result),
                          std::move(clients)};
}

} // namespace lockscope::operations
