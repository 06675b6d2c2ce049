#include "inspect/observation.h"

#include <algorithm>

namespace lockscope::inspect {

bool Sighting::exists() const
{
    return std::any_of(keys.begin(), keys.end(),
                       [](const Observation& key) { return key.exists(); });
}

const Observation* Sighting::companion(std::string_view key) const
{
    const auto found = std::find_if(companions.begin(), companions.end(),
                                    [key](const Observation& seen) { return seen.key == key; });
    return found == companions.end() ? nullptr : &*found;
}

} // namespace lockscope::inspect
