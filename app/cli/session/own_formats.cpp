#include "app/cli/session/own_formats.h"

#include "app/quoted_words.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/wire/format_folder.h"

#include <vector>

namespace lockscope::cli {

inspect::FormatTablePtr formatsOfUser(Output& output)
{
    const wire::FormatFiles files = wire::readFormatFiles(wire::defaultFormatFolder());
    std::vector<inspect::OwnFileProblem> problems = files.problems;
    inspect::FormatTablePtr formats = inspect::tableOf(files.formats, files.treatments, nullptr,
                                                       problems);
    for (const inspect::OwnFileProblem& problem : problems) {
        output.complain(problem.sentence);
    }
    return formats;
}

inspect::FormatTablePtr formatsWithDecision(Output& output, const Bytes& key,
                                            const std::string& format)
{
    inspect::FormatTablePtr formats = formatsOfUser(output);
    if (format.empty()) {
        return formats;
    }
    return canBeTreatedAs(*formats, format, output)
               ? formats->treating({inspect::nameAsPattern(key), format})
               : nullptr;
}

bool canBeTreatedAs(const inspect::FormatTable& formats, const std::string& format, Output& output)
{
    const inspect::Decoder* const decoder = formats.recognisers().decoderOf(format);
    const bool isKnown = decoder != nullptr && inspect::isTreatable(*decoder);
    if (!isKnown) {
        output.complain("There is no format " + app::inQuotes(format)
                        + "; \"lockscope-cli formats\" lists them.");
    }
    return isKnown;
}

operations::OwnerNamesPtr ownersOfUser(Output& output)
{
    std::vector<inspect::OwnFileProblem> problems;
    const inspect::OwnFile file = wire::readOwnersFile(wire::defaultFormatFolder(), problems);
    operations::OwnerNamesPtr owners = wire::ownersOf(file, problems);
    for (const inspect::OwnFileProblem& problem : problems) {
        output.complain(problem.sentence);
    }
    return owners;
}

} // namespace lockscope::cli
