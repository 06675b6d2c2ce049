#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/server_survey.h"
#include "core/kernel/diagnosis/hygiene_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::cli {

namespace {

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
        ServerSurvey survey(context, m_arguments.watchFor);
        const bool isDone = co_await survey.run();
        if (!isDone) {
            co_return exitCodeOf(survey.problem());
        }
        std::vector<diagnosis::ServerFacts> servers;
        for (std::uint16_t server = 0; server < survey.links().count(); ++server) {
            const std::vector<operations::NodeStore> nodes = survey.links().servers().nodes(server);
            for (const operations::NodeStore& node : nodes) {
                auto facts = co_await diagnosis::askServerFacts(*node.store, context.clock, server);
                facts = co_await diagnosis::withSettings(*node.store, std::move(facts));
                facts.node = node.name;
                servers.push_back(std::move(facts));
            }
            if (nodes.empty()) { // of a cluster that nothing is known of
                diagnosis::ServerFacts& unasked = servers.emplace_back();
                unasked.server = server;
                unasked.isAsked = false;
            }
        }
        co_return print(context, survey, servers);
    }

private:
    int print(const Context& context, ServerSurvey& survey,
              const std::vector<diagnosis::ServerFacts>& servers) const
    {
        const std::vector<inspect::LockPtr> rows = survey.rows();
        const bool isOfSet = survey.isOfSet();
        const diagnosis::Hygiene hygiene = diagnosis::examine({.locks = rows,
                                                               .servers = servers,
                                                               .isOfSet = isOfSet,
                                                               .watchedFor = m_arguments.watchFor});
        context.output.print(m_arguments.format == Format::Json
                                 ? diagnosis::hygieneJson(hygiene, isOfSet, survey.names()).dump()
                                       + '\n'
                                 : diagnosis::hygieneText(hygiene, isOfSet, survey.names()));
        const bool isUrgent = std::ranges::any_of(hygiene.findings, [](const auto& finding) {
            return finding.severity > 1;
        });
        return isUrgent ? static_cast<int>(ExitPromiseBroken) : survey.links().codeOfAbsence();
    }
};

} // namespace

std::unique_ptr<Command> doctorCommand()
{
    return std::make_unique<DoctorCommand>();
}

} // namespace lockscope::cli
