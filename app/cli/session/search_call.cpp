#include "app/cli/session/search_call.h"

#include "app/cli/exit_code.h"
#include "app/cli/output/search_text.h"
#include "app/cli/session/search_session.h"
#include "app/cli/session/search_tasks.h"
#include "app/cli/session/shard_file.h"
#include "app/cli/session/subject_search.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/report/search_json.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace lockscope::cli {

using report::CellReport;

namespace {

using Results = std::vector<pool::PartResult>;

async::Task<int> explore(Context context, ExploreArguments arguments, Results known)
{
    SearchReporting telling;
    telling.mode = "explore";
    telling.text = [&arguments](const auto& cells) { return exploreText(arguments, cells); };
    SearchWork work{tasksOf(arguments), std::move(known)};
    const int code = co_await searchSubject(context, arguments.subject, std::move(work),
                                            std::move(telling));
    co_return code;
}

async::Task<int> simulate(Context context, SimulateArguments arguments, Results known)
{
    SearchReporting telling;
    telling.mode = "simulate";
    telling.seed = arguments.seed;
    telling.text = [&arguments](const auto& cells) {
        return simulateText(arguments, cells.front());
    };
    SearchWork work{tasksOf(arguments), std::move(known)};
    const int code = co_await searchSubject(context, arguments.subject, std::move(work),
                                            std::move(telling));
    co_return code;
}

std::string matrixJson(std::span<const CellReport> cells)
{
    std::string text = "[";
    for (const CellReport& cell : cells) {
        if (!cell.isSearched) {
            continue;
        }
        for (const report::Json& entry : report::matrixEntries(cell)) {
            text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
        }
    }
    return text + "\n]\n";
}

/// Of protocols that are never granted; whether there are any.
bool complainOfUntested(const Context& context, std::span<const CellReport> cells)
{
    bool isAny = false;
    for (const std::span<const CellReport> row : report::rowsOf(cells)) {
        if (const std::string untested = report::untestedText(row); !untested.empty()) {
            context.output.complain(row.front().protocol + ": "
                                    + untested.substr(0, untested.find('\n')));
            isAny = true;
        }
    }
    return isAny;
}

void printMatrix(Output& output, const MatrixArguments& arguments,
                 std::span<const CellReport> cells, std::optional<Duration> elapsed)
{
    const report::MatrixLook look{arguments.never, arguments.unfolded};
    switch (arguments.format) {
    case Format::Json: output.print(matrixJson(cells)); break;
    case Format::Csv: output.print(report::matrixCsv(cells)); break;
    case Format::Markdown: output.print(report::matrixMarkdown(cells, look)); break;
    case Format::Junit: // the arguments do not allow it
    case Format::Table:
    case Format::Text: output.print(matrixText(cells, look, elapsed)); break;
    }
}

async::Task<int> matrix(Context context, MatrixArguments arguments, Results known)
{
    const bool isMerge = !known.empty();
    const service::SearchOrder order{tasksOf(arguments), arguments.threadCount};
    SearchSession session(context, order, std::move(known));
    const bool isWhole = co_await session.ended();
    const std::vector<CellReport>& cells = session.reports();
    printMatrix(context.output, arguments, cells,
                isMerge ? std::nullopt : std::optional(session.progress().elapsed));
    if (complainOfUntested(context, cells)) {
        co_return ExitBadArguments;
    }
    if (std::ranges::any_of(cells, &CellReport::isPromiseBroken)) {
        co_return ExitPromiseBroken;
    }
    co_return isWhole ? ExitDone : session.interruptCode();
}

async::Task<int> searchShard(Context context, SearchCall call, pool::Shard shard)
{
    SearchSession session(context, orderOf(call), shard);
    if (!co_await session.ended()) {
        co_return session.interruptCode();
    }
    context.output.print(shardFileText(shard, call, session.results()));
    co_return ExitDone;
}

} // namespace

service::SearchOrder orderOf(const SearchCall& call)
{
    return std::visit(
        [](const auto& arguments) -> service::SearchOrder {
            if constexpr (std::is_same_v<std::decay_t<decltype(arguments)>, MatrixArguments>) {
                return {tasksOf(arguments), arguments.threadCount};
            } else {
                return {tasksOf(arguments), arguments.subject.threadCount};
            }
        },
        call);
}

async::Task<int> carryOut(Context context, SearchCall call, Results known)
{
    if (auto* const arguments = std::get_if<ExploreArguments>(&call)) {
        const std::optional<pool::Shard> shard = arguments->subject.shard;
        return shard ? searchShard(context, std::move(call), *shard)
                     : explore(context, std::move(*arguments), std::move(known));
    }
    if (auto* const arguments = std::get_if<SimulateArguments>(&call)) {
        const std::optional<pool::Shard> shard = arguments->subject.shard;
        return shard ? searchShard(context, std::move(call), *shard)
                     : simulate(context, std::move(*arguments), std::move(known));
    }
    auto& arguments = std::get<MatrixArguments>(call);
    const std::optional<pool::Shard> shard = arguments.shard;
    return shard ? searchShard(context, std::move(call), *shard)
                 : matrix(context, std::move(arguments), std::move(known));
}

} // namespace lockscope::cli
