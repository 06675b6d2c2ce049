#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/decision_check.h"
#include "app/cli/output/lock_table.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "app/quoted_words.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/report/lock_json.h"
#include "core/operations/survey.h"
#include "core/wire/format_folder.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using inspect::Treatment;

namespace {

using Treatments = std::vector<Treatment>;

/// What the user's files say, as they were read, and where what names are treated as is kept.
struct Store {
    QString folder = wire::defaultFormatFolder();
    inspect::FormatTablePtr formats;
    Treatments treatments;
    bool isReadable = true; // false: what is in the file would be lost by writing it
};

Store readStore(Output& output)
{
    Store store;
    const wire::FormatFiles files = wire::readFormatFiles(store.folder);
    std::vector<inspect::OwnFileProblem> problems = files.problems;
    store.formats = inspect::tableOf(files.formats, files.treatments, nullptr, problems);
    const auto treatments = store.formats->recognisers().treatments;
    store.treatments.assign(treatments.begin(), treatments.end());
    for (const inspect::OwnFileProblem& problem : problems) {
        output.complain(problem.sentence);
    }
    store.isReadable = std::ranges::find(problems, files.treatments.path,
                                         &inspect::OwnFileProblem::path)
                       == problems.end();
    return store;
}

std::string_view wordOf(const Treatment& treatment)
{
    return treatment.isNoLock() ? inspect::kNotALock : std::string_view(treatment.format);
}

std::string treatmentsTable(const Treatments& treatments)
{
    if (treatments.empty()) {
        return "No names are treated otherwise than their keys look.\n";
    }
    std::vector<std::vector<std::string>> lines = {{"KEYS", "TREATED AS"}};
    for (const Treatment& treatment : treatments) {
        lines.push_back({escaped(treatment.names), std::string(wordOf(treatment))});
    }
    return alignedColumns(lines);
}

std::string treatmentsJson(const Treatments& treatments)
{
    report::Json all = report::Json::array();
    for (const Treatment& treatment : treatments) {
        all.push_back(report::Json{{"keys", escaped(treatment.names)},
                                   {"format", wordOf(treatment)}});
    }
    return all.dump() + '\n';
}

/// Says what was decided, not how the values fit, which takes a look at them.
std::string changeSentence(const TreatArguments& arguments)
{
    const std::string names = escaped(arguments.names);
    if (arguments.isForgotten) {
        return "Keys that match " + names + " are what they look like again.\n";
    }
    return arguments.isNoLock ? "Keys that match " + names + " are not locks from now on.\n"
                              : "Keys that match " + names + " are treated as " + arguments.asFormat
                                    + " from now on, where their values fit.\n";
}

/// One call of `treat`.
class Treating {
public:
    Treating(const TreatArguments& arguments, const Context& context)
        : m_arguments(arguments),
          m_context(context),
          m_output(context.output),
          m_store(readStore(context.output))
    {}

    async::Task<int> run()
    {
        if (m_arguments.names.empty()) {
            print(treatmentsTable(m_store.treatments));
            co_return ExitDone;
        }
        if (!m_store.isReadable) {
            m_output.complain("Nothing was changed: mend the file first.");
            co_return ExitRefused;
        }
        int code = m_arguments.isForgotten ? forget() : treat();
        if (code == ExitDone && !m_arguments.asFormat.empty()) {
            code = co_await check();
        }
        co_return code == ExitDone ? save() : code;
    }

private:
    /// Tries the decision on the keys of the servers that were named, before it is remembered.
    async::Task<int> check()
    {
        if (m_context.endpoints.empty()) {
            m_output.note("No server was asked whether the values fit; --url tries it. list, show "
                          "and release name the keys whose values do not fit.");
            co_return ExitDone;
        }
        const inspect::FormatTablePtr formats = m_store.formats->treating({m_arguments.names,
                                                                           m_arguments.asFormat});
        inspect::LockBook book(m_context.endpoints, formats);
        ServerLinks links(m_context);
        const bool isOpen = co_await links.open(ServerLinks::Absence::OfSome);
        if (!isOpen) {
            co_return exitCodeOf(links.problem());
        }
        operations::SurveyOptions options;
        options.formats = formats;
        operations::Survey survey(m_context.executor, m_context.clock, links.servers(), book,
                                  std::move(options), [] {});
        survey.leaveOut(links.unreachable());
        const auto failure = co_await survey.run();
        if (failure) {
            m_output.complain("Nothing was changed: " + store::explain(failure->problem));
            co_return exitCodeOf(failure->problem);
        }
        co_return judge(book.rows(), *formats);
    }

    int judge(const std::vector<inspect::LockPtr>& rows, const inspect::FormatTable& formats)
    {
        const std::vector<DecisionCheck> checks = checkDecisions(rows, formats);
        const auto own = std::ranges::find_if(checks, [&](const DecisionCheck& one) {
            return formats.recognisers().treatments.data() == one.decision;
        });
        if (own == checks.end()) {
            m_output.note("No key matches now, so whether values fit is not known.");
            return ExitDone;
        }
        const std::string misfits = misfitsSentence(*own, formats);
        if (own->fittingCount == 0) {
            m_output.complain("Nothing was changed: " + misfits
                              + ". A format of your own can describe such values, in a file in "
                                "~/.config/lockscope/formats.");
            return ExitRefused;
        }
        m_output.note(misfits.empty() ? "The values of all matching keys fit: "
                                            + std::to_string(own->count()) + "."
                                      : misfits + '.');
        return ExitDone;
    }

    int treat()
    {
        if (!m_arguments.isNoLock
            && !canBeTreatedAs(*m_store.formats, m_arguments.asFormat, m_output)) {
            return ExitBadArguments;
        }
        m_store.treatments = inspect::withTreatment(std::move(m_store.treatments),
                                                    {m_arguments.names, m_arguments.asFormat});
        return ExitDone;
    }

    int forget()
    {
        const auto count = std::erase_if(m_store.treatments, [this](const Treatment& treatment) {
            return treatment.names == m_arguments.names;
        });
        if (count == 0) {
            m_output.complain(app::inQuotes(escaped(m_arguments.names))
                              + " is not among the treated names; nothing was changed.");
            return ExitAlreadyGone;
        }
        return ExitDone;
    }

    int save()
    {
        const QString problem = wire::saveTreatments(m_store.folder, m_store.treatments);
        if (!problem.isEmpty()) {
            m_output.complain("Could not be remembered: " + problem.toStdString());
            return ExitRefused;
        }
        print(changeSentence(m_arguments));
        return ExitDone;
    }

    void print(const std::string& text)
    {
        m_output.print(m_arguments.format == Format::Json ? treatmentsJson(m_store.treatments)
                                                          : text);
    }

    const TreatArguments& m_arguments;
    const Context& m_context;
    Output& m_output;
    Store m_store;
};

constexpr CommandText kTreatText{
    .name = "treat",
    .operand = "[PATTERN]",
    .usage = "[PATTERN --as FORMAT|--not-a-lock|--forget] [options]",
    .summary = "decide what the keys with some names are",
    .details = R"(
Decides what the keys that match PATTERN, a pattern of Redis, are: locks of a format, whatever
they look like, or no locks at all. All commands and the window honour it and remember it, in
~/.config/lockscope/treat-as.json; of several patterns that match a key the first counts, and
the newest comes first. Without PATTERN it lists what is remembered. Needs no server. With
--url, --as is first tried on the keys there: those whose values do not fit FORMAT are named, with
the format that they fit, and if none fits nothing is changed (exit code 5).
)",
    .examples = R"(
  lockscope-cli treat 'acme:lease:*' --as token
  lockscope-cli treat 'acme:lease:*' --as token --url redis://cache-1:6379
  lockscope-cli treat 'cart:*' --not-a-lock
  lockscope-cli treat 'cart:*' --forget
)",
    .servers = ServerUse::Named,
};

class TreatCommand final : public CommandWith<TreatArguments> {
public:
    TreatCommand() : CommandWith(kTreatText) {}

    void declare(app::OptionSet& options) override
    {
        options.addText("as", "FORMAT", m_arguments.asFormat,
                        "They are locks of FORMAT; \"lockscope-cli formats\" lists the formats.");
        options.addSwitch("not-a-lock", m_arguments.isNoLock,
                          "They are no locks: neither read nor listed.");
        options.addSwitch("forget", m_arguments.isForgotten, "They are what they look like again.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.names = operands.first();
        const int choices = (m_arguments.asFormat.empty() ? 0 : 1) + (m_arguments.isNoLock ? 1 : 0)
                            + (m_arguments.isForgotten ? 1 : 0);
        if (m_arguments.names.empty() && choices > 0) {
            throw app::ArgumentError{"treat needs PATTERN: the names of the keys, as 'cart:*'"};
        }
        if (!m_arguments.names.empty() && choices != 1) {
            throw app::ArgumentError{
                "treat needs one of --as FORMAT, --not-a-lock and --forget with PATTERN"};
        }
    }

    async::Task<int> run(Context context) override
    {
        Treating one(m_arguments, context);
        const int code = co_await one.run();
        co_return code;
    }
};

} // namespace

std::unique_ptr<Command> treatCommand()
{
    return std::make_unique<TreatCommand>();
}

} // namespace lockscope::cli
