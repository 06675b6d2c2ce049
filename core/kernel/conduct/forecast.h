#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/conduct/deviation.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <memory>
#include <vector>

namespace lockscope::conduct {

/// What deviations would come to: the requests of a natural run are carried out by simulated
/// servers, in the order and at the times that a deviation would give them. No client answers back,
/// so it says where to look first and nothing more. It takes microseconds where a run of real
/// processes takes tenths of a second.
class Forecast {
public:
    /// `workload` and `natural` outlive this. `scripts`: those that its servers knew.
    Forecast(const Workload& workload, const RunLog& natural, const std::vector<Bytes>& scripts);
    ~Forecast();
    Forecast(const Forecast&) = delete;
    Forecast& operator=(const Forecast&) = delete;

    /// A request does to a key what none of its kind does in the natural run: it ends or prolongs
    /// what another process made, or makes what was only prolonged; or a key without an expiry is
    /// left behind. Whether a client would send the request by then is not known.
    bool showsHarm(const Deviation& deviation) const;

private:
    class Paper;
    std::unique_ptr<const Paper> m_paper;
};

} // namespace lockscope::conduct
