#include "inspect/observation.h"

#include <algorithm>

namespace lockscope::inspect {

bool Sighting::exists() const
{
    return std::any_of(keys.begin(), keys.end(),
                       [](const Observation& key) { return key.exists(); });
}

} // namespace lockscope::inspect
