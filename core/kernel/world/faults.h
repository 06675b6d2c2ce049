#pragma once

#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/fault_scene.h"

#include <array>
#include <cstddef>
#include <vector>

namespace lockscope::world {

/// The faults of a run: how many more there may be, which may happen now, and that they happen.
/// What each kind does is in its FaultInfo; here is only what all have in common.
///
/// The order in which faults are offered decides what a search finds first, so it is part of the
/// engine's results: by occasion, and at an occasion in the order of faultsInOfferOrder().
class Faults {
public:
    Faults(const FaultScene& scene, RunRecord& record);

    /// Those by which a run may begin: clocks differ from the beginning or not at all.
    void listBeginnings(std::vector<Step>& steps) const;
    /// Those that may happen now.
    void list(std::vector<Step>& steps) const;
    void carryOut(const Step& step);
    /// No more, whatever the plan says.
    void end()
    {
        m_hasEnded = true;
        m_mayMore = false;
    }

    int count() const { return m_count; }
    /// Whether any may follow. If not, how many there were, and who is fresh, decides nothing.
    bool mayMore() const { return m_mayMore; }
    /// How much of the plan's faults is used up.
    void addTo(ContentHash& hash) const;

private:
    static constexpr auto kKindCount = static_cast<std::size_t>(FaultKind::FirstMisuse);

    bool isAnyLeft() const;
    void listOfRequests(int client, std::vector<Step>& steps) const;
    void listOfServer(int node, std::vector<Step>& steps) const;
    void offerAt(const Occasion& occasion, std::vector<Step>& steps) const;

    FaultScene m_scene;
    RunRecord& m_record;
    std::array<const FaultInfo*, kKindCount> m_allowed{}; // in the order of offers; then null
    std::array<int, kKindCount> m_done{};                 // by kind
    int m_count = 0;
    bool m_hasEnded = false;
    bool m_mayMore = false;
};

} // namespace lockscope::world
