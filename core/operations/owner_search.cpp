#include "core/operations/owner_search.h"

#include "core/kernel/async/gate.h"
#include "core/operations/survey.h"

#include <algorithm>
#include <utility>

namespace lockscope::operations {

using inspect::Holder;
using inspect::LockId;
using inspect::LockPtr;

namespace {

async::Task<void> runSurvey(Survey& survey, async::Gate& done, bool& isComplete)
{
    const std::optional<Survey::Failure> failure = co_await survey.run();
    isComplete = !failure;
    done.open();
}

bool isAnyOf(const LockPtr& lock, std::span<const Holder> owners)
{
    return std::ranges::any_of(lock->holders, [owners](const Holder& holder) {
        return !holder.owner.empty()
               && std::ranges::find(owners, holder.owner, &Holder::owner) != owners.end();
    });
}

} // namespace

OwnerSearch::OwnerSearch(async::Executor& executor, Clock& clock, Servers& servers,
                         inspect::FormatTablePtr formats)
    : m_executor(executor),
      m_clock(clock),
      m_servers(servers),
      m_formats(std::move(formats)),
      m_book(static_cast<std::uint16_t>(servers.count()), m_formats, foldingOf(servers))
{}

bool OwnerSearch::isWorthwhile(inspect::OwnerScope scope, std::span<const Holder> holders)
{
    return std::ranges::any_of(holders, [scope](const Holder& holder) {
        return inspect::canTie(scope, holder.owner);
    });
}

async::Task<bool> OwnerSearch::run(Duration patience)
{
    SurveyOptions options;
    options.formats = m_formats;
    Survey survey(m_executor, m_clock, m_servers, m_book, std::move(options), [] {});
    survey.leaveOut(m_leftOut);
    async::Gate done;
    bool isComplete = false;
    {
        async::TaskScope work(m_executor); // what is not done by then is dropped
        work.start(runSurvey(survey, done, isComplete));
        co_await done.passBefore(m_clock, m_clock.now() + patience);
    }
    m_book.tick(m_clock.now());
    co_return isComplete;
}

std::vector<Bytes> OwnerSearch::locksBeside(const LockId& lock,
                                            std::span<const Holder> owners) const
{
    std::vector<Bytes> names;
    for (const LockPtr& row : m_book.rows()) {
        const bool isSame = row->id.name == lock.name;
        const bool isHere = row->id.server == lock.server || row->id.server == LockId::kWholeSet
                            || lock.server == LockId::kWholeSet;
        if (!isSame && isHere && isAnyOf(row, owners)) {
            names.push_back(row->id.name);
        }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

} // namespace lockscope::operations
