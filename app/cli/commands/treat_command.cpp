#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "app/quoted_words.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/report/lock_json.h"
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

std::string changeSentence(const TreatArguments& arguments)
{
    const std::string names = escaped(arguments.names);
    if (arguments.isForgotten) {
        return "Keys that match " + names + " are what they look like again.\n";
    }
    return arguments.isNoLock ? "Keys that match " + names + " are not locks from now on.\n"
                              : "Keys that match " + names + " are treated as " + arguments.asFormat
                                    + " from now on.\n";
}

/// One call of `treat`.
class Treating {
public:
    Treating(const TreatArguments& arguments, Output& output)
        : m_arguments(arguments),
          m_output(output),
          m_store(readStore(output))
    {}

    int run()
    {
        if (m_arguments.names.empty()) {
            print(treatmentsTable(m_store.treatments));
            return ExitDone;
        }
        if (!m_store.isReadable) {
            m_output.complain("Nothing was changed: mend the file first.");
            return ExitRefused;
        }
        const int code = m_arguments.isForgotten ? forget() : treat();
        return code == ExitDone ? save() : code;
    }

private:
    int treat()
    {
        const inspect::Decoder* const decoder =
            m_store.formats->recognisers().decoderOf(m_arguments.asFormat);
        const bool isKnown = decoder != nullptr && inspect::isTreatable(*decoder);
        if (!m_arguments.isNoLock && !isKnown) {
            m_output.complain("There is no format " + app::inQuotes(m_arguments.asFormat)
                              + "; \"lockscope-cli formats\" lists them.");
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
the newest comes first. Without PATTERN it lists what is remembered. Needs no server.
)",
    .examples = R"(
  lockscope-cli treat 'acme:lease:*' --as token
  lockscope-cli treat 'cart:*' --not-a-lock
  lockscope-cli treat 'cart:*' --forget
)",
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
        co_return Treating(m_arguments, context.output).run();
    }
};

} // namespace

std::unique_ptr<Command> treatCommand()
{
    return std::make_unique<TreatCommand>();
}

} // namespace lockscope::cli
