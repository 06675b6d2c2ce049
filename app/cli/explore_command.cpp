#include "cli/explore_command.h"

#include "cli/search_tasks.h"
#include "cli/search_text.h"
#include "cli/subject_search.h"

namespace lockscope::cli {

async::Task<int> runExplore(Context context, ExploreArguments arguments)
{
    SearchTelling telling;
    telling.mode = "explore";
    telling.text = [&arguments](const auto& cells) { return exploreText(arguments, cells); };
    auto tasks = tasksOf(arguments);
    const int code = co_await searchSubject(context, arguments.subject, std::move(tasks),
                                            std::move(telling));
    co_return code;
}

} // namespace lockscope::cli
