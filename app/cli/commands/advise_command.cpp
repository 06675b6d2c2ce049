#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/harm_choice.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/output/advice_text.h"
#include "app/cli/session/search_session.h"
#include "app/cli/session/search_tasks.h"
#include "app/quoted_words.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/client_libraries.h"
#include "core/kernel/report/advice_json.h"
#include "core/kernel/report/remedy_checks.h"
#include "core/kernel/search/matrix_tasks.h"

#include <algorithm>
#include <optional>

namespace lockscope::cli {

using report::Advice;
using report::AdviceCost;
using report::AdviceQuestion;
using search::Harm;
using world::FaultKind;

namespace {

constexpr std::uint64_t kServersMax = 99;

constexpr CommandText kAdviseText{
    .name = "advise",
    .summary = "which lock to use",
    .details = R"(
Explores every protocol under what may go wrong, and lists those in which nothing happens that
must not, with what they cost; for the others the shortest way to break them; and where nothing
holds, what would help. That nothing goes wrong is always tried as well. The exit code is 10 if
nothing holds.

Whatever is asked, a protocol is no choice if it breaks although nothing goes wrong, if one crash
leaves it closed permanently, or if it removes locks of others: crash and pause are always tried to
know that.
)",
    .examples = R"(
  lockscope-cli advise --never two-holders,stuck --despite crash,connection-loss
  lockscope-cli advise --despite failover --servers 5 --library java,go
  lockscope-cli advise --despite pause --format json | jq .additions
)",
};

std::string readLanguages(const std::string& text, std::vector<std::string>& languages)
{
    const std::vector<std::string_view> known = protocol::libraryLanguages();
    languages = listedWords(text);
    for (const std::string& language : languages) {
        if (std::ranges::find(known, language) == known.end()) {
            return app::noneOf(language, known);
        }
    }
    return languages.empty() ? "the list is empty" : "";
}

class AdviseCommand final : public CommandWith<AdviseArguments> {
public:
    AdviseCommand() : CommandWith(kAdviseText) {}

    void declare(app::OptionSet& options) override
    {
        AdviceQuestion& question = m_arguments.question;
        question.never = {Harm::TwoHolders, Harm::Stuck};
        declareNever(options, question.never);
        question.despite = {FaultKind::Crash};
        declareFaults(options, question.despite,
                      "What may go wrong, one at a time (crash):", "despite");
        options.addNumber("servers", question.serverCount, 1, kServersMax,
                          "Independent masters that there are (1).");
        options.addSwitch("reentrant", question.isReentrant, "The same owner takes it again.");
        options.addSwitch("readers", question.hasReaders, "Several readers, or one writer.");
        options.addSwitch("permits", question.hasPermits, "Several holders, up to a number.");
        const auto readLibraries = [&question](const std::string& text) {
            return readLanguages(text, question.languages);
        };
        options.add("library", "LIST", readLibraries,
                    "Only what a library of one of these languages follows (any):\n"
                        + joined(protocol::libraryLanguages(), ", ") + '.');
        const auto languages = protocol::libraryLanguages();
        options.suggest("library", {languages.begin(), languages.end()});
        declareProtocols(options, m_protocols);
        declareBounds(options, m_arguments.bounds, search::kMatrixSchedules);
        declareThreads(options, m_arguments.threadCount);
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands&) override
    {
        m_arguments.protocols = listedProtocols(m_protocols);
        std::vector<FaultKind>& despite = m_arguments.question.despite;
        if (std::ranges::find(despite, FaultKind::Interleaving) == despite.end()) {
            despite.insert(despite.begin(), FaultKind::Interleaving);
        }
    }

    async::Task<int> run(Context context) override
    {
        SearchSession session(context, {tasksOf(m_arguments), m_arguments.threadCount});
        if (!co_await session.ended()) {
            co_return session.interruptCode(); // half an answer is none
        }
        Advice advice = adviceOn(m_arguments.question, infos(), session.reports());
        report::RemedyRounds rounds(advice, m_arguments.question, infos());
        while (!rounds.checks().empty()) {
            SearchSession remedies(context, {tasksOf(m_arguments, rounds.checks()),
                                             m_arguments.threadCount});
            if (!co_await remedies.ended()) {
                co_return remedies.interruptCode();
            }
            rounds.take(advice, remedies.reports());
        }
        print(context, advice);
        const bool isAny = std::ranges::any_of(advice.protocols, &report::ProtocolAdvice::suits);
        co_return isAny ? ExitDone : ExitPromiseBroken;
    }

private:
    std::vector<const protocol::ProtocolInfo*> infos() const
    {
        std::vector<const protocol::ProtocolInfo*> infos;
        for (const report::SavedProtocol& protocol : m_arguments.protocols) {
            infos.push_back(&protocol.info());
        }
        return infos;
    }

    std::vector<std::optional<AdviceCost>> costsOf(const Advice& advice) const
    {
        std::vector<std::optional<AdviceCost>> costs;
        for (const report::ProtocolAdvice& one : advice.protocols) {
            const auto protocol = std::ranges::find_if(m_arguments.protocols,
                                                       [&one](const report::SavedProtocol& saved) {
                                                           return saved.info().id == one.protocol;
                                                       });
            costs.push_back(one.suits() ? std::optional(report::costOf(*protocol->protocol))
                                        : std::nullopt);
        }
        return costs;
    }

    void print(const Context& context, const Advice& advice) const
    {
        const std::vector<std::optional<AdviceCost>> costs = costsOf(advice);
        const AdviceQuestion& question = m_arguments.question;
        context.output.print(m_arguments.format == Format::Json
                                 ? adviceJson(question, advice, costs).dump(2) + '\n'
                                 : adviceText(question, advice, costs));
    }

    std::string m_protocols{kEverything};
};

} // namespace

std::unique_ptr<Command> adviseCommand()
{
    return std::make_unique<AdviseCommand>();
}

} // namespace lockscope::cli
