#include "core/kernel/diagnosis/diagnosis.h"

#include "core/kernel/diagnosis/judge.h"

namespace lockscope::diagnosis {

Diagnosis diagnose(const Observed& observed)
{
    Judge judge(observed);
    if (!observed.record.flags.has(inspect::Flag::ProbablyData)) {
        judge.judgeFlags();
        judge.judgeHistory();
        judge.judgeCompany();
        judge.judgeServers();
    }
    return judge.takeDiagnosis();
}

} // namespace lockscope::diagnosis
