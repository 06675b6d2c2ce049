#include "cli/simulate_command.h"

#include "cli/search_tasks.h"
#include "cli/search_text.h"
#include "cli/subject_search.h"

namespace lockscope::cli {

async::Task<int> runSimulate(Context context, SimulateArguments arguments)
{
    SearchTelling telling;
    telling.mode = "simulate";
    telling.seed = arguments.seed;
    telling.text = [&arguments](const auto& cells) {
        return simulateText(arguments, cells.front());
    };
    auto tasks = tasksOf(arguments);
    const int code = co_await searchSubject(context, arguments.subject, std::move(tasks),
                                            std::move(telling));
    co_return code;
}

} // namespace lockscope::cli
