#include "app/cli/session/own_formats.h"

#include "core/wire/format_folder.h"

#include <QFileInfo>

#include <utility>
#include <variant>
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

operations::OwnerNames ownersOfUser(Output& output)
{
    const QString path = wire::defaultFormatFolder() + QStringLiteral("/owners.json");
    if (!QFileInfo::exists(path)) {
        return {};
    }
    std::vector<inspect::OwnFileProblem> problems;
    const inspect::OwnFile file = wire::readFormatFile(path, problems);
    auto owners = operations::OwnerNames::read(file.text);
    if (problems.empty() && std::holds_alternative<operations::OwnerNames>(owners)) {
        return std::get<operations::OwnerNames>(std::move(owners));
    }
    output.complain(problems.empty() ? file.path + ": " + std::get<std::string>(owners)
                                     : problems.front().sentence);
    return {};
}

} // namespace lockscope::cli
