#pragma once

#include "async/task.h"
#include "cli/server_link.h"
#include "inspect/key_reader.h"
#include "inspect/lock_book.h"
#include "inspect/lock_names.h"
#include "inspect/sweep.h"
#include "inspect/sweep_findings.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace lockscope::cli {

/// One complete look at one server: sweeps, counts waiters, finds the clients behind owners, and
/// tells a book.
class Survey final : private inspect::SweepSink {
public:
    using Progress = std::function<void()>;

    /// `progress` is called now and then. Everything outlives the survey.
    Survey(const Context& context, std::uint16_t server, store::Store& store,
           inspect::LockBook& book, const Selection& selection, Progress progress);

    /// Ends with what was scanned, or with what kept it from being complete. Missing permissions to
    /// count waiters or to list clients are no problem: then these stay unknown.
    async::Task<inspect::SweepEnd> run();

    /// The part of run() behind the sweep: waiters and clients of the locks that the book knows.
    async::Task<store::Problem> askAboutCompany();

    /// Reads some keys once more.
    async::Task<store::Problem> lookAgain(std::vector<inspect::KeyGroup> groups);

    /// What the sweep came upon beside locks.
    const inspect::SweepFindings& findings() const { return m_findings; }

    std::uint64_t scanned() const { return m_scanned; }
    std::uint64_t total() const { return m_total; }

private:
    async::Task<void> adjustCalendar();
    async::Task<store::Problem> countWaiters();
    async::Task<store::Problem> listClients();

    void sighted(std::vector<inspect::Sighting> sightings) override;
    void progressed(std::uint64_t scanned, std::uint64_t total) override;

    Context m_context;
    std::uint16_t m_server;
    store::Store& m_store;
    inspect::LockBook& m_book;
    const Selection& m_selection;
    Progress m_progress;
    std::uint64_t m_scanned = 0;
    std::uint64_t m_total = 0;
    inspect::SweepFindings m_findings;
    inspect::NameRules m_names;
    inspect::ServerCalendar m_calendar;
    inspect::KeyReader m_reader;
    inspect::Sweep m_sweep;
};

} // namespace lockscope::cli
