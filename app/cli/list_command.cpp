#include "cli/list_command.h"

#include "async/when_all.h"
#include "cli/exit_code.h"
#include "cli/lock_table.h"
#include "cli/near_miss_list.h"
#include "cli/survey.h"
#include "report/lock_json.h"
#include "report/wording.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lockscope::cli {

using inspect::LockPtr;
using inspect::LockRecord;
using inspect::SweepEnd;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// A Redlock is taken server by server. What still looks split after this is split.
constexpr Duration kSplitPause = 1050ms;
constexpr Duration kProgressInterval = 100ms;
/// Printed at once: a million locks need not be one text in memory.
constexpr std::size_t kChunkBytes = 64UL * 1024;

/// One run of `list`.
class Listing {
public:
    Listing(const Context& context, const ListArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_names(serverNames(context.endpoints)),
          m_book(static_cast<std::uint16_t>(context.endpoints.size())),
          m_links(context)
    {}

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open();
        if (!isOpen) {
            co_return exitCodeOf(m_links.problem());
        }
        if (!store::mayVoteTogether(m_links.infos())) {
            m_book.keepApart(m_context.clock.now());
        }
        if (m_arguments.selection.isDeep) {
            m_links.warnOfDeepLook();
        }
        startSurveys();
        const Problem problem = co_await survey();
        if (problem.kind != Problem::Kind::None) {
            co_return exitCodeOf(problem);
        }
        const Problem later = co_await confirmSplits();
        if (later.kind != Problem::Kind::None) {
            co_return exitCodeOf(later);
        }
        print();
        co_return reportUnread();
    }

private:
    /// Says of each server what could not be read there.
    int reportUnread()
    {
        inspect::SweepFindings all;
        for (std::size_t server = 0; server < m_surveys.size(); ++server) {
            const inspect::SweepFindings& findings = m_surveys[server]->findings();
            for (const std::string& sentence : inspect::unreadSentences(findings)) {
                m_context.output.complain(m_names[server] + ": incomplete: " + sentence);
            }
            all.add(findings);
        }
        return exitCodeOf(all);
    }

    void startSurveys()
    {
        for (std::uint16_t server = 0; server < m_links.count(); ++server) {
            m_surveys.push_back(std::make_unique<Survey>(m_context, server, m_links.store(server),
                                                         m_book, m_arguments.selection,
                                                         [this] { showProgress(); }));
        }
    }

    async::Task<Problem> survey()
    {
        std::vector<async::Task<SweepEnd>> tasks;
        tasks.reserve(m_surveys.size());
        for (const auto& survey : m_surveys) {
            tasks.push_back(survey->run());
        }
        const std::vector<SweepEnd> ends = co_await async::whenAll(m_context.executor,
                                                                   std::move(tasks));
        for (std::size_t server = 0; server < ends.size(); ++server) {
            const SweepEnd& end = ends[server];
            if (end.problem.kind != Problem::Kind::None) {
                m_context.output.complain(
                    m_names[server] + ": stopped after " + countText(end.scanned) + " of "
                    + countText(end.total)
                    + " keys; no list is printed because it would be incomplete. "
                    + store::explain(end.problem));
                co_return end.problem;
            }
            m_book.setSwept(static_cast<std::uint16_t>(server), m_context.clock.now());
            m_scanned += end.scanned;
            m_total += end.total;
        }
        co_return Problem();
    }

    static bool looksSplit(const LockPtr& row)
    {
        return row->quorum.total > 0 && (row->quorum.isMinority() || row->holders.size() > 1);
    }

    /// Looks again at Redlock rows that may only have been caught in the moment of being taken.
    async::Task<Problem> confirmSplits()
    {
        std::vector<LockPtr> rows = m_book.rows();
        std::erase_if(rows, [](const LockPtr& row) { return !looksSplit(row); });
        if (rows.empty()) {
            co_return Problem();
        }
        co_await m_context.clock.wakeAt(m_context.clock.now() + kSplitPause);
        std::vector<inspect::KeyGroup> groups;
        groups.reserve(rows.size());
        for (const LockPtr& row : rows) {
            groups.push_back({row->id.name, {row->id.name}});
        }
        for (std::size_t server = 0; server < m_surveys.size(); ++server) {
            const Problem problem = co_await m_surveys[server]->lookAgain(groups);
            if (problem.kind != Problem::Kind::None) {
                m_context.output.complain(m_names[server] + ": " + store::explain(problem));
                co_return problem;
            }
        }
        m_book.tick(m_context.clock.now());
        co_return Problem();
    }

    void showProgress()
    {
        const Instant now = m_context.clock.now();
        if (now < m_nextProgress) {
            return;
        }
        m_nextProgress = now + kProgressInterval;
        std::uint64_t scanned = 0;
        std::uint64_t total = 0;
        for (const auto& survey : m_surveys) {
            scanned += survey->scanned();
            total += survey->total();
        }
        m_context.output.progress("scanning: " + countText(scanned) + " of " + countText(total)
                                  + " keys");
    }

    void print()
    {
        const Instant now = m_context.clock.now();
        std::vector<LockPtr> rows = m_book.rows();
        const std::size_t found = rows.size();
        const inspect::FilterContext filterContext{now, m_names};
        std::erase_if(rows, [&](const LockPtr& row) {
            return !m_arguments.selection.filter.matches(*row, filterContext);
        });
        if (m_arguments.listsNearMisses) {
            printNearMisses(now);
        } else {
            sortByUrgency(rows);
            printRows(rows, now);
        }
        summarise(found, rows.size());
        mentionNearMisses();
    }

    void printRows(const std::vector<LockPtr>& rows, Instant now)
    {
        switch (m_arguments.format) {
        case Format::Table: m_context.output.print(lockTable(rows, m_names, now)); return;
        case Format::Json: printJson(rows, now); return;
        case Format::Csv: printCsv(rows, now); return;
        case Format::Text:
        case Format::Markdown: return; // the arguments do not allow them
        }
    }

    void printNearMisses(Instant now)
    {
        std::vector<ServerFindings> all;
        for (std::size_t server = 0; server < m_surveys.size(); ++server) {
            all.push_back({m_names[server], m_context.endpoints[server].database,
                           m_surveys[server]->findings()});
        }
        m_context.output.print(nearMissText(all, m_arguments.format, now));
    }

    void mentionNearMisses()
    {
        std::uint64_t count = 0;
        for (const auto& survey : m_surveys) {
            count += survey->findings().nearMissCount();
        }
        if (count == 0) {
            return;
        }
        const std::string advice =
            m_arguments.listsNearMisses
                ? "; --pattern GLOB treats them as locks"
                : "; --near-misses lists them, --pattern GLOB treats them as locks";
        m_context.output.note(report::nearMissSentence(count) + advice);
    }

    int databaseOf(const LockRecord& record) const
    {
        const std::size_t server = record.id.server;
        return m_context.endpoints[server < m_context.endpoints.size() ? server : 0].database;
    }

    void printJson(const std::vector<LockPtr>& rows, Instant now)
    {
        std::string chunk = "[";
        for (const LockPtr& row : rows) {
            chunk += row == rows.front() ? "\n" : ",\n";
            chunk +=
                report::lockJson(*row, serverNameOf(*row, m_names), databaseOf(*row), now).dump();
            printWhenLarge(chunk);
        }
        m_context.output.print(chunk + (rows.empty() ? "]\n" : "\n]\n"));
    }

    void printCsv(const std::vector<LockPtr>& rows, Instant now)
    {
        std::string chunk = report::csvHeader() + "\r\n";
        for (const LockPtr& row : rows) {
            chunk += report::csvLine(*row, serverNameOf(*row, m_names), databaseOf(*row), now)
                     + "\r\n";
            printWhenLarge(chunk);
        }
        m_context.output.print(chunk);
    }

    void printWhenLarge(std::string& chunk)
    {
        if (chunk.size() >= kChunkBytes) {
            m_context.output.print(chunk);
            chunk.clear();
        }
    }

    void summarise(std::size_t found, std::size_t shown)
    {
        std::string sentence = "scanned " + countText(m_scanned) + " of " + countText(m_total)
                               + " keys, " + countText(found) + (found == 1 ? " lock" : " locks");
        if (!m_arguments.selection.filter.isEmpty()) {
            sentence += ", " + countText(shown) + (shown == 1 ? " matches" : " match")
                        + " the filter";
        }
        m_context.output.note(sentence);
        const bool isNothingLeft = std::ranges::all_of(m_surveys, [](const auto& survey) {
            return survey->findings().isComplete() && survey->findings().nearMissCount() == 0;
        });
        const bool mayBeNarrow = found == 0 && isNothingLeft && m_total > 0
                                 && !m_arguments.selection.isDeep;
        if (mayBeNarrow) {
            m_context.output.note("no key has the name and the value of a lock; --deep reads every "
                                  "key, --pattern GLOB adds your own names");
        }
    }

    const Context& m_context;
    const ListArguments& m_arguments;
    std::vector<std::string> m_names;
    inspect::LockBook m_book;
    ServerLinks m_links;
    std::vector<std::unique_ptr<Survey>> m_surveys;
    Instant m_nextProgress{};
    std::uint64_t m_scanned = 0;
    std::uint64_t m_total = 0;
};

} // namespace

async::Task<int> runList(Context context, ListArguments arguments)
{
    Listing listing(context, arguments);
    const int code = co_await listing.run();
    co_return code;
}

} // namespace lockscope::cli
