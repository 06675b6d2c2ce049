#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "core/kernel/inspect/watch/sweep_findings.h"
#include "core/operations/servers.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockscope::operations {

struct SurveyOptions {
    bool isDeep = false;
    std::vector<std::string> patterns; // names that the user calls locks
    inspect::FormatTablePtr formats = inspect::builtinFormatTable();
};

/// One complete look at every server: all locks, who waits for them, and the clients behind their
/// owners, as far as the server tells. Runs on one executor.
class Survey {
public:
    /// Why there is no complete list.
    struct Failure {
        std::uint16_t server = 0;
        store::Problem problem;
        /// How far it came; nullopt: it was complete.
        std::optional<inspect::SweepEnd> sweep;
    };

    /// `progressed` is called now and then. The references outlive the survey.
    Survey(async::Executor& executor, Clock& clock, Servers& servers, inspect::LockBook& book,
           SurveyOptions options, std::function<void()> progressed);
    ~Survey();

    /// Servers of a set that turned out to be out of reach: what they have stays unknown. To be
    /// called before run().
    void leaveOut(std::span<const std::uint16_t> unreachable);

    /// Tells the book. nullopt: every key was looked at.
    async::Task<std::optional<Failure>> run();

    /// What the sweep of a server came upon beside locks.
    const inspect::SweepFindings& findings(std::size_t server) const;
    /// All servers together.
    std::uint64_t scanned() const;
    std::uint64_t total() const;

private:
    class OfServer;

    async::Task<std::optional<Failure>> confirmSplits();
    void takeTopologies();

    async::Executor& m_executor;
    Clock& m_clock;
    Servers& m_all;
    inspect::LockBook& m_book;
    std::vector<std::unique_ptr<OfServer>> m_servers;
    std::vector<std::uint16_t> m_asked; // all but those that cannot be reached
};

} // namespace lockscope::operations
