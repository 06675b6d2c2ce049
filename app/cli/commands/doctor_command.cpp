#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/diagnosis/hygiene.h"
#include "core/operations/lock_observation.h"
#include "core/operations/survey.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

namespace {

/// Of each server; more would not be looked at often enough.
constexpr std::size_t kWatchedLocksMax = 500;

constexpr CommandText kDoctorText{
    .name = "doctor",
    .summary = "what in the set-up of a server will hurt its locks one day",
    .details = R"(
Scans all keys once, asks the server about memory, persistence and replicas, and prints what will
hurt its locks one day, the most urgent first: what was seen, what happens then, what to do, and
the call of explore that shows the harm as a story. What could not be judged is listed as not
known. With --for the first 500 locks are watched first, which shows leases that are too short.
Several --url are a Redlock set. Read-only.

The exit code is 10 if something has to be mended (severity 2), otherwise 0.
)",
    .examples = R"(
  lockscope-cli doctor --url redis://10.0.0.5
  lockscope-cli doctor --url redis://10.0.0.5 --for 1m --format json | jq -r '.findings[].id'
)",
    .servers = ServerUse::NamedOrLocal,
};

/// One run of `doctor`.
class Visit {
public:
    Visit(const Context& context, const DoctorArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_names(serverNames(context.endpoints)),
          m_formats(formatsOfUser(context.output)),
          m_book(static_cast<std::uint16_t>(context.endpoints.size()), m_formats),
          m_links(context),
          m_survey(context.executor, context.clock, m_links.servers(), m_book,
                   {false, {}, m_formats}, [] {})
    {}

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open();
        if (!isOpen) {
            co_return exitCodeOf(m_links.problem());
        }
        m_isOfSet = m_links.count() > 1 && store::mayVoteTogether(m_links.infos());
        if (!m_isOfSet) {
            m_book.keepApart(m_context.clock.now());
        }
        const auto failure = co_await m_survey.run();
        if (failure) {
            co_return complain(failure->server, failure->problem);
        }
        auto lost = co_await watch();
        if (lost) {
            co_return complain(lost->first, lost->second);
        }
        for (std::uint16_t server = 0; server < m_links.count(); ++server) {
            diagnosis::ServerFacts facts = co_await diagnosis::askServerFacts(m_links.store(server),
                                                                              m_context.clock,
                                                                              server);
            facts = co_await diagnosis::withSettings(m_links.store(server), std::move(facts));
            m_facts.push_back(std::move(facts));
        }
        co_return print();
    }

private:
    int complain(std::size_t server, const store::Problem& problem) const
    {
        m_context.output.complain(m_names[server] + ": " + store::explain(problem));
        return exitCodeOf(problem);
    }

    async::Task<std::optional<std::pair<std::uint16_t, store::Problem>>> watch()
    {
        if (m_arguments.watchFor == Duration(0)) {
            co_return std::nullopt;
        }
        operations::ObservedKeys keys;
        for (std::uint16_t server = 0; server < m_links.count(); ++server) {
            keys.push_back(m_book.groups(server));
            keys.back().resize(std::min(keys.back().size(), kWatchedLocksMax));
        }
        auto lost = co_await operations::observeLocks(m_links.servers(), m_context.clock, m_book,
                                                      m_formats, std::move(keys),
                                                      m_arguments.watchFor);
        co_return lost;
    }

    int print()
    {
        const std::vector<inspect::LockPtr> rows = m_book.rows();
        const diagnosis::Hygiene hygiene = diagnosis::examine({.locks = rows,
                                                               .servers = m_facts,
                                                               .isOfSet = m_isOfSet,
                                                               .watchedFor = m_arguments.watchFor});
        m_context.output.print(m_arguments.format == Format::Json
                                   ? diagnosis::hygieneJson(hygiene, m_isOfSet, m_names).dump()
                                         + '\n'
                                   : diagnosis::hygieneText(hygiene, m_isOfSet, m_names));
        const bool isUrgent = std::ranges::any_of(hygiene.findings, [](const auto& finding) {
            return finding.severity > 1;
        });
        return isUrgent ? ExitPromiseBroken : ExitDone;
    }

    Context m_context;
    const DoctorArguments& m_arguments;
    std::vector<std::string> m_names;
    inspect::FormatTablePtr m_formats;
    inspect::LockBook m_book;
    ServerLinks m_links;
    operations::Survey m_survey;
    std::vector<diagnosis::ServerFacts> m_facts;
    bool m_isOfSet = false;
};

class DoctorCommand final : public CommandWith<DoctorArguments> {
public:
    DoctorCommand() : CommandWith(kDoctorText) {}

    void declare(app::OptionSet& options) override
    {
        options.addDuration("for", m_arguments.watchFor,
                            "Watch the locks for so long before the server is judged.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    async::Task<int> run(Context context) override
    {
        Visit visit(context, m_arguments);
        co_return co_await visit.run();
    }
};

} // namespace

std::unique_ptr<Command> doctorCommand()
{
    return std::make_unique<DoctorCommand>();
}

} // namespace lockscope::cli
