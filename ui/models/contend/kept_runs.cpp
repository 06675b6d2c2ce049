#include "ui/models/contend/kept_runs.h"

#include <utility>

namespace lockscope::models {

void KeptRuns::add(RunFigures run)
{
    if (run.isEmpty()) {
        return;
    }
    std::erase_if(m_runs, [&run](const RunFigures& kept) { return kept.title == run.title; });
    m_runs.insert(m_runs.begin(), std::move(run));
    if (m_runs.size() > kRunsAtMost) {
        m_runs.pop_back();
    }
}

} // namespace lockscope::models
