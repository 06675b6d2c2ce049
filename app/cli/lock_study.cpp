#include "cli/lock_study.h"

#include "inspect/sweep_findings.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace lockscope::cli {

using inspect::Examination;
using store::Problem;

namespace {

async::Task<std::variant<Examination, Problem>> studyOn(store::Store& store, Clock& clock,
                                                        std::uint16_t server, Bytes name,
                                                        Closeness closeness)
{
    auto look = closeness == Closeness::ToRelease
                    ? inspect::examineToRelease(store, clock, server, std::move(name))
                    : inspect::examine(store, clock, server, std::move(name));
    auto found = co_await std::move(look);
    auto* const examination = std::get_if<Examination>(&found);
    if (examination == nullptr) {
        co_return found;
    }
    if (std::optional<Problem> problem = inspect::problemOfReading(examination->sighting)) {
        co_return std::move(*problem);
    }
    co_return found;
}

} // namespace

bool LockStudy::exists() const
{
    return std::ranges::any_of(examinations,
                               [](const Examination& e) { return e.sighting.exists(); });
}

async::Task<LockStudy> studyLock(Context context, ServerLinks& links, Bytes name,
                                 Closeness closeness)
{
    LockStudy study;
    for (std::uint16_t server = 0; server < links.count(); ++server) {
        auto found = co_await studyOn(links.store(server), context.clock, server, name, closeness);
        if (auto* const problem = std::get_if<Problem>(&found)) {
            study.problem = std::move(*problem);
            context.output.complain(store::serverName(context.endpoints[server]) + ": "
                                    + store::explain(study.problem));
            break;
        }
        study.examinations.push_back(std::move(std::get<Examination>(found)));
    }
    co_return study;
}

} // namespace lockscope::cli
