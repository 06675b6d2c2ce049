#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/decision_check.h"
#include "app/cli/output/lock_table.h"
#include "app/cli/output/near_miss_list.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/wording.h"
#include "core/operations/survey.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using inspect::LockPtr;

namespace {

using namespace std::chrono_literals;

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
          m_formats(formatsOfUser(context.output)),
          m_book(context.endpoints, m_formats),
          m_links(context),
          m_survey(context.executor, context.clock, m_links.servers(), m_book,
                   {arguments.selection.isDeep, arguments.selection.patterns, m_formats},
                   [this] { showProgress(); })
    {}

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open(ServerLinks::Absence::OfSome);
        if (!isOpen) {
            co_return exitCodeOf(m_links.problem());
        }
        if (!store::mayVoteTogether(m_links.infos())) {
            m_book.keepApart(m_context.clock.now());
        }
        m_survey.leaveOut(m_links.unreachable());
        if (m_arguments.selection.isDeep) {
            m_links.warnOfDeepLook();
        }
        const auto failure = co_await m_survey.run();
        if (failure) {
            complain(*failure);
            co_return exitCodeOf(failure->problem);
        }
        for (std::size_t server = 0; server < m_names.size(); ++server) {
            m_findings.add(m_survey.findings(server));
        }
        print();
        complainAboutUnread();
        const int code = exitCodeOf(m_findings);
        co_return code != ExitDone ? code : exitCodeOf(m_links.gap());
    }

private:
    /// Says of each server what could not be read there.
    void complainAboutUnread()
    {
        for (std::size_t server = 0; server < m_names.size(); ++server) {
            for (const auto& sentence : inspect::unreadSentences(m_survey.findings(server))) {
                m_context.output.complain(m_names[server] + ": incomplete: " + sentence);
            }
        }
    }

    void complain(const operations::Survey::Failure& failure)
    {
        std::string sentence = store::explain(failure.problem);
        if (failure.sweep) {
            sentence = "stopped after " + countText(failure.sweep->scanned) + " of "
                       + countText(failure.sweep->total)
                       + " keys; no list is printed because it would be incomplete. " + sentence;
        }
        m_context.output.complain(m_names[failure.server] + ": " + sentence);
    }

    void showProgress()
    {
        const Instant now = m_context.clock.now();
        if (now < m_nextProgress) {
            return;
        }
        m_nextProgress = now + kProgressInterval;
        m_context.output.progress("scanning: " + countText(m_survey.scanned()) + " of "
                                  + countText(m_survey.total()) + " keys");
    }

    void print()
    {
        const Instant now = m_context.clock.now();
        std::vector<LockPtr> rows = m_book.rows();
        const Selection& selection = m_arguments.selection;
        m_dataCount = std::erase_if(rows, [&](const LockPtr& row) {
            return !selection.isAboutLock(*row);
        });
        const std::size_t found = rows.size();
        const inspect::FilterContext filterContext{now, m_names};
        std::erase_if(rows, [&](const LockPtr& row) {
            return !selection.filter.matches(*row, filterContext);
        });
        if (m_arguments.listsNearMisses) {
            printNearMisses(now);
        } else {
            sortByUrgency(rows);
            printRows(rows, now);
        }
        summarise(found, rows.size());
        mentionProbablyData();
        mentionMisfits();
        mentionNearMisses();
    }

    void printRows(const std::vector<LockPtr>& rows, Instant now)
    {
        switch (m_arguments.format) {
        case Format::Table: m_context.output.print(lockTable(rows, m_names, now)); return;
        case Format::Json: printJson(rows, now); return;
        case Format::Csv: printCsv(rows, now); return;
        case Format::Text:
        case Format::Markdown:
        case Format::Junit: return; // the arguments do not allow them
        }
    }

    void printNearMisses(Instant now)
    {
        std::vector<ServerFindings> all;
        for (std::size_t server = 0; server < m_names.size(); ++server) {
            all.push_back({m_names[server], m_context.endpoints[server].database,
                           m_survey.findings(server)});
        }
        m_context.output.print(nearMissText(all, m_arguments.format, now));
    }

    void mentionProbablyData()
    {
        if (m_dataCount > 0) {
            m_context.output.note(report::probablyDataSentence(m_dataCount)
                                  + "; --probably-data lists them");
        }
    }

    void mentionMisfits()
    {
        for (const DecisionCheck& check : checkDecisions(m_book.rows(), *m_formats)) {
            const std::string sentence = misfitsSentence(check, *m_formats);
            if (!sentence.empty()) {
                m_context.output.note(sentence + "; \"lockscope-cli treat\" decides anew");
            }
        }
    }

    void mentionNearMisses()
    {
        const std::uint64_t count = m_findings.nearMissCount();
        if (count == 0) {
            return;
        }
        const std::string advice =
            m_arguments.listsNearMisses
                ? "; --pattern GLOB treats them as locks"
                : "; --near-misses lists them, --pattern GLOB treats them as locks";
        m_context.output.note(report::nearMissSentence(count) + advice);
    }

    report::Json jsonOf(const inspect::LockRecord& row, Instant now) const
    {
        const JsonPlace place = jsonPlaceOf(row, m_context.endpoints);
        return report::lockJson(row, place.server, place.database, now);
    }

    void printJson(const std::vector<LockPtr>& rows, Instant now)
    {
        std::string chunk = "[";
        for (const LockPtr& row : rows) {
            chunk += row == rows.front() ? "\n" : ",\n";
            chunk += jsonOf(*row, now).dump();
            printWhenLarge(chunk);
        }
        m_context.output.print(chunk + (rows.empty() ? "]\n" : "\n]\n"));
    }

    void printCsv(const std::vector<LockPtr>& rows, Instant now)
    {
        std::string chunk = report::csvHeader() + "\r\n";
        for (const LockPtr& row : rows) {
            const JsonPlace place = jsonPlaceOf(*row, m_context.endpoints);
            chunk += report::csvLine(*row, place.server, place.database, now) + "\r\n";
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
        std::string sentence = "scanned " + countText(m_survey.scanned()) + " of "
                               + countText(m_survey.total()) + " keys, " + countText(found)
                               + (found == 1 ? " lock" : " locks");
        if (!m_arguments.selection.filter.isEmpty()) {
            sentence += ", " + countText(shown) + (shown == 1 ? " matches" : " match")
                        + " the filter";
        }
        m_context.output.note(sentence);
        const bool isNothingLeft = m_findings.isComplete() && m_findings.nearMissCount() == 0
                                   && m_dataCount == 0;
        const bool mayBeNarrow = found == 0 && isNothingLeft && m_survey.total() > 0
                                 && !m_arguments.selection.isDeep;
        if (mayBeNarrow) {
            m_context.output.note("no key has the name and the value of a lock; --deep reads every "
                                  "key, --pattern GLOB adds your own names");
        }
    }

    const Context& m_context;
    const ListArguments& m_arguments;
    std::vector<std::string> m_names;
    inspect::FormatTablePtr m_formats;
    inspect::LockBook m_book;
    ServerLinks m_links;
    operations::Survey m_survey;
    inspect::SweepFindings m_findings; // of all servers
    std::size_t m_dataCount = 0;       // rows left out because they are probably data
    Instant m_nextProgress{};
};

constexpr CommandText kListText{
    .name = "list",
    .summary = "find and list all locks",
    .details = R"(
Scans all keys once and prints the locks, the suspicious ones first. The number of scanned
keys is printed to standard error. If the server cannot be scanned completely, nothing is
printed and the exit code is 1 (5 if the permission to scan is missing). Keys that cannot be
read are counted on standard error, with the reason; the list is then incomplete and the exit
code is 1 (5 if only permissions are missing).
Keys whose names sound like locks but whose values are those of data are counted on
standard error; --probably-data lists them.
Keys that look like locks but are not recognised are counted as well; --near-misses lists
up to 1,000 of them and why, --pattern GLOB treats them as locks.
The table shortens long words in the middle; json and csv shorten nothing.
Of a Redlock set the servers that cannot be reached are unknown votes: the rest is printed, and
the exit code is 1. Of separate servers every one must be reached.
)",
    .examples = R"(
  lockscope-cli list --url redis://cache-1:6379
  lockscope-cli list --filter 'flag:no-expiry' --format json | jq -r '.[].key'
  lockscope-cli list --url redis://a --url redis://b --url redis://c --redlock-set
  lockscope-cli list --url redis://a/0 --url redis://a/1 --filter 'server:*/1'
)",
    .servers = ServerUse::NamedOrLocal,
};

class ListCommand final : public CommandWith<ListArguments> {
public:
    ListCommand() : CommandWith(kListText) {}

    void declare(app::OptionSet& options) override
    {
        declareSelection(options, m_arguments.selection);
        options.addSwitch(
            "near-misses", m_arguments.listsNearMisses,
            "List the keys that looked like locks but were not recognised,\nand why.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json, Format::Csv});
    }

    async::Task<int> run(Context context) override
    {
        Listing one(context, m_arguments);
        const int code = co_await one.run();
        co_return code;
    }
};

} // namespace

std::unique_ptr<Command> listCommand()
{
    return std::make_unique<ListCommand>();
}

} // namespace lockscope::cli
