#pragma once

#include "core/kernel/inspect/watch/lock_watcher.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/seen_keys.h"
#include "tests/support/virtual_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// What a watcher says, counted.
struct WatchNotes final : inspect::WatchObserver {
    int newsCount = 0;
    int sweepsDone = 0;
    bool wasDeep = false;
    std::uint64_t scanned = 0;
    std::vector<store::Problem> limits;
    std::shared_ptr<const inspect::SweepFindings> findings;

    void bookChanged() override { ++newsCount; }
    void sweepProgressed(std::uint16_t, std::uint64_t scannedNow, std::uint64_t, bool isDone,
                         bool isDeep) override
    {
        sweepsDone += isDone ? 1 : 0;
        wasDeep = isDeep;
        scanned = scannedNow;
    }
    void sweepFound(std::uint16_t, std::shared_ptr<const inspect::SweepFindings> found) override
    {
        findings = std::move(found);
    }
    void limited(std::uint16_t, const store::Problem& problem) override
    {
        limits.push_back(problem);
    }
};

/// A watcher of a pretended server.
struct WatcherBench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const store::Command& command) { return keyspace.answer(command); }};
    inspect::LockBook book{1};
    WatchNotes observer;
    std::unique_ptr<inspect::LockWatcher> watcher;

    static inspect::WatchSettings push()
    {
        inspect::WatchSettings settings;
        settings.hasPush = true;
        return settings;
    }
    static inspect::WatchSettings polling() { return {}; }

    void watch(inspect::WatchSettings settings = push())
    {
        watcher = std::make_unique<inspect::LockWatcher>(loop.executor(), loop.clock(), store, book,
                                                         observer, std::move(settings));
        loop.settle();
    }

    /// A client changed the key, and the server said so, and there was time for a look.
    void push(const Bytes& key)
    {
        watcher->keyChanged(key);
        loop.advance(inspect::LockWatcher::kLookInterval);
    }

    inspect::LockPtr row(const Bytes& name) const
    {
        const std::vector<inspect::LockPtr> rows = book.rows();
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const inspect::LockPtr& r) {
            return r->id.name == name;
        });
        return found != rows.end() ? *found : nullptr;
    }

    std::vector<std::string> news()
    {
        std::vector<std::string> lines;
        for (const inspect::LockChange& change : book.takeDelta().changes) {
            lines.push_back(std::string(idOf(change.kind)) + ' ' + change.lock->id.name);
        }
        return lines;
    }
};

} // namespace lockscope::testing
