#include "app/cli/session/own_formats.h"

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
