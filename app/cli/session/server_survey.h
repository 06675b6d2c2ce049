#pragma once

#include "app/cli/session/server_link.h"
#include "core/operations/survey.h"

#include <string>
#include <vector>

namespace lockscope::cli {

/// One look at all locks of the servers of a call, and then, where that is wanted, at the first of
/// them for a time.
class ServerSurvey {
public:
    /// Of each server; more would not be looked at often enough.
    static constexpr std::size_t kWatchedLocksMax = 500;

    /// `watchFor` of zero: one look is enough.
    ServerSurvey(const Context& context, Duration watchFor);

    /// True when everything was seen; otherwise the output says what was not, and why.
    async::Task<bool> run();

    /// Of the server that run() failed at.
    const store::Problem& problem() const { return m_problem; }

    std::vector<inspect::LockPtr> rows() const { return m_book.rows(); }
    bool isOfSet() const { return m_isOfSet; }
    const std::vector<std::string>& names() const { return m_names; }
    ServerLinks& links() { return m_links; }

private:
    bool fail(std::size_t server, store::Problem problem);
    async::Task<bool> watch();

    Context m_context;
    Duration m_watchFor;
    std::vector<std::string> m_names;
    inspect::FormatTablePtr m_formats;
    inspect::LockBook m_book;
    ServerLinks m_links;
    operations::Survey m_survey;
    store::Problem m_problem;
    bool m_isOfSet = false;
};

} // namespace lockscope::cli
